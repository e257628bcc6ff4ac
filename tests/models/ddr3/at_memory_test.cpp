// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/at_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/ddr3/command_checker.h"
#include "models/ddr3/energy.h"
#include "tests/support/at_initiator.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"

namespace gvp::ddr3 {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

sc_time ns(double value) { return {value, SC_NS}; }

struct Bench {
  explicit Bench(const Configuration& configuration = {}) : memory("ddr3", configuration) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    initiator.socket.bind(memory.socket());
  }
  sc_time latency_of(test::AtInitiator::Transfer& transfer) {
    run();
    return transfer.responded - transfer.begun;
  }
  void run() {
    sc_core::sc_start();
    EXPECT_EQ(initiator.unfinished(), 0u);
  }
  test::LogCapture log;
  test::AtInitiator initiator{"initiator"};
  AtMemory memory;
};

TEST(AtMemory, IdleLatenciesAreTheReferencePlusTheFrontEnd) {
  Bench bench;
  EXPECT_EQ(bench.latency_of(bench.initiator.read(0, 64)), ns(50 + 42.5)) << "closed: 17 tCK";
  EXPECT_EQ(bench.latency_of(bench.initiator.read(64, 64)), ns(50 + 27.5)) << "hit: 11 tCK";
  EXPECT_EQ(bench.latency_of(bench.initiator.read(65536, 64)), ns(50 + 57.5)) << "conflict: 23";
  EXPECT_EQ(bench.latency_of(bench.initiator.write(65536, std::vector<uint8_t>(4))), ns(50 + 25))
      << "write hit: 10 tCK";
  const auto statistics = bench.memory.statistics();
  EXPECT_EQ(statistics["row_hits"], 2);
  EXPECT_EQ(statistics["row_misses"], 1);
  EXPECT_EQ(statistics["row_conflicts"], 1);
  EXPECT_EQ(statistics["reads"], 3);
  EXPECT_EQ(statistics["writes"], 1);
  EXPECT_EQ(statistics["bytes"], 196);
  EXPECT_EQ(statistics["latency_ns"]["max"], 107.5);
  EXPECT_EQ(statistics["latency_ns"]["min"], 75);
  EXPECT_EQ(statistics["read"]["latency_ns"]["min"], 77.5);
  EXPECT_EQ(statistics["write"]["bytes"], 4);
  EXPECT_EQ(statistics["banks"][0]["row_hits"], 2);
  EXPECT_EQ(statistics["banks"][0]["activates"], 2);
  EXPECT_EQ(statistics["banks"][1]["activates"], 0);
  EXPECT_EQ(statistics["outstanding"]["max"], 1);
  EXPECT_EQ(statistics["queue"]["max"], 1);
  // Four bursts of four clock cycles each.
  const double simulated = sc_core::sc_time_stamp().to_seconds() * 1e9;
  EXPECT_DOUBLE_EQ(statistics["bus_utilisation"].get<double>(), 4 * 10 / simulated);
}

TEST(AtMemory, FrontEndIsOneParameter) {
  Configuration configuration;
  configuration.front_end_ns = 0;
  Bench bench(configuration);
  EXPECT_EQ(bench.latency_of(bench.initiator.read(0, 64)), ns(42.5));
}

TEST(AtMemory, LongTransactionIsCutIntoBursts) {
  Bench bench;
  auto& one = bench.initiator.read(32, 128);  // touches three bursts
  EXPECT_EQ(bench.latency_of(one), ns(50 + 42.5 + 2 * 10));
}

TEST(AtMemory, FullBankQueueHoldsTheRequestBack) {
  Configuration configuration;
  configuration.queue_depth = 2;
  Bench bench(configuration);
  std::vector<test::AtInitiator::Transfer*> reads;
  for (uint64_t i = 0; i < 6; ++i) reads.push_back(&bench.initiator.read(65536 * i, 64));
  bench.run();
  EXPECT_EQ(reads[1]->accepted, ns(5));
  EXPECT_EQ(reads[2]->accepted, ns(25 + 7 * 2.5 + 2.5)) << "a clock after the first was served";
  for (size_t i = 1; i < 6; ++i) EXPECT_GT(reads[i]->responded, reads[i - 1]->responded);
}

