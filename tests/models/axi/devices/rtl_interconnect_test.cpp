// SPDX-License-Identifier: Apache-2.0
// The crossbar as RTL: traffic from all sides, orders, errors, cycles, and what it shows beside the
// models.
#include "models/axi/devices/rtl_interconnect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/rtl/block_table.h"
#include "models/tlm/payload.h"
#include "tests/models/axi/pins/random_traffic.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/models/axi/varied_target.h"
#include "tests/support/at_initiator.h"
#include "tests/support/at_memory.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"

namespace gvp::axi {
namespace {

using pins::RandomTraffic;
using sc_core::sc_time;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kBlock = "axi_interconnect";
constexpr uint64_t kMemory = 0x10000;

class RtlCrossbar : public testing::Test {
 protected:
  void SetUp() override {
    if (rtl::find_block(kBlock) == nullptr) GTEST_SKIP() << "built without Verilator";
  }
  test::LogCapture log;
};

// A memory with a latency that it annotates; lists what reaches it.
struct Target : sc_core::sc_module {
  tlm_utils::simple_target_socket<Target> socket{"socket"};
  std::vector<uint8_t> bytes = std::vector<uint8_t>(kMemory);
  std::vector<std::pair<unsigned, sc_time>> seen;  // the initiator, by the upper bits of the ID
  sc_time latency = sc_core::SC_ZERO_TIME;
  bool has_monitor = false;  // grants every exclusive access

