// SPDX-License-Identifier: Apache-2.0
// How the rows of the key table are written; internal to platform/configuration.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/configuration/keys.h"

namespace gvp::platform::rows {

// Each block's rows are in a file of their own: BLOCK_keys.cpp.
std::vector<Key> platform_keys();
std::vector<Key> host_keys();
std::vector<Key> gpgpu_keys();
std::vector<Key> gpgpu_timing_keys();
std::vector<Key> axi_keys();
std::vector<Key> memory_keys();

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

// Which variant of a block: "lt", "at", "rtl" or "rtl:NAME".
Allowed model_name();

}  // namespace gvp::platform::rows
