// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/reconvergence.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>

#include "tests/support/seed.h"
#include "tools/compiler/dominators.h"
#include "tools/compiler/ways_to_end.h"

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

// A way from the begin to an end, and as many more edges as half the nodes, from nodes with one.
Graph random_graph(uint32_t nodes, std::mt19937& random) {
  Graph graph(nodes);
  for (uint32_t i = 0; i + 1 < nodes; ++i) graph.add_edge(i, i + 1);
  for (uint32_t i = 0; i < nodes / 2; ++i) {
    const auto to = static_cast<uint32_t>(1 + random() % (nodes - 1));
    const auto from = static_cast<uint32_t>(random() % (nodes - 1));
    if (graph.successors[from].size() < 2) graph.add_edge(from, to);
  }
  return graph;
}

std::vector<bool> branches_of(const Graph& graph) {
  std::vector<bool> branches;
  for (const auto& next : graph.successors) branches.push_back(next.size() > 1);
  return branches;
}

// Walks a graph at random with the pushes and joins in place: they must pair on each way.
void expect_pairs(const Graph& graph, const std::vector<Region>& regions, std::mt19937& random,
                  uint32_t seed) {
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

// Two ways lead to what is behind the branch in 3, from 1 on; they meet where the loop begins, but
// between lies a way out.
TEST(Reconvergence, LoopThatIsLeftIsNotJoinedWhereItBegins) {
  const Graph graph =
      graph_of(7, {{0, 1}, {1, 2}, {1, 4}, {2, 3}, {2, 5}, {3, 4}, {3, 1}, {4, 1}, {5, 6}});
  const auto regions = reconvergence_regions(graph, branches_of(graph));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].header, 1u);
  EXPECT_TRUE(regions[0].before_header);
  EXPECT_EQ(regions[0].join, 5u);
  std::mt19937 random(1);
  expect_pairs(graph, regions, random, 1);
}

TEST(Reconvergence, WhatNobodyComesToHasNoRegion) {
  const auto regions = reconvergence_regions(
      graph_of(6, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {5, 2}}), only(6, {0, 3}));
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].header, 0u);
}

// An early return (2), and behind it a loop (3) that threads leave for the end between its
// barriers: that is the way that all take, so that the others of 0 meet before the loop.
TEST(Reconvergence, EarlyReturnsAreNoWayPastLoopsThatLeadToTheEnd) {
  const Graph graph = graph_of(6, {{0, 1}, {0, 3}, {1, 2}, {1, 3}, {3, 4}, {3, 5}, {4, 3}});
  const std::vector<bool> meets = only(6, {0, 1, 3, 4});
  EXPECT_EQ(ways_to_end(graph, meets, branches_of(graph)), (Edges{{1, 2}}));
  const auto regions = reconvergence_regions(graph, only(6, {0, 1}), meets);
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].header, 0u);
  EXPECT_EQ(regions[0].join, 3u);
}

// A loop (1 to 3) with two ways out: the one that all take together stays, although the other lies
// in each round, too, and more behind it.
TEST(Reconvergence, TheWayOutThatAllTakeTogetherIsNoneOfLeavingOthers) {
  const Graph graph = graph_of(8, {{0, 1}, {1, 2}, {1, 4}, {2, 3}, {2, 5}, {3, 1}, {5, 6}, {6, 7}});
  const std::vector<bool> meets = only(8, {0, 1, 2, 3});
  EXPECT_EQ(ways_to_end(graph, meets, only(8, {1, 2})), (Edges{{1, 4}}));
  EXPECT_EQ(ways_to_end(graph, meets, only(8, {2})), (Edges{{2, 5}}));
}

// Threads that end behind 1 meet at 1, others at 2 and 3, of which 3 is a barrier.
TEST(Reconvergence, ThoseThatEndBehindAnotherKindOfPlaceLeaveTheOthersOnTheirWayToBarriers) {
  const Graph graph = graph_of(6, {{0, 1}, {0, 2}, {1, 4}, {2, 3}, {3, 5}});
  Meets meets(only(6, {0, 1, 2, 3}));
  EXPECT_EQ(ways_to_end(graph, meets, only(6, {0})), Edges());
  meets.barriers = only(6, {0, 2, 3});
  EXPECT_EQ(ways_to_end(graph, meets, only(6, {0})), (Edges{{0, 1}}));
}

