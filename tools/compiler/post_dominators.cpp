// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/post_dominators.h"

namespace gvp::compiler {

PostDominators::PostDominators(const Graph& graph, const Edges& without)
    : exit_(graph.size()), tree_(with_exit(graph, without), graph.size()) {}

Graph PostDominators::with_exit(const Graph& graph, const Edges& without) {
  const uint32_t exit = graph.size();
  const Graph all = reversed_with_exit(graph, without);
  std::vector<bool> reached = reachable_without(all, exit, kNoNode);
  // Nobody comes back from an endless loop, so what leads there leads past what comes later, too.
  Graph ending(graph.size() + 1);
  for (uint32_t node = 0; node <= graph.size(); ++node) {
    for (const uint32_t next : all.successors[node])
      if (node == exit || reached[node] || !reached[next]) ending.add_edge(node, next);
  }
  // Take its nodes the other way round, so that its edge leaves at a late node.
  const std::vector<uint32_t> order =
      graph.size() == 0 ? std::vector<uint32_t>() : reverse_post_order(graph, 0);
  for (size_t i = order.size(); i-- > 0;) {
    if (reached[order[i]]) continue;
    ending.add_edge(exit, order[i]);
    reached = reachable_without(ending, exit, kNoNode);
  }
  return ending;
}

uint32_t PostDominators::immediate(uint32_t node) const {
  const uint32_t found = tree_.immediate(node);
  return found == kNoNode ? kNoNode : visible(found);
}

bool PostDominators::post_dominates(uint32_t below, uint32_t above) const {
  return tree_.dominates(below, above);
}

uint32_t PostDominators::common(uint32_t a, uint32_t b) const {
  if (!tree_.reachable(a) || !tree_.reachable(b)) return kNoNode;
  return visible(tree_.common(a, b));
}

}  // namespace gvp::compiler
