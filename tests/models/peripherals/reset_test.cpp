// SPDX-License-Identifier: Apache-2.0
// The reset line of every peripheral: afterwards it is as it was after construction.
#include "models/tlm/reset.h"

#include <gtest/gtest.h>

#include "models/peripherals/interrupt_controller.h"
#include "models/peripherals/timer.h"
#include "models/peripherals/uart16550.h"
#include "models/peripherals/uartlite.h"
#include "tests/models/peripherals/bench.h"
#include "tests/models/peripherals/uart16550_bench.h"

namespace gvp::peripherals {
namespace {

// What a debugger sees of the registers, which reads no FIFO.
std::vector<uint32_t> registers(test::Initiator& initiator, uint64_t first, unsigned count) {
  std::vector<uint32_t> values(count);
  for (unsigned i = 0; i < count; ++i) {
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(first + 4 * i);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(&values[i]));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    initiator.socket->transport_dbg(payload);
  }
  return values;
}

TEST(ResetTest, StopsTheTimerAndItsInterrupt) {
  Bench<Timer> bench(TimerConfiguration{});
  bench.run([&] {
    const auto before = registers(bench.initiator, 0, 7);
    bench.write(0x04, 0xfffffff0);
    bench.write(0x00, 0x20);
    bench.write(0x00, 0xc0);  // counts up, interrupts at its end
    bench.write(0x14, 100);
    bench.write(0x10, 0xf2);
    bench.pass(sc_time(1, SC_US));
    EXPECT_TRUE(bench.interrupt.read());
    bench.device.reset();
    bench.pass(sc_time(1, SC_US));
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(registers(bench.initiator, 0, 7), before);
    bench.pass(sc_time(100, SC_US));
    EXPECT_FALSE(bench.interrupt.read()) << "nothing is left to come";
    // Counts from 0 by the clock edges since it is enabled again.
    bench.write(0x00, 0x80);
    bench.pass(sc_time(100, SC_NS));
    EXPECT_EQ(bench.read(0x08), 10u);
  });
}

TEST(ResetTest, SendingAndReceivingWithoutFifosAgainHoldsOneCharacterEach) {
  UartBench bench;
  bench.run([&] {
    bench.set_up(1);
    bench.device.reset();
    bench.set_up();
    bench.receive("ab");
    bench.pass(5 * kCharacter);
    EXPECT_EQ(bench.read(kLsr) & 1, 1u);
    EXPECT_EQ(bench.read(kRbr), uint32_t{'a'});
    EXPECT_EQ(bench.read(kLsr) & 1, 0u) << "the other waits in the line";
    for (const char c : {'1', '2', '3'}) bench.write(kThr, static_cast<uint8_t>(c));
    bench.pass(10 * kCharacter);
    EXPECT_EQ(bench.output, "12") << "one in the shift register, one behind it";
  });
}

TEST(ResetTest, InterruptControllerForgetsWhatWasPendingAndEnabled) {
  Bench<InterruptController> bench(InterruptControllerConfiguration{});
  bench.run([&] {
    const auto before = registers(bench.initiator, 0, 8);
    bench.write(0x00, 0x6);
    bench.write(0x08, 0x7);
    bench.write(0x1c, 0x3);
    bench.pass(sc_time(10, SC_NS));
    EXPECT_TRUE(bench.interrupt.read());
    bench.device.reset();
    bench.pass(sc_time(10, SC_NS));
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(registers(bench.initiator, 0, 8), before);
  });
}

TEST(ResetTest, UartLiteLosesWhatItHolds) {
  SerialBench<UartLite, UartLiteConfiguration> bench(UartLiteConfiguration{});
  bench.input = {'a', 'b'};
  bench.run([&] {
    const auto before = registers(bench.initiator, 0x8, 1);
    bench.write(0xc, 0x10);
    for (const char character : {'x', 'y', 'z'}) bench.write(0x4, static_cast<uint8_t>(character));
    bench.pass(sc_time(200, SC_US));  // two characters are in, two out
    EXPECT_EQ(bench.output, "xy");
    bench.device.reset();
    EXPECT_EQ(registers(bench.initiator, 0x8, 1), before);
    bench.pass(sc_time(1000, SC_US));
    EXPECT_EQ(bench.output, "xy") << "the third was in the shift register";
    bench.input = {'c'};
    bench.pass(sc_time(200, SC_US));
    EXPECT_EQ(bench.read(0x0), static_cast<uint32_t>('c')) << "it goes on receiving";
  });
}

TEST(ResetTest, Uart16550IsAsAfterPowerUp) {
  SerialBench<Uart16550, Uart16550Configuration> bench(Uart16550Configuration{});
  bench.run([&] {
    const auto before = registers(bench.initiator, 0x1000, 8);
    bench.write(0x100c, 0x83);
    bench.write(0x1000, 0x36);
    bench.write(0x1004, 0x01);
    bench.write(0x100c, 0x1f);
    bench.write(0x1008, 0xc1);
    bench.write(0x1010, 0x0b);
    bench.write(0x101c, 0x5a);
    bench.write(0x1004, 0x0f);
    bench.pass(sc_time(10, SC_NS));
    EXPECT_TRUE(bench.interrupt.read()) << "the transmitter is empty";
    bench.write(0x1000, 'x');
    bench.device.reset();
    bench.pass(sc_time(10, SC_NS));
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(registers(bench.initiator, 0x1000, 8), before);
    bench.pass(sc_time(50, sc_core::SC_MS));
    EXPECT_EQ(bench.output, "") << "the character was in the shift register";
  });
}

}  // namespace
}  // namespace gvp::peripherals
