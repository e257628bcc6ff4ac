// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/peripherals/uart16550_bench.h"

namespace gvp::peripherals {
namespace {

TEST(Uart16550, ResetValues) {
  UartBench bench;
  bench.run([&] {
    EXPECT_EQ(bench.read(kIer), 0u);
    EXPECT_EQ(bench.read(kIir), 0x01u);
    EXPECT_EQ(bench.read(kLcr), 0u);
    EXPECT_EQ(bench.read(kMcr), 0u);
    EXPECT_EQ(bench.read(kLsr), 0x60u);
    EXPECT_EQ(bench.read(kMsr), 0xb0u);
    EXPECT_EQ(bench.read(kScr), 0u);
  });
}

TEST(Uart16550, ThereIsNothingBelow0x1000) {
  UartBench bench;
  bench.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.initiator.read(0, value), kSlaveError);
    EXPECT_EQ(bench.initiator.read(0x1020, value), kSlaveError);
    EXPECT_EQ(bench.initiator.write(0xffc, 1), kSlaveError);
  });
}

TEST(Uart16550, ScratchRegisterHoldsAByte) {
  UartBench bench;
  bench.run([&] {
    bench.write(kScr, 0x1a5);
    EXPECT_EQ(bench.read(kScr), 0xa5u);
    EXPECT_EQ(bench.initiator.write(kScr, 0x3c, 1), kOk);
    EXPECT_EQ(bench.read(kScr), 0x3cu);
  });
}

TEST(Uart16550, DivisorLatchHidesDataAndInterruptEnable) {
  UartBench bench;
  bench.run([&] {
    bench.write(kIer, 0x0);
    bench.write(kLcr, 0x80);
    bench.write(kDll, 0x34);
    bench.write(kDlm, 0x12);
    EXPECT_EQ(bench.read(kDll), 0x34u);
    EXPECT_EQ(bench.read(kDlm), 0x12u);
    bench.write(kLcr, 0x03);
    EXPECT_EQ(bench.read(kIer), 0u);
    EXPECT_EQ(bench.read(kRbr), 0u);
    bench.write(kLcr, 0x83);
    EXPECT_EQ(bench.read(kDll), 0x34u);
  });
  EXPECT_EQ(bench.output, "");
}

TEST(Uart16550, FifoControlReadsBackUnderTheDivisorLatch) {
  UartBench bench;
  bench.run([&] {
    bench.write(kFcr, 0xc7);
    EXPECT_EQ(bench.read(kIir), 0xc1u);
    bench.write(kLcr, 0x80);
    EXPECT_EQ(bench.read(kFcr), 0xc1u) << "the reset bits clear themselves";
  });
}

TEST(Uart16550, InterruptEnableAndModemControlKeepTheirBits) {
  UartBench bench;
  bench.run([&] {
    bench.write(kIer, 0xf8);
    EXPECT_EQ(bench.read(kIer), 0x08u);
    bench.write(kMcr, 0xff);
    EXPECT_EQ(bench.read(kMcr), 0x1fu);
  });
}

TEST(Uart16550, SendsAtTheRateOfTheDivisor) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.write(kThr, 'A');
    EXPECT_EQ(bench.read(kLsr), 0x20u) << "in the shift register";
    bench.write(kThr, 'B');
    EXPECT_EQ(bench.read(kLsr), 0x00u);
    bench.pass(kCharacter - sc_time(1, SC_PS));
    EXPECT_EQ(bench.output, "");
    bench.pass(sc_time(1, SC_PS));
    EXPECT_EQ(bench.output, "A");
    EXPECT_EQ(bench.read(kLsr), 0x20u);
    bench.pass(kCharacter);
    EXPECT_EQ(bench.output, "AB");
    EXPECT_EQ(bench.read(kLsr), 0x60u);
  });
}

