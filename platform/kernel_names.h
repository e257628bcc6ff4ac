// SPDX-License-Identifier: Apache-2.0
// Names for the kernels in the statistics.  The device knows a kernel only by the hash of its code
// ("code-XXXXXXXX"); firmware carries its kernels as text cubins inside the ELF, so the names are
// found there.  A kernel that comes from elsewhere keeps its hash.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace gvp::platform {

// image: the firmware's bytes.  Renames the elements of statistics["gpgpu"]["kernels"].
void name_kernels(nlohmann::ordered_json& statistics, const std::vector<uint8_t>& image);

}  // namespace gvp::platform
