// SPDX-License-Identifier: Apache-2.0
// Control-flow graphs as bare indices, so that every instruction set and every intermediate form
// can use the same analyses.  Node 0 is the entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace gvp::compiler {

inline constexpr uint32_t kNoNode = ~uint32_t{0};

struct Graph {
  std::vector<std::vector<uint32_t>> successors;
  std::vector<std::vector<uint32_t>> predecessors;

  explicit Graph(size_t nodes = 0) : successors(nodes), predecessors(nodes) {}

  uint32_t size() const { return static_cast<uint32_t>(successors.size()); }
  // Parallel edges count once.
  void add_edge(uint32_t from, uint32_t to);
  Graph reversed() const;
};

using Edges = std::set<std::pair<uint32_t, uint32_t>>;

// All edges the other way round, with edges from the exit, a new last node, to nodes without
// successors; but for those of `without`.
Graph reversed_with_exit(const Graph& graph, const Edges& without);

// Nodes reachable from root, each before its successors except along back edges.
std::vector<uint32_t> reverse_post_order(const Graph& graph, uint32_t root);

// Nodes on a path that begins with an edge out of `from` and does not enter `barrier`.  `from`
// itself is a member when such a path comes back to it.
std::vector<bool> reachable_without(const Graph& graph, uint32_t from, uint32_t barrier);

// The natural loop of all back edges to a header: what reaches them without it.
struct Loop {
  uint32_t header = kNoNode;
  std::vector<uint32_t> latches;  // where its back edges come from
  std::vector<bool> members;
  uint32_t entry = kNoNode;  // the only node outside that leads to the header, or none
};
std::vector<Loop> natural_loops(const Graph& graph);

// Whether the node lies on a cycle, and the number of nested natural loops around each node.
std::vector<uint32_t> loop_depths(const Graph& graph);

}  // namespace gvp::compiler
