// SPDX-License-Identifier: Apache-2.0
// Operands: registers, constants, special registers, extension of narrow values.
#include "tools/kcc/g80/lowering.h"

namespace gvp::kcc::g80 {
namespace {

// Launch values at the beginning of s[] (g80.md, "Thread start state").
Operand launch_value(uint32_t offset) {
  Operand operand;
  operand.kind = Operand::Kind::kShared;
  operand.value = static_cast<int32_t>(offset);
  operand.access = isa::Type::kU16;
  operand.invariant = true;
  return operand;
}

}  // namespace

Operand Lowering::source(const ptx::Operand& operand) {
  if (const auto known = values_.constant(operand)) return immediate(*known);
  switch (operand.kind) {
    case ptx::Operand::Kind::kRegister:
      return reg(general(operand.index));
    case ptx::Operand::Kind::kSymbol:
      return global_address(operand.index, static_cast<uint32_t>(operand.value));
    case ptx::Operand::Kind::kSpecial:
      return special(operand);
    default:
      unsupported("an operand of this kind");
  }
}

Operand Lowering::in_register(const Operand& operand) {
  if (operand.is_register()) return operand;
  return reg(value(Op::kMove, Type::kB32, {operand}));
}

Operand Lowering::special(const ptx::Operand& operand) {
  const Operand thread = reg(kThreadIndex);
  const uint32_t dimension = operand.dimension;
  const auto from_launch = [&](uint32_t offset) {
    return reg(value(Op::kMove, Type::kB32, {launch_value(offset)}));
  };
  switch (operand.special) {
    case ptx::Special::kTid:
      // $r0 = x | y << 16 | z << 26
      if (dimension == 0) return reg(value(Op::kAnd, Type::kB32, {thread, immediate(0xffff)}));
      if (dimension == 2) return reg(shifted(Op::kShiftRight, Type::kU32, thread, 26));
      return reg(value(Op::kAnd, Type::kB32,
                       {reg(shifted(Op::kShiftRight, Type::kU32, thread, 16)), immediate(0x3ff)}));
    case ptx::Special::kNtid:
      return from_launch(2 + 2 * dimension);
    case ptx::Special::kNctaid:
      return dimension == 2 ? immediate(1) : from_launch(8 + 2 * dimension);
    case ptx::Special::kCtaid:
      return dimension == 2 ? immediate(0) : from_launch(12 + 2 * dimension);
    case ptx::Special::kWarpSize:
      return immediate(32);
    case ptx::Special::kClock: {
      Operand clock;
      clock.kind = Operand::Kind::kSpecial;
      clock.value = static_cast<int32_t>(isa::SpecialRegister::kClock);
      return reg(value(Op::kMoveFromSpecial, Type::kB32, {clock}));
    }
    case ptx::Special::kNwarpId:
      unsupported("%nwarpid", "compute it from %ntid");
    case ptx::Special::kLaneId:
    case ptx::Special::kWarpId:
      break;
  }
  // The linear thread index: x + nx * (y + ny * z).
  ptx::Operand part;
  part.kind = ptx::Operand::Kind::kSpecial;
  const auto get = [&](ptx::Special which, uint8_t axis) {
    part.special = which;
    part.dimension = axis;
    return special(part);
  };
  const uint32_t inner = temporary();
  multiply(inner, get(ptx::Special::kNtid, 1), Type::kU16, get(ptx::Special::kTid, 2), Type::kU16,
           get(ptx::Special::kTid, 1));
  const uint32_t linear = temporary();
  multiply(linear, get(ptx::Special::kNtid, 0), Type::kU16, reg(inner), Type::kU16,
           get(ptx::Special::kTid, 0));
  if (operand.special == ptx::Special::kLaneId) {
    return reg(value(Op::kAnd, Type::kB32, {reg(linear), immediate(31)}));
  }
  return reg(shifted(Op::kShiftRight, Type::kU32, reg(linear), 5));
}

// The operand as a 32-bit number of the given narrow type.
Operand Lowering::extended(const ptx::Operand& operand, ptx::Type type) {
  return extend(source(operand), values_.range(operand), type);
}

Operand Lowering::extend(const Operand& operand, ptx::Range range, ptx::Type type) {
  const unsigned width = ptx::bits(type);
  if (width >= 32) return operand;
  const bool is_signed = ptx::is_signed(type);
  const int64_t span = int64_t{1} << width;
  if (operand.is_immediate()) {
    const uint32_t low = static_cast<uint32_t>(operand.value) & static_cast<uint32_t>(span - 1);
    const bool negative = is_signed && (low >> (width - 1) & 1) != 0;
    return immediate(negative ? low - static_cast<uint32_t>(span) : low);
  }
  if (is_signed ? range.within(-span / 2, span / 2 - 1) : range.within(0, span - 1)) return operand;
  if (!is_signed) {
    return reg(value(Op::kAnd, Type::kB32, {operand, immediate(static_cast<uint32_t>(span - 1))}));
  }
  const uint32_t result = temporary();
  Operand half = in_register(operand);
  half.type = width == 8 ? Type::kS8 : Type::kS16;
  half.half = true;
  emit(Op::kConvert, Type::kS32, result, {half});
  return reg(result);
}

}  // namespace gvp::kcc::g80
