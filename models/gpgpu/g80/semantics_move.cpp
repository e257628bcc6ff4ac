// SPDX-License-Identifier: Apache-2.0
// Data movement between registers: words, halves, address, condition and special registers
// (docs/g80.md, "Data movement").
#include "models/gpgpu/g80/apply.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Lanes;
using simt::Mask;

constexpr uint32_t kAddressMask = 0xffff;  // address registers have 16 bits

void move(Machine&, Warp& warp, const Op& op, Mask lanes) {
  apply1(warp, op, lanes, [](uint32_t a) { return a; });
}

void move_immediate(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t value = op.immediate;
  apply1(warp, op, lanes, [value](uint32_t) { return value; });
}

// MOV writes the lanes of each quad that the instruction's lane mask names.
void move_some_lanes(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  move(machine, warp, op, lanes & (0x11111111u * op.instruction->lane_mask));
}

void nothing(Machine&, Warp&, const Op&, Mask) {}

void shift_to_address(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t count = op.immediate;
  apply1(warp, op, lanes,
         [count](uint32_t a) { return count < 32 ? (a << count) & kAddressMask : 0u; });
}

void add_address(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t offset = op.immediate;
  apply1(warp, op, lanes, [offset](uint32_t a) { return (a + offset) & kAddressMask; });
}

void move_from_condition(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const ConditionRegister flags = warp.condition[op.condition];
  simt::for_lanes(destination(warp, op), lanes, [&](unsigned i) {
    return (flags.zero >> i & 1u) | (flags.sign >> i & 1u) << 1 | (flags.carry >> i & 1u) << 2 |
           (flags.overflow >> i & 1u) << 3;
  });
}

void move_to_condition(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Lanes& a = warp.rows[op.a];
  ConditionRegister& flags = warp.condition[op.condition_destination];
  const auto plane = [&](unsigned bit) {
    return simt::lanes_where([&](unsigned i) { return (a.lane[i] >> bit & 1u) != 0; });
  };
  merge(flags.zero, lanes, plane(0));
  merge(flags.sign, lanes, plane(1));
  merge(flags.carry, lanes, plane(2));
  merge(flags.overflow, lanes, plane(3));
}

void move_physical_id(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t warp_id = warp.physical_id;
  simt::for_lanes(destination(warp, op), lanes, [&](unsigned i) { return warp_id | i; });
}

void move_clock(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t clock = static_cast<uint32_t>(machine.clock);
  simt::for_lanes(destination(warp, op), lanes, [&](unsigned) { return clock; });
}

// The performance counters of the hardware are not modelled and read zero.
void move_zero(Machine&, Warp& warp, const Op& op, Mask lanes) {
  simt::for_lanes(destination(warp, op), lanes, [](unsigned) { return 0u; });
}

}  // namespace

Execution select_move(const Selection& s) {
  if (s.instruction.lane_mask != 0xf) return move_some_lanes;
  return s.op.immediate_b ? move_immediate : move;
}

Execution select_move_from_special(const Selection& s) {
  switch (static_cast<SpecialRegister>(s.instruction.sources[0].index)) {
    case SpecialRegister::kPhysicalId:
      return move_physical_id;
    case SpecialRegister::kClock:
      return move_clock;
    default:
      return move_zero;
  }
}

Execution select_load_constant(const Selection&) { return move; }  // from the operand row
Execution select_shift_to_address(const Selection&) { return shift_to_address; }
Execution select_add_address(const Selection&) { return add_address; }
Execution select_move_from_address(const Selection&) { return move; }
Execution select_move_from_condition(const Selection&) { return move_from_condition; }
Execution select_move_to_condition(const Selection&) { return move_to_condition; }
Execution select_nop(const Selection&) { return nothing; }

}  // namespace gvp::gpgpu::g80
