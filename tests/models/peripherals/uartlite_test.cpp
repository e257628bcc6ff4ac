// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/uartlite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "tests/models/peripherals/bench.h"

namespace gvp::peripherals {
namespace {

constexpr uint64_t kRx = 0x0, kTx = 0x4, kStat = 0x8, kCtrl = 0xc;

UartLiteConfiguration fast() {
  UartLiteConfiguration configuration;
  configuration.baud = 1000000;  // a character takes 10 us
  return configuration;
}

struct UartBench : SerialBench<UartLite, UartLiteConfiguration> {
  explicit UartBench(const UartLiteConfiguration& configuration = fast())
      : SerialBench<UartLite, UartLiteConfiguration>(configuration) {}
};

TEST(UartLite, ResetValues) {
  UartBench bench;
  bench.run([&] {
    EXPECT_EQ(bench.read(kStat), 0x4u);
    EXPECT_EQ(bench.read(kCtrl), 0u);
    EXPECT_EQ(bench.read(kTx), 0u);
    EXPECT_FALSE(bench.interrupt.read());
  });
}

TEST(UartLite, SendsCharactersAtTheLineRate) {
  UartBench bench;
  bench.run([&] {
    bench.write(kTx, 'A');
    bench.write(kTx, 'B');
    EXPECT_EQ(bench.read(kStat), 0u) << "B waits in the FIFO";
    EXPECT_EQ(bench.output, "");
    bench.pass(sc_time(10, SC_US));
    EXPECT_EQ(bench.output, "A");
    EXPECT_EQ(bench.read(kStat), 0x4u) << "B is in the shift register";
    bench.pass(sc_time(10, SC_US));
    EXPECT_EQ(bench.output, "AB");
  });
}

TEST(UartLite, StatusFollowsTheInitiatorsLocalTime) {
  UartBench bench;
  bench.run([&] {
    bench.write(kTx, 'A');
    bench.write(kTx, 'B');
    bench.pass_locally(sc_time(10, SC_US));
    EXPECT_EQ(bench.read(kStat), 0x4u);
  });
}

TEST(UartLite, WriteToAFullFifoIsSlverrAndLosesTheCharacter) {
  UartBench bench;
  bench.run([&] {
    for (int i = 0; i < 17; ++i) bench.write(kTx, 'a' + static_cast<uint32_t>(i));
    EXPECT_EQ(bench.read(kStat), 0x8u);
    EXPECT_EQ(bench.initiator.write(kTx, 'z'), kSlaveError);
    bench.pass(sc_time(200, SC_US));
    EXPECT_EQ(bench.output, "abcdefghijklmnopq");
  });
  EXPECT_THAT(bench.log.text(),
              testing::HasSubstr("device @ 0 s: write of Tx_FIFO while it is full"));
}

TEST(UartLite, ReceivesCharacters) {
  UartBench bench;
  bench.input = {'x', 'y'};
  bench.run([&] {
    bench.pass(sc_time(25, SC_US));
    EXPECT_EQ(bench.read(kStat), 0x5u);
    EXPECT_EQ(bench.initiator.peek32(kRx), uint32_t{'x'});
    EXPECT_EQ(bench.read(kRx), uint32_t{'x'});
    EXPECT_EQ(bench.read(kRx), uint32_t{'y'});
    EXPECT_EQ(bench.read(kStat), 0x4u);
  });
}

TEST(UartLite, ReadOfAnEmptyFifoIsSlverr) {
  UartBench bench;
  bench.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.initiator.read(kRx, value), kSlaveError);
  });
}

TEST(UartLite, InputWaitsWhileTheFifoIsFull) {
  UartBench bench;
  bench.input.assign(20, 'i');
  bench.run([&] {
    bench.pass(sc_time(300, SC_US));
    EXPECT_EQ(bench.read(kStat), 0x7u);
    EXPECT_EQ(bench.input.size(), 4u);
  });
}

TEST(UartLite, OverrunIsReportedOnceOnTheBareLine) {
  UartLiteConfiguration configuration = fast();
  configuration.input_waits = false;
  UartBench bench(configuration);
  bench.input.assign(17, 'i');
  bench.run([&] {
    bench.pass(sc_time(175, SC_US));
    EXPECT_EQ(bench.initiator.peek32(kStat), 0x27u);
    EXPECT_EQ(bench.read(kStat), 0x27u);
    EXPECT_EQ(bench.read(kStat), 0x7u) << "cleared by reading";
  });
}

TEST(UartLite, ControlResetsTheFifos) {
  UartBench bench;
  bench.input = {'x'};
  bench.run([&] {
    bench.pass(sc_time(15, SC_US));
    bench.write(kTx, 'A');
    bench.write(kTx, 'B');
    bench.write(kCtrl, 0x3);
    EXPECT_EQ(bench.read(kStat), 0x4u);
    bench.pass(sc_time(50, SC_US));
    EXPECT_EQ(bench.output, "A") << "the shift register goes on, the FIFO is gone";
  });
}

TEST(UartLite, WritesToReadOnlyRegistersAreAcknowledgedAndIgnored) {
  UartBench bench;
  bench.run([&] {
    bench.write(kRx, 1);
    bench.write(kStat, 0xff);
    EXPECT_EQ(bench.read(kStat), 0x4u);
  });
}

TEST(UartLite, InterruptIsAOneClockPulse) {
  UartBench bench;
  bench.input = {'x'};
  int edges = 0;
  sc_time high, low;
  bench.run([&] {
    bench.write(kCtrl, 0x10);
    EXPECT_EQ(bench.read(kStat), 0x14u);
    sc_core::wait(bench.interrupt.posedge_event());
    ++edges;
    high = sc_core::sc_time_stamp();
    sc_core::wait(bench.interrupt.negedge_event());
    low = sc_core::sc_time_stamp();
  });
  EXPECT_EQ(edges, 1);
  EXPECT_EQ(high, sc_time(10, SC_US));
  EXPECT_EQ(low - high, sc_time(10, SC_NS));
}

TEST(UartLite, TransmitFifoRunningEmptyInterrupts) {
  UartBench bench;
  bench.run([&] {
    bench.write(kCtrl, 0x10);
    bench.write(kTx, 'A');  // moves on at once: a pulse
    bench.write(kTx, 'B');
    sc_core::wait(sc_time(1, SC_US));
    EXPECT_FALSE(bench.interrupt.read());
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time(10, SC_US));
  });
}

TEST(UartLite, NothingIsLostAtTheEndOfSimulation) {
  UartBench bench;
  bench.run([&] {
    for (char c : std::string("bye")) bench.write(kTx, static_cast<uint32_t>(c));
  });
  bench.device.flush();
  EXPECT_EQ(bench.output, "bye");
}

TEST(UartLite, ByteWritesWork) {
  UartBench bench;
  bench.run([&] {
    EXPECT_EQ(bench.initiator.write(kTx, 'q', 1), kOk);
    bench.pass(sc_time(10, SC_US));
    EXPECT_EQ(bench.output, "q");
  });
}

TEST(UartLite, ZeroBaudIsBadInput) {
  UartLiteConfiguration configuration;
  configuration.baud = 0;
  EXPECT_THROW(UartLite("u", configuration, nullptr), Error);
}

}  // namespace
}  // namespace gvp::peripherals
