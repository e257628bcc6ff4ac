// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/port_queue.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu {
namespace {

TEST(PortQueue, AnSmThatIsAloneFindsNobody) { EXPECT_EQ(others_at_port(10, 20, 1), 0.0); }

TEST(PortQueue, SmsThatDoNothingElseFindAllOthers) {
  EXPECT_EQ(others_at_port(10, 10, 2), 1.0);
  EXPECT_EQ(others_at_port(10, 10, 4), 3.0);
}

TEST(PortQueue, OfTwoSmsEachFindsTheOtherAsOftenAsThatHasThePort) {
  EXPECT_DOUBLE_EQ(others_at_port(1, 2, 2), 0.5);
  EXPECT_DOUBLE_EQ(others_at_port(25, 100, 2), 0.25);
}

// By hand: with one customer 1/2 are there; a second one takes 1.5 and thinks 1: 2 x 1.5 / 2.5.
TEST(PortQueue, MoreSmsQueue) { EXPECT_DOUBLE_EQ(others_at_port(1, 2, 3), 1.2); }

}  // namespace
}  // namespace gvp::gpgpu
