// SPDX-License-Identifier: Apache-2.0
// The basic blocks of a PTX function and the graph they form.  A guarded ret or exit ends a
// block whose only successor is what follows.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/compiler/graph.h"
#include "tools/ptx/module.h"

namespace gvp::ptx {

struct Block {
  uint32_t begin;  // [begin, end) of Function::body, labels included
  uint32_t end;
};

struct FlowGraph {
  std::vector<Block> blocks;
  std::vector<uint32_t> block_of_label;
  compiler::Graph graph;
};

// Block 0 is the entry and may be empty; the last block may be empty too, when control runs off
// the end of the function.
FlowGraph flow_graph(const Function& function);

bool ends_block(const Instruction& instruction);

}  // namespace gvp::ptx
