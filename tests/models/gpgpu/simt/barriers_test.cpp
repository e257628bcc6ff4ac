// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/barriers.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu::simt {
namespace {

constexpr unsigned kAll = Barriers::kAllWarps;

class BarriersTest : public testing::Test {
 protected:
  BarriersTest() { barriers.start(3); }
  Barriers::Outcome sync(unsigned warp, unsigned barrier = 0, unsigned expected = kAll) {
    return barriers.reach(barrier, warp, true, true, expected);
  }
  Barriers barriers;
};

TEST_F(BarriersTest, TheLastWarpReleasesTheOthersAndDoesNotWait) {
  EXPECT_TRUE(sync(2).wait);
  EXPECT_TRUE(sync(0).wait);
  const auto last = sync(1);
  EXPECT_FALSE(last.wait);
  EXPECT_EQ(last.released, 0b101u);
}

TEST_F(BarriersTest, ABarrierStartsOver) {
  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(sync(0).wait);
    EXPECT_TRUE(sync(1).wait);
    EXPECT_FALSE(sync(2).wait);
  }
}

TEST_F(BarriersTest, BarriersAreIndependent) {
  sync(0, 0);
  sync(1, 1);
  EXPECT_TRUE(sync(2, 0).wait) << "two of three at barrier 0";
}

TEST_F(BarriersTest, AnExitedWarpIsNotExpected) {
  sync(0);
  sync(1);
  EXPECT_EQ(barriers.exit(2), 0b011u);
}

TEST_F(BarriersTest, WarpsThatArriveAfterAnExitDoNotWaitForIt) {
  EXPECT_EQ(barriers.exit(1), 0u);
  EXPECT_TRUE(sync(0).wait);
  EXPECT_EQ(sync(2).released, 0b001u);
}

TEST_F(BarriersTest, ACountReleasesBeforeAllHaveCome) {
  EXPECT_TRUE(sync(0, 4, 2).wait);
  EXPECT_EQ(sync(2, 4, 2).released, 0b001u);
}

TEST_F(BarriersTest, ArrivingWithoutWaitingCountsAndGoesOn) {
  EXPECT_FALSE(barriers.reach(0, 0, true, false, 2).wait);
  EXPECT_FALSE(sync(1, 0, 2).wait);
}

TEST_F(BarriersTest, WaitingWithoutArrivingWaitsForTheOthers) {
  barriers.reach(0, 0, true, false, 2);
  EXPECT_TRUE(barriers.reach(0, 2, false, true, 2).wait);
  EXPECT_EQ(barriers.reach(0, 1, true, false, 2).released, 0b100u);
  EXPECT_FALSE(barriers.reach(0, 2, false, true, 2).wait) << "nobody has begun to gather";
}

TEST_F(BarriersTest, ThirtyTwoWarpsFit) {
  barriers.start(32);
  for (unsigned warp = 0; warp < 31; ++warp) EXPECT_TRUE(sync(warp).wait);
  EXPECT_EQ(sync(31).released, 0x7fffffffu);
}

}  // namespace
}  // namespace gvp::gpgpu::simt
