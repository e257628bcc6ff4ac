// SPDX-License-Identifier: Apache-2.0
// The addresses of one memory instruction of a warp of 32 threads.
#pragma once

#include <array>
#include <cstdint>

namespace gvp::cache {

constexpr unsigned kWarpLanes = 32;

struct WarpAccess {
  std::array<uint32_t, kWarpLanes> addresses{};  // of the lanes that take part
  uint32_t lanes = 0;                            // these; bit i: lane i
  unsigned bytes = 4;                            // of each: 1, 2, 4, 8 or 16, addresses aligned
  bool write = false;
};

}  // namespace gvp::cache
