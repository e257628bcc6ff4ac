// SPDX-License-Identifier: Apache-2.0
// The UART 16550 bit by bit: each modem line, trigger level, format and FIFO control.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/peripherals/uart16550_bench.h"

namespace gvp::peripherals {
namespace {

const sc_time kBit(960, SC_NS);

TEST(Uart16550Details, LoopbackFeedsEachOutputToItsInput) {
  UartBench bench;
  bench.run([&] {
    bench.write(kMcr, 0x10);
    bench.read(kMsr);
    bench.write(kMcr, 0x11);
    EXPECT_EQ(bench.read(kMsr), 0x22u) << "DTR is DSR";
    bench.write(kMcr, 0x10);
    EXPECT_EQ(bench.read(kMsr), 0x02u);
    bench.write(kMcr, 0x18);
    EXPECT_EQ(bench.read(kMsr), 0x88u) << "OUT2 is DCD";
    bench.write(kMcr, 0x1f);
    EXPECT_EQ(bench.read(kMsr), 0xf3u) << "all of them; RI's rising edge is no event";
    bench.write(kMcr, 0x00);
    EXPECT_EQ(bench.read(kMsr), 0xb4u) << "the pins again: RI fell, the others are as they were";
  });
}

TEST(Uart16550Details, LoopbackLeavesTheInputWaiting) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.write(kMcr, 0x10);
    bench.receive("x");
    bench.pass(5 * kCharacter);
    EXPECT_EQ(bench.read(kLsr), 0x60u);
    bench.write(kMcr, 0);
    bench.pass(2 * kCharacter);
    EXPECT_EQ(bench.read(kRbr), uint32_t{'x'});
  });
}

TEST(Uart16550Details, FactoryTestWritesSetErrorsAndChanges) {
  UartBench bench;
  bench.run([&] {
    bench.write(kIer, 0x04);
    bench.write(kLsr, 0xff);
    EXPECT_TRUE(bench.interrupt.read());
    EXPECT_EQ(bench.initiator.peek32(kLsr), 0x7eu) << "a debugger's look clears nothing";
    EXPECT_EQ(bench.initiator.peek32(kIir), 0x06u);
    EXPECT_EQ(bench.read(kIir), 0x06u);
    EXPECT_EQ(bench.read(kLsr), 0x7eu);
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kLsr), 0x60u);
    bench.write(kIer, 0x08);
    bench.write(kMsr, 0xff);
    EXPECT_TRUE(bench.interrupt.read());
    EXPECT_EQ(bench.initiator.peek32(kMsr), 0xbfu);
    EXPECT_EQ(bench.read(kMsr), 0xbfu);
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kMsr), 0xb0u);
  });
}

TEST(Uart16550Details, WhatIsNotEnabledIsNotReported) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0xc1);
    bench.receive("a");
    bench.pass(10 * kCharacter);  // timed out
    bench.write(kLsr, 0x02);
    bench.write(kMsr, 0x0f);
    EXPECT_EQ(bench.read(kIir), 0xc1u);
    EXPECT_FALSE(bench.interrupt.read());
    bench.write(kIer, 0x01);
    EXPECT_EQ(bench.read(kIir), 0xccu);
    bench.write(kIer, 0x02);
    EXPECT_EQ(bench.read(kIir), 0xc2u);
    bench.write(kIer, 0x04);
    EXPECT_EQ(bench.read(kIir), 0xc6u);
    bench.write(kIer, 0x08);
    EXPECT_EQ(bench.read(kIir), 0xc0u);
  });
}

TEST(Uart16550Details, EachTriggerLevelIsExact) {
  UartBench bench;
  bench.run([&] {
    for (const auto& [fcr, level] :
         {std::pair<uint32_t, size_t>{0x01, 1}, {0x41, 4}, {0x81, 8}, {0xc1, 14}}) {
      bench.set_up(fcr | 0x02);
      bench.write(kIer, 0x01);
      bench.receive(std::string(level - 1, 'a'));
      EXPECT_EQ(bench.read(kIir), 0xc1u) << level;
      bench.receive("b");
      EXPECT_EQ(bench.read(kIir), 0xc4u) << level;
    }
  });
}

