// SPDX-License-Identifier: Apache-2.0
// Files with memory contents: .hex (32-bit words, little-endian in memory) or anything else as
// bytes.  "-" is standard output, in the form of .hex.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/base/files.h"

namespace gvp::tools {

// Throw Error (bad input).  place: where the contents go.
std::vector<uint8_t> read_image(const std::string& path, const FileKind& place);
void write_image(const std::string& path, const std::vector<uint8_t>& bytes);

}  // namespace gvp::tools
