#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles a MicroBlaze program that was written for SCRATCH's system, with the board support package
# beside this script, to an ELF for gpgpu-vp's board `scratch`.
#   compile.sh [-o PROGRAM.elf] FILE.c ... [OPTION ...]
# Options (-I, -D, -O2...) go to the compiler; -O0 is the default, as in the SDK.  Without -o the ELF is
# named after the first file.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
usage() { sed -n '5,7s/^# *//p' "${BASH_SOURCE[0]}" >&2; exit 2; }

output='' sources=() options=()
while [ $# -gt 0 ]; do
  case $1 in
    -o) [ $# -ge 2 ] || usage; output=$2; shift ;;
    -I | -D | -U | -include | -isystem) # with a word of its own
      [ $# -ge 2 ] || usage
      options+=("$1" "$2"); shift ;;
    -*) options+=("$1") ;;
    *.c | *.S)
      [ -r "$1" ] || { echo "compile.sh: cannot read $1" >&2; exit 1; }
      sources+=("$(realpath "$1")") ;;
    *) echo "compile.sh: $1: neither a C file nor an option" >&2; usage ;;
  esac
  shift
done
[ ${#sources[@]} -gt 0 ] || usage
[ -n "$output" ] || output=$(basename "${sources[0]%.*}").elf
output=$(realpath -m "$output")
case "${sources[*]} ${options[*]:-} $output" in *[\'\"\$]*) echo "compile.sh: no quotes or \$ in names and options" >&2; exit 2 ;; esac

toolchain=$("$root/firmware/toolchain/build.sh")
out=${GVP_FIRMWARE_OUT:-$root/build/firmware}/scratch-program
mkdir -p "$out"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
link() { # MEMORY
  make --no-print-directory -s -f "$here/Makefile" program OUT="$out" CROSS="$toolchain/bin/microblazeel-xilinx-elf-" \
    SIAS=/nonexistent OCLC=/nonexistent MEMORY="$1" SOURCES="${sources[*]}" OPTIONS="${options[*]:-}" OUTPUT="$output" 2>"$log"
}
if ! link local; then
  if ! grep -qE 'will not fit in region|region .* overflowed|bytes? of heap|KiB of heap' "$log"; then
    cat "$log" >&2
    exit 1
  fi
  echo "compile.sh: too large for local memory; the program goes to the upper half of DDR3" >&2
  link ddr3 || { cat "$log" >&2; exit 1; }
fi
cat "$log" >&2
