// SPDX-License-Identifier: Apache-2.0
// Live variables by block: the backward data-flow problem over any graph.  Variables are numbers;
// the caller says which each block uses before it defines them, and which it defines.
#pragma once

#include <vector>

#include "tools/compiler/bit_set.h"
#include "tools/compiler/graph.h"

namespace gvp::compiler {

struct BlockVariables {
  BitSet used;     // read before any definition in the block
  BitSet defined;  // certainly written in the block
};

struct Liveness {
  std::vector<BitSet> in;
  std::vector<BitSet> out;
};

Liveness liveness(const Graph& graph, const std::vector<BlockVariables>& blocks,
                  uint32_t variables);

}  // namespace gvp::compiler
