// SPDX-License-Identifier: Apache-2.0
// Single precision and conversions.  As on the hardware, fma is a multiplication and an addition
// that round one after the other, and reciprocal, square root and the transcendental functions
// are as exact as the special function unit.
#include "tools/kcc/g80/lowering.h"

namespace gvp::kcc::g80 {
namespace {

using ptx::Opcode;

}  // namespace

// The machine adds and multiplies with two roundings only; conversions know all four.
isa::Rounding Lowering::rounding_of(const ptx::Instruction& in, bool all) const {
  switch (in.rounding) {
    case ptx::Rounding::kDefault:
    case ptx::Rounding::kNearest:
      return isa::Rounding::kNearest;
    case ptx::Rounding::kZero:
      return isa::Rounding::kZero;
    case ptx::Rounding::kDown:
    case ptx::Rounding::kUp:
      break;
  }
  if (!all) unsupported("rounding up or down in arithmetic");
  return in.rounding == ptx::Rounding::kDown ? isa::Rounding::kMinusInfinity
                                             : isa::Rounding::kPlusInfinity;
}

bool Lowering::floating_point(const ptx::Instruction& in, uint32_t d) {
  if (in.opcode == Opcode::kCvt) {
    conversion(in, d);
    return true;
  }
  if (in.type != ptx::Type::kF32) return false;
  const auto operand = [&](size_t index) { return source(in.operands[index]); };
  switch (in.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub: {
      Operand a = operand(1);
      Operand b = operand(2);
      if (in.opcode == Opcode::kSub) {
        if (b.is_immediate()) {
          b.value = static_cast<int32_t>(static_cast<uint32_t>(b.value) ^ 0x80000000U);
        } else {
          b.negate = true;
        }
      }
      if (a.is_immediate()) std::swap(a, b);
      const bool negated = a.negate;
      a = in_register(a);
      a.negate = negated;
      Instruction& sum = emit(Op::kFloatAdd, Type::kF32, d, {a, b});
      sum.rounding = rounding_of(in, false);
      sum.saturate = in.saturate;
      return true;
    }
    case Opcode::kMul: {
      Operand a = operand(1);
      Operand b = operand(2);
      if (a.is_immediate()) std::swap(a, b);
      const uint32_t product = in.saturate ? temporary() : d;
      emit(Op::kFloatMultiply, Type::kF32, product, {in_register(a), b}).rounding =
          rounding_of(in, false);
      if (!in.saturate) return true;
      Operand from = reg(product);
      from.type = Type::kF32;
      emit(Op::kConvert, Type::kF32, d, {from}).saturate = true;
      return true;
    }
    case Opcode::kMad:
    case Opcode::kFma: {
      if (in.rounding != ptx::Rounding::kDefault && in.rounding != ptx::Rounding::kNearest) {
        unsupported("a directed rounding of a multiply-add");
      }
      Operand a = operand(1);
      Operand b = operand(2);
      if (a.is_immediate()) std::swap(a, b);
      Instruction& sum =
          emit(Op::kFloatMultiplyAdd, Type::kF32, d, {in_register(a), b, operand(3)});
      sum.saturate = in.saturate;
      return true;
    }
    case Opcode::kMin:
    case Opcode::kMax: {
      Operand a = operand(1);
      Operand b = operand(2);
      if (a.is_immediate()) std::swap(a, b);
      emit(in.opcode == Opcode::kMin ? Op::kFloatMin : Op::kFloatMax, Type::kF32, d,
           {in_register(a), b});
      return true;
    }
    case Opcode::kNeg:
    case Opcode::kAbs: {
      Operand a = in_register(operand(1));
      // By the sign bit: NaNs and denormals stay what they are.
      if (in.opcode == Opcode::kNeg) {
        emit(Op::kXor, Type::kB32, d, {a, immediate(0x80000000U)});
      } else {
        emit(Op::kAnd, Type::kB32, d, {a, immediate(0x7fffffffU)});
      }
      return true;
    }
    default:
      special_function(in, d);
      return true;
  }
}

void Lowering::special_function(const ptx::Instruction& in, uint32_t d) {
  if (in.rounding != ptx::Rounding::kDefault && in.rounding != ptx::Rounding::kNearest) {
    unsupported("a directed rounding of \"" + ptx::mnemonic(in) + "\"");
  }
  const Operand a = in.operands.size() > 1 ? in_register(source(in.operands[1])) : Operand();
  switch (in.opcode) {
    case Opcode::kRcp:
      emit(Op::kReciprocal, Type::kF32, d, {a});
      return;
    case Opcode::kRsqrt:
      emit(Op::kReciprocalSqrt, Type::kF32, d, {a});
      return;
    case Opcode::kSqrt: {
      const uint32_t inverse = value(Op::kReciprocalSqrt, Type::kF32, {a});
      emit(Op::kReciprocal, Type::kF32, d, {reg(inverse)});
      return;
    }
    case Opcode::kLg2:
      emit(Op::kLog2, Type::kF32, d, {a});
      return;
    case Opcode::kEx2:
      emit(Op::kExp2, Type::kF32, d, {reg(value(Op::kPreExp2, Type::kB32, {a}))});
      return;
    case Opcode::kSin:
    case Opcode::kCos:
      emit(in.opcode == Opcode::kSin ? Op::kSine : Op::kCosine, Type::kF32, d,
           {reg(value(Op::kPreSine, Type::kB32, {a}))});
      return;
    case Opcode::kDiv: {  // div.approx; the others are in the library
      const uint32_t inverse =
          value(Op::kReciprocal, Type::kF32, {in_register(source(in.operands[2]))});
      emit(Op::kFloatMultiply, Type::kF32, d, {a, reg(inverse)});
      return;
    }
    default:
      unsupported("the instruction \"" + ptx::mnemonic(in) + "\"");
  }
}

void Lowering::conversion(const ptx::Instruction& in, uint32_t d) {
  const bool from_float = ptx::is_float(in.source_type);
  const bool to_float = ptx::is_float(in.type);
  if (!from_float && !to_float) return integer_conversion(in, d);
  if (!to_float) return float_to_integer(in, d);
  if (!from_float) {
    const Operand from = extended(in.operands[1], in.source_type);
    convert(d, Type::kF32, from, ptx::is_signed(in.source_type) ? Type::kS32 : Type::kU32,
            rounding_of(in, true));
    return;
  }
  const Operand from = source(in.operands[1]);
  if (!in.to_integer && !in.saturate) return move(d, from);
  convert(d, Type::kF32, from, Type::kF32, rounding_of(in, true));
  Instruction& last = kernel_.blocks[block_].code.back();
  last.round_to_integer = in.to_integer;
  last.saturate = in.saturate;
}

void Lowering::integer_conversion(const ptx::Instruction& in, uint32_t d) {
  if (in.saturate) return saturating_conversion(in, d);
  const unsigned to = ptx::bytes(in.type);
  const unsigned from = ptx::bytes(in.source_type);
  if (to == 1) {
    // 8-bit results are kept extended.
    return move(d, extend(source(in.operands[1]), values_.range(in.operands[1]), in.type));
  }
  if (from >= 4 || to < from) return move(d, source(in.operands[1]));
  move(d, extended(in.operands[1], in.source_type));
}

// To the nearest number of the type of the result.
void Lowering::saturating_conversion(const ptx::Instruction& in, uint32_t d) {
  const bool from_signed = ptx::is_signed(in.source_type);
  const bool to_signed = ptx::is_signed(in.type);
  const unsigned width = ptx::bits(in.type);
  const uint64_t highest = (uint64_t{1} << (to_signed ? width - 1 : width)) - 1;
  const Type type = from_signed ? Type::kS32 : Type::kU32;
  Operand value_now = extended(in.operands[1], in.source_type);
  if (from_signed && (!to_signed || width < 32)) {
    const uint32_t lowest = to_signed ? ~static_cast<uint32_t>(highest) : 0U;
    value_now = reg(value(Op::kMax, type, {in_register(value_now), immediate(lowest)}));
  }
  if (highest < (from_signed ? uint64_t{INT32_MAX} : uint64_t{UINT32_MAX})) {
    const auto limit = static_cast<uint32_t>(highest);
    value_now = reg(value(Op::kMin, type, {in_register(value_now), immediate(limit)}));
  }
  move(d, value_now);
}

// Integers clamp; types narrower than the machine's clamp in the library.
void Lowering::float_to_integer(const ptx::Instruction& in, uint32_t d) {
  const bool is_signed = ptx::is_signed(in.type);
  const Type type = is_signed ? Type::kS32 : Type::kU32;
  const unsigned width = ptx::bits(in.type);
  const uint32_t whole = width < 32 ? temporary() : d;
  convert(whole, type, source(in.operands[1]), Type::kF32, rounding_of(in, true));
  if (width >= 32) return;
  const uint32_t high = (1U << (is_signed ? width - 1 : width)) - 1;
  if (!is_signed) {
    emit(Op::kMin, type, d, {reg(whole), immediate(high)});
    return;
  }
  const uint32_t capped = value(Op::kMin, type, {reg(whole), immediate(high)});
  emit(Op::kMax, type, d, {reg(capped), immediate(~high)});
}

}  // namespace gvp::kcc::g80
