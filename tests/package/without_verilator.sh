#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# without_verilator.sh CMAKE SOURCE: a build that does not find Verilator, or zlib for its waveforms,
# or is to do without, is configured, says what to install, and has no block of RTL.
set -euo pipefail
cmake=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for hidden in -DGVP_RTL=OFF -DGVP_VERILATOR=/nowhere/verilator -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON; do
  build=$work/build$hidden
  # one of them with the tests, too
  tests=OFF; [ "$hidden" = -DGVP_RTL=OFF ] && tests=ON
  "$cmake" -G Ninja -S "$source" -B "$build" "$hidden" -DCMAKE_BUILD_TYPE=Release -DGVP_TESTS=$tests -DGVP_BENCHMARKS=OFF \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
  grep -q "no Verilator: the blocks that are RTL are left out (Debian packages verilator, zlib1g-dev)" "$work/log" ||
    { echo "$hidden: it does not say that the blocks are left out" >&2; exit 1; }
  if grep -q "gvp_rtl_block_" "$build/rtl/rtl_blocks.cpp"; then echo "$hidden: a block is in the table" >&2; exit 1; fi
  if grep -q "gvp-rtl wrap\|gvp-rtl build\|verilated.cpp" "$build/build.ninja"; then
    echo "$hidden: something is left for Verilator to do" >&2
    exit 1
  fi
done
"$cmake" --build "$build" --target rtl_blocks >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
