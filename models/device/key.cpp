// SPDX-License-Identifier: Apache-2.0
#include "models/device/key.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/device/value_text.h"

namespace gvp::device {
namespace {

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

bool is_allowed(const Allowed& allowed, const Value& value) {
  if (!allowed.choices.empty()) {
    const std::string text = plain_text(value);
    return std::find(allowed.choices.begin(), allowed.choices.end(), text) != allowed.choices.end();
  }
  if (allowed.accepts != nullptr) return allowed.accepts(std::get<std::string>(value));
  if (allowed.minimum == 0 && allowed.maximum == 0) return true;
  const double number = std::holds_alternative<int64_t>(value)
                            ? static_cast<double>(std::get<int64_t>(value))
                            : std::get<double>(value);
  return number >= allowed.minimum && number <= allowed.maximum &&
         (!allowed.power_of_two || is_power_of_two(number)) &&
         (allowed.multiple_of == 1 || std::fmod(number, allowed.multiple_of) == 0);
}

// The value in the field's own type, or nothing when the types do not go together.
struct Converter {
  const Value& value;

  bool operator()(bool*) const { return std::holds_alternative<bool>(value); }
  bool operator()(uint8_t*) const { return whole(std::numeric_limits<uint8_t>::max()); }
  bool operator()(uint32_t*) const { return whole(std::numeric_limits<uint32_t>::max()); }
  bool operator()(uint64_t*) const { return whole(std::numeric_limits<int64_t>::max()); }
  bool operator()(double*) const {
    return std::holds_alternative<int64_t>(value) ||
           (std::holds_alternative<double>(value) && std::isfinite(std::get<double>(value)));
  }
  bool operator()(std::string*) const { return std::holds_alternative<std::string>(value); }

 private:
  bool whole(int64_t maximum) const {
    const auto* number = std::get_if<int64_t>(&value);
    return number != nullptr && *number >= 0 && *number <= maximum;
  }
};

struct Setter {
  const Value& value;

  void operator()(bool* field) const { *field = std::get<bool>(value); }
  void operator()(uint8_t* field) const { *field = static_cast<uint8_t>(std::get<int64_t>(value)); }
  void operator()(uint32_t* field) const {
    *field = static_cast<uint32_t>(std::get<int64_t>(value));
  }
  void operator()(uint64_t* field) const {
    *field = static_cast<uint64_t>(std::get<int64_t>(value));
  }
  void operator()(double* field) const {
    const auto* whole = std::get_if<int64_t>(&value);
    *field = whole != nullptr ? static_cast<double>(*whole) : std::get<double>(value);
  }
  void operator()(std::string* field) const { *field = std::get<std::string>(value); }
};

struct Getter {
  Value operator()(bool* field) const { return *field; }
  Value operator()(uint8_t* field) const { return int64_t{*field}; }
  Value operator()(uint32_t* field) const { return int64_t{*field}; }
  Value operator()(uint64_t* field) const { return static_cast<int64_t>(*field); }
  Value operator()(double* field) const { return *field; }
  Value operator()(std::string* field) const { return *field; }
};

}  // namespace

std::string type_text(const Field& field) {
  struct {
    std::string operator()(bool*) const { return "boolean"; }
    std::string operator()(uint8_t*) const { return "whole number"; }
    std::string operator()(uint32_t*) const { return "whole number"; }
    std::string operator()(uint64_t*) const { return "whole number"; }
    std::string operator()(double*) const { return "number"; }
    std::string operator()(std::string*) const { return "text"; }
  } names;
  return std::visit(names, field);
}

std::string allowed_text(const Field& field, const Allowed& allowed) {
  if (!allowed.choices.empty()) {
    std::string text = allowed.choices.front();
    for (size_t i = 1; i < allowed.choices.size(); ++i)
      text += (i + 1 == allowed.choices.size() ? " or " : ", ") + allowed.choices[i];
    return text;
  }
  if (allowed.accepts != nullptr) return allowed.form;
  if (allowed.minimum != 0 || allowed.maximum != 0) {
    std::string text =
        fmt::format("{} to {}", number_text(allowed.minimum), number_text(allowed.maximum));
    if (allowed.power_of_two) text += ", a power of two";
    if (allowed.multiple_of > 1) text += fmt::format(", a multiple of {}", allowed.multiple_of);
    return text;
  }
  return std::holds_alternative<bool*>(field) ? "true or false" : "any";
}

void assign(const Field& field, const Allowed& allowed, const std::string& key, const Value& value,
            const SourceLocation& where) {
  if (!std::visit(Converter{value}, field))
    throw bad_input(fmt::format("{} needs a {}, not {}", key, type_text(field), toml_text(value)),
                    where, fmt::format("allowed: {}", allowed_text(field, allowed)));
  // Names of files would end there.
  const auto* text = std::get_if<std::string>(&value);
  if (text != nullptr && text->find('\0') != std::string::npos)
    throw bad_input(fmt::format("{} = {} is not possible", key, toml_text(value)), where,
                    "allowed: a text without zero bytes");
  if (!is_allowed(allowed, value))
    throw bad_input(fmt::format("{} = {} is not possible", key, toml_text(value)), where,
                    fmt::format("allowed: {}", allowed_text(field, allowed)));
  std::visit(Setter{value}, field);
}

void require_allowed(const std::string& instance, const Key& key, std::any& settings) {
  const Field field = key.field(settings);
  const Value value = std::visit(Getter{}, field);
  if (is_allowed(key.allowed, value)) return;
  throw bad_input(fmt::format("{}.{} = {} is not possible", instance, key.name, toml_text(value)),
                  {}, fmt::format("allowed: {}", allowed_text(field, key.allowed)));
}

}  // namespace gvp::device
