// SPDX-License-Identifier: Apache-2.0
// What is done to a device and its RTL in one run of gvp-cosim: a kernel as assembly, its launch,
// what lies in memory, and accesses to the device's windows before, during and after it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/device/launcher.h"
#include "tools/gvp-cosim/traffic.h"

namespace gvp::cosim {

struct Scenario {
  std::vector<std::string> directives;  // ".regs 16": what assembling always begins with
  std::vector<std::string> lines;       // instructions and labels
  std::array<uint32_t, 2> grid{1, 1};
  std::array<uint32_t, 3> block{1, 1, 1};
  uint32_t blocks_per_sm = 0;
  std::vector<uint32_t> parameters;
  std::vector<uint32_t> constants;  // of bank 1, from its beginning on
  std::vector<uint32_t> data;       // of global memory, from its beginning on
  std::vector<Access> accesses;
  unsigned launches = 1;
};

// The same for the same seed.  clocks: with instructions that read the time.
Scenario random_scenario(uint32_t seed, bool clocks = true);

// Assembly, with a RET behind it.
std::string source_of(const Scenario& scenario);
// As gpgpu-run has it; the kernel is in `assembly`, file is what messages call it.
device::LaunchRequest launch_of(const Scenario& scenario, const std::string& file);

}  // namespace gvp::cosim
