// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/graph.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "tests/support/seed.h"
#include "tools/compiler/divergence.h"
#include "tools/compiler/dominators.h"
#include "tools/compiler/liveness.h"
#include "tools/compiler/post_dominators.h"
#include "tools/compiler/ways_to_end.h"

namespace gvp::compiler {
namespace {

Graph graph_of(uint32_t nodes, const std::vector<std::pair<uint32_t, uint32_t>>& edges) {
  Graph graph(nodes);
  for (const auto& [from, to] : edges) graph.add_edge(from, to);
  return graph;
}

// Where each branch takes threads apart.
PostDominators below_ends(const Graph& graph, const std::vector<bool>& meets) {
  return PostDominators(graph,
                        ways_to_own_ends(graph, meets, std::vector<bool>(graph.size(), true)));
}

TEST(Dominators, DiamondJoinsAtItsTop) {
  const Graph graph = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  const DominatorTree tree(graph, 0);
  EXPECT_EQ(tree.immediate(3), 0u);
  const PostDominators below(graph);
  EXPECT_EQ(below.immediate(0), 3u);
  EXPECT_EQ(below.immediate(3), kNoNode);
}

TEST(Dominators, EndlessLoopStillHasPostDominators) {
  const PostDominators below(graph_of(3, {{0, 1}, {1, 2}, {2, 1}}));
  EXPECT_EQ(below.immediate(0), 1u);
}

// Whoever goes there does not come back: all others pass the end of the arms.
TEST(Dominators, ArmWithAnEndlessLoopIsNoWayPastTheJoin) {
  const PostDominators below(graph_of(
      8, {{0, 1}, {0, 4}, {1, 2}, {1, 3}, {2, 5}, {5, 6}, {5, 7}, {6, 5}, {7, 5}, {3, 4}}));
  EXPECT_EQ(below.immediate(0), 4u);
  EXPECT_EQ(below.immediate(1), 3u);
  EXPECT_EQ(below.immediate(3), 4u);
  EXPECT_EQ(below.common(1, 4), 4u);
  EXPECT_EQ(below.immediate(2), 5u) << "in the arm itself";
  EXPECT_EQ(below.immediate(7), 5u);
}

// Threads meet at 3; on the way, 1 leads to 2, where some end.
TEST(Dominators, ArmInWhichThreadsEndIsNoWayPastWhereTheOthersMeet) {
  const Graph graph = graph_of(6, {{0, 1}, {0, 4}, {1, 2}, {1, 4}, {4, 3}, {3, 5}});
  EXPECT_EQ(PostDominators(graph).immediate(0), kNoNode);
  const std::vector<bool> meets{true, true, false, true, true, false};
  EXPECT_EQ(below_ends(graph, meets).immediate(0), 4u);
  EXPECT_EQ(below_ends(graph, meets).immediate(1), 4u);
  EXPECT_EQ(below_ends(graph, meets).immediate(2), kNoNode);
}

// 2 is where the others end, too, so that these may meet there.
TEST(Dominators, ArmThatLeadsToTheEndOfTheOthersIsAWayPastWhereTheyMeet) {
  const Graph graph = graph_of(6, {{0, 1}, {0, 4}, {1, 2}, {1, 4}, {4, 3}, {3, 2}, {3, 5}});
  const std::vector<bool> meets{true, true, false, true, true, false};
  EXPECT_EQ(below_ends(graph, meets).immediate(0), kNoNode);
  EXPECT_EQ(below_ends(graph, meets).immediate(4), 3u);
}

// A loop, 1 to 4, with a place to meet, 4, and two ways out: threads end at 3 or go on to 5 and 6.
TEST(Dominators, OneWayOutOfALoopInWhichThreadsMeetStaysOne) {
  const Graph graph = graph_of(7, {{0, 1}, {1, 2}, {1, 4}, {2, 3}, {2, 4}, {4, 1}, {4, 5}, {5, 6}});
  const std::vector<bool> meets{true, true, true, false, true, false, false};
  const PostDominators below = below_ends(graph, meets);
  EXPECT_EQ(below.immediate(1), 4u);
  EXPECT_EQ(below.immediate(2), 4u);
  EXPECT_EQ(below.immediate(4), 5u);
}

// Of two ways out of a loop that which each round passes is the usual one, and of two such that of
// the outer loop, whatever there is to do behind the other.
TEST(Dominators, TheUsualWayOutOfALoopStaysOne) {
  const Graph arm =
      graph_of(9, {{0, 1}, {1, 2}, {1, 4}, {2, 3}, {2, 4}, {3, 6}, {6, 7}, {4, 1}, {4, 5}, {5, 8}});
  const std::vector<bool> meets{true, true, true, false, true, false, false, false, false};
  EXPECT_EQ(below_ends(arm, meets).immediate(1), 4u);
  const Graph nested =
      graph_of(8, {{0, 1}, {1, 2}, {2, 3}, {2, 6}, {6, 7}, {3, 2}, {3, 4}, {4, 1}, {4, 5}});
  const std::vector<bool> in_loop{true, true, true, true, true, false, false, false};
  EXPECT_EQ(below_ends(nested, in_loop).immediate(2), 3u);
  EXPECT_EQ(below_ends(nested, in_loop).immediate(3), 4u);
  EXPECT_EQ(below_ends(nested, in_loop).immediate(4), 5u);
}

// By definition: a dominates b when b cannot be reached without a.
TEST(Dominators, AgreeWithTheDefinitionOnRandomGraphs) {
  const uint32_t first = test::seed(1);
  for (uint32_t seed = first; seed != first + 200; ++seed) {
    std::mt19937 random(seed);
    const uint32_t nodes = 2 + static_cast<uint32_t>(random() % 9);
    Graph graph(nodes);
    for (uint32_t i = 0; i < 2 * nodes; ++i) {
      graph.add_edge(static_cast<uint32_t>(random() % nodes),
                     static_cast<uint32_t>(random() % nodes));
    }
    const DominatorTree tree(graph, 0);
    const auto reached = reachable_without(graph, 0, kNoNode);
    for (uint32_t a = 1; a < nodes; ++a) {
      const auto without = reachable_without(graph, 0, a);
      for (uint32_t b = 1; b < nodes; ++b) {
        if (!reached[a] || !reached[b]) continue;
        EXPECT_EQ(tree.dominates(a, b), a == b || !without[b]) << test::text_of_seed(seed);
        const uint32_t common = tree.common(a, b);
        for (uint32_t c = 0; c < nodes; ++c) {
          if (!reached[c]) continue;
          const bool both = tree.dominates(c, a) && tree.dominates(c, b);
          EXPECT_EQ(tree.dominates(c, common), both) << test::text_of_seed(seed);
        }
      }
    }
  }
}

// An outer loop from 1 with two back edges, an inner one from 3 alone, and one with two ways in.
TEST(NaturalLoops, SayWhereTheyAreEntered) {
  const Graph graph = graph_of(8, {{0, 1},
                                   {1, 2},
                                   {2, 3},
                                   {3, 3},
                                   {3, 4},
                                   {4, 1},
                                   {2, 1},
                                   {4, 5},
                                   {0, 6},
                                   {5, 6},
                                   {6, 7},
                                   {7, 6}});
  const std::vector<Loop> loops = natural_loops(graph);
  ASSERT_EQ(loops.size(), 3u);
  EXPECT_EQ(loops[0].header, 1u);
  EXPECT_EQ(loops[0].entry, 0u);
  EXPECT_EQ(loops[0].latches, (std::vector<uint32_t>{4, 2}));
  EXPECT_EQ(loops[0].members,
            (std::vector<bool>{false, true, true, true, true, false, false, false}));
  EXPECT_EQ(loops[1].header, 3u);
  EXPECT_EQ(loops[1].entry, 2u);
  EXPECT_EQ(loops[1].members,
            (std::vector<bool>{false, false, false, true, false, false, false, false}));
  EXPECT_EQ(loops[2].header, 6u);
  EXPECT_EQ(loops[2].entry, kNoNode);
}

TEST(LoopDepths, CountNesting) {
  const Graph graph = graph_of(5, {{0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 1}, {3, 4}});
  EXPECT_EQ(loop_depths(graph), (std::vector<uint32_t>{0, 1, 2, 1, 0}));
}

TEST(Liveness, ValueLivesAroundTheLoop) {
  const Graph graph = graph_of(3, {{0, 1}, {1, 1}, {1, 2}});
  std::vector<BlockVariables> blocks(3, {BitSet(2), BitSet(2)});
  blocks[0].defined.insert(0);
  blocks[1].used.insert(0);
  blocks[2].used.insert(1);
  const Liveness live = liveness(graph, blocks, 2);
  EXPECT_TRUE(live.out[1].contains(0));
  EXPECT_FALSE(live.in[2].contains(0));
  EXPECT_TRUE(live.in[0].contains(1));  // never defined
}

TEST(Divergence, ValueWrittenOnDivergentPathsDiffersAfterwards) {
  // v0: thread index; v1 written on both sides of a branch on v0; v2 = parameter
  const Graph graph = graph_of(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  DataFlow flow;
  flow.variables = 4;
  flow.branch_condition = {0, kNoVariable, kNoVariable, kNoVariable};
  flow.statements = {{1, false, {2}, {1}}, {2, false, {2}, {1}}, {3, false, {2}, {3}}};
  const Divergence result = divergence(graph, flow, {0});
  EXPECT_TRUE(result.branches[0]);
  EXPECT_TRUE(result.variables[1]);
  EXPECT_FALSE(result.variables[3]);
}

TEST(Divergence, LoopThatThreadsLeaveAtDifferentTimes) {
  // v1 counts rounds, the branch depends on v0 (thread index) and v1; used after the loop
  const Graph graph = graph_of(3, {{0, 1}, {1, 1}, {1, 2}});
  DataFlow flow;
  flow.variables = 4;
  flow.branch_condition = {kNoVariable, 2, kNoVariable};
  flow.statements = {
      {0, false, {}, {1}}, {1, false, {1}, {1}}, {1, false, {0, 1}, {2}}, {2, false, {1}, {3}}};
  EXPECT_TRUE(divergence(graph, flow, {0}).variables[3]);
  EXPECT_FALSE(divergence(graph, flow, {}).variables[3]);
}

}  // namespace
}  // namespace gvp::compiler
