// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel one streaming multiprocessor holds at a time (FlexGrip thesis
// 4.1.2: the formulas for warps, registers and shared memory; limits of table 5).
#pragma once

#include <cstdint>

#include "models/gpgpu/simt/warp_size.h"

namespace gvp::gpgpu::simt {

struct SmLimits {
  uint32_t warps;
  uint32_t threads;
  uint32_t blocks;
  uint32_t registers;
  uint32_t shared_bytes;
  uint32_t threads_per_block;
  uint32_t lanes = kWarpSize;  // threads of a warp
};

struct BlockNeeds {
  uint32_t threads;
  uint32_t registers_per_thread;
  uint64_t shared_bytes;  // as allocated
};

enum class Limit : uint8_t {
  kNone,
  kThreadsPerBlock,
  kWarps,
  kThreads,
  kRegisters,
  kSharedBytes,
  kBlocks
};

struct Occupancy {
  uint32_t blocks;  // per SM; 0: not even one fits
  Limit limit;      // what allows no more
};

constexpr uint32_t warps_of(uint32_t threads, uint32_t lanes = kWarpSize) {
  return (threads + lanes - 1) / lanes;
}

Occupancy occupancy(const BlockNeeds& block, const SmLimits& sm);

}  // namespace gvp::gpgpu::simt
