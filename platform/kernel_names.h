// SPDX-License-Identifier: Apache-2.0
// Names for kernels.  The device knows a kernel only by the hash of its code ("code-XXXXXXXX");
// firmware carries its kernels as text cubins inside the ELF, so the names are found there.  A
// kernel that comes from elsewhere keeps its hash.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gvp::platform {

// By what the device would call them.  image: the firmware's bytes.
std::map<std::string, std::string> kernel_names(const std::vector<uint8_t>& image);

}  // namespace gvp::platform
