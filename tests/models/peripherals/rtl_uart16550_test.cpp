// SPDX-License-Identifier: Apache-2.0
// The UART 16550 as RTL against its model, and what the model does not have: faults on the line.
//
// A character is received in the middle of its stop bit by the RTL and at its end by the model.
// Writes that send, other writes and reads therefore each have their part of a character's time, in
// which nothing else happens.
#include <gtest/gtest.h>

#include "models/peripherals/rtl_peripheral.h"
#include "tests/models/peripherals/rtl_pair.h"

namespace gvp::peripherals {
namespace {

constexpr uint32_t kData = 0x1000, kIer = 0x1004, kFcr = 0x1008, kLcr = 0x100c, kMcr = 0x1010,
                   kLsr = 0x1014, kMsr = 0x1018, kScr = 0x101c;
constexpr uint32_t kDivisorAccess = 0x80, kLoop = 0x10, kPrint = 0x60;
constexpr uint64_t kFirstPoll = 112;  // 7 bits of 16 cycles, the format after reset

class RtlUart16550Test : public RtlPeripheralTest {
 protected:
  void SetUp() override {
    RtlPeripheralTest::SetUp();
    if (IsSkipped()) return;
    format = below(64);
    divisor = 4 + below(3);
    const uint32_t bits = 5 + (format & 3);
    const uint32_t stop_halves = (format & 4) == 0 ? 2 : bits == 5 ? 3 : 4;
    character = (2 * (1 + bits + ((format & 8) != 0 ? 1 : 0)) + stop_halves) * 8 * divisor;
    accesses = {{20, true, kLcr, format | kDivisorAccess},
                {28, true, kData, divisor},
                {36, true, kIer, 0},
                {44, true, kLcr, format},
                {52, true, kFcr, 0x41}};
  }
  // Accesses of so many characters' times; most_sent: characters at a time.
  void make(unsigned times, unsigned most_sent, bool loops) {
    bool hides_data = false, loop = false;
    uint64_t silent_from = 0;  // the transmitter has sent everything then
    for (uint64_t i = 1; i < times; ++i) {
      const uint64_t begin = kFirstPoll + i * character;
      const unsigned sent =
          hides_data || below(2) == 0 ? 0 : 1 + below(below(3) == 0 ? most_sent : 2);
      for (unsigned s = 0; s < sent; ++s)
        accesses.push_back({begin + character * 30 / 100 + 6 * s, true, kData, kPrint + below(32),
                            s % 2 == 0 ? 4u : 1u});
      silent_from = std::max(silent_from, i) + sent + 2;
      Access control{begin + character * 58 / 100, true, kIer, below(16)};
      switch (below(9)) {
        case 0:
          control.address = kFcr;
          control.value = below(256);
          break;
        case 1:
          control.address = kLcr;
          hides_data = !hides_data;
          control.value = format | (hides_data ? kDivisorAccess : 0);
          break;
        case 2:
          control.address = kMcr;
          if (loops && silent_from <= i + 2) loop = !loop;
          control.value = below(16) | (loop ? kLoop : 0);
          break;
        case 3:
          control.address = below(2) == 0 ? kMsr : kLsr;
          control.value = below(256);
          break;
        case 4:
          control.address = kScr;
          control.value = below(256);
          break;
        case 5:
          control.address = 0x0ffc + 0x24 * below(2);  // just outside
          break;
        case 6:
          if (hides_data) control.address = kScr;
          break;
        default:
          control.address = 0;
      }
      if (hides_data && control.address == kIer) control.address = 0;  // it is the divisor's
      if (control.address != 0) accesses.push_back(control);
      const unsigned reads = below(4);
      for (unsigned r = 0; r < reads; ++r)
        accesses.push_back(
            {begin + character * 65 / 100 + 12 * r, false, 0x1000 + 4 * below(8), 0});
    }
    end = kFirstPoll + (times + 30) * character;
  }
  void compare(CharacterChannel* model_line, CharacterChannel* rtl_line) {
    Pair pair(accesses);
    Uart16550Configuration configuration;
    configuration.input_waits = false;
    configuration.modem_inputs = static_cast<uint8_t>(below(256));
    Uart16550 model("uart", configuration, model_line);
    RtlPeripheral rtl("rtl_uart", "axi_uart16550", seeded(seed));
    connect_uart16550(rtl, configuration, rtl_line);
    pair.model.socket().bind(model.socket);
    model.interrupt(pair.model.interrupt);
    pair.rtl.socket().bind(rtl.socket());
    rtl.interrupt(pair.rtl.interrupt);
    pair.compare(static_cast<double>(end) * kCycle, Pair::Interrupt::kAtReads);
    rtl.flush();
    model.flush();
    EXPECT_EQ(pair.model.edges.size(), pair.rtl.edges.size());
    EXPECT_GT(pair.model.edges.size(), 20u) << "hardly an interrupt";
    EXPECT_EQ(rtl.checker().violation_count(), 0u);
    EXPECT_EQ(pair.log.text().find("on sout"), std::string::npos) << pair.log.text();
  }

