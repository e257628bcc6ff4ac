// SPDX-License-Identifier: Apache-2.0
// What the device tells its users: where and why a kernel stopped, progress, statistics.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/base/log.h"
#include "models/gpgpu/flexgrip/device.h"
#include "models/gpgpu/flexgrip/device_statistics.h"
#include "models/gpgpu/g80/decoder.h"
#include "models/gpgpu/g80/disassembler.h"

namespace gvp::gpgpu::flexgrip {
namespace {

const Log log_gpgpu("gpgpu");

}  // namespace

// "pc 0x0010 (GLD.U32 R3, global14[R2]), k.cu:12, SM 0, block (1, 0), ..."
std::string FlexGrip::describe_place(const Ending& ending) const {
  const g80::Op& op = *program_->at(ending.fault.pc);
  const bool executable = op.pc == ending.fault.pc && op.fault == FaultCause::kNone;
  const std::string source = lines_ == nullptr ? "" : lines_->place(ending.fault.pc);
  return fmt::format(
      "pc {:#06x}{}{}{}, SM {}, block ({}, {}), warp {} of the block, thread {} of the warp",
      ending.fault.pc, executable ? " (" + g80::to_text(*op.instruction) + ')' : "",
      source.empty() ? "" : ", ", source, ending.sm, ending.block.x, ending.block.y,
      ending.warp_slot % kernel_.warps_per_block(), ending.fault.lane);
}

// Why the words at a faulting address are no instruction.
std::string FlexGrip::explain_illegal(uint32_t pc) {
  if (off_chip_ && off_chip_->changed()) {
    const ChangedCode& changed = *off_chip_->changed();
    return fmt::format(
        "memory has {:#010x} at {:#x}, where the kernel's code had {:#010x} when it began; keep "
        "others away from {}.off_chip_base",
        changed.found, changed.address, changed.loaded, basename());
  }
  const auto* words = reinterpret_cast<const uint32_t*>(code_.storage().data());
  const size_t count = configuration_.code_bytes / sizeof(uint32_t);
  const g80::Decoded decoded = g80::decode(words + pc / 4, count - pc / 4);
  if (!decoded.executable()) return decoded.reason;
  return g80::to_text(decoded.instruction) + " is for devices with gpgpu.device_extensions";
}

// What a user needs to find the fault.
void FlexGrip::report(const Ending& ending) {
  std::string text =
      fmt::format("{}: kernel {} ({}) {}", place(), records_.launches(), records_.last().name,
                  gpgpu::describe(ending, {[this] { return admission_.message; },
                                           [&] { return describe_place(ending); },
                                           [&] { return explain_illegal(ending.fault.pc); }}));
  if (ending.cause == FaultCause::kNullPage)
    text += fmt::format("; {}.null_page=false makes the first {} bytes memory", basename(),
                        kNullPageBytes);
  if (ending.cause == FaultCause::kAborted)
    log_gpgpu.warning("{}", text);
  else
    log_gpgpu.error("{}", text);
}

Progress FlexGrip::progress() const {
  Progress progress;
  progress.running = cycle_.running();
  progress.kernels_started = records_.launches();
  if (progress.kernels_started == 0) return progress;
  progress.blocks_done = engine_->counters(sc_core::sc_time_stamp()).blocks_done;
  progress.blocks_total = uint64_t{kernel_.grid_x} * kernel_.grid_y;
  return progress;
}

nlohmann::ordered_json FlexGrip::statistics() const {
  return device_statistics(configuration_, records_, bus_.transactions());
}

}  // namespace gvp::gpgpu::flexgrip
