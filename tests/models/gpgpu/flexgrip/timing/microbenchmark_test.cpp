// SPDX-License-Identifier: Apache-2.0
// The published RTL's kernel cycles and stage traces, reproduced to the cycle.
#include <gtest/gtest.h>

#include "fidelity/microbenchmarks.h"

namespace gvp::fidelity {
namespace {

std::vector<Microbenchmark> benchmarks() {
  return read_microbenchmarks(GVP_SOURCE_DIR "/tests/data/microbenchmarks");
}

TEST(Microbenchmarks, KernelCyclesAreThoseOfTheRtl) {
  unsigned compared = 0;
  for (const Microbenchmark& benchmark : benchmarks()) {
    if (benchmark.rtl_bug) continue;
    const MicrobenchmarkRun ours = run(benchmark);
    EXPECT_TRUE(ours.completed) << benchmark.name;
    EXPECT_EQ(ours.cycles, benchmark.cycles) << benchmark.name << " at " << benchmark.sps << " SPs";
    ++compared;
  }
  EXPECT_EQ(compared, 58u);
}

TEST(Microbenchmarks, EveryStageOfEveryRowIsThatOfTheRtl) {
  unsigned compared = 0;
  for (const Microbenchmark& benchmark : benchmarks()) {
    if (!benchmark.stages) continue;
    EXPECT_EQ(first_difference(run(benchmark).rows, *benchmark.stages), "")
        << benchmark.name << " at " << benchmark.sps << " SPs";
    ++compared;
  }
  EXPECT_EQ(compared, 18u);
}

TEST(Microbenchmarks, RunsAreRepeatable) {
  const Microbenchmark benchmark = benchmarks().front();
  EXPECT_EQ(first_difference(run(benchmark).rows, run(benchmark).rows), "");
}

}  // namespace
}  // namespace gvp::fidelity
