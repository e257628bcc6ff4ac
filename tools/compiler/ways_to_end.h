// SPDX-License-Identifier: Apache-2.0
// Where threads of a warp end while others go on to a place where all that are left must be
// together, as a barrier is.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/compiler/graph.h"

namespace gvp::compiler {

// meets: nodes from which threads come to such a place.  The edges on which some of them leave the
// others to end, as long as those have another way to their end.
// divergent: nodes whose branch may take threads apart; others stay ways of those who are left.
Edges ways_to_end(const Graph& graph, const std::vector<bool>& meets,
                  const std::vector<bool>& divergent);

// Those of them that have ends of their own.
Edges ways_to_own_ends(const Graph& graph, const std::vector<bool>& meets,
                       const std::vector<bool>& divergent);

// Whether what lies behind the edge is entered by it alone.
bool is_own_end(const Graph& graph, uint32_t from, uint32_t to);

}  // namespace gvp::compiler
