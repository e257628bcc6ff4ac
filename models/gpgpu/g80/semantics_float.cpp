// SPDX-License-Identifier: Apache-2.0
// Single-precision arithmetic, comparison and selection (docs/g80.md, "Floating point").
#include "models/gpgpu/g80/apply.h"
#include "models/gpgpu/g80/floating_point.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Lanes;
using simt::Mask;

// Zero: zero or NaN.  Sign: negative or NaN, so that both together say "unordered".
void set_float_flags(Warp& warp, const Op& op, Mask lanes, const Lanes& d) {
  const Mask nan = simt::lanes_where([&](unsigned i) { return is_nan(d.lane[i]); });
  const Mask zero = simt::lanes_where([&](unsigned i) { return (d.lane[i] & ~kSignBit) == 0; });
  const Mask sign = simt::lanes_where([&](unsigned i) { return (d.lane[i] & kSignBit) != 0; });
  ConditionRegister& flags = warp.condition[op.condition_destination];
  merge(flags.zero, lanes, zero | nan);
  merge(flags.sign, lanes, (sign & ~zero) | nan);
  flags.carry &= ~lanes;
  flags.overflow &= ~lanes;
}

// Operands with their modifiers (absolute, then negate) and denormals.
template <bool kFlush>
struct Operands {
  const Lanes& a;
  const Lanes& b;
  const Lanes& c;
  uint32_t and_a, xor_a, and_b, xor_b, xor_c;

  Operands(const Warp& warp, const Op& op)
      : a(warp.rows[op.a]),
        b(warp.rows[op.b]),
        c(warp.rows[op.c]),
        and_a(op.and_a),
        xor_a(op.xor_a),
        and_b(op.and_b),
        xor_b(op.xor_b),
        xor_c(op.xor_c) {}
  static uint32_t operand(uint32_t bits) { return kFlush ? flushed(bits) : bits; }
  uint32_t bits_a(unsigned i) const { return operand((a.lane[i] & and_a) ^ xor_a); }
  uint32_t bits_b(unsigned i) const { return operand((b.lane[i] & and_b) ^ xor_b); }
  uint32_t bits_c(unsigned i) const { return operand(c.lane[i] ^ xor_c); }
  float float_a(unsigned i) const { return to_float(bits_a(i)); }
  float float_b(unsigned i) const { return to_float(bits_b(i)); }
  float float_c(unsigned i) const { return to_float(bits_c(i)); }
};

template <bool kFlush>
uint32_t result(uint32_t bits) {
  return with_canonical_nan(kFlush ? flushed(bits) : bits);
}

// The lanes of f, saturated where the instruction says so, with flags.
template <typename Function>
void leave(Warp& warp, const Op& op, Mask lanes, Function f) {
  Lanes& d = destination(warp, op);
  if (op.instruction->saturate) {
    simt::for_lanes(d, lanes, [&](unsigned i) { return saturated(f(i)); });
  } else {
    simt::for_lanes(d, lanes, f);
  }
  if (op.writes_condition) set_float_flags(warp, op, lanes, d);
}

template <bool kFlush>
void add(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  leave(warp, op, lanes,
        [&](unsigned i) { return result<kFlush>(to_bits(x.float_a(i) + x.float_b(i))); });
}

template <bool kFlush>
void add_towards_zero(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  const Rounding rounding = op.instruction->rounding;
  leave(warp, op, lanes, [&](unsigned i) {
    return result<kFlush>(add_rounded(x.float_a(i), x.float_b(i), rounding));
  });
}

template <bool kFlush>
void multiply(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  leave(warp, op, lanes,
        [&](unsigned i) { return result<kFlush>(to_bits(x.float_a(i) * x.float_b(i))); });
}

template <bool kFlush>
void multiply_towards_zero(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  const Rounding rounding = op.instruction->rounding;
  leave(warp, op, lanes, [&](unsigned i) {
    // The product of two floats fits a double.
    const double product = static_cast<double>(x.float_a(i)) * static_cast<double>(x.float_b(i));
    return result<kFlush>(round_to_float(product, rounding));
  });
}

// Multiply, round, add, round: not fused.
template <bool kFlush>
void multiply_add(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  leave(warp, op, lanes, [&](unsigned i) {
    const uint32_t product = to_bits(x.float_a(i) * x.float_b(i));
    const float rounded = to_float(kFlush ? flushed(product) : product);
    return result<kFlush>(to_bits(rounded + x.float_c(i)));
  });
}

