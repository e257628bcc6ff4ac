// SPDX-License-Identifier: Apache-2.0
#include "models/axi/at_interconnect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>

#include "models/base/error.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/support/at_initiator.h"
#include "tests/support/at_memory.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"

namespace gvp::axi {
namespace {

using sc_core::sc_time;
using testing::ElementsAre;

struct Bench {
  explicit Bench(const InterconnectConfiguration& configuration = two_by_two())
      : bus(make_interconnect("bus", "at", configuration)) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    cpu.socket.bind(bus->from_initiator(0));
    gpu.socket.bind(bus->from_initiator(1));
    bus->to_target(0).bind(ram.socket);
    bus->to_target(1).bind(device.socket);
  }
  // Simulates until all is quiet.
  void run() {
    sc_core::sc_start();
    EXPECT_EQ(cpu.unfinished() + gpu.unfinished(), 0u) << "transactions without response";
  }
  std::vector<uint64_t> addresses_at_ram() const {
    std::vector<uint64_t> addresses;
    for (const auto& each : ram.requests) addresses.push_back(each.address);
    return addresses;
  }
  test::LogCapture log;
  test::AtInitiator cpu{"cpu"}, gpu{"gpu"};
  test::AtMemory ram{"ram", 0x10000}, device{"device", 0x800};
  std::unique_ptr<Interconnect> bus;
};

TEST(AtInterconnect, IdleReadTakesTheStatedLatency) {
  Bench bench;
  auto& one = bench.cpu.read(0x10000, 4);
  bench.run();
  EXPECT_EQ(one.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(one.accepted, ns(10)) << "the address takes a cycle";
  EXPECT_EQ(bench.ram.requests[0].time, ns(20));
  EXPECT_EQ(one.responded, ns(20 + 100 + 30));
}

TEST(AtInterconnect, IdleWriteWaitsForItsLastBeat) {
  Bench bench;
  auto& one = bench.cpu.write(0x10000, counting(16));
  bench.run();
  EXPECT_EQ(one.accepted, ns(40)) << "four beats";
  EXPECT_EQ(bench.ram.requests[0].time, ns(30 + 20));
  EXPECT_EQ(one.responded, ns(50 + 100 + 30));
  EXPECT_EQ(bench.ram.bytes[15], 16);
}

TEST(AtInterconnect, ReadDataKeepsTheResponsePathBusy) {
  Bench bench;
  auto& first = bench.cpu.read(0x10000, 64, 1);
  auto& second = bench.cpu.read(0x10100, 64, 2);
  bench.run();
  EXPECT_EQ(first.responded, ns(150 + 15 * 10));
  EXPECT_EQ(second.responded - first.responded, ns(160)) << "16 beats";
}

TEST(AtInterconnect, BurstsAreCutAtFourKibibytes) {
  Bench bench;
  auto& one = bench.cpu.write(0x10ff8, counting(16));
  bench.run();
  EXPECT_THAT(bench.addresses_at_ram(), ElementsAre(0xff8, 0x1000));
  EXPECT_EQ(bench.ram.requests[0].length, 8u);
  EXPECT_EQ(one.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
}

TEST(AtInterconnect, BurstsAreCutAt256Beats) {
  Bench bench;
  bench.cpu.read(0x10000, 2048);
  bench.run();
  EXPECT_THAT(bench.addresses_at_ram(), ElementsAre(0, 1024));
  EXPECT_EQ(bench.ram.requests[0].axi.beats, 256);
}

TEST(AtInterconnect, LiteTargetSeesSingleBeats) {
  Bench bench;
  auto& one = bench.cpu.write(0x20010, counting(12));
  bench.run();
  ASSERT_EQ(bench.device.requests.size(), 3u);
  for (const auto& each : bench.device.requests) {
    EXPECT_EQ(each.length, 4u);
    EXPECT_EQ(each.axi.beats, 1);
  }
  EXPECT_EQ(bench.device.bytes[0x1b], 12);
  EXPECT_EQ(one.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
}

TEST(AtInterconnect, LiteBridgeCostsItsCycles) {
  Bench bench;
  auto& one = bench.cpu.read(0x20000, 4);
  bench.run();
  EXPECT_EQ(one.responded, ns(20 + 100 + 30 + 50));
}

TEST(AtInterconnect, HoleIsDecerrWithAMessage) {
  Bench bench;
  auto& one = bench.gpu.read(0x5000, 4);
  bench.run();
  EXPECT_EQ(one.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(one.axi.response, Response::kDecodeError);
  EXPECT_EQ(one.responded, ns(50)) << "the bus's own latency";
  EXPECT_THAT(bench.log.text(), testing::HasSubstr("read of 4 bytes at 0x5000 by gpu"));
  const nlohmann::json gpu = bench.bus->statistics()["initiators"]["gpu"];
  EXPECT_EQ(gpu["decode_errors"], 1);
  EXPECT_EQ(gpu["read"]["transactions"], 1);
  EXPECT_EQ(gpu["read"]["errors"], 1);
}

TEST(AtInterconnect, AnErrorOfAnyBurstIsTheTransactions) {
  Bench bench;
  auto& one = bench.cpu.read(0x207fc, 8);  // the device ends at 0x800
  bench.run();
  EXPECT_EQ(one.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(one.axi.response, Response::kSlaveError);
}

TEST(AtInterconnect, ResponsesWithOneIdStayInOrder) {
  Bench bench;
  bench.ram.latency = [](const auto& request) { return request.address == 0 ? ns(500) : ns(50); };
  auto& slow = bench.cpu.read(0x10000, 4, 7);
  auto& fast = bench.cpu.read(0x10004, 4, 7);
  auto& other = bench.cpu.read(0x10008, 4, 8);
  auto& write = bench.cpu.write(0x1000c, counting(4), 7);
  bench.run();
  EXPECT_THAT(bench.cpu.responses(), ElementsAre(&other, &write, &slow, &fast))
      << "other IDs and the other direction overtake";
}

// What comes over a bridge has the number of its port there in its ID: two initiators behind the
// bridge need not wait for each other.
TEST(AtInterconnect, IdsOfAnotherBusStayApart) {
  Bench bench;
  bench.cpu.read(0x10000, 4, 7);
  bench.cpu.read(0x10004, 4, 1 << 16 | 7);
  bench.gpu.read(0x10008, 4, 1 << 16 | 7);
  bench.gpu.read(0x1000c, 4, 3u << 22 | 1 << 16 | 7);
  bench.gpu.read(0x10010, 4, 7);
  bench.run();
  std::set<uint32_t> ids;
  for (const auto& each : bench.ram.requests) ids.insert(each.axi.id);
  EXPECT_EQ(ids.size(), 5u);
  EXPECT_EQ(ids.count(1 << 16 | 7), 1u) << "port 0, ID 7";
}

TEST(AtInterconnect, HolesAreLeftToInitiatorsThatTellOfThemThemselves) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.initiator_ports.resize(1);
  configuration.initiator_ports[0].reports_errors = true;
  Bench bench(configuration);
  bench.cpu.read(0x5000, 4);
  bench.gpu.read(0x6000, 4);
  bench.run();
  EXPECT_THAT(bench.log.text(), testing::Not(testing::HasSubstr("0x5000")));
  EXPECT_THAT(bench.log.text(), testing::HasSubstr("read of 4 bytes at 0x6000 by gpu"));
}

TEST(AtInterconnect, OutstandingLimitHoldsTheNextRequestBack) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.initiator_ports.resize(1);
  configuration.initiator_ports[0].outstanding = 2;
  Bench bench(configuration);
  auto& a = bench.cpu.read(0x10000, 4, 0);
  auto& b = bench.cpu.read(0x10004, 4, 1);
  auto& c = bench.cpu.read(0x10008, 4, 2);
  bench.run();
  EXPECT_EQ(b.accepted, ns(20));
  EXPECT_EQ(c.begun, ns(20));
  EXPECT_GT(c.accepted, a.responded) << "END_REQ is the back-pressure";
  EXPECT_EQ(bench.bus->statistics()["initiators"]["cpu"]["stalled_requests"], 1);
}

// Both ask at once, the first port goes first.
TEST(AtInterconnect, CountsAtTheTargetWhatPassedAndWhatWaited) {
  Bench bench;
  bench.cpu.read(0x10000, 16);
  bench.gpu.read(0x10100, 4);
  bench.run();
  const auto statistics = bench.bus->statistics();
  const auto& read = statistics["targets"]["ram"]["read"];
  EXPECT_EQ(read["transactions"], 2);
  EXPECT_EQ(read["bytes"], 20);
  EXPECT_EQ(read["beats"], 5);
  EXPECT_GT(read["latency_ns"]["max"], 0);
  EXPECT_GT(read["utilisation"], 0);
  EXPECT_EQ(read["arbitration_losses"], 1);
  const auto& loser = statistics["initiators"]["gpu"]["read"];
  EXPECT_EQ(loser["arbitration_losses"], 1);
  EXPECT_EQ(statistics["initiators"]["cpu"]["read"]["arbitration_losses"], 0);
  EXPECT_GT(loser["arbitration_wait_ns"]["max"], 0);
  EXPECT_EQ(read["arbitration_wait_ns"]["max"], loser["arbitration_wait_ns"]["max"]);
  EXPECT_EQ(statistics["targets"]["ram"]["write"]["transactions"], 0);
}

TEST(AtInterconnect, SlowTargetFillsTheQueueAndHoldsRequestsBack) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.initiator_ports.resize(1);
  configuration.initiator_ports[0].queue_depth = 1;
  Bench bench(configuration);
  bench.ram.accept_delay = ns(200);
  bench.ram.latency = [](const auto&) { return ns(300); };
  std::vector<test::AtInitiator::Transfer*> reads;
  for (uint32_t i = 0; i < 4; ++i) reads.push_back(&bench.cpu.read(0x10000 + 4 * i, 4, i));
  bench.run();
  EXPECT_THAT(bench.addresses_at_ram(), ElementsAre(0, 4, 8, 12));
  for (size_t i = 1; i < 4; ++i)
    EXPECT_GE(bench.ram.requests[i].time - bench.ram.requests[i - 1].time, ns(200));
  EXPECT_GT(reads[3]->accepted, ns(200));
}

TEST(AtInterconnect, ReadsAndWritesHaveSeparatePaths) {
  Bench bench;
  auto& write = bench.cpu.write(0x10000, counting(256));  // 64 beats into the RAM
  auto& read = bench.gpu.read(0x10400, 4);
  bench.run();
  EXPECT_EQ(read.responded, ns(150)) << "as on an idle bus";
  EXPECT_GT(write.responded, read.responded);
}

TEST(AtInterconnect, WriteDataKeepsTheTargetsWritePathBusy) {
  Bench bench;
  bench.cpu.write(0x10000, counting(64));
  bench.gpu.write(0x11000, counting(64));
  bench.run();
  EXPECT_EQ(bench.ram.requests[1].time - bench.ram.requests[0].time, ns(160)) << "16 beats";
}

// Which initiator's requests the RAM sees, in order, when both flood it.
std::string order_of_grants(const std::string& arbitration, uint8_t gpu_qos = 0) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.arbitration = arbitration;
  Bench bench(configuration);
  bench.ram.accept_delay = ns(20);
  for (uint32_t i = 0; i < 4; ++i) {
    bench.cpu.read(0x10000, 4, i);
    bench.gpu.read(0x10000, 4, i).axi.qos = gpu_qos;
  }
  bench.run();
  std::string order;
  for (const auto& each : bench.ram.requests) order += (each.axi.id >> 16) == 1 ? 'c' : 'g';
  return order;
}

TEST(AtInterconnect, RoundRobinAlternates) {
  EXPECT_EQ(order_of_grants("round-robin"), "cgcgcgcg");
}
TEST(AtInterconnect, FixedPriorityPrefersTheFirstPort) {
  EXPECT_EQ(order_of_grants("fixed"), "ccccgggg");
}
TEST(AtInterconnect, QosPrefersTheMoreUrgent) { EXPECT_EQ(order_of_grants("qos", 5), "ggggcccc"); }

TEST(AtInterconnect, APortsQosIsThatOfTransactionsThatCarryNone) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.arbitration = "qos";
  configuration.initiator_ports.resize(2);
  configuration.initiator_ports[1].qos = 5;
  Bench bench(configuration);
  bench.ram.accept_delay = ns(20);
  for (uint32_t i = 0; i < 2; ++i) {
    bench.cpu.read(0x10000, 4).payload.clear_extension<Extension>();
    bench.gpu.read(0x10000, 4).payload.clear_extension<Extension>();
  }
  bench.run();
  ASSERT_EQ(bench.ram.requests.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(bench.ram.requests[i].axi.id >> 16, i < 2 ? 2u : 1u) << "request " << i;
    EXPECT_EQ(bench.ram.requests[i].axi.qos, i < 2 ? 5 : 0);
  }
}

TEST(AtInterconnect, ExclusiveAccessesBehindAnAxi4LiteBridgeAreOrdinaryOnes) {
  Bench bench;
  bench.cpu.read(0x20000, 4).axi.exclusive = true;
  bench.run();
  ASSERT_EQ(bench.device.requests.size(), 1u);
  EXPECT_FALSE(bench.device.requests[0].axi.exclusive);
}

TEST(AtInterconnect, WideFastTargetTakesFewerAndShorterBeats) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.target_ports.resize(1);
  configuration.target_ports[0].data_bytes = 8;
  configuration.target_ports[0].clock_hz = 200e6;
  Bench bench(configuration);
  bench.cpu.write(0x10000, counting(64));
  auto& second = bench.gpu.write(0x11000, counting(64));
  bench.run();
  EXPECT_EQ(bench.ram.requests[0].axi.beats, 8);
  EXPECT_EQ(bench.ram.requests[0].time, ns(150 + 20 + 2 * 5)) << "two target clocks to cross";
  EXPECT_EQ(bench.ram.requests[1].time - bench.ram.requests[0].time, ns(8 * 5));
  EXPECT_EQ(second.responded, bench.ram.requests[1].time + ns(100 + 30 + 10));
}

