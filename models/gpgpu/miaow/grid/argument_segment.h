// SPDX-License-Identifier: Apache-2.0
// The argument segment of a launch (kernel_arguments.h), from what a user writes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/southern_islands/kernel_arguments.h"

namespace gvp::gpgpu::miaow {

struct ArgumentSegment {
  std::vector<uint8_t> bytes;
  uint32_t share_bytes = 0;  // of local arguments
};

// arguments: those of the kernel, if they are known.  Then a text is, by the argument's type,
//   pointer       an address: 4096, 0x1000
//   local pointer the bytes behind it: 256
//   number        42, -1, 0x2a, 1.5; of vectors one for each element: 1,2,3,4
// Where they are not known, the text says it: @ADDRESS, local:BYTES, a 32-bit word 42, -1, 0x2a, a
// float 1.5f. share_bytes: the kernel's own, which local arguments follow.  Throws Error (bad
// input) naming the argument for what it cannot take, and for a wrong number of them.
ArgumentSegment argument_segment(const std::string& kernel,
                                 const std::optional<southern_islands::KernelArguments>& arguments,
                                 const std::vector<std::string>& texts,
                                 const std::array<uint32_t, 3>& groups,
                                 const std::array<uint32_t, 3>& local, uint32_t share_bytes);

}  // namespace gvp::gpgpu::miaow