TEST(Uart16550Details, TimesOutFourCharactersAfterTheLast) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0xc1);
    bench.write(kIer, 0x01);
    bench.write(kMcr, 0x10);  // in loopback a character comes when it has been sent
    bench.pass(sc_core::SC_ZERO_TIME);
    const sc_time start = sc_core::sc_time_stamp();
    bench.write(kThr, 'x');
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp() - start, 5 * kCharacter);
    EXPECT_EQ(bench.read(kIir), 0xccu);
  });
}

TEST(Uart16550Details, EachFormatTakesItsBits) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    for (const auto& [lcr, bits] : {std::pair<uint32_t, double>{0x00, 7},
                                    {0x01, 8},
                                    {0x02, 9},
                                    {0x03, 10},
                                    {0x04, 7.5},
                                    {0x07, 11},
                                    {0x08, 8},
                                    {0x0b, 11},
                                    {0x0f, 12}}) {
      bench.write(kLcr, lcr);
      bench.write(kThr, 0);
      bench.pass_locally(bits * kBit - sc_time(1, SC_PS));
      EXPECT_EQ(bench.read(kLsr), 0x20u) << lcr;
      bench.pass_locally(sc_time(1, SC_PS));
      EXPECT_EQ(bench.read(kLsr), 0x60u) << lcr;
    }
  });
}

TEST(Uart16550Details, TheDivisorHasSixteenBits) {
  UartBench bench;
  bench.run([&] {
    bench.write(kLcr, 0x83);
    bench.write(kDll, 0);
    bench.write(kDlm, 1);
    bench.write(kLcr, 0x03);
    bench.write(kThr, 'A');
    bench.pass_locally(10 * 16 * 256 * sc_time(10, SC_NS) - sc_time(1, SC_PS));
    EXPECT_EQ(bench.read(kLsr), 0x20u);
    bench.pass_locally(sc_time(1, SC_PS));
    EXPECT_EQ(bench.read(kLsr), 0x60u);
    bench.write(kLcr, 0x83);
    bench.write(kDll, 1);
    bench.write(kDlm, 0);
    bench.write(kLcr, 0x03);
    bench.write(kThr, 'B');
    bench.pass_locally(sc_time(1600, SC_NS));
    EXPECT_EQ(bench.read(kLsr), 0x60u);
  });
  EXPECT_EQ(bench.log.text(), "");
}

TEST(Uart16550Details, ChangingTheModeEmptiesBothFifos) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.receive("a");
    bench.write(kThr, 'A');
    bench.write(kThr, 'B');
    bench.write(kFcr, 0x01);
    EXPECT_EQ(bench.read(kLsr), 0x20u);
    bench.receive("b");
    bench.write(kFcr, 0x00);
    EXPECT_EQ(bench.read(kLsr) & 1u, 0u);
    bench.pass(5 * kCharacter);
  });
  EXPECT_EQ(bench.output, "A");
}

TEST(Uart16550Details, EachFifoResetEmptiesItsOwn) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0x01);
    bench.receive("a");
    bench.write(kThr, 'A');
    bench.write(kThr, 'B');
    bench.write(kFcr, 0x05);  // the transmitter's
    EXPECT_EQ(bench.read(kLsr), 0x21u);
    bench.write(kThr, 'C');
    bench.write(kFcr, 0x03);  // the receiver's
    EXPECT_EQ(bench.read(kLsr), 0x00u);
    bench.pass(5 * kCharacter);
  });
  EXPECT_EQ(bench.output, "AC");
}

TEST(Uart16550Details, WithoutFifosTheirControlsDoNothing) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.receive("a");
    bench.write(kThr, 'A');
    bench.write(kThr, 'B');
    bench.write(kFcr, 0xce);
    EXPECT_EQ(bench.read(kLsr), 0x01u);
    EXPECT_EQ(bench.read(kIir), 0x01u);
    bench.write(kLcr, 0x83);
    EXPECT_EQ(bench.read(kFcr), 0x00u);
    bench.write(kLcr, 0x03);
    bench.pass(5 * kCharacter);
    EXPECT_EQ(bench.read(kRbr), uint32_t{'a'});
  });
  EXPECT_EQ(bench.output, "AB");
}

}  // namespace
}  // namespace gvp::peripherals
