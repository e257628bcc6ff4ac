// SPDX-License-Identifier: Apache-2.0
// What passes have in common that copy a function's body, instruction by instruction, and put
// others in the place of some: these are on the lines of those that they replace.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tools/ptx/module.h"

namespace gvp::ptx {

// An immediate operand.
inline Operand word(uint32_t value) {
  Operand operand;
  operand.kind = Operand::Kind::kImmediate;
  operand.value = value;
  return operand;
}

class Rewriting {
 protected:
  // name: of the registers that are added
  Rewriting(Function& function, const char* name) : function_(function), name_(name) {}

  // What `rewrite` appends to `out_` for each instruction becomes the body.
  template <typename Rewrite>
  void rewrite_body(Rewrite rewrite) {
    for (const Instruction& instruction : function_.body) {
      current_ = &instruction;
      rewrite(instruction);
    }
    current_ = nullptr;
    function_.body = std::move(out_);
  }

  Instruction plain(Opcode opcode, Type type, std::vector<Operand> operands = {}) const {
    Instruction out;
    out.opcode = opcode;
    out.type = type;
    out.position = current_->position;
    out.source = current_->source;
    out.operands = std::move(operands);
    return out;
  }
  uint32_t add_register(Type type) {
    function_.registers.push_back({name_, type});
    return static_cast<uint32_t>(function_.registers.size() - 1);
  }
  // A register of its own.
  Operand fresh(Type type) {
    Operand operand;
    operand.kind = Operand::Kind::kRegister;
    operand.index = add_register(type);
    operand.position = current_->position;
    return operand;
  }

  Function& function_;
  const Instruction* current_ = nullptr;
  std::vector<Instruction> out_;

 private:
  const char* name_;
};

}  // namespace gvp::ptx
