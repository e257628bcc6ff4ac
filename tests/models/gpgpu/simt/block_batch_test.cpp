// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/block_batch.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu::simt {
namespace {

constexpr unsigned kAll = Barriers::kAllWarps;

// Room for three blocks of two warps; the batch has two.
class BlockBatchTest : public testing::Test {
 protected:
  BlockBatchTest() {
    batch.prepare(3, 2);
    batch.start({{5, 0, 0}, {6, 1, 2}});
  }
  StopOutcome sync(unsigned warp) { return batch.reach(warp, 0, true, true, kAll); }
  BlockBatch batch;
};

TEST_F(BlockBatchTest, StartsWithAllWarpsReady) {
  EXPECT_EQ(batch.blocks(), 2u);
  EXPECT_EQ(batch.warps(), 4u);
  EXPECT_EQ(batch.ready(), 4u);
  EXPECT_EQ(batch.unfinished(), 4u);
  EXPECT_EQ(batch.block_slot(3), 1u);
  EXPECT_EQ(batch.warp_of_block(3), 1u);
  EXPECT_EQ(batch.block_of(3).x, 6u);
  EXPECT_EQ(batch.block_of(3).z, 2u);
}

TEST_F(BlockBatchTest, ABarrierHoldsTheWarpsOfItsBlockOnly) {
  EXPECT_EQ(sync(2).state, WarpState::kWaiting);
  EXPECT_EQ(batch.ready(), 3u);
  EXPECT_EQ(sync(0).state, WarpState::kWaiting);
  const StopOutcome last = sync(3);
  EXPECT_EQ(last.state, WarpState::kReady);
  EXPECT_EQ(last.released, 0b01u);
  EXPECT_EQ(batch.state(2), WarpState::kReady);
  EXPECT_EQ(batch.state(0), WarpState::kWaiting);
  EXPECT_EQ(batch.ready(), 3u);
  EXPECT_EQ(batch.unfinished(), 4u);
}

TEST_F(BlockBatchTest, ABlockEndsWithItsLastWarp) {
  EXPECT_FALSE(batch.exit(1).block_ended);
  EXPECT_EQ(batch.state(1), WarpState::kFinished);
  EXPECT_TRUE(batch.exit(0).block_ended);
  EXPECT_EQ(batch.unfinished(), 2u);
  EXPECT_EQ(batch.ready(), 2u);
}

TEST_F(BlockBatchTest, AnExitMayCompleteABarrier) {
  sync(0);
  const StopOutcome exit = batch.exit(1);
  EXPECT_EQ(exit.released, 0b01u);
  EXPECT_FALSE(exit.block_ended);
  EXPECT_EQ(batch.state(0), WarpState::kReady);
  EXPECT_EQ(batch.ready(), 3u);
}

TEST_F(BlockBatchTest, TheNextBatchStartsAfresh) {
  sync(0);
  batch.exit(2);
  batch.start({{7, 0, 0}});
  EXPECT_EQ(batch.warps(), 2u);
  EXPECT_EQ(batch.ready(), 2u);
  EXPECT_EQ(batch.unfinished(), 2u);
  EXPECT_EQ(sync(1).state, WarpState::kWaiting);
  EXPECT_EQ(sync(0).released, 0b10u);
}

}  // namespace
}  // namespace gvp::gpgpu::simt
