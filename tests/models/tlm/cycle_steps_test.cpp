// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/cycle_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace gvp::kit {
namespace {

TEST(CycleSteps, AreThoseOfTheClock) {
  std::mt19937_64 random(1);
  for (const double hz : {1.0, 1e6, 50e6, 150e6, 200e6, 300e6, 1e9, 1e12}) {
    const Clock clock(hz);
    const CycleSteps steps(clock);
    const uint64_t period = clock.period_ps();
    for (const uint64_t near : {uint64_t{0}, period, 7 * period, uint64_t{1} << 32})
      for (uint64_t ps = near - std::min<uint64_t>(near, 3); ps < near + 3; ++ps)
        ASSERT_EQ(steps.up(ps), clock.cycles_up(ps)) << ps << " ps of " << hz << " Hz";
    for (int i = 0; i < 20000; ++i) {
      const uint64_t ps = random() >> (random() % 50 + 14);
      ASSERT_EQ(steps.up(ps), clock.cycles_up(ps)) << ps << " ps of " << hz << " Hz";
      const uint64_t edge = ps / period * period;
      ASSERT_EQ(steps.up(edge), clock.cycles_up(edge)) << edge << " ps of " << hz << " Hz";
      ASSERT_EQ(steps.up(edge + 1), clock.cycles_up(edge + 1)) << edge << " ps of " << hz << " Hz";
    }
  }
}

}  // namespace
}  // namespace gvp::kit
