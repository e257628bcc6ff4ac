// SPDX-License-Identifier: Apache-2.0
// The memory port and the clock that measures its accesses, without a device.
#include "models/gpgpu/memory_port.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/gpgpu/port_clock.h"
#include "models/tlm/memory.h"
#include "tests/models/gpgpu/script.h"

namespace gvp::gpgpu {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr uint32_t kBytes = 4096;

class MemoryPortTest : public testing::Test {
 protected:
  MemoryPortTest() { port.socket.bind(memory.socket); }

  // Reads take 25 ns, writes 40 ns: three and four cycles of 10 ns.
  kit::Memory memory{"memory", {kBytes, sc_time(25, SC_NS), sc_time(40, SC_NS)}};
  DirectRange range;
  const kit::Clock clock{100e6, "a clock"};
  MemoryPort port{"port", range, clock};
  test::Script script{"script"};
};

TEST_F(MemoryPortTest, AccessesTakeWholeCyclesAndMoveThePortsTime) {
  script.run([&] {
    port.forbid_direct_access();
    const uint32_t written = 0x12345678;
    uint32_t read = 0;
    EXPECT_EQ(port.write(8, &written, 4), FaultCause::kNone);
    EXPECT_EQ(port.time(), sc_time(40, SC_NS));
    EXPECT_EQ(port.read(8, &read, 4), FaultCause::kNone);
    EXPECT_EQ(read, written);
    EXPECT_EQ(port.time(), sc_time(65, SC_NS));
    EXPECT_EQ(port.take_cycles(), 4u + 3u);
    EXPECT_EQ(port.take_cycles(), 0u);
    EXPECT_EQ(port.transactions(), 2u);
    EXPECT_FALSE(port.is_direct());
  });
}

TEST_F(MemoryPortTest, AnAnswerThatIsNotOkayIsABusError) {
  script.run([&] {
    uint32_t word = 0;
    EXPECT_EQ(port.read(kBytes, &word, 4), FaultCause::kBusError);
    EXPECT_EQ(port.write(0xfffffffc, &word, 4), FaultCause::kBusError);
  });
}

TEST_F(MemoryPortTest, AGrantedRangeIsShownToKernelsUntilItIsTakenBack) {
  script.run([&] {
    uint32_t word = 0;
    EXPECT_EQ(port.read(0, &word, 4), FaultCause::kNone);
    EXPECT_TRUE(port.is_direct());
    EXPECT_EQ(range.data, memory.storage().data());
    EXPECT_EQ(range.base, 0u);
    EXPECT_EQ(range.bytes, kBytes);
    EXPECT_EQ(port.direct_cycles(), 4u);
    memory.allow_dmi(false);
    EXPECT_FALSE(port.is_direct());
    EXPECT_EQ(range.bytes, 0u);
    EXPECT_EQ(range.data, nullptr);
    EXPECT_EQ(port.read(0, &word, 4), FaultCause::kNone);
    EXPECT_FALSE(port.is_direct());
  });
}

// Block RAM of the device itself: no target of the bus has granted it, and none can take it back.
TEST_F(MemoryPortTest, ARangeThatNobodyGrantedStays) {
  script.run([&] {
    uint8_t own[16] = {};
    range.data = own;
    range.bytes = sizeof own;
    memory.allow_dmi(false);
    EXPECT_EQ(range.data, own);
    EXPECT_EQ(range.bytes, sizeof own);
    EXPECT_TRUE(port.is_direct());
  });
}

TEST_F(MemoryPortTest, PortClockPerformsAccessesAtTheirTimeAndMeasuresThem) {
  script.run([&] {
    port.forbid_direct_access();
    sc_core::wait(sc_time(100, SC_NS));  // the kernel's start
    PortClock measured(port, sc_core::sc_time_stamp(), clock);
    measured.begin(20);
    uint32_t word = 0;
    EXPECT_EQ(measured.read(0, &word, 4), FaultCause::kNone);
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(300, SC_NS));
    EXPECT_EQ(measured.write(4, &word, 4), FaultCause::kNone);
    EXPECT_EQ(measured.accesses(), (std::vector<uint32_t>{3, 4}));
    // One instruction reaches memory while the last one's access still goes on: it waits.
    sc_core::wait(sc_time(50, SC_NS));
    measured.begin(20);
    EXPECT_EQ(measured.read(0, &word, 4), FaultCause::kNone);
    EXPECT_EQ(measured.accesses(), (std::vector<uint32_t>{11}));  // 8 late, and 2.5
    // Another SM's, at the same time: the memory has only annotated the last one's.
    measured.begin(20);
    EXPECT_EQ(measured.write(0, &word, 4), FaultCause::kNone);
    EXPECT_EQ(measured.accesses(), (std::vector<uint32_t>{15}));  // 10.5 late, and 4
    measured.begin(1000);
    EXPECT_TRUE(measured.accesses().empty());
    EXPECT_EQ(measured.read(kBytes, &word, 4), FaultCause::kBusError);
  });
}

// Reads of 2.5 cycles by two SMs, three cycles from one to the next.
TEST_F(MemoryPortTest, SmsThatShareThePortTakeTurnsAccessByAccess) {
  script.run([&] {
    port.forbid_direct_access();
    PortTurns turns(port, 2, clock.at(3));
    PortClock first(port, sc_core::SC_ZERO_TIME, clock, 3, &turns, 0);
    PortClock second(port, sc_core::SC_ZERO_TIME, clock, 3, &turns, 1);
    unsigned left = 2;
    sc_core::sc_event ended;
    const auto read_twice = [&](PortClock& measured, uint64_t cycle) {
      measured.begin(cycle);
      uint32_t word = 0;
      EXPECT_EQ(measured.read(0, &word, 4), FaultCause::kNone);
      EXPECT_EQ(measured.read(4, &word, 4), FaultCause::kNone);
      if (--left == 0) ended.notify();
    };
    sc_core::sc_spawn([&] { read_twice(first, 0); });
    sc_core::sc_spawn([&] { read_twice(second, 1); });
    sc_core::wait(ended);
    // 0 to 25 ns; 60, waits until 110, to 135
    EXPECT_EQ(first.accesses(), (std::vector<uint32_t>{3, 8}));
    // 10, waits until 55, to 80; 110, waits until 165, to 190
    EXPECT_EQ(second.accesses(), (std::vector<uint32_t>{7, 8}));
    EXPECT_EQ(port.time(), sc_time(190, SC_NS));
  });
}

TEST_F(MemoryPortTest, AfterAnAccessTheNextSmThatWaitsHasItsTurn) {
  script.run([&] {
    port.forbid_direct_access();
    PortTurns turns(port, 4, sc_core::SC_ZERO_TIME);
    std::vector<unsigned> order;
    sc_core::sc_event ended;
    for (const unsigned sm : {2u, 0u, 3u, 1u}) {
      sc_core::sc_spawn([&, sm] {
        PortClock measured(port, sc_core::SC_ZERO_TIME, clock, 0, &turns, sm);
        measured.begin(sm == 2 ? 0 : 1);
        uint32_t word = 0;
        EXPECT_EQ(measured.read(0, &word, 4), FaultCause::kNone);
        order.push_back(sm);
        if (order.size() == 4) ended.notify();
      });
    }
    sc_core::wait(ended);
    EXPECT_EQ(order, (std::vector<unsigned>{2, 3, 0, 1}));
  });
}

}  // namespace
}  // namespace gvp::gpgpu
