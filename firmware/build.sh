#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the firmware with the cached cross-compiler (toolchain/build.sh makes it when missing).
#   build.sh           builds into build/firmware and puts the result into firmware/prebuilt
#   build.sh --check   builds and compares with firmware/prebuilt, byte for byte
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
out=${GVP_FIRMWARE_OUT:-$root/build/firmware}
check=false
case "${1:-}" in
  "") ;;
  --check) check=true ;;
  *) echo "usage: firmware/build.sh [--check]" >&2; exit 2 ;;
esac

g80as=${GVP_G80AS:-$root/build/bin/g80as}
[ -x "$g80as" ] || { echo "firmware: no kernel assembler at $g80as; ./dev firmware builds it" >&2; exit 1; }
kcc=${GVP_KCC:-$root/build/bin/kcc}
[ -x "$kcc" ] || { echo "firmware: no kernel compiler at $kcc; ./dev firmware builds it" >&2; exit 1; }
sias=${GVP_SIAS:-$root/build/bin/sias}
[ -x "$sias" ] || { echo "firmware: no kernel assembler at $sias; ./dev firmware builds it" >&2; exit 1; }
oclc=${GVP_OCLC:-$root/build/bin/oclc}
[ -x "$oclc" ] || { echo "firmware: no compiler of OpenCL C at $oclc; ./dev firmware builds it" >&2; exit 1; }
toolchain=$("$here/toolchain/build.sh")
# Neither a check nor another compiler may trust the objects of an earlier build.
! $check || out=$out-check
if $check || [ "$(cat "$out/compiler" 2>/dev/null)" != "$toolchain" ]; then rm -rf "$out"; fi
mkdir -p "$out"
printf '%s\n' "$toolchain" >"$out/compiler"
make_firmware() { # OUT BOARD
  make --no-print-directory -s -C "$here" -j "${GVP_JOBS:-$(nproc)}" OUT="$1" BOARD="$2" \
    CROSS="$toolchain/bin/microblazeel-xilinx-elf-" G80AS="$g80as" KCC="$kcc" OCLC="$oclc"
}
make_firmware "$out" ml605
make --no-print-directory -s -C "$here/scratch" -j "${GVP_JOBS:-$(nproc)}" OUT="$out/scratch" \
  CROSS="$toolchain/bin/microblazeel-xilinx-elf-" SIAS="$sias" OCLC="$oclc"
for board in "$here"/boards/*/; do
  # SCRATCH's has programs and a board support package of its own
  [ "$(basename "$board")" != scratch ] || continue
  make_firmware "$out/$(basename "$board")" "$(basename "$board")"
done

status=0
for elf in "$out"/*.elf "$out"/*/*.elf; do
  name=$(basename "$elf")
  case $name in *.debug.elf) continue ;; esac
  prebuilt=$here/prebuilt/$name
  if ! $check; then
    mkdir -p "$here/prebuilt"
    cmp -s "$elf" "$prebuilt" || cp "$elf" "$prebuilt"
    printf 'firmware/prebuilt/%s: %s bytes\n' "$name" "$(stat -c %s "$prebuilt")"
  elif cmp "$elf" "$prebuilt" >&2; then
    echo "$name: rebuilt, identical"
  else
    echo "firmware: $name differs from firmware/prebuilt/$name; run ./dev firmware and commit" >&2
    status=1
  fi
done
if $check; then
  "$here/manifest.sh" --check || status=1
else
  "$here/manifest.sh" >"$here/prebuilt/manifest"
fi
exit $status
