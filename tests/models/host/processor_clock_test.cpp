// SPDX-License-Identifier: Apache-2.0
// What the processor's clock slows: its core and its local memory, cycle by cycle; not what it
// waits for on the bus.
#include <gtest/gtest.h>

#include <map>

#include "tests/models/host/timed_board.h"

namespace gvp::host::test {
namespace {

Configuration clocked(double hz) {
  Configuration configuration;
  configuration.clock_hz = hz;
  return configuration;
}

class ProcessorClock : public testing::TestWithParam<const char*> {};

// Units of 10 ns until a program in the local memory reaches the device at its end.
TEST_P(ProcessorClock, ScalesWhatRunsInTheLocalMemoryExactly) {
  const std::map<double, unsigned> clocks = {{100e6, 1}, {50e6, 2}, {25e6, 4}, {10e6, 10}};
  std::map<double, std::unique_ptr<Board>> boards;
  for (const auto& [hz, slower] : clocks) {
    const std::string name = "board_" + std::to_string(slower);
    auto& board = boards[hz] = std::make_unique<Board>(name.c_str(), clocked(hz), GetParam());
    board->load(
        "addik r3, r0, 1000\n lwi r4, r0, 0x800\n muli r4, r4, 3\n swi r4, r0, 0x804\n"
        "addik r3, r3, -1\n bnei r3, -16\n imm 0x8000\n swi r0, r0, 4\n bri 0",
        0x100);
    board->host->set_start_address(0x100);
  }
  sc_core::sc_start(sc_time(10, sc_core::SC_MS));
  ASSERT_EQ(boards.at(100e6)->accesses.size(), 1u);
  const uint64_t usual = boards.at(100e6)->accesses[0].cycle;
  EXPECT_GT(usual, 5000u);
  for (const auto& [hz, slower] : clocks) {
    ASSERT_EQ(boards.at(hz)->accesses.size(), 1u) << hz;
    EXPECT_EQ(boards.at(hz)->accesses[0].cycle, slower * usual) << hz;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, ProcessorClock, testing::Values("lt", "at"),
                         [](const auto& information) { return std::string(information.param); });

// A word takes 100 ns: in whole cycles of the processor, of which it needs the fewer the slower it
// is.
TEST(ProcessorClockOverTheBus, AWordFromTheBusTakesTheBussTimeInWholeCycles) {
  const std::map<double, uint64_t> units = {{100e6, 10}, {50e6, 10}, {40e6, 10}, {25e6, 12}};
  std::map<double, std::unique_ptr<Board>> boards;
  for (const auto& [hz, expected] : units) {
    const std::string name = "board_" + std::to_string(static_cast<unsigned>(hz));
    auto& board = boards[hz] = std::make_unique<Board>(name.c_str(), clocked(hz));
    std::string code;
    for (unsigned i = 0; i < 40; ++i) code += "addik r3, r3, 1\n";
    board->load(code + "bri 0", Board::kRam);
    board->host->set_start_address(Board::kRam);
  }
  sc_core::sc_start(sc_time(1, sc_core::SC_MS));
  for (const auto& [hz, expected] : units) {
    const auto& fetches = boards.at(hz)->fetches;
    ASSERT_GT(fetches.size(), 40u) << hz;
    EXPECT_EQ(fetches[40].cycle - fetches[0].cycle, 40 * expected) << hz;
  }
}

}  // namespace
}  // namespace gvp::host::test
