// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/reconvergence.h"

#include <algorithm>

#include "tools/compiler/post_dominators.h"

namespace gvp::compiler {
namespace {

class RegionBuilder {
 public:
  RegionBuilder(const Graph& graph, const std::vector<bool>& divergent, const Meets& meets)
      : graph_(graph),
        meets_(meets.places),
        above_(graph, 0),
        below_(graph, ways_to_own_ends(graph, meets, divergent)) {}

  bool reachable(uint32_t node) const { return above_.reachable(node); }

  // Grows header and join until the region holds the branch and has one way in and one way out;
  // false: there is none.
  bool build(uint32_t branch, Region& region) {
    region.header = branch;
    region.join = below_.immediate(branch);
    for (;;) {
      if (region.join == kNoNode) return false;
      region.members = reachable_without(graph_, region.header, region.join);
      region.before_header = region.members[region.header];
      bool side_entry = false;
      const uint32_t header = common_entry(region, side_entry);
      uint32_t join = region.join;
      if (!below_.post_dominates(join, header)) join = below_.common(join, header);
      // Not all that comes from where a loop begins comes back there.
      if (join == header) join = below_.immediate(header);
      if (header == region.header && join == region.join) {
        const bool holds_branch = header == branch || region.members[branch];
        if (!side_entry && holds_branch) return true;
        // What comes back from behind the join, or all ways from the header to the branch, which
        // pass the join: a loop whose way back leads to two places.
        join = below_.immediate(join);
      }
      region.header = header;
      region.join = join;
    }
  }

  // Whether nobody who is in the region comes to its join but those who do not enter it.
  bool only_ends(const Region& region) const {
    for (uint32_t node = 0; node < graph_.size(); ++node)
      if (region.members[node] && !ends(node, region)) return false;
    return true;
  }

 private:
  // Threads that come to the node end in the region.
  bool ends(uint32_t node, const Region& region) const {
    return !meets_.empty() && meets_[region.join] && !meets_[node];
  }

  // The nearest place that dominates the header and every other way into the region.
  uint32_t common_entry(const Region& region, bool& side_entry) const {
    uint32_t entry = region.header;
    for (uint32_t node = 0; node < graph_.size(); ++node) {
      if (!region.members[node] || !above_.reachable(node)) continue;
      // A loop has to be entered at its header: further up where that is inside of it.
      if (region.before_header) entry = above_.common(entry, node);
      if (node == region.header) continue;
      for (const uint32_t predecessor : graph_.predecessors[node]) {
        if (predecessor == region.header || !above_.reachable(predecessor)) continue;
        if (region.members[predecessor]) continue;
        side_entry = true;
        entry = above_.common(entry, node);
      }
    }
    return entry;
  }

  const Graph& graph_;
  const std::vector<bool>& meets_;
  DominatorTree above_;
  PostDominators below_;
};

bool within(const Region& inner, const Region& outer) {
  if (inner.join != outer.join) return false;
  if (!outer.members[inner.header] && inner.header != outer.header) return false;
  // Same header: the push before it comes first.
  if (inner.header == outer.header) return !inner.before_header && outer.before_header;
  return true;
}

}  // namespace

std::vector<Region> reconvergence_regions(const Graph& graph, const std::vector<bool>& divergent,
                                          const Meets& meets) {
  std::vector<Region> all;
  if (graph.size() == 0) return all;
  RegionBuilder builder(graph, divergent, meets);
  for (uint32_t node = 0; node < graph.size(); ++node) {
    Region region;
    if (!divergent[node] || !builder.reachable(node)) continue;
    if (!builder.build(node, region) || builder.only_ends(region)) continue;
    const bool known = std::any_of(all.begin(), all.end(), [&](const Region& other) {
      return other.header == region.header && other.join == region.join &&
             other.before_header == region.before_header;
    });
    if (!known) all.push_back(std::move(region));
  }
  std::vector<Region> result;
  for (const Region& region : all) {
    const bool covered = std::any_of(all.begin(), all.end(), [&](const Region& other) {
      return &other != &region && within(region, other);
    });
    if (!covered) result.push_back(region);
  }
  std::stable_sort(result.begin(), result.end(), [](const Region& a, const Region& b) {
    return std::count(a.members.begin(), a.members.end(), true) >
           std::count(b.members.begin(), b.members.end(), true);
  });
  return result;
}

}  // namespace gvp::compiler
