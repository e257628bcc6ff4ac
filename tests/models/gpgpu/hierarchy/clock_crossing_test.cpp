// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/clock_crossing.h"

#include <gtest/gtest.h>

#include "tests/models/gpgpu/hierarchy/plain_memory.h"

namespace gvp::gpgpu::hierarchy {
namespace {

// 10 and 30 ns: three cycles of the one are one of the other.
TEST(ClockCrossing, IsTakenAtTheSlowerClocksNextEdge) {
  PlainMemory memory(16, 2);
  ClockCrossing crossing(kit::Clock(100e6), kit::Clock(1e9 / 30), memory);
  uint8_t data[4] = {1, 2, 3, 4};
  for (const auto& [cycle, inside, answered] :
       {std::tuple{0, 0, 6}, {1, 1, 9}, {3, 1, 9}, {4, 2, 12}}) {
    uint64_t at = static_cast<uint64_t>(cycle);
    EXPECT_EQ(crossing.write(8, data, 4, at), FaultCause::kNone);
    EXPECT_EQ(at, static_cast<uint64_t>(answered)) << cycle;
    at = static_cast<uint64_t>(cycle);
    EXPECT_EQ(crossing.read(8, data, 4, at), FaultCause::kNone);
    EXPECT_EQ(at, static_cast<uint64_t>(answered)) << cycle;
    const std::string when = "8+4@" + std::to_string(inside);
    EXPECT_EQ(memory.take_asked(), (std::vector<std::string>{"w" + when, "r" + when}));
  }
  EXPECT_EQ(data[3], 4);
}

TEST(ClockCrossing, AnswersAtTheOwnNextEdge) {
  PlainMemory memory(16, 1);
  ClockCrossing crossing(kit::Clock(100e6), kit::Clock(250e6), memory);
  uint8_t data[4];
  uint64_t cycle = 10;  // 100 ns: 25 cycles of 4 ns, and one more
  EXPECT_EQ(crossing.read(0, data, 4, cycle), FaultCause::kNone);
  EXPECT_EQ(memory.take_asked(), (std::vector<std::string>{"r0+4@25"}));
  EXPECT_EQ(cycle, 11u);
}

TEST(ClockCrossing, TellsInTheOwnClockWhenARequestWasTaken) {
  PlainMemory memory(16, 1);
  ClockCrossing crossing(kit::Clock(100e6), kit::Clock(250e6), memory);
  memory.accepted_at = 26;  // 104 ns
  EXPECT_EQ(crossing.accepted(), 11u);
}

TEST(ClockCrossing, TellsInTheOtherClockWhenAnAnswerIsTaken) {
  PlainMemory memory(16, 1);
  ClockCrossing crossing(kit::Clock(100e6), kit::Clock(250e6), memory);
  crossing.answer_taken(11);  // 110 ns
  EXPECT_EQ(memory.taken, std::vector<uint64_t>{28});
}

TEST(ClockCrossing, HandsOnWhatIsRefused) {
  PlainMemory memory(16);
  ClockCrossing crossing(kit::Clock(100e6), kit::Clock(50e6), memory);
  uint8_t data[4] = {};
  uint64_t cycle = 0;
  EXPECT_EQ(crossing.read(16, data, 4, cycle), FaultCause::kBusError);
  EXPECT_EQ(crossing.write(16, data, 4, cycle), FaultCause::kBusError);
}

}  // namespace
}  // namespace gvp::gpgpu::hierarchy
