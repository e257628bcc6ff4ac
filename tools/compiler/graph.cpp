// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/graph.h"

#include <algorithm>
#include <utility>

#include "tools/compiler/dominators.h"

namespace gvp::compiler {

void Graph::add_edge(uint32_t from, uint32_t to) {
  auto& out = successors[from];
  if (std::find(out.begin(), out.end(), to) != out.end()) return;
  out.push_back(to);
  predecessors[to].push_back(from);
}

Graph Graph::reversed() const {
  Graph result(size());
  result.successors = predecessors;
  result.predecessors = successors;
  return result;
}

Graph reversed_with_exit(const Graph& graph, const Edges& without) {
  Graph result(graph.size() + 1);
  for (uint32_t node = 0; node < graph.size(); ++node) {
    if (graph.successors[node].empty()) result.add_edge(graph.size(), node);
    for (const uint32_t predecessor : graph.predecessors[node])
      if (without.count({predecessor, node}) == 0) result.add_edge(node, predecessor);
  }
  return result;
}

std::vector<uint32_t> reverse_post_order(const Graph& graph, uint32_t root) {
  std::vector<uint32_t> order;
  std::vector<uint8_t> seen(graph.size(), 0);
  struct Visit {
    uint32_t node;
    size_t next;
  };
  std::vector<Visit> stack{{root, 0}};
  seen[root] = 1;
  while (!stack.empty()) {
    Visit& top = stack.back();
    const auto& out = graph.successors[top.node];
    if (top.next == out.size()) {
      order.push_back(top.node);
      stack.pop_back();
      continue;
    }
    const uint32_t successor = out[top.next++];
    if (seen[successor] == 0) {
      seen[successor] = 1;
      stack.push_back({successor, 0});
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

std::vector<bool> reachable_without(const Graph& graph, uint32_t from, uint32_t barrier) {
  std::vector<bool> reached(graph.size(), false);
  std::vector<uint32_t> work;
  const auto visit = [&](uint32_t node) {
    for (const uint32_t successor : graph.successors[node]) {
      if (successor == barrier || reached[successor]) continue;
      reached[successor] = true;
      work.push_back(successor);
    }
  };
  visit(from);
  while (!work.empty()) {
    const uint32_t node = work.back();
    work.pop_back();
    visit(node);
  }
  return reached;
}

namespace {

Loop natural_loop(const Graph& graph, const DominatorTree& tree, uint32_t header) {
  Loop loop;
  loop.header = header;
  loop.members.assign(graph.size(), false);
  std::vector<uint32_t> work;
  for (const uint32_t latch : graph.predecessors[header]) {
    if (!tree.reachable(latch) || !tree.dominates(header, latch)) continue;
    loop.latches.push_back(latch);
    loop.members[latch] = true;
    work.push_back(latch);
  }
  while (!work.empty()) {
    const uint32_t node = work.back();
    work.pop_back();
    if (node == header) continue;
    for (const uint32_t predecessor : graph.predecessors[node]) {
      if (loop.members[predecessor] || !tree.reachable(predecessor)) continue;
      loop.members[predecessor] = true;
      work.push_back(predecessor);
    }
  }
  unsigned entries = 0;
  for (const uint32_t from : graph.predecessors[header]) {
    if (loop.members[from] || !tree.reachable(from)) continue;
    ++entries;
    loop.entry = from;
  }
  if (entries != 1) loop.entry = kNoNode;
  return loop;
}

}  // namespace

std::vector<Loop> natural_loops(const Graph& graph) {
  std::vector<Loop> loops;
  if (graph.size() == 0) return loops;
  const DominatorTree tree(graph, 0);
  for (uint32_t header = 0; header < graph.size(); ++header) {
    Loop loop = natural_loop(graph, tree, header);
    if (!loop.latches.empty()) loops.push_back(std::move(loop));
  }
  return loops;
}

std::vector<uint32_t> loop_depths(const Graph& graph) {
  std::vector<uint32_t> depth(graph.size(), 0);
  for (const Loop& loop : natural_loops(graph)) {
    for (uint32_t node = 0; node < graph.size(); ++node) depth[node] += loop.members[node] ? 1 : 0;
  }
  return depth;
}

}  // namespace gvp::compiler
