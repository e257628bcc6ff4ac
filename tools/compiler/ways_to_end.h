// SPDX-License-Identifier: Apache-2.0
// Where threads of a warp end while others go on to a place where all that are left must be
// together, as a barrier is.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tools/compiler/graph.h"

namespace gvp::compiler {

// Nodes from which threads come to such a place.
struct Meets {
  Meets() = default;
  Meets(std::vector<bool> all) : places(std::move(all)) {}  // NOLINT: often there is one kind

  std::vector<bool> places;
  // From which they come to one of a kind of its own, which some of them leave the others on their
  // way to although they come to a place themselves; empty if there is no such kind.
  std::vector<bool> barriers;
};

// The edges on which some threads leave the others to end, as long as those have another way to
// their end.
// divergent: nodes whose branch may take threads apart; others stay ways of those who are left.
Edges ways_to_end(const Graph& graph, const Meets& meets, const std::vector<bool>& divergent);

// Those of them that have ends of their own.
Edges ways_to_own_ends(const Graph& graph, const Meets& meets, const std::vector<bool>& divergent);

// Whether what lies behind the edge is entered by it alone.
bool is_own_end(const Graph& graph, uint32_t from, uint32_t to);

}  // namespace gvp::compiler