TEST(AtMemory, ResponsesOfOneIdAndDirectionStayInOrder) {
  Bench bench;
  bench.initiator.read(0, 64);     // opens row 0 of bank 0
  bench.initiator.read(8192, 64);  // and of bank 1
  bench.run();
  auto& slow = bench.initiator.read(65536, 64, 7);  // another row of bank 0
  auto& fast = bench.initiator.read(8192 + 64, 64, 7);
  auto& other_id = bench.initiator.read(8192 + 128, 64, 8);
  bench.run();
  EXPECT_LT(other_id.responded, slow.responded);
  EXPECT_GE(fast.responded, slow.responded);
  ASSERT_EQ(bench.initiator.responses().size(), 5u);
  EXPECT_EQ(bench.initiator.responses()[3], &slow);
  EXPECT_EQ(bench.initiator.responses()[4], &fast);
  auto& read = bench.initiator.read(2 * 65536, 64, 7);  // again another row
  auto& write = bench.initiator.write(8192 + 192, std::vector<uint8_t>(64), 7);
  bench.run();
  EXPECT_LT(write.responded, read.responded) << "the other direction";
}

TEST(AtMemory, SlowEndRespHoldsTheNextResponse) {
  Bench bench;
  bench.initiator.response_delay = ns(100);
  auto& first = bench.initiator.read(0, 64);
  auto& second = bench.initiator.read(64, 64);
  bench.run();
  EXPECT_EQ(second.responded - first.responded, ns(100));
}

TEST(AtMemory, AccessBeyondTheEndIsAnAddressError) {
  Bench bench;
  auto& one = bench.initiator.read(512ull << 20, 4);
  EXPECT_EQ(bench.latency_of(one), ns(50));
  EXPECT_EQ(one.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_THAT(bench.log.text(), testing::HasSubstr("read of 4 bytes at 0x20000000 is outside"));
  EXPECT_EQ(bench.memory.statistics()["read"]["errors"], 1);
  EXPECT_EQ(bench.memory.statistics()["write"]["errors"], 0);
  bench.latency_of(bench.initiator.write((512ull << 20) - 3, std::vector<uint8_t>(4)));
  EXPECT_EQ(bench.memory.statistics()["write"]["errors"], 1);
}

TEST(AtMemory, RandomTrafficHoldsItsDataAndBreaksNoRule) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  Bench bench;
  CommandChecker checker(8, timing_at(find_device("mt4jsf6464hy-1g1"), 400e6));
  bench.memory.observe(checker);
  std::vector<uint8_t> model(1 << 20);
  std::vector<std::pair<test::AtInitiator::Transfer*, std::vector<uint8_t>>> reads;
  for (int i = 0; i < 3000; ++i) {
    const auto length = static_cast<unsigned>(1 + random() % 200);
    const uint64_t address = random() % (model.size() - length);
    const auto at = model.begin() + static_cast<std::ptrdiff_t>(address);
    if (random() % 2 != 0) {
      std::vector<uint8_t> data(length);
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
      std::copy(data.begin(), data.end(), at);
      bench.initiator.write(address, data);
    } else {
      reads.emplace_back(&bench.initiator.read(address, length),
                         std::vector<uint8_t>(at, at + length));
    }
  }
  bench.run();
  for (const auto& [transfer, expected] : reads) EXPECT_EQ(transfer->data, expected);
  EXPECT_THAT(checker.violations(), testing::IsEmpty());
  EXPECT_GT(checker.commands(), 3000u);
}

TEST(AtMemory, BlockingTransportTakesTheSameTime) {
  test::Initiator initiator("initiator");
  AtMemory memory("ddr3", {});
  initiator.socket.bind(memory.socket());
  initiator.run([&] {
    initiator.write32(0x100, 77);
    EXPECT_EQ(sc_core::sc_time_stamp() + initiator.delay, ns(50 + 40))
        << "closed: 16 tCK for a write";
    EXPECT_EQ(initiator.read32(0x100), 77u);
    EXPECT_EQ(initiator.peek32(0x100), 77u);
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(initiator.socket->get_direct_mem_ptr(payload, dmi));
  });
}

TEST(AtMemory, MalformedAccessesAreRefusedAtOnce) {
  test::Initiator initiator("initiator");
  AtMemory memory("ddr3", {});
  initiator.socket.bind(memory.socket());
  initiator.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(initiator.access(tlm::TLM_READ_COMMAND, 0, &value, 0), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(sc_core::sc_time_stamp() + initiator.delay, sc_core::SC_ZERO_TIME);
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(0);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(initiator.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  });
  EXPECT_EQ(memory.statistics()["reads"], 0);
}

