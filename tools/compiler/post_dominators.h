// SPDX-License-Identifier: Apache-2.0
// What all ways from a node to the end of the program pass.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/compiler/dominators.h"
#include "tools/compiler/graph.h"

namespace gvp::compiler {

// Post-dominators: dominators of the reversed graph, from a virtual exit node behind all nodes
// without successors.  Loops without a way out get an edge to the exit too.
class PostDominators {
 public:
  // without: edges that are no ways past anything (ways_to_end.h)
  explicit PostDominators(const Graph& graph, const Edges& without = {});

  // kNoNode when the nearest is the virtual exit, that is when there is none in the graph.
  uint32_t immediate(uint32_t node) const;
  bool post_dominates(uint32_t below, uint32_t above) const;
  uint32_t common(uint32_t a, uint32_t b) const;  // kNoNode: the virtual exit

 private:
  static Graph with_exit(const Graph& graph, const Edges& without);
  uint32_t visible(uint32_t node) const { return node == exit_ ? kNoNode : node; }

  uint32_t exit_;
  DominatorTree tree_;
};

}  // namespace gvp::compiler
