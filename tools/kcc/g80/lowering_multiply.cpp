// SPDX-License-Identifier: Apache-2.0
// Products.  The multiplier takes 16-bit halves or 24-bit numbers and gives 32 bits, so a full
// product is put together from halves (g80.md, "Integer") unless the factors are known to be
// small or one is a convenient constant.
#include <algorithm>

#include "tools/kcc/g80/lowering.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Type;

bool is_power_of_two(uint32_t value) { return value != 0 && (value & (value - 1)) == 0; }
uint32_t log2_of(uint32_t power) { return static_cast<uint32_t>(__builtin_ctz(power)); }

// The narrowest way both factors fit the multiplier; kNone: they do not.
Type common_type(const ptx::Range& a, const ptx::Range& b) {
  const auto both = [&](int64_t low, int64_t high) {
    return a.within(low, high) && b.within(low, high);
  };
  if (both(0, 65535)) return Type::kU16;
  if (both(-32768, 32767)) return Type::kS16;
  if (both(0, (1 << 24) - 1)) return Type::kU24;
  if (both(-(1 << 23), (1 << 23) - 1)) return Type::kS24;
  return Type::kNone;
}

}  // namespace

void Lowering::product(const ptx::Instruction& in, uint32_t d) {
  const bool adds = in.opcode == ptx::Opcode::kMad || in.opcode == ptx::Opcode::kMad24;
  std::optional<Operand> addend;
  if (adds) addend = source(in.operands[3]);
  if (addend && addend->is_immediate() && addend->value == 0) addend.reset();
  if (in.opcode == ptx::Opcode::kMul24 || in.opcode == ptx::Opcode::kMad24) {
    return product_24(in, d, addend);
  }
  if (ptx::bytes(in.type) == 2) return product_16(in, d, addend);
  const Factor a{source(in.operands[1]), values_.range(in.operands[1])};
  const Factor b{source(in.operands[2]), values_.range(in.operands[2])};
  if (in.half == ptx::Half::kHigh) {
    const uint32_t high = addend ? temporary() : d;
    product_high(high, a, b, ptx::is_signed(in.type));
    if (addend) add(d, reg(high), *addend);
    return;
  }
  if (in.half != ptx::Half::kLow) unsupported("a 64-bit product", "use 32-bit types");
  product_low(d, a, b, addend);
}

void Lowering::product_16(const ptx::Instruction& in, uint32_t d,
                          const std::optional<Operand>& addend) {
  const Type type = ptx::is_signed(in.type) ? Type::kS16 : Type::kU16;
  const Operand a = source(in.operands[1]);
  const Operand b = source(in.operands[2]);
  if (in.half != ptx::Half::kHigh) return multiply(d, a, type, b, type, addend);
  const uint32_t whole = temporary();
  multiply(whole, a, type, b, type, std::nullopt);
  const uint32_t high = shifted(Op::kShiftRight, Type::kU32, reg(whole), 16);
  add(d, reg(high), addend.value_or(immediate(0)));
}

void Lowering::product_24(const ptx::Instruction& in, uint32_t d,
                          const std::optional<Operand>& addend) {
  const Type type = ptx::is_signed(in.type) ? Type::kS24 : Type::kU24;
  multiply(d, source(in.operands[1]), type, source(in.operands[2]), type, addend);
  Instruction& last = kernel_.blocks[block_].code.back();
  if (in.half != ptx::Half::kHigh || last.operation == Op::kMove) return;
  last.high = true;
  last.saturate = in.saturate && last.operation == Op::kMultiplyAdd;  // a product fits by itself
}

// One instruction of the multiplier: d = a * b (+ addend).
void Lowering::multiply(uint32_t d, Operand a, Type type_a, Operand b, Type type_b,
                        const std::optional<Operand>& addend) {
  if (a.is_immediate()) {
    std::swap(a, b);
    std::swap(type_a, type_b);
  }
  // The zero register has no halves.
  const bool narrow = type_a == Type::kU16 || type_a == Type::kS16;
  if (b.is_immediate() && (b.value & (narrow ? 0xffff : 0xffffff)) == 0) {
    return move(d, addend.value_or(immediate(0)));
  }
  a = in_register(a);
  if (narrow) {
    if (!a.half) a = low_half(a);
    if (!b.half) b = low_half(b);
  }
  a.type = type_a;
  b.type = type_b;
  if (addend) {
    emit(Op::kMultiplyAdd, Type::kB32, d, {a, b, *addend});
  } else {
    emit(Op::kMultiply, Type::kB32, d, {a, b});
  }
}

void Lowering::product_low(uint32_t d, Factor a, Factor b, const std::optional<Operand>& addend) {
  if (a.operand.is_immediate()) std::swap(a, b);
  if (b.operand.is_immediate()) {
    const auto factor = static_cast<uint32_t>(b.operand.value);
    if (a.operand.is_immediate()) {
      return add(d, immediate(static_cast<uint32_t>(a.operand.value) * factor),
                 addend.value_or(immediate(0)));
    }
    if (product_constant(d, a, factor, addend)) return;
  }
  if (product_single(d, a, b, addend)) return;
  // A factor that fits 16 bits has no upper half to multiply.
  if (b.range.within(0, 65535)) std::swap(a, b);
  a.operand = in_register(a.operand);
  const bool small = a.range.within(0, 65535);
  const Operand& x = a.operand;
  const Operand& y = b.operand;
  uint32_t cross = temporary();
  if (y.is_immediate() && static_cast<uint32_t>(y.value) <= 0xffff) {
    multiply(cross, high_half(x), Type::kU16, y, Type::kU16, std::nullopt);
  } else {
    multiply(cross, low_half(x), Type::kU16, high_half(y), Type::kU16, std::nullopt);
    if (!small) {
      const uint32_t both = temporary();
      multiply(both, high_half(x), Type::kU16, low_half(y), Type::kU16, reg(cross));
      cross = both;
    }
  }
  const uint32_t upper = shifted(Op::kShiftLeft, Type::kB32, reg(cross), 16);
  const uint32_t low = addend ? temporary() : d;
  multiply(low, low_half(x), Type::kU16, low_half(y), Type::kU16, reg(upper));
  if (addend) add(d, reg(low), *addend);
}