TEST(AtMemory, APhaseThatIsNoneOfTheProtocolsIsReported) {
  test::LogCapture log;
  test::Initiator initiator("initiator");
  AtMemory memory("ddr3", {});
  initiator.socket.bind(memory.socket());
  initiator.run([&] {
    tlm::tlm_generic_payload payload;
    uint32_t value = 0;
    payload.set_read();
    payload.set_address(0x40);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_time delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(initiator.socket->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
  });
  EXPECT_THAT(log.text(),
              testing::HasSubstr("ddr3: read of 4 bytes at 0x40 comes in an unexpected phase"));
  EXPECT_EQ(memory.statistics()["reads"], 0);
}

TEST(AtMemory, ATransactionWithoutDataTakesItsTimeAndCountsAsNeither) {
  test::Initiator initiator("initiator");
  AtMemory memory("ddr3", {});
  initiator.socket.bind(memory.socket());
  initiator.run([&] {
    EXPECT_EQ(initiator.access(tlm::TLM_IGNORE_COMMAND, 0, nullptr, 4), tlm::TLM_OK_RESPONSE);
  });
  const auto statistics = memory.statistics();
  EXPECT_EQ(statistics["reads"], 0);
  EXPECT_EQ(statistics["writes"], 0);
  EXPECT_EQ(statistics["bytes"], 0);
}

// Two accesses of one burst each go the short way, one of two bursts the long one: one memory, one
// set of statistics, and times that go on.
TEST(AtMemory, BothWaysCountAlike) {
  test::Initiator initiator("initiator");
  AtMemory memory("ddr3", {});
  initiator.socket.bind(memory.socket());
  std::vector<sc_time> times;
  initiator.run([&] {
    std::vector<uint8_t> data(128);
    const auto access = [&](tlm::tlm_command command, uint64_t address, unsigned bytes) {
      initiator.advance(ns(500));
      const sc_time begin = sc_core::sc_time_stamp() + initiator.delay;
      EXPECT_EQ(initiator.access(command, address, data.data(), bytes), tlm::TLM_OK_RESPONSE);
      times.push_back(sc_core::sc_time_stamp() + initiator.delay - begin);
    };
    access(tlm::TLM_READ_COMMAND, 0, 64);      // closed
    access(tlm::TLM_READ_COMMAND, 60, 4);      // up to the burst's end
    access(tlm::TLM_READ_COMMAND, 60, 8);      // over it
    access(tlm::TLM_WRITE_COMMAND, 65536, 4);  // conflict
  });
  EXPECT_THAT(times,
              testing::ElementsAre(ns(50 + 42.5), ns(50 + 27.5), ns(50 + 27.5 + 10), ns(50 + 55)));
  const auto statistics = memory.statistics();
  const nlohmann::ordered_json expected = {{"reads", 3},
                                           {"writes", 1},
                                           {"row_hits", 3},
                                           {"row_misses", 1},
                                           {"row_conflicts", 1},
                                           {"refreshes", 0},
                                           {"bytes", 80},
                                           {"latency_ns",
                                            {{"min", 77.5},
                                             {"mean", 90.625},
                                             {"p50", 90.111},
                                             {"p95", 105.0},
                                             {"p99", 105.0},
                                             {"max", 105.0}}}};
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(statistics[key], value) << key;
  // Four components at 1.5 V; a burst takes 4 clocks of 1.875 ns, in mA above standing by.
  EXPECT_NEAR(statistics["energy_mj"]["read"], 4 * 6 * 7.5 * (140 - 45) * 1e-9, 1e-12);
  EXPECT_NEAR(statistics["energy_mj"]["write"], 6 * 7.5 * (155 - 45) * 1e-9, 1e-12);
  EXPECT_NEAR(statistics["energy_mj"]["activate"],
              2 * 6 * (75 * 50.625 - 45 * 37.5 - 35 * 13.125) * 1e-9, 1e-12);
  EXPECT_EQ(statistics["energy_mj"]["refresh"], 0);
  const double ns_passed = sc_core::sc_time_stamp() / sc_time(1, SC_NS);
  EXPECT_NEAR(statistics["power_mw"],
              statistics["energy_mj"]["total"].get<double>() * 1e9 / ns_passed, 1e-6);
}

TEST(Energy, IsThatOfTheDataSheetsCurrents) {
  const Device device = find_device("mt4jsf6464hy-1g1");
  ASSERT_TRUE(device.currents);
  Activity activity;
  activity.cycles = 1000;
  activity.active_cycles = 400;
  activity.activates = 3;
  activity.reads = 5;
  activity.writes = 7;
  activity.refreshes = 2;
  const Energy energy = energy_of(device, *device.currents, activity);
  EXPECT_DOUBLE_EQ(energy.background, 6 * 1.875 * (45 * 400 + 35 * 600));
  EXPECT_DOUBLE_EQ(energy.activate, 29700);
  EXPECT_DOUBLE_EQ(energy.read, 21375);
  EXPECT_DOUBLE_EQ(energy.write, 34650);
  EXPECT_DOUBLE_EQ(energy.refresh, 165000);
  EXPECT_DOUBLE_EQ(energy.total(), 438750 + 29700 + 21375 + 34650 + 165000);
  // A device file without currents: nothing is said of power.
  nlohmann::ordered_json statistics;
  add_energy(statistics, find_device("ddr3-1066"), 2500, activity);
  EXPECT_TRUE(statistics.is_null());
}

TEST(AtMemory, LatencyStatisticsAreInNanoseconds) {
  Bench bench;
  for (unsigned i = 0; i < 50; ++i) bench.latency_of(bench.initiator.read(64 * i, 64));
  const auto latency = bench.memory.statistics()["latency_ns"];
  EXPECT_NEAR(latency["mean"].get<double>(), 77.8, 1e-9) << "49 hits and one closed row";
  // percentiles are those of a histogram, whose classes are a few per cent wide
  EXPECT_NEAR(latency["p50"].get<double>(), 77.5, 5);
  EXPECT_NEAR(latency["p95"].get<double>(), 77.5, 5);
  EXPECT_EQ(latency["max"], 92.5);
}

TEST(AtMemory, TheLogTellsAccessesOfBothWays) {
  test::LogCapture log;
  Log::configure("trace:ddr3");
  test::Initiator initiator("initiator");
  AtMemory memory("ddr3", {});
  initiator.socket.bind(memory.socket());
  initiator.run([&] {
    initiator.read32(0x100);  // the short way
    std::vector<uint8_t> data(128);
    initiator.advance();
    initiator.access(tlm::TLM_WRITE_COMMAND, 0x10000, data.data(), 128);  // the long one
  });
  EXPECT_THAT(log.lines(),
              testing::Contains(testing::EndsWith("ddr3 @ 0 s: read of 4 bytes at 0x100")));
  EXPECT_THAT(
      log.lines(),
      testing::Contains(testing::EndsWith("ddr3 @ 92500 ps: write of 128 bytes at 0x10000")));
  EXPECT_THAT(log.text(), testing::HasSubstr("activate bank 0, row 0x0"));
  EXPECT_THAT(log.text(), testing::HasSubstr("precharge bank 0\n"));
  EXPECT_THAT(log.text(),
              testing::HasSubstr("page conflict in bank 0: row 0x1 takes another's place"));
}

TEST(AtMemory, RefusesSettingsThatMakeNoSense) {
  Configuration configuration;
  configuration.scheduler = "magic";
  EXPECT_THROW(make_memory_controller("a", "at", configuration), Error);
  configuration = {};
  configuration.page_policy = "ajar";
  EXPECT_THROW(make_memory_controller("b", "at", configuration), Error);
  configuration = {};
  configuration.queue_depth = 0;
  EXPECT_THROW(make_memory_controller("c", "at", configuration), Error);
  configuration = {};
  configuration.size = 1ull << 30;
  EXPECT_THROW(make_memory_controller("e", "at", configuration), Error);
  for (const char* model : {"lt", "at"}) {
    configuration.size = 512ull << 20;  // all of the module
    EXPECT_NO_THROW(
        make_memory_controller((std::string("whole_") + model).c_str(), model, configuration));
    configuration.size += 1;
    EXPECT_THROW(
        make_memory_controller((std::string("more_") + model).c_str(), model, configuration),
        Error);
  }
  configuration = {};
  configuration.front_end_ns = -1;
  EXPECT_THROW(make_memory_controller("d", "at", configuration), Error);
}

}  // namespace
}  // namespace gvp::ddr3
