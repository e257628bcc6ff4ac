// SPDX-License-Identifier: Apache-2.0
// The transactors back to back: TLM-2.0 to AXI4 pins, through a block that is nothing but wires,
// and back to TLM-2.0, with checkers of the pins on both ports and of the base protocol on both
// sockets.  Or through tests/rtl_blocks/axi_witness.sv, wires and a checker of the pins that is not
// ours: GVP_PIN_TRANSACTIONS=10000000 shows it so many transactions of each kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <random>

#include "models/axi/pins/axi_to_tlm.h"
#include "models/axi/pins/checker.h"
#include "models/axi/pins/tlm_to_axi.h"
#include "models/axi/pins/tlm_to_lite.h"
#include "models/tlm/base_protocol_checker.h"
#include "models/tlm/payload.h"
#include "tests/models/axi/pins/random_traffic.h"
#include "tests/models/axi/varied_target.h"
#include "tests/support/at_initiator.h"
#include "tests/support/fake_rtl.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/rtl_plugin.h"
#include "tests/support/seed.h"

namespace gvp::axi::pins {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using test::FakeRtl;

constexpr unsigned kThreads = 5;
constexpr size_t kMemory = size_t{kThreads} * RandomTraffic::kRange;

// s_axi_* to m_axi_*, combinationally.
class Wires : public FakeRtl {
 public:
  Wires(unsigned data_bits, bool lite) : FakeRtl("wires") {
    axi_port("s_axi_", false, data_bits, 4, lite);
    axi_port("m_axi_", true, data_bits, 4, lite);
    for (const gvp_rtl_pin& pin : all_pins()) {
      const std::string name = pin.name;
      if (pin.is_input != 0) continue;
      const std::string other = (name[0] == 's' ? "m" : "s") + name.substr(1);
      wires_.push_back({name, words(other), words(name), (pin.bits + 63) / 64});
    }
    on_eval = [this](bool) {
      for (const Wire& wire : wires_)
        if (wire.name != broken) std::copy_n(wire.from, wire.words, wire.to);
    };
  }
  std::string broken;  // an output that is not connected

 private:
  struct Wire {
    std::string name;
    const uint64_t* from;
    uint64_t* to;
    size_t words;
  };
  std::vector<Wire> wires_;
};

// A memory that takes its time, another for each access, and answers errors above its end.
struct SlowMemory : sc_core::sc_module {
  tlm_utils::simple_target_socket<SlowMemory> socket{"socket"};
  std::vector<uint8_t> bytes = std::vector<uint8_t>(kMemory);
  std::mt19937 random{1};
  unsigned under_way = 0, most_under_way = 0;

  explicit SlowMemory(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &SlowMemory::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    most_under_way = std::max(most_under_way, ++under_way);
    sc_core::wait(sc_time(static_cast<double>(random() % 300), SC_NS));
    delay += sc_time(static_cast<double>(random() % 100), SC_NS);
    --under_way;
    const uint64_t end = payload.get_address() + kit::touched_bytes(payload);
    if (end > kMemory) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    kit::transfer(payload, bytes.data() + payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    auto* axi = payload.get_extension<Extension>();
    if (axi != nullptr && axi->exclusive) axi->response = Response::kExclusiveOkay;
  }
};

struct Way {
  unsigned data_bits = 32;
  unsigned pauses_in_16 = 0;
  bool lite = false;
  bool at = false;  // the target
};

struct Loop {
  // between: the block, instead of the wires.
  Loop(const Way& way, uint32_t seed, const gvp_rtl_block* between = nullptr)
      : random(seed), wires(way.data_bits, way.lite) {
    const auto pause = [this, pauses = way.pauses_in_16] { return random() % 16 < pauses; };
    block = std::make_unique<rtl::Block>("block", between == nullptr ? wires.table() : *between,
                                         rtl::BlockConfiguration{});
    const Port in = find_port(*block, "s_axi_", false);
    const Port out = find_port(*block, "m_axi_", true);
    if (way.lite) {
      to_lite = std::make_unique<TlmToLite>("to_lite", *block, in);
      above.initiator.bind(to_lite->socket);
    } else {
      const auto rest = [this, pause] { return rests || pause(); };
      to_axi =
          std::make_unique<TlmToAxi>("to_axi", *block, in, TlmToAxiSettings{4, false, rest, {}});
      above.initiator.bind(to_axi->socket);
    }
    AxiToTlmSettings settings;
    settings.outstanding = 4;
    settings.non_blocking = way.at;
    settings.pause = pause;
    to_tlm = std::make_unique<AxiToTlm>("to_tlm", *block, out, settings);
    in_checker = std::make_unique<Checker>(*block, in);
    out_checker = std::make_unique<Checker>(*block, out);
    to_tlm->socket.bind(below.target);
    if (way.at) {
      varied = std::make_unique<test::VariedTarget>("varied", kMemory, seed);
      below.initiator.bind(varied->socket);
    } else {
      memory = std::make_unique<SlowMemory>("memory");
      below.initiator.bind(memory->socket);
    }
  }
  void expect_clean() {
    EXPECT_EQ(in_checker->violation_count() + out_checker->violation_count(), 0u) << log.text();
    for (kit::BaseProtocolChecker* checker : {&above, &below}) {
      checker->check_finished();
      EXPECT_GT(checker->transactions(), 0u);
      for (const auto& each : checker->violations())
        ADD_FAILURE() << checker->name() << ": " << each.rule << ": " << each.text;
    }
  }

