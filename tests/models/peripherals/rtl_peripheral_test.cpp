// SPDX-License-Identifier: Apache-2.0
// The peripherals' RTL against their models: the same random accesses at the same times to both,
// the same inputs; then everything that software can see is compared.
#include "models/peripherals/rtl_peripheral.h"

#include <gtest/gtest.h>

#include "models/peripherals/timer.h"
#include "tests/models/peripherals/rtl_pair.h"

namespace gvp::peripherals {
namespace {

TEST_P(RtlPeripheralTest, TimerIsItsModelCycleByCycle) {
  constexpr uint32_t kRegisters[] = {0x00, 0x04, 0x08, 0x10, 0x14, 0x18};
  std::vector<Access> accesses;
  uint64_t cycle = 3;
  for (int i = 0; i < 3000; ++i) {
    cycle += 8 + below(below(10) == 0 ? 300 : 20);
    Access access{cycle, below(3) != 0, kRegisters[below(6)], 0};
    if (access.write) {
      // Counters near their ends, so that they roll over; any mode.
      const bool control = access.address % 0x10 == 0;
      access.value = control ? below(0x1000) : below(2) == 0 ? below(40) : ~below(40);
      if (control && below(3) != 0) access.value |= 0xc0;
      if (control && below(3) != 0) access.value &= ~0x20u;
    }
    if (below(50) == 0) access.address = 0x0c;
    if (below(50) == 0) access.length = 2;
    accesses.push_back(access);
  }
  Pair pair(accesses);
  Timer model("timer", TimerConfiguration{});
  RtlPeripheral rtl("rtl_timer", "axi_timer", seeded(seed));
  pair.model.socket().bind(model.socket);
  model.interrupt(pair.model.interrupt);
  pair.rtl.socket().bind(rtl.socket());
  rtl.interrupt(pair.rtl.interrupt);
  pair.compare(static_cast<double>(cycle + 100) * kCycle, Pair::Interrupt::kAlways);
  EXPECT_GT(pair.model.edges.size(), 20u) << "hardly an interrupt";
  EXPECT_EQ(pair.model.edges.size(), pair.rtl.edges.size());
  EXPECT_TRUE(pair.model.edges == pair.rtl.edges) << "interrupts at other times";
  EXPECT_EQ(rtl.checker().violation_count(), 0u);
}

TEST_P(RtlPeripheralTest, InterruptControllerIsItsModel) {
  InterruptControllerConfiguration configuration;
  configuration.inputs = 1 + below(32);
  configuration.kind_of_interrupt = below(~0u);
  configuration.kind_of_edge = below(~0u);
  configuration.kind_of_level = below(~0u);
  std::vector<Access> accesses;
  for (uint64_t cycle = 10; cycle < 40000; cycle += 20) {
    Access access{cycle, below(2) == 0, 4 * below(8), below(~0u) & below(~0u)};
    if (below(4) == 0) access.address = 0x0c;
    if (below(40) == 0) access.address = 0x20 + 4 * below(4);
    if (below(40) == 0) access.length = 1;
    if (cycle == 10) access = {cycle, true, 0x1c, 3};
    accesses.push_back(access);
  }
  Pair pair(accesses);
  InterruptController model("intc", configuration);
  RtlPeripheral rtl("rtl_intc", "axi_intc", seeded(seed));
  connect_controller(rtl, configuration);
  sc_core::sc_vector<sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS>> lines(
      "lines", configuration.inputs);
  for (unsigned i = 0; i < configuration.inputs; ++i) {
    const bool inactive = (configuration.kind_of_level >> i & 1) == 0;
    lines[i].write(inactive);
    model.inputs[i](lines[i]);
    rtl.input(i)(lines[i]);
  }
  pair.model.socket().bind(model.socket);
  model.interrupt(pair.model.interrupt);
  pair.rtl.socket().bind(rtl.socket());
  rtl.interrupt(pair.rtl.interrupt);
  // Inputs change while no access is under way.
  sc_core::sc_spawn([&] {
    for (;;) {
      sc_core::wait(20 * kCycle);
      for (unsigned i = 0; i < configuration.inputs; ++i)
        if (below(6) == 0) lines[i].write(!lines[i].read());
    }
  });
  pair.compare(40100 * kCycle, Pair::Interrupt::kAlways);
  EXPECT_GT(pair.model.edges.size(), 20u) << "hardly an interrupt";
  EXPECT_EQ(rtl.checker().violation_count(), 0u);
}

TEST_P(RtlPeripheralTest, UartLiteIsItsModel) {
  UartLiteConfiguration configuration;
  configuration.baud = 5000000;  // 20 cycles a bit
  constexpr uint64_t kCharacter = 200;
  std::vector<Access> accesses;
  // Characters arrive near the end of a character time, what is written goes out 0.3 into it, and
  // reads see neither happen.
  for (uint64_t i = 1; i < 800; ++i) {
    const uint32_t choice = below(40);
    const unsigned writes = choice < 2 ? 20 : choice < 20 ? below(3) : 0;
    for (unsigned w = 0; w < writes; ++w)
      accesses.push_back({i * kCharacter + 60, true, 0x4, 'a' + below(26), w % 2 == 0 ? 4u : 1u});
    if (choice == 30) accesses.push_back({i * kCharacter + 62, true, 0xc, below(32)});
    if (choice == 31) accesses.push_back({i * kCharacter + 62, true, 0xc, 0x10});
    if (choice == 32) accesses.push_back({i * kCharacter + 62, true, 4 * below(6), 0x10, 2});
    // No read while the writes before it are still on the bus.
    accesses.push_back({i * kCharacter + 140, false, 0x8, 0});
    if (choice % 3 == 0) accesses.push_back({i * kCharacter + 150, false, 4 * below(6), 0});
    if (choice % 2 == 0) accesses.push_back({i * kCharacter + 160, false, 0x0, 0});
  }
  Pair pair(accesses);
  // Slow enough that the receiver is never full: a model's sender then has a character at the end
  // of the line already, the pins' sender has still to begin with it.
  struct SlowChannel : StringChannel {
    std::optional<uint8_t> read() override {
      return ++asked % 3 == 0 ? StringChannel::read() : std::nullopt;
    }
    unsigned asked = 0;
  } model_line, rtl_line;
  for (int i = 0; i < 300; ++i) model_line.input.push_back(static_cast<char>(below(256)));
  rtl_line.input = model_line.input;
  UartLite model("uart", configuration, &model_line);
  RtlPeripheral rtl("rtl_uart", "axi_uartlite", seeded(seed));
  connect_uartlite(rtl, configuration, &rtl_line);
  pair.model.socket().bind(model.socket);
  model.interrupt(pair.model.interrupt);
  pair.rtl.socket().bind(rtl.socket());
  rtl.interrupt(pair.rtl.interrupt);
  // a pulse may begin between two writes
  pair.compare(900 * kCharacter * kCycle, Pair::Interrupt::kNot);
  const uint64_t cycles = rtl.statistics()["rtl"]["cycles"];
  rtl.flush();
  model.flush();
  EXPECT_EQ(rtl.statistics()["rtl"]["cycles"], cycles) << "the line goes on, the run does not";
  EXPECT_GT(model_line.output.size(), 100u);
  EXPECT_EQ(model_line.output, rtl_line.output);
  EXPECT_EQ(model_line.input.size(), rtl_line.input.size());
  // Pulses that touch are one: which do so, the times of the accesses decide.
  EXPECT_NEAR(static_cast<double>(pair.model.edges.size()),
              static_cast<double>(pair.rtl.edges.size()), 4);
  EXPECT_EQ(rtl.checker().violation_count(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RtlPeripheralTest, testing::Values(1u, 2u, 3u));

}  // namespace
}  // namespace gvp::peripherals
