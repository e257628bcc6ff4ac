// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/g80/undefined.h"

#include <utility>
#include <vector>

namespace gvp::kcc::g80 {
namespace {

class Undefined {
 public:
  explicit Undefined(Kernel& kernel) : kernel_(kernel), undefined_(kernel.registers.size(), true) {
    // The machine or a caller defines these.
    undefined_[kThreadIndex] = false;
    for (const uint32_t v : kernel_.parameters)
      if (v != kNoRegister) undefined_[v] = false;
    for (const auto& [v, number] : kernel_.fixed) undefined_[v] = false;
    for (const Block& block : kernel_.blocks)
      for (const Instruction& instruction : block.code)
        for_each_definition(instruction, [&](uint32_t v) { undefined_[v] = false; });
  }

  void run() {
    for (Block& block : kernel_.blocks) set_to_zero(block);
  }

 private:
  bool is_undefined(uint32_t v) const {
    return v < undefined_.size() && kernel_.is_general(v) && undefined_[v];
  }

  void set_to_zero(Block& block) {
    std::vector<Instruction> code;
    code.reserve(block.code.size());
    for (Instruction& instruction : block.code) {
      const auto settle = [&](uint32_t& v) {
        if (!is_undefined(v)) return;
        Instruction zero;
        zero.operation = isa::Operation::kMove;
        zero.destination = reg(v = kernel_.new_register());
        zero.sources[0] = immediate(0);
        zero.source = instruction.source;
        code.push_back(std::move(zero));
      };
      for_each_source(instruction, [&](Operand& operand) { settle(operand.reg); });
      for (uint32_t& argument : instruction.arguments) settle(argument);
      code.push_back(std::move(instruction));
    }
    block.code = std::move(code);
  }

  Kernel& kernel_;
  std::vector<bool> undefined_;  // by register
};

}  // namespace

void define_as_zero(Kernel& kernel) { Undefined(kernel).run(); }

}  // namespace gvp::kcc::g80
