// SPDX-License-Identifier: Apache-2.0
// Random kernels on the approximately timed model take the cycles that the rules give when somebody
// else applies them.
#include <gtest/gtest.h>

#include "tests/models/gpgpu/flexgrip/timing/cycle_rules.h"
#include "tests/support/seed.h"

namespace gvp::fidelity {
namespace {

class RandomKernels : public testing::TestWithParam<unsigned> {};

TEST_P(RandomKernels, TakeTheCyclesThatTheRulesGive) {
  const uint32_t first = test::seed(1);
  for (uint32_t seed = first; seed != first + 100; ++seed) {
    const cosim::RandomKernel random = cosim::random_kernel(seed);
    const Microbenchmark kernel = benchmark_of(random, GetParam());
    const MicrobenchmarkRun ours = run(kernel);
    ASSERT_TRUE(ours.completed) << test::text_of_seed(seed) << '\n' << random.source;
    const MicrobenchmarkRun rules = run_by_rules(kernel, random.costs);
    const std::string difference = first_difference(ours.rows, rules.rows);
    ASSERT_TRUE(difference.empty() && ours.cycles == rules.cycles)
        << ours.cycles << " cycles (rules: " << rules.cycles << ") " << difference << "\nseed "
        << seed << ", " << random.launch.grid_x << " blocks of " << random.launch.block_x
        << " threads, " << random.launch.blocks_per_core << " at a time\n"
        << random.source;
  }
}

INSTANTIATE_TEST_SUITE_P(Sps, RandomKernels, testing::Values(8u, 16u, 32u));

}  // namespace
}  // namespace gvp::fidelity
