// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/codec.h"

namespace gvp::gpgpu::g80 {
namespace {

using F = Field;
using Kind = Operand::Kind;

}  // namespace

void Codec::transfer_modifier(Field field) {
  auto& s = i_.sources;
  switch (field) {
    case F::kCombine:
    case F::kCombineLong: {
      // In short and add forms the two bits lie apart.
      const uint32_t combine = static_cast<uint32_t>(i_.combine);
      uint32_t low = combine & 1;
      uint32_t high = combine >> 1;
      const bool apart = field == F::kCombine;
      bits(apart ? 0 : 1, apart ? 22 : 26, 1, low, "combination");
      bits(apart ? 0 : 1, apart ? 28 : 27, 1, high, "combination");
      i_.combine = static_cast<Combine>(high << 1 | low);
      break;
    }
    case F::kSaturate8:
      flag(0, 8, i_.saturate);
      break;
    case F::kSaturate19:
      flag(1, 19, i_.saturate);
      break;
    case F::kSaturate27:
      flag(1, 27, i_.saturate);
      break;
    case F::kSaturate29:
      flag(1, 29, i_.saturate);
      break;
    case F::kSigned8:
      signed_type(0, 8, i_.type);
      break;
    case F::kSigned21:
      signed_type(1, 21, i_.type);
      break;
    case F::kSigned27:
      signed_type(1, 27, i_.type);
      break;
    case F::kMultiplySignsShort:
    case F::kMultiplySigns: {
      const bool is_short = field == F::kMultiplySignsShort;
      if (!encoding()) s[0].type = s[1].type = Type::kU16;
      signed_type(is_short ? 0 : 1, 15, s[0].type);
      signed_type(is_short ? 0 : 1, is_short ? 8 : 14, s[1].type);
      break;
    }
    case F::kMultiply24Short:
    case F::kMultiply24: {
      const bool is_short = field == F::kMultiply24Short;
      if (!encoding()) s[0].type = Type::kU24;
      signed_type(is_short ? 0 : 1, 15, s[0].type);
      flag(is_short ? 0 : 1, is_short ? 8 : 14, i_.high);
      if (!encoding()) s[1].type = s[0].type;
      break;
    }
    case F::kCompare3:
      bits(1, 14, 3, i_.compare, "comparison");
      break;
    case F::kCompare4:
      bits(1, 14, 4, i_.compare, "comparison");
      break;
    case F::kNegate1Short:
      flag(0, 15, s[0].negate);
      break;
    case F::kNegate2Short:
      flag(0, 22, s[1].negate);
      break;
    case F::kNegate3Short:
      flag(0, 22, s[2].negate);
      break;
    case F::kAbsolute1Short:
      flag(0, 15, s[0].absolute);
      break;
    case F::kNegate1ByM3:
      flag(0, 22, s[0].negate);
      break;
    case F::kNegate1:
      flag(1, 26, s[0].negate);
      break;
    case F::kNegate2:
      flag(1, 27, s[1].negate);
      break;
    case F::kNegate3:
      flag(1, 27, s[2].negate);
      break;
    case F::kNegate3By29:
      flag(1, 29, s[2].negate);
      break;
    case F::kAbsolute1:
      flag(1, 20, s[0].absolute);
      break;
    case F::kAbsolute2:
      flag(1, 19, s[1].absolute);
      break;
    case F::kInvert1Short:
      flag(0, 22, s[0].invert);
      break;
    case F::kInvert1:
      flag(1, 16, s[0].invert);
      break;
    case F::kInvert2:
      flag(1, 17, s[1].invert);
      break;
    case F::kRoundingAdd:
    case F::kRoundingMultiply: {
      const bool add = field == F::kRoundingAdd;
      bits(add ? 0 : 1, add ? 16 : 14, 2, i_.rounding, "rounding");
      if (i_.rounding == Rounding::kMinusInfinity || i_.rounding == Rounding::kPlusInfinity)
        fail("this instruction rounds to nearest or to zero (TRUNC) only");
      break;
    }
    case F::kLanes:
      bits(1, 14, 4, i_.lane_mask, "lane mask");
      break;
    case F::kLimited:
      flag(1, 6, i_.limited);
      break;
    case F::kBarrier:
      bits(0, 21, 4, i_.barrier, "barrier number");
      bits(0, 9, 12, i_.barrier_threads, "thread count of the barrier");
      flag(0, 25, i_.barrier_arrive);
      flag(0, 26, i_.barrier_wait);
      flag(1, 14, i_.barrier_all);
      break;
    case F::kEvent:
      bits(0, 10, 4, i_.event, "event");
      break;
    default:
      transfer_conversion(field);
      break;
  }
}

void Codec::transfer_conversion(Field field) {
  Operand& s = i_.sources[0];
  switch (field) {
    case F::kRoundingConvert:
      bits(1, 17, 2, i_.rounding, "rounding");
      break;
    case F::kRoundToInteger:
      flag(1, 27, i_.round_to_integer);
      break;
    case F::kConvertSource:
      flag(1, 29, s.negate);
      flag(1, 20, s.absolute);
      break;
    case F::kIntegerResult:
    case F::kIntegerResultOfFloat: {
      // The 32-bit flag chooses the destination register, the 8-bit flag the range of values.
      bool word = encoding() ? i_.destination.kind == Kind::kRegister ||
                                   (i_.destination.kind == Kind::kOutput &&
                                    unsigned_variant(i_.destination.type) == Type::kU32)
                             : false;
      bool byte = unsigned_variant(i_.type) == Type::kU8;
      flag(1, 26, word);
      if (field == F::kIntegerResult) flag(1, 19, byte);
      if (!encoding()) i_.type = byte ? Type::kU8 : word ? Type::kU32 : Type::kU16;
      signed_type(1, 27, i_.type);
      destination(!word, true);
      break;
    }
    case F::kFloatResult: {
      bool word = i_.type == Type::kF32;
      flag(1, 26, word);
      if (!encoding()) i_.type = word ? Type::kF32 : Type::kF16;
      destination(!word, true);
      break;
    }
    case F::kIntegerSource: {
      const bool in_memory = encoding() ? s.kind == Kind::kShared : ((w_[1] >> 21) & 1) != 0;
      bool byte = unsigned_variant(s.type) == Type::kU8;
      bool word = encoding() &&
                  (unsigned_variant(s.type) == Type::kU32 || (byte && s.kind == Kind::kRegister));
      flag(1, 15, byte);
      flag(1, 14, word);
      if (!encoding()) s.type = byte ? Type::kU8 : word ? Type::kU32 : Type::kU16;
      signed_type(1, 16, s.type);
      source1(in_memory ? false : !word, false);
      break;
    }
    case F::kFloatSource: {
      bool word = s.type == Type::kF32;
      flag(1, 14, word);
      if (!encoding()) s.type = word ? Type::kF32 : Type::kF16;
      source1(!word, false);
      break;
    }
    default:
      fail("field without a codec");
      break;
  }
}

}  // namespace gvp::gpgpu::g80
