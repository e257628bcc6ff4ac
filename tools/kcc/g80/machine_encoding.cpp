// SPDX-License-Identifier: Apache-2.0
// From the code generator's form of an instruction to the one the encoder takes.
#include <utility>

#include "models/gpgpu/g80/encoder.h"
#include "models/gpgpu/g80/operations.h"
#include "models/gpgpu/g80/table.h"
#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;
using isa::Type;

// What stands for "any register" when only the form matters.  Destination and sources differ, so
// that forms whose source is the destination do not count.
constexpr uint32_t kAnyDestination = 1;
constexpr uint32_t kAnySource = 2;
// The same where halves of R32 and beyond have to be expected.
constexpr uint32_t kManyRegisters = 32;

// The type of a source: what the operation implies, or what the source says.
Type source_type(const Instruction& instruction, unsigned index) {
  const isa::OperationInfo& operation = isa::info(instruction.operation);
  if (index == 2 && operation.third != Type::kNone) return operation.third;
  return operation.source != Type::kNone ? operation.source : instruction.sources[index].type;
}

// Whether an encoding without an immediate of 32 bits has room for a small number.
bool takes_small_number(isa::Operation operation) {
  for (const isa::Row& row : isa::rows()) {
    if (row.operation != operation || row.form != isa::Form::kLong) continue;
    for (const isa::Field field : row.fields)
      if (field == isa::Field::kSrc2OrCount || field == isa::Field::kAddressShift ||
          field == isa::Field::kAddressOffset)
        return true;
  }
  return false;
}

class Translator {
 public:
  // Without numbers: any registers from `first` on.
  Translator(const Instruction& instruction, const std::vector<uint32_t>& numbers, uint32_t first)
      : in_(instruction), numbers_(numbers), first_(first) {}

  isa::Instruction run() {
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
  uint32_t number_of(uint32_t v, uint32_t otherwise) const {
    return numbers_.empty() ? first_ + otherwise : numbers_[v];
  }
  uint8_t flags_number(uint32_t v) const {
    return numbers_.empty() ? uint8_t{0} : static_cast<uint8_t>(numbers_[v]);
  }

  void destination() {
    isa::Operand& d = out_.destination;
    if (in_.destination.is_memory()) {
      d = memory(in_.destination);
      const isa::OperationInfo& operation = isa::info(in_.operation);
      d.type = operation.is(isa::Trait::kLater | isa::Trait::kLocks) ? operation.source : in_.type;
    } else if (in_.defines()) {
      d = register_operand(in_.destination, kAnyDestination);
      d.type = in_.type;
    } else if (in_.flags != kNoRegister) {
      d.kind = isa::Operand::Kind::kOutput;  // the bit bucket
      d.index = 0x7f;
      d.type = in_.type;
    }
    if (in_.address_destination != 0) {
      d.kind = isa::Operand::Kind::kAddress;
      d.index = in_.address_destination;
    }
  }

  isa::Operand register_operand(const Operand& operand, uint32_t otherwise) const {
    isa::Operand result;
    result.kind = operand.half ? isa::Operand::Kind::kHalfRegister : isa::Operand::Kind::kRegister;
    result.high = operand.high;
    const uint32_t number =
        operand.kind == Operand::Kind::kZero ? kZeroRegister : number_of(operand.reg, otherwise);
    result.index = static_cast<uint8_t>(number);
    return result;
  }

  isa::Operand memory(const Operand& operand) {
    isa::Operand result;
    result.access = operand.access;
    result.value = operand.value;
    result.index = operand.bank;
    const bool indexed = operand.reg != kNoRegister || operand.address_register != 0;
    switch (operand.kind) {
      case Operand::Kind::kShared:
        result.kind = isa::Operand::Kind::kShared;
        break;
      case Operand::Kind::kConstant:
        result.kind = isa::Operand::Kind::kConstant;
        break;
      case Operand::Kind::kLocal:
        result.kind = isa::Operand::Kind::kLocal;
        break;
      default:
        result.kind = isa::Operand::Kind::kGlobal;
        result.index = 14;
        result.value = static_cast<int32_t>(
            operand.reg == kNoRegister ? kZeroRegister : number_of(operand.reg, kAnySource));
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
    isa::Operand& s = out_.sources[index];
    switch (in.kind) {
      case Operand::Kind::kNone:
        return;
      case Operand::Kind::kRegister:
      case Operand::Kind::kZero:
        s = register_operand(in, kAnySource);
        break;
      case Operand::Kind::kImmediate:
        s.kind = isa::Operand::Kind::kImmediate;
        s.value = in.value;
        break;
      case Operand::Kind::kSpecial:
        s.kind = isa::Operand::Kind::kSpecial;
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
    const bool has_immediate = in_.sources[0].is_immediate() || in_.sources[1].is_immediate();
    if (has_immediate && !takes_small_number(in_.operation)) out_.form = isa::Form::kLongImmediate;
    if (isa::is_control(in_.operation)) out_.form = isa::Form::kLongControl;
    if (isa::info(in_.operation).is(isa::Trait::kVotes)) {
      out_.writes_condition = false;
      out_.destination = {};
      out_.destination.kind = isa::Operand::Kind::kCondition;
      std::swap(out_.destination.index, out_.condition_destination);
    }
    if (in_.operation == Operation::kAddAddress) {
      out_.sources[0].kind = isa::Operand::Kind::kAddress;
      out_.sources[0].index = in_.address_source;
      out_.sources[0].type = Type::kB16;
    }
    if (in_.operation == Operation::kBarrier) {
      out_.barrier = in_.barrier;
      out_.barrier_threads = in_.barrier_threads;
      out_.barrier_arrive = true;
      out_.barrier_wait = true;
    }
  }

  const Instruction& in_;
  const std::vector<uint32_t>& numbers_;
  uint32_t first_;
  isa::Instruction out_;
};

}  // namespace

isa::Instruction to_g80(const Instruction& instruction, const std::vector<uint32_t>& numbers) {
  return Translator(instruction, numbers, 0).run();
}

bool encodable(const Kernel& kernel, const Instruction& instruction) {
  const uint32_t first = kernel.many_registers ? kManyRegisters : 0;
  return isa::try_encode(Translator(instruction, {}, first).run()).has_value();
}

std::string encoding_problem(const Kernel& kernel, const Instruction& instruction) {
  const uint32_t first = kernel.many_registers ? kManyRegisters : 0;
  std::string problem;
  isa::try_encode(Translator(instruction, {}, first).run(), &problem);
  return problem;
}

bool all_encodable(const Kernel& kernel, const std::vector<uint32_t>& numbers) {
  for (const Block& block : kernel.blocks)
    for (const Instruction& instruction : block.code)
      if (!isa::try_encode(to_g80(instruction, numbers))) return false;
  return true;
}

}  // namespace gvp::kcc::g80
