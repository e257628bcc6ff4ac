// SPDX-License-Identifier: Apache-2.0
// Runs the thesis's benchmarks on the MicroBlaze alone (firmware/apps/thesis.c), as a user would,
// and compares their results with what is right.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gvp::fidelity {

struct HostProgram {
  std::string gpgpu_vp;  // executable
  std::string firmware;  // thesis.elf
};

// How the program is made, and how the platform is timed.
struct HostSetting {
  std::string name;
  unsigned level;                    // of optimisation: 0 or 2
  std::vector<std::string> options;  // of gpgpu-vp
};

using BenchmarkSize = std::pair<std::string, uint32_t>;
using HostCycles = std::map<BenchmarkSize, uint64_t>;

// Throws Error (model error) when the run fails, prints what cannot be understood or computes
// wrong.
HostCycles run_on_host(const HostProgram& program, const HostSetting& setting,
                       const std::vector<BenchmarkSize>& what);

// For tests: the measurements in what the program printed; throws as above.
HostCycles parse_host_output(const std::string& output);

}  // namespace gvp::fidelity
