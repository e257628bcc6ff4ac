// SPDX-License-Identifier: Apache-2.0
#include "models/axi/protocol_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "models/tlm/memory.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::axi {
namespace {

using sc_core::sc_time;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> rules_of(const ProtocolChecker& checker) {
  std::vector<std::string> rules;
  for (const auto& each : checker.violations()) rules.push_back(each.rule);
  return rules;
}

// A request that is right; each test breaks one thing.
struct Request {
  tlm::tlm_command command = tlm::TLM_READ_COMMAND;
  uint64_t address = 0x100;
  unsigned length = 16;
  Extension axi;
  bool strobes = false;
  Request() { axi.beats = 4; }
};

std::vector<std::string> verdict(const Request& request, const ProtocolCheckerSettings& settings) {
  test::LogCapture log;
  test::Initiator initiator("initiator");
  ProtocolChecker checker("checker", settings);
  kit::MemoryConfiguration configuration;
  configuration.size = 0x10000;
  kit::Memory memory("memory", configuration);
  initiator.socket.bind(checker.target);
  checker.initiator.bind(memory.socket);
  initiator.run([&] {
    std::vector<uint8_t> data(request.length + 1);
    Extension axi = request.axi;
    uint8_t enables[1] = {0xff};
    tlm::tlm_generic_payload payload;
    payload.set_command(request.command);
    payload.set_address(request.address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(request.length);
    payload.set_streaming_width(request.length);
    payload.set_extension(&axi);
    if (request.strobes) {
      payload.set_byte_enable_ptr(enables);
      payload.set_byte_enable_length(1);
    }
    initiator.socket->b_transport(payload, initiator.delay);
    payload.clear_extension(&axi);
  });
  return rules_of(checker);
}

std::vector<std::string> verdict_on(const std::function<void(Request&)>& damage,
                                    const ProtocolCheckerSettings& settings = {}) {
  Request request;
  damage(request);
  return verdict(request, settings);
}

TEST(ProtocolChecker, RightRequestPasses) {
  EXPECT_THAT(verdict_on([](Request&) {}), IsEmpty());
}
TEST(ProtocolChecker, BurstAcrossFourKibibytes) {
  EXPECT_THAT(verdict_on([](Request& r) { r.address = 0xff8; }), ElementsAre("AXI_BOUNDARY"));
}
TEST(ProtocolChecker, BeatsWiderThanTheBus) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.axi.beat_bytes_log2 = 3;
                r.axi.beats = 2;
              }),
              ElementsAre("AXI_SIZE"));
}
TEST(ProtocolChecker, BeatsThatDoNotHoldTheData) {
  EXPECT_THAT(verdict_on([](Request& r) { r.axi.beats = 5; }), ElementsAre("AXI_DATA_LENGTH"));
}
TEST(ProtocolChecker, TooManyBeats) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.length = 4 * 257;
                r.axi.beats = 257;
              }),
              ElementsAre("AXI_LENGTH"));
}
TEST(ProtocolChecker, FixedBurstOfMoreThanSixteenBeats) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.axi.burst = Burst::kFixed;
                r.axi.beats = 17;
              }),
              ElementsAre("AXI_LENGTH"));
}
TEST(ProtocolChecker, WrappingBurstOfThreeBeats) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.axi.burst = Burst::kWrapping;
                r.length = 12;
                r.axi.beats = 3;
              }),
              ElementsAre("AXI_LENGTH"));
}
TEST(ProtocolChecker, WrappingBurstFromAnUnalignedAddress) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.axi.burst = Burst::kWrapping;
                r.address = 0x102;
              }),
              ElementsAre("AXI_WRAP_ALIGNED"));
}
TEST(ProtocolChecker, ExclusiveAccessOfTwelveBytes) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.axi.exclusive = true;
                r.length = 12;
                r.axi.beats = 3;
              }),
              ElementsAre("AXI_EXCLUSIVE"));
}
TEST(ProtocolChecker, UnalignedExclusiveAccess) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.axi.exclusive = true;
                r.address = 0x108;
              }),
              ElementsAre("AXI_EXCLUSIVE"));
}
TEST(ProtocolChecker, AllocatingButNotModifiable) {
  EXPECT_THAT(verdict_on([](Request& r) { r.axi.cache = 0x4; }), ElementsAre("AXI_CACHE"));
}
TEST(ProtocolChecker, AllocatingOnWritesButNotModifiable) {
  EXPECT_THAT(verdict_on([](Request& r) { r.axi.cache = 0x8; }), ElementsAre("AXI_CACHE"));
}
TEST(ProtocolChecker, WrappingBurstOfOneBeat) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.axi.burst = Burst::kWrapping;
                r.length = 4;
                r.axi.beats = 1;
              }),
              ElementsAre("AXI_LENGTH"));
}
TEST(ProtocolChecker, ExclusiveAccessOfMoreThan128Bytes) {
  EXPECT_THAT(verdict_on(
                  [](Request& r) {
                    r.axi.exclusive = true;
                    r.axi.beat_bytes_log2 = 5;
                    r.length = 256;
                    r.axi.beats = 8;
                  },
                  {false, 32, 0}),
              ElementsAre("AXI_EXCLUSIVE"));
}
TEST(ProtocolChecker, ExokayToAnExclusiveAccessPasses) {
  EXPECT_THAT(verdict_on([](Request& r) {
                r.axi.exclusive = true;
                r.axi.response = Response::kExclusiveOkay;
              }),
              IsEmpty());
}
TEST(ProtocolChecker, ReadWithStrobes) {
  EXPECT_THAT(verdict_on([](Request& r) { r.strobes = true; }), ElementsAre("AXI_READ_STROBES"));
}
TEST(ProtocolChecker, BurstOnALiteBus) {
  EXPECT_THAT(verdict_on([](Request&) {}, {true, 4, 0}), ElementsAre("LITE_BURST"));
}
TEST(ProtocolChecker, ExclusiveAccessOnALiteBus) {
  EXPECT_THAT(verdict_on(
                  [](Request& r) {
                    r.length = 4;
                    r.axi.beats = 1;
                    r.axi.exclusive = true;
                  },
                  {true, 4, 0}),
              ElementsAre("LITE_EXCLUSIVE"));
}
// The last request that is right and the first that is not.
struct Limit {
  const char* name;
  void (*damage)(Request&);
  std::vector<std::string> rules;
  ProtocolCheckerSettings settings = {};
};
class ProtocolLimits : public testing::TestWithParam<Limit> {};

