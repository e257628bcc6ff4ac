// SPDX-License-Identifier: Apache-2.0
// Launching kernels through the registers: results, completion, refusals, reset.
#include "models/gpgpu/device.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/models/gpgpu/flexgrip/board.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::HasSubstr;

constexpr uint32_t kDone = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE;
constexpr uint32_t kError = FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_ERROR;

Launch32 numbers(uint32_t blocks, uint32_t address) {
  Launch32 launch;
  launch.grid_x = blocks;
  launch.parameters = {address};
  return launch;
}

TEST(DeviceTest, AKernelLeavesItsResultsInGlobalMemory) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    EXPECT_EQ(board.run(numbers(5, 0x100)), kDone);
    for (uint32_t i = 0; i < 160; ++i) EXPECT_EQ(board.global->read32(0x100 + 4 * i), i);
    EXPECT_EQ(board.global->read32(0x100 + 4 * 160), 0u);
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS), 45u);
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_THREAD_INSTRUCTIONS), 45u * 32);
  });
}

TEST(DeviceTest, AKernelIsCalledWhatTheDriverSays) {
  Board board;
  const std::string longest(4 * FLEXGRIP_KERNEL_NAME_WORDS, 'k');
  const std::string names[] = {"vector_add", "add\x01\xff", longest, "", "a b~\x7f\x1f"};
  board.control.run([&] {
    board.load(kStoreNumber);
    for (const std::string& name : names) {
      for (uint32_t i = 0; i < FLEXGRIP_KERNEL_NAME_WORDS; ++i) {
        uint32_t word = 0;
        for (uint32_t byte = 0; byte < 4 && 4 * i + byte < name.size(); ++byte)
          word |= uint32_t{static_cast<uint8_t>(name[4 * i + byte])} << 8 * byte;
        board.control.write32(FLEXGRIP_KERNEL_NAME(i), word);
      }
      board.run(numbers(1, 0));
    }
  });
  const auto kernels = board.device->statistics().at("kernels");
  EXPECT_EQ(kernels.at(0).at("name"), "vector_add");
  EXPECT_EQ(kernels.at(1).at("name"), "add??");
  EXPECT_EQ(kernels.at(2).at("name"), longest);
  EXPECT_THAT(kernels.at(3).at("name").get<std::string>(), testing::StartsWith("code-"));
  EXPECT_EQ(kernels.at(4).at("name"), "a b~??");
}

TEST(DeviceTest, ThreadsFindTheirIndicesAndTheirBlock) {
  Board board;
  board.control.run([&] {
    // Thread q stores $r0 and the header at 64 * q.
    board.load(R"(
      I2I.U32.U16 R1, R0L;          // x
      I2I.U32.U16 R2, R0H;          // y + z * 2^10
      MVI R7, 0x3ff;
      LOP.AND R3, R2, R7;           // y
      SHR R4, R2, 0xa;              // z
      SHL R3, R3, 0x1;              // 2 threads in x
      SHL R4, R4, 0x3;              // 2 * 4 in x and y
      IADD R1, R1, R3;
      IADD R1, R1, R4;
      SHL R1, R1, 0x5;              // 32 bytes a thread
      GST.U32 global14[R1], R0;
      MVI R8, 0x4;
      IADD R1, R1, R8;
      MOV R5, g [0x0];
      GST.U32 global14[R1], R5;
      IADD R1, R1, R8;
      MOV R5, g [0x1];
      GST.U32 global14[R1], R5;
      IADD R1, R1, R8;
      MOV R5, g [0x2];
      GST.U32 global14[R1], R5;
      IADD R1, R1, R8;
      MOV R5, g [0x3];
      GST.U32 global14[R1], R5;
      RET;
)");
    Launch32 launch;
    launch.block_x = 2;
    launch.block_y = 4;
    launch.block_z = 3;
    EXPECT_EQ(board.run(launch), kDone);
    for (uint32_t q = 0; q < 24; ++q) {
      EXPECT_EQ(board.global->read32(32 * q), q % 2 | q / 2 % 4 << 16 | q / 8 << 26);
      EXPECT_EQ(board.global->read32(32 * q + 4), 2u << 16);
      EXPECT_EQ(board.global->read32(32 * q + 8), 4u | 3u << 16);
      EXPECT_EQ(board.global->read32(32 * q + 12), 1u | 1u << 16);
      EXPECT_EQ(board.global->read32(32 * q + 16), 0u);
    }
  });
}

