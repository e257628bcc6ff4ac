// SPDX-License-Identifier: Apache-2.0
// Runs a kernel of a G80 module on FlexGrip's functional core (no time, no SystemC), for tests.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/g80/module.h"
#include "tests/tools/ptx/interpreter.h"

namespace gvp::kcc {

struct RunResult {
  std::string fault;  // empty: done
  uint64_t warp_instructions = 0;
};

// global: the device's memory from address 0.  __device__ variables are appended to it.
RunResult run_on_machine(const gpgpu::g80::Module& module, const std::string& kernel,
                         const ptx::Grid& grid, const std::vector<uint32_t>& parameters,
                         std::vector<uint8_t>& global);

}  // namespace gvp::kcc
