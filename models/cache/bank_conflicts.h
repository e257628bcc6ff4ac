// SPDX-License-Identifier: Apache-2.0
// In how many steps shared memory serves a warp.  FlexGrip's has one port that serves lane after
// lane; NVIDIA's has banks, successive 32-bit words in successive banks, and serves what is free of
// conflicts at once: CUDA C Programming Guide, appendix "Compute Capabilities", F.3.3 for 1.x,
// F.4.3 for 2.x.  No time.
//
// Not here: 128-bit accesses, which FlexGrip's shared memory does not have.
#pragma once

#include <cstdint>
#include <string>

#include "models/cache/warp_access.h"

namespace gvp::cache {

enum class Banking : uint8_t {
  kNone,       // "none": a step for each lane
  kCompute10,  // "compute-1.x": 16 banks, half-warps, one word broadcast a step
  kCompute20,  // "compute-2.x": 32 banks, warps, every word broadcast
};

// Throws Error (bad input) for another name.
Banking banking_of(const std::string& name);

// Steps: 0 where no lane takes part.  Throws Error (model error) for sizes other than 1, 2, 4 and
// 8 bytes.
unsigned bank_steps(Banking rule, const WarpAccess& access);

}  // namespace gvp::cache