TEST(DeviceTest, ThreadsBeyondThePartialWarpDoNothing) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    Launch32 launch = numbers(1, 0);
    launch.block_x = 40;
    EXPECT_EQ(board.run(launch), kDone);
    EXPECT_EQ(board.global->read32(4 * 39), 39u);
    for (uint32_t i = 40; i < 64; ++i) EXPECT_EQ(board.global->read32(4 * i), 0u);
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_THREAD_INSTRUCTIONS), 40u * 9);
  });
}

TEST(DeviceTest, CompletionRaisesTheInterruptUntilItIsCleared) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    board.configure(numbers(1, 0));
    board.control.write32(FLEXGRIP_CONTROL,
                          FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    board.control.advance();
    EXPECT_FALSE(board.interrupt.read());
    sc_core::wait(board.interrupt.posedge_event());
    EXPECT_EQ(board.status(), kDone);
    EXPECT_EQ(board.control.read32(FLEXGRIP_INTERRUPT), FLEXGRIP_INTERRUPT_ENDED);
    board.control.write32(FLEXGRIP_INTERRUPT, FLEXGRIP_INTERRUPT_ENDED);
    EXPECT_FALSE(board.interrupt.read()) << "low before the writer goes on";
    EXPECT_EQ(board.control.read32(FLEXGRIP_INTERRUPT), 0u);
  });
}

TEST(DeviceTest, WithoutEnableTheInterruptIsOnlyPending) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    EXPECT_EQ(board.run(numbers(1, 0)), kDone);
    EXPECT_EQ(board.control.read32(FLEXGRIP_INTERRUPT), FLEXGRIP_INTERRUPT_ENDED);
    EXPECT_FALSE(board.interrupt.read());
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    EXPECT_TRUE(board.interrupt.read());
  });
}

TEST(DeviceTest, KernelsTakeTheTimeThatTheCounterShows) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    board.configure(numbers(4, 0));
    board.control.write32(FLEXGRIP_CONTROL,
                          FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    const sc_core::sc_time started = sc_core::sc_time_stamp();
    sc_core::wait(board.interrupt.posedge_event());
    const double cycles = (sc_core::sc_time_stamp() - started).to_seconds() * 100e6;
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_CYCLES), static_cast<uint64_t>(cycles + 0.5));
  });
}

TEST(DeviceTest, CountersMoveWhileAKernelRuns) {
  Board board;
  board.control.run([&] {
    board.load(kForever);
    board.configure({});
    board.start();
    board.control.advance(sc_core::sc_time(3, sc_core::SC_MS));
    const uint64_t cycles = board.counter(FLEXGRIP_COUNT_CYCLES);
    EXPECT_NEAR(static_cast<double>(cycles), 300000, 20);
    const uint64_t instructions = board.counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS);
    EXPECT_GT(instructions, 1000u);
    board.control.advance(sc_core::sc_time(3, sc_core::SC_MS));
    EXPECT_GT(board.counter(FLEXGRIP_COUNT_CYCLES), cycles);
    EXPECT_GT(board.counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS), instructions);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
  });
}

// As the RTL: a reset by register keeps them.
TEST(DeviceTest, TheResetLineClearsTheCounters) {
  Board board;
  board.control.run([&] {
    board.load("RET;\n");
    board.run({});
    EXPECT_GT(board.counter(FLEXGRIP_COUNT_CYCLES), 0u);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    EXPECT_GT(board.counter(FLEXGRIP_COUNT_CYCLES), 0u);
    board.device->reset();
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_CYCLES), 0u);
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_WARP_INSTRUCTIONS), 0u);
    board.load("RET;\n");
    board.run({});
    EXPECT_GT(board.counter(FLEXGRIP_COUNT_CYCLES), 0u);
  });
}

