// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/ways_to_end.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

#include "tools/compiler/dominators.h"

namespace gvp::compiler {
namespace {

// Edges on which threads leave for their end those that go on to a place where they meet.
void add_leaving_edges(const Graph& graph, const std::vector<bool>& meets, Edges& edges) {
  for (uint32_t node = 0; node < meets.size(); ++node) {
    const auto& next = graph.successors[node];
    if (std::none_of(next.begin(), next.end(), [&](uint32_t each) { return meets[each]; }))
      continue;
    for (const uint32_t each : next)
      if (!meets[each]) edges.insert({node, each});
  }
}

// How much an edge is a loop's usual way out: all take it together; its node is passed in each
// round of each loop, and lies in few of them; of several such there is most to do behind it, or it
// comes last.
class Usualness {
 public:
  Usualness(const Graph& graph, const std::vector<bool>& divergent)
      : graph_(graph), divergent_(divergent), above_(graph, 0), loops_(natural_loops(graph)) {
    const std::vector<uint32_t> order = reverse_post_order(graph, 0);
    place_.assign(graph.size(), 0);
    for (uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i;
  }

  using Rank = std::tuple<bool, bool, std::ptrdiff_t, std::ptrdiff_t, uint32_t>;
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
    return {!divergent_[edge.first], each_round, -loops,
            std::count(behind.begin(), behind.end(), true), place_[edge.first]};
  }

 private:
  const Graph& graph_;
  const std::vector<bool>& divergent_;
  DominatorTree above_;
  std::vector<Loop> loops_;
  std::vector<uint32_t> place_;
};

}  // namespace

// Without those that are the only way out: one after the other, the most usual first, until each
// node has one; but for those that are not needed by then, as an early return is not where the end
// of a loop behind it is.
Edges ways_to_end(const Graph& graph, const Meets& meets, const std::vector<bool>& divergent) {
  Edges leaving;
  add_leaving_edges(graph, meets.places, leaving);
  add_leaving_edges(graph, meets.barriers, leaving);
  if (leaving.empty()) return leaving;
  const auto ends = [&](const Edges& without) {
    return reachable_without(reversed_with_exit(graph, without), graph.size(), kNoNode);
  };
  const std::vector<bool> before = ends({});
  const Usualness usualness(graph, divergent);
  std::map<std::pair<uint32_t, uint32_t>, Usualness::Rank> ranks;
  for (const auto& edge : leaving) ranks.emplace(edge, usualness.of(edge));
  // The most usual one of a node that has no way to its end; leaving.end() if there is no such
  // node.
  const auto needed = [&] {
    const std::vector<bool> now = ends(leaving);
    auto best = leaving.end();
    for (auto edge = leaving.begin(); edge != leaving.end(); ++edge) {
      if (now[edge->first] || !before[edge->first]) continue;
      if (best == leaving.end() || ranks.at(*best) < ranks.at(*edge)) best = edge;
    }
    return best;
  };
  std::vector<std::pair<uint32_t, uint32_t>> ways;
  for (auto best = needed(); best != leaving.end(); best = needed()) {
    ways.push_back(*best);
    leaving.erase(best);
  }
  for (const auto& way : ways) {
    leaving.insert(way);
    if (needed() != leaving.end()) leaving.erase(way);
  }
  return leaving;
}

Edges ways_to_own_ends(const Graph& graph, const Meets& meets, const std::vector<bool>& divergent) {
  Edges ways = ways_to_end(graph, meets, divergent);
  for (auto edge = ways.begin(); edge != ways.end();)
    edge = is_own_end(graph, edge->first, edge->second) ? std::next(edge) : ways.erase(edge);
  return ways;
}

bool is_own_end(const Graph& graph, uint32_t from, uint32_t to) {
  std::vector<bool> behind = reachable_without(graph, to, kNoNode);
  behind[to] = true;
  for (uint32_t node = 0; node < graph.size(); ++node) {
    if (!behind[node]) continue;
    for (const uint32_t predecessor : graph.predecessors[node])
      if (!behind[predecessor] && predecessor != from) return false;
  }
  return true;
}

}  // namespace gvp::compiler
