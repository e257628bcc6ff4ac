// SPDX-License-Identifier: Apache-2.0
// Compiles the thesis's benchmarks from CUDA C (fidelity/kernels) and runs them on the
// approximately timed GPGPU, without a host; results are compared with what is right.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fidelity/benchmarks.h"

namespace gvp::fidelity {

struct Tools {
  std::string folder;   // of kcc and gpgpu-run
  std::string source;   // fidelity/kernels/benchmarks.cu
  std::string configs;  // folder of the platform files
  std::string work;     // folder for temporary files
};

// How the kernels are made and launched, and on what device.
struct KernelSetting {
  std::string name;
  std::string level;                 // of optimisation: "-O2"
  std::string config;                // platform file: "flexgrip_thesis.toml"
  std::vector<std::string> changes;  // of the platform file: "gpgpu.timing.lane_byte=1"
  Blocks blocks;
};

struct Device {
  unsigned sms;
  unsigned sps;
};

struct KernelRun {
  uint64_t cycles = 0;
  unsigned stack_depth = 0;  // of a warp, at most
};

class CompiledKernels {
 public:
  // Throws Error (model error) when kcc fails.
  CompiledKernels(const Tools& tools, const KernelSetting& setting);
  // Throws Error (model error) when the kernel fails or its result is wrong.
  KernelRun run(const std::string& benchmark, uint32_t size, Device device) const;

 private:
  Tools tools_;
  KernelSetting setting_;
  std::string cubin_;
};

}  // namespace gvp::fidelity
