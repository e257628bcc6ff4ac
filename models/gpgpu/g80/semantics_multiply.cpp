// SPDX-License-Identifier: Apache-2.0
// Integer multiplication and multiply-add (docs/g80.md, "Integer"): 16-bit halves or 24-bit
// values in, 32 bits out.
#include "models/gpgpu/g80/apply.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Lanes;
using simt::Mask;

uint32_t sign_extend16(uint32_t x) {
  return static_cast<uint32_t>(static_cast<int32_t>(x << 16) >> 16);
}
uint32_t sign_extend24(uint32_t x) {
  return static_cast<uint32_t>(static_cast<int32_t>(x << 8) >> 8);
}

// Operands of the narrow products are halves of words: shift_a and shift_b select them.
template <bool kSignedA, bool kSignedB>
struct Product16 {
  static constexpr bool kHalves = true;
  static uint32_t of(uint32_t a, uint32_t b) {
    return (kSignedA ? sign_extend16(a) : a & 0xffffu) *
           (kSignedB ? sign_extend16(b) : b & 0xffffu);
  }
};
template <bool kSigned>
struct Product24 {
  static constexpr bool kHalves = false;
  static uint32_t of(uint32_t a, uint32_t b) {
    return kSigned ? sign_extend24(a) * sign_extend24(b) : (a & 0xffffffu) * (b & 0xffffffu);
  }
};
// Bits 47:16 of the 48-bit product.
template <bool kSigned>
struct HighProduct24 {
  static constexpr bool kHalves = false;
  static uint32_t of(uint32_t a, uint32_t b) {
    if (kSigned) {
      const int64_t product =
          int64_t{static_cast<int32_t>(sign_extend24(a))} * static_cast<int32_t>(sign_extend24(b));
      return static_cast<uint32_t>(product >> 16);
    }
    return static_cast<uint32_t>(uint64_t{a & 0xffffffu} * (b & 0xffffffu) >> 16);
  }
};

template <typename Product>
void multiply(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t shift_a = op.shift_a, shift_b = op.shift_b;
  if (Product::kHalves) {
    apply2(warp, op, lanes, [shift_a, shift_b](uint32_t a, uint32_t b) {
      return Product::of(a >> shift_a, b >> shift_b);
    });
  } else {
    apply2(warp, op, lanes, [](uint32_t a, uint32_t b) { return Product::of(a, b); });
  }
}

template <typename Product>
void multiply_add(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const uint32_t shift_a = op.shift_a, shift_b = op.shift_b;
  if (Product::kHalves) {
    apply3(warp, op, lanes, [shift_a, shift_b](uint32_t a, uint32_t b, uint32_t c) {
      return Product::of(a >> shift_a, b >> shift_b) + c;
    });
  } else {
    apply3(warp, op, lanes,
           [](uint32_t a, uint32_t b, uint32_t c) { return Product::of(a, b) + c; });
  }
}

// Every other form: flags, saturation, subtraction, carry in.
template <typename Product>
void multiply_add_exactly(Machine&, Warp& warp, const Op& op, Mask lanes) {
  const Instruction& instruction = *op.instruction;
  const uint32_t invert_product = instruction.combine == Combine::kReverseSubtract ? ~0u : 0u;
  const uint32_t invert_addend = instruction.combine == Combine::kSubtract ? ~0u : 0u;
  const Lanes& a = warp.rows[op.a];
  const Lanes& b = warp.rows[op.b];
  const Lanes& c = warp.rows[op.c];
  AdderOperands operands;
  for (unsigned i = 0; i < simt::kWarpSize; ++i) {
    const uint32_t factor = op.immediate_b ? op.immediate : b.lane[i];
    operands.x.lane[i] =
        Product::of(a.lane[i] >> op.shift_a, factor >> op.shift_b) ^ invert_product;
    operands.y.lane[i] = c.lane[i] ^ invert_addend;
  }
  Mask carry = 0;
  if (invert_product != 0 || invert_addend != 0) carry = simt::kAllLanes;
  if (instruction.combine == Combine::kAddCarry) carry = warp.condition[op.condition].carry;
  add_with_flags(warp, op, lanes, operands, carry, instruction.saturate);
}

// What to do with a product, for each kind of product.
template <typename Product>
struct Multiply {
  static Operate select(const Selection&) { return multiply<Product>; }
};
template <typename Product>
struct MultiplyAdd {
  static Operate select(const Selection& s) {
    const bool plain =
        s.instruction.combine == Combine::kAdd && !s.instruction.saturate && !s.op.writes_condition;
    return plain ? multiply_add<Product> : multiply_add_exactly<Product>;
  }
};

template <template <typename> class Use>
Execution by_product(const Selection& s) {
  const Type a = s.instruction.sources[0].type;
  const Type b = s.instruction.sources[1].type;
  const bool high = s.instruction.high;
  if (a == Type::kU24)
    return high ? Use<HighProduct24<false>>::select(s) : Use<Product24<false>>::select(s);
  if (a == Type::kS24)
    return high ? Use<HighProduct24<true>>::select(s) : Use<Product24<true>>::select(s);
  if (a == Type::kS16)
    return b == Type::kS16 ? Use<Product16<true, true>>::select(s)
                           : Use<Product16<true, false>>::select(s);
  return b == Type::kS16 ? Use<Product16<false, true>>::select(s)
                         : Use<Product16<false, false>>::select(s);
}

}  // namespace

Execution select_multiply(const Selection& s) { return by_product<Multiply>(s); }
Execution select_multiply_add(const Selection& s) { return by_product<MultiplyAdd>(s); }

}  // namespace gvp::gpgpu::g80
