// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, logic and shifts.
#include <algorithm>

#include "tools/kcc/g80/lowering.h"

namespace gvp::kcc::g80 {

using ptx::Opcode;

bool Lowering::integer(const ptx::Instruction& in, uint32_t d) {
  const bool real = ptx::is_float(in.type);
  const auto operand = [&](size_t index) { return source(in.operands[index]); };
  if (in.carry) unsupported("carry between instructions");
  switch (in.opcode) {
    case Opcode::kAdd:
    case Opcode::kSub: {
      if (real) return false;
      if (in.saturate) {
        Instruction& sum =
            emit(Op::kAdd, Type::kB32, d, {in_register(operand(1)), in_register(operand(2))});
        sum.saturate = true;
        if (in.opcode == Opcode::kSub) sum.combine = isa::Combine::kSubtract;
      } else if (in.opcode == Opcode::kAdd) {
        add(d, operand(1), operand(2));
      } else {
        subtract(d, operand(1), operand(2));
      }
      return true;
    }
    case Opcode::kNeg:
      if (real) return false;
      subtract(d, immediate(0), operand(1));
      return true;
    case Opcode::kAbs: {
      if (real) return false;
      Operand from = in_register(extended(in.operands[1], in.type));
      from.absolute = true;
      from.type = Type::kS32;
      emit(Op::kConvert, Type::kU32, d, {from});
      return true;
    }
    case Opcode::kMul:
    case Opcode::kMad:
    case Opcode::kMul24:
    case Opcode::kMad24:
      if (real) return false;
      product(in, d);
      return true;
    case Opcode::kMin:
    case Opcode::kMax:
      if (real) return false;
      minimum_maximum(in, d);
      return true;
    case Opcode::kAnd:
    case Opcode::kOr:
    case Opcode::kXor: {
      const Op op = in.opcode == Opcode::kAnd  ? Op::kAnd
                    : in.opcode == Opcode::kOr ? Op::kOr
                                               : Op::kXor;
      Operand a = operand(1);
      Operand b = operand(2);
      if (a.is_immediate()) std::swap(a, b);
      emit(op, Type::kB32, d, {in_register(a), b});
      return true;
    }
    case Opcode::kNot: {
      // x ^ ~0 has an immediate form; the complement of LOP.PASS_B would do as well.
      emit(Op::kXor, Type::kB32, d, {in_register(operand(1)), immediate(~0U)});
      return true;
    }
    case Opcode::kCnot: {
      const uint32_t zero = temporary();
      Operand a = in_register(extended(in.operands[1], in.type));
      emit(Op::kSet, Type::kU32, zero, {a, immediate(0)}).compare = isa::Condition::kEqual;
      emit(Op::kAnd, Type::kB32, d, {reg(zero), immediate(1)});
      return true;
    }
    case Opcode::kShl:
    case Opcode::kShr:
      shift(in, d);
      return true;
    case Opcode::kBfe:
      bit_field(in, d);
      return true;
    case Opcode::kSad:
      absolute_difference(in, d);
      return true;
    case Opcode::kMov:
    case Opcode::kCvta:
      if (in.operands[1].kind == ptx::Operand::Kind::kVector) {
        unsupported("packing vectors into a register", "use shifts");
      }
      move(d, operand(1));
      return true;
    case Opcode::kSelp:
      select(in, d);
      return true;
    case Opcode::kSlct:
      select_by_sign(in, d);
      return true;
    case Opcode::kSet:
      set_register(in, d);
      return true;
    default:
      return false;
  }
}

void Lowering::minimum_maximum(const ptx::Instruction& in, uint32_t d) {
  Operand a = extended(in.operands[1], in.type);
  Operand b = extended(in.operands[2], in.type);
  if (a.is_immediate()) std::swap(a, b);
  const Type type = ptx::is_signed(in.type) ? Type::kS32 : Type::kU32;
  emit(in.opcode == Opcode::kMin ? Op::kMin : Op::kMax, type, d, {in_register(a), b});
}

// Counts beyond the width give 0 or the sign, on the machine as in PTX.  16-bit values shifted
// as 32-bit ones: what leaves the lower half does not matter, what enters it must be extended.
void Lowering::shift(const ptx::Instruction& in, uint32_t d) {
  Operand count = source(in.operands[2]);
  if (count.is_immediate()) {
    const auto limit = std::min(static_cast<uint32_t>(count.value), 32U);
    count = immediate(limit);
  }
  if (in.opcode == Opcode::kShl) {
    emit(Op::kShiftLeft, Type::kB32, d, {in_register(source(in.operands[1])), count});
    return;
  }
  const bool is_signed = ptx::is_signed(in.type);
  const ptx::Type type = in.type == ptx::Type::kB16 ? ptx::Type::kU16 : in.type;
  emit(Op::kShiftRight, is_signed ? Type::kS32 : Type::kU32, d,
       {in_register(extended(in.operands[1], type)), count});
}

void Lowering::bit_field(const ptx::Instruction& in, uint32_t d) {
  const auto position = values_.constant(in.operands[2]);
  const auto length = values_.constant(in.operands[3]);
  if (!position || !length) unsupported("bfe with variable position", "use shifts");
  const uint32_t begin = *position & 0xff;
  const uint32_t width = std::min(*length & 0xff, 32U);
  const bool is_signed = ptx::is_signed(in.type);
  const Operand a = in_register(source(in.operands[1]));
  if (width == 0) return move(d, immediate(0));
  const Type type = is_signed ? Type::kS32 : Type::kU32;
  if (begin + width >= 32) {
    // Bits beyond the value are its sign, or zero.
    emit(Op::kShiftRight, type, d, {a, immediate(std::min(begin, 32U))});
  } else if (begin == 0 && !is_signed) {
    emit(Op::kAnd, Type::kB32, d, {a, immediate((1U << width) - 1)});
  } else {
    const uint32_t upper = shifted(Op::kShiftLeft, Type::kB32, a, 32 - begin - width);
    emit(Op::kShiftRight, type, d, {reg(upper), immediate(32 - width)});
  }
}

void Lowering::absolute_difference(const ptx::Instruction& in, uint32_t d) {
  const Operand a = in_register(extended(in.operands[1], in.type));
  const Operand b = in_register(extended(in.operands[2], in.type));
  emit(Op::kSumAbsoluteDifference, ptx::is_signed(in.type) ? Type::kS32 : Type::kU32, d,
       {a, b, in_register(source(in.operands[3]))});
}

}  // namespace gvp::kcc::g80
