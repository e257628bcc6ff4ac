// SPDX-License-Identifier: Apache-2.0
#include "tools/gpgpu-run/breakpoint.h"

#include <fmt/format.h>

#include "models/gpgpu/flexgrip/warp_trace.h"
#include "models/gpgpu/g80/disassembler.h"

namespace gvp::tools {
namespace {

using gpgpu::flexgrip::lanes_text;
using Flow = gpgpu::simt::ControlFlow;

const char* name_of(Flow::Type type) {
  switch (type) {
    case Flow::Type::kSync:
      return "sync";
    case Flow::Type::kDiverge:
      return "diverge";
    case Flow::Type::kCall:
      return "call";
    case Flow::Type::kBreak:
      return "break";
  }
  return "?";
}

std::string stack_text(const Flow& flow) {
  std::string text;
  for (unsigned i = flow.depth(); i-- > 0;)
    text += fmt::format("  stack {}: {} mask {:08x} pc {:#06x}\n", i, name_of(flow.entry(i).type),
                        flow.entry(i).mask, flow.entry(i).pc);
  return text;
}

}  // namespace

void Breakpoint::blocks_loaded(unsigned, unsigned, const gpgpu::flexgrip::Kernel& kernel) {
  registers_ = kernel.registers_per_thread;
}

void Breakpoint::before(const gpgpu::WarpPlace& place, const gpgpu::g80::Op& op,
                        gpgpu::g80::Warp& warp) {
  if (hit() || op.pc != pc_) return;
  const gpgpu::simt::Mask active = warp.flow.active;
  state_ = fmt::format("break at pc {:#06x}: {}\n  SM {}, block ({}, {}), warp {} of the block\n",
                       op.pc, gpgpu::g80::to_text(*op.instruction), place.block.sm, place.block.x,
                       place.block.y, place.warp_of_block);
  state_ += fmt::format("  active {:08x}, live {:08x}\n", active, warp.flow.live());
  state_ += stack_text(warp.flow);
  for (unsigned number = 0; number < registers_; ++number)
    state_ += fmt::format("  R{} = {}\n", number, lanes_text(warp.register_row(number), active));
  for (unsigned number = 0; number < 4; ++number)
    state_ += fmt::format("  A{} = {}\n", number + 1,
                          lanes_text(warp.rows[gpgpu::g80::kAddressRegisterRow + number], active));
  for (unsigned number = 0; number < 4; ++number) {
    const gpgpu::g80::ConditionRegister& c = warp.condition[number];
    state_ += fmt::format("  C{}: zero {:08x}, sign {:08x}, carry {:08x}, overflow {:08x}\n",
                          number, c.zero, c.sign, c.carry, c.overflow);
  }
  stop_();
}

}  // namespace gvp::tools
