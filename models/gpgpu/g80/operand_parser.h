// SPDX-License-Identifier: Apache-2.0
// Reads one operand of an assembly instruction: registers, memory, immediates, guards, labels.
// Internal to the g80 library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "models/gpgpu/g80/instruction.h"
#include "models/gpgpu/g80/scanner.h"

namespace gvp::gpgpu::g80 {

// Names of parameters, shared variables and constants: byte addresses.
using Symbols = std::map<std::string, uint32_t>;

struct Guard {
  Condition condition = Condition::kAlways;
  uint8_t condition_register = 0;
};

struct ParsedOperand {
  Operand operand;
  std::size_t column = 0;
  std::string word;              // kind kNone: a label, or a keyword such as NE
  bool offset_in_bytes = false;  // s[], c1[]..., and symbols; else in units of the access
  bool access_given = false;
  bool is_float = false;       // immediate written as a float
  std::optional<Guard> guard;  // kind kCondition: written with a condition, "C0.NE"
  // Memory: the address register of the whole instruction.
  uint8_t address_register = 0;
  bool post_increment = false;
};

class OperandParser {
 public:
  OperandParser(Scanner& scanner, const Symbols& symbols) : scanner_(scanner), symbols_(symbols) {}

  ParsedOperand parse();
  // "C0.NE"; the scanner stands after '@' or '('.
  Guard parse_guard();

 private:
  void parse_atom(ParsedOperand& parsed);
  void parse_named(ParsedOperand& parsed, const std::string& name);
  bool parse_register(ParsedOperand& parsed, const std::string& name);
  bool parse_memory(ParsedOperand& parsed, const std::string& name);
  void parse_address(ParsedOperand& parsed);
  bool parse_address_register(ParsedOperand& parsed, bool& negative, bool& more);
  bool parse_symbol(ParsedOperand& parsed);
  void parse_access(ParsedOperand& parsed);
  Guard finish_guard(const std::string& name, std::size_t start);

  Scanner& scanner_;
  const Symbols& symbols_;
};

}  // namespace gvp::gpgpu::g80
