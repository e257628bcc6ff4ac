// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/demote.h"

#include <algorithm>

namespace gvp::ptx {
namespace {

Type demoted(Type type) { return type == Type::kF64 ? Type::kF32 : type; }

class Demotion {
 public:
  Demotion(const Module& module, Function& function) : module_(module), function_(function) {}

  void run() {
    for (Instruction& instruction : function_.body) rewrite(instruction);
    for (Register& reg : function_.registers) reg.type = demoted(reg.type);
  }

 private:
  void rewrite(Instruction& instruction) const {
    const bool memory = instruction.opcode == Opcode::kLd || instruction.opcode == Opcode::kSt;
    if (memory && instruction.type == Type::kF64 && !passes_parameter(instruction)) {
      fail(module_, instruction, "double precision in memory is not supported",
           "the target maps arithmetic only: use float");
    }
    if (is_integer(instruction.type) && bytes(instruction.type) == 8 && reads_double(instruction)) {
      fail(module_, instruction, "the bits of a double, which is kept as a float",
           "use float, and constants like 1.0f");
    }
    instruction.type = demoted(instruction.type);
    instruction.source_type = demoted(instruction.source_type);
    for (Operand& operand : instruction.operands) shorten(operand);
    for (Operand& operand : instruction.call_arguments) shorten(operand);
  }

  // A parameter of a call, which takes a register in the end; the kernel's own lie in memory.
  bool passes_parameter(const Instruction& instruction) const {
    if (instruction.space != Space::kParameter) return false;
    const uint32_t symbol = instruction.operands[instruction.opcode == Opcode::kLd ? 1 : 0].symbol;
    return !function_.entry ||
           std::none_of(function_.parameters.begin(), function_.parameters.end(),
                        [&](const Operand& own) { return own.index == symbol; });
  }

  bool reads_double(const Instruction& instruction) const {
    bool found = false;
    const auto note = [&](uint32_t v) { found |= function_.registers[v].type == Type::kF64; };
    for_each_register(instruction, note, note);
    return found;
  }

  static void shorten(Operand& operand) {
    for (Operand& element : operand.elements) shorten(element);
    if (!operand.is_immediate() || operand.type != Type::kF64) return;
    operand.value = float_bits(operand.value);
    operand.type = Type::kF32;
  }

  const Module& module_;
  Function& function_;
};

}  // namespace

bool maps_doubles(const Module& module) {
  return module.target.find("map_f64_to_f32") != std::string::npos;
}

void demote_doubles(Module& module) {
  for (Function& function : module.functions) Demotion(module, function).run();
}

}  // namespace gvp::ptx
