// SPDX-License-Identifier: Apache-2.0
// The approximately timed interconnect and both DDR3s keep TLM-2.0's rules and AXI's on every
// socket, whatever initiators and targets do; build this with -fsanitize=address to see buffers
// used too long.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "models/axi/interconnect.h"
#include "models/axi/protocol_checker.h"
#include "models/ddr3/memory_controller.h"
#include "models/tlm/base_protocol_checker.h"
#include "tests/models/axi/varied_target.h"
#include "tests/support/at_initiator.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"

namespace gvp::axi {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::IsEmpty;

// Both checkers on one socket.
struct Checked {
  Checked(const std::string& name, tlm::tlm_initiator_socket<>& from, tlm::tlm_target_socket<>& to,
          const ProtocolCheckerSettings& settings)
      : base((name + "_base").c_str()), axi((name + "_axi").c_str(), settings) {
    from.bind(base.target);
    base.initiator.bind(axi.target);
    axi.initiator.bind(to);
  }
  std::vector<std::string> rules() const {
    std::vector<std::string> list;
    for (const auto* found : {&base.violations(), &axi.violations()})
      for (const kit::Violation& each : *found) list.push_back(each.rule + ": " + each.text);
    return list;
  }
  kit::BaseProtocolChecker base;
  ProtocolChecker axi;
};

// Two non-blocking initiators and a blocking one; a DDR3, a device that varies, an AXI4-Lite one.
struct Board {
  Board(uint32_t seed, unsigned queue_depth, const std::string& memory)
      : device("device", 0x10000, seed), lite("lite", 0x10000, seed + 1) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    lite.has_ids = false;
    InterconnectConfiguration configuration;
    configuration.initiators = {"a", "b", "blocking"};
    configuration.targets = {"ddr3", "device", "lite"};
    configuration.regions = {{"ddr3", 0, 1 << 20, 0, 0, false},
                             {"device", 1 << 20, 0x10000 + 0x1000, 1, 0, false},
                             {"lite", 2 << 20, 0x10000, 2, 0, true}};
    for (unsigned i = 0; i < 3; ++i)
      configuration.initiator_ports.emplace_back().queue_depth = queue_depth;
    configuration.target_ports.resize(1);
    configuration.target_ports[0].data_bytes = 8;
    configuration.target_ports[0].clock_hz = 200e6;
    bus = make_interconnect("bus", "at", configuration);
    ddr3 = ddr3::make_memory_controller("ddr3", memory, {});
    connect("at_a", a.socket, bus->from_initiator(0), {});
    connect("at_b", b.socket, bus->from_initiator(1), {});
    connect("at_blocking", blocking.socket, bus->from_initiator(2), {});
    connect("at_ddr3", bus->to_target(0), ddr3->socket(), {false, 8, 0});
    connect("at_device", bus->to_target(1), device.socket, {});
    connect("at_lite", bus->to_target(2), lite.socket, {true, 4, 0});
  }
  void connect(const std::string& name, tlm::tlm_initiator_socket<>& from,
               tlm::tlm_target_socket<>& to, const ProtocolCheckerSettings& settings) {
    auto added = std::make_unique<Checked>(name, from, to, settings);
    for (auto& each : checks) {
      each->base.watch(added->base);
      added->base.watch(each->base);
    }
    checks.push_back(std::move(added));
  }
  void expect_clean() {
    EXPECT_EQ(a.unfinished() + b.unfinished(), 0u);
    for (auto& each : checks) {
      each->base.check_finished();
      EXPECT_THAT(each->rules(), IsEmpty()) << each->base.name();
      EXPECT_GT(each->base.transactions(), 100u) << each->base.name();
    }
  }

  test::AtInitiator a{"a"}, b{"b"};
  test::Initiator blocking{"blocking"};
  test::VariedTarget device, lite;
  std::unique_ptr<ddr3::MemoryController> ddr3;
  std::unique_ptr<Interconnect> bus;
  std::vector<std::unique_ptr<Checked>> checks;
};

