// SPDX-License-Identifier: Apache-2.0
// Dominators and post-dominators of a control-flow graph, by the iteration of Cooper, Harvey and
// Kennedy ("A Simple, Fast Dominance Algorithm").
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "tools/compiler/graph.h"

namespace gvp::compiler {

class DominatorTree {
 public:
  DominatorTree(const Graph& graph, uint32_t root);

  uint32_t root() const { return root_; }
  bool reachable(uint32_t node) const { return immediate_[node] != kNoNode; }
  // The root's is the root; kNoNode for nodes that the root does not reach.
  uint32_t immediate(uint32_t node) const { return immediate_[node]; }
  bool dominates(uint32_t above, uint32_t below) const;
  // The nearest node that dominates both.
  uint32_t common(uint32_t a, uint32_t b) const;

 private:
  uint32_t meet(uint32_t a, uint32_t b) const;
  void number(const std::vector<uint32_t>& order);

  uint32_t root_;
  std::vector<uint32_t> immediate_;
  std::vector<uint32_t> order_;  // position in reverse post order
  // What a node dominates has the numbers from its own to the last below it: long kernels are deep
  // trees, which are not to be climbed for each question.
  std::vector<uint32_t> number_;
  std::vector<uint32_t> last_;
};

// meets: nodes from which threads come to a place where those of a warp must be together, as a
// barrier is.  The edges on which some of them leave the others to end, as long as those have
// another way to their end.
std::set<std::pair<uint32_t, uint32_t>> ways_to_end(const Graph& graph,
                                                    const std::vector<bool>& meets);

// Whether what lies behind the edge is entered by it alone.
bool is_own_end(const Graph& graph, uint32_t from, uint32_t to);

// Post-dominators: dominators of the reversed graph, from a virtual exit node behind all nodes
// without successors.  Loops without a way out get an edge to the exit too.
class PostDominators {
 public:
  // The ways to end of those that meet, as far as they have an end of their own, are no ways past
  // what the others come to.
  explicit PostDominators(const Graph& graph, const std::vector<bool>& meets = {});

  // kNoNode when the nearest is the virtual exit, that is when there is none in the graph.
  uint32_t immediate(uint32_t node) const;
  bool post_dominates(uint32_t below, uint32_t above) const;
  uint32_t common(uint32_t a, uint32_t b) const;  // kNoNode: the virtual exit

 private:
  static Graph with_exit(const Graph& graph, const std::vector<bool>& meets);
  uint32_t visible(uint32_t node) const { return node == exit_ ? kNoNode : node; }

  uint32_t exit_;
  DominatorTree tree_;
};

}  // namespace gvp::compiler
