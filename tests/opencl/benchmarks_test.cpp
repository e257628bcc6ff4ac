// SPDX-License-Identifier: Apache-2.0
// Each benchmark at a small size, in both timings; opencl-benchmarks does the others.
#include "tests/opencl/benchmarks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <string>

namespace gvp::test {
namespace {

class OpenClBenchmarks : public testing::TestWithParam<OpenClBenchmark> {};

TEST_P(OpenClBenchmarks, GiveWhatTheHostComputesInBothTimings) {
  const BenchmarkResult loose = GetParam().run(16, false);
  EXPECT_EQ(loose.problem, "");
  EXPECT_GT(loose.lane_instructions, 0u);
  const BenchmarkResult timed = GetParam().run(16, true);
  EXPECT_EQ(timed.problem, "");
  EXPECT_EQ(timed.instructions, loose.instructions);
  // Units that work side by side do not take longer than one after the other.
  EXPECT_LE(timed.cycles, loose.cycles);
  EXPECT_GT(timed.cycles, loose.cycles / 4);
}

INSTANTIATE_TEST_SUITE_P(All, OpenClBenchmarks, testing::ValuesIn(opencl_benchmarks()),
                         [](const auto& tested) {
                           std::string name = tested.param.name;
                           for (char& each : name)
                             if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
                           return name;
                         });

}  // namespace
}  // namespace gvp::test