// The RTL does the same (rtl/rtl_device_test.cpp).
TEST(DeviceTest, AfterTheResetLineNothingTellsOfTheKernelThatItEnded) {
  Board board;
  board.control.run([&] {
    board.load(kForever);
    board.configure({});
    board.start();
    board.control.advance(sc_core::sc_time(10, sc_core::SC_US));
    board.device->reset();
    EXPECT_EQ(board.status(), FLEXGRIP_STATUS_IDLE);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_NONE);
    EXPECT_EQ(board.counter(FLEXGRIP_COUNT_CYCLES), 0u);
    board.load(kStoreNumber);
    EXPECT_EQ(board.run(numbers(1, 0x40)), kDone) << "and the device is usable at once";
  });
  const auto kernels = board.device->statistics()["kernels"];
  EXPECT_EQ(kernels.at(0)["cause"], FLEXGRIP_CAUSE_ABORTED);
  EXPECT_EQ(kernels.at(1)["cause"], FLEXGRIP_CAUSE_NONE);
}

TEST(DeviceTest, ResetStopsARunningKernel) {
  Board board;
  board.control.run([&] {
    board.load(kForever);
    board.configure({});
    board.start();
    board.control.advance(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_EQ(board.status(), FLEXGRIP_STATUS_RUNNING);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    EXPECT_EQ(board.status(), kError);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_ABORTED);
    EXPECT_EQ(board.control.read32(FLEXGRIP_GRID_X), 3u) << "its value after reset";
    board.load(kStoreNumber);
    EXPECT_EQ(board.run(numbers(1, 0x40)), kDone) << "and the device is usable at once";
    EXPECT_EQ(board.global->read32(0x44), 1u) << "memories survive";
  });
}

TEST(DeviceTest, SixtyFourThreadsInZFindTheirIndices) {
  Board board;
  board.control.run([&] {
    // Thread z stores $r0 at 4 * z.
    board.load("SHR.U32 R1, R0, 26;\n SHL R1, R1, 0x2;\n GST.U32 global14[R1], R0;\n RET;\n");
    Launch32 launch;
    launch.block_x = 1;
    launch.block_z = 64;
    EXPECT_EQ(board.run(launch), kDone);
    for (uint32_t z = 0; z < 64; ++z) EXPECT_EQ(board.global->read32(4 * z), z << 26);
  });
}

TEST(DeviceTest, ResetTakesAPendingInterruptAway) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    EXPECT_EQ(board.run(numbers(1, 0)), kDone);
    EXPECT_EQ(board.control.read32(FLEXGRIP_INTERRUPT), FLEXGRIP_INTERRUPT_ENDED);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    EXPECT_EQ(board.control.read32(FLEXGRIP_INTERRUPT), 0u);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    board.control.advance(sc_core::sc_time(1, sc_core::SC_US));
    EXPECT_FALSE(board.interrupt.read());
  });
}

TEST(DeviceTest, ResetLetsTheInterruptLineFall) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_INTERRUPT_ENABLE);
    board.configure(numbers(1, 0));
    board.control.write32(FLEXGRIP_CONTROL,
                          FLEXGRIP_CONTROL_INTERRUPT_ENABLE | FLEXGRIP_CONTROL_START);
    sc_core::wait(board.interrupt.posedge_event());
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    EXPECT_FALSE(board.interrupt.read());
  });
}

TEST(DeviceTest, ResetKeepsMemories) {
  Board board;
  board.control.run([&] {
    board.global->write32(8, 77);
    board.control.write32(FLEXGRIP_CONSTANT_MEMORY, 78);
    board.code.write32(16, 79);
    board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
    EXPECT_EQ(board.status(), FLEXGRIP_STATUS_IDLE);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_NONE);
    EXPECT_EQ(board.global->read32(8), 77u);
    EXPECT_EQ(board.control.read32(FLEXGRIP_CONSTANT_MEMORY), 78u);
    EXPECT_EQ(board.code.read32(16), 79u);
  });
}

