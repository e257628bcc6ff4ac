// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/base/nearest.h"
#include "platform/configuration/rows.h"
#include "platform/configuration/value_text.h"

namespace gvp::platform {
namespace {

std::vector<Key> all_rows() {
  std::vector<Key> all;
  for (auto rows : {rows::platform_keys, rows::axi_keys, rows::host_keys, rows::gpgpu_keys,
                    rows::gpgpu_timing_keys, rows::memory_keys})
    for (Key& key : rows()) all.push_back(std::move(key));
  return all;
}

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

}  // namespace

std::string Key::section() const {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

std::string Key::leaf() const {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

const std::vector<Key>& keys() {
  static const std::vector<Key> all = all_rows();
  return all;
}

const Key* find_key(std::string_view name) {
  for (const Key& key : keys())
    if (key.name == name) return &key;
  return nullptr;
}

void refuse_unknown_key(const std::string& name, const SourceLocation& where) {
  std::vector<std::string> names;
  for (const Key& key : keys()) names.push_back(key.name);
  const std::string meant = nearest(name, names);
  throw bad_input(fmt::format("unknown key \"{}\"", name), where,
                  meant.empty() ? "gpgpu-vp --help-config lists the keys"
                                : fmt::format("did you mean \"{}\"?", meant));
}

void assign(Configuration& configuration, const Key& key, const Value& value,
            const SourceLocation& where) {
  const Field field = key.field(configuration);
  if (!std::visit(Converter{value}, field))
    throw bad_input(
        fmt::format("{} needs a {}, not {}", key.name, type_text(key), toml_text(value)), where,
        fmt::format("allowed: {}", allowed_text(key)));
  if (!is_allowed(key.allowed, value))
    throw bad_input(fmt::format("{} = {} is not possible", key.name, toml_text(value)), where,
                    fmt::format("allowed: {}", allowed_text(key)));
  std::visit(Setter{value}, field);
}

void assign(Configuration& configuration, const std::string& key_is_value) {
  const SourceLocation where{fmt::format("--set {}", key_is_value)};
  const size_t equals = key_is_value.find('=');
  if (equals == std::string::npos || equals == 0)
    throw bad_input(equals == 0 ? "no key given" : "no value given", where,
                    "write --set KEY=VALUE, such as --set gpgpu.sps=16");
  const std::string name = key_is_value.substr(0, equals);
  const Key* key = find_key(name);
  if (key == nullptr) refuse_unknown_key(name, where);
  const std::string text = key_is_value.substr(equals + 1);
  const bool is_text = std::holds_alternative<std::string*>(key->field(configuration));
  assign(configuration, *key, is_text ? Value(unquoted(text)) : parse_value(text), where);
}

std::string value_text(const Configuration& configuration, const Key& key) {
  Configuration copy = configuration;
  return std::visit([](auto* field) { return toml_text(*field); }, key.field(copy));
}

std::string type_text(const Key& key) {
  struct {
    std::string operator()(bool*) const { return "boolean"; }
    std::string operator()(uint8_t*) const { return "whole number"; }
    std::string operator()(uint32_t*) const { return "whole number"; }
    std::string operator()(uint64_t*) const { return "whole number"; }
    std::string operator()(double*) const { return "number"; }
    std::string operator()(std::string*) const { return "text"; }
  } names;
  Configuration any;
  return std::visit(names, key.field(any));
}

std::string allowed_text(const Key& key) {
  const Allowed& allowed = key.allowed;
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
  return type_text(key) == "boolean" ? "true or false" : "any";
}

}  // namespace gvp::platform
