// SPDX-License-Identifier: Apache-2.0
// What stops a kernel, and what the device says then.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "models/gpgpu/device.h"
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

struct FaultCase {
  const char* name;
  const char* source;
  uint32_t cause;
  uint32_t pc;
  uint32_t address;
};

constexpr FaultCase kFaults[] = {
    {"illegal", "NOP;\n .word 0x00000000;\n .word 0x00000000;\n",
     FLEXGRIP_CAUSE_ILLEGAL_INSTRUCTION, 8, 0},
    {"misaligned", "MVI R1, 0x6;\n GLD.U32 R2, global14[R1];\n RET;\n", FLEXGRIP_CAUSE_MISALIGNED,
     8, 6},
    {"global", "MVI R1, 0x400000;\n GST.U32 global14[R1], R1;\n RET;\n",
     FLEXGRIP_CAUSE_GLOBAL_OUT_OF_RANGE, 8, 0x400000},
    {"shared", "MVI R1, 0x2000;\n R2A A1, R1, 0x0;\n MOV R2, g [A1+0x0];\n RET;\n",
     FLEXGRIP_CAUSE_SHARED_OUT_OF_RANGE, 16, 0x2000},
    {"local", "LLD.U32 R1, local[0x400];\n RET;\n", FLEXGRIP_CAUSE_LOCAL_OUT_OF_RANGE, 0, 0x400},
    {"code", "BRA 0x40000;\n", FLEXGRIP_CAUSE_CODE_OUT_OF_RANGE, 0x40000, 0},
    {"null", "MVI R1, 0xfc;\n GLD.U32 R2, global14[R1];\n RET;\n", FLEXGRIP_CAUSE_NULL_PAGE, 8,
     0xfc},
    {"stack", "loop: SSY loop;\n BRA loop;\n", FLEXGRIP_CAUSE_STACK_OVERFLOW, 0, 0},
    {"break", "BRK;\n", FLEXGRIP_CAUSE_STACK_UNDERFLOW, 0, 0},
    {"trap", "NOP;\n NOP;\n TRAP32;\n", FLEXGRIP_CAUSE_TRAP, 16, 0},
};

TEST(FaultTest, FaultsStopTheKernelAndSayWhere) {
  Board board({}, "lt", "board", nullptr, true);
  const test::LogCapture log;
  board.control.run([&] {
    for (const FaultCase& fault : kFaults) {
      board.load(fault.source);
      EXPECT_EQ(board.run({}), kError) << fault.name;
      EXPECT_EQ(board.cause(), fault.cause) << fault.name;
      EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_PC), fault.pc) << fault.name;
      EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_ADDRESS), fault.address) << fault.name;
    }
    board.load(kStoreNumber);
    EXPECT_EQ(board.run(numbers(1, 0x100)), kDone) << "and the device goes on";
    EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_PC), 0u);
  });
  EXPECT_THAT(log.text(), HasSubstr("misaligned memory access"));
  EXPECT_THAT(log.text(), HasSubstr("GLD.U32 R2, global14[R1]"));
  EXPECT_THAT(log.text(), HasSubstr("illegal opcode"));
}

struct NullPageCase {
  const char* name;
  const char* model;
  const char* memory;
  const char* addresses;
};

class NullPage : public testing::TestWithParam<NullPageCase> {};

// Thread 1 accesses an address, the others 0x200.
TEST_P(NullPage, IsNoMemory) {
  Configuration configuration;
  configuration.global_memory = GetParam().memory;
  configuration.global_addresses = GetParam().addresses;
  Board board(configuration, GetParam().model, "board", nullptr, true);
  const test::LogCapture log;
  board.control.run([&] {
    for (const char* access :
         {"GLD.U32 R4, global14[R3]", "GST.U32 global14[R3], R4", "GLD.U8 R4, global14[R3]",
          "GST.U16 global14[R3], R4", "GLD.S128 R4, global14[R3]", "GST.S64 global14[R3], R4"}) {
      for (const uint32_t address : {0u, 0xf0u, 0x100u}) {
        board.load(fmt::format(R"(
      I2I.U32.U16 R1, R0L;
      MVI R2, 0x1;
      MVI R3, 0x200;
      ISET.S32.C0 o[0x7f], R1, R2, EQ;
      MVI R1, {:#x};
      MOV R3 (C0.NE), R1;
      {};
      RET;
)",
                               address, access));
        Launch32 launch;
        const bool null = address < kNullPageBytes;
        EXPECT_EQ(board.run(launch), null ? kError : kDone) << access << " at " << address;
        EXPECT_EQ(board.cause(), null ? FLEXGRIP_CAUSE_NULL_PAGE : FLEXGRIP_CAUSE_NONE) << access;
        EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_ADDRESS), null ? address : 0) << access;
        EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_WARP) & 0xffu, null ? 1u : 0u) << access;
      }
    }
  });
  EXPECT_THAT(log.text(),
              HasSubstr("access through a null pointer, address 0x00000000; pc 0x0030"));
  EXPECT_THAT(log.text(),
              HasSubstr("; board_gpgpu.null_page=false makes the first 256 bytes memory"));
}

