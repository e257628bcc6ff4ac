// SPDX-License-Identifier: Apache-2.0
// Conversions and the special function unit (docs/g80.md, "Conversions").  Order of a
// conversion: absolute, negate, convert or round, saturate.  Integer destinations clamp, they
// never wrap.
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/gpgpu/g80/apply.h"
#include "models/gpgpu/g80/floating_point.h"
#include "models/gpgpu/g80/special_functions.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Lanes;
using simt::Mask;

bool is_float_type(Type type) { return type == Type::kF32 || type == Type::kF16; }

struct Range {
  int64_t low;
  int64_t high;
};
Range range_of(Type type) {
  switch (type) {
    case Type::kU8:
      return {0, 0xff};
    case Type::kS8:
      return {-0x80, 0x7f};
    case Type::kU16:
    case Type::kB16:
      return {0, 0xffff};
    case Type::kS16:
      return {-0x8000, 0x7fff};
    case Type::kS32:
      return {-0x80000000ll, 0x7fffffff};
    default:
      return {0, 0xffffffffll};
  }
}

int64_t integer_of(uint32_t bits, Type type) {
  switch (type) {
    case Type::kU8:
      return bits & 0xffu;
    case Type::kS8:
      return static_cast<int8_t>(bits);
    case Type::kU16:
    case Type::kB16:
      return bits & 0xffffu;
    case Type::kS16:
      return static_cast<int16_t>(bits);
    case Type::kS32:
      return static_cast<int32_t>(bits);
    default:
      return bits;
  }
}

uint32_t clamped(int64_t value, Range range) {
  return static_cast<uint32_t>(std::clamp(value, range.low, range.high));
}

// One conversion with everything that does not change from lane to lane.
struct Conversion {
  Type to;
  Type from;
  Rounding rounding;
  bool negate;
  bool absolute;
  bool saturate;
  bool round_to_integer;
  bool flush;
  Range range;  // of an integer destination

  int64_t integer_source(uint32_t bits) const {
    int64_t value = integer_of(bits, from);
    if (absolute && value < 0) value = -value;
    return negate ? -value : value;
  }
  float float_source(uint32_t bits) const {
    uint32_t value = from == Type::kF16 ? to_bits(from_half(static_cast<uint16_t>(bits))) : bits;
    if (flush && from == Type::kF32) value = flushed(value);
    if (absolute) value &= ~kSignBit;
    return to_float(negate ? value ^ kSignBit : value);
  }
  uint32_t float_result(uint32_t bits) const {
    uint32_t value = with_canonical_nan(flush && to == Type::kF32 ? flushed(bits) : bits);
    if (saturate) value = saturated(value);
    return to == Type::kF16 ? to_half(to_float(value), rounding) : value;
  }
};

uint32_t integer_to_integer(const Conversion& c, uint32_t bits) {
  return clamped(c.integer_source(bits), c.range);
}

uint32_t integer_to_float(const Conversion& c, uint32_t bits) {
  return c.float_result(round_to_float(static_cast<double>(c.integer_source(bits)), c.rounding));
}

uint32_t float_to_integer(const Conversion& c, uint32_t bits) {
  const float value = c.float_source(bits);
  if (std::isnan(value)) return 0;
  const double whole = round_to_integer(static_cast<double>(value), c.rounding);
  if (whole <= static_cast<double>(c.range.low)) return clamped(c.range.low, c.range);
  if (whole >= static_cast<double>(c.range.high)) return clamped(c.range.high, c.range);
  return clamped(static_cast<int64_t>(whole), c.range);
}

uint32_t float_to_float(const Conversion& c, uint32_t bits) {
  const float value = c.float_source(bits);
  if (!c.round_to_integer || std::isnan(value)) return c.float_result(to_bits(value));
  const double whole = round_to_integer(static_cast<double>(value), c.rounding);
  const uint32_t sign = to_bits(value) & kSignBit;  // -0.25 becomes -0
  return c.float_result((to_bits(static_cast<float>(whole)) & ~kSignBit) | sign);
}

void set_flags(Warp& warp, const Op& op, Mask lanes, const Lanes& d, Type to) {
  set_result_flags(warp, op, lanes, d);
  if (to != Type::kF32) return;
  const Mask nan = simt::lanes_where([&](unsigned i) { return is_nan(d.lane[i]); });
  const Mask zero = simt::lanes_where([&](unsigned i) { return (d.lane[i] & ~kSignBit) == 0; });
  ConditionRegister& flags = warp.condition[op.condition_destination];
  merge(flags.zero, lanes, zero | nan);
  merge(flags.sign, lanes, (flags.sign & ~zero) | nan);
}

template <uint32_t (*kConvert)(const Conversion&, uint32_t)>
void convert(Machine& machine, Warp& warp, const Op& op, Mask lanes) {
  const Instruction& instruction = *op.instruction;
  const Operand& source = instruction.sources[0];
  const Conversion conversion{instruction.type,
                              source.type,
                              instruction.rounding,
                              source.negate,
                              source.absolute,
                              instruction.saturate,
                              instruction.round_to_integer,
                              machine.flush_denormals,
                              range_of(instruction.type)};
  const Lanes& a = warp.rows[op.a];
  Lanes& d = destination(warp, op);
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    d.lane[i] = kConvert(conversion, a.lane[i] >> op.shift_a);
  }
  if (op.writes_condition) set_flags(warp, op, lanes, d, instruction.type);
}

// The conversion at the head of every kernel: thread indices out of the halves of $r0.
void widen16(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t shift = op.shift_a;
  apply1(warp, op, lanes, [shift](uint32_t a) { return a >> shift & 0xffffu; });
}

bool widens16(const Instruction& instruction) {
  const Operand& source = instruction.sources[0];
  const bool wide = instruction.type == Type::kU32 || instruction.type == Type::kS32;
  return wide && source.type == Type::kU16 && !source.negate && !source.absolute &&
         !instruction.saturate;
}

template <uint32_t (*kFunction)(uint32_t)>
void special(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Lanes& a = warp.rows[op.a];
  Lanes& d = destination(warp, op);
  for (Mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = simt::first_lane(rest);
    const uint32_t result = kFunction((a.lane[i] & op.and_a) ^ op.xor_a);
    d.lane[i] = op.instruction->saturate ? saturated(result) : result;
  }
  if (op.writes_condition) set_flags(warp, op, lanes, d, Type::kF32);
}

}  // namespace

Execution select_convert(const Selection& s) {
  const bool to_float = is_float_type(s.instruction.type);
  const bool from_float = is_float_type(s.instruction.sources[0].type);
  if (widens16(s.instruction)) return widen16;
  if (to_float) return from_float ? convert<float_to_float> : convert<integer_to_float>;
  return from_float ? convert<float_to_integer> : convert<integer_to_integer>;
}

Execution select_reciprocal(const Selection&) { return special<reciprocal>; }
Execution select_reciprocal_sqrt(const Selection&) { return special<reciprocal_sqrt>; }
Execution select_log2(const Selection&) { return special<log2>; }
Execution select_sine(const Selection&) { return special<sine>; }
Execution select_cosine(const Selection&) { return special<cosine>; }
Execution select_exp2(const Selection&) { return special<exp2>; }
Execution select_pre_sine(const Selection&) { return special<reduce_for_sine>; }
Execution select_pre_exp2(const Selection&) { return special<reduce_for_exp2>; }

}  // namespace gvp::gpgpu::g80
