// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/occupancy.h"

#include <gtest/gtest.h>

#include "models/gpgpu/simt/block_scheduler.h"

namespace gvp::gpgpu::simt {
namespace {

// Thesis table 5.
constexpr SmLimits kThesis{24, 768, 8, 8192, 16384, 256};

TEST(OccupancyTest, SmallBlocksAreLimitedByBlockSlots) {
  const Occupancy o = occupancy({64, 10, 512}, kThesis);
  EXPECT_EQ(o.blocks, 8u);
  EXPECT_EQ(o.limit, Limit::kBlocks);
}

TEST(OccupancyTest, WarpsLimitLargeBlocks) {
  const Occupancy o = occupancy({256, 4, 256}, kThesis);
  EXPECT_EQ(o.blocks, 3u);  // 8 warps each of 24
  EXPECT_EQ(o.limit, Limit::kWarps);
}

TEST(OccupancyTest, RegistersLimitGreedyKernels) {
  const Occupancy o = occupancy({256, 16, 256}, kThesis);
  EXPECT_EQ(o.blocks, 2u);  // 4096 registers each of 8192
  EXPECT_EQ(o.limit, Limit::kRegisters);
}

TEST(OccupancyTest, SharedMemoryLimitsItsUsers) {
  const Occupancy o = occupancy({32, 8, 5000}, kThesis);
  EXPECT_EQ(o.blocks, 3u);
  EXPECT_EQ(o.limit, Limit::kSharedBytes);
}

TEST(OccupancyTest, APartialWarpTakesTheRegistersOfAWholeOne) {
  EXPECT_EQ(occupancy({33, 64, 256}, kThesis).blocks, 2u);  // 2 warps: 4096 registers
}

TEST(OccupancyTest, ABlockThatDoesNotFitSaysWhy) {
  EXPECT_EQ(occupancy({257, 4, 256}, kThesis).limit, Limit::kThreadsPerBlock);
  EXPECT_EQ(occupancy({256, 128, 256}, kThesis).limit, Limit::kRegisters);
  EXPECT_EQ(occupancy({32, 4, 16385}, kThesis).limit, Limit::kSharedBytes);
  const SmLimits few_warps{2, 768, 8, 8192, 16384, 256};
  EXPECT_EQ(occupancy({96, 4, 256}, few_warps).limit, Limit::kWarps);
  for (const BlockNeeds& block : {BlockNeeds{257, 4, 256}, BlockNeeds{256, 128, 256}})
    EXPECT_EQ(occupancy(block, kThesis).blocks, 0u);
}

TEST(BlockSchedulerTest, OneSmGetsAllBlocksInOrder) {
  BlockScheduler blocks({3, 2, 1}, 1);
  const auto first = blocks.next_batch(0, 4);
  ASSERT_EQ(first.size(), 4u);
  EXPECT_EQ(first[0].x, 0u);
  EXPECT_EQ(first[3].x, 0u);
  EXPECT_EQ(first[3].y, 1u);
  EXPECT_EQ(blocks.next_batch(0, 4).size(), 2u);
  EXPECT_TRUE(blocks.next_batch(0, 4).empty());
}

TEST(BlockSchedulerTest, GridsHaveThreeDimensions) {
  BlockScheduler blocks({2, 3, 4}, 1);
  EXPECT_EQ(blocks.total(), 24u);
  const BlockIndex last = blocks.next_batch(0, 24).back();
  EXPECT_EQ(last.x, 1u);
  EXPECT_EQ(last.y, 2u);
  EXPECT_EQ(last.z, 3u);
}

TEST(BlockSchedulerTest, SeveralSmsTakeTurns) {
  BlockScheduler blocks({5, 1, 1}, 2);
  const auto of_second = blocks.next_batch(1, 8);
  ASSERT_EQ(of_second.size(), 2u);
  EXPECT_EQ(of_second[0].x, 1u);
  EXPECT_EQ(of_second[1].x, 3u);
  EXPECT_EQ(blocks.next_batch(0, 8).size(), 3u);
}

TEST(BlockSchedulerTest, AnSmMayGetNothing) {
  BlockScheduler blocks({1, 1, 1}, 4);
  EXPECT_EQ(blocks.next_batch(0, 8).size(), 1u);
  EXPECT_TRUE(blocks.next_batch(3, 8).empty());
}

TEST(BlockSchedulerTest, GridsOfManyBlocksDoNotOverflow) {
  BlockScheduler blocks({65535, 65535, 1}, 1);
  EXPECT_EQ(blocks.total(), 65535ull * 65535ull);
}

}  // namespace
}  // namespace gvp::gpgpu::simt