  uint32_t format = 0, divisor = 0;
  uint64_t character = 0, end = 0;  // cycles
  std::vector<Access> accesses;
};

TEST_P(RtlUart16550Test, IsItsModel) {
  make(900, 18, false);
  struct SlowChannel : StringChannel {
    std::optional<uint8_t> read() override {
      return ++asked % 3 == 0 ? StringChannel::read() : std::nullopt;
    }
    unsigned asked = 0;
  } model_line, rtl_line;
  for (int i = 0; i < 250; ++i) model_line.input.push_back(static_cast<char>(below(256)));
  rtl_line.input = model_line.input;
  compare(&model_line, &rtl_line);
  EXPECT_GT(model_line.output.size(), 100u);
  EXPECT_EQ(model_line.output, rtl_line.output);
  EXPECT_EQ(model_line.input.size(), rtl_line.input.size());
}

TEST_P(RtlUart16550Test, LoopsBackAsItsModel) {
  make(900, 4, true);
  StringChannel model_line, rtl_line;
  compare(&model_line, &rtl_line);
  EXPECT_GT(model_line.output.size(), 20u);
  EXPECT_EQ(model_line.output, rtl_line.output);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RtlUart16550Test, testing::Values(1u, 2u, 3u, 4u, 5u, 6u));

// The line by hand: 8 data bits, even parity, 16 cycles a bit.
class RtlUart16550Line : public testing::Test {
 protected:
  static constexpr unsigned kBit = 16;
  void SetUp() override {
    if (rtl::built_in_blocks().empty()) GTEST_SKIP() << "built without Verilator";
  }
  void run(const std::function<void()>& body) {
    initiator.socket.bind(uart->socket());
    uart->interrupt(interrupt);
    uart->add_inputs("sin", 1);
    uart->input(0)(line);
    line.write(true);
    initiator.run([&] {
      initiator.write32(kLcr, kDivisorAccess);
      initiator.write32(kData, 1);
      initiator.write32(kLcr, 0x1b);
      initiator.write32(kFcr, 1);
      body();
    });
  }
  void send(uint32_t bits, unsigned count) {  // from the lowest on, then a pause
    for (unsigned i = 0; i < count; ++i, bits >>= 1) {
      line.write((bits & 1) != 0);
      sc_core::wait(kBit * kCycle);
    }
    line.write(true);
    sc_core::wait(2 * kBit * kCycle);
  }
  // start bit, data, parity, stop bit
  void send_character(uint32_t data, bool wrong_parity, bool stop) {
    const bool parity = (__builtin_parity(data) != 0) != wrong_parity;
    send(data << 1 | (parity ? 1u << 9 : 0) | (stop ? 1u << 10 : 0), 11);
  }
  uint32_t errors() { return initiator.read32(kLsr) & 0x9e; }

  test::LogCapture log;
  test::Initiator initiator{"initiator"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> line{"line"};
  std::unique_ptr<RtlPeripheral> uart =
      rtl::built_in_blocks().empty()
          ? nullptr
          : std::make_unique<RtlPeripheral>("uart", "axi_uart16550", rtl::BlockConfiguration{});
};

TEST_F(RtlUart16550Line, AnErrorShowsWhenItsCharacterComesToTheFront) {
  run([&] {
    initiator.write32(kIer, 4);
    send_character('a', false, true);
    EXPECT_EQ(errors(), 0u);
    send_character('b', true, true);
    EXPECT_EQ(errors(), 0x80u) << "somewhere in the FIFO";
    EXPECT_FALSE(interrupt.read());
    EXPECT_EQ(initiator.read32(kData), uint32_t{'a'});
    EXPECT_TRUE(interrupt.read());
    EXPECT_EQ(initiator.read32(kFcr), 0xc6u);
    EXPECT_EQ(errors(), 0x84u) << "parity";
    EXPECT_EQ(errors(), 0x80u) << "reading clears it";
    EXPECT_FALSE(interrupt.read());
    EXPECT_EQ(initiator.read32(kData), uint32_t{'b'});
    EXPECT_EQ(errors(), 0u);
  });
}

TEST_F(RtlUart16550Line, AMissingStopBitIsAFramingError) {
  run([&] {
    send_character('c', false, false);
    EXPECT_EQ(errors(), 0x88u);
    EXPECT_EQ(initiator.read32(kData), uint32_t{'c'});
    send_character('d', false, true);
    EXPECT_EQ(errors(), 0u);
    EXPECT_EQ(initiator.read32(kData), uint32_t{'d'}) << "it finds the next start bit";
  });
}

TEST_F(RtlUart16550Line, ABreakIsOneCharacter) {
  run([&] {
    send(0, 40);
    EXPECT_EQ(errors(), 0x98u) << "framing error and break";
    EXPECT_EQ(initiator.read32(kData), 0u);
    EXPECT_EQ(initiator.read32(kLsr), 0x60u) << "nothing more";
  });
}

TEST_F(RtlUart16550Line, ADisturbanceIsNoStartBit) {
  run([&] {
    line.write(false);
    sc_core::wait(kBit / 4 * kCycle);
    send(~0u, 12);
    EXPECT_EQ(initiator.read32(kLsr), 0x60u);
  });
}

TEST_F(RtlUart16550Line, SendsABreak) {
  run([&] {
    const rtl::Pin sout = uart->block().output_pin("sout", 1);
    EXPECT_TRUE(sout.high());
    initiator.write32(kLcr, 0x5b);
    EXPECT_FALSE(sout.high());
    initiator.write32(kMcr, kLoop);
    EXPECT_TRUE(sout.high()) << "loopback keeps it from the line";
    initiator.write32(kMcr, 0);
    initiator.write32(kLcr, 0x1b);
    EXPECT_TRUE(sout.high());
  });
}

}  // namespace
}  // namespace gvp::peripherals
