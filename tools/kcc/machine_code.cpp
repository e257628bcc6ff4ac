// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/machine_code.h"

#include <utility>

#include "models/gpgpu/g80/encoder.h"

namespace gvp::kcc {
namespace {

using g80::Operation;
using g80::Type;

// What stands for "any register" when only the form matters.  Destination and sources differ, so
// that forms whose source is the destination do not count.
constexpr uint32_t kAnyDestination = 1;
constexpr uint32_t kAnySource = 2;

uint32_t number_of(const std::vector<uint32_t>& numbers, uint32_t v, uint32_t otherwise) {
  return numbers.empty() ? otherwise : numbers[v];
}

// Types of sources that the operation implies.
Type source_type(const Instruction& instruction, unsigned index) {
  switch (instruction.operation) {
    case Operation::kMultiply:
      return instruction.sources[index].type;
    case Operation::kMultiplyAdd:
      return index == 2 ? Type::kB32 : instruction.sources[index].type;
    case Operation::kConvert:
      return instruction.sources[index].type;
    case Operation::kSet:
    case Operation::kMax:
    case Operation::kMin:
    case Operation::kShiftRight:
      return Type::kU32;
    case Operation::kSumAbsoluteDifference:
      return index == 2 ? Type::kB32 : Type::kU32;
    case Operation::kFloatSelect:
      return index == 2 ? Type::kF32 : Type::kB32;
    case Operation::kFloatAdd:
    case Operation::kFloatMultiply:
    case Operation::kFloatMultiplyAdd:
    case Operation::kFloatSet:
    case Operation::kFloatMax:
    case Operation::kFloatMin:
    case Operation::kReciprocal:
    case Operation::kReciprocalSqrt:
    case Operation::kLog2:
    case Operation::kPreSine:
    case Operation::kPreExp2:
      return Type::kF32;
    case Operation::kAddAddress:
      return Type::kB16;
    case Operation::kLoadLocal:
    case Operation::kStoreLocal:
    case Operation::kLoadGlobal:
    case Operation::kStoreGlobal:
      return instruction.type;
    case Operation::kLoadConstant:
      return instruction.type;
    case Operation::kMoveFromSpecial:
      return Type::kNone;
    default:
      return Type::kB32;
  }
}

class Translator {
 public:
  Translator(const Instruction& instruction, const std::vector<uint32_t>& numbers)
      : in_(instruction), numbers_(numbers) {}

  g80::Instruction run() {
    out_.operation = in_.operation;
    out_.type = in_.type;
    out_.combine = in_.combine;
    out_.compare = in_.compare;
    out_.rounding = in_.rounding;
    out_.saturate = in_.saturate;
    out_.high = in_.high;
    out_.round_to_integer = in_.round_to_integer;
    if (in_.guard.exists()) {
      out_.predicate = in_.guard.test;
      out_.condition_register = flags_number(in_.guard.condition);
    }
    if (in_.flags != kNoRegister) {
      out_.writes_condition = true;
      out_.condition_destination = flags_number(in_.flags);
    }
    destination();
    for (unsigned i = 0; i < 3; ++i) source(i);
    special_cases();
    return out_;
  }

 private:
  uint8_t flags_number(uint32_t v) const { return static_cast<uint8_t>(number_of(numbers_, v, 0)); }

  void destination() {
    g80::Operand& d = out_.destination;
    if (in_.destination.is_memory()) {
      d = memory(in_.destination);
      d.type = in_.type;
    } else if (in_.defines()) {
      d = register_operand(in_.destination, kAnyDestination);
      d.type = in_.type;
    } else if (in_.flags != kNoRegister) {
      d.kind = g80::Operand::Kind::kOutput;  // the bit bucket
      d.index = 0x7f;
      d.type = in_.type;
    }
    if (in_.address_destination != 0) {
      d.kind = g80::Operand::Kind::kAddress;
      d.index = in_.address_destination;
    }
  }

  g80::Operand register_operand(const Operand& operand, uint32_t otherwise) const {
    g80::Operand result;
    result.kind = operand.half ? g80::Operand::Kind::kHalfRegister : g80::Operand::Kind::kRegister;
    result.high = operand.high;
    const uint32_t number = operand.kind == Operand::Kind::kZero
                                ? kZeroRegister
                                : number_of(numbers_, operand.reg, otherwise);
    result.index = static_cast<uint8_t>(number);
    return result;
  }

  g80::Operand memory(const Operand& operand) {
    g80::Operand result;
    result.access = operand.access;
    result.value = operand.value;
    result.index = operand.bank;
    const bool indexed = operand.reg != kNoRegister || operand.address_register != 0;
    switch (operand.kind) {
      case Operand::Kind::kShared:
        result.kind = g80::Operand::Kind::kShared;
        break;
      case Operand::Kind::kConstant:
        result.kind = g80::Operand::Kind::kConstant;
        break;
      case Operand::Kind::kLocal:
        result.kind = g80::Operand::Kind::kLocal;
        break;
      default:
        result.kind = g80::Operand::Kind::kGlobal;
        result.index = 14;
        result.value = static_cast<int32_t>(operand.reg == kNoRegister
                                                ? kZeroRegister
                                                : number_of(numbers_, operand.reg, kAnySource));
        return result;
    }
    if (indexed) {
      result.indexed = true;
      out_.address_register = operand.address_register != 0 ? operand.address_register : 1;
    }
    return result;
  }

