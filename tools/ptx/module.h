// SPDX-License-Identifier: Apache-2.0
// A parsed PTX module: symbols (variables and parameters of every scope), functions with their
// registers, labels and instructions.  Names are resolved: operands carry indices.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/ptx/instruction.h"
#include "tools/ptx/source.h"
#include "tools/ptx/types.h"

namespace gvp::ptx {

struct Symbol {
  // A word of the initial value that is the address of another symbol, or (kNoIndex) of a function.
  struct Address {
    uint64_t offset;  // where in the initial value
    uint32_t symbol;
    uint64_t addend;
  };
  std::string name;
  Space space = Space::kGlobal;
  Type type = Type::kNone;  // of an element
  uint32_t alignment = 1;
  uint64_t size = 0;      // bytes; 0 for "extern .shared x[]"
  bool external = false;  // declared here, defined elsewhere (or by the launch)
  std::vector<uint8_t> initial;
  std::vector<Address> addresses;
  Position position;
};

struct Register {
  std::string name;
  Type type = Type::kNone;
};

struct Label {
  std::string name;
  bool defined = false;
  Position position;  // of the definition, or of the first use
};

struct Function {
  std::string name;
  bool entry = false;
  bool defined = false;             // has a body
  bool library = false;             // a code generator's own: its lines mean nothing to the user
  bool separate = false;            // is not to be inlined (.noinline)
  uint32_t most_threads = 0;        // of a block (.maxntid, .reqntid); 0: not said
  uint32_t least_blocks = 0;        // that a multiprocessor shall hold (.minnctapersm); 0: not said
  std::vector<Operand> parameters;  // symbols (.param) or registers (.reg)
  std::vector<Operand> results;
  // Of a function that stays one: what its parameters may point to, as Values tells it.
  std::vector<unsigned> parameter_spaces;
  std::vector<uint32_t> parameter_variables;  // local ones, of what is passed in memory
  std::vector<Register> registers;
  std::vector<Label> labels;
  std::vector<Instruction> body;
  Position position;
};

struct Module {
  explicit Module(Source text) : source(std::move(text)) {}

  Source source;
  std::string version;
  std::string target;
  unsigned address_bits = 32;
  bool wide_addresses = false;  // the code computes addresses in 64 bits
  std::vector<Symbol> symbols;
  std::vector<Function> functions;
  std::map<uint32_t, std::string> files;  // .file directives

  const Function* find_function(const std::string& name) const {
    for (const Function& function : functions) {
      if (function.name == name) return &function;
    }
    return nullptr;
  }
};

// Throws gvp::Error (bad input) that points to the instruction: to the line of CUDA C it comes from
// where the PTX says so (.loc), else to the PTX.
[[noreturn]] void fail(const Module& module, const Instruction& instruction,
                       const std::string& what, const std::string& remedy = "");

// Whether the first operand is a destination.
bool writes_first_operand(const Instruction& instruction);

// Calls use(register index) or define(register index) for everything an instruction reads or
// writes in registers, the guard included.  A guarded write is reported as use and definition.
template <typename Use, typename Define>
void for_each_register(const Instruction& instruction, Use use, Define define) {
  const auto read = [&](const Operand& operand, const auto& self) -> void {
    if (operand.index != kNoIndex && (operand.is_register() || operand.is_memory())) {
      use(operand.index);
    }
    for (const Operand& element : operand.elements) self(element, self);
  };
  const auto write = [&](const Operand& operand, const auto& self) -> void {
    if (operand.is_register()) {
      if (instruction.guard != kNoIndex) use(operand.index);
      define(operand.index);
    }
    for (const Operand& element : operand.elements) self(element, self);
  };
  if (instruction.guard != kNoIndex) use(instruction.guard);
  const bool first_is_written = writes_first_operand(instruction);
  for (size_t i = first_is_written ? 1 : 0; i < instruction.operands.size(); ++i) {
    read(instruction.operands[i], read);
  }
  for (const Operand& argument : instruction.call_arguments) read(argument, read);
  if (first_is_written && !instruction.operands.empty()) write(instruction.operands[0], write);
  write(instruction.second_destination, write);
  for (const Operand& result : instruction.call_results) write(result, write);
}

}  // namespace gvp::ptx
