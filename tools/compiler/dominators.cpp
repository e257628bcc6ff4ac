// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/dominators.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>

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

namespace {

using Edges = std::set<std::pair<uint32_t, uint32_t>>;

// More are not worth the time.
constexpr size_t kMostLeaving = 200;

// All edges the other way round, with edges from the exit, the last node, to nodes without
// successors; but for those of `without`.
Graph reversed_with_exit(const Graph& graph, const Edges& without) {
  Graph result(graph.size() + 1);
  for (uint32_t node = 0; node < graph.size(); ++node) {
    if (graph.successors[node].empty()) result.add_edge(graph.size(), node);
    for (const uint32_t predecessor : graph.predecessors[node])
      if (without.count({predecessor, node}) == 0) result.add_edge(node, predecessor);
  }
  return result;
}

// Edges on which threads leave for their end those that go on to a place where they meet.
Edges leaving_edges(const Graph& graph, const std::vector<bool>& meets) {
  Edges edges;
  for (uint32_t node = 0; node < meets.size(); ++node) {
    const auto& next = graph.successors[node];
    if (std::none_of(next.begin(), next.end(), [&](uint32_t each) { return meets[each]; }))
      continue;
    for (const uint32_t each : next)
      if (!meets[each]) edges.insert({node, each});
  }
  return edges;
}

// How much an edge is a loop's usual way out: its node is passed in each round of each loop, and
// lies in few of them; of several such there is most to do behind it, or it comes last.
class Usualness {
 public:
  explicit Usualness(const Graph& graph)
      : graph_(graph), above_(graph, 0), loops_(natural_loops(graph)) {
    const std::vector<uint32_t> order = reverse_post_order(graph, 0);
    place_.assign(graph.size(), 0);
    for (uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
  }

  using Rank = std::tuple<bool, std::ptrdiff_t, std::ptrdiff_t, uint32_t>;
  Rank of(const std::pair<uint32_t, uint32_t>& edge) const {
    bool each_round = true;
    std::ptrdiff_t loops = 0;
    for (const Loop& loop : loops_) {
      if (!loop.members[edge.first] && loop.header != edge.first) continue;
      ++loops;
      for (const uint32_t latch : loop.latches)
        each_round &= latch == edge.first || above_.dominates(edge.first, latch);
    }
    const std::vector<bool> behind = reachable_without(graph_, edge.second, kNoNode);
    return {each_round, -loops, std::count(behind.begin(), behind.end(), true), place_[edge.first]};
  }

 private:
  const Graph& graph_;
  DominatorTree above_;
  std::vector<Loop> loops_;
  std::vector<uint32_t> place_;
};

}  // namespace

// Without those that are the only way out, the most usual one of each loop.
std::set<std::pair<uint32_t, uint32_t>> ways_to_end(const Graph& graph,
                                                    const std::vector<bool>& meets) {
  Edges leaving = leaving_edges(graph, meets);
  if (leaving.empty() || leaving.size() > kMostLeaving) return {};
  const auto ends = [&](const Edges& without) {
    return reachable_without(reversed_with_exit(graph, without), graph.size(), kNoNode);
  };
  const std::vector<bool> before = ends({});
  const Usualness usualness(graph);
  for (;;) {
    const std::vector<bool> now = ends(leaving);
    auto best = leaving.end();
    for (auto edge = leaving.begin(); edge != leaving.end(); ++edge) {
      if (now[edge->first] || !before[edge->first]) continue;
      if (best == leaving.end() || usualness.of(*best) < usualness.of(*edge)) best = edge;
    }
    if (best == leaving.end()) return leaving;
    leaving.erase(best);
  }
}

bool is_own_end(const Graph& graph, uint32_t from, uint32_t to) {
  std::vector<bool> behind = reachable_without(graph, to, kNoNode);
  behind[to] = true;
  for (uint32_t node = 0; node < graph.size(); ++node) {
    if (!behind[node]) continue;
    for (const uint32_t predecessor : graph.predecessors[node])
      if (!behind[predecessor] && (predecessor != from || node != to)) return false;
  }
  return true;
}

PostDominators::PostDominators(const Graph& graph, const std::vector<bool>& meets)
    : exit_(graph.size()), tree_(with_exit(graph, meets), graph.size()) {}

Graph PostDominators::with_exit(const Graph& graph, const std::vector<bool>& meets) {
  const uint32_t exit = graph.size();
  Edges without = ways_to_end(graph, meets);
  for (auto edge = without.begin(); edge != without.end();)
    edge = is_own_end(graph, edge->first, edge->second) ? std::next(edge) : without.erase(edge);
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
