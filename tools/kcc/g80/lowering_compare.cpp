// SPDX-License-Identifier: Apache-2.0
// Comparisons, predicates and selection.
#include "tools/kcc/g80/lowering.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Condition;
using ptx::Compare;
using ptx::Opcode;

Condition condition_of(Compare compare) {
  switch (compare) {
    case Compare::kEq:
      return Condition::kEqual;
    case Compare::kNe:
      return Condition::kNotEqual;
    case Compare::kLt:
    case Compare::kLo:
      return Condition::kLess;
    case Compare::kLe:
    case Compare::kLs:
      return Condition::kLessEqual;
    case Compare::kGt:
    case Compare::kHi:
      return Condition::kGreater;
    case Compare::kGe:
    case Compare::kHs:
      return Condition::kGreaterEqual;
    case Compare::kEqu:
      return Condition::kEqualUnordered;
    case Compare::kNeu:
      return Condition::kNotEqualUnordered;
    case Compare::kLtu:
      return Condition::kLessUnordered;
    case Compare::kLeu:
      return Condition::kLessEqualUnordered;
    case Compare::kGtu:
      return Condition::kGreaterUnordered;
    case Compare::kGeu:
      return Condition::kGreaterEqualUnordered;
    case Compare::kNum:
      return Condition::kOrdered;
    case Compare::kNan:
      return Condition::kUnordered;
    case Compare::kNone:
      break;
  }
  return Condition::kNever;
}

Condition inverted(Condition condition, bool real) {
  // The four bits of the code are less, equal, greater and (floats) unordered.
  const unsigned mask = real ? 15 : 7;
  return static_cast<Condition>(static_cast<unsigned>(condition) ^ mask);
}

bool is_unsigned_order(Compare compare) {
  return compare == Compare::kLo || compare == Compare::kLs || compare == Compare::kHi ||
         compare == Compare::kHs;
}

}  // namespace

// Everything that writes a predicate.
bool Lowering::comparison(const ptx::Instruction& in) {
  if (in.opcode == Opcode::kSetp) {
    set_predicate(in);
    return true;
  }
  if (in.type != ptx::Type::kPredicate) return false;
  predicate_logic(in);
  return true;
}

Instruction& Lowering::compare(const ptx::Instruction& in) {
  const ptx::Type type = in.opcode == Opcode::kSet ? in.source_type : in.type;
  const bool real = ptx::is_float(type);
  const bool bits = !real && !ptx::is_signed(type) && ptx::bytes(type) == 2;
  const ptx::Type narrow = bits ? ptx::Type::kU16 : type;
  Operand a = real ? source(in.operands[1]) : extended(in.operands[1], narrow);
  Operand b = real ? source(in.operands[2]) : extended(in.operands[2], narrow);
  Condition condition = condition_of(in.compare);
  if (a.is_immediate()) {
    std::swap(a, b);
    condition = swapped(condition);
  }
  const bool is_signed = ptx::is_signed(type) && !is_unsigned_order(in.compare);
  Instruction& set =
      real ? emit(Op::kFloatSet, Type::kF32, kNoRegister, {in_register(a), b})
           : emit(Op::kSet, is_signed ? Type::kS32 : Type::kU32, kNoRegister, {in_register(a), b});
  set.compare = condition;
  return set;
}

void Lowering::set_predicate(const ptx::Instruction& in) {
  // The predicate it is combined with may be the first destination, or the second.
  const bool first_is_read = in.operands.size() > 3 && in.operands[0].is_register() &&
                             in.operands[3].index == in.operands[0].index;
  const bool two = in.second_destination.is_register();
  if (two && first_is_read && in.operands[3].index == in.second_destination.index) {
    unsupported("a comparison with all predicates in one register");
  }
  if (two && first_is_read) compare_into(in, in.second_destination, true);
  compare_into(in, in.operands[0], false);
  if (two && !first_is_read) compare_into(in, in.second_destination, true);
}

