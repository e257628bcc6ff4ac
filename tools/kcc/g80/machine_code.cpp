// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/machine_code.h"

#include <utility>

#include "models/gpgpu/g80/operations.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

// 16 bits of a word in memory, or a whole 16-bit access.
bool take_half(Operand& memory, bool high) {
  const bool shared = memory.kind == Operand::Kind::kShared;
  if (memory.access == isa::Type::kU16) return shared && !high;
  if (memory.access != isa::Type::kB32) return false;
  memory.access = shared ? isa::Type::kU16 : isa::Type::kB16;
  memory.value += high ? 2 : 0;
  return true;
}

}  // namespace

bool Operand::operator==(const Operand& other) const {
  return kind == other.kind && reg == other.reg && value == other.value && type == other.type &&
         access == other.access && half == other.half && high == other.high &&
         negate == other.negate && absolute == other.absolute && invert == other.invert &&
         bank == other.bank && shift == other.shift && address_register == other.address_register;
}

Operand reg(uint32_t number) {
  Operand operand;
  operand.kind = Operand::Kind::kRegister;
  operand.reg = number;
  return operand;
}

Operand immediate(uint32_t value) {
  Operand operand;
  operand.kind = Operand::Kind::kImmediate;
  operand.value = static_cast<int32_t>(value);
  return operand;
}

Operand low_half(Operand operand) {
  if (operand.is_immediate()) {
    operand.value &= 0xffff;
  } else {
    operand.half = true;
  }
  return operand;
}

Operand high_half(Operand operand) {
  if (operand.is_immediate()) {
    operand.value = static_cast<int32_t>(static_cast<uint32_t>(operand.value) >> 16);
  } else {
    operand.half = true;
    operand.high = true;
  }
  return operand;
}

Guard Guard::negated() const {
  Guard result = *this;
  switch (test) {
    case isa::Condition::kNotEqual:
      result.test = isa::Condition::kEqual;
      break;
    case isa::Condition::kEqual:
      result.test = isa::Condition::kNotEqual;
      break;
    case isa::Condition::kAlways:
      result.test = isa::Condition::kNever;
      break;
    default:
      result.test = isa::Condition::kAlways;
      break;
  }
  return result;
}

compiler::Graph graph_of(const Kernel& kernel) {
  compiler::Graph graph(kernel.blocks.size());
  for (uint32_t i = 0; i < kernel.blocks.size(); ++i) {
    const Block& block = kernel.blocks[i];
    if (block.branches && block.target != kNoRegister) graph.add_edge(i, block.target);
    if (block.next != kNoRegister) graph.add_edge(i, block.next);
  }
  return graph;
}

isa::Condition swapped(isa::Condition condition) {
  switch (condition) {
    case isa::Condition::kLess:
      return isa::Condition::kGreater;
    case isa::Condition::kGreater:
      return isa::Condition::kLess;
    case isa::Condition::kLessEqual:
      return isa::Condition::kGreaterEqual;
    case isa::Condition::kGreaterEqual:
      return isa::Condition::kLessEqual;
    case isa::Condition::kLessUnordered:
      return isa::Condition::kGreaterUnordered;
    case isa::Condition::kGreaterUnordered:
      return isa::Condition::kLessUnordered;
    case isa::Condition::kLessEqualUnordered:
      return isa::Condition::kGreaterEqualUnordered;
    case isa::Condition::kGreaterEqualUnordered:
      return isa::Condition::kLessEqualUnordered;
    default:
      return condition;
  }
}

bool exchange_sources(Instruction& instruction) {
  const isa::OperationInfo& operation = isa::info(instruction.operation);
  if (!operation.is(isa::Trait::kCommutes)) return false;
  const bool are_terms = operation.sources == 2;  // of three, the first two are factors
  if (are_terms && instruction.combine == isa::Combine::kSubtract) {
    instruction.combine = isa::Combine::kReverseSubtract;
  } else if (are_terms && instruction.combine == isa::Combine::kReverseSubtract) {
    instruction.combine = isa::Combine::kSubtract;
  }
  if (operation.tail == isa::Tail::kCompare) instruction.compare = swapped(instruction.compare);
  std::swap(instruction.sources[0], instruction.sources[1]);
  return true;
}

bool is_store(const Instruction& instruction) {
  return isa::info(instruction.operation).is(isa::Trait::kStores);
}

Operation reduction_of(Operation operation) {
  switch (operation) {
    case Operation::kAtomicAdd:
      return Operation::kReduceAdd;
    case Operation::kAtomicIncrement:
      return Operation::kReduceIncrement;
    case Operation::kAtomicDecrement:
      return Operation::kReduceDecrement;
    case Operation::kAtomicMax:
      return Operation::kReduceMax;
    case Operation::kAtomicMin:
      return Operation::kReduceMin;
    case Operation::kAtomicAnd:
      return Operation::kReduceAnd;
    case Operation::kAtomicOr:
      return Operation::kReduceOr;
    case Operation::kAtomicXor:
      return Operation::kReduceXor;
    default:
      return Operation::kNone;
  }
}

bool reads_variable_memory(const Instruction& instruction) {
  for (const Operand& source : instruction.sources) {
    if (source.kind == Operand::Kind::kLocal || source.kind == Operand::Kind::kGlobal) return true;
    if (source.kind == Operand::Kind::kShared && !source.invariant) {
      return true;
    }
  }
  return false;
}

bool is_pure(const Instruction& instruction) {
  const isa::OperationInfo& operation = isa::info(instruction.operation);
  return operation.unit != isa::Unit::kControl && instruction.address_destination == 0 &&
         !operation.is(isa::Trait::kSideEffect | isa::Trait::kStores);
}

std::optional<Instruction> with_memory_operand(const Kernel& kernel, Instruction user, uint32_t v,
                                               const Operand& memory) {
  if (is_store(user) || user.operation == Operation::kMove) return std::nullopt;
  unsigned count = 0;
  for (Operand& source : user.sources) {
    if (source.is_memory() && source.reg == v) return std::nullopt;
    if (!source.is_register() || source.reg != v) continue;
    if (source.invert || source.absolute) return std::nullopt;
    const Operand old = source;
    source = memory;
    if (old.half && !take_half(source, old.high)) return std::nullopt;
    source.type = old.type;
    source.negate = old.negate;
    ++count;
  }
  if (count != 1) return std::nullopt;
  if (encodable(kernel, user)) return user;
  if (!exchange_sources(user) || !encodable(kernel, user)) return std::nullopt;
  return user;
}

}  // namespace gvp::kcc::g80
