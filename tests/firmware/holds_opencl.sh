#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# holds_opencl.sh OCLC FOLDER ELF: fails when kernels of FOLDER that the executable holds are not what
# oclc makes of them now; 77 without clang, which oclc needs.
set -euo pipefail
oclc=$1 folder=$2 elf=$3
command -v "${OCLC_CLANG:-clang-14}" >/dev/null || { echo "no clang-14"; exit 77; }
for kernel in "cnn -DT=int -DSHIFT=8" "matrix_multiply -DT=float"; do
  read -r name options <<<"$kernel"
  # shellcheck disable=SC2086
  "$oclc" $options --emit hex -o - "$folder/$name.cl" | python3 -c '
import struct, sys
words = [int(line, 16) for line in sys.stdin if not line.startswith("#")]
code = struct.pack("<%dI" % len(words), *words)
sys.exit(0 if code and code in open(sys.argv[1], "rb").read() else 1)' "$elf" ||
    { echo "$elf: its kernels are not what oclc makes of $name.cl; run ./dev firmware and commit" >&2; exit 1; }
done
