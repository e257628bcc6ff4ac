// SPDX-License-Identifier: Apache-2.0
// SMs that share a level take turns by the cycles of their requests, not by who is executed first.
#include "models/gpgpu/hierarchy/shared_entry.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/models/gpgpu/hierarchy/plain_memory.h"

namespace gvp::gpgpu::hierarchy {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

// Answers after 20 cycles of simulated time, as a bus does; one request at a time.
class BusMemory : public MemoryLevel {
 public:
  FaultCause read(uint32_t address, uint8_t*, uint32_t, uint64_t& cycle) override {
    EXPECT_FALSE(busy_) << "two at a time";
    busy_ = true;
    order.push_back(std::to_string(address) + "@" + std::to_string(cycle));
    const uint64_t begin = std::max(cycle, free_);
    cycle = free_ = begin + 20;
    const sc_time end(10.0 * static_cast<double>(cycle), SC_NS);
    if (end > sc_core::sc_time_stamp()) sc_core::wait(end - sc_core::sc_time_stamp());
    busy_ = false;
    return FaultCause::kNone;
  }
  FaultCause write_strobed(uint32_t address, const uint8_t*, uint32_t bytes, const LineBytes*,
                           uint64_t& cycle) override {
    return read(address, nullptr, bytes, cycle);
  }
  std::vector<std::string> order;

 private:
  bool busy_ = false;
  uint64_t free_ = 0;
};

class SharedEntryTest : public testing::Test {
 protected:
  SharedEntryTest() {
    for (unsigned sm = 0; sm < 2; ++sm) entries.push_back({turns, sm, memory});
    turns.begin(sc_core::SC_ZERO_TIME, true);
  }

  // Requests of an SM, each in its cycle or when the one before is answered; the address is the SM.
  void spawn(unsigned sm, std::vector<uint64_t> cycles) {
    sc_core::sc_spawn([this, sm, cycles] {
      uint64_t cycle = 0;
      for (const uint64_t each : cycles) {
        uint8_t data = 0;
        cycle = std::max(cycle, each);
        entries[sm].read(sm, &data, 1, cycle);
        ended[sm] = cycle;
      }
    });
  }

  BusMemory memory;
  const kit::Clock clock{100e6, "a clock"};
  EntryTurns turns{2, clock};
  std::vector<SharedEntry> entries;
  uint64_t ended[2] = {};
};

using Order = std::vector<std::string>;

TEST_F(SharedEntryTest, TheEarlierRequestGoesFirstWhoeverIsExecutedFirst) {
  spawn(0, {10});
  spawn(1, {5});
  sc_core::sc_start();
  EXPECT_EQ(memory.order, (Order{"1@5", "0@10"}));
  EXPECT_EQ(ended[0], 45u);
}

TEST_F(SharedEntryTest, TheOrderIsTheSameWhenTheOtherIsExecutedFirst) {
  spawn(1, {5});
  spawn(0, {10});
  sc_core::sc_start();
  EXPECT_EQ(memory.order, (Order{"1@5", "0@10"}));
}

TEST_F(SharedEntryTest, OfRequestsOfOneCycleTheLowerSmGoesFirst) {
  spawn(1, {5});
  spawn(0, {5});
  sc_core::sc_start();
  EXPECT_EQ(memory.order, (Order{"0@5", "1@5"}));
}

// A request that is made ahead of simulated time is not there before its cycle has come.
TEST_F(SharedEntryTest, ARequestOfALaterCycleLetsTwoEarlierOnesGoFirst) {
  spawn(0, {100});
  sc_core::sc_spawn([this] {
    uint64_t cycle = 5;
    uint8_t data = 0;
    entries[1].read(1, &data, 1, cycle);
    EXPECT_EQ(cycle, 25u);
    sc_core::wait(50, SC_NS);
    cycle = 30;
    entries[1].read(1, &data, 1, cycle);
  });
  sc_core::sc_start();
  EXPECT_EQ(memory.order, (Order{"1@5", "1@30", "0@100"}));
  EXPECT_EQ(ended[0], 120u);
}

// One asks again as soon as it has its answer: the other is served between.
TEST_F(SharedEntryTest, NeitherIsStarved) {
  spawn(0, std::vector<uint64_t>(50, 0));
  spawn(1, std::vector<uint64_t>(50, 3));
  sc_core::sc_start();
  ASSERT_EQ(memory.order.size(), 100u);
  for (size_t i = 0; i < memory.order.size(); ++i)
    EXPECT_EQ(memory.order[i][0], i % 2 == 0 ? '0' : '1') << i;
  EXPECT_EQ(ended[0], 99u * 20);
  EXPECT_EQ(ended[1], 100u * 20);
}

}  // namespace
}  // namespace gvp::gpgpu::hierarchy
