// SPDX-License-Identifier: Apache-2.0
// Where the approximately timed interconnect's limits lie, to the transaction: queues, responses
// held back, exclusive accesses of several bursts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "models/axi/interconnect.h"
#include "models/tlm/interposer.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/support/at_initiator.h"
#include "tests/support/at_memory.h"

namespace gvp::axi {
namespace {

using sc_core::sc_time;

// What becomes of the target's responses.
struct Responses : kit::Interposer {
  using Interposer::Interposer;
  unsigned taken = 0, held = 0;
  std::vector<sc_time> ended;  // by END_RESP

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& delay) override {
    const bool response = phase == tlm::BEGIN_RESP;
    const auto answer = Interposer::nb_transport_bw(payload, phase, delay);
    if (response) ++(answer == tlm::TLM_ACCEPTED ? held : taken);
    return answer;
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& delay) override {
    if (phase == tlm::END_RESP) ended.push_back(sc_core::sc_time_stamp() + delay);
    return Interposer::nb_transport_fw(payload, phase, delay);
  }
};

struct Bench {
  explicit Bench(unsigned queue_depth) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    InterconnectConfiguration configuration = two_by_two();
    configuration.initiator_ports.emplace_back().queue_depth = queue_depth;
    bus = make_interconnect("bus", "at", configuration);
    cpu.socket.bind(bus->from_initiator(0));
    gpu.socket.bind(bus->from_initiator(1));
    bus->to_target(0).bind(responses.target);
    responses.initiator.bind(ram.socket);
    bus->to_target(1).bind(device.socket);
  }
  test::AtInitiator cpu{"cpu"}, gpu{"gpu"};
  Responses responses{"responses"};
  test::AtMemory ram{"ram", 0x10000}, device{"device", 0x800};
  std::unique_ptr<Interconnect> bus;
};

class AtLimits : public testing::TestWithParam<unsigned> {};

TEST_P(AtLimits, TheQueueHoldsAsManyRequestsAsItIsDeep) {
  Bench bench(GetParam());
  bench.ram.accept_delay = ns(1000);  // the first request keeps the target busy
  bench.ram.latency = [](const auto&) { return ns(2000); };
  std::vector<test::AtInitiator::Transfer*> transfers;
  for (unsigned i = 0; i < 7; ++i) transfers.push_back(&bench.cpu.read(0x10000 + 64 * i, 4, i));
  sc_core::sc_start(ns(500));
  unsigned accepted = 0;
  for (const auto* each : transfers) accepted += each->accepted != sc_core::SC_ZERO_TIME ? 1 : 0;
  EXPECT_EQ(accepted, 1 + GetParam());
  sc_core::sc_start();
  EXPECT_EQ(bench.cpu.unfinished(), 0u);
}

TEST_P(AtLimits, AsManyResponsesAsTheQueueIsDeepWaitForASlowInitiator) {
  Bench bench(GetParam());
  bench.cpu.response_delay = ns(5000);
  bench.ram.latency = [](const auto&) { return ns(10); };
  std::vector<test::AtInitiator::Transfer*> transfers;
  for (unsigned i = 0; i < GetParam() + 3; ++i) {
    transfers.push_back(&bench.cpu.read(0x10000 + 64 * i, 4, i));
    sc_core::sc_start(ns(200));
  }
  // One with the initiator, so many in the queue; the next one is held at the target.
  EXPECT_EQ(bench.responses.taken, 1 + GetParam());
  EXPECT_EQ(bench.responses.held, 1u);
  EXPECT_TRUE(bench.responses.ended.empty());
  sc_core::sc_start();
  EXPECT_EQ(bench.cpu.unfinished(), 0u);
  ASSERT_FALSE(bench.responses.ended.empty());
  // Its own data wait in the queue by then: room is there when the initiator has taken two.
  EXPECT_EQ(bench.responses.ended.front(), transfers[1]->responded + ns(5000));
}

INSTANTIATE_TEST_SUITE_P(QueueDepth, AtLimits, testing::Values(1u, 2u, 4u));

// Such an access is no AXI one (IHI 0022, A7.2.4), but a TLM initiator can ask for it.
TEST(AtExclusive, AccessOfSeveralBurstsIsWholeAtTheBusAndOrdinaryAtTheTarget) {
  Bench bench(4);
  const auto run = [](test::AtInitiator::Transfer& transfer) {
    transfer.axi.exclusive = true;
    sc_core::sc_start(ns(2000));
    EXPECT_TRUE(transfer.done);
    return transfer.axi.response;
  };
  constexpr uint64_t kAcross = 0x10ffc;  // a 4 KiB boundary
  EXPECT_EQ(run(bench.cpu.read(kAcross, 8, 1)), Response::kExclusiveOkay);
  EXPECT_EQ(run(bench.cpu.write(kAcross, counting(8), 1)), Response::kExclusiveOkay);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(bench.ram.bytes[0xffc + i], i + 1) << i;
  ASSERT_EQ(bench.ram.requests.size(), 4u) << "two bursts each";
  for (const auto& each : bench.ram.requests) EXPECT_FALSE(each.axi.exclusive);
  EXPECT_EQ(run(bench.cpu.write(kAcross, counting(8, 50), 1)), Response::kOkay) << "used up";
  EXPECT_EQ(bench.ram.bytes[0x1000], 5);
  EXPECT_EQ(run(bench.cpu.read(0x10010, 4, 1)), Response::kExclusiveOkay);
  EXPECT_TRUE(bench.ram.requests.back().axi.exclusive) << "one burst";
}

}  // namespace
}  // namespace gvp::axi