// setp: the comparison, or for the second destination its opposite, combined with a predicate.
void Lowering::compare_into(const ptx::Instruction& in, const ptx::Operand& target, bool opposite) {
  if (!target.is_register()) return;
  const bool real = ptx::is_float(in.type);
  Guard guard;
  if (in.guard != ptx::kNoIndex) guard = guard_of(in.guard, in.guard_negated);
  if (in_flags(target.index)) {
    Instruction& set = compare(in);
    if (opposite) set.compare = inverted(set.compare, real);
    set.flags = flags(target.index);
    set.guard = guard;
    return;
  }
  const uint32_t d = general(target.index);
  const bool combined = in.operands.size() > 3;
  const uint32_t result = combined ? temporary() : d;
  Instruction& set = compare(in);
  if (opposite) set.compare = inverted(set.compare, real);
  set.destination = reg(result);
  if (!combined) {
    set.guard = guard;
    return;
  }
  const Operand other = predicate_value(in.operands[3]);
  const Op op = in.combine == ptx::Combine::kAnd  ? Op::kAnd
                : in.combine == ptx::Combine::kOr ? Op::kOr
                                                  : Op::kXor;
  emit(op, Type::kB32, d, {reg(result), other}).guard = guard;
}

// 0 or ~0.
Operand Lowering::predicate_value(const ptx::Operand& operand) {
  if (operand.is_immediate()) return immediate(operand.value != 0 ? ~0U : 0U);
  if (!operand.is_register() || in_flags(operand.index)) {
    unsupported("a predicate operand of this kind");
  }
  Operand result = reg(general(operand.index));
  result.invert = operand.negated;
  return result;
}

void Lowering::predicate_logic(const ptx::Instruction& in) {
  if (!in.operands[0].is_register()) return;
  const uint32_t d = general(in.operands[0].index);
  Guard guard;
  if (in.guard != ptx::kNoIndex) guard = guard_of(in.guard, in.guard_negated);
  const auto operand = [&](size_t i) { return predicate_value(in.operands[i]); };
  switch (in.opcode) {
    case Opcode::kMov:
      move(d, operand(1));
      break;
    case Opcode::kNot:
      emit(Op::kXor, Type::kB32, d, {in_register(operand(1)), immediate(~0U)});
      break;
    case Opcode::kAnd:
      emit(Op::kAnd, Type::kB32, d, {in_register(operand(1)), operand(2)});
      break;
    case Opcode::kOr:
      emit(Op::kOr, Type::kB32, d, {in_register(operand(1)), operand(2)});
      break;
    case Opcode::kXor:
      emit(Op::kXor, Type::kB32, d, {in_register(operand(1)), operand(2)});
      break;
    default:
      unsupported("the instruction \"" + ptx::mnemonic(in) + "\"");
  }
  kernel_.blocks[block_].code.back().guard = guard;
}

// set.lt.u32.s32: ~0 or 0; set.lt.f32.s32: 1.0 or 0.
void Lowering::set_register(const ptx::Instruction& in, uint32_t d) {
  if (in.operands.size() > 3) unsupported("set with a predicate", "use setp and selp");
  const bool real = in.type == ptx::Type::kF32;
  const uint32_t mask = real ? temporary() : d;
  compare(in).destination = reg(mask);
  if (real) emit(Op::kAnd, Type::kB32, d, {reg(mask), immediate(0x3f800000)});
}

void Lowering::select(const ptx::Instruction& in, uint32_t d) {
  const Operand yes = source(in.operands[1]);
  const Operand no = source(in.operands[2]);
  const Guard guard = guard_of(in.operands[3].index, in.operands[3].negated);
  // Through a fresh register: d may be one of the operands.
  const uint32_t result = temporary();
  move(result, no);
  move(result, yes);
  kernel_.blocks[block_].code.back().guard = guard;
  move(d, reg(result));
}

// slct: d = c >= 0 ? a : b
void Lowering::select_by_sign(const ptx::Instruction& in, uint32_t d) {
  const Operand a = in_register(source(in.operands[1]));
  const Operand b = in_register(source(in.operands[2]));
  const Operand c = in_register(source(in.operands[3]));
  if (ptx::is_float(in.source_type)) {
    emit(Op::kFloatSelect, Type::kB32, d, {a, b, c});
    return;
  }
  const uint32_t condition = kernel_.new_register(RegisterClass::kFlags);
  Instruction& set = emit(Op::kSet, Type::kS32, kNoRegister, {c, immediate(0)});
  set.compare = Condition::kLess;
  set.flags = condition;
  const uint32_t result = temporary();
  move(result, a);
  move(result, b);
  kernel_.blocks[block_].code.back().guard = {condition, Condition::kNotEqual};
  move(d, reg(result));
}

}  // namespace gvp::kcc::g80
