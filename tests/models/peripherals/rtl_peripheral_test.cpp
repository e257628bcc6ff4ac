// SPDX-License-Identifier: Apache-2.0
// The peripherals' RTL against their models: the same random accesses at the same times to both,
// the same inputs; then everything that software can see is compared.
//
// A write that is issued at an edge reaches the registers of the RTL two cycles later, a read sees
// what they held one cycle later (rtl/axi_lite_registers.sv): the model is accessed at these times.
#include "models/peripherals/rtl_peripheral.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "models/base/error.h"
#include "models/peripherals/timer.h"
#include "models/rtl/block_table.h"
#include "tests/models/peripherals/bench.h"
#include "tests/support/seed.h"

namespace gvp::peripherals {
namespace {

const sc_time kCycle(10, SC_NS), kInstant(1, SC_PS);

struct Access {
  uint64_t cycle;  // when it is issued
  bool write;
  uint32_t address, value;
  unsigned length = 4;
};

struct Seen {
  tlm::tlm_response_status response;
  uint32_t value;
  bool interrupt;  // before the access
};

struct Edge {
  sc_time time;
  bool level;
  bool operator==(const Edge& other) const { return time == other.time && level == other.level; }
};

// One side: a target, an initiator that makes the accesses, and what it saw.
class Side : public sc_core::sc_module {
 public:
  sc_core::sc_signal<bool> interrupt{"interrupt"};
  std::vector<Seen> seen;
  std::vector<Edge> edges;

  // So many cycles later than they say, reads and writes are made.
  Side(const sc_core::sc_module_name& name, const std::vector<Access>& accesses,
       unsigned read_later, unsigned write_later)
      : sc_module(name), accesses_(accesses), read_later_(read_later), write_later_(write_later) {
    SC_HAS_PROCESS(Side);
    SC_THREAD(run);
    SC_METHOD(note);
    sensitive << interrupt;
    dont_initialize();
  }
  tlm::tlm_initiator_socket<>& socket() { return initiator_.socket; }
  bool done() const { return seen.size() == accesses_.size(); }

 private:
  void run() {
    for (const Access& access : accesses_) {
      const sc_time at = static_cast<double>(access.cycle) * kCycle;
      if (at > sc_core::sc_time_stamp()) sc_core::wait(at - sc_core::sc_time_stamp());
      const bool level = interrupt.read();
      // At the edge, and before anything else that happens at its time.
      if (const unsigned later = access.write ? write_later_ : read_later_; later > 0) {
        sc_core::wait(later * kCycle - kInstant);
        initiator_.delay = kInstant;
      }
      uint32_t value = access.value;
      const auto response =
          initiator_.access(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                            access.address, &value, access.length);
      seen.push_back({response, access.write || response != kOk ? 0 : value, level});
    }
  }
  void note() { edges.push_back({sc_core::sc_time_stamp(), interrupt.read()}); }

  const std::vector<Access>& accesses_;
  unsigned read_later_, write_later_;
  test::Initiator initiator_{"initiator"};
};

struct Pair {
  explicit Pair(const std::vector<Access>& list) : accesses(list) {}
  // with_interrupt: its level before each access, too.
  void compare(const sc_time& time, bool with_interrupt) {
    sc_core::sc_start(time);
    ASSERT_TRUE(model.done() && rtl.done()) << "not enough time for all accesses";
    for (size_t i = 0; i < accesses.size(); ++i) {
      const Access& access = accesses[i];
      ASSERT_TRUE(model.seen[i].response == rtl.seen[i].response &&
                  model.seen[i].value == rtl.seen[i].value &&
                  (!with_interrupt || model.seen[i].interrupt == rtl.seen[i].interrupt))
          << "access " << i << ", " << (access.write ? "write of " : "read, ") << std::hex
          << access.value << " at 0x" << access.address << " in cycle " << std::dec << access.cycle
          << ": model " << model.seen[i].response << ' ' << std::hex << model.seen[i].value << ' '
          << model.seen[i].interrupt << ", RTL " << rtl.seen[i].response << ' ' << rtl.seen[i].value
          << ' ' << rtl.seen[i].interrupt;
    }
  }
  std::vector<Access> accesses;
  test::LogCapture log;
  Side model{"model", accesses, 1, 2};
  Side rtl{"rtl", accesses, 0, 0};
};

rtl::BlockConfiguration seeded(uint32_t seed) {
  rtl::BlockConfiguration configuration;
  configuration.seed = seed & 0x7fffffff;
  return configuration;
}

class RtlPeripheralTest : public testing::TestWithParam<uint32_t> {
 protected:
  void SetUp() override {
    if (rtl::built_in_blocks().empty()) GTEST_SKIP() << "built without Verilator";
    random.seed(seed);
  }
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random() % limit); }

  const uint32_t seed = test::seed(GetParam());
  testing::ScopedTrace trace{__FILE__, __LINE__, test::text_of_seed(seed)};
  std::mt19937 random;
};

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
  pair.compare(static_cast<double>(cycle + 100) * kCycle, true);
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
  pair.compare(40100 * kCycle, true);
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
  pair.compare(900 * kCharacter * kCycle, false);  // a pulse may begin between two writes
  rtl.flush();
  model.flush();
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