TEST_P(ProtocolLimits, AreTheStandards) {
  EXPECT_EQ(verdict_on(GetParam().damage, GetParam().settings), GetParam().rules);
}

void burst_of(Request& r, Burst burst, uint16_t beats, unsigned length) {
  r.axi.burst = burst;
  r.axi.beats = beats;
  r.length = length;
}
constexpr ProtocolCheckerSettings kLite{true, 4, 0};

INSTANTIATE_TEST_SUITE_P(
    Requests, ProtocolLimits,
    testing::Values(
        Limit{"EndsAtTheBoundary", [](Request& r) { r.address = 0xff0; }, {}},
        Limit{"NoBeat", [](Request& r) { r.axi.beats = 0; }, {"AXI_LENGTH", "AXI_DATA_LENGTH"}},
        Limit{"Beats256", [](Request& r) { burst_of(r, Burst::kIncrementing, 256, 1024); }, {}},
        Limit{"Fixed16", [](Request& r) { burst_of(r, Burst::kFixed, 16, 64); }, {}},
        Limit{"FixedTooLong",
              [](Request& r) { burst_of(r, Burst::kFixed, 4, 17); },
              {"AXI_DATA_LENGTH"}},
        Limit{"Wrapping2", [](Request& r) { burst_of(r, Burst::kWrapping, 2, 8); }, {}},
        Limit{"Wrapping16", [](Request& r) { burst_of(r, Burst::kWrapping, 16, 64); }, {}},
        Limit{"Wrapping32",
              [](Request& r) { burst_of(r, Burst::kWrapping, 32, 128); },
              {"AXI_LENGTH"}},
        Limit{"WrappingTooShort",
              [](Request& r) { burst_of(r, Burst::kWrapping, 4, 12); },
              {"AXI_DATA_LENGTH"}},
        Limit{"Exclusive128In16",
              [](Request& r) {
                burst_of(r, Burst::kIncrementing, 16, 128);
                r.axi.beat_bytes_log2 = 3;
                r.axi.exclusive = true;
              },
              {},
              {false, 8, 0}},
        Limit{"Exclusive128In32",
              [](Request& r) {
                burst_of(r, Burst::kIncrementing, 32, 128);
                r.axi.exclusive = true;
              },
              {"AXI_EXCLUSIVE"}},
        Limit{"ModifiableAllocates", [](Request& r) { r.axi.cache = 0xe; }, {}},
        Limit{"WriteWithStrobes",
              [](Request& r) {
                r.command = tlm::TLM_WRITE_COMMAND;
                r.strobes = true;
              },
              {}},
        Limit{"LiteBeat", [](Request& r) { burst_of(r, Burst::kIncrementing, 1, 4); }, {}, kLite},
        Limit{"LiteHalf",
              [](Request& r) {
                burst_of(r, Burst::kIncrementing, 1, 2);
                r.axi.beat_bytes_log2 = 1;
              },
              {"LITE_BURST"},
              kLite}),
    [](const auto& limit) { return std::string(limit.param.name); });

