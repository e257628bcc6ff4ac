// SPDX-License-Identifier: Apache-2.0
// Runs the benchmark firmware on gpgpu-vp as a user would and reads the table it prints.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvp::fidelity {

// One line of the firmware's table.
struct Measurement {
  std::string benchmark;  // "autocorr", "bitonic", "matrixmul", "reduction", "transpose"
  uint32_t size = 0;      // 64 also for 64x64
  uint64_t host_cycles = 0;
  uint64_t device_cycles = 0;
  double with_copies_ms = 0;  // the kernel with what it takes to get data there and back
  bool verified = false;
};

struct Platform {
  std::string gpgpu_vp;  // executable
  std::string firmware;  // bench.elf
};

// Throws Error (model error) when the run fails or prints what cannot be understood.
std::vector<Measurement> run_benchmarks(const Platform& platform,
                                        const std::vector<std::string>& options,
                                        const std::vector<uint32_t>& sizes);

// For tests: the measurements in what the firmware printed.
std::vector<Measurement> parse_table(const std::string& output);

}  // namespace gvp::fidelity
