// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/divergence.h"

#include <gtest/gtest.h>

#include <utility>

namespace gvp::compiler {
namespace {

constexpr uint32_t kThread = 0, kCondition = 1, kCount = 2, kEnds = 3;

// Block 0 branches by the thread; others as the edges say, by kEnds where there are two.
struct Program {
  Program(uint32_t blocks, const std::vector<std::pair<uint32_t, uint32_t>>& edges)
      : graph(blocks) {
    for (const auto& [from, to] : edges) graph.add_edge(from, to);
    flow.variables = 4;
    flow.branch_condition.assign(blocks, kNoVariable);
    for (uint32_t block = 0; block < blocks; ++block)
      if (graph.successors[block].size() == 2) flow.branch_condition[block] = kEnds;
    flow.branch_condition[0] = kCondition;
    add(0, {kThread}, {kCondition});
  }
  void add(uint32_t block, std::vector<uint32_t> uses, std::vector<uint32_t> defines) {
    flow.statements.push_back({block, false, std::move(uses), std::move(defines)});
  }
  Divergence run() const { return divergence(graph, flow, {kThread}, meets); }

  Graph graph;
  DataFlow flow;
  std::vector<bool> meets;
};

// 0 -> 4 (the end), 0 -> 1 -> 2 (a loop) -> 3 -> 4
Program early_return() {
  Program program(5, {{0, 4}, {0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 4}});
  program.add(1, {}, {kCount});
  program.add(2, {kCount}, {kCount});
  program.add(2, {kCount}, {kEnds});
  return program;
}

TEST(Divergence, LoopsBehindAnEarlyReturnAreAsUniformAsBeforeIt) {
  const Divergence found = early_return().run();
  EXPECT_TRUE(found.branches[0]);
  EXPECT_FALSE(found.branches[2]);
  EXPECT_FALSE(found.variables[kCount]);
}

TEST(Divergence, WhatTheSidesOfABranchMakeDiffersWhereTheyMeet) {
  Program program = early_return();
  program.add(4, {kCount}, {});
  EXPECT_TRUE(program.run().variables[kCount]);
  Program loop = early_return();
  loop.graph.add_edge(4, 0);  // in which the others come round again
  EXPECT_TRUE(loop.run().variables[kCount]);
}

// 0 -> 1 (a loop with a place to meet: 1, 2, 3, 4) -> 5, the end; from 2 by the thread to 3 or 4,
// and from 3 by the thread to 6, an end of its own, behind which lies most.
Program loop_with_early_return() {
  Program program(9,
                  {{0, 1}, {1, 2}, {1, 5}, {2, 3}, {2, 4}, {3, 4}, {3, 6}, {4, 1}, {6, 7}, {7, 8}});
  program.flow.branch_condition[0] = kNoVariable;
  program.flow.branch_condition[2] = program.flow.branch_condition[3] = kCondition;
  program.add(0, {}, {kCount});
  program.add(1, {kCount}, {kEnds});
  program.add(4, {kCount}, {kCount});
  program.add(3, {}, {});
  program.add(5, {kThread}, {});
  program.add(6, {kThread}, {});
  program.meets = {true, true, true, true, true, false, false, false, false};
  return program;
}

TEST(Divergence, ThreadsThatEndDoNotMakeTheRoundsOfTheOthersDiffer) {
  const Divergence found = loop_with_early_return().run();
  EXPECT_TRUE(found.branches[2]);
  EXPECT_TRUE(found.branches[3]);
  EXPECT_FALSE(found.branches[1]);
  EXPECT_FALSE(found.variables[kCount]);
}

TEST(Divergence, RoundsDifferWhereNobodyMakesThreadsMeet) {
  Program program = loop_with_early_return();
  program.meets.clear();
  EXPECT_TRUE(program.run().branches[1]);
}

// Those of different rounds may be made to meet there.
TEST(Divergence, WhatThreadsUseInAnEndThatIsNotTheirOwnDiffers) {
  Program program = loop_with_early_return();
  program.graph.add_edge(5, 7);
  EXPECT_FALSE(program.run().branches[1]);
  program.add(8, {kCount}, {});
  EXPECT_TRUE(program.run().variables[kCount]);
}

// 0 -> 2, where others come to from 1, a place to meet, with another count.
TEST(Divergence, WhatOthersMakeBeforeAnEndThatTheyShareDiffers) {
  Program program(5, {{0, 1}, {0, 2}, {1, 2}, {2, 3}, {2, 4}});
  program.flow.branch_condition[2] = kCount;
  program.add(0, {}, {kCount});
  program.add(1, {}, {kCount});
  program.meets = {true, true, false, false, false};
  EXPECT_TRUE(program.run().branches[2]);
}

}  // namespace
}  // namespace gvp::compiler