INSTANTIATE_TEST_SUITE_P(EveryMemory, NullPage,
                         testing::Values(NullPageCase{"LtBram", "lt", "bram", "checked"},
                                         NullPageCase{"AtBram", "at", "bram", "checked"},
                                         NullPageCase{"LtWrap", "lt", "bram", "wrap"},
                                         NullPageCase{"AtWrap", "at", "bram", "wrap"},
                                         NullPageCase{"LtDdr3", "lt", "ddr3", "checked"},
                                         NullPageCase{"AtDdr3", "at", "ddr3", "checked"}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FaultTest, TheManualListsEveryCause) {
  std::ifstream file(GVP_SOURCE_DIR "/docs/flexgrip.md");
  const std::string manual((std::istreambuf_iterator<char>(file)), {});
#define EXPECT_IN_MANUAL(name, enumerator, number, text) \
  EXPECT_THAT(manual, HasSubstr("\n| " #number " | `" #name "` | " text " |\n"));
  GPGPU_CAUSES(EXPECT_IN_MANUAL)
#undef EXPECT_IN_MANUAL
}

TEST(FaultTest, AFaultNamesWarpLaneAndBlock) {
  Configuration configuration;
  configuration.sms = 2;
  Board board(configuration);
  const test::LogCapture quiet;
  board.control.run([&] {
    // Only thread 37 of block (1, 2) stores outside.
    board.load(R"(
      I2I.U32.U16 R1, R0L;
      MVI R2, 0x25;
      ISET.S32.C0 o[0x7f], R1, R2, NE;
      RET C0.NE;
      MOV R3, g [0x3];              // ctaid.x | ctaid.y << 16
      MVI R4, 0x20001;
      ISET.S32.C0 o[0x7f], R3, R4, NE;
      RET C0.NE;
      MVI R5, 0xfffffff0;
      GST.U32 global14[R5], R5;
      RET;
)");
    Launch32 launch;
    launch.block_x = 64;
    launch.grid_x = 2;
    launch.grid_y = 3;
    EXPECT_EQ(board.run(launch), kError);
    EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_BLOCK), 2u << 16 | 1u);
    const uint32_t where = board.control.read32(FLEXGRIP_FAULT_WARP);
    EXPECT_EQ(where & 0xffu, 5u) << "lane";
    EXPECT_EQ(where >> 24, 1u) << "block 5 is of the second SM";
    EXPECT_EQ((where >> 16 & 0xffu) % 2, 1u) << "second warp of its block";
    EXPECT_EQ(where >> 8 & 0xffu, (where >> 16 & 0xffu) / 2) << "block slot";
  });
}

TEST(FaultTest, ABarrierThatNobodyElseReachesIsADeadlock) {
  Board board;
  const test::LogCapture log;
  board.control.run([&] {
    board.load(kWaitsAtTwoBarriers);
    Launch32 launch;
    launch.block_x = 128;
    EXPECT_EQ(board.run(launch), kError);
    EXPECT_EQ(board.cause(), FLEXGRIP_CAUSE_BARRIER_DEADLOCK);
    EXPECT_EQ(board.control.read32(FLEXGRIP_FAULT_PC), 0x28u);
  });
  EXPECT_THAT(log.text(), HasSubstr("barrier deadlock"));
}

TEST(FaultTest, WarpsMayExitBeforeABarrierOfTheOthers) {
  Board board;
  board.control.run([&] {
    board.load(R"(
      I2I.U32.U16 R1, R0L;
      MVI R2, 0x20;
      ISET.S32.C0 o[0x7f], R1, R2, LT;
      RET C0.NE;
      BAR.ARV.WAIT b0, 0xfff;
      RET;
)");
    Launch32 launch;
    launch.block_x = 96;
    EXPECT_EQ(board.run(launch), kDone);
  });
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
