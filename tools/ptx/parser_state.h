// SPDX-License-Identifier: Apache-2.0
// The recursive-descent parser behind parser.h: state and helpers that its source files
// share.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ptx/lexer.h"
#include "tools/ptx/module.h"

namespace gvp::ptx {

class Parser {
 public:
  explicit Parser(Module& module) : module_(module), tokens_(tokenize(module.source)) {}
  void run();

 private:
  // A numbered family of registers, ".reg .b32 %r<12>": members come into being when used.
  struct RegisterFamily {
    uint64_t count;
    Type type;
  };
  struct Scope {
    std::map<std::string, uint32_t, std::less<>> registers;
    std::map<std::string, RegisterFamily, std::less<>> families;
    std::map<std::string, uint32_t, std::less<>> symbols;
  };

  // Tokens
  const Token& peek(size_t ahead = 0) const;
  const Token& take();
  bool accept(char punctuation);
  bool accept_dotted(std::string_view name);
  void expect(char punctuation);
  std::string_view expect_identifier(const char* what);
  uint64_t expect_integer(const char* what);
  [[noreturn]] void fail(const Token& token, const std::string& what,
                         const std::string& remedy = "") const;

  // Declarations (parser.cpp)
  void find_files();
  void module_directive();
  void version_and_target();
  void file_directive();
  void section();
  void skip_statement();
  bool is_linkage(const Token& token) const;
  Symbol declarator(Space space, bool external);
  void variable(Space space, bool external);
  uint64_t array_bounds(unsigned element_bytes, bool* unsized);
  void initializer(Symbol& symbol, uint64_t& offset);
  void initial_value(Symbol& symbol, uint64_t& offset);
  uint32_t add_symbol(Symbol symbol);
  void registers();
  void function(bool entry, bool external);
  void parameters(std::vector<Operand>& list);
  void function_attributes(Function& function);
  void body();
  void block();
  void check_labels();

  // Instructions (parser_instruction.cpp)
  void statement();
  void location();
  void label(std::string_view name);
  void instruction();
  void modifiers(Instruction& result);
  bool modifier(Instruction& result, const Token& token);
  void type_modifier(Instruction& result, const Token& token, Type type);
  void default_types(Instruction& result, const Token& where);
  void call(Instruction& result);
  std::vector<Operand> argument_list();
  void skip_operands();

  // Operands (parser_operand.cpp)
  void operands(Instruction& result, const OpcodeInfo& opcode);
  Operand operand();
  Operand memory_operand();
  Operand vector_operand();
  Operand number(bool negative);
  Operand named_operand();
  bool special_register(std::string_view name, Operand& result);
  void check_operator(const Instruction& comparison, const Token& where) const;
  void check_operand(const Instruction& instruction, char shape, const Operand& operand) const;
  void adapt_literal(const Instruction& instruction, Operand& operand) const;
  uint32_t label_index(std::string_view name, Position position);
  uint32_t own_register(size_t scope, std::string_view name, Type type);
  uint32_t find_register(std::string_view name);
  uint32_t find_symbol(std::string_view name) const;
  uint32_t new_register(std::string name, Type type);

  Module& module_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
  std::vector<Scope> scopes_;  // the first: the module's
  std::map<std::string, Type, std::less<>> module_registers_;
  Function* function_ = nullptr;
  std::map<std::string, uint32_t, std::less<>> labels_;
  SourceLine source_line_;
  uint64_t initial_bytes_ = 0;  // of all variables so far
};

}  // namespace gvp::ptx
