// SPDX-License-Identifier: Apache-2.0
// The configuration keys of a board: INSTANCE.KEY for every key of every device's type
// (models/device/key.h), BUS.PORT.KEY for every port of its buses, and those of the simulation.
// Reading (toml.h), --set, --dump-config and docs/configuration.md all come from them.  A key's
// type is that of its field, its default the field of a fresh Configuration of the board.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/error.h"
#include "models/device/key.h"
#include "platform/configuration/configuration.h"

namespace gvp::platform {

using device::Allowed;
using device::Field;
using device::Value;

struct Key {
  std::string name;  // "gpgpu.sps"
  std::function<Field(Configuration&)> field;
  Allowed allowed;
  std::string unit;  // "" for none
  std::string meaning;

  std::string section() const;  // "gpgpu"; "" for a top-level key
  std::string leaf() const;     // "sps"
};

// All keys, section by section, top-level keys first; Configuration::keys() has them made.
std::vector<Key> keys_of(const Configuration& configuration);
// Null where there is none.
const Key* find_key(const Configuration& configuration, std::string_view name);
// Throws the error for a name that is no key, with the nearest one as remedy.
[[noreturn]] void refuse_unknown_key(const Configuration& configuration, const std::string& name,
                                     const SourceLocation& where);

// Sets a key's field; throws Error (bad input) for a wrong type or a value that is not allowed.
void assign(Configuration& configuration, const Key& key, const Value& value,
            const SourceLocation& where);
// Applies "KEY=VALUE" (--set).  Numbers as in TOML; text with or without quotes.
void assign(Configuration& configuration, const std::string& key_is_value);

// The current value as TOML writes it.
std::string value_text(const Configuration& configuration, const Key& key);
// "8, 16 or 32", "1 to 64", "lt, at or rtl:NAME"...
std::string allowed_text(const Configuration& configuration, const Key& key);

}  // namespace gvp::platform
