// SPDX-License-Identifier: Apache-2.0
// Reads one line of assembly text: white space, comments, names, numbers; remembers columns for
// messages.  Internal to the g80 library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "models/base/nearest.h"

namespace gvp::gpgpu::g80 {

class Scanner {
 public:
  Scanner(std::string_view line, std::string file, uint32_t line_number)
      : line_(line), file_(std::move(file)), line_number_(line_number) {}

  void skip_space();
  bool at_end();        // nothing but white space and comments is left
  char peek();          // next character after white space; 0 at the end
  bool accept(char c);  // consumes c if it is next
  void expect(char c, const char* after);
  bool accept_no_space(char c);                   // the same, without skipping white space first
  std::string name(std::string_view extra = "");  // letters, digits, _ $ and `extra`
  // An unsigned number: 0x.., decimal, or a float literal (then the bits of the float).
  struct Number {
    uint32_t value = 0;
    bool is_float = false;
  };
  std::optional<Number> number();
  uint32_t required_number(const char* what);  // with optional sign, two's complement
  // The part of the line up to the next comma or end, for messages.
  std::string rest();

  std::size_t position() const { return position_; }
  void seek(std::size_t position) { position_ = position; }
  std::string_view line() const { return line_; }
  uint32_t line_number() const { return line_number_; }
  const std::string& file() const { return file_; }

  // Throws gvp::Error at a position (or here): message, the line and a caret.
  [[noreturn]] void fail(const std::string& what, const std::string& remedy = "");
  [[noreturn]] void fail_at(std::size_t position, const std::string& what,
                            const std::string& remedy = "") const;

 private:
  std::string_view line_;
  std::string file_;
  uint32_t line_number_;
  std::size_t position_ = 0;
};

}  // namespace gvp::gpgpu::g80
