// SPDX-License-Identifier: Apache-2.0
#include "models/device/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>

namespace gvp::device {
namespace {

bool parse_whole(const std::string& text, int64_t& number) {
  const bool hex = text.rfind("0x", 0) == 0;
  const size_t digits_at = hex ? 2 : (text[0] == '-' || text[0] == '+' ? 1 : 0);
  if (digits_at >= text.size() || !std::isxdigit(static_cast<unsigned char>(text[digits_at])))
    return false;
  errno = 0;
  char* end = nullptr;
  number = std::strtoll(text.c_str(), &end, hex ? 16 : 10);
  return errno == 0 && *end == '\0';
}

bool parse_number(const std::string& text, double& number) {
  const bool looks_numeric =
      text.find_first_not_of("0123456789+-.eE") == std::string::npos &&
      std::any_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!looks_numeric) return false;
  errno = 0;
  char* end = nullptr;
  number = std::strtod(text.c_str(), &end);
  return errno == 0 && *end == '\0';
}

}  // namespace

std::string toml_text(bool value) { return value ? "true" : "false"; }
std::string toml_text(uint8_t value) { return fmt::format("{}", value); }
std::string toml_text(uint32_t value) { return fmt::format("{}", value); }
std::string toml_text(uint64_t value) { return fmt::format("{}", value); }

std::string toml_text(double value) {
  if (std::abs(value) < 1e15 && value == std::trunc(value)) return fmt::format("{:.1f}", value);
  return fmt::format("{}", value);
}

std::string toml_text(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text += '\\';
      text += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      text += fmt::format("\\u{:04x}", byte);
    } else {
      text += c;
    }
  }
  return text + '"';
}

std::string toml_text(const Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return toml_text(*truth);
  if (const auto* whole = std::get_if<int64_t>(&value)) return fmt::format("{}", *whole);
  if (const auto* number = std::get_if<double>(&value)) return toml_text(*number);
  return toml_text(std::get<std::string>(value));
}

std::string plain_text(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? *text : toml_text(value);
}

std::string number_text(double value) {
  return value == std::trunc(value) && std::abs(value) < 1e18
             ? fmt::format("{}", static_cast<int64_t>(value))
             : fmt::format("{}", value);
}

Value parse_value(const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  std::string digits = text;
  digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
  int64_t whole = 0;
  double number = 0;
  if (!digits.empty() && parse_whole(digits, whole)) return whole;
  if (!digits.empty() && parse_number(digits, number)) return number;
  return unquoted(text);
}

std::string unquoted(const std::string& text) {
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

}  // namespace gvp::device