uint64_t some_address(std::mt19937& random) {
  const uint64_t within = random() % 0xff00 & ~uint64_t{63};  // no 4 KiB crossing
  switch (random() % 4) {
    case 0:
      return (2u << 20) + within;
    case 1:  // sometimes where the device has nothing
      return (1u << 20) + within + (random() % 16 == 0 ? 0x1000 : 0);
    default:
      return random() % (1 << 20) & ~uint64_t{63};
  }
}

void queue_transfers(Board& board, std::mt19937& random, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    test::AtInitiator& initiator = random() % 2 != 0 ? board.a : board.b;
    const unsigned bytes = 4 * static_cast<unsigned>(1 + random() % 16);
    const auto id = static_cast<uint32_t>(random() % 3);
    const uint64_t address = some_address(random);
    auto& transfer = random() % 2 != 0 ? initiator.read(address, bytes, id)
                                       : initiator.write(address, std::vector<uint8_t>(bytes), id);
    transfer.axi.beats = static_cast<uint16_t>(bytes / 4);
  }
}

// Buffers of its own for each access, gone when the call returns.
void block(Board& board, std::mt19937& random, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const unsigned bytes = 4 * static_cast<unsigned>(1 + random() % 16);
    std::vector<uint8_t> data(bytes, 1), enables(4, 0xff);
    enables[random() % 4] = 0;
    tlm::tlm_generic_payload payload;
    payload.set_command(random() % 2 != 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(some_address(random));
    payload.set_data_ptr(data.data());
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    if (payload.is_write() && random() % 2 != 0) {
      payload.set_byte_enable_ptr(enables.data());
      payload.set_byte_enable_length(4);
    }
    board.blocking.socket->b_transport(payload, board.blocking.delay);
    if (random() % 4 == 0)
      board.blocking.delay += sc_time(static_cast<double>(random() % 300), SC_NS);
  }
}

// Depth of the queues, timing of the DDR3.
using DepthAndMemory = std::pair<unsigned, const char*>;
class AtBaseProtocol : public testing::TestWithParam<DepthAndMemory> {};

TEST_P(AtBaseProtocol, IsKeptOnEverySocketByBlockingAndNonBlockingCallers) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  test::LogCapture log;
  const auto [depth, memory] = GetParam();
  Board board(seed, depth, memory);
  board.b.response_delay = sc_time(depth == 1 ? 400 : 40, SC_NS);
  queue_transfers(board, random, 3000);
  board.blocking.run([&] {
    block(board, random, 800);
    while (board.a.unfinished() + board.b.unfinished() != 0) sc_core::wait(10, sc_core::SC_US);
  });
  board.expect_clean();
}

// Shallow queues hold responses back.
INSTANTIATE_TEST_SUITE_P(QueueDepth, AtBaseProtocol,
                         testing::Values(DepthAndMemory{1, "at"}, DepthAndMemory{2, "at"},
                                         DepthAndMemory{4, "at"}, DepthAndMemory{1, "lt"},
                                         DepthAndMemory{4, "lt"}),
                         [](const auto& information) {
                           return std::to_string(information.param.first) + '_' +
                                  information.param.second;
                         });

// ---- targets that break the protocol: nothing crashes, and initiators see none of it ----

struct BadTarget : sc_core::sc_module {
  using Payload = tlm::tlm_generic_payload;
  using Answer = std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_time&)>;
  tlm_utils::simple_target_socket<BadTarget> socket{"socket"};
  Answer answer;

  explicit BadTarget(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.register_nb_transport_fw(this, &BadTarget::nb_transport_fw);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase, sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
    return answer(payload, phase, delay);
  }
  void up(Payload& payload, tlm::tlm_phase phase, double delay_ns) {
    if (phase == tlm::BEGIN_RESP) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_time delay(delay_ns, SC_NS);
    socket->nb_transport_bw(payload, phase, delay);
  }
};