TEST(ProtocolChecker, ExokayToANormalAccess) {
  EXPECT_THAT(verdict_on([](Request& r) { r.axi.response = Response::kExclusiveOkay; }),
              ElementsAre("AXI_EXOKAY"));
}

// ---- phases ----

struct PhaseEnds : sc_core::sc_module, tlm::tlm_mm_interface {
  explicit PhaseEnds(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    from.register_nb_transport_bw(this, &PhaseEnds::backward);
    to.register_nb_transport_fw(this, &PhaseEnds::forward);
  }
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time&) {
    if (!accepts_at_once || phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_time&) {
    return on_response && phase == tlm::BEGIN_RESP ? on_response(phase) : tlm::TLM_ACCEPTED;
  }
  bool accepts_at_once = false;  // END_REQ is the answer to BEGIN_REQ
  std::function<tlm::tlm_sync_enum(tlm::tlm_phase&)> on_response;
  void free(tlm::tlm_generic_payload*) override {}
  tlm_utils::simple_initiator_socket<PhaseEnds> from{"from"};
  tlm_utils::simple_target_socket<PhaseEnds> to{"to"};
};

struct PhaseBench {
  explicit PhaseBench(const ProtocolCheckerSettings& settings = {}) : checker("checker", settings) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    ends.from.bind(checker.target);
    checker.initiator.bind(ends.to);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  ~PhaseBench() {
    for (auto& each : extensions) payloads[&each - extensions].clear_extension(&each);
  }
  tlm::tlm_generic_payload& request(unsigned index, uint32_t id = 0,
                                    tlm::tlm_command command = tlm::TLM_READ_COMMAND) {
    tlm::tlm_generic_payload& payload = payloads[index];
    payload.set_mm(&ends);
    extensions[index].id = id;
    payload.set_extension(&extensions[index]);
    payload.set_command(command);
    payload.set_address(0x40 * index);
    payload.set_data_ptr(data);
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    down(payload, tlm::BEGIN_REQ);
    return payload;
  }
  void down(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    sc_time delay;
    ends.from->nb_transport_fw(payload, phase, delay);
  }
  void up(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    if (phase == tlm::BEGIN_RESP) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_time delay;
    ends.to->nb_transport_bw(payload, phase, delay);
  }
  test::LogCapture log;
  ProtocolChecker checker;
  PhaseEnds ends{"ends"};
  tlm::tlm_generic_payload payloads[4];
  Extension extensions[4];
  uint8_t data[4] = {};
};

