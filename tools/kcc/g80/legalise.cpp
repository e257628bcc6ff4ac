// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/legalise.h"

#include <algorithm>
#include <optional>

#include "models/base/error.h"
#include "models/gpgpu/g80/disassembler.h"
#include "models/gpgpu/g80/encoder.h"

namespace gvp::kcc::g80 {
namespace {

using isa::Operation;

class Legaliser {
 public:
  Legaliser(Kernel& kernel, bool literals) : kernel_(kernel), literals_(literals) {}

  void run(Block& block) {
    out_.clear();
    for (const Instruction& instruction : block.code) {
      const bool control = instruction.operation == Operation::kSetSync || is_call(instruction) ||
                           instruction.operation == Operation::kReturn;
      if (control) {
        out_.push_back(instruction);
      } else {
        out_.push_back(legal(instruction));
      }
    }
    block.code = std::move(out_);
  }

 private:
  Instruction legal(const Instruction& original) {
    Instruction instruction = original;
    // A plain move of a constant needs no help.
    if (encodable(kernel_, instruction)) return instruction;
    zeros(instruction);
    if (encodable(kernel_, instruction)) return instruction;
    if (auto exchanged = with_exchange(instruction)) return *exchanged;
    if (literals_) {
      if (auto found = with_literals(instruction)) return *found;
    }
    return with_registers(instruction);
  }

  std::optional<Instruction> with_exchange(Instruction instruction) const {
    if (!exchange_sources(instruction) || !encodable(kernel_, instruction)) return std::nullopt;
    return instruction;
  }

  static void zeros(Instruction& instruction) {
    if (instruction.operation == Operation::kMove && !instruction.guard.exists()) return;
    for (Operand& source : instruction.sources) {
      if (!source.is_immediate() || source.value != 0) continue;
      const isa::Type type = source.type;
      source = Operand();
      source.kind = Operand::Kind::kZero;
      source.type = type;
      source.half = is_half(instruction, source);
    }
  }

  static bool is_half(const Instruction& instruction, const Operand& source) {
    const bool product = instruction.operation == Operation::kMultiply ||
                         instruction.operation == Operation::kMultiplyAdd;
    return product && &source != &instruction.sources[2] &&
           (source.type == isa::Type::kU16 || source.type == isa::Type::kS16);
  }

  // The constant as c1[]; one of them if there are several.
  std::optional<Instruction> with_literals(const Instruction& instruction) {
    for (unsigned i : {1U, 2U, 0U}) {
      if (!instruction.sources[i].is_immediate()) continue;
      if (instruction.operation == Operation::kShiftLeft ||
          instruction.operation == Operation::kShiftRight) {
        continue;
      }
      const auto value = static_cast<uint32_t>(instruction.sources[i].value);
      const size_t known = kernel_.literals.size();
      const uint32_t index = literal(value);
      Instruction changed = instruction;
      Operand& source = changed.sources[i];
      const bool half = is_half(instruction, instruction.sources[i]);
      const isa::Type type = source.type;
      const bool negate = source.negate;
      source = Operand();
      source.kind = Operand::Kind::kConstant;
      source.bank = 1;
      source.value = static_cast<int32_t>(4 * index);
      source.access = half ? isa::Type::kB16 : isa::Type::kB32;
      source.type = type;
      source.negate = negate;
      if (changed.operation == Operation::kMove) changed.operation = Operation::kLoadConstant;
      if (encodable(kernel_, changed)) return changed;
      if (auto exchanged = with_exchange(changed)) return exchanged;
      kernel_.literals.resize(known);
    }
    return std::nullopt;
  }

  uint32_t literal(uint32_t value) {
    const auto found = std::find(kernel_.literals.begin(), kernel_.literals.end(), value);
    if (found == kernel_.literals.end()) {
      kernel_.literals.push_back(value);
      return static_cast<uint32_t>(kernel_.literals.size() - 1);
    }
    return static_cast<uint32_t>(found - kernel_.literals.begin());
  }

  // One operand after the other, until the instruction can be encoded.
  Instruction with_registers(Instruction instruction) {
    for (unsigned i : {2U, 1U, 0U}) {
      Operand& source = instruction.sources[i];
      if (!source.is_immediate() && source.kind != Operand::Kind::kShared &&
          source.kind != Operand::Kind::kConstant) {
        continue;
      }
      if (instruction.operation == Operation::kMove && instruction.defines() &&
          !source.is_immediate()) {
        continue;
      }
      source = loaded(instruction, source);
      if (encodable(kernel_, instruction)) return instruction;
      if (auto exchanged = with_exchange(instruction)) return *exchanged;
    }
    throw model_error(
        "kcc has generated \"" + isa::to_text(to_g80(instruction, {})) +
            "\", which has no encoding: " + encoding_problem(kernel_, instruction),
        "kernel " + kernel_.name + ", source line " + std::to_string(instruction.source.line),
        "this is a defect of kcc: please report it with the source");
  }

  Operand loaded(const Instruction& instruction, const Operand& source) {
    Instruction load;
    load.operation =
        source.kind == Operand::Kind::kConstant ? Operation::kLoadConstant : Operation::kMove;
    load.type = isa::Type::kB32;
    load.source = instruction.source;
    load.sources[0] = source;
    load.sources[0].negate = load.sources[0].absolute = load.sources[0].invert = false;
    load.sources[0].type = isa::Type::kNone;
    const bool half = is_half(instruction, source);
    if (half && source.kind == Operand::Kind::kConstant) load.sources[0].access = isa::Type::kU16;
    load.destination = reg(kernel_.new_register());
    out_.push_back(load);
    Operand result = reg(load.destination.reg);
    result.type = source.type;
    result.negate = source.negate;
    result.half = half;
    return result;
  }

  Kernel& kernel_;
  bool literals_;
  std::vector<Instruction> out_;
};

}  // namespace

void legalise(Kernel& kernel, bool literals) {
  Legaliser legaliser(kernel, literals);
  for (Block& block : kernel.blocks) legaliser.run(block);
}

}  // namespace gvp::kcc::g80
