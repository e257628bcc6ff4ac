// SPDX-License-Identifier: Apache-2.0
// Two SMs share one port to memory on the bus: how long they wait for each other in the RTL and in
// the approximately timed model.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "models/gpgpu/flexgrip/rtl/rtl_flexgrip.h"
#include "tests/models/gpgpu/flexgrip/board.h"

namespace gvp::gpgpu::flexgrip {
namespace {

constexpr uint32_t kIn = 0x1000, kOut = 0x20000;

Configuration two_sms() {
  Configuration configuration;
  configuration.sms = 2;
  configuration.sps = 8;
  configuration.global_memory = "ddr3";
  configuration.null_page = false;
  return configuration;
}

// Each thread adds a word to the one that it has, so often in turn with other work.
std::string kernel(int accesses, int between) {
  std::string source = R"(
    I2I.U32.U16 R1, R0L;
    I2I.U32.U16 R4, g[0x6].U16;
    SHL R4, R4, 0x6;
    IADD R1, R1, R4;
    SHL R2, R1, 0x2;
    IADD R3, g [0x5], R2;
    IADD R2, g [0x4], R2;
)";
  for (int i = 0; i < accesses; ++i) {
    source += "GLD.U32 R5, global14[R2];\nIADD R6, R6, R5;\n";
    for (int j = 0; j < between; ++j) source += "IADD R6, R6, R1;\n";
    source += "GST.U32 global14[R3], R6;\n";
  }
  return source + "RET;\n";
}

struct Load {
  const char* name;
  int accesses, between;
  double tolerance;  // of the cycles: the model's stores leave one stage earlier
};

class SeveralSmsTest : public testing::TestWithParam<Load> {};

TEST_P(SeveralSmsTest, WaitForThePortAsInTheRtl) {
  Board model(two_sms(), "at", "at");
  Board rtl("rtl", std::make_unique<RtlFlexGrip>("rtl_gpgpu", "flexgrip_sm2_sp8", two_sms(), 0));
  rtl.control.run([&] {
    for (Board* board : {&model, &rtl}) {
      for (uint32_t i = 0; i < 4096; ++i) {
        const uint32_t word = i * 0x9e3779b9;
        std::memcpy(board->bus.storage().data() + kIn + 4 * i, &word, sizeof word);
      }
      board->load(kernel(GetParam().accesses, GetParam().between));
      Launch32 launch;
      launch.block_x = 64;
      launch.grid_x = 20;
      launch.parameters = {kIn, kOut};
      board->run(launch);
      EXPECT_EQ(board->cause(), FLEXGRIP_CAUSE_NONE);
    }
    EXPECT_EQ(std::memcmp(model.bus.storage().data(), rtl.bus.storage().data(), Board::kBusBytes),
              0);
    const auto of_model = static_cast<double>(model.counter(FLEXGRIP_COUNT_CYCLES));
    const auto of_rtl = static_cast<double>(rtl.counter(FLEXGRIP_COUNT_CYCLES));
    EXPECT_NEAR(of_model / of_rtl, 1, GetParam().tolerance) << of_model << " and " << of_rtl;
  });
}

INSTANTIATE_TEST_SUITE_P(Loads, SeveralSmsTest,
                         testing::Values(Load{"AllTheTime", 4, 0, 0.02}, Load{"Often", 3, 12, 0.02},
                                         Load{"Seldom", 2, 60, 0.02}),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
