// SPDX-License-Identifier: Apache-2.0
// Platform files: TOML in, TOML out.
#pragma once

#include <string>
#include <string_view>

#include "platform/configuration/configuration.h"

namespace gvp::platform {

// Applies a platform file over configuration.  Errors name file, line and column.
void read_file(Configuration& configuration, const std::string& path);
void read_text(Configuration& configuration, std::string_view text, const std::string& name);

// The complete configuration with a comment on each key; reads back as the same configuration.
std::string write_toml(const Configuration& configuration);

}  // namespace gvp::platform
