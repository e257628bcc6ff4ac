// SPDX-License-Identifier: Apache-2.0
// The assembler behind assembler.h: state and helpers that its source files share.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/base/error.h"
#include "models/gpgpu/g80/instruction_parser.h"
#include "models/gpgpu/g80/layout.h"
#include "models/gpgpu/g80/module.h"
#include "models/gpgpu/g80/scanner.h"

namespace gvp::gpgpu::g80 {

class Assembler {
 public:
  explicit Assembler(std::string file) : file_(std::move(file)) {}

  Module run(std::string_view source);
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  // Statements (assembler.cpp)
  void statement(Scanner& scanner);
  bool listing_line(Scanner& scanner);
  void begin_kernel(const std::string& name);
  void finish_kernel();
  void throw_errors() const;
  Kernel& kernel(Scanner& scanner);

  // Directives (assembler_directives.cpp)
  void directive(Scanner& scanner);
  void parse_words(Scanner& scanner);
  struct Place {
    unsigned bank = 0;
    uint32_t offset = 0;
  };
  struct Contents {
    uint32_t bytes = 0;
    std::vector<uint32_t> words;
  };
  Place parse_place(Scanner& scanner, const char* example);
  Contents parse_contents(Scanner& scanner, uint32_t most_bytes);
  void define_in_module(Scanner& scanner, std::size_t column, const std::string& name,
                        uint32_t value);
  void parse_constant(Scanner& scanner);
  void parse_global(Scanner& scanner);
  void parse_parameter(Scanner& scanner);
  void parse_shared(Scanner& scanner);
  uint32_t parse_size(Scanner& scanner, const char* what, uint32_t maximum);
  void define(Scanner& scanner, std::size_t column, const std::string& name, uint32_t value);

  std::string file_;
  Module module_;
  Symbols module_symbols_;
  // Of the kernel being read:
  bool in_kernel_ = false;
  Kernel kernel_;
  Symbols symbols_;
  Layout layout_;
  bool registers_given_ = false;
  bool barriers_given_ = false;
  bool shared_given_ = false;
  bool parameters_given_ = false;
  uint32_t parameter_end_ = kSharedHeaderBytes;
  uint32_t shared_end_ = kSharedHeaderBytes;
  uint32_t next_relocation_ = 0;
  std::vector<Error> errors_;
  std::vector<std::string> warnings_;
};

}  // namespace gvp::gpgpu::g80
