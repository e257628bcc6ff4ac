// SPDX-License-Identifier: Apache-2.0
// What interrupts the approximately timed processor: interrupts, exceptions, errors, limits, and
// code that changes under it.  Cycles are worked out by hand, as in at_processor_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/base/log.h"
#include "tests/models/host/timed_board.h"

namespace gvp::host::test {
namespace {

// ---- interrupts

constexpr const char* kVectors = "brai 0x100\n nop\n nop\n nop\n brai 0x200";

// The store that starts the timer executes in cycle `e`, reaches the device in e + 1; the interrupt
// rises n ns later.
TEST(AtProcessorTest, AnInterruptIsTakenAtTheNextInstruction) {
  Board board("board");
  board.load(kVectors, 0);
  // brai 2, imm 5, addik 6, addik 7, swi 8 (bus 9 to 19), msrset 18, then additions.
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 200\n swi r4, r10, 0\n msrset r0, 2\n"
      "addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n"
      "addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n"
      "addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n"
      "addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n addik r20, r20, 1\n bri 0",
      0x100);
  board.load("addk r3, r20, r0\n bri 0", 0x200);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  // msrset executes in cycle 18, the n-th addition in 18 + n.  The line rises in cycle 29, so the
  // input is seen high in cycle 29 or 30, by what would execute in the cycle after: ten or eleven
  // additions are done.
  EXPECT_GE(board.stop->exit_code, 10u);
  EXPECT_LE(board.stop->exit_code, 12u);
  EXPECT_EQ(board.stalled("interrupt"), 3u);
  board.expect_all_cycles_explained();
}

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
  addk r3, r20, r0
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

// How often the main loop goes round until three ticks have passed.
uint32_t rounds(const std::string& model, double quantum_ns, uint32_t code) {
  tlm::tlm_global_quantum::instance().set(sc_time(quantum_ns, sc_core::SC_NS));
  Board board("board", {}, model);
  board.load(kVectors, 0);
  board.load(kMain, code);
  board.load(kHandler, 0x200);
  board.run_from(code, 10000);
  EXPECT_TRUE(board.stop && board.stop->reason == StopReason::kExit);
  board.expect_all_cycles_explained();
  return board.stop ? board.stop->exit_code : 0;
}

// 15 us at 5 cycles a round (3 instructions, and 2 cycles for the branch taken), less what comes
// before and after each tick.
constexpr uint32_t kRounds = 296;
TEST(AtProcessorTest, TickingFirmwareInLocalMemory) {
  EXPECT_NEAR(kRounds, 1500 / 5, 15);
  EXPECT_EQ(rounds("at", 1000, 0x100), kRounds);
}
TEST(AtProcessorTest, TheQuantumDoesNotMatter) { EXPECT_EQ(rounds("at", 100000, 0x100), kRounds); }
TEST(AtProcessorTest, TheShortestQuantumDoesNotMatter) {
  EXPECT_EQ(rounds("at", 10, 0x100), kRounds);
}
// 3 words of 10 cycles and 10 for the fetch that the branch throws away.
TEST(AtProcessorTest, TickingFirmwareInMemory) {
  EXPECT_NEAR(rounds("at", 1000, Board::kRam), 1500 / 40, 4);
}

TEST(AtProcessorTest, IdleLoopInLocalMemoryWaitsWithoutExecuting) {
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n imm 1\n addik r4, r0, 0\n swi r4, r10, 0\n"
      "msrset r0, 2\n bri 0",
      0x100);
  board.load("addik r3, r0, 9\n bri 0", 0x200);
  board.run_from(0);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 9u);
  EXPECT_LT(board.host->instructions(), 30u);
  EXPECT_GT(board.host->statistics()["idle_cycles"], 6500u);
  board.expect_all_cycles_explained();
}

// A round is the fetch of the branch and of the word behind it, 20 cycles: as if it were executed.
TEST(AtProcessorTest, IdleLoopInMemoryWaitsWithoutExecuting) {
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "addik r10, r0, 0\n imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 5000\n"
      "swi r4, r10, 0\n msrset r0, 2\n bri 0",
      Board::kRam);
  board.load("addik r3, r0, 9\n bri 0", 0x200);
  board.run_from(Board::kRam);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 9u);
  EXPECT_LT(board.fetches.size(), 30u);
  EXPECT_LT(board.host->instructions(), 20u);
  EXPECT_GT(board.host->statistics()["idle_cycles"], 400u);  // of 5 us
  board.expect_all_cycles_explained();
}

// The rounds of an idle loop are as long as the one that was executed just before, not as what lies
// between two visits.
TEST(AtProcessorTest, AnIdleLoopInMemoryIsLeftInTimeEachTime) {
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 5000\n swi r4, r10, 0\n msrset r0, 2\n"
      "bri 0",
      Board::kRam);
  board.load(
      "addik r3, r3, 1\n swi r0, r10, 4\n addik r11, r3, -4\n beqi r11, 16\n swi r4, r10, 0\n"
      "rtid r14, 0\n nop\n bri 0",
      0x200);
  board.run_from(Board::kRam);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 4u);
  EXPECT_NEAR(static_cast<double>(board.host->cycles()), 4 * 500, 250);
  EXPECT_LT(board.host->instructions(), 80u);
  board.expect_all_cycles_explained();
}

