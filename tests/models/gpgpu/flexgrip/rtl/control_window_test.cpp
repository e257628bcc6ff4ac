// SPDX-License-Identifier: Apache-2.0
// The control window of FlexGrip's RTL has the registers of the model and answers as it does.
#include <gtest/gtest.h>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/flexgrip/register_rows.h"
#include "models/gpgpu/g80/assembler.h"
#include "tests/models/gpgpu/flexgrip/rtl/comparison.h"

namespace gvp::test {
namespace {

using device::Access;
using device::RegisterRow;

class ControlWindow : public testing::Test {
 protected:
  ControlWindow() { configure(configuration_, rtl_); }

  std::vector<RegisterRow> rows() const {
    return gpgpu::flexgrip::register_rows(configuration_, configuration_.clock_hz);
  }
  void start_endless_kernel() {
    rtl_.code = gpgpu::g80::assemble("again: BRA again;\n", "test").kernels.at(0).code;
    ASSERT_TRUE(
        rtl_.write(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE));
    for (unsigned i = 0; i < 2000; ++i) rtl_.cycle();
    ASSERT_EQ(rtl_.register_at(FLEXGRIP_STATUS), FLEXGRIP_STATUS_RUNNING);
  }

  const gpgpu::flexgrip::Configuration configuration_ = rtl_configuration({1, 8});
  FlexGripRtl rtl_{FlexGripRtl::block_with(1, 8)};
};

TEST_F(ControlWindow, EveryRegisterHasItsResetValue) {
  for (const RegisterRow& row : rows())
    for (uint32_t i = 0; i < row.count; ++i)
      EXPECT_EQ(rtl_.register_at(row.offset + i * row.stride), row.reset) << row.name << ' ' << i;
}

TEST_F(ControlWindow, WhatIsNoRegisterAnswersWithAnError) {
  std::vector<bool> there(FLEXGRIP_CONSTANT_MEMORY / 4, false);
  for (const RegisterRow& row : rows())
    for (uint32_t i = 0; i < row.count; ++i) there.at((row.offset + i * row.stride) / 4) = true;
  uint32_t value = 0;
  for (uint32_t word = 0; word < 0x200; ++word) {
    EXPECT_EQ(rtl_.read(4 * word, value), there[word]) << 4 * word;
    if (!there[word]) {
      EXPECT_FALSE(rtl_.write(4 * word, 0)) << 4 * word;
    }
  }
  EXPECT_TRUE(rtl_.read(FLEXGRIP_CONSTANT_MEMORY + configuration_.constant_bytes - 4, value));
  EXPECT_FALSE(rtl_.read(FLEXGRIP_CONSTANT_MEMORY + configuration_.constant_bytes, value));
}

TEST_F(ControlWindow, RegistersKeepWhatIsWrittenAndTakeWholeWordsOnly) {
  uint32_t value = 0x1357;
  for (const RegisterRow& row : rows()) {
    const bool command = row.offset == FLEXGRIP_CONTROL || row.offset == FLEXGRIP_INTERRUPT;
    if (command) continue;
    for (uint32_t i = 0; i < row.count; ++i) {
      const uint32_t offset = row.offset + i * row.stride;
      const bool writable = row.access == Access::kReadWrite;
      EXPECT_EQ(rtl_.write(offset, ++value), writable) << row.name;
      EXPECT_FALSE(rtl_.write(offset, 0, 1)) << row.name;
      EXPECT_EQ(rtl_.register_at(offset), writable ? value : row.reset) << row.name;
    }
  }
}

TEST_F(ControlWindow, ConstantMemoryTakesBytes) {
  ASSERT_TRUE(rtl_.write(FLEXGRIP_CONSTANT_MEMORY + 8, 0x11223344));
  ASSERT_TRUE(rtl_.write(FLEXGRIP_CONSTANT_MEMORY + 8, 0x00aa0000, 4));
  EXPECT_EQ(rtl_.register_at(FLEXGRIP_CONSTANT_MEMORY + 8), 0x11aa3344u);
}

TEST_F(ControlWindow, NothingThatConfiguresCanBeWrittenWhileAKernelRuns) {
  start_endless_kernel();
  EXPECT_FALSE(rtl_.write(FLEXGRIP_GRID_X, 1));
  EXPECT_FALSE(rtl_.write(FLEXGRIP_PARAMETER(0), 1));
  EXPECT_FALSE(rtl_.write(FLEXGRIP_KERNEL_NAME(0), 1));
  EXPECT_FALSE(rtl_.write(FLEXGRIP_CONSTANT_MEMORY, 1));
  EXPECT_EQ(rtl_.register_at(FLEXGRIP_GRID_X), 3u);
  const uint64_t cycles = rtl_.counter(FLEXGRIP_COUNT_CYCLES);
  EXPECT_TRUE(rtl_.write(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START));  // ignored
  EXPECT_GT(rtl_.counter(FLEXGRIP_COUNT_CYCLES), cycles);
}

TEST_F(ControlWindow, ResetEndsARunningKernel) {
  start_endless_kernel();
  ASSERT_TRUE(rtl_.write(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET));
  EXPECT_EQ(rtl_.register_at(FLEXGRIP_STATUS), FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_ERROR);
  EXPECT_EQ(rtl_.register_at(FLEXGRIP_CAUSE), uint32_t{FLEXGRIP_CAUSE_ABORTED});
  EXPECT_FALSE(rtl_.interrupt());
  // And another one runs as if nothing had been.
  const Subject subject{[] {
                          gpgpu::flexgrip::Kernel kernel;
                          kernel.registers_per_thread = 8;
                          kernel.block_x = 40;
                          kernel.block_y = kernel.block_z = kernel.grid_x = kernel.grid_y = 1;
                          return kernel;
                        }(),
                        gpgpu::g80::assemble("SHL R1, R0, 0x2;\nIADD32I R1, R1, 0x1000;\n"
                                             "GST.U32 global14[R1], R0;\nRET;\n",
                                             "test")
                            .kernels.at(0)
                            .code};
  EXPECT_EQ(first_mismatch(configuration_, subject, rtl_, Before::kNothing), "");
}

TEST_F(ControlWindow, TheInterruptStaysUntilItIsAcknowledged) {
  rtl_.code = {0x30000003, 0x00000780};  // RET
  ASSERT_TRUE(rtl_.write(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_START));
  for (unsigned i = 0; i < 20000; ++i) rtl_.cycle();
  EXPECT_EQ(rtl_.register_at(FLEXGRIP_STATUS), FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE);
  EXPECT_FALSE(rtl_.interrupt());
  ASSERT_TRUE(rtl_.write(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_INTERRUPT_ENABLE));
  EXPECT_TRUE(rtl_.interrupt());
  EXPECT_EQ(rtl_.register_at(FLEXGRIP_INTERRUPT), FLEXGRIP_INTERRUPT_ENDED);
  ASSERT_TRUE(rtl_.write(FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED));
  EXPECT_FALSE(rtl_.interrupt());
}

}  // namespace
}  // namespace gvp::test
