// SPDX-License-Identifier: Apache-2.0
// Integer operations but multiplication: adder, comparison, shifts, logic (docs/g80.md,
// "Integer").  Halves arrive zero- or sign-extended in whole words; op.result_mask and
// op.sign_bit say how wide the result is.
#include "models/gpgpu/g80/apply.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Lanes;
using simt::Mask;

void add(Machine&, Warp& warp, const Op& op, Mask lanes) {
  apply2(warp, op, lanes, [](uint32_t a, uint32_t b) { return a + b; });
}

void subtract(Machine&, Warp& warp, const Op& op, Mask lanes) {
  apply2(warp, op, lanes, [](uint32_t a, uint32_t b) { return a - b; });
}

void reverse_subtract(Machine&, Warp& warp, const Op& op, Mask lanes) {
  apply2(warp, op, lanes, [](uint32_t a, uint32_t b) { return b - a; });
}

// Every other form of the adder: flags, saturation, carry in, 16 bits.
void add_exactly(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Instruction& instruction = *op.instruction;
  const uint32_t mask = op.result_mask;
  const uint32_t invert_a = instruction.combine == Combine::kReverseSubtract ? mask : 0;
  const uint32_t invert_b = instruction.combine == Combine::kSubtract ? mask : 0;
  AdderOperands operands;
  const Lanes& a = warp.rows[op.a];
  const Lanes& b = warp.rows[op.b];
  for (unsigned i = 0; i < simt::kWarpSize; ++i) {
    operands.x.lane[i] = (a.lane[i] & mask) ^ invert_a;
    operands.y.lane[i] = ((op.immediate_b ? op.immediate : b.lane[i]) & mask) ^ invert_b;
  }
  Mask carry = 0;
  if (invert_a != 0 || invert_b != 0) carry = simt::kAllLanes;
  if (instruction.combine == Combine::kAddCarry) carry = warp.condition[op.condition].carry;
  add_with_flags(warp, op, lanes, operands, carry, instruction.saturate);
}

void sum_absolute_difference(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t bias = op.bias;
  const uint32_t mask = op.result_mask;
  const Lanes& a = warp.rows[op.a];
  const Lanes& b = warp.rows[op.b];
  const Lanes& c = warp.rows[op.c];
  AdderOperands operands;
  for (unsigned i = 0; i < simt::kWarpSize; ++i) {
    const uint32_t x = a.lane[i] ^ bias;
    const uint32_t y = b.lane[i] ^ bias;
    operands.x.lane[i] = (x > y ? x - y : y - x) & mask;
    operands.y.lane[i] = c.lane[i] & mask;
  }
  add_with_flags(warp, op, lanes, operands, 0, false);
}

// Signed operands get their sign bit flipped (op.bias), so one unsigned comparison does both.
template <typename Compare>
void set(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t bias = op.bias;
  apply2(warp, op, lanes,
         [bias](uint32_t a, uint32_t b) { return Compare::holds(a ^ bias, b ^ bias) ? ~0u : 0u; });
}
struct Never {
  static bool holds(uint32_t, uint32_t) { return false; }
};
struct Less {
  static bool holds(uint32_t a, uint32_t b) { return a < b; }
};
struct Equal {
  static bool holds(uint32_t a, uint32_t b) { return a == b; }
};
struct LessEqual {
  static bool holds(uint32_t a, uint32_t b) { return a <= b; }
};
struct Greater {
  static bool holds(uint32_t a, uint32_t b) { return a > b; }
};
struct NotEqual {
  static bool holds(uint32_t a, uint32_t b) { return a != b; }
};
struct GreaterEqual {
  static bool holds(uint32_t a, uint32_t b) { return a >= b; }
};
struct Ordered {
  static bool holds(uint32_t, uint32_t) { return true; }
};

// By the three comparison bits: less 1, equal 2, greater 4.
constexpr Operate kSets[8] = {set<Never>,   set<Less>,     set<Equal>,        set<LessEqual>,
                              set<Greater>, set<NotEqual>, set<GreaterEqual>, set<Ordered>};

