// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/occupancy.h"

namespace gvp::gpgpu::simt {
namespace {

void lower(Occupancy& occupancy, Limit limit, uint64_t available, uint64_t needed) {
  if (needed == 0) return;
  const uint64_t blocks = available / needed;
  if (blocks < occupancy.blocks) occupancy = {static_cast<uint32_t>(blocks), limit};
}

}  // namespace

Occupancy occupancy(const BlockNeeds& block, const SmLimits& sm) {
  if (block.threads > sm.threads_per_block) return {0, Limit::kThreadsPerBlock};
  // Registers are allocated to whole warps: a row of the register file serves all
  // its lanes.
  const uint64_t warps = warps_of(block.threads, sm.lanes);
  Occupancy result{sm.blocks, Limit::kBlocks};
  lower(result, Limit::kWarps, sm.warps, warps);
  lower(result, Limit::kThreads, sm.threads, block.threads);
  lower(result, Limit::kRegisters, sm.registers, warps * sm.lanes * block.registers_per_thread);
  lower(result, Limit::kSharedBytes, sm.shared_bytes, block.shared_bytes);
  return result;
}

}  // namespace gvp::gpgpu::simt