TEST(ProtocolChecker, FourPhasesInOrderPass) {
  PhaseBench bench;
  auto& payload = bench.request(0);
  bench.up(payload, tlm::END_REQ);
  bench.up(payload, tlm::BEGIN_RESP);
  bench.down(payload, tlm::END_RESP);
  EXPECT_THAT(rules_of(bench.checker), IsEmpty());
}
TEST(ProtocolChecker, ResponsesOfOneIdOutOfOrder) {
  PhaseBench bench;
  auto& one = bench.request(0, 7);
  bench.up(one, tlm::END_REQ);
  auto& two = bench.request(1, 7);
  bench.up(two, tlm::END_REQ);
  bench.up(two, tlm::BEGIN_RESP);
  EXPECT_THAT(rules_of(bench.checker), ElementsAre("AXI_ORDER"));
}
TEST(ProtocolChecker, MoreOutstandingThanAgreed) {
  PhaseBench bench({false, 4, 1});
  auto& one = bench.request(0, 1);
  bench.up(one, tlm::END_REQ);
  auto& two = bench.request(1, 2);
  EXPECT_THAT(rules_of(bench.checker), IsEmpty()) << "not accepted: back-pressure";
  bench.up(two, tlm::END_REQ);
  EXPECT_THAT(rules_of(bench.checker), ElementsAre("AXI_OUTSTANDING"));
}
TEST(ProtocolChecker, CountsTransactions) {
  PhaseBench bench;
  EXPECT_EQ(bench.checker.transactions(), 0u);
  for (unsigned i = 0; i < 3; ++i) bench.up(bench.request(i, i), tlm::END_REQ);
  EXPECT_EQ(bench.checker.transactions(), 3u);
}
TEST(ProtocolChecker, OutstandingUntilTheResponseHasEnded) {
  PhaseBench bench({false, 4, 1});
  auto& one = bench.request(0, 1);
  bench.up(one, tlm::END_REQ);
  bench.up(one, tlm::BEGIN_RESP);
  bench.up(bench.request(1, 2), tlm::END_REQ);
  EXPECT_THAT(rules_of(bench.checker), ElementsAre("AXI_OUTSTANDING"));
}
// Inside the call of BEGIN_RESP the initiator may take it and begin its next transaction.
struct Answer {
  tlm::tlm_sync_enum answer;
  tlm::tlm_phase_enum phase;
  size_t violations;
};
class InsideAResponse : public testing::TestWithParam<Answer> {};
TEST_P(InsideAResponse, ATransactionIsOneTooManyUnlessTheResponseIsTaken) {
  PhaseBench bench({false, 4, 1});
  bench.ends.accepts_at_once = true;
  auto& one = bench.request(0, 1);
  bench.ends.on_response = [&](tlm::tlm_phase& phase) {
    bench.request(1, 2);
    phase = GetParam().phase;
    return GetParam().answer;
  };
  bench.up(one, tlm::BEGIN_RESP);
  EXPECT_THAT(rules_of(bench.checker), testing::SizeIs(GetParam().violations));
}
INSTANTIATE_TEST_SUITE_P(Answers, InsideAResponse,
                         testing::Values(Answer{tlm::TLM_COMPLETED, tlm::BEGIN_RESP, 0},
                                         Answer{tlm::TLM_UPDATED, tlm::END_RESP, 0},
                                         Answer{tlm::TLM_UPDATED, tlm::BEGIN_RESP, 1},
                                         Answer{tlm::TLM_ACCEPTED, tlm::BEGIN_RESP, 1}));
