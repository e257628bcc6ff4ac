// SPDX-License-Identifier: Apache-2.0
#include "models/axi/bridge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "models/tlm/base_protocol_checker.h"
#include "models/tlm/memory.h"
#include "tests/models/axi/varied_target.h"
#include "tests/support/at_initiator.h"
#include "tests/support/at_memory.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"

namespace gvp::axi {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;

constexpr uint64_t kBase = 0x800;

// How often somebody thought that this extension was his.
struct Counting : tlm::tlm_extension<Counting> {
  int freed = 0;
  tlm_extension_base* clone() const override { return new Counting; }
  void copy_from(const tlm_extension_base&) override {}
  void free() override { ++freed; }
};

struct Bench {
  Bench() {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    cpu.socket.bind(bridge->upstream);
    bridge->downstream.bind(ram.socket);
  }
  test::AtInitiator cpu{"cpu"};
  std::unique_ptr<Bridge> bridge = std::make_unique<Bridge>("bridge", kBase);
  test::AtMemory ram{"ram", 0x1000};
};

TEST(Bridge, CarriesDataStatusAndTimeOfPhasesBothWays) {
  Bench bench;
  bench.ram.accept_delay = sc_time(20, SC_NS);
  auto& write = bench.cpu.write(0x10, {1, 2, 3, 4});
  auto& read = bench.cpu.read(0x10, 4);
  sc_core::sc_start();
  EXPECT_EQ(bench.cpu.unfinished(), 0u);
  EXPECT_EQ(write.accepted, sc_time(20, SC_NS));
  EXPECT_EQ(write.responded, sc_time(100, SC_NS));
  EXPECT_TRUE(read.payload.is_response_ok());
  EXPECT_THAT(read.data, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(bench.ram.requests.at(0).address, kBase + 0x10) << "the other bus's own";
  EXPECT_EQ(read.payload.get_address(), 0x10u) << "as its initiator wrote it";
}

// ---- how many are under way

TEST(Bridge, HoldsRequestsBeyondItsLimitUntilThereIsRoom) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  test::AtInitiator cpu("cpu");
  Bridge bridge("bridge", kBase, 2);
  test::AtMemory ram("ram", 0x1000);
  cpu.socket.bind(bridge.upstream);
  bridge.downstream.bind(ram.socket);
  ram.latency = [](const auto& request) {
    return request.write ? sc_time(500, SC_NS) : sc_time(100, SC_NS);
  };
  const auto& write = cpu.write(0x20, {1});  // writes are counted apart
  std::vector<const test::AtInitiator::Transfer*> reads;
  for (uint64_t i = 0; i < 4; ++i) reads.push_back(&cpu.read(4 * i, 4));
  sc_core::sc_start();
  EXPECT_EQ(cpu.unfinished(), 0u);
  EXPECT_EQ(reads[1]->accepted, sc_core::SC_ZERO_TIME);
  EXPECT_EQ(reads[2]->begun, sc_core::SC_ZERO_TIME);
  EXPECT_EQ(reads[2]->accepted, sc_time(100, SC_NS));
  EXPECT_EQ(reads[3]->responded, sc_time(200, SC_NS));
  EXPECT_EQ(write.responded, sc_time(500, SC_NS));
  ASSERT_EQ(ram.requests.size(), 5u);
  EXPECT_EQ(ram.requests[3].time, sc_time(100, SC_NS));
}

TEST(Bridge, LetsBlockedCallersWaitForRoom) {
  test::Initiator first("first");
  Bridge bridge("bridge", kBase, 1);
  test::AtMemory ram("ram", 0x1000);  // takes its 100 ns inside b_transport
  first.socket.bind(bridge.upstream);
  bridge.downstream.bind(ram.socket);
  std::vector<sc_time> ends;
  const auto read = [&](double delay_ns) {
    uint32_t value = 0;
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_time delay(delay_ns, SC_NS);
    first.socket->b_transport(payload, delay);
    EXPECT_TRUE(payload.is_response_ok());
    ends.push_back(sc_core::sc_time_stamp() + delay);
  };
  first.run([&] {
    sc_core::sc_spawn([&] { read(0); });
    sc_core::sc_spawn([&] { read(30); });    // for 70 ns
    sc_core::sc_spawn([&] { read(1000); });  // local time far ahead
    sc_core::wait(sc_time(10, sc_core::SC_US));
  });
  EXPECT_THAT(ends, ElementsAre(sc_time(100, SC_NS), sc_time(200, SC_NS), sc_time(1100, SC_NS)));
}

class BridgeProtocol : public testing::TestWithParam<unsigned> {};

TEST_P(BridgeProtocol, IsKeptOnBothSidesWhateverTargetAndInitiatorDo) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  test::LogCapture log;
  test::AtInitiator cpu("cpu");
  kit::BaseProtocolChecker above("above"), below("below");
  Bridge bridge("bridge", kBase, GetParam());
  test::VariedTarget target("target", 0x10000, seed);
  cpu.socket.bind(above.target);
  above.initiator.bind(bridge.upstream);
  bridge.downstream.bind(below.target);
  below.initiator.bind(target.socket);
  cpu.response_delay = sc_time(30, SC_NS);
  for (unsigned i = 0; i < 2000; ++i) {
    const uint64_t address = random() % 0x1000 & ~uint64_t{3};
    const auto id = static_cast<uint32_t>(random() % 3);
    if (random() % 2 != 0)
      cpu.read(address, 4, id);
    else
      cpu.write(address, std::vector<uint8_t>(4), id);
  }
  sc_core::sc_start();
  EXPECT_EQ(cpu.unfinished(), 0u);
  for (auto* checker : {&above, &below}) {
    checker->check_finished();
    EXPECT_TRUE(checker->violations().empty()) << log.text();
    EXPECT_EQ(checker->transactions(), 2000u);
  }
}

INSTANTIATE_TEST_SUITE_P(Outstanding, BridgeProtocol, testing::Values(1u, 2u, 8u));

TEST(Bridge, SpeaksOfDirectMemoryInItsWindowsAddresses) {
  test::Initiator cpu("cpu");
  Bridge bridge("bridge", kBase);
  kit::Memory ram("ram", {0x1000});
  cpu.socket.bind(bridge.upstream);
  bridge.downstream.bind(ram.socket);
  cpu.run([&] {
    tlm::tlm_generic_payload payload;
    payload.set_address(0x10);
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(cpu.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0u);
    EXPECT_EQ(dmi.get_end_address(), 0x1000 - kBase - 1);
    EXPECT_EQ(dmi.get_dmi_ptr(), ram.storage().data() + kBase);
    EXPECT_EQ(payload.get_address(), 0x10u);
  });
}

TEST(Bridge, LeavesTheExtensionsOfTransactionsUnderWayToTheirOwner) {
  Counting counting;
  Bench bench;
  auto& read = bench.cpu.read(0x10, 4);
  read.payload.set_extension(&counting);
  sc_core::sc_start(sc_time(50, SC_NS));
  ASSERT_FALSE(read.done);
  bench.bridge.reset();  // the simulation ends in the middle of it
  EXPECT_EQ(counting.freed, 0);
  read.payload.clear_extension(&counting);
}

}  // namespace
}  // namespace gvp::axi