TEST(AtInterconnect, RegisterSlicesCostACycleEachWay) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.initiator_ports.resize(1);
  configuration.initiator_ports[0].register_slices = 2;
  Bench bench(configuration);
  auto& one = bench.cpu.read(0x10000, 4);
  bench.run();
  EXPECT_EQ(one.responded, ns(150 + 40));
  // What nobody answers costs the bus's own latencies, and the same slices.
  auto& hole = bench.cpu.read(0x90000, 4);
  const sc_time begin = sc_core::sc_time_stamp();
  bench.run();
  EXPECT_EQ(hole.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(hole.responded - begin, ns(20 + 30 + 20)) << "slices of the way back";
}

TEST(AtInterconnect, SlowInitiatorHoldsResponsesBack) {
  Bench bench;
  bench.cpu.response_delay = ns(300);
  for (uint32_t i = 0; i < 12; ++i) bench.cpu.read(0x10000 + 4 * i, 4, i);
  bench.run();
  const auto& responses = bench.cpu.responses();
  ASSERT_EQ(responses.size(), 12u);
  for (size_t i = 1; i < responses.size(); ++i)
    EXPECT_GE(responses[i]->responded - responses[i - 1]->responded, ns(300));
}

// Whichever way an initiator has of ending a response, the next one begins when it has ended.
class AtResponseEnd : public testing::TestWithParam<test::AtInitiator::End> {};
TEST_P(AtResponseEnd, LetsTheNextResponseBegin) {
  Bench bench;
  bench.cpu.end = GetParam();
  bench.cpu.response_delay = ns(70);
  for (uint32_t i = 0; i < 4; ++i) bench.cpu.read(0x10000 + 4 * i, 4, i);
  bench.run();
  const auto& responses = bench.cpu.responses();
  ASSERT_EQ(responses.size(), 4u);
  EXPECT_EQ(responses[0]->responded, ns(150));
  for (size_t i = 1; i < responses.size(); ++i)
    EXPECT_EQ(responses[i]->responded - responses[i - 1]->responded, ns(70)) << i;
  EXPECT_EQ(bench.log.text(), "");
}
INSTANTIATE_TEST_SUITE_P(All, AtResponseEnd,
                         testing::Values(test::AtInitiator::End::kReturned,
                                         test::AtInitiator::End::kCalled,
                                         test::AtInitiator::End::kCalledAhead));

