// SPDX-License-Identifier: Apache-2.0
// The SystemC module: sockets, time, interrupts, the end of a program.
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/base/log.h"
#include "tests/models/host/lt_board.h"

namespace gvp::host::test {
namespace {

TEST(LtProcessorTest, BranchToItselfWithInterruptsOffEndsTheProgram) {
  set_quantum(1000);
  LtBoard board("board");
  board.load("addik r3, r0, 42\n bri 0", 0);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kExit);
  EXPECT_EQ(board.stop->exit_code, 42u);
  EXPECT_EQ(board.stop->pc, 4u);
  EXPECT_EQ(board.host->instructions(), 2u);
}

TEST(LtProcessorTest, LocalMemoryTakesOneCycleAnInstruction) {
  set_quantum(1000);
  LtBoard board("board");
  board.load("lwi r4, r0, 64\n swi r4, r0, 68\n addk r5, r4, r4\n bri 0", 0);
  board.run();
  EXPECT_EQ(board.host->cycles(), 3u + 3);  // the branch to itself is taken: 3 cycles
}

TEST(LtProcessorTest, NothingStartsBehindTheTimeLimitWhateverTheQuantum) {
  for (const double quantum : {100.0, 10000.0, 1e6}) {
    if (fork() != 0) continue;  // a process can elaborate only once
    set_quantum(quantum);
    LtBoard board("board");
    board.load("addik r3, r3, 1\n bri -4", 0);
    // 4 cycles each time: the 12,501st addition starts at 500 us, the limit.
    board.host->set_time_limit(sc_time(500, sc_core::SC_US));
    board.run(500);
    const bool exact = board.host->instructions() == 2u * 12500 && board.host->cycles() == 50000;
    _exit(exact && !board.stop ? 0 : 1);
  }
  for (int i = 0; i < 3; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

TEST(LtProcessorTest, CodeRunsFromTheBusWithAndWithoutDirectAccess) {
  set_quantum(1000);
  LtBoard board("board");
  board.allow_direct = false;
  board.load("addik r3, r0, 7\n brid 12\n addik r3, r3, 1\n addik r3, r0, 0\n bri 0",
             LtBoard::kRam);
  board.host->set_start_address(LtBoard::kRam);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 8u);
}

TEST(LtProcessorTest, DeviceSeesTheLocalTime) {
  set_quantum(1000);
  LtBoard board("board");
  board.load("imm 0x8000\n lwi r4, r0, 0\n addk r5, r4, r4\n imm 0x8000\n lwi r4, r0, 0\n bri 0",
             0);
  board.run();
  ASSERT_EQ(board.accesses.size(), 2u);
  // One cycle (10 ns) passed before the first access, and imm, lwi, addk, imm before the second.
  EXPECT_EQ(board.accesses[0], sc_time(10, sc_core::SC_NS));
  EXPECT_EQ(board.accesses[1], sc_time(40, sc_core::SC_NS));
}

// A tick each 5 us, handled three times; the main loop counts in r20.
constexpr const char* kVectors = R"(
  brai 0x100
  nop
  nop
  nop
  brai 0x200
)";
constexpr const char* kMain = R"(
  imm 0x8000
  addik r10, r0, 0
  addik r4, r0, 5000
  swi r4, r10, 0
  msrset r0, 2
  addik r20, r20, 1
  addik r5, r21, -3
  bnei r5, -8
  msrclr r0, 2
  addk r3, r21, r0
  bri 0
)";
constexpr const char* kHandler = R"(
  addik r21, r21, 1
  swi r0, r10, 4
  addik r11, r0, 5000
  swi r11, r10, 0
  rtid r14, 0
  nop
)";

TEST(LtProcessorTest, InterruptsAreTakenWhateverTheQuantum) {
  for (const double quantum : {100.0, 10000.0, 1000000.0}) {
    if (fork() != 0) continue;
    set_quantum(quantum);
    LtBoard board("board");
    board.load(kVectors, 0);
    board.load(kMain, 0x100);
    board.load(kHandler, 0x200);
    board.run(10000);
    _exit(board.stop && board.stop->reason == StopReason::kExit && board.stop->exit_code == 3 ? 0
                                                                                              : 1);
  }
  for (int i = 0; i < 3; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

TEST(LtProcessorTest, IdleLoopWaitsForTheInterruptWithoutExecuting) {
  set_quantum(1000);
  LtBoard board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n imm 1\n addik r4, r0, 0\n swi r4, r10, 0\n"
      "msrset r0, 2\n bri 0",
      0x100);
  board.load("addik r3, r0, 9\n bri 0", 0x200);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 9u);
  EXPECT_LT(board.host->instructions(), 30u);
  EXPECT_GT(board.host->cycles(), 6500u);  // 65536 ns at 100 MHz
}

