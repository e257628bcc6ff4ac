// SPDX-License-Identifier: Apache-2.0
// Memory that the loosely timed processor reaches without the bus: which, what it costs, and how it
// is counted.
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "tests/models/host/lt_board.h"

namespace gvp::host::test {
namespace {

// A loop in the memory at 0x50000000 that reads and writes words, halfwords and bytes there, and
// one access of the local memory.
constexpr const char* kTouches =
    "imm 0x5000\n ori r4, r0, 0x100\n addik r7, r0, 20\n"
    "lwi r5, r4, 0\n swi r5, r4, 4\n lhui r6, r4, 2\n sbi r6, r4, 9\n shi r6, r4, 10\n"
    "lbui r6, r4, 7\n swi r5, r0, 64\n addik r7, r7, -1\n bneid r7, -32\n nop\n bri 0";

// What goes through pointers is as much as goes over the bus where there are none: fetches (words),
// loads and stores, whichever engine executes them and however often pointers are taken back.
TEST(LtDirectAccess, DirectAccessesAreCountedAsTransactionsAre) {
  for (const bool direct : {true, false}) {
    if (fork() != 0) continue;  // a process can elaborate only once
    set_quantum(1000);
    Configuration configuration;
    configuration.jit_threshold = 3;
    LtBoard board("board", configuration);
    board.allow_direct = direct;
    board.load("imm 0x5000\n brai 0", 0);
    board.load(kTouches, LtBoard::kRam);
    sc_core::sc_spawn([&] {
      for (int i = 0; i < 4; ++i) {
        sc_core::wait(sc_time(3 + i, sc_core::SC_US));
        board.data->invalidate_direct_mem_ptr(0, ~0u);
        board.instruction->invalidate_direct_mem_ptr(0, ~0u);
      }
    });
    board.run();
    board.host->account_for_direct();
    board.host->account_for_direct();  // nothing is told twice
    kit::DirectTraffic all = board.direct;
    for (const LtBoard::Transfer& each : board.transfers) {
      ++(each.write ? all.writes : all.reads);
      (each.write ? all.bytes_written : all.bytes_read) += each.bytes;
    }
    // 3 words, 10 in each round, and the branch to itself; 3 reads and 3 writes in each round
    const uint64_t words = 3 + 20 * 10 + 1;
    const bool right = all.reads == words + 20 * 3 && all.writes == 20u * 3 &&
                       all.bytes_read == words * 4 + 20 * (4 + 2 + 1) &&
                       all.bytes_written == 20u * (4 + 1 + 2) &&
                       (board.direct.reads != 0) == direct;
    if (!right)
      std::cerr << all.reads << ' ' << all.writes << ' ' << all.bytes_read << ' '
                << all.bytes_written << ' ' << board.direct.reads << std::endl;
    _exit(right && board.stop.has_value() ? 0 : 1);
  }
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

// A load and a store in each of a thousand ranges.
constexpr uint64_t kRanges = 1000;
constexpr const char* kTouchesRanges =
    "imm 0x5000\n ori r4, r0, 0x400\n addik r7, r0, 1000\n"
    "lwi r5, r4, 0\n swi r5, r4, 4\n addik r4, r4, 1024\n addik r7, r7, -1\n bneid r7, -16\n nop\n"
    "bri 0";
constexpr uint64_t kRangeWords = 3 + kRanges * 6 + 1;

TEST(LtDirectAccess, DirectAccessesInAnyNumberOfRangesAreCounted) {
  set_quantum(1000);
  LtBoard board("board");
  board.granted = 1024;
  board.load("imm 0x5000\n brai 0", 0);
  board.load(kTouchesRanges, LtBoard::kRam);
  board.run(10000);
  board.host->account_for_direct();
  ASSERT_TRUE(board.stop.has_value());
  EXPECT_EQ(board.transfers.size(), 0u);
  EXPECT_EQ(board.direct.reads, kRangeWords + kRanges);
  EXPECT_EQ(board.direct.writes, kRanges);
}

// Who grants more pointers than can be told apart gets the transactions instead.
TEST(LtDirectAccess, AccessesThatCouldNotBeCountedGoOverTheBus) {
  set_quantum(1000);
  LtBoard board("board");
  board.granted = 1024;
  board.direct_by_range.resize(board.ram.size() / board.granted);
  board.load("imm 0x5000\n brai 0", 0);
  board.load(kTouchesRanges, LtBoard::kRam);
  board.run(10000);
  board.host->account_for_direct();
  ASSERT_TRUE(board.stop.has_value());
  kit::DirectTraffic all;
  for (const kit::DirectTraffic& range : board.direct_by_range) all += range;
  EXPECT_GT(all.writes, 200u);
  EXPECT_GT(board.transfers.size(), 200u);
  for (const LtBoard::Transfer& each : board.transfers) ++(each.write ? all.writes : all.reads);
  EXPECT_EQ(all.reads, kRangeWords + kRanges);
  EXPECT_EQ(all.writes, kRanges);
}

TEST(LtDirectAccess, DirectMemoryCostsTheLatencyItStates) {
  for (const bool direct : {true, false}) {
    if (fork() != 0) continue;  // a process can elaborate only once
    set_quantum(1000);
    LtBoard board("board");
    board.allow_direct = direct;
    board.load("imm 0x5000\n lwi r4, r0, 64\n bri 0", 0);
    board.run();
    _exit(board.host->cycles() == 1u + 11 + 3 ? 0 : 1);
  }
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
}

// A cycle that has begun is taken: 71 ns are 8 cycles of 10 ns, 135 ns are 14.
TEST(LtDirectAccess, DirectLatenciesAreOfReadsAndOfWritesAndCountInWholeCycles) {
  set_quantum(1000);
  LtBoard board("board");
  board.read_latency = sc_time(71, sc_core::SC_NS);
  board.write_latency = sc_time(135, sc_core::SC_NS);
  board.load("imm 0x5000\n lwi r4, r0, 64\n imm 0x5000\n swi r4, r0, 68\n bri 0", 0);
  board.run();
  EXPECT_EQ(board.host->cycles(), 1u + (1 + 8) + 1 + (1 + 14) + 3);
}

TEST(LtDirectAccess, DirectAccessThatIsRefusedSomewhereIsUsedInTheNextPage) {
  set_quantum(1000);
  LtBoard board("board");
  board.direct_from = 0x1000;
  board.load(
      "imm 0x5000\n addik r20, r0, 0\n lwi r4, r20, 0xffc\n lwi r4, r20, 0x1000\n swi r4, r20, "
      "0x1004\n bri 0",
      0);
  board.run();
  EXPECT_EQ(board.transfers,
            (std::vector<LtBoard::Transfer>{{false, uint32_t{LtBoard::kRam} + 0xffc, 4}}));
}

// A refusal holds for its page of 4 KiB, and is not asked for again.
TEST(LtDirectAccess, DirectAccessIsAskedForOnceInAPageThatRefusesIt) {
  set_quantum(1000);
  LtBoard board("board");
  unsigned asked = 0;
  board.grant = [&](tlm::tlm_dmi&) {
    ++asked;
    return false;
  };
  std::string program = "imm 0x5000\n addik r20, r0, 0\n";
  for (const char* offset : {"0x1000", "0x1ffc", "0x1abc", "0x2000", "0xffc", "0", "0x2ffc"})
    for (int i = 0; i < 3; ++i) program += std::string("lwi r4, r20, ") + offset + "\n";
  board.load(program + " bri 0", 0);
  board.run();
  EXPECT_EQ(board.transfers.size(), 21u);
  EXPECT_EQ(asked, 3u);
}

// A pointer that came with a refusal, or that must not be read through, is not used.
TEST(LtDirectAccess, DirectAccessTakesAGrantAndTheRightToRead) {
  const std::function<bool(tlm::tlm_dmi&)> refusals[] = {[](tlm::tlm_dmi&) { return false; },
                                                         [](tlm::tlm_dmi& dmi) {
                                                           dmi.allow_write();
                                                           return true;
                                                         }};
  set_quantum(1000);
  std::vector<std::unique_ptr<LtBoard>> boards;
  for (const auto& refusal : refusals) {
    auto board = std::make_unique<LtBoard>(sc_core::sc_gen_unique_name("board"));
    board->grant = refusal;
    board->load(
        "imm 0x5000\n addik r20, r0, 0\n lwi r4, r20, 64\n swi r4, r20, 68\n addik r21, r21, 1\n "
        "bri -4",
        0);
    boards.push_back(std::move(board));
  }
  sc_core::sc_start(sc_time(10, sc_core::SC_US));
  for (const auto& board : boards) EXPECT_EQ(board->transfers.size(), 2u);
}

}  // namespace
}  // namespace gvp::host::test