  explicit Target(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Target::b_transport);
    socket.register_transport_dbg(this, &Target::transport_dbg);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    auto* axi = payload.get_extension<Extension>();
    if (axi != nullptr && axi->exclusive && has_monitor) axi->response = Response::kExclusiveOkay;
    if (axi != nullptr) seen.emplace_back(axi->id >> 4, sc_core::sc_time_stamp());
    delay += latency;
    kit::transfer(payload, bytes.data() + payload.get_address());
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    kit::transfer(payload, bytes.data() + payload.get_address());
    return payload.get_data_length();
  }
};

InterconnectConfiguration configuration_of(unsigned initiators, unsigned targets) {
  InterconnectConfiguration configuration;
  for (unsigned i = 0; i < initiators; ++i)
    configuration.initiators.push_back("master" + std::to_string(i));
  for (unsigned t = 0; t < targets; ++t) {
    configuration.targets.push_back("memory" + std::to_string(t));
    configuration.regions.push_back(
        {configuration.targets.back(), t * kMemory, kMemory, t, 0, false});
  }
  configuration.target_ports.resize(targets);
  return configuration;
}

// ---- traffic ----

TEST_F(RtlCrossbar, RandomTrafficFromAllMastersToLtAndAtTargets) {
  const uint32_t seed = test::seed(17);
  SCOPED_TRACE(test::text_of_seed(seed));
  constexpr unsigned kMasters = 4, kTargets = 3, kThreads = 5;
  InterconnectConfiguration configuration = configuration_of(kMasters, kTargets);
  configuration.target_ports[2].non_blocking = true;
  configuration.seed = seed;
  RtlInterconnect bus("bus", kBlock, configuration);
  Target first("first"), second("second");
  first.latency = sc_time(55, sc_core::SC_NS);
  test::VariedTarget third("third", kMemory, seed);
  bus.to_target(0).bind(first.socket);
  bus.to_target(1).bind(second.socket);
  bus.to_target(2).bind(third.socket);
  std::vector<std::unique_ptr<RandomTraffic>> masters;
  const unsigned accesses = pins::accesses_of_a_thread(60, kThreads);
  for (unsigned i = 0; i < kMasters; ++i) {
    masters.push_back(std::make_unique<RandomTraffic>(
        ("master" + std::to_string(i)).c_str(), seed + i, kThreads, accesses, 4, true,
        uint64_t{i} * kThreads * RandomTraffic::kRange));
    masters[i]->socket.bind(bus.from_initiator(i));
  }
  sc_core::sc_start();
  for (const auto& master : masters) EXPECT_EQ(master->done, kThreads);
  EXPECT_EQ(bus.protocol_violations(), 0u) << log.text();
  EXPECT_FALSE(bus.block().running()) << "idle in the end";
  const nlohmann::json statistics = bus.statistics();
  EXPECT_EQ(statistics["initiators"]["master0"]["reads"].get<unsigned>() +
                statistics["initiators"]["master0"]["writes"].get<unsigned>(),
            kThreads * accesses);
}

// ---- order ----

struct Bench {
  explicit Bench(const InterconnectConfiguration& configuration)
      : bus("bus", kBlock, configuration) {
    for (size_t i = 0; i < configuration.initiators.size(); ++i) {
      masters.push_back(
          std::make_unique<test::AtInitiator>(("master" + std::to_string(i)).c_str()));
      masters[i]->socket.bind(bus.from_initiator(static_cast<unsigned>(i)));
    }
    for (size_t t = 0; t < configuration.targets.size(); ++t) {
      targets.push_back(std::make_unique<Target>(("target" + std::to_string(t)).c_str()));
      bus.to_target(static_cast<unsigned>(t)).bind(targets[t]->socket);
    }
  }
  void run(const test::LogCapture& log) {
    sc_core::sc_start();
    for (const auto& master : masters) EXPECT_EQ(master->unfinished(), 0u);
    EXPECT_EQ(bus.protocol_violations(), 0u) << log.text();
  }
  std::vector<std::unique_ptr<test::AtInitiator>> masters;
  std::vector<std::unique_ptr<Target>> targets;
  RtlInterconnect bus;
};

// The crossbar has no monitor: an exclusive access is its target's, which says OKAY where it has
// none (IHI 0022 A7.2.3).
TEST_F(RtlCrossbar, ExclusiveAccessesAreAnsweredAsTheirTargetAnswersThem) {
  Bench bench(configuration_of(1, 2));
  bench.targets[1]->has_monitor = true;
  for (const uint64_t target : {0, 1}) {
    auto& read = bench.masters[0]->read(target * kMemory + 64, 4, 1);
    read.axi.exclusive = true;
    bench.run(log);
    auto& write = bench.masters[0]->write(target * kMemory + 64, counting(4), 1);
    write.axi.exclusive = true;
    bench.run(log);
    const Response expected = target == 0 ? Response::kOkay : Response::kExclusiveOkay;
    EXPECT_EQ(read.axi.response, expected);
    EXPECT_EQ(write.axi.response, expected);
  }
}

TEST_F(RtlCrossbar, ATargetIsGivenToTheMastersInTurn) {
  Bench bench(configuration_of(3, 1));
  for (unsigned i = 0; i < 4; ++i)
    for (const auto& master : bench.masters) master->read(64 * i, 4, i);
  bench.run(log);
  std::vector<unsigned> order;
  for (const auto& each : bench.targets[0]->seen) order.push_back(each.first);
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2));
}

TEST_F(RtlCrossbar, OneIdStaysInOrderAcrossTargetsAndOthersOvertake) {
  Bench bench(configuration_of(1, 2));
  bench.targets[0]->latency = sc_time(1, sc_core::SC_US);
  test::AtInitiator& master = *bench.masters[0];
  auto& slow = master.read(0, 4, 1);
  auto& after = master.read(kMemory, 4, 1);
  auto& other = master.read(kMemory + 4, 4, 2);
  bench.run(log);
  EXPECT_THAT(master.responses(), ElementsAre(&slow, &after, &other))
      << "what waits for its ID is in the way of what is behind it";
  auto& again = master.read(0, 4, 1);
  auto& overtakes = master.read(kMemory, 4, 2);
  sc_core::sc_start();
  EXPECT_LT(overtakes.responded, again.responded);
}

// ---- errors ----