  std::mt19937 random;
  bool rests = false;  // the initiator at the pins
  test::LogCapture log;
  Wires wires;
  std::unique_ptr<rtl::Block> block;
  std::unique_ptr<TlmToAxi> to_axi;
  std::unique_ptr<TlmToLite> to_lite;
  std::unique_ptr<AxiToTlm> to_tlm;
  std::unique_ptr<Checker> in_checker, out_checker;
  kit::BaseProtocolChecker above{"above"}, below{"below"};
  std::unique_ptr<SlowMemory> memory;          // where the target is loosely timed
  std::unique_ptr<test::VariedTarget> varied;  // where it is not
};

class Transactors : public testing::TestWithParam<Way> {
 protected:
  const uint32_t seed = test::seed(7);
  testing::ScopedTrace trace{__FILE__, __LINE__, test::text_of_seed(seed)};
};

TEST_P(Transactors, RandomTrafficArrivesAsItWasSent) {
  const Way way = GetParam();
  Loop loop(way, seed);
  const unsigned accesses = accesses_of_a_thread(150, kThreads);
  RandomTraffic traffic("traffic", seed, kThreads, accesses, way.data_bits / 8, !way.lite);
  traffic.socket.bind(loop.above.target);
  sc_core::sc_start();
  EXPECT_EQ(traffic.done, kThreads) << "it hangs";
  loop.expect_clean();
  EXPECT_GE(loop.in_checker->transactions(), uint64_t{kThreads} * accesses);
  EXPECT_EQ(loop.in_checker->transactions(), loop.out_checker->transactions());
  if (!way.lite && !way.at) {
    EXPECT_GT(loop.memory->most_under_way, 2u) << "not several at once";
  }
  EXPECT_FALSE(loop.block->running()) << "idle in the end";
}

INSTANTIATE_TEST_SUITE_P(
    Widths, Transactors,
    testing::Values(Way{32, 0, false, false}, Way{32, 8, false, true}, Way{64, 4, false, false},
                    Way{128, 4, false, true}, Way{256, 0, false, false}, Way{512, 8, false, true},
                    Way{32, 0, true, false}, Way{32, 8, true, true}, Way{64, 4, true, false}),
    [](const testing::TestParamInfo<Way>& way) {
      return std::string(way.param.lite ? "Lite" : "Full") + std::to_string(way.param.data_bits) +
             "Pauses" + std::to_string(way.param.pauses_in_16) + (way.param.at ? "At" : "Lt");
    });

class SecondOpinion : public testing::TestWithParam<Way> {
 protected:
  const uint32_t seed = test::seed(11);
  testing::ScopedTrace trace{__FILE__, __LINE__, test::text_of_seed(seed)};
};

TEST_P(SecondOpinion, ACheckerThatIsNotOursHasNothingToComplainOf) {
  const Way way = GetParam();
  const gvp_rtl_block* const witness =
      test::rtl_plugin(way.data_bits == 32 ? "axi_witness" : "axi_witness_256");
  if (witness == nullptr) GTEST_SKIP() << "built without Verilator";
  Loop loop(way, seed, witness);
  const unsigned accesses = accesses_of_a_thread(300, kThreads);
  RandomTraffic traffic("traffic", seed, kThreads, accesses, way.data_bits / 8, true);
  traffic.socket.bind(loop.above.target);
  sc_core::sc_start();
  EXPECT_EQ(traffic.done, kThreads) << "it hangs";
  loop.expect_clean();
  EXPECT_EQ(loop.block->output_pin("broken", 20).get(), 0u) << "by the order of its rules";
  EXPECT_GE(loop.in_checker->transactions(), uint64_t{kThreads} * accesses);
  EXPECT_EQ(loop.block->output_pin("transactions", 32).get(), loop.in_checker->transactions());
}

INSTANTIATE_TEST_SUITE_P(Ways, SecondOpinion,
                         testing::Values(Way{32, 0, false, false}, Way{32, 8, false, true},
                                         Way{256, 4, false, false}, Way{256, 0, false, true}),
                         [](const testing::TestParamInfo<Way>& way) {
                           return "Full" + std::to_string(way.param.data_bits) + "Pauses" +
                                  std::to_string(way.param.pauses_in_16) +
                                  (way.param.at ? "At" : "Lt");
                         });

// While an initiator rests it takes no responses and no data either.
TEST(TransactorsPause, NothingIsTakenMeanwhile) {
  Loop loop({}, 3);
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  auto& read = initiator.read(64, 64);
  auto& write = initiator.write(256, std::vector<uint8_t>(16, 1));
  sc_core::sc_start(sc_time(25, SC_NS));
  loop.rests = true;
  sc_core::sc_start(sc_time(5, sc_core::SC_US));
  for (const char* channel : {"r", "b"})
    EXPECT_EQ(loop.wires[std::string("s_axi_") + channel + "ready"], 0u) << channel;
  EXPECT_FALSE(read.done || write.done);
  loop.rests = false;
  sc_core::sc_start();
  EXPECT_TRUE(read.done && write.done);
  loop.expect_clean();
}

class TransactorsAt : public testing::TestWithParam<bool> {};

TEST_P(TransactorsAt, TheBaseProtocolIsSpokenWithSeveralAtOnce) {
  Loop loop({32, 2, false, GetParam()}, 3);
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  initiator.response_delay = sc_time(15, SC_NS);
  std::vector<test::AtInitiator::Transfer*> reads;
  for (unsigned i = 0; i < 60; ++i)
    initiator.write(i * 64, std::vector<uint8_t>(48, static_cast<uint8_t>(i + 1)), i % 5);
  sc_core::sc_start();
  EXPECT_EQ(initiator.unfinished(), 0u);
  using End = test::AtInitiator::End;
  initiator.end = GetParam() ? End::kCalledAhead : End::kCalled;
  for (unsigned i = 0; i < 60; ++i) reads.push_back(&initiator.read(i * 64, 48, i % 5));
  sc_core::sc_start();
  EXPECT_EQ(initiator.unfinished(), 0u);
  for (unsigned i = 0; i < 60; ++i) {
    EXPECT_EQ(reads[i]->data, std::vector<uint8_t>(48, static_cast<uint8_t>(i + 1))) << i;
    EXPECT_TRUE(reads[i]->payload.is_response_ok());
  }
  loop.expect_clean();
  if (!GetParam()) {
    EXPECT_GT(loop.memory->most_under_way, 2u);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, TransactorsAt, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& at) {
                           return at.param ? "At" : "Lt";
                         });

TEST(TransactorsErrors, AnErrorOfTheTargetComesBackAsWhatItWas) {
  Loop loop({}, 3);
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  auto& beyond = initiator.read(kMemory + 64, 16);
  auto& inside = initiator.write(64, std::vector<uint8_t>(16, 1));
  sc_core::sc_start();
  EXPECT_EQ(beyond.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(beyond.axi.response, Response::kDecodeError);
  EXPECT_EQ(inside.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
}

TEST(TransactorsErrors, AWrappingBurstThatAxiDoesNotHaveIsRefused) {
  Loop loop({}, 3);
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  auto& odd = initiator.read(64, 12);
  odd.axi.burst = Burst::kWrapping;
  odd.axi.beats = 3;
  sc_core::sc_start();
  EXPECT_EQ(odd.payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(loop.in_checker->transactions(), 0u);
}

TEST(TransactorsExclusive, LockAndExokayGoThrough) {
  Loop loop({}, 3);
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  auto& read = initiator.read(64, 4);
  read.axi.exclusive = true;
  sc_core::sc_start();
  auto& write = initiator.write(64, std::vector<uint8_t>(4, 1));
  write.axi.exclusive = true;
  sc_core::sc_start();
  EXPECT_EQ(read.axi.response, Response::kExclusiveOkay);
  EXPECT_EQ(write.axi.response, Response::kExclusiveOkay);
  loop.expect_clean();
}

TEST(TransactorsReset, WhatIsUnderWayEndsWithAnErrorAndTheNextWorks) {
  Loop loop({32, 4, false, false}, 3);
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  for (unsigned i = 0; i < 20; ++i) {
    initiator.write(i * 64, std::vector<uint8_t>(48, 1), i % 3);
    initiator.read(i * 64, 48, i % 3);
  }
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_GT(initiator.unfinished(), 0u);
  loop.block->reset();
  sc_core::sc_start();
  EXPECT_EQ(initiator.unfinished(), 0u);
  unsigned failed = 0;
  for (const auto* transfer : initiator.responses())
    failed += transfer->payload.is_response_ok() ? 0 : 1;
  EXPECT_GT(failed, 0u);
  EXPECT_LT(failed, 40u);
  auto& after = initiator.write(0, std::vector<uint8_t>(48, 9));
  sc_core::sc_start();
  EXPECT_TRUE(after.payload.is_response_ok());
  EXPECT_EQ(loop.memory->bytes[47], 9);
  loop.expect_clean();
}

TEST(TransactorsReset, AWordUnderWayOverAxi4LiteEndsWithAnErrorToo) {
  Loop loop({32, 0, true, false}, 3);
  test::Initiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  initiator.run([&] {
    uint32_t word = 7;
    for (unsigned i = 0; i < 24; ++i) {
      const auto command = i % 2 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
      sc_core::sc_spawn([&loop, i] {  // in each cycle of its way
        sc_core::wait(sc_time(5 + 2.5 * i, SC_NS));
        loop.block->reset();
      });
      EXPECT_EQ(initiator.access(command, 64, &word, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
      for (const char* channel : {"aw", "w", "ar"})
        EXPECT_EQ(loop.wires[std::string("s_axi_") + channel + "valid"], 0u) << channel;
      initiator.advance(sc_time(1, sc_core::SC_US));
      EXPECT_EQ(initiator.access(command, 64, &word, 4), tlm::TLM_OK_RESPONSE) << "the next one";
      initiator.advance(sc_time(1, sc_core::SC_US));
    }
  });
}

TEST(TransactorsLite, AnAnnotatedDelayPassesBeforeTheAccess) {
  Loop loop({32, 0, true, false}, 3);
  test::Initiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  initiator.run([&] {
    initiator.write32(64, 1);
    initiator.advance();
    for (const bool write : {true, false}) {
      const sc_time begin = sc_core::sc_time_stamp();
      const uint64_t before = loop.in_checker->transactions();
      sc_core::sc_spawn([&, begin, before] {
        sc_core::wait(sc_time(1999, SC_NS));
        EXPECT_EQ(loop.in_checker->transactions(), before) << "not yet";
      });
      initiator.delay = sc_time(2, sc_core::SC_US);
      if (write)
        initiator.write32(64, 7);
      else
        EXPECT_EQ(initiator.read32(64), 7u);
      EXPECT_EQ(initiator.delay, sc_core::SC_ZERO_TIME);
      EXPECT_GT(sc_core::sc_time_stamp() - begin, sc_time(2, sc_core::SC_US));
      EXPECT_EQ(loop.in_checker->transactions(), before + 1);
    }
  });
  loop.expect_clean();
}

// Words without an enabled byte are no transfers; a byte beside them changes nothing of that.
TEST(TransactorsLite, WordsWithoutAnEnabledByteAreLeftOut) {
  Loop loop({32, 0, true, false}, 3);
  test::Initiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  initiator.run([&] {
    struct Case {
      std::vector<uint8_t> enabled;  // of twelve bytes, repeated
      unsigned transfers;
    };
    for (const Case& each : std::vector<Case>{{{1}, 3},
                                              {{0}, 0},
                                              {{0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0}, 1},
                                              {{1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1}, 2},
                                              {{0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0}, 2},
                                              {{1, 0, 0, 0, 0, 0, 0, 1}, 3}}) {
      for (const bool write : {true, false}) {
        std::vector<uint8_t> data(12), enables;
        for (size_t i = 0; i < 12; ++i) {
          data[i] = static_cast<uint8_t>(0x40 + i);
          loop.memory->bytes[64 + i] = static_cast<uint8_t>(0x80 + i);
        }
        for (const uint8_t enabled : each.enabled)
          enables.push_back(enabled != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
        tlm::tlm_generic_payload payload;
        payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        payload.set_address(64);
        payload.set_data_ptr(data.data());
        payload.set_data_length(12);
        payload.set_streaming_width(12);
        payload.set_byte_enable_ptr(enables.data());
        payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
        const uint64_t before = loop.in_checker->transactions();
        initiator.socket->b_transport(payload, initiator.delay);
        EXPECT_TRUE(payload.is_response_ok());
        EXPECT_EQ(loop.in_checker->transactions() - before, each.transfers);
        for (size_t i = 0; i < 12; ++i) {
          const bool enabled = each.enabled[i % each.enabled.size()] != 0;
          if (write)
            EXPECT_EQ(loop.memory->bytes[64 + i], (enabled ? 0x40 : 0x80) + i);
          else
            EXPECT_EQ(data[i], (enabled ? 0x80 : 0x40) + i);
        }
      }
    }
  });
  loop.expect_clean();
}

TEST(TransactorsIds, AnAccessThatNamesNoneHasIdZero) {
  Loop loop({}, 3);
  test::Initiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  initiator.run([&] {
    initiator.write32(64, 0x1234);
    EXPECT_EQ(initiator.read32(64), 0x1234u);
  });
  EXPECT_EQ(loop.block->output_pin("m_axi_awid", 4).get(), 0u);
  loop.expect_clean();
}

TEST(TransactorsHang, ABlockThatNeverAnswersEndsTheSimulation) {
  Loop loop({}, 3);
  loop.wires.broken = "s_axi_rvalid";
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(loop.above.target);
  initiator.read(64, 4);
  try {
    sc_core::sc_start(sc_time(10, sc_core::SC_MS));
    FAIL() << "a silent hang";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("the bus hangs"));
    EXPECT_THAT(error.what(), testing::HasSubstr("_axi_r"));
  }
}

TEST(TransactorsDirect, DirectMemoryAndDebugAccessesAreRefused) {
  Loop loop({}, 3);
  struct Probe : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Probe> socket{"socket"};
    explicit Probe(const sc_core::sc_module_name& name) : sc_module(name) {}
  } probe("probe");
  probe.socket.bind(loop.above.target);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  uint8_t byte = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(64);
  payload.set_data_ptr(&byte);
  payload.set_data_length(1);
  payload.set_streaming_width(1);
  EXPECT_EQ(probe.socket->transport_dbg(payload), 0u);
  tlm::tlm_dmi dmi;
  EXPECT_FALSE(probe.socket->get_direct_mem_ptr(payload, dmi));
  loop.to_axi->set_back_door([](tlm::tlm_generic_payload& asked) {
    *asked.get_data_ptr() = static_cast<uint8_t>(asked.get_address());
    return asked.get_data_length();
  });
  EXPECT_EQ(probe.socket->transport_dbg(payload), 1u);
  EXPECT_EQ(byte, 64);
}

}  // namespace
}  // namespace gvp::axi::pins
