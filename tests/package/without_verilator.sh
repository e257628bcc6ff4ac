#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# without_verilator.sh CMAKE SOURCE: a build that does not find Verilator is configured, says so, and
# has no block of RTL, with the tests and without.
set -euo pipefail
cmake=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cmake" -G Ninja -S "$source" -B "$work" -DGVP_RTL=OFF -DCMAKE_BUILD_TYPE=Release -DGVP_BENCHMARKS=OFF >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; exit 1; }
grep -q "no Verilator: the blocks that are RTL are left out (Debian packages verilator, zlib1g-dev)" "$work/log" ||
  { echo "it does not say that the blocks are left out" >&2; exit 1; }
if grep -q "gvp_rtl_block_" "$work/rtl/rtl_blocks.cpp"; then echo "a block is in the table" >&2; exit 1; fi
if grep -q "gvp-rtl wrap\|gvp-rtl build\|verilated.cpp" "$work/build.ninja"; then
  echo "something is left for Verilator to do" >&2
  exit 1
fi
