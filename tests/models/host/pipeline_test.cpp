// SPDX-License-Identifier: Apache-2.0
// Latencies and hazards of both pipelines, worked out by hand from UG984: chapter 2, "Pipeline
// Architecture", and the "Latency" of each instruction page.
#include "models/host/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/models/host/assembler.h"
#include "tests/models/host/machine.h"

namespace gvp::host::test {
namespace {

using testing::ElementsAre;

enum class Stages { kThree, kFive };

Configuration with(Stages stages) {
  Configuration configuration = Machine::everything();
  configuration.area_optimized = stages == Stages::kThree;
  return configuration;
}

// Cycles in which the instructions of straight code enter execution, words always there; the last
// figure is when the one after them could.
std::vector<uint64_t> executions(Stages stages, std::string_view program) {
  const Configuration configuration = with(stages);
  Pipeline pipeline(configuration);
  std::vector<uint64_t> cycles;
  for (const uint32_t word : assemble_program(program))
    cycles.push_back(pipeline.issue(pipeline.timing(word), 0));
  cycles.push_back(pipeline.next());
  return cycles;
}

uint64_t stalls(const Pipeline& pipeline, Stall cause) {
  return pipeline.stalls()[static_cast<size_t>(cause)];
}

struct Case {
  const char* what;
  const char* program;
  std::vector<uint64_t> five;   // cycles of execution, 5 stages
  std::vector<uint64_t> three;  // 3 stages
};

class PipelineCase : public testing::TestWithParam<Case> {};

TEST_P(PipelineCase, ExecutesInTheseCycles) {
  EXPECT_EQ(executions(Stages::kFive, GetParam().program), GetParam().five);
  EXPECT_EQ(executions(Stages::kThree, GetParam().program), GetParam().three);
}

// A number in the comment is where the cycles come from: L latency, H hazard.
INSTANTIATE_TEST_SUITE_P(
    Hazards, PipelineCase,
    testing::Values(
        Case{
            "ALU results are forwarded", "addk r3, r4, r5\n addk r6, r3, r3", {0, 1, 2}, {0, 1, 2}},
        Case{"an imm prefix takes a cycle", "imm 1\n addik r3, r3, 2", {0, 1, 2}, {0, 1, 2}},
        // "Pipeline Hazard Example": mul, then add of its result: 2 cycles lost.
        Case{"multiply, used next", "mul r3, r4, r5\n addk r6, r3, r4", {0, 3, 4}, {0, 3, 4}},
        Case{"multiply, used next but one",
             "mul r3, r4, r5\n addk r7, r4, r4\n addk r6, r3, r4",
             {0, 1, 3, 4},
             {0, 3, 4, 5}},
        Case{"multiply, used third",
             "mul r3, r4, r5\n addk r7, r4, r4\n addk r7, r4, r4\n addk r6, r3, r4",
             {0, 1, 2, 3, 4},
             {0, 3, 4, 5, 6}},
        Case{"load, used next", "lwi r3, r0, 64\n addk r6, r3, r4", {0, 3, 4}, {0, 2, 3}},
        Case{"load, used next but one",
             "lwi r3, r0, 64\n addk r7, r4, r4\n addk r6, r3, r4",
             {0, 1, 3, 4},
             {0, 2, 3, 4}},
        Case{"load, not used", "lwi r3, r0, 64\n addk r6, r4, r4", {0, 1, 2}, {0, 2, 3}},
        Case{"load, stored next", "lwi r3, r0, 64\n swi r3, r0, 68", {0, 3, 4}, {0, 2, 4}},
        Case{"load, address of the next", "lwi r3, r0, 64\n lwi r4, r3, 0", {0, 3, 4}, {0, 2, 4}},
        Case{"a wait serves both consumers",
             "lwi r3, r0, 64\n addk r6, r3, r4\n addk r7, r3, r4",
             {0, 3, 4, 5},
             {0, 2, 3, 4}},
        Case{"stores produce nothing", "swi r3, r0, 64\n addk r6, r3, r4", {0, 1, 2}, {0, 2, 3}},
        Case{"a load of r0 produces nothing",
             "lwi r0, r0, 64\n addk r6, r0, r4",
             {0, 1, 2},
             {0, 2, 3}},
        Case{"barrel shift, used next", "bslli r3, r4, 5\n addk r6, r3, r4", {0, 2, 3}, {0, 2, 3}},
        Case{"barrel shift, used next but one",
             "bslli r3, r4, 5\n addk r7, r4, r4\n addk r6, r3, r4",
             {0, 1, 2, 3},
             {0, 2, 3, 4}},
        // idiv: L 34 and 35 (the manual's 32-cycle divider and its stages); H 1.
        Case{"division, used next", "idiv r3, r4, r5\n addk r6, r3, r4", {0, 35, 36}, {0, 35, 36}},
        Case{"division, not used", "idiv r3, r4, r5\n addk r6, r4, r4", {0, 34, 35}, {0, 35, 36}},
        Case{"float add, used next", "fadd r3, r4, r5\n fadd r6, r3, r4", {0, 6, 10}, {0, 6, 12}},
        Case{"float add, not used", "fadd r3, r4, r5\n fadd r6, r4, r4", {0, 4, 8}, {0, 6, 12}},
        Case{"float divide and root", "fdiv r3, r4, r5\n fsqrt r6, r4", {0, 28, 55}, {0, 30, 59}},
        Case{"a branch reads its condition", "lwi r3, r0, 64\n beqi r3, 8", {0, 3, 4}, {0, 2, 3}},
        Case{"system instructions",
             "msrset r3, 4\n mbar 1\n wic r4, r5",
             {0, 1, 3, 5},
             {0, 1, 3, 5}}));

TEST(PipelineTest, CyclesOfAStallAreChargedToTheirCause) {
  const Configuration configuration = with(Stages::kFive);
  Pipeline pipeline(configuration);
  for (const uint32_t word :
       assemble_program("lwi r3, r0, 0\n addk r4, r3, r3\n mul r5, r4, r4\n addk r5, r5, r5\n"
                        "idiv r5, r4, r4\n bslli r6, r5, 1\n fadd r7, r6, r6"))
    pipeline.issue(pipeline.timing(word), 0);
  EXPECT_EQ(stalls(pipeline, Stall::kLoadUse), 2u);
  EXPECT_EQ(stalls(pipeline, Stall::kMultiply), 2u);
  EXPECT_EQ(stalls(pipeline, Stall::kDivide), 33u + 1);
  EXPECT_EQ(stalls(pipeline, Stall::kShift), 1u);
  EXPECT_EQ(stalls(pipeline, Stall::kFloatingPoint), 3u);
  const auto& all = pipeline.stalls();
  EXPECT_EQ(pipeline.next(), 7 + std::accumulate(all.begin(), all.end(), uint64_t{0}));
}

TEST(PipelineTest, ASlowAccessDelaysWhatFollowsAndTheResult) {
  const Configuration configuration = with(Stages::kFive);
  Pipeline pipeline(configuration);
  const auto words = assemble_program("lwi r3, r0, 0\n addk r4, r4, r4\n addk r5, r3, r3");
  EXPECT_EQ(pipeline.issue(pipeline.timing(words[0]), 0), 0u);
  pipeline.wait_for_data(10);
  EXPECT_EQ(pipeline.issue(pipeline.timing(words[1]), 0), 11u);
  EXPECT_EQ(pipeline.issue(pipeline.timing(words[2]), 0), 13u);
  EXPECT_EQ(stalls(pipeline, Stall::kData), 10u);
  EXPECT_EQ(stalls(pipeline, Stall::kLoadUse), 1u);
}

// Waiting for a word hides a hazard, because time passes in any case.
TEST(PipelineTest, LateWordsHideHazards) {
  const Configuration configuration = with(Stages::kFive);
  Pipeline pipeline(configuration);
  const auto words = assemble_program("lwi r3, r0, 0\n addk r5, r3, r3");
  EXPECT_EQ(pipeline.issue(pipeline.timing(words[0]), 5), 5u);
  EXPECT_EQ(pipeline.issue(pipeline.timing(words[1]), 10), 10u);
  EXPECT_EQ(stalls(pipeline, Stall::kLoadUse), 0u);
  EXPECT_EQ(stalls(pipeline, Stall::kFetch), 3u + 4);  // 2 cycles of the first fill the pipeline
  EXPECT_EQ(stalls(pipeline, Stall::kBranch), 2u);
}

TEST(PipelineTest, MissingUnitsPassAsOneCycle) {
  Configuration configuration = with(Stages::kFive);
  configuration.use_div = false;
  Pipeline pipeline(configuration);
  pipeline.issue(pipeline.timing(assemble("idiv r3, r4, r5")), 0);
  EXPECT_EQ(pipeline.next(), 1u);
}

}  // namespace
}  // namespace gvp::host::test
