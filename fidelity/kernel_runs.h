// SPDX-License-Identifier: Apache-2.0
// Compiles the thesis's benchmarks from CUDA C (fidelity/kernels) and runs them on the
// approximately timed GPGPU, without a host; results are compared with the host's own.
#pragma once

#include <cstdint>
#include <string>

namespace gvp::fidelity {

struct Tools {
  std::string folder;  // of kcc and gpgpu-run
  std::string source;  // fidelity/kernels/benchmarks.cu
  std::string work;    // folder for temporary files
};

// How the kernels are made.
struct KernelSetting {
  const char* name;
  const char* level;  // of optimisation: "-O0"
  bool tiled;
};

struct Device {
  unsigned sms;
  unsigned sps;
};

class CompiledKernels {
 public:
  // Throws Error (model error) when kcc fails.
  CompiledKernels(const Tools& tools, const KernelSetting& setting);
  // Cycles of a kernel; throws Error (model error) when it fails or its result is wrong.
  uint64_t run(const std::string& benchmark, uint32_t size, Device device) const;

 private:
  Tools tools_;
  std::string cubin_;
};

}  // namespace gvp::fidelity
