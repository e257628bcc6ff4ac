#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Keeps the committed executables and their sources together.
#   manifest.sh           prints a hash of everything the executables are made from, and of them
#   manifest.sh --check   compares that with prebuilt/manifest; fails when they differ
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LC_ALL=C

sources() {
  find firmware/boards -type f -name '*.h'
  find firmware/scratch -type f
  find firmware/{apps,apps/chapter5,apps/opencl,bsp,cuda,driver,driver/miaow,kernels,kernels/cuda,kernels/opencl} -maxdepth 1 -type f \( -name '*.[chsS]' -o -name '*.cu' -o -name '*.cl' -o -name '*.ld' \)
  printf '%s\n' firmware/Makefile firmware/flags.mk firmware/opencl.mk firmware/toolchain/compiler.sh platform/memory_map.h \
    models/gpgpu/causes.h models/gpgpu/flexgrip/flexgrip_registers.h models/gpgpu/miaow/miaow_registers.h
}
manifest() { { sources; find firmware/prebuilt -name '*.elf'; } | sort | xargs sha256sum; }

if [ "${1:-}" != --check ]; then
  manifest
  exit
fi
if ! difference=$(diff -u firmware/prebuilt/manifest <(manifest)); then
  printf '%s\n' "$difference" >&2
  printf 'firmware: sources and firmware/prebuilt do not belong together; run ./dev firmware and commit firmware/prebuilt\n' >&2
  exit 1
fi
echo "firmware/prebuilt belongs to its sources ($(wc -l <firmware/prebuilt/manifest) files)"
