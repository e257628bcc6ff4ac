// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/dominators.h"

namespace gvp::compiler {

DominatorTree::DominatorTree(const Graph& graph, uint32_t root)
    : root_(root), immediate_(graph.size(), kNoNode), order_(graph.size(), kNoNode) {
  const std::vector<uint32_t> order = reverse_post_order(graph, root);
  for (uint32_t i = 0; i < order.size(); ++i) order_[order[i]] = i;
  immediate_[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (const uint32_t node : order) {
      if (node == root) continue;
      uint32_t best = kNoNode;
      for (const uint32_t predecessor : graph.predecessors[node]) {
        if (immediate_[predecessor] == kNoNode) continue;
        best = best == kNoNode ? predecessor : meet(best, predecessor);
      }
      if (immediate_[node] == best) continue;
      immediate_[node] = best;
      changed = true;
    }
  }
  number(order);
}

// In pre-order: a node behind the one above it, which comes earlier in reverse post order, too.
void DominatorTree::number(const std::vector<uint32_t>& order) {
  std::vector<uint32_t> below(immediate_.size(), 1);  // how many nodes, with itself
  for (size_t i = order.size(); i-- > 1;) below[immediate_[order[i]]] += below[order[i]];
  number_.assign(immediate_.size(), 0);
  last_.assign(immediate_.size(), 0);
  std::vector<uint32_t> next(immediate_.size(), 1);  // where the following child's numbers begin
  for (const uint32_t node : order) {
    const uint32_t above = immediate_[node];
    if (node != root_) {
      number_[node] = next[above];
      next[above] += below[node];
      next[node] = number_[node] + 1;
    }
    last_[node] = number_[node] + below[node] - 1;
  }
}

// While the tree is under construction.
uint32_t DominatorTree::meet(uint32_t a, uint32_t b) const {
  while (a != b) {
    while (order_[a] > order_[b]) a = immediate_[a];
    while (order_[b] > order_[a]) b = immediate_[b];
  }
  return a;
}

bool DominatorTree::dominates(uint32_t above, uint32_t below) const {
  if (!reachable(above) || !reachable(below)) return false;
  return number_[above] <= number_[below] && number_[below] <= last_[above];
}

uint32_t DominatorTree::common(uint32_t a, uint32_t b) const {
  while (!dominates(a, b)) a = immediate_[a];
  return a;
}

}  // namespace gvp::compiler