// PTX ISA, mad.f32 for sm_1x: the product is computed at double precision, its mantissa cut to 23
// bits, its exponent kept; with an addend of zero it is a separate mul and add.
uint32_t truncated_multiply_add(float a, float b, float c) {
  if (c == 0.0f) return to_bits(to_float(flushed(to_bits(a * b))) + c);
  constexpr uint64_t kBelowFloat = (uint64_t{1} << 29) - 1;
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double cut = to_double(to_bits(product) & ~kBelowFloat);
  const double magnitude = cut < 0 ? -cut : cut;
  const bool fits_float = magnitude < 0x1p128 && magnitude >= 0x1p-126;
  if (fits_float) return to_bits(static_cast<float>(cut) + c);
  return to_bits(static_cast<float>(cut + static_cast<double>(c)));
}

template <bool kFlush>
void multiply_add_truncated(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  leave(warp, op, lanes, [&](unsigned i) {
    return result<kFlush>(truncated_multiply_add(x.float_a(i), x.float_b(i), x.float_c(i)));
  });
}

// One number and one NaN: the number.
template <bool kFlush, bool kMaximum>
void extreme(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  leave(warp, op, lanes, [&](unsigned i) {
    const uint32_t a = x.bits_a(i), b = x.bits_b(i);
    if (is_nan(a)) return with_canonical_nan(b);
    if (is_nan(b)) return a;
    const bool a_is_less = to_float(a) < to_float(b);
    return a_is_less == kMaximum ? b : a;
  });
}

// Comparison codes: less 1, equal 2, greater 4, unordered 8.
template <bool kFlush>
void set(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  const uint32_t code = static_cast<uint32_t>(op.instruction->compare);
  Lanes& d = destination(warp, op);
  simt::for_lanes(d, lanes, [&](unsigned i) {
    const float a = x.float_a(i), b = x.float_b(i);
    const uint32_t relation = a < b ? 1u : (a == b ? 2u : (a > b ? 4u : 8u));
    return (code & relation) != 0 ? ~0u : 0u;
  });
  if (op.writes_condition) set_result_flags(warp, op, lanes, d);
}

// d = c >= 0 ? a : b; a NaN selects b.
template <bool kFlush>
void select(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Operands<kFlush> x(warp, op);
  Lanes& d = destination(warp, op);
  simt::for_lanes(d, lanes,
                  [&](unsigned i) { return x.float_c(i) >= 0.0f ? x.a.lane[i] : x.b.lane[i]; });
  if (op.writes_condition) set_float_flags(warp, op, lanes, d);
}

// Each function is there twice: for a machine that takes denormals as zero, and for one that does
// not.
Execution by_denormals(const Selection& s, Operate flushing, Operate keeping) {
  return s.machine.flush_denormals ? flushing : keeping;
}

bool to_nearest(const Selection& s) { return s.instruction.rounding == Rounding::kNearest; }

}  // namespace

Execution select_float_add(const Selection& s) {
  return to_nearest(s) ? by_denormals(s, add<true>, add<false>)
                       : by_denormals(s, add_towards_zero<true>, add_towards_zero<false>);
}

Execution select_float_multiply(const Selection& s) {
  return to_nearest(s) ? by_denormals(s, multiply<true>, multiply<false>)
                       : by_denormals(s, multiply_towards_zero<true>, multiply_towards_zero<false>);
}

Execution select_float_multiply_add(const Selection& s) {
  return s.machine.truncate_products
             ? by_denormals(s, multiply_add_truncated<true>, multiply_add_truncated<false>)
             : by_denormals(s, multiply_add<true>, multiply_add<false>);
}

Execution select_float_max(const Selection& s) {
  return by_denormals(s, extreme<true, true>, extreme<false, true>);
}

Execution select_float_min(const Selection& s) {
  return by_denormals(s, extreme<true, false>, extreme<false, false>);
}

Execution select_float_set(const Selection& s) { return by_denormals(s, set<true>, set<false>); }

Execution select_float_select(const Selection& s) {
  return by_denormals(s, select<true>, select<false>);
}

}  // namespace gvp::gpgpu::g80
