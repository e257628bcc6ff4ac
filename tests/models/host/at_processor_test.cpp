// SPDX-License-Identifier: Apache-2.0
// When the approximately timed processor fetches and when it accesses.  Cycles are worked out by
// hand: a word that arrives in cycle n executes in cycle n + 1 at the earliest, a taken branch asks
// for its target one cycle after it has entered execution, a load or store reaches the bus one
// cycle after it has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "models/base/error.h"
#include "tests/models/host/timed_board.h"

namespace gvp::host::test {
namespace {

using testing::ElementsAre;

// Cycles from the first instruction's execution to that of the branch to itself behind the program.
uint64_t local_cycles(const char* program, bool area_optimized = false) {
  Configuration configuration;
  configuration.area_optimized = area_optimized;
  Board board("board", configuration);
  board.load(std::string(program) + "\n bri 0", 0);
  board.run_from(0);
  EXPECT_TRUE(board.stop.has_value());
  EXPECT_TRUE(board.fetches.empty());
  board.expect_all_cycles_explained();
  return board.host->cycles() - 2 - 1;  // filling the pipeline; the branch itself
}

// ---- code in the local memory

TEST(AtProcessorTest, LocalCodeTakesACycleAnInstruction) {
  EXPECT_EQ(local_cycles("addik r3, r0, 1\n swi r3, r0, 64\n addik r4, r0, 2"), 3u);
}
TEST(AtProcessorTest, LocalLoadAndUseTakeTwoMoreInFiveStages) {
  EXPECT_EQ(local_cycles("lwi r3, r0, 64\n addk r4, r3, r3"), 4u);
}
TEST(AtProcessorTest, LocalLoadTakesTwoInThreeStages) {
  EXPECT_EQ(local_cycles("lwi r3, r0, 64\n addk r4, r3, r3", true), 3u);
}
TEST(AtProcessorTest, BranchNotTakenTakesOne) {
  EXPECT_EQ(local_cycles("addik r3, r0, 1\n beqi r3, 8\n addik r3, r0, 0"), 3u);
}
TEST(AtProcessorTest, BranchTakenTakesThree) {
  EXPECT_EQ(local_cycles("bri 8\n addik r3, r0, 0\n addik r4, r0, 0"), 3u + 1);
}
TEST(AtProcessorTest, BranchTakenTakesThreeInThreeStages) {
  EXPECT_EQ(local_cycles("bri 8\n addik r3, r0, 0\n addik r4, r0, 0", true), 3u + 1);
}
TEST(AtProcessorTest, BranchWithSlotTakesTwoAndTheSlotOne) {
  EXPECT_EQ(local_cycles("brid 12\n addik r3, r0, 0\n addik r3, r0, 0\n addik r4, r0, 0"),
            2u + 1 + 1);
}
TEST(AtProcessorTest, BranchWithSlotNotTakenTakesOneAndTheSlotOne) {
  EXPECT_EQ(local_cycles("bneid r0, 12\n addik r3, r0, 0\n addik r3, r0, 0"), 3u);
}
// Branch 0, slot 1, target 3 at the earliest; the load's result is there in cycle 1 + 3.
TEST(AtProcessorTest, LoadInASlotDelaysTheTargetThatUsesIt) {
  EXPECT_EQ(local_cycles("brid 12\n lwi r3, r0, 64\n addik r3, r0, 0\n addk r4, r3, r0"), 5u);
}
// Load 0, call 1 and slot 2; the return reads r15 without a wait.
TEST(AtProcessorTest, CallAndReturn) {
  EXPECT_EQ(local_cycles("brlid r15, 12\n nop\n bri 12\n rtsd r15, 8\n nop"), 3u + 3 + 3);
}
TEST(AtProcessorTest, SynchronisingBranchEmptiesThePipeline) {
  EXPECT_EQ(local_cycles("bri 4\n addik r3, r0, 0"), 3u + 1);
}

// ---- code on the bus: each word takes 10 cycles

TEST(AtProcessorTest, EveryFetchOfCodeInMemoryIsOnTheBus) {
  Board board("board");
  board.load("addik r3, r0, 1\n addik r3, r3, 1\n addik r3, r3, 1\n bri 0", Board::kRam);
  board.run_from(Board::kRam, 0.425);
  const uint32_t a = Board::kRam;
  ASSERT_GE(board.fetches.size(), 4u);
  board.fetches.resize(4);
  EXPECT_THAT(board.fetches, ElementsAre(Board::Access{0, a}, Board::Access{10, a + 4},
                                         Board::Access{20, a + 8}, Board::Access{30, a + 12}));
  EXPECT_TRUE(board.accesses.empty());
  EXPECT_EQ(board.r(3), 3u);
  ASSERT_TRUE(board.stop.has_value());
  // The last word arrives in cycle 40 and executes in 41.
  EXPECT_EQ(board.host->cycles(), 42u);
  board.expect_all_cycles_explained();
}

// The word behind the branch is being fetched when the branch executes: its answer is awaited.
TEST(AtProcessorTest, TakenBranchWaitsForTheOutstandingFetch) {
  Board board("board");
  board.load("bri 32", Board::kRam);
  board.load("bri 0", Board::kRam + 32);
  board.run_from(Board::kRam, 0.3);
  const uint32_t a = Board::kRam;
  board.fetches.resize(3);
  EXPECT_THAT(board.fetches, ElementsAre(Board::Access{0, a}, Board::Access{10, a + 4},
                                         Board::Access{20, a + 32}));
  EXPECT_EQ(board.host->statistics()["discarded_fetches"], 1u);
}

// Here the outstanding fetch is the slot's, and nothing is thrown away.
TEST(AtProcessorTest, DelaySlotUsesTheFetchBehindTheBranch) {
  Board board("board");
  board.load("brid 32\n addik r3, r0, 5", Board::kRam);
  board.load("bri 0", Board::kRam + 32);
  board.run_from(Board::kRam, 0.3);
  const uint32_t a = Board::kRam;
  board.fetches.resize(3);
  EXPECT_THAT(board.fetches, ElementsAre(Board::Access{0, a}, Board::Access{10, a + 4},
                                         Board::Access{20, a + 32}));
  EXPECT_EQ(board.host->statistics()["discarded_fetches"], 0u);
  EXPECT_EQ(board.r(3), 5u);
}

// The load executes in cycle 21, reaches the bus in 22 and is answered in 32.  The addition behind
// it, whose word arrives in 30, executes in 31.
TEST(AtProcessorTest, FetchesGoOnWhileALoadWaits) {
  Board board("board");
  board.load("imm 0x5000\n lwi r3, r0, 64\n addk r4, r4, r4\n addk r5, r5, r5\n bri 0",
             Board::kRam);
  board.run_from(Board::kRam, 0.6);
  const uint32_t a = Board::kRam;
  board.fetches.resize(5);
  EXPECT_THAT(board.fetches,
              ElementsAre(Board::Access{0, a}, Board::Access{10, a + 4}, Board::Access{20, a + 8},
                          Board::Access{30, a + 12}, Board::Access{40, a + 16}));
  EXPECT_THAT(board.accesses, ElementsAre(Board::Access{22, a + 64}));
  // One cycle in memory access is every load's; the next one executes in 22 + 9.
  EXPECT_EQ(board.stalled("data"), 9u);
  board.expect_all_cycles_explained();
}

// The first word executes in cycle 11, the divisions in 21 and 55, what follows in 89.  The words
// behind the second division arrive in 40, 50, 60 and 70: then the buffer is full until the first
// of them is decoded, in cycle 88.
TEST(AtProcessorTest, ThePrefetchBufferHoldsFourWords) {
  Board board("board");
  board.load(
      "addik r4, r0, 1\n idiv r3, r4, r5\n idiv r3, r4, r5\n nop\n nop\n nop\n nop\n"
      "nop\n bri 0",
      Board::kRam);
  board.run_from(Board::kRam, 1.5);
  std::vector<uint64_t> cycles;
  for (const auto& fetch : board.fetches) cycles.push_back(fetch.cycle);
  ASSERT_GE(cycles.size(), 9u);
  cycles.resize(9);
  EXPECT_THAT(cycles, ElementsAre(0, 10, 20, 30, 40, 50, 60, 88, 98));
  EXPECT_EQ(board.stalled("divide"), 66u);
}

TEST(AtProcessorTest, DivisionByZeroTakesOneCycle) {
  EXPECT_EQ(local_cycles("idiv r3, r4, r5\n addik r4, r0, 1\n idiv r3, r4, r5"), 1u + 1 + 34);
}

TEST(AtProcessorTest, ALoadFromTheBusHoldsThePipeline) {
  Board board("board");
  board.load("imm 0x5000\n lwi r3, r0, 64\n addk r4, r3, r3\n bri 0", 0);
  board.run_from(0, 10);
  // imm executes in cycle 2, the load in 3, on the bus 4 to 14: nine cycles more than the local
  // memory; then the addition waits 2, as for any load.
  EXPECT_THAT(board.accesses, ElementsAre(Board::Access{4, Board::kRam + 64}));
  EXPECT_EQ(board.stalled("data"), 9u);
  EXPECT_EQ(board.stalled("load_use"), 2u);
  EXPECT_EQ(board.host->cycles(), 2u + 4 + 9 + 2);
}

TEST(AtProcessorTest, StoresWaitForTheirResponse) {
  Board board("board");
  board.load("imm 0x5000\n swi r3, r0, 64\n imm 0x5000\n swi r3, r0, 68\n bri 0", 0);
  board.run_from(0, 10);
  EXPECT_THAT(board.accesses,
              ElementsAre(Board::Access{4, Board::kRam + 64}, Board::Access{15, Board::kRam + 68}));
}

TEST(AtProcessorTest, AStoreIntoPrefetchedWordsIsSeen) {
  Board board("board");
  // Makes "addik r3, r0, 1" out of the word two behind the store.
  board.load(
      "imm 0x5000\n lwi r4, r0, 64\n imm 0x5000\n swi r4, r0, 20\n nop\n addik r3, r0, 9\n"
      "bri 0",
      Board::kRam);
  board.load("addik r3, r0, 1", Board::kRam + 64);
  board.run_from(Board::kRam, 10);
  EXPECT_EQ(board.r(3), 1u);
}

// Neither the last byte before a prefetched word nor the word before it is one of it.
TEST(AtProcessorTest, AStoreBesidePrefetchedWordsFetchesNothingAgain) {
  std::vector<std::unique_ptr<Board>> boards;
  for (const char* store :
       {"swi r4, r0, 0x100", "swi r4, r0, 4", "shi r4, r0, 6", "sbi r4, r0, 7"}) {
    boards.push_back(std::make_unique<Board>(sc_core::sc_gen_unique_name("board")));
    boards.back()->load(std::string("imm 0x5000\n ") + store + "\n nop\n nop\n nop\n bri 0",
                        Board::kRam);
    boards.back()->host->set_start_address(Board::kRam);
  }
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  for (const auto& board : boards) {
    ASSERT_TRUE(board->stop.has_value());
    EXPECT_EQ(board->fetches, boards[0]->fetches);
    EXPECT_EQ(board->host->cycles(), boards[0]->host->cycles());
  }
}

// What is behind the region of a translation may be nobody's, or another's.
TEST(AtProcessorTest, TranslatedCodeIsFetchedAheadWithinItsRegionAlone) {
  Configuration configuration;
  configuration.use_mmu = 3;
  Board board("board", configuration);
  const uint32_t end = Board::kRam + 0x400;
  board.load("addik r3, r3, 1\n addik r4, r4, 1\n bri -8", end - 12);
  Engine& engine = static_cast<Processor&>(*board.host).engine();
  engine.mmu().set_tlbhi(0xc00000c0);           // a page of 4 KB
  engine.mmu().set_tlblo(Board::kRam | 0x300);  // executable, writable
  engine.state().msr |= msr::kVm;
  engine.state_changed();
  board.run_from(0xc0000400 - 12, 10);
  EXPECT_GT(board.r(3), 5u);
  std::set<uint32_t> fetched;
  for (const Board::Access& fetch : board.fetches) fetched.insert(fetch.address);
  EXPECT_THAT(fetched, ElementsAre(end - 12, end - 8, end - 4));
}

// ---- caches

// Ten rounds of a loop that fits into two lines of four words.  The first line arrives in cycle 10,
// the load executes in 14 and is on the bus from 15 to 25; the second line is asked for then.
TEST(AtProcessorTest, HitsDoNotReachTheBus) {
  Board board("board", with_caches());
  board.load(
      "imm 0x5000\n addik r6, r0, 256\n addik r5, r0, 10\n lwi r3, r6, 0\n addik r5, r5, -1\n"
      "bnei r5, -8\n bri 0",
      Board::kRam);
  board.run_from(Board::kRam, 10);
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_THAT(board.fetches,
              ElementsAre(Board::Access{0, Board::kRam}, Board::Access{25, Board::kRam + 16}));
  EXPECT_THAT(board.accesses, ElementsAre(Board::Access{15, Board::kRam + 256}));
  const auto json = board.host->statistics();
  EXPECT_EQ(json["icache"]["misses"], 2u);
  EXPECT_EQ(json["dcache"]["misses"], 1u);
  EXPECT_EQ(json["dcache"]["hits"], 9u);
  // Every round but the last: load, addition, branch taken, as in the local memory.
  EXPECT_EQ(board.stalled("branch"), 2u + 9 * 2);
  board.expect_all_cycles_explained();
}

TEST(AtProcessorTest, CachesThatAlwaysHitAreRefused) {
  Configuration configuration = with_caches();
  configuration.cache_model = "always-hit";
  EXPECT_THROW(make_host("host", "at", configuration), Error);
}

// At the end of memory the fetch behind the delay slot, which nobody wants, fails; the target is
// fetched next all the same, while the slot's load waits.
TEST(AtProcessorTest, FailedFetchThatIsThrownAwayTakesNoLongerThanAnother) {
  Board end("end");
  Board middle("middle");
  constexpr const char* kProgram =
      "imm 0x5000\n addik r20, r0, 0\n addik r4, r0, 1\n idivu r3, r4, r20\n lwi r7, r20, 64\n"
      "addk r5, r0, r0\n brid -64\n lwi r6, r20, 64";
  constexpr uint32_t kBytes = 32;
  const auto target_fetched = [&](Board& board, uint32_t behind) {
    const uint32_t target = behind - 8 - 64;
    for (const Board::Access& fetch : board.fetches)
      if (fetch.address == target) return fetch.cycle;
    ADD_FAILURE() << "the target was not fetched";
    return uint64_t{0};
  };
  const uint32_t last = Board::kRam + static_cast<uint32_t>(end.ram.size());
  for (auto [board, behind] : {std::pair(&end, last), std::pair(&middle, last - 0x1000)}) {
    board->load("bri 0", behind - 8 - 64);
    board->load(kProgram, behind - kBytes);
    board->host->set_start_address(behind - kBytes);
  }
  sc_core::sc_start(sc_time(5, sc_core::SC_US));
  ASSERT_TRUE(end.stop.has_value());
  ASSERT_TRUE(middle.stop.has_value());
  EXPECT_EQ(end.fetches.size(), middle.fetches.size());
  EXPECT_EQ(target_fetched(end, last), target_fetched(middle, last - 0x1000));
  EXPECT_EQ(end.host->cycles(), middle.host->cycles());
  EXPECT_EQ(end.host->statistics()["discarded_fetches"],
            middle.host->statistics()["discarded_fetches"]);
  EXPECT_EQ(end.host->statistics()["bus_errors"], 0u) << "nobody has asked for it";
}

}  // namespace
}  // namespace gvp::host::test