// One multiplication suffices.
bool Lowering::product_single(uint32_t d, const Factor& a, const Factor& b,
                              const std::optional<Operand>& addend) {
  const Type type = common_type(a.range, b.range);
  if (type != Type::kNone) {
    multiply(d, a.operand, type, b.operand, type, addend);
    return true;
  }
  // IMUL, but not IMAD, takes signs factor by factor.
  const auto sign = [](const ptx::Range& range) {
    if (range.within(0, 65535)) return Type::kU16;
    return range.within(-32768, 32767) ? Type::kS16 : Type::kNone;
  };
  const Type type_a = sign(a.range);
  const Type type_b = sign(b.range);
  if (type_a == Type::kNone || type_b == Type::kNone) return false;
  const uint32_t product = addend ? temporary() : d;
  multiply(product, a.operand, type_a, b.operand, type_b, std::nullopt);
  if (addend) add(d, reg(product), *addend);
  return true;
}

// Shifts and sums that beat the general sequence.
bool Lowering::product_constant(uint32_t d, const Factor& a, uint32_t factor,
                                const std::optional<Operand>& addend) {
  const Operand x = in_register(a.operand);
  const Operand rest = addend.value_or(immediate(0));
  const auto scaled = [&](uint32_t power) {
    return power == 1 ? x : reg(shifted(Op::kShiftLeft, Type::kB32, x, log2_of(power)));
  };
  const ptx::Range range{static_cast<int32_t>(factor), static_cast<int32_t>(factor)};
  const bool single = common_type(a.range, range) != Type::kNone;
  if (factor == 0) return move(d, rest), true;
  if (factor == 1) return add(d, x, rest), true;
  if (is_power_of_two(factor)) {
    if (addend && single) return false;
    if (addend) return add(d, scaled(factor), rest), true;
    emit(Op::kShiftLeft, Type::kB32, d, {x, immediate(log2_of(factor))});
    return true;
  }
  const uint32_t opposite = 0U - factor;
  if (is_power_of_two(opposite)) return subtract(d, rest, scaled(opposite)), true;
  if (single) return false;
  const uint32_t total = addend ? temporary() : d;
  if (is_power_of_two(factor - 1)) {
    add(total, scaled(factor - 1), x);
  } else if (is_power_of_two(factor + 1)) {
    subtract(total, scaled(factor + 1), x);
  } else if (__builtin_popcount(factor) == 2) {
    const uint32_t low_bit = factor & opposite;
    const Operand upper = scaled(factor - low_bit);
    add(total, upper, scaled(low_bit));
  } else {
    return false;
  }
  if (addend) add(d, reg(total), *addend);
  return true;
}

// Bits 63:32 of the product, by schoolbook multiplication of halves.
void Lowering::product_high(uint32_t d, const Factor& a, const Factor& b, bool is_signed) {
  const Operand x = in_register(a.operand);
  const Operand y = b.operand;  // may be a constant
  const auto part = [&](const Operand& p, const Operand& q, const std::optional<Operand>& plus) {
    const uint32_t result = temporary();
    multiply(result, p, Type::kU16, q, Type::kU16, plus);
    return reg(result);
  };
  const auto upper = [&](const Operand& value) {
    return reg(shifted(Op::kShiftRight, Type::kU32, value, 16));
  };
  const Operand low = part(low_half(x), low_half(y), std::nullopt);
  const Operand cross = part(low_half(x), high_half(y), upper(low));
  const Operand cross_low = reg(value(Op::kAnd, Type::kB32, {cross, immediate(0xffff)}));
  const Operand other = part(high_half(x), low_half(y), cross_low);
  const Operand high = part(high_half(x), high_half(y), upper(cross));
  // As signed numbers the product is smaller by the other factor for each negative one.
  struct Correction {
    const Factor* sign;
    Operand factor;
  };
  std::vector<Operand> corrections;
  for (const Correction& c : {Correction{&a, y}, Correction{&b, x}}) {
    if (!is_signed || c.sign->range.low >= 0) continue;
    if (c.sign->operand.is_immediate()) {
      corrections.push_back(c.factor);
      continue;
    }
    const uint32_t mask = shifted(Op::kShiftRight, Type::kS32, in_register(c.sign->operand), 31);
    corrections.push_back(reg(value(Op::kAnd, Type::kB32, {reg(mask), c.factor})));
  }
  uint32_t sum = corrections.empty() ? d : temporary();
  add(sum, high, upper(other));
  for (size_t i = 0; i < corrections.size(); ++i) {
    const uint32_t next = i + 1 == corrections.size() ? d : temporary();
    subtract(next, reg(sum), corrections[i]);
    sum = next;
  }
}

}  // namespace gvp::kcc::g80
