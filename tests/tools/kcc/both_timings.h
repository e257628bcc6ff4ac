// SPDX-License-Identifier: Apache-2.0
// A launch on the whole device, with gpgpu-run: what a kernel leaves in memory must not depend on
// timing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/g80/module.h"
#include "tests/tools/ptx/interpreter.h"

namespace gvp::kcc {

using Timings = std::vector<std::string>;  // of gpgpu-run's --timing

// Runs the kernel with each of the timings on the contents `before` of global memory.  What is
// wrong, or nothing: it leaves `after` there, bit for bit, and --check has nothing to say.
// __device__ variables, which gpgpu-run puts elsewhere, are not compared.
std::string wrong_with_timings(const gpgpu::g80::Module& module, const std::string& kernel,
                               const ptx::Grid& grid, const std::vector<uint32_t>& parameters,
                               const std::vector<uint8_t>& before,
                               const std::vector<uint8_t>& after, const Timings& timings);

// Expects that nothing is wrong, loosely and approximately timed.
void expect_with_both_timings(const gpgpu::g80::Module& module, const std::string& kernel,
                              const ptx::Grid& grid, const std::vector<uint32_t>& parameters,
                              const std::vector<uint8_t>& before,
                              const std::vector<uint8_t>& after);

// GPGPU cycles of the kernel, approximately timed.
uint64_t cycles_of(const gpgpu::g80::Module& module, const std::string& kernel,
                   const ptx::Grid& grid, const std::vector<uint32_t>& parameters,
                   const std::vector<uint8_t>& before);

}  // namespace gvp::kcc
