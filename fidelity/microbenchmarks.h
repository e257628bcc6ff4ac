// SPDX-License-Identifier: Apache-2.0
// The FlexGrip micro-benchmarks (tests/data/microbenchmarks): what the published RTL made of
// them, and what the approximately timed model does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/issue_observer.h"
#include "models/gpgpu/flexgrip/kernel.h"

namespace gvp::fidelity {

struct Microbenchmark {
  std::string name;
  std::string what;    // it exercises
  std::string source;  // of the reference: "rtl" or "cycle model"
  unsigned sps = 8;
  bool rtl_bug = false;  // the reference shows a defect of the RTL
  uint64_t cycles = 0;   // the reference
  gpgpu::flexgrip::Kernel kernel;
  std::vector<uint32_t> code;
  // The reference's rows through the pipeline, counted from the first issue; where there is one.
  std::optional<std::vector<gpgpu::flexgrip::IssuedRow>> stages;
};

// Throws Error (bad input) for files that are missing or not as expected.
std::vector<Microbenchmark> read_microbenchmarks(const std::string& folder);

struct MicrobenchmarkRun {
  bool completed = false;
  uint64_t cycles = 0;
  uint64_t warp_instructions = 0;
  std::vector<gpgpu::flexgrip::IssuedRow> rows;  // counted from the first issue
};
MicrobenchmarkRun run(const Microbenchmark& benchmark);

// The first row that differs as text, or "" when the traces are the same.
std::string first_difference(const std::vector<gpgpu::flexgrip::IssuedRow>& ours,
                             const std::vector<gpgpu::flexgrip::IssuedRow>& reference);

}  // namespace gvp::fidelity