void maximum(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t bias = op.bias;
  apply2(warp, op, lanes,
         [bias](uint32_t a, uint32_t b) { return (a ^ bias) < (b ^ bias) ? b : a; });
}

void minimum(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t bias = op.bias;
  apply2(warp, op, lanes,
         [bias](uint32_t a, uint32_t b) { return (a ^ bias) < (b ^ bias) ? a : b; });
}

void logic_and(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t xor_a = op.xor_a, xor_b = op.xor_b;
  apply2(warp, op, lanes,
         [xor_a, xor_b](uint32_t a, uint32_t b) { return (a ^ xor_a) & (b ^ xor_b); });
}

void logic_or(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t xor_a = op.xor_a, xor_b = op.xor_b;
  apply2(warp, op, lanes,
         [xor_a, xor_b](uint32_t a, uint32_t b) { return (a ^ xor_a) | (b ^ xor_b); });
}

void logic_xor(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t xor_both = op.xor_a ^ op.xor_b;
  apply2(warp, op, lanes, [xor_both](uint32_t a, uint32_t b) { return a ^ b ^ xor_both; });
}

void pass_second(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t xor_b = op.xor_b;
  apply2(warp, op, lanes, [xor_b](uint32_t, uint32_t b) { return b ^ xor_b; });
}

// Shift counts do not wrap: from the width on, nothing or only the sign is left.
void shift_left(Machine&, Warp& warp, const Op& op, Mask lanes) {
  if (op.immediate_b) {
    const uint32_t count = op.immediate;
    const uint32_t keep = count < 32 ? ~0u : 0u;
    apply1(warp, op, lanes, [count, keep](uint32_t a) { return (a << (count & 31)) & keep; });
  } else {
    apply2(warp, op, lanes, [](uint32_t a, uint32_t b) { return b < 32 ? a << (b & 31) : 0u; });
  }
}

void shift_right(Machine&, Warp& warp, const Op& op, Mask lanes) {
  if (op.immediate_b) {
    const uint32_t count = op.immediate;
    const uint32_t keep = count < 32 ? ~0u : 0u;
    apply1(warp, op, lanes, [count, keep](uint32_t a) { return (a >> (count & 31)) & keep; });
  } else {
    apply2(warp, op, lanes, [](uint32_t a, uint32_t b) { return b < 32 ? a >> (b & 31) : 0u; });
  }
}

uint32_t shifted_right_signed(uint32_t a, uint32_t count) {
  return static_cast<uint32_t>(static_cast<int32_t>(a) >> (count < 32 ? count : 31));
}

void shift_right_signed(Machine&, Warp& warp, const Op& op, Mask lanes) {
  apply2(warp, op, lanes, shifted_right_signed);
}

void set_shift_flags(Warp& warp, const Op& op, Mask lanes, const Lanes& result, Mask carry,
                     Mask overflow) {
  set_result_flags(warp, op, lanes, result);
  ConditionRegister& flags = warp.condition[op.condition_destination];
  merge(flags.carry, lanes, carry);
  merge(flags.overflow, lanes, overflow);
}

