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
  std::string folder;   // of kcc, gpgpu-run and g80dis
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
  uint64_t cycles = 0;       // of all launches
  unsigned stack_depth = 0;  // of a warp, at most
};

class CompiledKernels {
 public:
  // Throws Error (model error) when kcc fails.
  CompiledKernels(const Tools& tools, const KernelSetting& setting);
  // Throws Error (model error) when the kernel fails or its result is wrong.
  KernelRun run(const std::string& benchmark, uint32_t size, Device device) const;
  // Whether it has instructions that need the multiplier, or a third operand, which a device may
  // lack (thesis 4.1.3).
  bool multiplies(const std::string& benchmark) const;

 private:
  KernelRun launch(const Launch& launch, Device device,
                   const std::vector<std::string>& memory) const;

  Tools tools_;
  KernelSetting setting_;
  std::string cubin_;
};

}  // namespace gvp::fidelity
