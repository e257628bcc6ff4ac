// SPDX-License-Identifier: Apache-2.0
#include "models/axi/arbiter.h"

#include <gtest/gtest.h>

namespace gvp::axi {
namespace {

using Requests = std::vector<Arbiter::Request>;

TEST(Arbiter, NobodyWaitsNobodyWins) {
  Arbiter arbiter(Arbitration::kRoundRobin);
  EXPECT_EQ(arbiter.choose(Requests(3)), Arbiter::kNobody);
}

TEST(Arbiter, RoundRobinGoesOnFromTheLastWinner) {
  Arbiter arbiter(Arbitration::kRoundRobin);
  const Requests all{{true, 0}, {true, 0}, {true, 0}};
  EXPECT_EQ(arbiter.choose(all), 0);
  EXPECT_EQ(arbiter.choose(all), 1);
  EXPECT_EQ(arbiter.choose({{true, 0}, {true, 0}, {false, 0}}), 0);
  EXPECT_EQ(arbiter.choose(all), 1);
}

TEST(Arbiter, FixedPrefersTheLowestPort) {
  Arbiter arbiter(Arbitration::kFixed);
  EXPECT_EQ(arbiter.choose({{false, 0}, {true, 0}, {true, 9}}), 1);
  EXPECT_EQ(arbiter.choose({{true, 0}, {true, 0}, {true, 0}}), 0);
  EXPECT_EQ(arbiter.choose({{true, 0}, {true, 0}, {true, 0}}), 0);
}

TEST(Arbiter, QosIsFairAmongEquals) {
  Arbiter arbiter(Arbitration::kQos);
  const Requests all{{true, 3}, {true, 7}, {true, 7}};
  EXPECT_EQ(arbiter.choose(all), 1);
  EXPECT_EQ(arbiter.choose(all), 2);
  EXPECT_EQ(arbiter.choose(all), 1);
}

}  // namespace
}  // namespace gvp::axi
