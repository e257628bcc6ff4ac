// SPDX-License-Identifier: Apache-2.0
// The parser of one instruction: first its text (instruction_parser.cpp), then what name,
// modifiers and operands mean together (instruction_meaning.cpp).  Internal to the g80 library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpgpu/g80/instruction.h"
#include "models/gpgpu/g80/instruction_parser.h"
#include "models/gpgpu/g80/operand_parser.h"
#include "models/gpgpu/g80/operations.h"
#include "models/gpgpu/g80/scanner.h"

namespace gvp::gpgpu::g80 {

class InstructionReader {
 public:
  InstructionReader(Scanner& scanner, const Symbols& symbols)
      : scanner_(scanner), symbols_(symbols), i_(parsed_.instruction) {}

  ParsedInstruction run();

 private:
  void parse_prefix_guard();
  void parse_name();
  void find_operation(const std::string& stem);
  void parse_modifier(const std::string& modifier, std::size_t column);
  bool parse_numbered_modifier(const std::string& modifier);
  void parse_operands();
  void parse_raw();
  void set_guard(const Guard& guard, std::size_t column);
  void assign_operands();
  void assign_tail(const OperationInfo& operation);
  void assign_target(const ParsedOperand& operand);
  unsigned possible_types() const;
  void check_modifiers();
  void assign_types();
  void assign_memory_types(Operand& memory, Operand& data);
  void assign_factor_types();
  void assign_conversion();
  void resolve_memory(ParsedOperand& parsed, Operand& operand, bool is_destination);
  void combine_signs();
  void choose_form();
  void choose_unit();
  void check();

  Type type_or(Type usual) const { return types_.empty() ? usual : types_.front(); }
  bool any_half() const;
  [[noreturn]] void wrong_operands(const std::string& what, std::size_t column);

  Scanner& scanner_;
  const Symbols& symbols_;
  ParsedInstruction parsed_;
  Instruction& i_;
  std::string name_;  // as written, upper case
  std::vector<Type> types_;
  std::vector<ParsedOperand> operands_;
  bool guarded_ = false;
  bool byte_extract_ = false;
  bool noinc_ = false;
  bool carry_ = false;
  bool special_unit_ = false;
  std::optional<uint8_t> carry_register_;
};

}  // namespace gvp::gpgpu::g80