TEST(AtInterconnect, EndOfAResponseThatIsNotThereOrHasEndedIsRefused) {
  Bench bench;
  bench.cpu.end = test::AtInitiator::End::kCalledAhead;
  bench.cpu.response_delay = ns(70);
  auto& read = bench.cpu.read(0x10000, 4);
  auto& other = bench.cpu.read(0x10004, 4, 1);
  const auto end = [&](tlm::tlm_generic_payload& payload) {
    const size_t before = bench.log.lines().size();
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_time delay;
    EXPECT_EQ(bench.cpu.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(bench.log.lines().size(), before + 1);
  };
  sc_core::sc_start(ns(100));
  end(read.payload);
  sc_core::sc_start(ns(60));
  ASSERT_TRUE(read.done);
  end(read.payload);  // it has said so
  end(other.payload);
  EXPECT_THAT(bench.log.text(), testing::HasSubstr("bus: END_RESP by cpu without a response"));
  bench.run();
  EXPECT_EQ(other.responded, ns(150 + 70)) << "as if nothing had been";
}

// Requests reach the target at edges of the clock.
TEST(AtInterconnect, RequestsBetweenTwoEdgesWaitForTheNext) {
  Bench bench;
  uint64_t at = 1000000;  // ps
  for (const auto& [offset, request] :
       {std::pair(0, 20000), std::pair(1, 30000), std::pair(2, 30000), std::pair(5000, 30000),
        std::pair(9999, 30000), std::pair(10000, 30000)}) {
    sc_core::sc_start(sc_time::from_value(at + static_cast<unsigned>(offset)) -
                      sc_core::sc_time_stamp());
    bench.cpu.read(0x10000, 4);
    sc_core::sc_start(ns(900));
    EXPECT_EQ(bench.ram.requests.back().time.value() - at, static_cast<unsigned>(request))
        << offset << " ps behind an edge";
    at += 1000000;
  }
}

TEST(AtInterconnect, WrappingBurstGoesRoundItsBlock) {
  Bench bench;
  for (size_t i = 0; i < 64; ++i) bench.ram.bytes[i] = static_cast<uint8_t>(i);
  auto& one = bench.cpu.read(0x10014, 16);
  one.axi.burst = Burst::kWrapping;
  bench.run();
  EXPECT_THAT(bench.addresses_at_ram(), ElementsAre(0x14, 0x10));
  EXPECT_THAT(one.data, ElementsAre(0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d,
                                    0x1e, 0x1f, 0x10, 0x11, 0x12, 0x13));
}

TEST(AtInterconnect, ExclusivePairSucceedsAndIsBrokenByAWrite) {
  Bench bench;
  const auto exclusive = [](test::AtInitiator::Transfer & transfer) -> auto& {
    transfer.axi.exclusive = true;
    return transfer;
  };
  auto& lonely = exclusive(bench.cpu.write(0x10000, counting(4, 9), 1));
  bench.run();
  EXPECT_EQ(lonely.axi.response, Response::kOkay) << "no reservation";
  EXPECT_EQ(bench.ram.bytes[0], 0);
  auto& load = exclusive(bench.cpu.read(0x10000, 4, 1));
  bench.run();
  EXPECT_EQ(load.axi.response, Response::kExclusiveOkay);
  auto& store = exclusive(bench.cpu.write(0x10000, counting(4, 5), 1));
  bench.run();
  EXPECT_EQ(store.axi.response, Response::kExclusiveOkay);
  EXPECT_EQ(bench.ram.bytes[0], 5);
  exclusive(bench.cpu.read(0x10000, 4, 1));
  bench.run();
  bench.gpu.write(0x10000, counting(4, 7));
  bench.run();
  auto& late = exclusive(bench.cpu.write(0x10000, counting(4, 1), 1));
  bench.run();
  EXPECT_EQ(late.axi.response, Response::kOkay);
  EXPECT_EQ(bench.ram.bytes[0], 7);
}

TEST(AtInterconnect, RequestOutOfTurnIsRefused) {
  Bench bench;
  bench.cpu.read(0x10000, 4);
  tlm::tlm_generic_payload payload;
  uint32_t value = 0;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  sc_core::sc_start(ns(5));
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay;
  EXPECT_EQ(bench.cpu.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
  EXPECT_TRUE(payload.is_response_error());
  EXPECT_THAT(bench.log.text(), testing::HasSubstr("begins before the last request has ended"));
  bench.run();
}

TEST(AtInterconnect, RandomTrafficOfManyOutstandingEndsWithTheRightData) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  Bench bench;
  bench.ram.latency = [&](const auto&) { return ns(10 + static_cast<double>(random() % 200)); };
  bench.ram.accept_delay = ns(5);
  for (uint32_t i = 0; i < 300; ++i) {  // disjoint places, so order does not matter
    bench.cpu.write(0x10000 + 64 * i, counting(1 + random() % 64, static_cast<uint8_t>(i)),
                    random() % 4);
    bench.gpu.write(0x18000 + 64 * i, counting(1 + random() % 64, static_cast<uint8_t>(i)),
                    random() % 4);
  }
  bench.run();
  for (uint32_t i = 0; i < 300; ++i) {
    EXPECT_EQ(bench.ram.bytes[64 * i], static_cast<uint8_t>(i));
    EXPECT_EQ(bench.ram.bytes[0x8000 + 64 * i], static_cast<uint8_t>(i));
  }
}

TEST(AtInterconnect, RefusesSettingsThatMakeNoSense) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.arbitration = "fair";
  EXPECT_THROW(make_interconnect("a", "at", configuration), Error);
  configuration = two_by_two();
  configuration.target_ports.resize(1);
  configuration.target_ports[0].data_bytes = 3;
  EXPECT_THROW(make_interconnect("b", "at", configuration), Error);
}

