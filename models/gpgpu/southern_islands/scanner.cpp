// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "models/base/error.h"

namespace gvp::gpgpu::southern_islands {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '$' || c == '@';
}

std::string_view without_comment(std::string_view line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (line[i] == ';' || (line[i] == '/' && i + 1 < line.size() && line[i + 1] == '/'))
      return line.substr(0, i);
  }
  return line;
}

}  // namespace

Scanner::Scanner(std::string_view line, std::string file, uint32_t line_number)
    : line_(without_comment(line)), file_(std::move(file)), line_number_(line_number) {}

void Scanner::skip_space() {
  while (position_ < line_.size() &&
         (line_[position_] == ' ' || line_[position_] == '\t' || line_[position_] == '\r'))
    ++position_;
}

bool Scanner::at_end() {
  skip_space();
  return position_ >= line_.size();
}

char Scanner::peek() { return at_end() ? '\0' : line_[position_]; }

bool Scanner::accept(char c) {
  if (at_end() || line_[position_] != c) return false;
  ++position_;
  return true;
}

void Scanner::expect(char c, const char* after) {
  if (!accept(c)) fail(fmt::format("expected '{}' after {}", c, after));
}

std::string_view Scanner::name() {
  skip_space();
  const std::size_t start = position_;
  while (position_ < line_.size() && is_name(line_[position_])) ++position_;
  return line_.substr(start, position_ - start);
}

bool Scanner::starts_number() {
  const char c = peek();
  return is_digit(c) ||
         (c == '-' && position_ + 1 < line_.size() && is_digit(line_[position_ + 1]));
}

Scanner::Number Scanner::number() {
  skip_space();
  const std::size_t start = position_;
  const bool negative = accept('-');
  std::size_t end = position_;
  const bool hexadecimal = line_.substr(end, 2) == "0x" || line_.substr(end, 2) == "0X";
  while (end < line_.size() &&
         (is_name(line_[end]) ||
          (!hexadecimal && (line_[end] == '-' || line_[end] == '+') && end > position_ &&
           (line_[end - 1] == 'e' || line_[end - 1] == 'E'))))
    ++end;
  const std::string digits(line_.substr(position_, end - position_));
  if (digits.empty() || !is_digit(digits[0])) fail_at(start, "expected a number");
  Number result;
  char* stop = nullptr;
  errno = 0;
  if (!hexadecimal && digits.find_first_of(".eE") != std::string::npos) {
    result.is_float = true;
    result.real = std::strtod(digits.c_str(), &stop) * (negative ? -1 : 1);
  } else {
    const bool octal = !hexadecimal && digits[0] == '0' && digits.size() > 1;
    const uint64_t magnitude = std::strtoull(digits.c_str() + (hexadecimal ? 2 : 0), &stop,
                                             hexadecimal ? 16
                                             : octal     ? 8
                                                         : 10);
    if (hexadecimal && digits.size() == 2) fail_at(start, "expected digits after 0x");
    if (negative && magnitude > uint64_t{1} << 63) errno = ERANGE;
    result.integer = static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
  }
  if (*stop != '\0') fail_at(start, fmt::format("\"{}\" is no number", digits));
  if (errno == ERANGE) fail_at(start, fmt::format("{} is out of range", digits));
  position_ = end;
  return result;
}

int64_t Scanner::integer(int64_t least, int64_t most, const char* what) {
  const std::size_t start = position();
  const Number value = number();
  if (value.is_float) fail_at(start, fmt::format("{} must be an integer", what));
  if (value.integer < least || value.integer > most)
    fail_at(start, fmt::format("{} is {}, and may be {} to {}", what, value.integer, least, most));
  return value.integer;
}

std::size_t Scanner::position() {
  skip_space();
  return position_;
}

void Scanner::fail(const std::string& what, const std::string& remedy) {
  fail_at(position(), what, remedy);
}

void Scanner::fail_at(std::size_t position, const std::string& what,
                      const std::string& remedy) const {
  throw bad_input(what, {file_, line_number_, static_cast<uint32_t>(position + 1)}, remedy);
}

}  // namespace gvp::gpgpu::southern_islands
