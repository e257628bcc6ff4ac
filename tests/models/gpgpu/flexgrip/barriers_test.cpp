// SPDX-License-Identifier: Apache-2.0
// Barriers on the device: how many warps they count, and when warps leave them.
#include <gtest/gtest.h>

#include "tests/models/gpgpu/flexgrip/board.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr uint32_t kDone = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;
constexpr uint32_t kError = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_ERROR;

// Warp 0 waits at barrier 2 for so many threads, warp 1 at barrier 1 for all that live.
std::string waits_for(const std::string& threads) {
  return R"(
    I2I.U32.U16 R1, R0L;
    MVI R2, 0x20;
    ISET.S32.C0 o[0x7f], R1, R2, LT;
    @C0.NE BRA first;
    BAR.ARV.WAIT b1, 0xfff;
    RET;
  first:
    BAR.ARV.WAIT b2, )" +
         threads + ";\n    RET;\n";
}

class BarriersOfDevice : public testing::TestWithParam<const char*> {};

TEST_P(BarriersOfDevice, ACountOfZeroOrOneWarpWaitsForNobodyElse) {
  Board board({}, GetParam());
  const test::LogCapture quiet;
  board.control.run([&] {
    Launch32 launch;
    launch.block_x = 64;
    for (const char* threads : {"0x0", "0x1", "0x20"}) {
      board.load(waits_for(threads));
      EXPECT_EQ(board.run(launch), kDone) << threads;
    }
    for (const char* threads : {"0x21", "0x40", "0xfff"}) {
      board.load(waits_for(threads));
      EXPECT_EQ(board.run(launch), kError) << threads;
      EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_BARRIER_DEADLOCK) << threads;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Models, BarriersOfDevice, testing::Values("lt", "at"),
                         [](const auto& information) { return std::string(information.param); });

// The clock that warps 0, 1 and 2 of four see after a barrier that warp 3 completes.
std::vector<uint32_t> clocks_after_barrier(Board& board) {
  board.load(R"(
    I2I.U32.U16 R1, R0L;
    SHL R1, R1, 0x2;
    BAR.ARV.WAIT b0, 0xfff;
    S2R R2, SR_CLOCK;
    GST.U32 global14[R1], R2;
    RET;
  )");
  Launch32 launch;
  launch.block_x = 128;
  EXPECT_EQ(board.run(launch), kDone);
  std::vector<uint32_t> clocks;
  for (uint32_t warp = 0; warp < 3; ++warp) clocks.push_back(board.global->read32(128 * warp));
  return clocks;
}

TEST(BarriersOfLtDevice, WarpsLeaveOneAfterTheOther) {
  Configuration configuration;
  Board near(configuration, "lt", "near");
  configuration.timing.barrier_release_warp = 100;
  Board far(configuration, "lt", "far");
  near.control.run([&] {
    std::vector<uint32_t> clocks = clocks_after_barrier(near);
    EXPECT_EQ(clocks[1] - clocks[0], 1u);
    EXPECT_EQ(clocks[2] - clocks[0], 2u);
    clocks = clocks_after_barrier(far);
    EXPECT_EQ(clocks[1] - clocks[0], 100u);
    EXPECT_EQ(clocks[2] - clocks[0], 200u);
  });
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
