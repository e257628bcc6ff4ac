// SPDX-License-Identifier: Apache-2.0
// Shared memory with banks: what is without conflicts takes a step, results are the same.
#include <fmt/format.h>

#include "models/gpgpu/flexgrip/timing/pipeline_timing.h"
#include "tests/models/gpgpu/flexgrip/board.h"

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr uint32_t kDone = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;

// Each lane of a warp stores to s[0x10 + (lane << shift)], loads that back and stores its lane + 7
// to g[0x1000 + 4 lane].
std::string strided(unsigned shift) {
  return fmt::format(R"(
    I2I.U32.U16 R1, R0L;
    SHL R2, R1, 0x2;
    R2A A1, R1, {:#x};
    IADD32I R3, R1, 0x7;
    R2G.U32.U32 g[A1+0x10], R3;
    MOV R4, g[A1+0x10];
    IADD32I R2, R2, 0x1000;
    GST.U32 global14[R2], R4;
    RET;
)",
                     shift);
}

class SharedBanksTest : public testing::TestWithParam<const char*> {
 protected:
  // Cycles by shift, of a warp alone.
  std::vector<uint64_t> cycles(const std::string& rule, uint32_t sps,
                               const std::vector<unsigned>& shifts) {
    Configuration configuration;
    configuration.sps = sps;
    configuration.shared_banks = rule;
    Board board(configuration, GetParam());
    std::vector<uint64_t> all;
    board.control.run([&] {
      for (const unsigned shift : shifts) {
        board.load(strided(shift));
        Launch32 launch;
        launch.shared = 8192;
        EXPECT_EQ(board.run(launch), kDone);
        for (uint32_t i = 0; i < 32; ++i)
          EXPECT_EQ(board.global->read32(0x1000 + 4 * i), i + 7) << rule << " " << shift;
        all.push_back(board.counter(FLEXGRIP_COUNT_CYCLES));
        const auto kernel = board.device->statistics()["kernels"].back();
        uint64_t sum = 0;
        for (const auto& [name, count] : kernel["sms"][0]["cycles_by_class"].items())
          sum += count.get<uint64_t>();
        EXPECT_EQ(sum, kernel["cycles"]);
      }
    });
    return all;
  }
  // What a step of the store and one of the load take together.
  static uint64_t step() {
    const timing::PipelineTiming t;
    return t.lane_store + 4 * t.lane_store_byte + t.lane_access + 4 * t.lane_byte;
  }
};

TEST_P(SharedBanksTest, WithoutBanksThePatternDoesNotMatter) {
  const std::vector<uint64_t> all = cycles("none", 32, {2, 3, 7});
  EXPECT_EQ(all[0], all[1]);
  EXPECT_EQ(all[0], all[2]);
}

// Of so many steps more.  Loosely timed a step is the mean of a warp's, beside which registers are
// read.
#define EXPECT_STEPS(difference, steps)                                             \
  EXPECT_NEAR(static_cast<double>(difference), static_cast<double>((steps)*step()), \
              GetParam() == std::string("at") ? 0 : 0.08 * static_cast<double>((steps)*step()))

// Every other word, every fourth, all in one bank: 2, 4 and 32 steps.
TEST_P(SharedBanksTest, ConflictsOf32BanksTakeAStepEach) {
  const std::vector<uint64_t> all = cycles("compute-2.x", 32, {3, 4, 7, 2});
  EXPECT_STEPS(all[1] - all[0], 2);
  EXPECT_STEPS(all[2] - all[0], 30);
  EXPECT_LT(all[3], all[0]);  // side by side
}

// Of 16 banks a half-warp each: 2, 4 and 32 steps.
TEST_P(SharedBanksTest, ConflictsOf16BanksTakeAStepEach) {
  const std::vector<uint64_t> all = cycles("compute-1.x", 32, {2, 3, 7});
  EXPECT_STEPS(all[1] - all[0], 2);
  EXPECT_STEPS(all[2] - all[0], 30);
}

// A row of 8 lanes has conflicts among its own lanes only.
TEST_P(SharedBanksTest, RowsAccessByThemselves) {
  const std::vector<uint64_t> all = cycles("compute-2.x", 8, {2, 4, 7});
  EXPECT_EQ(all[0], all[1]);  // every fourth word: lanes 0 and 8 share a bank, and are two rows
  EXPECT_GT(all[2], all[0] + 7 * step());
}

INSTANTIATE_TEST_SUITE_P(Timings, SharedBanksTest, testing::Values("lt", "at"),
                         [](const auto& information) { return std::string(information.param); });

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
