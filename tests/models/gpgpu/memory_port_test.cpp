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

}  // namespace
}  // namespace gvp::gpgpu
