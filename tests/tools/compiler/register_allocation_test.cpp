// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/register_allocation.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "tests/support/seed.h"

namespace gvp::compiler {
namespace {

TEST(RegisterAllocation, NeighboursGetDifferentColours) {
  const uint32_t first = test::seed(1);
  for (uint32_t seed = first; seed != first + 100; ++seed) {
    std::mt19937 random(seed);
    const uint32_t variables = 20 + static_cast<uint32_t>(random() % 40);
    AllocationProblem problem(variables);
    problem.colours = 4 + static_cast<uint32_t>(random() % 12);
    for (uint32_t i = 0; i < 4 * variables; ++i) {
      problem.graph.add(static_cast<uint32_t>(random() % variables),
                        static_cast<uint32_t>(random() % variables));
    }
    for (uint32_t i = 0; i < variables; ++i) {
      problem.moves.push_back({static_cast<uint32_t>(random() % variables),
                               static_cast<uint32_t>(random() % variables), 1});
    }
    problem.fixed[3] = 0;
    const Allocation result = allocate(problem);
    EXPECT_EQ(result.colour[3], 0u);
    for (uint32_t a = 0; a < variables; ++a) {
      for (const uint32_t b : problem.graph.neighbours(a)) {
        if (result.colour[a] == kNoColour) continue;
        EXPECT_NE(result.colour[a], result.colour[b]) << test::text_of_seed(seed);
        EXPECT_LT(result.colour[a], problem.colours);
      }
    }
  }
}

TEST(RegisterAllocation, MoveEndsShareARegister) {
  AllocationProblem problem(3);
  problem.colours = 4;
  problem.graph.add(0, 1);
  problem.moves = {{2, 1, 1}};
  const Allocation result = allocate(problem);
  EXPECT_EQ(result.colour[1], result.colour[2]);
  EXPECT_EQ(result.colours_used, 2u);
}

// Both ends have a neighbour that is hard to colour, which is no obstacle here.
TEST(RegisterAllocation, MoveEndsShareARegisterAmongHardNeighbours) {
  AllocationProblem problem(7);
  problem.colours = 2;
  for (const auto& [a, b] : {std::pair{0U, 2U}, {2U, 4U}, {1U, 3U}, {3U, 5U}, {1U, 6U}})
    problem.graph.add(a, b);
  problem.fixed[6] = 0;
  problem.moves = {{0, 1, 1}};
  const Allocation result = allocate(problem);
  EXPECT_EQ(result.colour[0], result.colour[1]);
  EXPECT_TRUE(result.spilled.empty());
}

// A path of four has two colours; with its ends as one it would be a triangle.
TEST(RegisterAllocation, MoveEndsSpillNothing) {
  AllocationProblem problem(4);
  problem.colours = 2;
  for (const auto& [a, b] : {std::pair{0U, 2U}, {2U, 3U}, {3U, 1U}}) problem.graph.add(a, b);
  problem.moves = {{0, 1, 1}};
  const Allocation result = allocate(problem);
  EXPECT_NE(result.colour[0], result.colour[1]);
  EXPECT_TRUE(result.spilled.empty());
}

TEST(RegisterAllocation, SpillsTheCheapestOfAClique) {
  AllocationProblem problem(3);
  problem.colours = 2;
  problem.graph.add(0, 1);
  problem.graph.add(1, 2);
  problem.graph.add(0, 2);
  problem.spill_cost = {10, 1, 10};
  EXPECT_EQ(allocate(problem).spilled, (std::vector<uint32_t>{1}));
}

// An edge that is added twice counts once: a has fewer neighbours than there are colours.
TEST(RegisterAllocation, RepeatedEdgesCountOnce) {
  AllocationProblem problem(3);
  problem.colours = 2;
  for (int i = 0; i < 3; ++i) problem.graph.add(0, 1);
  problem.moves = {{0, 2, 1}};
  problem.graph.add(2, 1);
  const Allocation result = allocate(problem);
  EXPECT_TRUE(result.spilled.empty());
  EXPECT_EQ(result.colour[0], result.colour[2]);
}

// A matrix of so many variables would take 3 TB.
TEST(RegisterAllocation, TakesMemoryByEdges) {
  constexpr uint32_t kVariables = 5000000;
  AllocationProblem problem(kVariables);
  problem.colours = 2;
  for (uint32_t v = 1; v < kVariables; ++v) problem.graph.add(v - 1, v);
  const Allocation result = allocate(problem);
  EXPECT_TRUE(result.spilled.empty());
  EXPECT_EQ(result.colours_used, 2u);
}

}  // namespace
}  // namespace gvp::compiler
