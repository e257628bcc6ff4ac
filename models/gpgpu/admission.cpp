// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/admission.h"

#include <fmt/format.h>

#include <utility>

namespace gvp::gpgpu {
namespace {

Admission refuse_block(const simt::BlockNeeds& block, const simt::SmLimits& sm, simt::Limit limit) {
  const uint32_t warps = simt::warps_of(block.threads, sm.lanes);
  switch (limit) {
    case simt::Limit::kThreadsPerBlock:
      return refuse(FaultCause::kTooManyThreads,
                    fmt::format("a block of {} threads; the device takes {} a block", block.threads,
                                sm.threads_per_block));
    case simt::Limit::kWarps:
      return refuse(FaultCause::kTooManyWarps,
                    fmt::format("a block of {} warps; an SM holds {}", warps, sm.warps));
    case simt::Limit::kThreads:
      return refuse(
          FaultCause::kTooManyThreads,
          fmt::format("a block of {} threads; an SM holds {}", block.threads, sm.threads));
    case simt::Limit::kRegisters:
      return refuse(FaultCause::kTooManyRegisters,
                    fmt::format("{} registers for each of {} threads; an SM has {} registers",
                                block.registers_per_thread, sm.lanes * warps, sm.registers));
    case simt::Limit::kSharedBytes:
      return refuse(FaultCause::kTooMuchShared,
                    fmt::format("a block needs {} bytes of shared memory; an SM has {}",
                                block.shared_bytes, sm.shared_bytes));
    case simt::Limit::kNone:
    case simt::Limit::kBlocks:
      break;
  }
  return refuse(FaultCause::kBadConfiguration, "no block fits");
}

}  // namespace

Admission refuse(FaultCause cause, std::string message) { return {cause, 0, std::move(message)}; }

Admission admit(const simt::BlockNeeds& block, const simt::SmLimits& sm, uint64_t wanted) {
  // Before all else: a block that asks for that much has most likely a wrong size there.
  if (block.shared_bytes > sm.shared_bytes)
    return refuse_block(block, sm, simt::Limit::kSharedBytes);
  const simt::Occupancy fits = simt::occupancy(block, sm);
  if (fits.blocks == 0) return refuse_block(block, sm, fits.limit);
  if (wanted > fits.blocks)
    return refuse(FaultCause::kTooManyBlocks,
                  fmt::format("{} blocks per SM asked for; {} fit", wanted, fits.blocks));
  return {FaultCause::kNone, wanted != 0 ? static_cast<uint32_t>(wanted) : fits.blocks, ""};
}

}  // namespace gvp::gpgpu
