// SPDX-License-Identifier: Apache-2.0
// Scenarios of gvp-cosim: what they are made of, and that they get as small as they can.
#include "tools/gvp-cosim/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "models/gpgpu/g80/assembler.h"
#include "tests/support/seed.h"
#include "tools/gvp-cosim/scenario.h"
#include "tools/gvp-cosim/written_test.h"

namespace gvp::cosim {
namespace {

using testing::ElementsAre;

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

TEST(MinimalSubset, KeepsWhatIsNeededAlone) {
  for (const size_t count : {1u, 2u, 7u, 64u, 100u}) {
    const std::set<size_t> needed = {0, count / 2, count - 1};
    const std::vector<bool> kept = minimal_subset(count, [&](const std::vector<bool>& keep) {
      return std::all_of(needed.begin(), needed.end(), [&](size_t i) { return keep[i]; });
    });
    for (size_t i = 0; i < count; ++i) EXPECT_EQ(kept[i], needed.count(i) != 0) << count;
  }
}

// The first can go only when the last has.
TEST(MinimalSubset, TriesAgainWhatWasNeededBefore) {
  const auto kept = minimal_subset(
      3, [](const std::vector<bool>& keep) { return keep[1] && (keep[0] || !keep[2]); });
  EXPECT_EQ(kept, (std::vector<bool>{false, true, false}));
}

TEST(MinimalSubset, OfNothingIsNothing) {
  EXPECT_TRUE(minimal_subset(0, [](const std::vector<bool>&) { return true; }).empty());
}

TEST(Shrink, AScenarioLosesAllThatTheDifferenceDoesNotNeed) {
  Scenario scenario = random_scenario(2);
  scenario.lines = {"a", "b", "c", "d", "e", "f", "g"};
  scenario.grid = {5, 3};
  scenario.block = {33, 7, 1};
  scenario.blocks_per_sm = 3;
  scenario.launches = 2;
  scenario.data = {1, 2, 3, 4, 5};
  scenario.constants = {1, 2};
  scenario.parameters = {7};
  scenario.accesses.resize(5);
  unsigned asked = 0;
  const Scenario least = shrink(scenario, [&](const Scenario& s) {
    ++asked;
    return has(s.lines, "b") && has(s.lines, "f") && s.block[0] >= 9 && s.grid[1] >= 2 &&
           s.data.size() > 2 && s.data[2] == 3;
  });
  EXPECT_THAT(least.lines, ElementsAre("b", "f"));
  EXPECT_THAT(least.grid, ElementsAre(1, 2));
  EXPECT_THAT(least.block, ElementsAre(9, 1, 1));
  EXPECT_THAT(least.data, ElementsAre(0, 0, 3));
  EXPECT_EQ(least.blocks_per_sm, 0u);
  EXPECT_EQ(least.launches, 1u);
  EXPECT_TRUE(least.constants.empty() && least.parameters.empty() && least.accesses.empty());
  EXPECT_LT(asked, 100u);
}

// What the difference needs of accesses, launches and words stays, and nothing else of them.
TEST(Shrink, WhatTheDifferenceNeedsStays) {
  Scenario scenario = random_scenario(2);
  scenario.lines = {"a", "b", "c"};
  scenario.launches = 2;
  scenario.blocks_per_sm = 6;
  scenario.data = {1, 2, 3, 4, 5};
  scenario.constants = {1, 2, 3};
  scenario.parameters = {7, 8};
  scenario.accesses.assign(9, Access());
  for (uint32_t i = 0; i < scenario.accesses.size(); ++i) scenario.accesses[i].cycles = i;
  const auto has_access = [](const Scenario& s, uint32_t number) {
    return std::any_of(s.accesses.begin(), s.accesses.end(),
                       [number](const Access& access) { return access.cycles == number; });
  };
  const Scenario least = shrink(scenario, [&](const Scenario& s) {
    return has_access(s, 2) && has_access(s, 7) && s.launches == 2 && s.blocks_per_sm >= 3 &&
           s.constants.size() > 1 && s.constants[1] == 2 && !s.parameters.empty() &&
           s.parameters[0] == 7;
  });
  ASSERT_EQ(least.accesses.size(), 2u);
  EXPECT_EQ(least.accesses[0].cycles, 2u);
  EXPECT_EQ(least.accesses[1].cycles, 7u);
  EXPECT_EQ(least.launches, 2u);
  EXPECT_EQ(least.blocks_per_sm, 3u);
  EXPECT_THAT(least.constants, ElementsAre(0, 2));
  EXPECT_THAT(least.parameters, ElementsAre(7));
  EXPECT_TRUE(least.lines.empty() && least.data.empty());
}

// "d" can go once the block has 32 threads, and the block be smaller once "d" has gone.
TEST(Shrink, GoesOnWhileItGetsSmaller) {
  Scenario scenario = random_scenario(2);
  scenario.lines = {"a", "b", "c", "d"};
  scenario.block = {64, 1, 1};
  const Scenario least = shrink(scenario, [&](const Scenario& s) {
    return has(s.lines, "a") && (s.block[0] <= 32 || has(s.lines, "d")) &&
           (s.block[0] >= 32 || !has(s.lines, "d"));
  });
  EXPECT_THAT(least.lines, ElementsAre("a"));
  EXPECT_EQ(least.block[0], 1u);
}

TEST(Shrink, AsksNoMoreThanItMay) {
  unsigned asked = 0;
  const Scenario scenario = random_scenario(3);
  const Scenario same = shrink(
      scenario,
      [&](const Scenario&) {
        ++asked;
        return false;
      },
      17);
  EXPECT_EQ(asked, 17u);
  EXPECT_EQ(same.lines, scenario.lines);
}

TEST(Scenario, IsTheSameForTheSameSeedAndCanBeAssembled) {
  std::set<std::string> sources;
  const uint32_t first = test::seed(1);
  unsigned with_accesses = 0;
  for (uint32_t seed = first; seed != first + 40; ++seed) {
    const Scenario scenario = random_scenario(seed);
    const std::string source = source_of(scenario);
    EXPECT_EQ(source, source_of(random_scenario(seed)));
    EXPECT_FALSE(gpgpu::g80::assemble(source, "scenario").kernels.at(0).code.empty())
        << test::text_of_seed(seed);
    sources.insert(source);
    with_accesses += scenario.accesses.empty() ? 0 : 1;
  }
  EXPECT_EQ(sources.size(), 40u);
  EXPECT_GT(with_accesses, 5u);
  EXPECT_LT(with_accesses, 35u);
}

TEST(WrittenTest, AShellTakesItsCommandLine) {
  EXPECT_EQ(command_line({"gpgpu-run", "--set", "a.b=1", "my file", "it's"}),
            "gpgpu-run --set a.b=1 'my file' 'it'\\''s'");
}

}  // namespace
}  // namespace gvp::cosim
