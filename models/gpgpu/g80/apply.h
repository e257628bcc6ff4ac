// SPDX-License-Identifier: Apache-2.0
// How operations reach their operands and leave their results: shared by the semantics_*.cpp
// files, which hold one function per operation and nothing else.
#pragma once

#include "models/gpgpu/g80/machine.h"
#include "models/gpgpu/g80/program.h"

namespace gvp::gpgpu::g80 {

// What executes an instruction: a function on lanes or one that controls the warp.  Neither: no
// soft GPGPU has it (graphics).
struct Execution {
  Operate operate = nullptr;
  Control control = nullptr;

  constexpr Execution() = default;
  constexpr Execution(Operate function) : operate(function) {}  // NOLINT: a function is one
  constexpr Execution(Control function) : control(function) {}  // NOLINT
};
struct Selection {
  const Instruction& instruction;
  const Op& op;  // with its operands
  const Machine& machine;
};
using Select = Execution (*)(const Selection&);

// One per operation, as its row of operations.def says.
#define OPERATION(name, syntax, destination, sources, tail, typing, source, third, unit, cost, \
                  traits, function, ...)                                                       \
  Execution function(const Selection& selection);
#include "models/gpgpu/g80/operations.def"
#undef OPERATION
// Brings a memory operand of an instruction into its operand row.
Fetch select_memory_fetch(Operand::Kind space, const Location& location, const Machine& machine);

inline void merge(simt::Mask& plane, simt::Mask lanes, simt::Mask value) {
  plane = (plane & ~lanes) | (value & lanes);
}

// Flags from the result alone: integer results outside the adder have no carry, no overflow.
inline void set_result_flags(Warp& warp, const Op& op, simt::Mask lanes, const simt::Lanes& d) {
  ConditionRegister& flags = warp.condition[op.condition_destination];
  const uint32_t result_mask = op.result_mask;
  const uint32_t sign_bit = op.sign_bit;
  merge(flags.zero, lanes,
        simt::lanes_where([&](unsigned i) { return (d.lane[i] & result_mask) == 0; }));
  merge(flags.sign, lanes,
        simt::lanes_where([&](unsigned i) { return (d.lane[i] & sign_bit) != 0; }));
  flags.carry &= ~lanes;
  flags.overflow &= ~lanes;
}

inline simt::Lanes& destination(Warp& warp, const Op& op) { return warp.rows[op.destination]; }

template <typename Function>
inline void apply1(Warp& warp, const Op& op, simt::Mask lanes, Function f) {
  simt::Lanes& d = destination(warp, op);
  const simt::Lanes& a = warp.rows[op.a];
  simt::for_lanes(d, lanes, [&](unsigned i) { return f(a.lane[i]); });
  if (op.writes_condition) set_result_flags(warp, op, lanes, d);
}

template <typename Function>
inline void apply2(Warp& warp, const Op& op, simt::Mask lanes, Function f) {
  simt::Lanes& d = destination(warp, op);
  const simt::Lanes& a = warp.rows[op.a];
  if (op.immediate_b) {
    const uint32_t b = op.immediate;
    simt::for_lanes(d, lanes, [&](unsigned i) { return f(a.lane[i], b); });
  } else {
    const simt::Lanes& b = warp.rows[op.b];
    simt::for_lanes(d, lanes, [&](unsigned i) { return f(a.lane[i], b.lane[i]); });
  }
  if (op.writes_condition) set_result_flags(warp, op, lanes, d);
}

template <typename Function>
inline void apply3(Warp& warp, const Op& op, simt::Mask lanes, Function f) {
  simt::Lanes& d = destination(warp, op);
  const simt::Lanes& a = warp.rows[op.a];
  const simt::Lanes& c = warp.rows[op.c];
  if (op.immediate_b) {
    const uint32_t b = op.immediate;
    simt::for_lanes(d, lanes, [&](unsigned i) { return f(a.lane[i], b, c.lane[i]); });
  } else {
    const simt::Lanes& b = warp.rows[op.b];
    simt::for_lanes(d, lanes, [&](unsigned i) { return f(a.lane[i], b.lane[i], c.lane[i]); });
  }
  if (op.writes_condition) set_result_flags(warp, op, lanes, d);
}

inline void fault(Warp& warp, const Op& op, FaultCause cause, unsigned lane, uint32_t address) {
  warp.fault = {cause, op.pc, address, static_cast<uint8_t>(lane)};
}

// x + y + carry over Width bits, where x and y have no bits above them; with flags.
struct AdderOperands {
  simt::Lanes x;
  simt::Lanes y;
};
void add_with_flags(Warp& warp, const Op& op, simt::Mask lanes, const AdderOperands& operands,
                    simt::Mask carry_in, bool saturate);

}  // namespace gvp::gpgpu::g80
