// SPDX-License-Identifier: Apache-2.0
// Platform files: TOML in, TOML out.
#pragma once

#include <string>
#include <string_view>

#include "platform/configuration/configuration.h"

namespace gvp::platform {

// Which board a platform file's `board = "..."` means: the file's, or the one it is told to keep
// (--board goes before the file).
enum class BoardChoice { kFromFile, kKeep };

// Applies a platform file over configuration, which begins anew where the file names a board.  A
// board's path is relative to the platform file.  Errors name file, line and column.
void read_file(Configuration& configuration, const std::string& path,
               BoardChoice choice = BoardChoice::kFromFile);
void read_text(Configuration& configuration, std::string_view text, const std::string& name,
               BoardChoice choice = BoardChoice::kFromFile);

// The complete configuration with a comment on each key; reads back as the same configuration.
std::string write_toml(const Configuration& configuration);

}  // namespace gvp::platform
