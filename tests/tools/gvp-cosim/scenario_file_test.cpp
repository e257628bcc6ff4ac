// SPDX-License-Identifier: Apache-2.0
// Scenarios as text: what is written is read again as it was, and what is wrong is told of by its
// line.
#include "tools/gvp-cosim/scenario_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "models/base/error.h"
#include "tests/support/seed.h"

namespace gvp::cosim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Words that are zero at the end of the data are of no value: memory is zero.
std::vector<uint32_t> without_zeros_behind(std::vector<uint32_t> words) {
  while (!words.empty() && words.back() == 0) words.pop_back();
  return words;
}

TEST(ScenarioFile, HasAllOfAScenario) {
  const uint32_t first = test::seed(1);
  size_t accesses = 0, strobes = 0, parameters = 0;
  for (uint32_t seed = first; seed != first + 40; ++seed) {
    const Scenario scenario = random_scenario(seed);
    const Scenario again = parse_scenario(text_of(scenario), "file");
    SCOPED_TRACE(test::text_of_seed(seed));
    EXPECT_EQ(again.directives, scenario.directives);
    EXPECT_EQ(again.lines, scenario.lines);
    EXPECT_EQ(again.grid, scenario.grid);
    EXPECT_EQ(again.block, scenario.block);
    EXPECT_EQ(again.blocks_per_sm, scenario.blocks_per_sm);
    EXPECT_EQ(again.parameters, scenario.parameters);
    EXPECT_EQ(again.constants, scenario.constants);
    EXPECT_EQ(without_zeros_behind(again.data), without_zeros_behind(scenario.data));
    EXPECT_EQ(again.launches, scenario.launches);
    ASSERT_EQ(again.accesses.size(), scenario.accesses.size());
    for (size_t i = 0; i < again.accesses.size(); ++i) {
      const Access &one = again.accesses[i], &other = scenario.accesses[i];
      EXPECT_EQ(one.when, other.when);
      EXPECT_EQ(one.window, other.window);
      EXPECT_EQ(one.offset, other.offset);
      EXPECT_EQ(one.write, other.write);
      EXPECT_EQ(one.data, other.data);
      EXPECT_EQ(one.strobes, other.strobes);
      EXPECT_EQ(one.cycles, other.cycles);
      strobes += one.strobes.size();
    }
    accesses += again.accesses.size();
    parameters += again.parameters.size();
  }
  EXPECT_GT(accesses, 50u);
  EXPECT_GT(strobes, 10u);
  EXPECT_GT(parameters, 10u);
}

TEST(ScenarioFile, IsReadAsPeopleWriteIt) {
  const Scenario scenario = parse_scenario(
      "# a remark\n\nlaunches 2\ngrid 3,0x2\nblock 32,1,1\nparameters 7 0x8\ndata 0x8 1 2\ndata "
      "0x4 9\n"
      "access during 3 write control 0x10 07 ff strobes 10\naccess after 0 read code 64 bytes 2\n"
      "kernel\n.regs 4\nRET;\n",
      "file");
  EXPECT_EQ(scenario.launches, 2u);
  EXPECT_THAT(scenario.grid, ElementsAre(3, 2));
  EXPECT_THAT(scenario.parameters, ElementsAre(7, 8));
  EXPECT_THAT(scenario.data, ElementsAre(0, 9, 1, 2));
  ASSERT_EQ(scenario.accesses.size(), 2u);
  EXPECT_EQ(scenario.accesses[0].when, Access::When::kDuring);
  EXPECT_THAT(scenario.accesses[0].data, ElementsAre(7, 0xff));
  EXPECT_THAT(scenario.accesses[0].strobes, ElementsAre(0xff, 0));
  EXPECT_FALSE(scenario.accesses[1].write);
  EXPECT_EQ(scenario.accesses[1].offset, 64u);
  EXPECT_EQ(scenario.accesses[1].data.size(), 2u);
  EXPECT_THAT(scenario.directives, ElementsAre(".regs 4"));
  EXPECT_THAT(scenario.lines, ElementsAre("RET;"));
}

TEST(ScenarioFile, WhatIsWrongIsToldOfByItsLine) {
  const struct {
    const char *text, *error;
  } cases[] = {
      {"", "file: there is no kernel"},
      {"launches 1\n", "there is no kernel"},
      {"lunches 1\nkernel\n", "file:1: \"lunches\" is no key"},
      {"launches 0\nkernel\n", "file:1: \"0\" is no number from 1 to 1000"},
      {"launches\nkernel\n", "a number is missing"},
      {"launches 1 2\nkernel\n", "\"2\" is too much"},
      {"\ngrid 1\nkernel\n", "file:2: \"1\" has not 2 numbers"},
      {"grid 1,x\nkernel\n", "\"x\" is no number"},
      {"grid 1,4294967296\nkernel\n", "\"4294967296\" is no number"},
      {"parameters 0x\nkernel\n", "\"0x\" is no number"},
      {"data 2 1\nkernel\n", "no words are at 0x2"},
      {"data 0xfffffffc 1\nkernel\n", "no words are at 0xfffffffc"},
      {"access now 0 read code 0 bytes 4\nkernel\n", "\"now\" is none of before, during"},
      {"access after 0 fetch code 0 bytes 4\nkernel\n", "\"fetch\" is none of read, write"},
      {"access after 0 read local 0 bytes 4\nkernel\n", "\"local\" is none of control"},
      {"access after 0 read code 0 4\nkernel\n", "\"4\" is none of bytes"},
      {"access after 0 read code 0 bytes 0\nkernel\n", "\"0\" is no number from 1"},
      {"access after 0 write code 0\nkernel\n", "an access has 1 to 4096 bytes"},
      {"access after 0 write code 0 100\nkernel\n", "\"100\" is no number from 0 to 255"},
      {"access after 0 write code 0 10 strobes 11\nkernel\n", "no strobe for each of 1"},
      {"access after 0 write code 0 10 strobes 2\nkernel\n", "no strobe for each of 1"}};
  for (const auto& each : cases) {
    try {
      parse_scenario(each.text, "file");
      ADD_FAILURE() << each.text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(each.error)) << each.text;
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
    }
  }
}

}  // namespace
}  // namespace gvp::cosim