TEST(AtProcessorTest, SleepWakesOnTheInterrupt) {
  Board board("board");
  board.load(kVectors, 0);
  board.load(
      "imm 0x8000\n addik r10, r0, 0\n addik r4, r0, 20000\n swi r4, r10, 0\n sleep\n"
      "addik r3, r0, 5\n bri 0",
      0x100);
  board.run_from(0);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 5u);
  EXPECT_GT(board.host->cycles(), 2000u);
}

// ---- exceptions, errors, limits

TEST(AtProcessorTest, AnExceptionGoesToItsVectorLikeABranch) {
  Configuration configuration;
  configuration.reset_msr = 1u << 8;  // EE
  Board board("board", configuration);
  board.load("addik r4, r0, 1\n idiv r3, r0, r4\n bri 0", 0);
  board.load("addik r3, r0, 7\n bri 0", 0x20);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 7u);
  board.expect_all_cycles_explained();
}

// The handler goes on behind the delay slot: were the return followed before it traps, its target
// would be fetched, and what lies behind it again.
TEST(AtProcessorTest, AReturnThatTrapsInUserModeDoesNotTurnTheFetches) {
  Board board("board");
  board.load("addik r5, r0, 0x800\n mts rmsr, r5\n imm 0x5000\n brai 0", 0);  // UM
  std::string handler = "addik r17, r17, 4\n";
  for (int i = 0; i < 40; ++i) handler += "addik r20, r20, 1\n";  // while the stream may go on
  board.load(handler + "rted r17, 0\n nop", 0x20);
  board.load(
      "imm 0x5000\n addik r4, r0, 0x100\n rtid r4, 0\n addik r3, r0, 1\n addik r3, r3, 7\n bri 0",
      Board::kRam);
  board.load("addik r3, r0, 99\n bri 0", Board::kRam + 0x100);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 7u);
  for (const Board::Access& fetch : board.fetches) EXPECT_LT(fetch.address, Board::kRam + 0x100);
  board.expect_all_cycles_explained();
}

TEST(AtProcessorTest, AFetchThatFailsRaisesAnException) {
  Log::configure("off");
  Configuration configuration;
  configuration.reset_msr = 1u << 8;
  Board board("board", configuration);
  board.load("imm 0x7000\n brai 0", 0);
  board.load("addik r3, r0, 7\n bri 0", 0x20);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 7u);
  board.expect_all_cycles_explained();
}

TEST(AtProcessorTest, ALoadThatFailsRaisesAnException) {
  Log::configure("off");
  Configuration configuration;
  configuration.reset_msr = 1u << 8;
  Board board("board", configuration);
  board.load("imm 0x7000\n lwi r4, r0, 0\n bri 0", 0);
  board.load("addik r3, r0, 7\n bri 0", 0x20);
  board.run_from(0, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, 7u);
  EXPECT_EQ(board.host->statistics()["bus_errors"], 1u);
  board.expect_all_cycles_explained();
}

TEST(AtProcessorTest, InstructionLimitStopsExactly) {
  Configuration configuration;
  configuration.max_instructions = 1001;
  Board board("board", configuration);
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run_from(0);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kInstructionLimit);
  EXPECT_EQ(board.host->instructions(), 1001u);
}

TEST(AtProcessorTest, RequestStopEndsAnEndlessLoop) {
  Board board("board");
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run_from(0, 10);
  EXPECT_FALSE(board.stop.has_value());
  board.host->request_stop();
  sc_core::sc_start(sc_time(20, sc_core::SC_US));
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->reason, StopReason::kRequested);
}

TEST(AtProcessorTest, LoaderWritesReplaceKnownCode) {
  Board board("board");
  board.load("bri 0", 0x100);
  board.load("addik r3, r3, 1\n bri -4", 0);
  board.run_from(0, 50);
  board.load("brai 0x100", 4);
  sc_core::sc_start(sc_time(50, sc_core::SC_US));
  EXPECT_TRUE(board.stop.has_value());
}

// Words that are in the prefetch buffer, or on their way, when they are replaced are not executed.
TEST(AtProcessorTest, LoaderWritesReplacePrefetchedCode) {
  Board board("board");
  std::string program;
  std::string end;
  for (int i = 0; i < 600; ++i) {
    program += "addik r3, r3, 1\n";
    end += "bri 0\n";
  }
  board.load(program, Board::kRam);
  board.run_from(Board::kRam, 50);
  const uint32_t before = board.r(3);
  EXPECT_GT(before, 400u);
  board.load(end, Board::kRam);
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.stop->exit_code, before);
}

}  // namespace
}  // namespace gvp::host::test
