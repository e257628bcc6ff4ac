// SPDX-License-Identifier: Apache-2.0
// The cycles of a kernel, worked out a second time: rows through the five stages, warp scheduler,
// barriers and batches written down once more from the rules that simulation of the published RTL
// confirmed, with numbers in place of configuration keys and costs that the test gives for each
// instruction.  Nothing of models/gpgpu/flexgrip/timing is used; what instructions do (masks,
// branches, barriers, ends of warps) is asked of the model's functional half.
#pragma once

#include "fidelity/microbenchmarks.h"
#include "tools/gvp-cosim/random_kernel.h"

namespace gvp::fidelity {

using cosim::KernelCosts;
using cosim::RuleCosts;

inline Microbenchmark benchmark_of(const cosim::RandomKernel& random, unsigned sps) {
  Microbenchmark benchmark;
  benchmark.name = random.source;
  benchmark.sps = sps;
  benchmark.kernel = random.launch;
  benchmark.code = random.code;
  return benchmark;
}

// Cycles from the start of block scheduling to kernel done, and the rows on their way.
MicrobenchmarkRun run_by_rules(const Microbenchmark& kernel, const KernelCosts& costs);

}  // namespace gvp::fidelity