TEST(DeviceTest, NewCodeReplacesTheOldAtTheNextStart) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    board.run(numbers(1, 0));
    board.load("MVI R1, 0x80;\n GST.U32 global14[R1], R1;\n RET;\n");
    EXPECT_EQ(board.run({}), kDone);
    EXPECT_EQ(board.global->read32(0x80), 0x80u);
  });
}

TEST(DeviceTest, ConstantsReachTheKernelThroughTheirBanks) {
  Board board;
  board.control.run([&] {
    board.load("MVC R1, c[0x2] [0x1];\n MVI R2, 0x40;\n GST.U32 global14[R2], R1;\n RET;\n");
    board.control.write32(FLEXGRIP_CONSTANT_MEMORY + 0x104, 4711);
    board.control.write32(FLEXGRIP_CONSTANT_BANK_BASE(2), 0x100);
    board.control.write32(FLEXGRIP_CONSTANT_BANK_BYTES(2), 0x10);
    EXPECT_EQ(board.run({}), kDone);
    EXPECT_EQ(board.global->read32(0x40), 4711u);
    board.control.write32(FLEXGRIP_CONSTANT_BANK_BYTES(2), 4);
    const test::LogCapture quiet;
    EXPECT_EQ(board.run({}), kError);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_CONSTANT_OUT_OF_RANGE);
  });
}

// Refusals.

struct Refusal {
  const char* name;
  Launch32 launch;
  uint32_t cause;
};

std::vector<Refusal> refusals() {
  std::vector<Refusal> all;
  const auto add = [&](const char* name, uint32_t cause, auto change) {
    Refusal refusal{name, {}, cause};
    change(refusal.launch);
    all.push_back(refusal);
  };
  add("no registers", FLEXGRIP_CAUSE_BAD_CONFIGURATION, [](Launch32& l) { l.registers = 0; });
  add("129 registers", FLEXGRIP_CAUSE_BAD_CONFIGURATION, [](Launch32& l) { l.registers = 129; });
  add("no threads", FLEXGRIP_CAUSE_BAD_CONFIGURATION, [](Launch32& l) { l.block_y = 0; });
  add("no blocks", FLEXGRIP_CAUSE_BAD_CONFIGURATION, [](Launch32& l) { l.grid_y = 0; });
  add("a huge block", FLEXGRIP_CAUSE_BAD_CONFIGURATION, [](Launch32& l) { l.block_x = 1u << 31; });
  add("65 threads in z", FLEXGRIP_CAUSE_BAD_CONFIGURATION, [](Launch32& l) {
    l.block_x = 1;
    l.block_z = 65;
  });
  add("257 threads", FLEXGRIP_CAUSE_TOO_MANY_THREADS, [](Launch32& l) { l.block_x = 257; });
  add("registers", FLEXGRIP_CAUSE_TOO_MANY_REGISTERS, [](Launch32& l) {
    l.block_x = 256;
    l.registers = 64;
  });
  add("shared", FLEXGRIP_CAUSE_TOO_MUCH_SHARED, [](Launch32& l) { l.shared = 16384; });
  add("all shared", FLEXGRIP_CAUSE_TOO_MUCH_SHARED, [](Launch32& l) { l.shared = 0xffffffff; });
  add("9 blocks", FLEXGRIP_CAUSE_TOO_MANY_BLOCKS, [](Launch32& l) {
    l.blocks_per_core = 9;
    l.grid_x = 9;
  });
  return all;
}

TEST(DeviceTest, KernelsThatDoNotFitAreRefusedWithTheirCause) {
  Board board;
  const test::LogCapture log;
  board.control.run([&] {
    board.load(kStoreNumber);
    for (const Refusal& refusal : refusals()) {
      EXPECT_EQ(board.run(refusal.launch), kError) << refusal.name;
      EXPECT_EQ(board.cause(), refusal.cause) << refusal.name;
    }
    board.control.write32(FLEXGRIP_CONSTANT_BANK_BASE(15), 8192);
    EXPECT_EQ(board.run({}), kError);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_BAD_CONFIGURATION);
    board.control.write32(FLEXGRIP_CONSTANT_BANK_BASE(15), 0);
    EXPECT_EQ(board.run(numbers(1, 0)), kDone) << "a refusal does no harm";
  });
  EXPECT_THAT(log.text(), HasSubstr("a block of 257 threads; the device takes 256 a block"));
}

