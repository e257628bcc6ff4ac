// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/warp_trace.h"

#include <fmt/format.h>

#include "models/base/log.h"
#include "models/gpgpu/g80/disassembler.h"

namespace gvp::gpgpu::flexgrip {
namespace {

const Log log_warp("warp");

// The highest lane that has something to show.
unsigned last_lane(simt::Mask mask) { return 31u - static_cast<unsigned>(__builtin_clz(mask)); }

std::string condition_text(const g80::ConditionRegister& c, simt::Mask mask) {
  simt::Lanes flags;
  for (unsigned i = 0; i < simt::kWarpSize; ++i)
    flags[i] = (c.zero >> i & 1u) | (c.sign >> i & 1u) << 1 | (c.carry >> i & 1u) << 2 |
               (c.overflow >> i & 1u) << 3;
  return lanes_text(flags, mask);
}

std::string written_text(const g80::Instruction& instruction, const g80::Step& step,
                         g80::Warp& warp, uint32_t registers) {
  std::string text;
  if (step.executed == 0) return "; nothing executed";
  for (const uint8_t number : g80::registers_written(instruction))
    if (number < registers)
      text +=
          fmt::format("; R{} = {}", number, lanes_text(warp.register_row(number), step.executed));
  if (instruction.destination.kind == g80::Operand::Kind::kAddress &&
      instruction.destination.index >= 1 && instruction.destination.index <= 4)
    text += fmt::format(
        "; A{} = {}", instruction.destination.index,
        lanes_text(warp.rows[g80::kAddressRegisterRow + instruction.destination.index - 1],
                   step.executed));
  const bool to_condition = instruction.destination.kind == g80::Operand::Kind::kCondition;
  if (instruction.writes_condition || to_condition) {
    const unsigned c =
        to_condition ? instruction.destination.index : instruction.condition_destination;
    text += fmt::format("; C{} = {}", c, condition_text(warp.condition[c], step.executed));
  }
  if (step.addresses != nullptr)
    text += fmt::format("; at {}", lanes_text(*step.addresses, step.executed));
  return text;
}

}  // namespace

std::string lanes_text(const simt::Lanes& lanes, simt::Mask mask) {
  if (mask == 0) return "-";
  const uint32_t first = lanes[simt::first_lane(mask)];
  bool uniform = true;
  for (unsigned i = 0; i < simt::kWarpSize; ++i)
    if ((mask >> i & 1u) != 0 && lanes[i] != first) uniform = false;
  if (uniform) return fmt::format("{:#x}", first);
  std::string text = "[";
  for (unsigned i = 0; i <= last_lane(mask); ++i) {
    if (i > 0) text += ' ';
    text += (mask >> i & 1u) != 0 ? fmt::format("{:#x}", lanes[i]) : "-";
  }
  return text + ']';
}

bool WarpTrace::wanted() { return log_warp.enabled(LogLevel::kTrace); }

void WarpTrace::blocks_loaded(unsigned sm, unsigned blocks, const Kernel& kernel) {
  registers_ = kernel.registers_per_thread;
  log_warp.trace("SM {}: {} blocks of {} threads", sm, blocks, kernel.threads());
}

void WarpTrace::before(const WarpPlace&, const g80::Op&, g80::Warp&) {}

void WarpTrace::after(const WarpPlace& place, const g80::Step& step, g80::Warp& warp) {
  const g80::Instruction& instruction = *step.op->instruction;
  if (step.stop == g80::Stop::kFault) {
    log_warp.trace("SM {} block ({}, {}) warp {}: pc {:#06x} {:08x}: {}", place.block.sm,
                   place.block.x, place.block.y, place.warp_of_block, warp.fault.pc,
                   step.active_before, text_of(warp.fault.cause));
    return;
  }
  std::string flow;
  if (step.active_after != step.active_before)
    flow = fmt::format("; mask {:08x}", step.active_after);
  if (step.depth_after != step.depth_before)
    flow += fmt::format("; stack {} deep", step.depth_after);
  log_warp.trace("SM {} block ({}, {}) warp {}: pc {:#06x} {:08x}: {}{}{}", place.block.sm,
                 place.block.x, place.block.y, place.warp_of_block, step.op->pc, step.active_before,
                 g80::to_text(instruction), written_text(instruction, step, warp, registers_),
                 flow);
}

void WarpTrace::barrier_passed(unsigned sm, unsigned block_slot) {
  log_warp.trace("SM {} block slot {}: barrier complete", sm, block_slot);
}

}  // namespace gvp::gpgpu::flexgrip
