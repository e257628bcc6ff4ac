#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# holds_kernels.sh KCC SOURCE ELF: fails when the kernels in the executable are not what kcc makes of
# the source now; 77 without clang, which kcc needs.
set -euo pipefail
kcc=$1 source=$2 elf=$3
command -v "${KCC_CLANG:-clang-14}" >/dev/null || { echo "no clang-14"; exit 77; }
cubin=$(mktemp)
trap 'rm -f "$cubin"' EXIT
"$kcc" "$source" -o "$cubin"
python3 - "$cubin" "$elf" <<'END' ||
import sys
cubin, elf = (open(name, "rb").read() for name in sys.argv[1:])
sys.exit(0 if cubin and cubin in elf else 1)
END
  { echo "$elf: its kernels are not what kcc makes of $source; run ./dev firmware and commit" >&2; exit 1; }