// Shifts that write flags or 16 bits.  Carry: the last bit shifted out, for counts below the
// width.  Overflow: a shift by one has changed the sign.
template <bool kLeft>
void shift_exactly(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t width = op.result_mask == ~0u ? 32 : 16;
  const bool is_signed = op.bias != 0;
  const Lanes& a = warp.rows[op.a];
  const Lanes& b = warp.rows[op.b];
  Lanes result;
  Lanes carry;
  Lanes overflow;
  for (unsigned i = 0; i < simt::kWarpSize; ++i) {
    const uint32_t value = a.lane[i] & op.result_mask;
    const uint32_t count = op.immediate_b ? op.immediate : b.lane[i] & op.result_mask;
    uint32_t shifted = 0;
    uint32_t out = 0;
    if (kLeft) {
      shifted = count < width ? (value << count) & op.result_mask : 0;
      out = count > 0 && count < width ? value >> (width - count) & 1u : 0;
    } else {
      shifted = is_signed ? shifted_right_signed(a.lane[i], count) & op.result_mask
                          : (count < width ? value >> count : 0);
      out = count > 0 && count < width ? value >> (count - 1) & 1u : 0;
    }
    result.lane[i] = shifted;
    carry.lane[i] = out;
    overflow.lane[i] = count == 1 ? (value ^ shifted) & op.sign_bit : 0;
  }
  simt::for_lanes(destination(warp, op), lanes, [&](unsigned i) { return result.lane[i]; });
  if (op.writes_condition)
    set_shift_flags(warp, op, lanes, result, nonzero_lanes(carry), nonzero_lanes(overflow));
}

bool shifts_exactly(const Selection& s) { return s.op.writes_condition || s.op.result_mask != ~0u; }

}  // namespace

void add_with_flags(Warp& warp, const Op& op, Mask lanes, const AdderOperands& operands,
                    Mask carry_in, bool saturate) {
  const uint32_t mask = op.result_mask;
  const uint32_t sign_bit = op.sign_bit;
  const Lanes& x = operands.x;
  const Lanes& y = operands.y;
  Lanes result;
  Lanes carry;
  Lanes overflow;
  for (unsigned i = 0; i < simt::kWarpSize; ++i) {
    const uint32_t sum = (x.lane[i] + y.lane[i] + (carry_in >> i & 1u)) & mask;
    // Carry out of the top bit: both set, or one set and the sum's clear.
    carry.lane[i] = ((x.lane[i] & y.lane[i]) | ((x.lane[i] | y.lane[i]) & ~sum)) & sign_bit;
    overflow.lane[i] = ~(x.lane[i] ^ y.lane[i]) & (x.lane[i] ^ sum) & sign_bit;
    const uint32_t limit = (sum & sign_bit) != 0 ? mask & ~sign_bit : sign_bit;
    result.lane[i] = saturate && overflow.lane[i] != 0 ? limit : sum;
  }
  simt::for_lanes(destination(warp, op), lanes, [&](unsigned i) { return result.lane[i]; });
  if (!op.writes_condition) return;
  set_result_flags(warp, op, lanes, result);
  ConditionRegister& flags = warp.condition[op.condition_destination];
  merge(flags.carry, lanes, nonzero_lanes(carry));
  merge(flags.overflow, lanes, nonzero_lanes(overflow));
}

Execution select_add(const Selection& s) {
  const bool exactly = s.op.writes_condition || s.instruction.saturate || s.op.half_destination ||
                       s.op.result_mask != ~0u;
  if (exactly) return add_exactly;
  switch (s.instruction.combine) {
    case Combine::kAdd:
      return add;
    case Combine::kSubtract:
      return subtract;
    case Combine::kReverseSubtract:
      return reverse_subtract;
    case Combine::kAddCarry:
      break;
  }
  return add_exactly;
}

Execution select_set(const Selection& s) {
  return kSets[static_cast<unsigned>(s.instruction.compare) & 7u];
}

Execution select_shift_left(const Selection& s) {
  return shifts_exactly(s) ? shift_exactly<true> : shift_left;
}

Execution select_shift_right(const Selection& s) {
  if (shifts_exactly(s)) return shift_exactly<false>;
  return s.op.bias != 0 ? shift_right_signed : shift_right;
}

Execution select_sum_absolute_difference(const Selection&) { return sum_absolute_difference; }
Execution select_max(const Selection&) { return maximum; }
Execution select_min(const Selection&) { return minimum; }
Execution select_and(const Selection&) { return logic_and; }
Execution select_or(const Selection&) { return logic_or; }
Execution select_xor(const Selection&) { return logic_xor; }
Execution select_pass_second(const Selection&) { return pass_second; }

}  // namespace gvp::gpgpu::g80
