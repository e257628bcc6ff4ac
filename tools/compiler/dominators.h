// SPDX-License-Identifier: Apache-2.0
// Dominators and post-dominators of a control-flow graph, by the iteration of Cooper, Harvey and
// Kennedy ("A Simple, Fast Dominance Algorithm").
#pragma once

#include <cstdint>
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

}  // namespace gvp::compiler
