// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/timer_counter.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/seed.h"

namespace gvp::peripherals {
namespace {

// The counter in one go against the same counter cycle by cycle.
TEST(TimerCounter, BigStepsEqualSingleSteps) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  for (int trial = 0; trial < 2000; ++trial) {
    TimerCounter::Mode mode;
    mode.maximum = 15;
    mode.down = random() % 2 != 0;
    mode.reload = random() % 2 != 0;
    mode.capture = random() % 8 == 0;
    const uint64_t load = random() % 16;
    TimerCounter big, small;
    const uint64_t first = random() % 16;
    big.load(first);
    small.load(first);
    for (int step = 0; step < 5; ++step) {
      const uint64_t cycles = random() % 60;
      const uint64_t until = big.cycles_to_rollover(mode, load);
      uint64_t rollovers = 0;
      for (uint64_t i = 1; i <= cycles; ++i) {
        const uint64_t rolled = small.advance(1, mode, load);
        if (rolled != 0 && rollovers == 0) {
          EXPECT_EQ(i, until);
        }
        rollovers += rolled;
      }
      EXPECT_EQ(big.advance(cycles, mode, load), rollovers);
      ASSERT_EQ(big.value(), small.value());
      ASSERT_EQ(big.stopped(), small.stopped());
    }
  }
}

TEST(TimerCounter, FullRangeDoesNotOverflow) {
  TimerCounter counter;
  TimerCounter::Mode mode;
  mode.maximum = ~uint64_t{0};
  mode.down = true;
  mode.reload = true;
  counter.load(~uint64_t{0});
  EXPECT_EQ(counter.cycles_to_rollover(mode, ~uint64_t{0}), TimerCounter::kNever);
  EXPECT_EQ(counter.advance(~uint64_t{0}, mode, ~uint64_t{0}), 0u);
  EXPECT_EQ(counter.value(), 0u);
  EXPECT_EQ(counter.advance(1, mode, ~uint64_t{0}), 1u);
}

}  // namespace
}  // namespace gvp::peripherals
