// SPDX-License-Identifier: Apache-2.0
// Values to text and back, as TOML writes them.
#pragma once

#include <cstdint>
#include <string>

#include "models/device/key.h"

namespace gvp::device {

std::string toml_text(bool value);
std::string toml_text(uint8_t value);
std::string toml_text(uint32_t value);
std::string toml_text(uint64_t value);
std::string toml_text(double value);  // shortest text that reads back as the same number
std::string toml_text(const std::string& value);  // quoted and escaped
std::string toml_text(const Value& value);
std::string plain_text(const Value& value);  // like toml_text, without quotes
std::string number_text(double value);       // whole numbers without point or exponent

// A number, a truth value, or else text.
Value parse_value(const std::string& text);
// text without the quotes around it, if it has them.
std::string unquoted(const std::string& text);

}  // namespace gvp::device
