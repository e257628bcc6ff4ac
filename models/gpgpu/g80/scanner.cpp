// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "models/base/error.h"

namespace gvp::gpgpu::g80 {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_name_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

void Scanner::skip_space() {
  while (position_ < line_.size() &&
         (line_[position_] == ' ' || line_[position_] == '\t' || line_[position_] == '\r'))
    ++position_;
}

bool Scanner::at_end() { return peek() == 0; }

char Scanner::peek() {
  skip_space();
  return position_ < line_.size() ? line_[position_] : '\0';
}

bool Scanner::accept(char c) {
  if (peek() != c) return false;
  ++position_;
  return true;
}

bool Scanner::accept_no_space(char c) {
  if (position_ >= line_.size() || line_[position_] != c) return false;
  ++position_;
  return true;
}

void Scanner::expect(char c, const char* after) {
  if (accept(c)) return;
  if (at_end()) fail(fmt::format("'{}' is missing after {}", c, after));
  fail(fmt::format("'{}' expected after {}, not \"{}\"", c, after, rest()));
}

std::string Scanner::name(std::string_view extra) {
  skip_space();
  const std::size_t start = position_;
  while (position_ < line_.size() &&
         (is_name_char(line_[position_]) || extra.find(line_[position_]) != std::string_view::npos))
    ++position_;
  return std::string(line_.substr(start, position_ - start));
}

std::optional<Scanner::Number> Scanner::number() {
  skip_space();
  const std::size_t start = position_;
  std::size_t p = start;
  if (p >= line_.size() || !is_digit(line_[p])) return std::nullopt;
  const bool prefixed = line_[p] == '0' && p + 1 < line_.size();
  const char base = prefixed ? lower(line_[p + 1]) : '\0';
  if (base == 'x' || (base == 'f' && p + 10 <= line_.size())) {
    p += 2;
    uint64_t value = 0;
    const std::size_t digits = p;
    for (; p < line_.size() && is_hex_digit(line_[p]); ++p) {
      value = value << 4 |
              static_cast<uint64_t>(std::strtoul(std::string(1, line_[p]).c_str(), nullptr, 16));
      if (value > 0xffffffffu) fail_at(start, "number does not fit in 32 bits");
    }
    if (p == digits) fail_at(start, "hexadecimal digits are missing after 0x");
    position_ = p;
    return Number{static_cast<uint32_t>(value), base == 'f'};
  }
  while (p < line_.size() && is_digit(line_[p])) ++p;
  const bool fraction = p + 1 < line_.size() && line_[p] == '.' && is_digit(line_[p + 1]);
  const bool exponent = p < line_.size() && lower(line_[p]) == 'e' && p + 1 < line_.size() &&
                        (is_digit(line_[p + 1]) || line_[p + 1] == '-' || line_[p + 1] == '+');
  if (fraction || exponent) {
    const std::string text(line_.substr(start));
    char* end = nullptr;
    const float value = std::strtof(text.c_str(), &end);
    position_ = start + static_cast<std::size_t>(end - text.c_str());
    accept_no_space('f');
    Number number{0, true};
    std::memcpy(&number.value, &value, sizeof value);
    return number;
  }
  uint64_t value = 0;
  for (std::size_t d = start; d < p; ++d) {
    value = value * 10 + static_cast<uint64_t>(line_[d] - '0');
    if (value > 0xffffffffu) fail_at(start, "number does not fit in 32 bits");
  }
  position_ = p;
  return Number{static_cast<uint32_t>(value), false};
}

uint32_t Scanner::required_number(const char* what) {
  const bool negative = accept('-');
  const auto value = number();
  if (!value) fail(fmt::format("{} expected: a number", what));
  if (!negative) return value->value;
  return value->is_float ? value->value ^ 0x80000000u : 0u - value->value;
}

std::string Scanner::rest() {
  skip_space();
  const std::size_t end = std::min(line_.find(',', position_), line_.size());
  return std::string(line_.substr(position_, std::max(end, position_ + 1) - position_));
}

void Scanner::fail(const std::string& what, const std::string& remedy) {
  skip_space();
  fail_at(position_, what, remedy);
}

void Scanner::fail_at(std::size_t position, const std::string& what,
                      const std::string& remedy) const {
  // Tabs stay tabs below the line, so that the caret stands right.
  std::string caret;
  for (std::size_t n = 0; n < position && n < line_.size(); ++n)
    caret += line_[n] == '\t' ? '\t' : ' ';
  throw bad_input(fmt::format("{}\n    {}\n    {}^", what, line_, caret),
                  {file_, line_number_, static_cast<uint32_t>(position + 1)}, remedy);
}

}  // namespace gvp::gpgpu::g80
