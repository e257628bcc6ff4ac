// SPDX-License-Identifier: Apache-2.0
// The configuration keys, one declarative row each: name, field, what is allowed, unit, meaning.
// Reading (toml.h), --set, --dump-config and docs/configuration.md all come from these rows.  A
// key's type and default are those of the field in a default Configuration.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/base/error.h"
#include "platform/configuration/configuration.h"

namespace gvp::platform {

// The field of a Configuration that a key stands for.
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
  std::string name;  // "gpgpu.sps"
  Field (*field)(Configuration&);
  Allowed allowed;
  std::string unit;  // "" for none
  std::string meaning;

  std::string section() const;  // "gpgpu"; "" for a top-level key
  std::string leaf() const;     // "sps"
};

// All keys, section by section, top-level keys first.
const std::vector<Key>& keys();
const Key* find_key(std::string_view name);
// Throws the error for a name that is no key, with the nearest one as remedy.
[[noreturn]] void refuse_unknown_key(const std::string& name, const SourceLocation& where);

// Sets a key's field; throws Error (bad input) for a wrong type or a value that is not allowed.
void assign(Configuration& configuration, const Key& key, const Value& value,
            const SourceLocation& where);
// Applies "KEY=VALUE" (--set).  Numbers as in TOML; text with or without quotes.
void assign(Configuration& configuration, const std::string& key_is_value);

// The current value as TOML writes it.
std::string value_text(const Configuration& configuration, const Key& key);
// "boolean", "whole number", "number" or "text".
std::string type_text(const Key& key);
// "8, 16 or 32", "1 to 64", "lt, at or rtl:NAME"...
std::string allowed_text(const Key& key);

}  // namespace gvp::platform
