// SPDX-License-Identifier: Apache-2.0
#include "tools/compiler/register_allocation.h"

#include <gtest/gtest.h>

#include <random>

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

TEST(RegisterAllocation, SpillsTheCheapestOfAClique) {
  AllocationProblem problem(3);
  problem.colours = 2;
  problem.graph.add(0, 1);
  problem.graph.add(1, 2);
  problem.graph.add(0, 2);
  problem.spill_cost = {10, 1, 10};
  EXPECT_EQ(allocate(problem).spilled, (std::vector<uint32_t>{1}));
}

}  // namespace
}  // namespace gvp::compiler
