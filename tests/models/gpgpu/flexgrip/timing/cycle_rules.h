// SPDX-License-Identifier: Apache-2.0
// The cycles of a kernel, worked out a second time: rows through the five stages, warp scheduler,
// barriers and batches written down once more from the rules that simulation of the published RTL
// confirmed, with numbers in place of configuration keys and costs that the test gives for each
// instruction.  Nothing of models/gpgpu/flexgrip/timing is used; what instructions do (masks,
// branches, barriers, ends of warps) is asked of the model's functional half.
#pragma once

#include <cstdint>
#include <map>

#include "fidelity/microbenchmarks.h"

namespace gvp::fidelity {

// What one instruction costs in cycles.
struct RuleCosts {
  unsigned bytes = 8;          // its own
  unsigned read = 8;           // every row
  unsigned read_lane = 0;      // bytes that each active lane reads from memory
  bool nop = false;            // nothing more in the first row
  bool predicate = false;      // the first row reads it
  bool join = false;           // ... and pops the stack, if there is something on it
  unsigned execute = 2;        // every row
  bool execute_lanes = false;  // and one for each SP
  bool push = false;           // the first row pushes the stack
  bool branch = false;         // the same, if it diverges
  bool leave = false;          // RET
  unsigned write = 8;          // every row
  unsigned write_lane = 0;     // bytes that each active lane writes to memory
  bool barrier = false;
};

using KernelCosts = std::map<uint32_t, RuleCosts>;  // by address

// Cycles from the start of block scheduling to kernel done, and the rows on their way.
MicrobenchmarkRun run_by_rules(const Microbenchmark& kernel, const KernelCosts& costs);

}  // namespace gvp::fidelity
