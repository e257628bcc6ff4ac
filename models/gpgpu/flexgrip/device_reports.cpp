// SPDX-License-Identifier: Apache-2.0
// What the device tells its users: where and why a kernel stopped, progress, statistics.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/base/log.h"
#include "models/gpgpu/flexgrip/device.h"
#include "models/gpgpu/flexgrip/estimates.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"

namespace gvp::gpgpu::flexgrip {
namespace {

const Log log_gpgpu("gpgpu");

nlohmann::ordered_json estimates_json(const Estimates& e) {
  return {{"dynamic_w", e.dynamic_watts},
          {"static_w", e.static_watts},
          {"luts", e.area.luts},
          {"flip_flops", e.area.flip_flops},
          {"block_rams", e.area.block_rams},
          {"dsps", e.area.dsps},
          {"extrapolated", e.extrapolated},
          {"rules", e.notes},
          {"exceeds_fpga", e.exceeded}};
}

}  // namespace

// "pc 0x0010 (GLD.U32 R3, global14[R2]), SM 0, block (1, 0), ..."
std::string FlexGrip::describe_place(const Ending& ending) const {
  const g80::Op& op = *program_->at(ending.fault.pc);
  const bool executable = op.pc == ending.fault.pc && op.fault == g80::FaultCause::kNone;
  return fmt::format(
      "pc {:#06x}{}, SM {}, block ({}, {}), warp {} of the block, thread {} of the warp",
      ending.fault.pc, executable ? " (" + g80::to_text(*op.instruction) + ')' : "", ending.sm,
      ending.block.x, ending.block.y, ending.warp_slot % kernel_.warps_per_block(),
      ending.fault.lane);
}

// Why the words at a faulting address are no instruction.
std::string FlexGrip::explain_illegal(uint32_t pc) {
  const auto* words = reinterpret_cast<const uint32_t*>(code_.storage().data());
  const size_t count = configuration_.code_bytes / sizeof(uint32_t);
  const g80::Decoded decoded = g80::decode(words + pc / 4, count - pc / 4);
  return decoded.reason;
}

// What a user needs to find the fault.
void FlexGrip::report(const Ending& ending) {
  const std::string kernel =
      fmt::format("{}: kernel {} ({})", place(), records_.launches(), records_.last().name);
  switch (ending.cause) {
    case FLEXGRIP_CAUSE_ABORTED:
      log_gpgpu.warning("{} stopped on request", kernel);
      break;
    case FLEXGRIP_CAUSE_BARRIER_DEADLOCK:
      log_gpgpu.error("{} stopped: barrier deadlock, all warps left wait; one of them at {}",
                      kernel, describe_place(ending));
      break;
    case FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION:
      log_gpgpu.error("{} stopped: illegal instruction: {}; {}", kernel,
                      explain_illegal(ending.fault.pc), describe_place(ending));
      break;
    default:
      if (ending.cause < FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION)
        log_gpgpu.error("{} refused: {}", kernel, admission_.message);
      else
        log_gpgpu.error("{} stopped: {}, address {:#010x}; {}", kernel,
                        flexgrip_cause_text(ending.cause), ending.fault.address,
                        describe_place(ending));
  }
}

Progress FlexGrip::progress() const {
  Progress progress;
  progress.running = running_;
  progress.kernels_started = records_.launches();
  if (progress.kernels_started == 0) return progress;
  progress.blocks_done = engine_->counters(sc_core::sc_time_stamp()).blocks_done;
  progress.blocks_total = uint64_t{kernel_.grid_x} * kernel_.grid_y;
  return progress;
}

nlohmann::ordered_json FlexGrip::statistics() const {
  const Estimates estimates = estimate(configuration_);
  return {{"kernels", records_.records(estimates, configuration_)},
          {"further_kernels", records_.sums(estimates, configuration_)},
          {"bus_transactions", bus_.transactions()},
          {"estimates", estimates_json(estimates)}};
}

}  // namespace gvp::gpgpu::flexgrip
