// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/control_flow.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu::simt {
namespace {

using Branch = ControlFlow::Branch;

class ControlFlowTest : public testing::Test {
 protected:
  ControlFlowTest() {
    flow.configure(4);
    flow.start(0xff, 0);
  }
  ControlFlow flow;
};

TEST_F(ControlFlowTest, UniformBranchesNeedNoEntry) {
  EXPECT_EQ(flow.branch(0, 100, 8, true), Branch::kNotTaken);
  EXPECT_EQ(flow.pc, 8u);
  EXPECT_EQ(flow.branch(0xff, 100, 16, true), Branch::kTaken);
  EXPECT_EQ(flow.pc, 100u);
  EXPECT_EQ(flow.depth(), 0u);
}

TEST_F(ControlFlowTest, DivergenceAndJoinVisitBothSides) {
  flow.push_sync(200);
  EXPECT_EQ(flow.branch(0x0f, 100, 8, true), Branch::kDivergent);
  EXPECT_EQ(flow.active, 0x0fu);
  EXPECT_EQ(flow.pc, 100u);
  flow.join(208);
  EXPECT_EQ(flow.active, 0xf0u);
  EXPECT_EQ(flow.pc, 8u);
  flow.join(208);
  EXPECT_EQ(flow.active, 0xffu);
  EXPECT_EQ(flow.pc, 208u);
  EXPECT_EQ(flow.depth(), 0u);
  EXPECT_EQ(flow.max_depth(), 2u);
}

TEST_F(ControlFlowTest, AFullStackChangesNothing) {
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(flow.push_sync(0));
  EXPECT_FALSE(flow.push_sync(0));
  EXPECT_FALSE(flow.push_break(0));
  EXPECT_FALSE(flow.call(50, 60));
  EXPECT_EQ(flow.branch(0x0f, 100, 8, true), Branch::kOverflow);
  EXPECT_EQ(flow.active, 0xffu);
  EXPECT_EQ(flow.pc, 0u);
}

TEST_F(ControlFlowTest, ExitedThreadsLeaveEveryEntry) {
  flow.push_sync(200);
  flow.branch(0x0f, 100, 8, true);
  flow.exit(0x0f, 104);  // the other side runs
  EXPECT_EQ(flow.active, 0xf0u);
  EXPECT_EQ(flow.pc, 8u);
  flow.join(208);
  EXPECT_EQ(flow.active, 0xf0u);
  EXPECT_EQ(flow.live(), 0xf0u);
}

TEST_F(ControlFlowTest, TheLastThreadToExitFinishesTheWarp) {
  flow.exit(0x7f, 8);
  EXPECT_FALSE(flow.finished());
  EXPECT_EQ(flow.pc, 8u);
  flow.exit(0x80, 16);
  EXPECT_TRUE(flow.finished());
}

TEST_F(ControlFlowTest, WaitersGoOnBehindTheJoinWhenTheOthersExit) {
  flow.push_sync(200);
  flow.branch(0x0f, 100, 8, true);
  flow.join(208);       // 0x0f wait
  flow.exit(0xf0, 16);  // the others never come
  EXPECT_EQ(flow.active, 0x0fu);
  EXPECT_EQ(flow.pc, 208u);
  EXPECT_EQ(flow.depth(), 0u);
}

TEST_F(ControlFlowTest, WaitersOutsideOfAnySyncGoOnToo) {
  flow.branch(0x0f, 100, 8, true);
  flow.join(208);
  flow.exit(0xf0, 16);
  EXPECT_EQ(flow.active, 0x0fu);
  EXPECT_EQ(flow.pc, 208u);
}

TEST_F(ControlFlowTest, AJoinPassesASideWhoseThreadsHaveLeft) {
  flow.push_sync(200);
  flow.branch(0x0f, 100, 8, true);
  flow.exit(0xf0, 104);  // threads whose turn has not come
  EXPECT_EQ(flow.active, 0x0fu);
  EXPECT_EQ(flow.pc, 104u);
  flow.join(208);
  EXPECT_EQ(flow.active, 0x0fu);
  EXPECT_EQ(flow.pc, 208u);
  EXPECT_EQ(flow.depth(), 0u);
}

TEST_F(ControlFlowTest, ReturnWithoutCallIsExit) {
  flow.return_from_call(0xff, 8);
  EXPECT_TRUE(flow.finished());
}

TEST_F(ControlFlowTest, DivergedPathsOfACallReturnBeforeTheCaller) {
  flow.call(100, 8);
  flow.branch(0x03, 120, 108, true);
  flow.return_from_call(0x03, 124);
  EXPECT_EQ(flow.active, 0xfcu);
  EXPECT_EQ(flow.pc, 108u);
  flow.return_from_call(0xfc, 112);
  EXPECT_EQ(flow.active, 0xffu);
  EXPECT_EQ(flow.pc, 8u);
}

TEST_F(ControlFlowTest, BreakFindsItsLoopThroughOtherEntries) {
  flow.push_break(300);
  flow.push_sync(200);
  flow.branch(0x0f, 100, 8, true);
  EXPECT_TRUE(flow.break_out(0x0f, 104));
  EXPECT_EQ(flow.active, 0xf0u);
  flow.join(208);
  EXPECT_EQ(flow.active, 0xf0u) << "who broke out does not wait at the join";
  EXPECT_TRUE(flow.break_out(0xf0, 216));
  EXPECT_EQ(flow.active, 0xffu);
  EXPECT_EQ(flow.pc, 300u);
}

TEST_F(ControlFlowTest, BreakWithoutLoopIsRefused) {
  EXPECT_FALSE(flow.break_out(0xff, 8));
  EXPECT_EQ(flow.active, 0xffu);
}

TEST_F(ControlFlowTest, AJoinThatMeetsACallEntryLeavesIt) {
  flow.call(100, 8);
  flow.join(108);
  EXPECT_EQ(flow.pc, 108u);
  EXPECT_EQ(flow.depth(), 1u);
}

// The lanes of a warp of 64 are as far apart as they can be.
TEST(WideControlFlow, SixtyFourLanesDivergeAndMeet) {
  constexpr uint64_t kAll = ~uint64_t{0};
  constexpr uint64_t kHigh = uint64_t{0xffffffff} << 32;
  ControlFlowOf<64> flow;
  flow.configure(4);
  flow.start(kAll, 0);
  flow.push_sync(200);
  EXPECT_EQ(flow.branch(kHigh, 100, 8, true), ControlFlowOf<64>::Branch::kDivergent);
  EXPECT_EQ(flow.active, kHigh);
  flow.exit(uint64_t{1} << 63, 104);
  EXPECT_EQ(flow.pc, 104u);
  flow.join(208);
  EXPECT_EQ(flow.active, kAll >> 32);
  EXPECT_EQ(flow.pc, 8u);
  flow.join(208);
  EXPECT_EQ(flow.active, kAll >> 1);
  EXPECT_EQ(flow.live(), kAll >> 1);
}

}  // namespace
}  // namespace gvp::gpgpu::simt