// kit::BaseProtocolChecker reports them.
TEST(ProtocolChecker, PhasesOfWhatNeverBeganAreNobodys) {
  PhaseBench bench({false, 4, 1});
  auto& known = bench.request(0, 7);
  tlm::tlm_generic_payload stranger;
  bench.up(stranger, tlm::END_REQ);
  bench.up(stranger, tlm::BEGIN_RESP);
  bench.down(stranger, tlm::END_RESP);
  EXPECT_THAT(rules_of(bench.checker), IsEmpty());
  // What comes twice counts once.
  bench.down(known, tlm::BEGIN_REQ);
  bench.up(known, tlm::END_REQ);
  bench.up(known, tlm::END_REQ);
  bench.up(known, tlm::BEGIN_RESP);
  bench.up(known, tlm::BEGIN_RESP);
  bench.down(known, tlm::END_RESP);
  bench.up(bench.request(1, 8), tlm::END_REQ);
  EXPECT_THAT(rules_of(bench.checker), IsEmpty());
  EXPECT_EQ(bench.checker.transactions(), 2u);
}
TEST(ProtocolChecker, OutstandingTransactionsCountForEachDirection) {
  PhaseBench bench({false, 4, 1});
  bench.up(bench.request(0, 1), tlm::END_REQ);
  auto& write = bench.request(1, 2, tlm::TLM_WRITE_COMMAND);
  bench.up(write, tlm::END_REQ);
  bench.up(write, tlm::BEGIN_RESP);
  bench.down(write, tlm::END_RESP);
  bench.up(bench.request(2, 3, tlm::TLM_WRITE_COMMAND), tlm::END_REQ);
  EXPECT_THAT(rules_of(bench.checker), IsEmpty());
}
TEST(ProtocolChecker, ResponsesOfOneIdInOrderOfOthersInAny) {
  PhaseBench bench;
  auto& read = bench.request(0, 7);
  bench.up(read, tlm::END_REQ);
  auto& other = bench.request(1, 8);
  bench.up(other, tlm::END_REQ);
  auto& write = bench.request(2, 7, tlm::TLM_WRITE_COMMAND);
  bench.up(write, tlm::END_REQ);
  for (auto* each : {&write, &other, &read}) {
    bench.up(*each, tlm::BEGIN_RESP);
    bench.down(*each, tlm::END_RESP);
  }
  EXPECT_THAT(rules_of(bench.checker), IsEmpty());
}
TEST(ProtocolChecker, WithoutAttributesTheIdIsZero) {
  PhaseBench bench;
  auto& one = bench.request(0);
  one.clear_extension(&bench.extensions[0]);
  bench.up(one, tlm::END_REQ);
  auto& two = bench.request(1);
  two.clear_extension(&bench.extensions[1]);
  bench.up(two, tlm::END_REQ);
  bench.up(two, tlm::BEGIN_RESP);
  EXPECT_THAT(rules_of(bench.checker), ElementsAre("AXI_ORDER"));
}
TEST(ProtocolChecker, ALiteBusHasNoIds) {
  PhaseBench bench({true, 4, 0});
  auto& one = bench.request(0, 1);
  bench.up(one, tlm::END_REQ);
  auto& two = bench.request(1, 2);
  bench.up(two, tlm::END_REQ);
  bench.up(two, tlm::BEGIN_RESP);
  EXPECT_THAT(rules_of(bench.checker), ElementsAre("AXI_ORDER"));
}

TEST(ProtocolChecker, MessagesHaveRulePlaceAndTime) {
  PhaseBench bench;
  bench.extensions[0].beats = 2;
  bench.request(0);
  EXPECT_THAT(bench.log.text(),
              testing::HasSubstr("checker @ 0 s: AXI_DATA_LENGTH: read of 4 bytes "
                                 "at 0x0: 2 beats of 4 bytes do not hold 4"));
}

}  // namespace
}  // namespace gvp::axi
