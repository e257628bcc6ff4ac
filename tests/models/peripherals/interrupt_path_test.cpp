// SPDX-License-Identifier: Apache-2.0
// The way of an interrupt from a timer through the interrupt controller to the processor, and of
// its acknowledgement back, with any number of signals between them: an acknowledged interrupt is
// not taken twice.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "models/host/host.h"
#include "models/peripherals/interrupt_controller.h"
#include "models/peripherals/timer.h"
#include "tests/models/host/assembler.h"

namespace gvp::peripherals {
namespace {

// Hands a level on, one delta cycle later.
struct Hop : sc_core::sc_module {
  sc_core::sc_in<bool> in{"in"};
  sc_core::sc_out<bool> out{"out"};
  SC_HAS_PROCESS(Hop);
  explicit Hop(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    SC_METHOD(pass);
    sensitive << in;
  }
  void pass() { out.write(in.read()); }
};

// So many hops, in a row.
struct Chain {
  Chain(const std::string& name, unsigned count) : signals((name + "_signals").c_str(), count + 1) {
    for (unsigned i = 0; i < count; ++i) {
      hops.push_back(std::make_unique<Hop>((name + std::to_string(i)).c_str()));
      hops[i]->in(signals[i]);
      hops[i]->out(signals[i + 1]);
    }
  }
  sc_core::sc_signal<bool>& begin() { return signals[0]; }
  sc_core::sc_signal<bool>& end() { return signals[signals.size() - 1]; }

  sc_core::sc_vector<sc_core::sc_signal<bool>> signals;
  std::vector<std::unique_ptr<Hop>> hops;
};

// Timer at 0x80000000, interrupt controller at 0x80010000, on a bus that takes no time.
struct Board : sc_core::sc_module {
  static constexpr uint64_t kDevices = 0x80000000;

  Board(const sc_core::sc_module_name& name, const std::string& model, unsigned hops)
      : sc_core::sc_module(name),
        host(host::make_host("host", model, {})),
        from_timer("from_timer", hops),
        to_host("to_host", hops) {
    host->instruction_socket().bind(instruction);
    host->data_socket().bind(data);
    data.register_b_transport(this, &Board::b_transport);
    data.register_transport_dbg(this, &Board::transport_dbg);
    to_timer.bind(timer.socket);
    to_controller.bind(controller.socket);
    timer.interrupt(from_timer.begin());
    controller.inputs[0](from_timer.end());
    controller.interrupt(to_host.begin());
    host->interrupt(to_host.end());
    host->set_stop_handler([this](const host::Stop& s) {
      stop = s;
      sc_core::sc_stop();
    });
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const uint64_t offset = payload.get_address() - kDevices;
    payload.set_address(offset & 0xffff);
    (offset >> 16 == 0 ? to_timer : to_controller)->b_transport(payload, delay);
    payload.set_address(offset + kDevices);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) { return 0; }
  void load(std::string_view text, uint32_t address) {
    for (const uint32_t word : host::test::assemble_program(text)) {
      ASSERT_EQ(host->debug_write(address, &word, 4), 4u);
      address += 4;
    }
  }

  tlm_utils::simple_target_socket<Board> instruction{"instruction"}, data{"data"};
  tlm_utils::simple_initiator_socket<Board> to_timer{"to_timer"}, to_controller{"to_controller"};
  std::unique_ptr<host::Host> host;
  Timer timer{"timer", {}};
  InterruptController controller{"controller", {}};
  Chain from_timer, to_host;
  std::optional<host::Stop> stop;
};

constexpr const char* kVectors = "brai 0x100\n nop\n nop\n nop\n brai 0x200";
// Ticks every 302 cycles, until the handler has run 20 times.
constexpr const char* kMain = R"(
  imm 0x8000
  addik r10, r0, 0
  imm 0x8001
  addik r11, r0, 0
  addik r4, r0, 1
  swi r4, r11, 8
  addik r4, r0, 3
  swi r4, r11, 28
  addik r4, r0, 300
  swi r4, r10, 4
  addik r4, r0, 0x20
  swi r4, r10, 0
  addik r4, r0, 0xd2
  swi r4, r10, 0
  msrset r0, 2
  addik r5, r20, -20
  blti r5, -4
  msrclr r0, 2
  addk r3, r21, r0
  bri 0
)";
// r20: runs; r21: those that the timer had not asked for (TINT is not set) or that the controller
// knew nothing of (no vector).
constexpr const char* kHandler = R"(
  lwi r6, r11, 24
  bgei r6, 8
  addik r21, r21, 1
  lwi r6, r10, 0
  andi r6, r6, 0x100
  bnei r6, 8
  addik r21, r21, 1
  addik r20, r20, 1
  addik r7, r0, 0x1d2
  swi r7, r10, 0
  addik r8, r0, 1
  swi r8, r11, 12
  rtid r14, 0
  nop
)";

struct Way {
  const char* model;
  unsigned hops;
  double quantum_ns;
};

class InterruptPath : public testing::TestWithParam<Way> {};

TEST_P(InterruptPath, AnAcknowledgedInterruptIsNotTakenTwice) {
  tlm::tlm_global_quantum::instance().set(sc_core::sc_time(GetParam().quantum_ns, sc_core::SC_NS));
  Board board("board", GetParam().model, GetParam().hops);
  board.load(kVectors, 0);
  board.load(kMain, 0x100);
  board.load(kHandler, 0x200);
  sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_MS));
  ASSERT_TRUE(board.stop.has_value()) << "still waits for its interrupts";
  EXPECT_EQ(board.stop->exit_code, 0u) << "interrupts that nobody had asked for";
  EXPECT_EQ(board.host->statistics()["interrupts"], 20);
}

INSTANTIATE_TEST_SUITE_P(Ways, InterruptPath,
                         testing::Values(Way{"lt", 0, 100}, Way{"lt", 1, 100}, Way{"lt", 10, 10},
                                         Way{"lt", 10, 100}, Way{"lt", 10, 1000},
                                         Way{"lt", 10, 100000}, Way{"lt", 50, 1000},
                                         Way{"at", 0, 100}, Way{"at", 1, 100}, Way{"at", 10, 100},
                                         Way{"at", 50, 100}),
                         [](const auto& information) {
                           const Way& way = information.param;
                           return std::string(way.model) + "With" + std::to_string(way.hops) +
                                  "HopsAndQuantum" +
                                  std::to_string(static_cast<int>(way.quantum_ns));
                         });

}  // namespace
}  // namespace gvp::peripherals