  void source(unsigned index) {
    const Operand& in = in_.sources[index];
    g80::Operand& s = out_.sources[index];
    switch (in.kind) {
      case Operand::Kind::kNone:
        return;
      case Operand::Kind::kRegister:
      case Operand::Kind::kZero:
        s = register_operand(in, kAnySource);
        break;
      case Operand::Kind::kImmediate:
        s.kind = g80::Operand::Kind::kImmediate;
        s.value = in.value;
        break;
      case Operand::Kind::kSpecial:
        s.kind = g80::Operand::Kind::kSpecial;
        s.index = static_cast<uint8_t>(in.value);
        break;
      default:
        s = memory(in);
        break;
    }
    s.type = source_type(in_, index);
    s.negate = in.negate;
    s.absolute = in.absolute;
    s.invert = in.invert;
  }

  void special_cases() {
    const bool count = in_.operation == Operation::kShiftLeft ||
                       in_.operation == Operation::kShiftRight ||
                       in_.operation == Operation::kShiftToAddress;
    const bool has_immediate = in_.sources[0].is_immediate() || in_.sources[1].is_immediate();
    if (has_immediate && !count && in_.operation != Operation::kAddAddress) {
      out_.form = g80::Form::kLongImmediate;
    }
    switch (in_.operation) {
      case Operation::kAddAddress:
        out_.sources[0].kind = g80::Operand::Kind::kAddress;
        out_.sources[0].index = in_.address_source;
        out_.sources[0].type = Type::kB16;
        break;
      case Operation::kBarrier:
        out_.form = g80::Form::kLongControl;
        out_.barrier = in_.barrier;
        out_.barrier_threads = in_.barrier_threads;
        out_.barrier_arrive = true;
        out_.barrier_wait = true;
        break;
      case Operation::kBranch:
      case Operation::kReturn:
      case Operation::kSetSync:
      case Operation::kTrap:
        out_.form = g80::Form::kLongControl;
        break;
      case Operation::kLoadLocal:
      case Operation::kLoadGlobal:
        out_.destination.words = 1;
        break;
      default:
        break;
    }
  }

  const Instruction& in_;
  const std::vector<uint32_t>& numbers_;
  g80::Instruction out_;
};

// 16 bits of a word in memory, or a whole 16-bit access.
bool take_half(Operand& memory, bool high) {
  const bool shared = memory.kind == Operand::Kind::kShared;
  if (memory.access == g80::Type::kU16) return shared && !high;
  if (memory.access != g80::Type::kB32) return false;
  memory.access = shared ? g80::Type::kU16 : g80::Type::kB16;
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
    case g80::Condition::kNotEqual:
      result.test = g80::Condition::kEqual;
      break;
    case g80::Condition::kEqual:
      result.test = g80::Condition::kNotEqual;
      break;
    case g80::Condition::kAlways:
      result.test = g80::Condition::kNever;
      break;
    default:
      result.test = g80::Condition::kAlways;
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

g80::Condition swapped(g80::Condition condition) {
  switch (condition) {
    case g80::Condition::kLess:
      return g80::Condition::kGreater;
    case g80::Condition::kGreater:
      return g80::Condition::kLess;
    case g80::Condition::kLessEqual:
      return g80::Condition::kGreaterEqual;
    case g80::Condition::kGreaterEqual:
      return g80::Condition::kLessEqual;
    case g80::Condition::kLessUnordered:
      return g80::Condition::kGreaterUnordered;
    case g80::Condition::kGreaterUnordered:
      return g80::Condition::kLessUnordered;
    case g80::Condition::kLessEqualUnordered:
      return g80::Condition::kGreaterEqualUnordered;
    case g80::Condition::kGreaterEqualUnordered:
      return g80::Condition::kLessEqualUnordered;
    default:
      return condition;
  }
}

bool exchange_sources(Instruction& instruction) {
  switch (instruction.operation) {
    case Operation::kAdd:
      if (instruction.combine == g80::Combine::kSubtract) {
        instruction.combine = g80::Combine::kReverseSubtract;
      } else if (instruction.combine == g80::Combine::kReverseSubtract) {
        instruction.combine = g80::Combine::kSubtract;
      }
      break;
    case Operation::kSet:
    case Operation::kFloatSet:
      instruction.compare = swapped(instruction.compare);
      break;
    case Operation::kMultiply:
    case Operation::kMultiplyAdd:
    case Operation::kAnd:
    case Operation::kOr:
    case Operation::kXor:
    case Operation::kMin:
    case Operation::kMax:
    case Operation::kFloatMin:
    case Operation::kFloatMax:
    case Operation::kFloatAdd:
    case Operation::kFloatMultiply:
    case Operation::kFloatMultiplyAdd:
      break;
    default:
      return false;
  }
  std::swap(instruction.sources[0], instruction.sources[1]);
  return true;
}

bool is_store(const Instruction& instruction) {
  return instruction.operation == Operation::kStoreShared ||
         instruction.operation == Operation::kStoreLocal ||
         instruction.operation == Operation::kStoreGlobal;
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
  switch (instruction.operation) {
    case Operation::kBarrier:
    case Operation::kTrap:
    case Operation::kSetSync:
    case Operation::kNop:
    case Operation::kShiftToAddress:
    case Operation::kAddAddress:
    case Operation::kMoveFromSpecial:
      return false;
    default:
      return !is_store(instruction);
  }
}

g80::Instruction to_g80(const Instruction& instruction, const std::vector<uint32_t>& numbers) {
  return Translator(instruction, numbers).run();
}

bool encodable(const Instruction& instruction) {
  return g80::try_encode(to_g80(instruction, {})).has_value();
}

std::optional<Instruction> with_memory_operand(Instruction user, uint32_t v,
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
  if (encodable(user)) return user;
  if (!exchange_sources(user) || !encodable(user)) return std::nullopt;
  return user;
}

}  // namespace gvp::kcc