TEST(Uart16550, CharacterFormatSetsTheTime) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.write(kLcr, 0x0f);  // 8 bits, 2 stop bits, parity: 12 bits
    bench.write(kThr, 'A');
    bench.pass_locally(12 * sc_time(960, SC_NS) - sc_time(1, SC_PS));
    EXPECT_EQ(bench.read(kLsr), 0x20u);
    bench.pass_locally(sc_time(1, SC_PS));
    EXPECT_EQ(bench.read(kLsr), 0x60u);
    bench.write(kLcr, 0x04);  // 5 bits, 1.5 stop bits: 7.5 bits
    bench.write(kThr, 'B');
    bench.pass_locally(sc_time(7200, SC_NS) - sc_time(1, SC_PS));
    EXPECT_EQ(bench.read(kLsr), 0x20u);
    bench.pass_locally(sc_time(1, SC_PS));
    EXPECT_EQ(bench.read(kLsr), 0x60u);
  });
}

TEST(Uart16550, TransmitFifoHoldsSixteen) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0x01);
    for (uint32_t i = 0; i < 17; ++i) bench.write(kThr, 'a' + i);
    bench.write(kThr, '!');  // lost
    EXPECT_EQ(bench.read(kLsr), 0x00u);
    bench.pass(16 * kCharacter);
    EXPECT_EQ(bench.read(kLsr), 0x20u);
    bench.pass(kCharacter);
    EXPECT_EQ(bench.read(kLsr), 0x60u);
    EXPECT_EQ(bench.output, "abcdefghijklmnopq");
  });
  EXPECT_THAT(bench.log.text(), testing::HasSubstr("the character is lost"));
}

TEST(Uart16550, TransmitInterruptComesWhenEmptyAndGoesWhenRead) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.write(kIer, 0x02);
    EXPECT_TRUE(bench.interrupt.read()) << "empty when enabled";
    EXPECT_EQ(bench.read(kIir), 0x02u);
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kIir), 0x01u);
    bench.write(kThr, 'A');  // passes on to the shift register: empty again
    EXPECT_EQ(bench.read(kIir), 0x02u);
    bench.write(kThr, 'B');
    EXPECT_EQ(bench.read(kIir), 0x01u);
    const sc_time start = sc_core::sc_time_stamp();
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp() - start, kCharacter);
    bench.write(kThr, 'C');
    EXPECT_FALSE(bench.interrupt.read()) << "writing clears it too";
  });
}

TEST(Uart16550, ReceivesWithInterrupt) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.write(kIer, 0x01);
    bench.receive("x");
    EXPECT_TRUE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kIir), 0x04u);
    EXPECT_EQ(bench.read(kLsr), 0x61u);
    EXPECT_EQ(bench.initiator.peek32(kRbr), uint32_t{'x'});
    EXPECT_EQ(bench.read(kRbr), uint32_t{'x'});
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kLsr), 0x60u);
  });
}

TEST(Uart16550, ReceiveFifoInterruptsAtItsTriggerLevel) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0x41);  // 4 characters
    bench.write(kIer, 0x01);
    bench.receive("abc");
    EXPECT_EQ(bench.read(kIir), 0xc1u);
    bench.receive("d");
    EXPECT_EQ(bench.read(kIir), 0xc4u);
    bench.read(kRbr);
    EXPECT_EQ(bench.read(kIir), 0xc1u);
  });
}

TEST(Uart16550, CharactersBelowTheTriggerTimeOut) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0xc1);  // 14 characters
    bench.write(kIer, 0x01);
    bench.receive("ab");
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(bench.read(kIir), 0xccu);
    bench.read(kRbr);
    EXPECT_EQ(bench.read(kIir), 0xc1u) << "reading restarts the timeout";
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(bench.read(kIir), 0xccu);
  });
}

TEST(Uart16550, LineStatusHasTheHighestPriority) {
  Uart16550Configuration configuration;
  configuration.input_waits = false;
  UartBench bench(configuration);
  bench.run([&] {
    bench.set_up();
    bench.write(kIer, 0x0f);
    bench.receive("ab");
    bench.pass(kCharacter);
    EXPECT_EQ(bench.read(kIir), 0x06u);
    EXPECT_EQ(bench.read(kLsr), 0x63u) << "overrun";
    EXPECT_EQ(bench.read(kIir), 0x04u) << "then received data";
    EXPECT_EQ(bench.read(kRbr), uint32_t{'b'}) << "without FIFO the newer one stays";
    EXPECT_EQ(bench.read(kIir), 0x02u) << "then the transmitter";
    EXPECT_EQ(bench.read(kIir), 0x01u);
  });
}

