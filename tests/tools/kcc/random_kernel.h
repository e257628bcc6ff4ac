// SPDX-License-Identifier: Apache-2.0
// Random PTX kernels that end, never leave their buffers and use no undefined value: arithmetic of
// all types, nested loops and branches that diverge, breaks, arms with several entries, early
// exits, shared memory between barriers, local and constant memory, calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/tools/ptx/interpreter.h"

namespace gvp::kcc {

struct RandomKernel {
  std::string ptx;
  ptx::Grid grid;
  std::vector<uint32_t> parameters;
  std::vector<uint8_t> memory;  // contents of global memory before the kernel
};

// The same seed gives the same kernel.
RandomKernel random_kernel(uint32_t seed);

}  // namespace gvp::kcc
