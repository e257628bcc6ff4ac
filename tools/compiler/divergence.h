// SPDX-License-Identifier: Apache-2.0
// Which values and branches may differ between the threads of a warp.  Conservative: a value is
// called uniform only when all active threads of the warp certainly see the same.  Works on
// numbered variables of any intermediate form, in static single assignment form or not.
#pragma once

#include <vector>

#include "tools/compiler/graph.h"
#include "tools/compiler/ways_to_end.h"

namespace gvp::compiler {

inline constexpr uint32_t kNoVariable = ~uint32_t{0};

struct DataFlow {
  struct Statement {
    uint32_t block;
    bool source;  // differs from thread to thread whatever it reads (thread index, loads)
    std::vector<uint32_t> uses;
    std::vector<uint32_t> defines;
  };
  std::vector<Statement> statements;
  std::vector<uint32_t> branch_condition;  // by block; kNoVariable: unconditional
  uint32_t variables = 0;
};

struct Divergence {
  std::vector<bool> variables;
  std::vector<bool> branches;  // by block
};

// initially_divergent: variables that differ from the start.
// meets: as of ways_to_end.h; threads that end do not make those that they leave differ.
Divergence divergence(const Graph& graph, const DataFlow& flow,
                      const std::vector<uint32_t>& initially_divergent, const Meets& meets = {});

}  // namespace gvp::compiler
