// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/timed_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/seed.h"

namespace gvp::kit {
namespace {

TEST(TimedQueue, GivesActionsInOrderOfTimeThenOfInsertion) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  TimedQueue<int> queue;
  std::vector<std::pair<uint64_t, int>> expected;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t time = random() % 50;
    queue.push(time, i);
    expected.emplace_back(time, i);
  }
  std::stable_sort(expected.begin(), expected.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [time, action] : expected) {
    EXPECT_EQ(queue.next_time(), time);
    int got = -1;
    ASSERT_TRUE(queue.pop(100, got));
    EXPECT_EQ(got, action);
  }
  EXPECT_TRUE(queue.empty());
}

TEST(TimedQueue, KeepsWhatIsNotDue) {
  TimedQueue<int> queue;
  int action = 0;
  EXPECT_FALSE(queue.pop(100, action));
  queue.push(10, 1);
  EXPECT_FALSE(queue.pop(9, action));
  EXPECT_TRUE(queue.pop(10, action));
}

}  // namespace
}  // namespace gvp::kit
