// SPDX-License-Identifier: Apache-2.0
// .hex files: code of any instruction set as 32-bit words, one per line or several
// separated by blanks or commas, 0x optional, # starts a comment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gvp {

// Throws Error (bad input) naming file, line and column of what is no word.
std::vector<uint32_t> parse_hex(std::string_view text, const std::string& file);
std::string to_hex(const std::vector<uint32_t>& words);

}  // namespace gvp
