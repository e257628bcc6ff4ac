// SPDX-License-Identifier: Apache-2.0
// The FlexGrip micro-benchmarks (tests/data/microbenchmarks): what the published RTL made of
// them, and what the approximately timed model does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/kernel.h"
#include "models/gpgpu/flexgrip/program_profile.h"

namespace gvp::fidelity {

// One row (pass through the pipeline) of one warp instruction: the clock cycles at which it was
// issued and left each stage.
struct IssuedRow {
  uint32_t warp = 0;  // slot in the SM
  uint32_t row = 0;
  uint32_t pc = 0;
  uint64_t issue = 0;
  uint64_t fetch = 0;
  uint64_t decode = 0;
  uint64_t read = 0;
  uint64_t execute = 0;
  uint64_t write = 0;
};

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
  std::optional<std::vector<IssuedRow>> stages;
};

// Throws Error (bad input) for files that are missing or not as expected.
std::vector<Microbenchmark> read_microbenchmarks(const std::string& folder);

struct MicrobenchmarkRun {
  bool completed = false;
  uint64_t cycles = 0;
  uint64_t warp_instructions = 0;
  std::vector<IssuedRow> rows;                            // counted from the first issue
  std::vector<gpgpu::flexgrip::ProgramProfile> profiles;  // by SM
};
MicrobenchmarkRun run(const Microbenchmark& benchmark);

// The first row that differs as text, or "" when the traces are the same.
std::string first_difference(const std::vector<IssuedRow>& ours,
                             const std::vector<IssuedRow>& reference);

}  // namespace gvp::fidelity
