// SPDX-License-Identifier: Apache-2.0
// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>

namespace gvp::platform {

std::string time_text(uint64_t picoseconds);  // "12.35 ms"
std::string count_text(double count);         // "1.23 M"
std::string bytes_text(uint64_t bytes);       // "4.0 MiB"

}  // namespace gvp::platform
