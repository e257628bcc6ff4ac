// SPDX-License-Identifier: Apache-2.0
// What the key uart16550.line says.
#pragma once

#include <string>

#include "platform/configuration/keys.h"

namespace gvp::platform {

inline std::string line_of(Configuration configuration) {
  const Key* key = find_key(configuration, "uart16550.line");
  return *std::get<std::string*>(key->field(configuration));
}

}  // namespace gvp::platform
