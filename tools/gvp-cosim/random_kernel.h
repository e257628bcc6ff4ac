// SPDX-License-Identifier: Apache-2.0
// Random kernels with the cycles that each of their instructions costs.  They end, and do nothing
// that the published RTL gets wrong: no RET inside of a divergent region, no local memory, no
// 64-bit accesses, no barrier after the end of a warp.
#pragma once

#include <cstdint>

#include "tests/models/gpgpu/flexgrip/timing/cycle_rules.h"

namespace gvp::fidelity {

struct RandomKernel {
  Microbenchmark kernel;
  KernelCosts costs;
};

// The same for the same seed.  floats: with floating point among the instructions.
RandomKernel random_kernel(uint32_t seed, unsigned sps, bool floats = true);

}  // namespace gvp::fidelity
