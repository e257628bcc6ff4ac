// SPDX-License-Identifier: Apache-2.0
// Reads one line of assembly text: white space, comments (; and //), names, numbers; remembers
// columns for messages.  Internal to the Southern Islands library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gvp::gpgpu::southern_islands {

class Scanner {
 public:
  Scanner(std::string_view line, std::string file, uint32_t line_number);

  bool at_end();        // nothing but white space and comments is left
  char peek();          // next character after white space; 0 at the end
  bool accept(char c);  // consumes c if it is next
  void expect(char c, const char* after);
  std::string_view name();  // letters, digits, _ . $ @; empty: none
  struct Number {
    bool is_float = false;
    int64_t integer = 0;  // a word or a double word in two's complement
    double real = 0;
  };
  bool starts_number();  // a digit, or a minus and a digit
  Number number();
  int64_t integer(int64_t least, int64_t most, const char* what);

  std::size_t position();  // of what comes next
  void seek(std::size_t position) { position_ = position; }
  std::string_view rest() const { return line_.substr(position_); }

  // Throws gvp::Error at a position or at what comes next.
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "");
  [[noreturn]] void fail_at(std::size_t position, const std::string& what,
                            const std::string& remedy = "") const;

 private:
  void skip_space();

  std::string_view line_;  // without comment
  std::string file_;
  uint32_t line_number_;
  std::size_t position_ = 0;
};

}  // namespace gvp::gpgpu::southern_islands
