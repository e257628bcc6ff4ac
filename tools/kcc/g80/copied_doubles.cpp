// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/copied_doubles.h"

#include <algorithm>
#include <vector>

namespace gvp::kcc::g80 {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

class Copies {
 public:
  explicit Copies(ptx::Function& function) : function_(function) {
    for (const ptx::Register& reg : function.registers)
      only_copied_.push_back(reg.type == Type::kF64);
  }

  void run() {
    // What meets a value that is computed with, in a move or a vector, is no copy either.
    for (bool changed = true; changed;) {
      changed = false;
      for (const Instruction& in : function_.body) {
        if (is_copy(in)) continue;
        for_each_register(in, [&](uint32_t reg) {
          changed |= only_copied_[reg];
          only_copied_[reg] = false;
        });
      }
    }
    for (Instruction& in : function_.body) {
      if (!is_copy(in)) continue;
      in.type = Type::kB64;
      for_each_moved(in, [](Operand& operand) {
        if (operand.is_immediate()) operand.type = Type::kB64;
      });
    }
    for (size_t reg = 0; reg < only_copied_.size(); ++reg)
      if (only_copied_[reg]) function_.registers[reg].type = Type::kB64;
  }

 private:
  static bool may_copy(const Instruction& in) {
    return in.opcode == Opcode::kLd || in.opcode == Opcode::kLdu || in.opcode == Opcode::kSt ||
           in.opcode == Opcode::kMov || in.opcode == Opcode::kSelp;
  }
  // Calls visit(operand) for what is moved, from and to registers.
  template <typename In, typename Visit>
  static void for_each_moved(In& in, Visit visit) {
    const auto look = [&](auto& operand) {
      if (operand.kind != Operand::Kind::kVector) return visit(operand);
      for (auto& element : operand.elements) visit(element);
    };
    switch (in.opcode) {
      case Opcode::kSt:
        return look(in.operands[1]);
      case Opcode::kMov:
        return look(in.operands[0]), look(in.operands[1]);
      case Opcode::kSelp:
        return look(in.operands[0]), look(in.operands[1]), look(in.operands[2]);
      default:
        return look(in.operands[0]);
    }
  }
  // Scalar parameters are floats.
  bool is_copy(const Instruction& in) const {
    if (!may_copy(in) || in.type != Type::kF64) return false;
    const bool memory = in.opcode != Opcode::kMov && in.opcode != Opcode::kSelp;
    if (memory && in.space == ptx::Space::kParameter) return false;
    bool all = true;
    for_each_moved(in, [&](const Operand& operand) {
      const bool reg = operand.is_register() && operand.index < only_copied_.size();
      all &= reg ? only_copied_[operand.index] : operand.is_immediate();
    });
    return all;
  }

  template <typename Visit>
  void for_each_register(const Instruction& in, Visit visit) const {
    const auto look = [&](const Operand& operand) {
      if (operand.is_register() && operand.index < only_copied_.size()) visit(operand.index);
      for (const Operand& element : operand.elements)
        if (element.is_register() && element.index < only_copied_.size()) visit(element.index);
    };
    for (const auto* list : {&in.operands, &in.call_results, &in.call_arguments})
      for (const Operand& operand : *list) look(operand);
  }

  ptx::Function& function_;
  std::vector<bool> only_copied_;  // by register
};

}  // namespace

void copy_doubles_as_words(ptx::Function& function) {
  const auto& registers = function.registers;
  const bool any = std::any_of(registers.begin(), registers.end(),
                               [](const ptx::Register& reg) { return reg.type == Type::kF64; });
  if (any) Copies(function).run();
}

}  // namespace gvp::kcc::g80