TEST(LtProcessorTest, SleepWakesOnTheInterrupt) {
  set_quantum(1000);
  LtBoard board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 20000\n swi r4, r10, 0\n sleep\n"
      "addik r3, r0, 5\n bri 0",
      0x100);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 5u);
  EXPECT_GT(board.host->cycles(), 2000u);
}

TEST(LtProcessorTest, InstructionLimitStopsExactly) {
  set_quantum(1000);
  Configuration configuration;
  configuration.max_instructions = 1001;
  LtBoard board("board", configuration);
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kInstructionLimit);
  EXPECT_EQ(board.host->instructions(), 1001u);
}

TEST(LtProcessorTest, RequestStopEndsAnEndlessLoop) {
  set_quantum(1000);
  LtBoard board("board");
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run(10);
  EXPECT_FALSE(board.stop.has_value());
  board.host->request_stop();
  board.run(10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kRequested);
}

TEST(LtProcessorTest, JumpIntoNothingStopsWithTheLastBlocks) {
  set_quantum(1000);
  Log::configure("off");
  LtBoard board("board");
  board.load("addik r3, r0, 1\n imm 0x7000\n brai 0", 0);
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kError);
  EXPECT_THAT(board.stop->message, testing::HasSubstr("instruction bus error at 0x70000000"));
  EXPECT_THAT(board.stop->message, testing::HasSubstr("0x00000000"));
}

TEST(LtProcessorTest, LoaderWritesReplaceDecodedCode) {
  set_quantum(1000);
  LtBoard board("board");
  board.load("bri 0", 0x100);
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run(50);
  board.load("brai 0x100", 4);
  board.run(50);
  EXPECT_TRUE(board.stop.has_value());
}

Configuration cached() {
  Configuration configuration;
  configuration.use_icache = configuration.use_dcache = true;
  configuration.cache_model = "contents";
  configuration.dcache_use_writeback = true;
  configuration.icache_line_len = 8;
  return configuration;
}

TEST(LtProcessorTest, CacheLinesAreBurstsAndUncachedAccessesAreNot) {
  set_quantum(1000);
  LtBoard board("board", cached());
  board.allow_direct = false;
  board.load(
      "imm 0x5000\n addik r20, r0, 64\n msrset r0, 0x80\n lwi r4, r20, 4\n"
      "swi r4, r20, 32\n swi r4, r20, 40\n wdc.flush r20, r0\n addik r21, r20, 32\n"
      "wdc.flush r21, r0\n swi r4, r20, 4\n wdc.flush r20, r0\n msrclr r0, 0x80\n"
      "sbi r4, r20, 1\n imm 0x5000\n brai 0x100",
      0);
  board.load("msrset r0, 0x20\n bri 12", LtBoard::kRam + 0x100);
  board.load("bri 0", LtBoard::kRam + 0x110);
  const auto at = [](uint32_t offset) { return static_cast<uint32_t>(LtBoard::kRam) + offset; };
  board.run();
  ASSERT_TRUE(board.stop.has_value());
  const std::vector<LtBoard::Transfer> expected = {
      {false, at(64), 16},     // the load's line
      {true, at(96), 16},      // two valid words: a burst with byte enables
      {true, at(68), 4},       // one valid word
      {true, at(65), 1},       // the cache is off
      {false, at(0x100), 4},   // fetched while the instruction cache is off
      {false, at(0x100), 32},  // the same line once it is on
  };
  EXPECT_EQ(board.transfers, expected);
}

TEST(LtProcessorTest, AMissTakesTheTimeOfItsBurst) {
  set_quantum(1000);
  LtBoard board("board", cached());
  board.load(
      "msrset r0, 0x80\n addik r9, r0, 1\n imm 0x5000\n lwi r4, r0, 64\n imm 0x5000\n lwi r4, r0, "
      "68\n bri 0",
      0);
  board.run();
  EXPECT_EQ(board.host->cycles(), 2u + 2 + 10 + 2 + 3);
}

