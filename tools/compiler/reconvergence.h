// SPDX-License-Identifier: Apache-2.0
// Where the threads of a warp that take different ways must wait for each other, for machines
// with a reconvergence stack (an instruction pushes the active mask, a join pops it).  Each
// region begins at one place that every path into it passes, ends at the post-dominator of all of
// it, and is left nowhere else, so that pushes and joins always pair.
#pragma once

#include <vector>

#include "tools/compiler/graph.h"
#include "tools/compiler/ways_to_end.h"

namespace gvp::compiler {

struct Region {
  uint32_t header = kNoNode;
  bool before_header = false;  // push on the way into the header (a loop), else at its end
  uint32_t join = kNoNode;     // first node after the region
  std::vector<bool> members;   // edges from a member (or the header) to join end the region
};

// divergent: nodes whose branch may send threads of a warp different ways.  Branches that only
// the end of the program joins again need no region and get none.  A region that lies within
// another with the same join is left out: one push serves both.
// meets: as of ways_to_end.h; those ways, as far as they have ends of their own, are no ways past
// where the others meet.
std::vector<Region> reconvergence_regions(const Graph& graph, const std::vector<bool>& divergent,
                                          const Meets& meets = {});

}  // namespace gvp::compiler
