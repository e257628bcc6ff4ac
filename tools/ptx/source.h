// SPDX-License-Identifier: Apache-2.0
// The text of a PTX file and errors that point into it: file:line:column, the message, the line
// and a caret below the place.  Lines and columns count from 1.  Of PTX that a compiler has made
// from another file, users know that file only: there, errors point to the line that the nearest
// .loc before the place names, else to where the name at the place is first written, or, of a
// kernel's name, to where it is written in front of the kernel's body.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gvp::ptx {

struct Position {
  uint32_t line = 0;
  uint32_t column = 0;
};

class Source {
 public:
  // generated: file_name is the file that the text was made from.
  Source(std::string file_name, std::string text, bool generated = false)
      : name_(std::move(file_name)), text_(std::move(text)), generated_(generated) {}

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }
  bool generated() const { return generated_; }
  std::string_view line(uint32_t number) const;

  // Throws gvp::Error (bad input).  remedy may be empty.
  [[noreturn]] void fail(Position where, const std::string& what,
                         const std::string& remedy = "") const;

 private:
  [[noreturn]] void fail_in_original(Position where, std::string message) const;
  std::pair<std::string, uint32_t> begin_of_body(uint32_t head) const;
  std::string file_of_number(std::string_view number) const;

  std::string name_;
  std::string text_;
  bool generated_;
};

// A line of a file, empty if there is none.
std::string line_of_file(const std::string& path, uint32_t number);

// "\n    <line>\n    <caret>", what a located message ends with.
std::string caret_below(std::string_view line, uint32_t column);

}  // namespace gvp::ptx