TEST(LtProcessorTest, DebuggersSeeWhatTheProgramSees) {
  set_quantum(1000);
  LtBoard board("board", cached());
  board.load(
      "imm 0x5000\n addik r20, r0, 0\n msrset r0, 0x80\n addik r4, r0, 7\n"
      "swi r4, r20, 0\n lwi r5, r20, 16\n bri 8",
      0);
  board.load("addik r6, r6, 1\n lwi r3, r20, 0\n addik r7, r3, -9\n bnei r7, -12\n bri 0", 0x20);
  board.run(50);
  const auto debug_word = [&](uint32_t offset) {
    uint32_t word = 0;
    EXPECT_EQ(board.host->debug_read(LtBoard::kRam + offset, &word, 4), 4u);
    return word;
  };
  EXPECT_EQ(debug_word(0), 7u) << "a dirty line";
  EXPECT_EQ(board.ram[0], 0) << "memory is as the cache left it";
  board.ram[16] = 5;
  EXPECT_EQ(debug_word(16), 0u) << "a stale line";
  EXPECT_FALSE(board.stop.has_value());
  const uint32_t nine = 9;
  EXPECT_EQ(board.host->debug_write(LtBoard::kRam, &nine, 4), 4u);
  EXPECT_EQ(board.ram[0], 9);
  board.run(50);
  ASSERT_TRUE(board.stop.has_value()) << "the cached copy follows";
  EXPECT_EQ(board.stop->exit_code, 9u);
}

// The local memory and what is on the bus, over borders of pages, and no byte beyond.
TEST(LtProcessorTest, DebuggersMoveExactlyTheBytesThatTheyAskFor) {
  set_quantum(1000);
  LtBoard board("board");
  for (const uint32_t memory : {0u, uint32_t{LtBoard::kRam}}) {
    for (const auto& [offset, size] :
         {std::pair(0xff0u, 0x20u), std::pair(0x1000u, 0x1000u), std::pair(0x1ffcu, 0x1008u),
          std::pair(0x2001u, 1u), std::pair(0xfffu, 0x2002u)}) {
      std::vector<uint8_t> written(size), read(size + 16, 0xee), before(16), after(16);
      for (uint32_t i = 0; i < size; ++i) written[i] = static_cast<uint8_t>(i * 7 + offset);
      const uint32_t address = memory + offset;
      board.host->debug_read(address - 16, before.data(), 16);
      board.host->debug_read(address + size, after.data(), 16);
      EXPECT_EQ(board.host->debug_write(address, written.data(), size), size);
      EXPECT_EQ(board.host->debug_read(address, read.data(), size), size);
      EXPECT_EQ(std::vector<uint8_t>(read.begin() + size, read.end()),
                std::vector<uint8_t>(16, 0xee));
      read.resize(size);
      EXPECT_EQ(read, written) << std::hex << address;
      std::vector<uint8_t> now(16);
      board.host->debug_read(address - 16, now.data(), 16);
      EXPECT_EQ(now, before);
      board.host->debug_read(address + size, now.data(), 16);
      EXPECT_EQ(now, after);
    }
  }
  // As far as something answers.
  std::vector<uint8_t> bytes(0x2000, 0x5a);
  const auto last = static_cast<uint32_t>(LtBoard::kRam + board.ram.size() - 0x1800);
  EXPECT_EQ(board.host->debug_read(last, bytes.data(), bytes.size()), 0x1800u);
  EXPECT_EQ(board.host->debug_read(0x70000000, bytes.data(), 4), 0u);
}

TEST(LtProcessorTest, UnlessAskedForCachesHaveNoContents) {
  set_quantum(1000);
  Configuration configuration;
  configuration.use_icache = configuration.use_dcache = true;
  LtBoard board("board", configuration);
  board.load("imm 0x5000\n lwi r4, r0, 64\n bri 0", 0);
  board.run();
  EXPECT_EQ(board.host->cycles(), 1u + 1 + 3);
  EXPECT_FALSE(board.host->statistics().contains("dcache"));
}

TEST(LtProcessorTest, CacheableRangesOverLocalMemoryAreRefused) {
  Configuration configuration = cached();
  configuration.dcache_baseaddr = 0;
  EXPECT_THROW(make_host("host", "lt", configuration), Error);
}

TEST(LtProcessorTest, UnknownModelIsRefused) { EXPECT_THROW(make_host("host", "fast", {}), Error); }

TEST(LtProcessorTest, LocalMemoryOfOddSizeIsRefused) {
  Configuration configuration;
  configuration.lmb_size = 1000;
  EXPECT_THROW(make_host("host", "lt", configuration), Error);
}

}  // namespace
}  // namespace gvp::host::test