// A blocking and a non-blocking initiator read from the target; what the interconnect says about
// it.
std::string errors_with(const std::function<void(BadTarget&)>& behave) {
  test::LogCapture log;
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  InterconnectConfiguration configuration;
  configuration.initiators = {"cpu", "blocking"};
  configuration.targets = {"bad"};
  configuration.regions = {{"bad", 0, 0x10000, 0, 0, false}};
  auto bus = make_interconnect("bus", "at", configuration);
  test::AtInitiator cpu("cpu");
  test::Initiator blocking("blocking");
  BadTarget bad("bad");
  behave(bad);
  Checked above("above", cpu.socket, bus->from_initiator(0), {});
  Checked beside("beside", blocking.socket, bus->from_initiator(1), {});
  bus->to_target(0).bind(bad.socket);
  for (unsigned i = 0; i < 20; ++i) cpu.read(64 * i, 4, i % 2);
  blocking.run([&] {
    uint32_t value = 0;
    for (unsigned i = 0; i < 20; ++i) {
      blocking.read(0x1000 + 64 * i, value);
      blocking.advance();
    }
    sc_core::wait(100, sc_core::SC_US);
  });
  EXPECT_EQ(cpu.unfinished(), 0u);
  for (Checked* each : {&above, &beside}) {
    each->base.check_finished();
    EXPECT_THAT(each->rules(), IsEmpty()) << each->base.name();
  }
  return log.text();
}

TEST(AtBadTarget, AnswersTwice) {
  EXPECT_THAT(errors_with([](BadTarget& bad) {
                bad.answer = [&](auto& payload, auto&, auto&) {
                  bad.up(payload, tlm::BEGIN_RESP, 10);
                  bad.up(payload, tlm::BEGIN_RESP, 20);
                  return tlm::TLM_ACCEPTED;
                };
              }),
              testing::HasSubstr("bus: bad answers in an unexpected phase"));
}
TEST(AtBadTarget, AnswersByACallAndByTheReturn) {
  EXPECT_THAT(errors_with([](BadTarget& bad) {
                bad.answer = [&](auto& payload, auto&, auto&) {
                  bad.up(payload, tlm::BEGIN_RESP, 10);
                  return tlm::TLM_COMPLETED;
                };
              }),
              testing::HasSubstr("bus: bad returns what it cannot return"));
}
TEST(AtBadTarget, EndsTheRequestTwiceAndTooLate) {
  EXPECT_THAT(errors_with([](BadTarget& bad) {
                bad.answer = [&](auto& payload, auto&, auto&) {
                  bad.up(payload, tlm::END_REQ, 30);
                  bad.up(payload, tlm::END_REQ, 10);
                  bad.up(payload, tlm::BEGIN_RESP, 20);  // takes effect before END_REQ
                  bad.up(payload, tlm::END_REQ, 40);
                  return tlm::TLM_ACCEPTED;
                };
              }),
              testing::HasSubstr("bus: bad answers in an unexpected phase"));
}
TEST(AtBadTarget, AnswersWhatItWasNotAsked) {
  tlm::tlm_generic_payload foreign;
  EXPECT_THAT(errors_with([&](BadTarget& bad) {
                bad.answer = [&](auto& payload, auto& phase, auto&) {
                  bad.up(foreign, tlm::BEGIN_RESP, 0);
                  payload.set_response_status(tlm::TLM_OK_RESPONSE);
                  phase = tlm::BEGIN_RESP;
                  return tlm::TLM_UPDATED;
                };
              }),
              testing::HasSubstr("bus: bad answers in an unexpected phase"));
}
// Of each two reads of one ID the second is answered first, which AXI forbids: the interconnect has
// them in order again for the initiator.
TEST(AtBadTarget, AnswersOneIdOutOfOrder) {
  std::map<uint32_t, tlm::tlm_generic_payload*> held;
  errors_with([&](BadTarget& bad) {
    bad.answer = [&](auto& payload, auto& phase, auto&) {
      if (payload.get_address() >= 0x1000) {  // alone
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return tlm::TLM_COMPLETED;
      }
      auto*& first = held[payload.template get_extension<Extension>()->id];
      if (first == nullptr) {
        first = &payload;
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
      }
      bad.up(payload, tlm::BEGIN_RESP, 10);
      bad.up(*std::exchange(first, nullptr), tlm::BEGIN_RESP, 20);
      return tlm::TLM_ACCEPTED;
    };
  });
}
TEST(AtBadTarget, AnswersWithoutAStatus) {
  EXPECT_THAT(errors_with([](BadTarget& bad) {
                bad.answer = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
              }),
              testing::HasSubstr("responds to a read of 4 bytes at 0x0 without a status"));
}

}  // namespace
}  // namespace gvp::axi