// What lies just within the limits that refusals() exceeds.
TEST(DeviceTest, KernelsThatJustFitRun) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    const auto runs = [&](auto change) {
      Launch32 launch = numbers(1, 0);
      change(launch);
      return board.run(launch) == kDone;
    };
    EXPECT_TRUE(runs([](Launch32& l) { l.registers = 128; }));
    EXPECT_TRUE(runs([](Launch32& l) { l.block_x = 256; }));
    EXPECT_TRUE(runs([](Launch32& l) {
      l.block_x = 1;
      l.block_z = 64;
    }));
    EXPECT_TRUE(runs([](Launch32& l) { l.parameters.resize(FLEXGRIP_MAX_PARAMETERS); }));
    EXPECT_TRUE(runs([](Launch32& l) { l.shared = 16384 - 16 - 4; }));
    EXPECT_TRUE(runs([](Launch32& l) {
      l.blocks_per_core = 8;
      l.grid_x = 8;
    }));
    board.load("RET;");
    EXPECT_TRUE(runs([](Launch32& l) { l.registers = 1; }));
  });
}

// Behind header and parameters come the static bytes, then the dynamic ones; s[] ends with them.
TEST(DeviceTest, SharedMemoryIsStaticAndDynamicBytes) {
  Board board;
  const test::LogCapture quiet;
  board.control.run([&] {
    board.load("MVI R1, 0x5f0;\n R2A A1, R1, 0x0;\n MOV R2, g [A1+0x0];\n RET;\n");
    Launch32 launch;
    launch.shared = 0x200;
    board.control.write32(FLEXGRIP_SHARED_DYNAMIC_BYTES, 0x400);
    EXPECT_EQ(board.run(launch), kDone);
    board.control.write32(FLEXGRIP_SHARED_DYNAMIC_BYTES, 0x200);
    EXPECT_EQ(board.run(launch), kError);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_SHARED_OUT_OF_RANGE);
  });
}

TEST(DeviceTest, ABlockWithTooManyWarpsIsRefused) {
  Configuration configuration;
  configuration.warps_per_sm = 4;
  Board board(configuration);
  const test::LogCapture quiet;
  board.control.run([&] {
    board.load(kStoreNumber);
    Launch32 launch = numbers(1, 0);
    launch.block_x = 160;
    EXPECT_EQ(board.run(launch), kError);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_TOO_MANY_WARPS);
  });
}

// Faults.

TEST(DeviceTest, RequestStopEndsAnEndlessKernel) {
  Board board;
  const test::LogCapture quiet;
  board.control.run([&] {
    board.load(kForever);
    board.configure({});
    board.start();
    board.control.advance(sc_core::sc_time(1, sc_core::SC_MS));
    board.device->request_stop();
    board.wait();
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_ABORTED);
  });
}

TEST(DeviceTest, ProgressAndStatisticsTellWhatRan) {
  Board board;
  board.control.run([&] {
    board.load(kStoreNumber);
    EXPECT_FALSE(board.device->progress().running);
    board.run(numbers(5, 0));
    const Progress progress = board.device->progress();
    EXPECT_EQ(progress.kernels_started, 1u);
    EXPECT_EQ(progress.blocks_done, 5u);
    EXPECT_EQ(progress.blocks_total, 5u);
    board.run(numbers(2, 0));
  });
  const auto kernels = board.device->statistics()["kernels"];
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0]["grid"][0], 5);
  EXPECT_EQ(kernels[0]["warp_instructions"], 45);
  EXPECT_EQ(kernels[0]["name"], kernels[1]["name"]) << "the same code";
  EXPECT_GT(kernels[0]["cycles"], kernels[1]["cycles"]);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