TEST(Uart16550, FullFifoOverrunKeepsTheOldCharacters) {
  Uart16550Configuration configuration;
  configuration.input_waits = false;
  UartBench bench(configuration);
  bench.run([&] {
    bench.set_up(0x01);
    bench.receive("0123456789abcdefX");
    bench.pass(kCharacter);
    EXPECT_EQ(bench.read(kLsr) & 0x02u, 0x02u);
    for (char c : std::string("0123456789abcdef"))
      EXPECT_EQ(bench.read(kRbr), static_cast<uint32_t>(c));
    EXPECT_EQ(bench.read(kLsr), 0x60u);
  });
}

TEST(Uart16550, InputWaitsWhileTheReceiverIsFull) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.receive("ab");
    bench.pass(10 * kCharacter);
    EXPECT_EQ(bench.read(kRbr), uint32_t{'a'});
    bench.pass(2 * kCharacter);
    EXPECT_EQ(bench.read(kRbr), uint32_t{'b'});
    EXPECT_EQ(bench.read(kLsr), 0x60u);
  });
}

TEST(Uart16550, LoopbackFeedsDataAndModemSignalsBack) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0x01);
    bench.write(kMcr, 0x10);
    EXPECT_EQ(bench.read(kMsr), 0x0bu) << "the inputs fell";
    bench.write(kThr, 'L');
    bench.pass(kCharacter);
    EXPECT_EQ(bench.read(kRbr), uint32_t{'L'});
    EXPECT_EQ(bench.output, "");
    bench.write(kMcr, 0x12);  // RTS -> CTS
    EXPECT_EQ(bench.read(kMsr), 0x11u);
    EXPECT_EQ(bench.read(kMsr), 0x10u) << "deltas clear when read";
    bench.write(kMcr, 0x14);  // OUT1 -> RI: the rising edge is no event
    EXPECT_EQ(bench.read(kMsr), 0x41u);
    bench.write(kMcr, 0x10);
    EXPECT_EQ(bench.read(kMsr), 0x04u) << "the trailing edge is";
  });
}

TEST(Uart16550, ModemStatusInterrupts) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.write(kIer, 0x08);
    bench.write(kMcr, 0x10);
    EXPECT_TRUE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kIir), 0x00u);
    bench.read(kMsr);
    EXPECT_FALSE(bench.interrupt.read());
  });
}

TEST(Uart16550, FifoResetsEmptyTheFifos) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0x01);
    bench.receive("ab");
    bench.write(kThr, 'A');
    bench.write(kThr, 'B');
    bench.write(kFcr, 0x07);
    EXPECT_EQ(bench.read(kLsr), 0x20u);
    bench.pass(5 * kCharacter);
    EXPECT_EQ(bench.output, "A");
  });
}

TEST(Uart16550, ShortCharactersAreMasked) {
  UartBench bench;
  bench.run([&] {
    bench.set_up();
    bench.write(kLcr, 0x02);  // 7 bits
    bench.input = {static_cast<char>(0xc1)};
    bench.pass(2 * kCharacter);
    EXPECT_EQ(bench.read(kRbr), 0x41u);
    bench.write(kThr, 0xc2);
    bench.pass(kCharacter);
  });
  EXPECT_EQ(bench.output, "B");
}

TEST(Uart16550, ZeroDivisorIsReportedAndTakenAsOne) {
  UartBench bench;
  bench.run([&] {
    bench.write(kLcr, 0x03);
    bench.write(kThr, 'A');
    bench.pass(sc_time(1600, SC_NS));
    EXPECT_EQ(bench.output, "A");
  });
  EXPECT_THAT(bench.log.text(), testing::HasSubstr("divisor latch of 0"));
}

TEST(Uart16550, NothingIsLostAtTheEndOfSimulation) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(0x01);
    for (char c : std::string("goodbye")) bench.write(kThr, static_cast<uint32_t>(c));
  });
  bench.device.flush();
  EXPECT_EQ(bench.output, "goodbye");
}

}  // namespace
}  // namespace gvp::peripherals