// Whatever leaves others for the end is no way past them, but for what some have no other way than.
TEST(Reconvergence, AsManyWaysToTheEndAsCanBeAreNone) {
  std::mt19937 random(test::seed(1));
  unsigned several = 0;
  for (unsigned n = 0; n < 2000; ++n) {
    const auto nodes = static_cast<uint32_t>(4 + random() % 12);
    const Graph graph = random_graph(nodes, random);
    const Graph back = graph.reversed();
    std::vector<bool> meets(nodes, false);
    for (auto barriers = 1 + random() % 3; barriers-- > 0;) {
      const auto barrier = static_cast<uint32_t>(random() % nodes);
      const std::vector<bool> before = reachable_without(back, barrier, kNoNode);
      meets[barrier] = true;
      for (uint32_t node = 0; node < nodes; ++node) meets[node] = meets[node] || before[node];
    }
    const auto ends = [&](const Edges& without) {
      return reachable_without(reversed_with_exit(graph, without), nodes, kNoNode);
    };
    std::vector<bool> divergent = branches_of(graph);
    for (uint32_t node = 0; node < nodes; ++node)
      if (random() % 3 == 0) divergent[node] = false;
    const Edges chosen = ways_to_end(graph, meets, divergent);
    const std::vector<bool> all = ends({});
    EXPECT_EQ(ends(chosen), all) << n;
    for (uint32_t from = 0; from < nodes; ++from) {
      for (const uint32_t to : graph.successors[from]) {
        const auto& next = graph.successors[from];
        const bool leaves = !meets[to] && std::any_of(next.begin(), next.end(),
                                                      [&](uint32_t each) { return meets[each]; });
        if (!leaves || chosen.count({from, to}) != 0) continue;
        ++several;
        Edges more = chosen;
        more.insert({from, to});
        EXPECT_NE(ends(more), all) << n << ": " << from << " to " << to;
      }
    }
  }
  EXPECT_GT(several, 100u);
}

// All ways lead to one end, so each branch is in a region.
TEST(Reconvergence, PushesAndJoinsPairOnRandomWalks) {
  const uint32_t first = test::seed(1);
  for (uint32_t seed = first; seed != first + 3000; ++seed) {
    std::mt19937 random(seed);
    const uint32_t nodes = 3 + static_cast<uint32_t>(random() % 10);
    const Graph graph = random_graph(nodes, random);
    const std::vector<bool> divergent = branches_of(graph);
    const auto regions = reconvergence_regions(graph, divergent);
    const DominatorTree above(graph, 0);
    for (uint32_t i = 0; i < nodes; ++i) {
      if (!divergent[i] || !above.reachable(i)) continue;
      EXPECT_TRUE(std::any_of(regions.begin(), regions.end(),
                              [&](const Region& region) { return holds(region, i); }))
          << i << ", " << test::text_of_seed(seed);
    }
    expect_pairs(graph, regions, random, seed);
  }
}

// Nodes with one way on get another, to an end of two nodes, of their own or of two; threads meet
// at some places.
TEST(Reconvergence, PushesAndJoinsPairWhereThreadsMayEndOnTheWay) {
  const uint32_t first = test::seed(1);
  size_t joined = 0;
  size_t without = 0;  // knowing where they meet
  for (uint32_t seed = first; seed != first + 3000; ++seed) {
    std::mt19937 random(seed);
    const uint32_t nodes = 4 + static_cast<uint32_t>(random() % 10);
    const Graph inner = random_graph(nodes, random);
    Graph graph(nodes + 4);
    for (uint32_t i = 0; i < nodes; ++i)
      for (const uint32_t next : inner.successors[i]) graph.add_edge(i, next);
    for (uint32_t end = nodes; end < graph.size(); end += 2) {
      graph.add_edge(end, end + 1);
      for (unsigned ways = 1 + random() % 2; ways != 0; --ways) {
        const auto from = static_cast<uint32_t>(random() % (nodes - 1));
        if (graph.successors[from].size() < 2) graph.add_edge(from, end);
      }
    }
    std::vector<bool> meets(graph.size(), false);
    for (unsigned i = 0; i < 2; ++i) {
      const auto place = static_cast<uint32_t>(random() % nodes);
      const std::vector<bool> before = reachable_without(graph.reversed(), place, kNoNode);
      for (uint32_t node = 0; node < graph.size(); ++node)
        meets[node] = meets[node] || node == place || before[node];
    }
    const std::vector<bool> divergent = branches_of(graph);
    const auto regions = reconvergence_regions(graph, divergent, meets);
    expect_pairs(graph, regions, random, seed);
    const auto meeting = [&](const Region& region) { return meets[region.join]; };
    const auto plain = reconvergence_regions(graph, divergent);
    joined += static_cast<size_t>(std::count_if(regions.begin(), regions.end(), meeting));
    without += static_cast<size_t>(std::count_if(plain.begin(), plain.end(), meeting));
  }
  EXPECT_GT(joined, without);
}

}  // namespace
}  // namespace gvp::compiler
