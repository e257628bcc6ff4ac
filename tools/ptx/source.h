// SPDX-License-Identifier: Apache-2.0
// The text of a PTX file and errors that point into it: file:line:column, the message, the line
// and a caret below the place.  Lines and columns count from 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gvp::ptx {

struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
};

class Source {
 public:
  Source(std::string file_name, std::string text)
      : name_(std::move(file_name)), text_(std::move(text)) {}

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  std::string_view line(uint32_t number) const;

  // Throws gvp::Error (bad input).  remedy may be empty.
  [[noreturn]] void fail(Position where, const std::string& what,
                         const std::string& remedy = "") const;

 private:
  std::string name_;
  std::string text_;
};

// "\n    <line>\n    <caret>", what a located message ends with.
std::string caret_below(std::string_view line, uint32_t column);

}  // namespace gvp::ptx