TEST_F(RtlCrossbar, WhatIsForNobodyIsADecodeErrorOfAllBeats) {
  Bench bench(configuration_of(1, 1));
  test::AtInitiator& master = *bench.masters[0];
  auto& read = master.read(0x900000, 64);
  auto& write = master.write(0x900000, std::vector<uint8_t>(64));
  auto& good = master.write(0x40, counting(4), 3);
  bench.run(log);
  EXPECT_EQ(read.axi.response, Response::kDecodeError);
  EXPECT_EQ(write.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_TRUE(good.payload.is_response_ok());
  EXPECT_THAT(log.text(), HasSubstr("read of 64 bytes at 0x900000 by master0: nothing is mapped "
                                    "there (DECERR)"));
  const nlohmann::json statistics = bench.bus.statistics();
  EXPECT_EQ(statistics["initiators"]["master0"]["decode_errors"], 2);
  EXPECT_EQ(statistics["regions"]["memory0"]["writes"], 1);
}

// Addresses have 32 bits at the pins.
TEST_F(RtlCrossbar, WhatIsBeyondFourGibibytesIsForNobody) {
  Bench bench(configuration_of(1, 1));
  test::AtInitiator& master = *bench.masters[0];
  auto& read = master.read(0x700000040, 4);
  auto& write = master.write(0x100000000, counting(4));
  auto& across = master.read(0xfffffffc, 8);
  across.axi.beats = 0;
  bench.run(log);
  for (const auto* each : {&read, &write, &across}) {
    EXPECT_EQ(each->payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(each->axi.response, Response::kDecodeError);
  }
  EXPECT_THAT(bench.targets[0]->seen, testing::IsEmpty());
  EXPECT_EQ(bench.bus.statistics()["initiators"]["master0"]["decode_errors"], 3);
}

// What is cut into bursts for two regions succeeds and is no decode error.
TEST_F(RtlCrossbar, ATransactionOverTheEndOfARegionIsCountedByItsResponse) {
  Bench bench(configuration_of(1, 2));
  test::AtInitiator& master = *bench.masters[0];
  auto& both = master.write(kMemory - 8, counting(16));
  auto& end = master.read(2 * kMemory - 8, 16);
  both.axi.beats = end.axi.beats = 0;
  bench.run(log);
  EXPECT_TRUE(both.payload.is_response_ok());
  EXPECT_EQ(bench.targets[1]->bytes[7], counting(16)[15]);
  EXPECT_EQ(end.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  const nlohmann::json statistics = bench.bus.statistics();
  EXPECT_EQ(statistics["initiators"]["master0"]["decode_errors"], 1);
  EXPECT_EQ(statistics["regions"]["memory0"]["writes"], 1);
  EXPECT_EQ(statistics["regions"]["memory1"]["writes"], 0);
}

TEST_F(RtlCrossbar, BeatsAreThoseOfItsPortsWhateverTheModelsWidthIs) {
  InterconnectConfiguration configuration = configuration_of(1, 1);
  configuration.data_bytes = 64;
  Bench bench(configuration);
  bench.masters[0]->read(0, 64).axi.beats = 16;
  bench.run(log);
  EXPECT_EQ(bench.bus.statistics()["initiators"]["master0"]["read"]["beats"], 16);
}

TEST_F(RtlCrossbar, TooManyPortsAreRefused) {
  try {
    RtlInterconnect bus("bus", kBlock, configuration_of(5, 1));
    FAIL() << "five masters";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("axi_interconnect has 4 ports for masters"));
    EXPECT_THAT(error.what(), HasSubstr("GVP_CROSSBAR_MASTERS"));
  }
}

TEST_F(RtlCrossbar, DebugAccessesGoRoundThePins) {
  Bench bench(configuration_of(1, 2));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::vector<uint8_t> data = counting(8);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(2 * kMemory - 4);
  payload.set_data_ptr(data.data());
  payload.set_data_length(8);
  payload.set_streaming_width(8);
  EXPECT_EQ(bench.masters[0]->socket->transport_dbg(payload), 4u) << "up to the region's end";
  EXPECT_EQ(bench.targets[1]->bytes[kMemory - 1], 4);
  EXPECT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
}

// ---- cycles, beside the approximately timed model ----

// One transaction while nothing else goes on, of a target without latency.
class Lone {
 public:
  Lone(const std::string& name, std::unique_ptr<Interconnect> bus)
      : bus_(std::move(bus)),
        master_((name + "_master").c_str()),
        memory_((name + "_memory").c_str(), kMemory) {
    master_.socket.bind(bus_->from_initiator(0));
    memory_.latency = [](const auto&) { return sc_core::SC_ZERO_TIME; };
    bus_->to_target(0).bind(memory_.socket);
  }
  void begin(bool write, unsigned beats) {
    transfer_ = write ? &master_.write(0, std::vector<uint8_t>(4 * size_t{beats}))
                      : &master_.read(0, 4 * beats);
  }
  long cycles() const {
    EXPECT_TRUE(transfer_->done);
    constexpr double kCyclesPerSecond = 100e6;
    return std::lround((transfer_->responded - transfer_->begun).to_seconds() * kCyclesPerSecond);
  }

 private:
  std::unique_ptr<Interconnect> bus_;
  test::AtInitiator master_;
  test::AtMemory memory_;
  test::AtInitiator::Transfer* transfer_ = nullptr;
};

// The RTL's slices take the two cycles each way that the model has by default.  Beyond that, the
// handshakes at the two ports take an edge each, of the address on its way there and of the
// response on its way back to the transactor; a write's data follow the address that was granted.
TEST_F(RtlCrossbar, CyclesDifferFromTheModelsByTheHandshakesAtTheTwoPorts) {
  InterconnectConfiguration configuration = configuration_of(1, 1);
  configuration.target_ports[0].non_blocking = true;
  Lone at("at", make_interconnect("at_bus", "at", configuration));
  Lone rtl("rtl", std::make_unique<RtlInterconnect>("rtl_bus", kBlock, configuration));
  sc_core::sc_start(sc_time(100, sc_core::SC_NS));
  for (const bool write : {false, true})
    for (const unsigned beats : {1u, 2u, 4u, 16u, 64u}) {
      at.begin(write, beats);
      rtl.begin(write, beats);
      sc_core::sc_start(sc_time(2, sc_core::SC_US));
      EXPECT_EQ(rtl.cycles() - at.cycles(), write ? 3 : 2)
          << (write ? "write of " : "read of ") << beats;
    }
}

// What scripts read of the model's statistics is there.
TEST_F(RtlCrossbar, StatisticsHaveTheModelsKeys) {
  const InterconnectConfiguration configuration = configuration_of(2, 2);
  const auto model = make_interconnect("model", "at", configuration);
  RtlInterconnect bus("bus", kBlock, configuration);
  nlohmann::json of_rtl = bus.statistics(), of_model = model->statistics();
  EXPECT_EQ(of_rtl["rtl"]["block"], kBlock);
  EXPECT_EQ(of_rtl["rtl"]["protocol_check"]["violations"], 0);
  of_rtl.erase("rtl");
  // What only the arbiters and queues inside know.
  of_model.erase("targets");
  for (auto& [name, port] : of_model["initiators"].items()) {
    for (const char* command : {"read", "write"}) {
      port[command].erase("arbitration_wait_ns");
      port[command].erase("arbitration_losses");
    }
    port["outstanding"].erase("max");
  }
  const auto keys = [](const nlohmann::json& statistics) {
    const nlohmann::json flat = statistics.flatten();
    std::vector<std::string> all;
    for (const auto& each : flat.items()) all.push_back(each.key());
    return all;
  };
  EXPECT_EQ(keys(of_rtl), keys(of_model));
}

}  // namespace
}  // namespace gvp::axi
