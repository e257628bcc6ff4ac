// SPDX-License-Identifier: Apache-2.0
// The approximately timed interconnect's short way takes exactly the time of the long one.
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "models/axi/interconnect.h"
#include "models/ddr3/memory_controller.h"
#include "models/tlm/interposer.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/support/at_initiator.h"
#include "tests/support/initiator.h"
#include "tests/support/seed.h"

namespace gvp::axi {
namespace {

constexpr uint64_t kBytes = 1 << 22;
constexpr uint64_t kRefreshInterval = 3120 * 2500;  // ps: tREFI of the ML605's module

struct HiddenWay : kit::Interposer {
  using kit::Interposer::Interposer;
  bool run_ahead(tlm::tlm_generic_payload&, sc_core::sc_time&, uint64_t) override { return false; }
};

template <typename First>
struct Bench {
  Bench(const std::string& name, bool runs_ahead, unsigned slices, const char* memory = "at",
        double target_hz = 0)
      : cpu((name + "_cpu").c_str()),
        gpu((name + "_gpu").c_str()),
        ddr3(ddr3::make_memory_controller((name + "_ddr3").c_str(), memory, {})) {
    InterconnectConfiguration configuration;
    configuration.initiators = {"cpu", "gpu"};
    configuration.targets = {"ddr3"};
    configuration.regions = {{"ddr3", 0x1000000, kBytes, 0, 0, false}};
    PortConfiguration narrow, wide;
    narrow.register_slices = slices;
    wide.data_bytes = 8;
    wide.clock_hz = slices == 0 ? 0 : 200e6;
    configuration.initiator_ports = {narrow, wide};
    PortConfiguration target = wide;
    if (target_hz != 0) target.clock_hz = target_hz;
    configuration.target_ports = {target};
    bus = make_interconnect((name + "_bus").c_str(), "at", configuration);
    cpu.socket.bind(bus->from_initiator(0));
    gpu.socket.bind(bus->from_initiator(1));
    if (runs_ahead) {
      bus->to_target(0).bind(ddr3->socket());
      return;
    }
    between = std::make_unique<HiddenWay>((name + "_between").c_str());
    bus->to_target(0).bind(between->target);
    between->initiator.bind(ddr3->socket());
  }
  First cpu;
  test::Initiator gpu;
  std::unique_ptr<ddr3::MemoryController> ddr3;
  std::unique_ptr<Interconnect> bus;
  std::unique_ptr<kit::Interposer> between;
};

struct Outcome {
  std::vector<uint64_t> ends;  // ps since the start
  std::vector<uint8_t> data;   // that was read
  uint64_t waited = 0;         // times simulated time had moved when a call returned
};

// Random accesses of one initiator, with pauses.
void access(test::Initiator& initiator, uint32_t seed, unsigned count, uint64_t pause,
            Outcome& outcome) {
  std::mt19937 random(seed);
  const uint64_t start = sc_core::sc_time_stamp().value();
  uint64_t address = 0;
  for (unsigned i = 0; i < count; ++i) {
    uint8_t data[160];
    for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
    unsigned length = 4;
    if (random() % 8 == 0) length = 1 + static_cast<unsigned>(random() % sizeof data);
    address = random() % 4 == 0 ? random() % (kBytes - sizeof data) : (address + 4) % (kBytes / 2);
    if (random() % 64 == 0) address = kBytes;  // nothing is there
    const auto command = random() % 3 == 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
    if (random() % 4 == 0) initiator.delay += sc_core::sc_time::from_value(random() % pause);
    const uint64_t before = sc_core::sc_time_stamp().value();
    initiator.access(command, 0x1000000 + address, data, length);
    const uint64_t now = sc_core::sc_time_stamp().value();
    outcome.waited += now != before ? 1 : 0;
    outcome.ends.push_back(now + initiator.delay.value() - start);
    outcome.data.insert(outcome.data.end(), data, data + length);
    if (random() % 32 == 0) initiator.advance();
  }
  initiator.advance();
}

void wait_for_refresh() {
  const uint64_t now = sc_core::sc_time_stamp().value();
  sc_core::wait(sc_core::sc_time::from_value(kRefreshInterval - now % kRefreshInterval));
}

Outcome play(Bench<test::Initiator>& bench, uint32_t seed) {
  wait_for_refresh();
  Outcome first, second;
  sc_core::sc_process_handle other = sc_core::sc_spawn([&] {
    sc_core::wait(ns(20000));
    access(bench.gpu, seed + 1, 200, 100'000'000, second);
  });
  access(bench.cpu, seed, 5000, 400'000, first);
  if (!other.terminated()) sc_core::wait(other.terminated_event());
  first.ends.insert(first.ends.end(), second.ends.begin(), second.ends.end());
  first.data.insert(first.data.end(), second.data.begin(), second.data.end());
  return first;
}

// Refreshes and time itself count from time 0, and the second run begins later.
nlohmann::ordered_json of_traffic(const ddr3::MemoryController& memory) {
  nlohmann::ordered_json statistics = memory.statistics();
  statistics.erase("refreshes");
  if (statistics.contains("energy_mj"))
    for (const char* part : {"background", "refresh", "total"}) statistics["energy_mj"].erase(part);
  statistics.erase("power_mw");
  return statistics;
}

void compare(unsigned slices, const char* memory = "at", double target_hz = 0) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  Bench<test::Initiator> way("long", false, slices, memory, target_hz),
      shortcut("short", true, slices, memory, target_hz);
  way.cpu.run([&] {
    const Outcome expected = play(way, seed);
    const Outcome outcome = play(shortcut, seed);
    EXPECT_EQ(outcome.ends, expected.ends);
    EXPECT_EQ(outcome.data, expected.data);
    EXPECT_EQ(shortcut.bus->statistics(), way.bus->statistics());
    EXPECT_EQ(of_traffic(*shortcut.ddr3), of_traffic(*way.ddr3));
    EXPECT_LT(outcome.waited * 2, expected.waited) << "the short way must be taken";
  });
}

TEST(AtRunAhead, TakesTheTimeOfTheLongWay) { compare(0); }
TEST(AtRunAhead, TakesTheTimeOfTheLongWayAcrossClocksAndSlices) { compare(2); }
TEST(AtRunAhead, TakesTheTimeOfTheLongWayToALooselyTimedMemory) { compare(0, "lt"); }

TEST(AtRunAhead, TakesTheTimeOfTheLongWayToASlowPort) { compare(0, "lt", 5e6); }

// Non-blocking: mostly one transaction at a time, sometimes the next before the last has ended.
Outcome play_phases(Bench<test::AtInitiator>& bench, uint32_t seed) {
  wait_for_refresh();
  std::mt19937 random(seed);
  const uint64_t start = sc_core::sc_time_stamp().value();
  std::vector<test::AtInitiator::Transfer*> transfers;
  for (unsigned i = 0; i < 2000; ++i) {
    const uint64_t address = 0x1000000 + random() % 64 * 32768 + random() % 4096;
    const auto length = static_cast<unsigned>(random() % 8 == 0 ? 96 : 4);
    transfers.push_back(random() % 3 == 0
                            ? &bench.cpu.write(address, std::vector<uint8_t>(length, i & 0xff))
                            : &bench.cpu.read(address, length));
    sc_core::wait(sc_core::sc_time::from_value(random() % 500'000));
  }
  sc_core::wait(ns(5000));
  Outcome outcome;
  for (const test::AtInitiator::Transfer* each : transfers) {
    outcome.ends.push_back(each->accepted.value() - start);
    outcome.ends.push_back(each->responded.value() - start);
    outcome.data.insert(outcome.data.end(), each->data.begin(), each->data.end());
  }
  return outcome;
}

TEST(AtRunAhead, PhasesComeWhenTheyComeOnTheLongWay) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  Bench<test::AtInitiator> way("long", false, 0), shortcut("short", true, 0);
  way.gpu.run([&] {
    const Outcome expected = play_phases(way, seed);
    const Outcome outcome = play_phases(shortcut, seed);
    EXPECT_EQ(outcome.ends, expected.ends);
    EXPECT_EQ(outcome.data, expected.data);
    EXPECT_EQ(shortcut.bus->statistics(), way.bus->statistics());
    EXPECT_EQ(of_traffic(*shortcut.ddr3), of_traffic(*way.ddr3));
  });
}

}  // namespace
}  // namespace gvp::axi
