// SPDX-License-Identifier: Apache-2.0
// The data of the thesis's five benchmarks (fidelity/kernels/benchmarks.cu, firmware/apps/thesis.c)
// and their right results, worked out here a third time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gvp::fidelity {

using Words = std::vector<uint32_t>;

// Where a kernel's data are in global memory.
constexpr uint32_t kOutput = 0x000000;
constexpr uint32_t kInputA = 0x100000;
constexpr uint32_t kInputB = 0x200000;

struct Launch {
  std::string kernel, grid, block;
  std::vector<uint32_t> parameters;
};

// A benchmark: launches one after the other, each of which finds what the one before has left.
struct Workload {
  std::vector<Launch> launches;
  Words a, b;                 // inputs; b is empty if there is only one
  uint32_t result = kOutput;  // address of the result
  Words expected;             // the result
};

// Largest blocks of the kernels in one dimension; those of the matrices are in the kernels.
struct Blocks {
  unsigned threads = 16;        // of autocorrelation and reduction
  unsigned sort_threads = 128;  // of bitonic sort
};

Workload workload_of(const std::string& benchmark, uint32_t size, const Blocks& blocks);

// FNV-1a, word by word, of the result on the MicroBlaze.
uint32_t host_checksum(const std::string& benchmark, uint32_t size);

}  // namespace gvp::fidelity
