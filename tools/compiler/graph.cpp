// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/graph.h"

#include <algorithm>

#include "tools/compiler/dominators.h"

namespace gvp::compiler {

uint32_t Graph::add_node() {
  successors.emplace_back();
  predecessors.emplace_back();
  return size() - 1;
}

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

std::vector<uint32_t> loop_depths(const Graph& graph) {
  std::vector<uint32_t> depth(graph.size(), 0);
  if (graph.size() == 0) return depth;
  const DominatorTree tree(graph, 0);
  for (uint32_t header = 0; header < graph.size(); ++header) {
    // The natural loop of all back edges to this header: what reaches them without the header.
    std::vector<uint32_t> work;
    std::vector<bool> member(graph.size(), false);
    for (const uint32_t latch : graph.predecessors[header]) {
      if (!tree.reachable(latch) || !tree.dominates(header, latch) || member[latch]) continue;
      member[latch] = true;
      work.push_back(latch);
    }
    if (work.empty()) continue;
    while (!work.empty()) {
      const uint32_t node = work.back();
      work.pop_back();
      if (node == header) continue;
      for (const uint32_t predecessor : graph.predecessors[node]) {
        if (member[predecessor] || !tree.reachable(predecessor)) continue;
        member[predecessor] = true;
        work.push_back(predecessor);
      }
    }
    member[header] = true;
    for (uint32_t node = 0; node < graph.size(); ++node) depth[node] += member[node] ? 1 : 0;
  }
  return depth;
}

}  // namespace gvp::compiler
