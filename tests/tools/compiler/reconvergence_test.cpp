// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/reconvergence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "tests/support/seed.h"
#include "tools/compiler/dominators.h"

namespace gvp::compiler {
namespace {

Graph graph_of(uint32_t nodes, const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
  Graph graph(nodes);
  for (const auto& [from, to] : edges) graph.add_edge(from, to);
  return graph;
}

std::vector<bool> only(uint32_t nodes, const std::vector<uint32_t>& chosen) {
  std::vector<bool> result(nodes, false);
  for (const uint32_t node : chosen) result[node] = true;
  return result;
}

TEST(Reconvergence, IfPushesAtItsBranch) {
  const auto regions = reconvergence_regions(graph_of(3, {{0, 1}, {0, 2}, {1, 2}}), only(3, {0}));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].header, 0u);
  EXPECT_FALSE(regions[0].before_header);
  EXPECT_EQ(regions[0].join, 2u);
}

TEST(Reconvergence, LoopPushesBeforeItsHeader) {
  const auto regions =
      reconvergence_regions(graph_of(4, {{0, 1}, {1, 2}, {2, 1}, {2, 3}}), only(4, {2}));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].header, 1u);
  EXPECT_TRUE(regions[0].before_header);
  EXPECT_EQ(regions[0].join, 3u);
}

TEST(Reconvergence, BranchesThatOnlyTheEndJoinsNeedNone) {
  EXPECT_TRUE(reconvergence_regions(graph_of(3, {{0, 1}, {0, 2}}), only(3, {0})).empty());
}

TEST(Reconvergence, NestedRegionsWithOneJoinShareOnePush) {
  // if (a) if (b) x;
  const auto regions =
      reconvergence_regions(graph_of(4, {{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}), only(4, {0, 1}));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].header, 0u);
}

TEST(Reconvergence, ArmEnteredFromTheSideGrowsTheRegion) {
  // 0 is uniform and jumps into the arm of 1: the push must come where both ways pass.
  const auto regions = reconvergence_regions(
      graph_of(5, {{0, 1}, {0, 3}, {1, 2}, {1, 3}, {2, 4}, {3, 4}}), only(5, {1}));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].header, 0u);
  EXPECT_EQ(regions[0].join, 4u);
}

TEST(Reconvergence, LoopWhoseWayBackLeadsToTwoPlacesHoldsItsBranch) {
  // for (;;) { 2; if (3) continue; 4: changes what 1 computes; }
  const auto regions = reconvergence_regions(
      graph_of(6, {{0, 1}, {1, 2}, {2, 3}, {2, 5}, {3, 2}, {3, 4}, {4, 1}}), only(6, {3}));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].header, 1u);
  EXPECT_TRUE(regions[0].before_header);
  EXPECT_TRUE(regions[0].members[3]);
  EXPECT_EQ(regions[0].join, 5u);
}

bool holds(const Region& region, uint32_t branch) {
  return region.header == branch || region.members[branch];
}

// Walks every graph at random with the pushes and joins in place: they must pair on each way.  All
// ways lead to one end, so each branch is in a region.
TEST(Reconvergence, PushesAndJoinsPairOnRandomWalks) {
  const uint32_t first = test::seed(1);
  for (uint32_t seed = first; seed != first + 3000; ++seed) {
    std::mt19937 random(seed);
    const uint32_t nodes = 3 + static_cast<uint32_t>(random() % 10);
    Graph graph(nodes);
    for (uint32_t i = 0; i + 1 < nodes; ++i) graph.add_edge(i, i + 1);
    for (uint32_t i = 0; i < nodes / 2; ++i) {
      const auto to = static_cast<uint32_t>(1 + random() % (nodes - 1));
      const auto from = static_cast<uint32_t>(random() % (nodes - 1));
      if (graph.successors[from].size() < 2) graph.add_edge(from, to);
    }
    std::vector<bool> divergent(nodes, false);
    for (uint32_t i = 0; i < nodes; ++i) divergent[i] = graph.successors[i].size() > 1;
    const auto regions = reconvergence_regions(graph, divergent);
    const DominatorTree above(graph, 0);
    for (uint32_t i = 0; i < nodes; ++i) {
      if (!divergent[i] || !above.reachable(i)) continue;
      EXPECT_TRUE(std::any_of(regions.begin(), regions.end(),
                              [&](const Region& region) { return holds(region, i); }))
          << i << ", " << test::text_of_seed(seed);
    }
    for (unsigned walk = 0; walk < 20; ++walk) {
      std::vector<const Region*> stack;
      uint32_t node = 0;
      for (unsigned step = 0; step < 200 && !graph.successors[node].empty(); ++step) {
        const auto& out = graph.successors[node];
        const uint32_t next = out[random() % out.size()];
        for (const Region& region : regions) {
          if (!region.before_header && region.header == node) stack.push_back(&region);
        }
        for (const Region& region : regions) {
          const bool inside = region.members[node] || region.header == node;
          if (!inside || next != region.join) continue;
          ASSERT_FALSE(stack.empty()) << test::text_of_seed(seed);
          ASSERT_EQ(stack.back(), &region) << test::text_of_seed(seed);
          stack.pop_back();
        }
        for (const Region& region : regions) {
          if (region.before_header && region.header == next && !region.members[node]) {
            stack.push_back(&region);
          }
        }
        node = next;
      }
    }
  }
}

}  // namespace
}  // namespace gvp::compiler
