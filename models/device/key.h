// SPDX-License-Identifier: Apache-2.0
// The configuration keys of a device type, one declarative row each: name, field, what is allowed,
// unit, meaning.  A key sets a field of the type's settings, a plain structure of the type's own;
// its type and default are those of that field.  Names are relative to the instance: the row "sps"
// is the key gpgpu.sps of an instance called gpgpu, and gpgpu1.sps of the next.
#pragma once

#include <any>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/base/error.h"

namespace gvp::device {

// The field that a key sets.
using Field = std::variant<bool*, uint8_t*, uint32_t*, uint64_t*, double*, std::string*>;
// A value as TOML and --set offer it.
using Value = std::variant<bool, int64_t, double, std::string>;

// What a key accepts beyond its type.
struct Allowed {
  double minimum = 0;
  double maximum = 0;  // both 0: no range
  bool power_of_two = false;
  uint32_t multiple_of = 1;
  std::vector<std::string> choices;               // as text; empty: no list
  bool (*accepts)(const std::string&) = nullptr;  // a form of text...
  const char* form = "";                          // ...and how to describe it
};

struct Key {
  std::string name;  // "sps", "timing.poll"
  Field (*field)(std::any& settings);
  Allowed allowed;
  std::string unit;  // "" for none
  std::string meaning;
};

// "boolean", "whole number", "number" or "text".
std::string type_text(const Field& field);
// "8, 16 or 32", "1 to 64", "lt, at or rtl:NAME"...
std::string allowed_text(const Field& field, const Allowed& allowed);
// Sets a field; throws Error (bad input) naming the key for a wrong type or a value that is not
// allowed.
void assign(const Field& field, const Allowed& allowed, const std::string& key, const Value& value,
            const SourceLocation& where);
// Throws Error (bad input) where the settings hold a value that the key INSTANCE.NAME does not
// allow: for models that are configured without a platform.
void require_allowed(const std::string& instance, const Key& key, std::any& settings);

// ---- How rows are written: {"sps", field<&Configuration::sps>, one_of({"8", "16"}), "", "..."}

template <typename T, typename M>
T class_of(M T::*);

template <auto kMember>
Field field(std::any& settings) {
  using T = decltype(class_of(kMember));
  return &(std::any_cast<T&>(settings).*kMember);
}

inline Allowed anything() { return {}; }

inline Allowed range(double minimum, double maximum) {
  Allowed allowed;
  allowed.minimum = minimum;
  allowed.maximum = maximum;
  return allowed;
}

inline Allowed power_of_two(double minimum, double maximum) {
  Allowed allowed = range(minimum, maximum);
  allowed.power_of_two = true;
  return allowed;
}

inline Allowed multiple_of(uint32_t unit, double minimum, double maximum) {
  Allowed allowed = range(minimum, maximum);
  allowed.multiple_of = unit;
  return allowed;
}

inline Allowed one_of(std::vector<std::string> choices) {
  Allowed allowed;
  allowed.choices = std::move(choices);
  return allowed;
}

inline Allowed text_form(bool (*accepts)(const std::string&), const char* form) {
  Allowed allowed;
  allowed.accepts = accepts;
  allowed.form = form;
  return allowed;
}

}  // namespace gvp::device