TEST(AtInterconnect, RefusesPortsBeyondTheirLimits) {
  unsigned number = 0;
  const auto complaint = [&](const std::function<void(PortConfiguration&)>& damage) {
    InterconnectConfiguration configuration = two_by_two();
    configuration.initiator_ports.resize(1);
    damage(configuration.initiator_ports[0]);
    try {
      make_interconnect(("bus" + std::to_string(++number)).c_str(), "at", configuration);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  using Port = PortConfiguration;
  for (const unsigned bytes : {1u, 2u, 128u})
    EXPECT_EQ(complaint([&](Port& port) { port.data_bytes = bytes; }), "") << bytes;
  for (const unsigned bytes : {0u, 12u, 256u})
    EXPECT_THAT(complaint([&](Port& port) { port.data_bytes = bytes; }),
                testing::HasSubstr("AXI port cpu is"));
  EXPECT_EQ(complaint([](Port& port) { port.clock_hz = 1e6; }), "");
  EXPECT_EQ(complaint([](Port& port) { port.clock_hz = 0; }), "");
  EXPECT_THAT(complaint([](Port& port) { port.clock_hz = 999999; }),
              testing::HasSubstr("AXI port cpu has a clock of 999999 Hz"));
  EXPECT_EQ(complaint([](Port& port) { port.outstanding = port.queue_depth = 1; }), "");
  EXPECT_THAT(complaint([](Port& port) { port.outstanding = 0; }), testing::HasSubstr("takes no"));
  EXPECT_THAT(complaint([](Port& port) { port.queue_depth = 0; }), testing::HasSubstr("takes no"));
}

}  // namespace
}  // namespace gvp::axi
