// SPDX-License-Identifier: Apache-2.0
// Loads, stores and barriers.
#include <algorithm>

#include "tools/kcc/g80/lowering.h"

namespace gvp::kcc::g80 {
namespace {

using ptx::Space;

// How a PTX type is accessed in memory; s[] and c[] have no signed bytes.
isa::Type access_of(ptx::Type type, bool has_signed_bytes) {
  switch (type) {
    case ptx::Type::kU8:
    case ptx::Type::kB8:
      return isa::Type::kU8;
    case ptx::Type::kS8:
      return has_signed_bytes ? isa::Type::kS8 : isa::Type::kU8;
    case ptx::Type::kU16:
    case ptx::Type::kB16:
      return isa::Type::kU16;
    case ptx::Type::kS16:
      return isa::Type::kS16;
    default:
      return isa::Type::kB32;
  }
}

}  // namespace

// The address without its constant offset.
Operand Lowering::base_of(const ptx::Operand& memory) {
  if (memory.index != ptx::kNoIndex) {
    ptx::Operand base;
    base.kind = ptx::Operand::Kind::kRegister;
    base.index = memory.index;
    return source(base);
  }
  if (memory.symbol == ptx::kNoIndex) return immediate(0);
  ptx::Operand base;
  base.kind = ptx::Operand::Kind::kSymbol;
  base.index = memory.symbol;
  return source(base);
}

Operand Lowering::global_address(uint32_t symbol, uint32_t addend) {
  Operand place;
  place.kind = Operand::Kind::kConstant;
  place.bank = 14;
  place.value = static_cast<int32_t>(layout_.address_of[symbol]);
  const uint32_t address = value(Op::kLoadConstant, Type::kB32, {place});
  if (addend == 0) return reg(address);
  const uint32_t sum = temporary();
  add(sum, reg(address), immediate(addend));
  return reg(sum);
}

Operand Lowering::location(Space space, ptx::Type type, const Operand& address, uint32_t offset) {
  Operand place;
  place.access = access_of(type, space == Space::kGlobal || space == Space::kLocal);
  const bool known = address.is_immediate();
  const uint32_t sum = known ? static_cast<uint32_t>(address.value) + offset : offset;
  if (known && sum % ptx::bytes(type) != 0) {
    ptx::fail(module_, *current_,
              "address " + std::to_string(sum) + " is not a multiple of the " +
                  std::to_string(ptx::bytes(type)) + " bytes that are accessed there",
              "align the variable, or access it byte by byte");
  }
  if (space == Space::kGlobal) {
    place.kind = Operand::Kind::kGlobal;
    if (known) {
      place.reg = value(Op::kMove, Type::kB32, {immediate(sum)});
    } else if (offset != 0) {
      place.reg = temporary();
      add(place.reg, address, immediate(offset));
    } else {
      place.reg = address.reg;
    }
    return place;
  }
  if (known) {
    if (sum > 0xffff) unsupported("an address beyond 64 KiB in this memory");
    place.value = static_cast<int32_t>(sum);
  } else {
    place.reg = in_register(address).reg;
    place.value = static_cast<int16_t>(sum);  // addresses have 16 bits
  }
  switch (space) {
    case Space::kShared:
      place.kind = Operand::Kind::kShared;
      break;
    case Space::kParameter:
      place.kind = Operand::Kind::kShared;
      place.invariant = known;
      break;
    case Space::kLocal:
      place.kind = Operand::Kind::kLocal;
      break;
    case Space::kConstant:
      place.kind = Operand::Kind::kConstant;
      break;
    default:
      unsupported("this state space");
  }
  return place;
}

void Lowering::load(const ptx::Instruction& in) {
  if (ptx::bytes(in.type) == 0) unsupported("a predicate in memory", "store a number");
  const Space space = values_.space(in, in.operands[1]);
  Operand address = base_of(in.operands[1]);
  const auto offset = static_cast<uint32_t>(in.operands[1].value);
  const ptx::Operand& to = in.operands[0];
  const auto& list =
      to.kind == ptx::Operand::Kind::kVector ? to.elements : std::vector<ptx::Operand>{to};
  if (list.size() != in.vector) unsupported("a vector of another size than its type");
  // The address may lie in a register of the vector, and is needed for all elements.
  const bool overwritten = std::any_of(list.begin(), list.end(), [&](const ptx::Operand& element) {
    return element.is_register() && element.index == in.operands[1].index;
  });
  if (overwritten && list.size() > 1 && address.is_register())
    address = reg(value(Op::kMove, Type::kB32, {address}));
  for (uint32_t i = 0; i < list.size(); ++i) {
    if (list[i].kind == ptx::Operand::Kind::kSink) continue;
    load_element(in, space, list[i], address, offset + i * ptx::bytes(in.type));
  }
}

void Lowering::load_element(const ptx::Instruction& in, Space space, const ptx::Operand& to,
                            const Operand& address, uint32_t offset) {
  Operand place = location(space, in.type, address, offset);
  const uint32_t result = general(to.index);
  const bool extend_byte = in.type == ptx::Type::kS8 && place.access == Type::kU8;
  const uint32_t d = extend_byte ? temporary() : result;
  Guard guard;
  if (in.guard != ptx::kNoIndex) guard = guard_of(in.guard, in.guard_negated);
  Op op = Op::kMove;
  Type type = Type::kB32;
  if (place.kind == Operand::Kind::kGlobal) {
    op = Op::kLoadGlobal;
    type = place.access;
  } else if (place.kind == Operand::Kind::kLocal) {
    op = Op::kLoadLocal;
    type = place.access;
  } else if (place.kind == Operand::Kind::kConstant) {
    op = Op::kLoadConstant;
  }
  emit(op, type, d, {place}).guard = guard;
  if (!extend_byte) return;
  Operand byte = low_half(reg(d));
  byte.type = Type::kS8;
  emit(Op::kConvert, Type::kS32, result, {byte}).guard = guard;
}

void Lowering::store(const ptx::Instruction& in) {
  if (ptx::bytes(in.type) == 0) unsupported("a predicate in memory", "store a number");
  const Space space = values_.space(in, in.operands[0]);
  if (space == Space::kConstant)
    unsupported("a store to constant memory",
                "take const off the variable of the device whose address this is");
  if (space == Space::kParameter) unsupported("a store to a kernel's parameter");
  const Operand address = base_of(in.operands[0]);
  const auto offset = static_cast<uint32_t>(in.operands[0].value);
  const ptx::Operand& from = in.operands[1];
  const auto& list =
      from.kind == ptx::Operand::Kind::kVector ? from.elements : std::vector<ptx::Operand>{from};
  if (list.size() != in.vector) unsupported("a vector of another size than its type");
  for (uint32_t i = 0; i < list.size(); ++i) {
    store_element(in, space, list[i], address, offset + i * ptx::bytes(in.type));
  }
}

void Lowering::store_element(const ptx::Instruction& in, Space space, const ptx::Operand& from,
                             const Operand& address, uint32_t offset) {
  Operand place = location(space, in.type, address, offset);
  Operand data = source(from);
  data = data.is_immediate() && data.value == 0 ? data : in_register(data);
  Guard guard;
  if (in.guard != ptx::kNoIndex) guard = guard_of(in.guard, in.guard_negated);
  Op op = Op::kStoreGlobal;
  Type type = place.access;
  if (space == Space::kLocal) op = Op::kStoreLocal;
  if (space == Space::kShared) {
    op = Op::kStoreShared;
    if (place.access == Type::kS16) place.access = Type::kU16;
    type = place.access == Type::kB32 ? Type::kU32 : place.access;
  }
  Instruction& out = emit(op, type, kNoRegister, {data});
  out.destination = place;
  out.guard = guard;
}

void Lowering::barrier(const ptx::Instruction& in) {
  if (in.guard != ptx::kNoIndex) unsupported("a guarded barrier", "branch around it");
  if (!in.modifier.empty() && in.modifier != "sync" && in.modifier != "warp") {
    unsupported("bar." + in.modifier);
  }
  if (in.modifier == "warp") return;  // the threads of a warp run together
  Instruction& out = emit(Op::kBarrier, Type::kNone, kNoRegister, {});
  if (!in.operands.empty()) {
    const auto number = values_.constant(in.operands[0]);
    if (!number || *number > 15) unsupported("a barrier number that is not 0 to 15");
    out.barrier = static_cast<uint8_t>(*number);
  }
  kernel_.barriers = std::max(kernel_.barriers, out.barrier + 1U);
  if (in.operands.size() > 1) {
    const auto threads = values_.constant(in.operands[1]);
    if (!threads || *threads == 0 || *threads % 32 != 0 || *threads > 0xfff) {
      unsupported("a number of threads at a barrier that is not a constant multiple of 32");
    }
    out.barrier_threads = static_cast<uint16_t>(*threads);
  }
}

}  // namespace gvp::kcc::g80
