// SPDX-License-Identifier: Apache-2.0
#include "models/axi/lt_interconnect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/tlm/memory.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::axi {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

kit::MemoryConfiguration memory_of(uint64_t size) {
  kit::MemoryConfiguration configuration;
  configuration.size = size;
  configuration.read_latency = sc_time(100, SC_NS);
  return configuration;
}

InterconnectConfiguration two_by_two() {
  InterconnectConfiguration configuration;
  configuration.initiators = {"cpu", "gpu"};
  configuration.targets = {"ram", "device"};
  configuration.regions = {{"device", 0x9000, 0x1000, 1, 0, true},
                           {"ram", 0x4000, 0x2000, 0, 0, false},
                           {"window", 0x8000, 0x800, 0, 0x1000, false}};
  configuration.request_cycles = 2;
  configuration.response_cycles = 3;
  configuration.lite_cycles = 5;
  return configuration;
}

struct Bench {
  Bench() {
    cpu.socket.bind(bus->from_initiator(0));
    gpu.socket.bind(bus->from_initiator(1));
    bus->to_target(0).bind(ram.socket);
    bus->to_target(1).bind(device.socket);
  }
  test::Initiator cpu{"cpu"}, gpu{"gpu"};
  kit::Memory ram{"ram", memory_of(0x2000)};
  kit::Memory device{"device", memory_of(0x400)};  // smaller than its region
  std::unique_ptr<Interconnect> bus = make_interconnect("bus", "lt", two_by_two());
};

TEST(LtInterconnect, DecodesEachRegionToItsTarget) {
  Bench bench;
  bench.cpu.run([&] {
    bench.cpu.write32(0x4010, 1);
    bench.cpu.write32(0x9010, 2);
    bench.cpu.write32(0x8010, 3);  // the window begins 0x1000 into the RAM
    EXPECT_EQ(bench.ram.storage().data()[0x10], 1);
    EXPECT_EQ(bench.device.storage().data()[0x10], 2);
    EXPECT_EQ(bench.ram.storage().data()[0x1010], 3);
    EXPECT_EQ(bench.gpu.read32(0x5010), 3u);
  });
}

TEST(LtInterconnect, HoleIsDecerrAndNamesTheInitiator) {
  Bench bench;
  test::LogCapture log;
  bench.cpu.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.gpu.read(0x3ffc, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.gpu.read(0x8800, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.gpu.read(~uint64_t{3}, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  EXPECT_THAT(log.text(),
              testing::HasSubstr("bus @ 0 s: read of 4 bytes at 0x3ffc by gpu: nothing is mapped"));
  const nlohmann::json gpu = bench.bus->statistics()["initiators"]["gpu"];
  EXPECT_EQ(gpu["decode_errors"], 3);
  EXPECT_EQ(gpu["errors"], 3);
  EXPECT_EQ(gpu["read"]["transactions"], 3);
  EXPECT_EQ(gpu["read"]["errors"], 3);
}

TEST(LtInterconnect, TransactionAcrossTheEndOfARegionIsDecerr) {
  Bench bench;
  test::LogCapture log;
  bench.cpu.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.cpu.read(0x5ffe, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

TEST(LtInterconnect, ErrorsOfTheTargetArePassedOn) {
  Bench bench;
  test::LogCapture log;
  bench.cpu.run([&] {
    uint32_t value = 0;
    tlm::tlm_generic_payload payload;
    Extension extension;
    payload.set_extension(&extension);
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(0x9400);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    bench.cpu.socket->b_transport(payload, bench.cpu.delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(payload.get_address(), 0x9400u) << "the payload comes back as it was";
    EXPECT_EQ(extension.response, Response::kDecodeError);
    payload.clear_extension(&extension);
  });
  EXPECT_EQ(bench.bus->statistics()["regions"]["device"]["errors"], 1);
}

TEST(LtInterconnect, AddsItsLatencies) {
  Bench bench;
  bench.cpu.run([&] {
    bench.cpu.read32(0x4000);
    EXPECT_EQ(bench.cpu.delay, sc_time(100 + 50, SC_NS));
    bench.cpu.delay = sc_core::SC_ZERO_TIME;
    bench.cpu.read32(0x9000);
    EXPECT_EQ(bench.cpu.delay, sc_time(100 + 50 + 50, SC_NS)) << "AXI4-Lite bridge";
    bench.cpu.delay = sc_core::SC_ZERO_TIME;
    uint8_t line[32];
    bench.cpu.access(tlm::TLM_READ_COMMAND, 0x4000, line, sizeof line);
    EXPECT_EQ(bench.cpu.delay, sc_time(100 + 50 + 70, SC_NS)) << "8 beats";
  });
}

TEST(LtInterconnect, DirectMemoryIsTranslatedAndClippedToTheRegion) {
  Bench bench;
  bench.cpu.run([&] {
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    payload.set_address(0x8004);
    ASSERT_TRUE(bench.cpu.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x8000u);
    EXPECT_EQ(dmi.get_end_address(), 0x87ffu);
    EXPECT_EQ(dmi.get_dmi_ptr(), bench.ram.storage().data() + 0x1000);
    EXPECT_EQ(dmi.get_read_latency(), sc_time(150, SC_NS));
    payload.set_address(0x9004);
    ASSERT_TRUE(bench.cpu.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_EQ(dmi.get_end_address(), 0x93ffu) << "the memory is smaller than its region";
    payload.set_address(0x100);
    EXPECT_FALSE(bench.cpu.socket->get_direct_mem_ptr(payload, dmi));
  });
}

TEST(LtInterconnect, InvalidationReachesEveryInitiatorForEveryRegion) {
  Bench bench;
  bench.cpu.run([&] { bench.ram.allow_dmi(false); });
  for (const test::Initiator* each : {&bench.cpu, &bench.gpu}) {
    ASSERT_EQ(each->invalidations.size(), 2u);
    EXPECT_EQ(each->invalidations[0].start, 0x4000u);
    EXPECT_EQ(each->invalidations[0].end, 0x5fffu);
    EXPECT_EQ(each->invalidations[1].start, 0x8000u);
    EXPECT_EQ(each->invalidations[1].end, 0x87ffu);
  }
}

TEST(LtInterconnect, DebugAccessGoesThrough) {
  Bench bench;
  bench.cpu.run([&] {
    bench.ram.storage().data()[0x1000] = 0x5a;
    EXPECT_EQ(bench.cpu.peek32(0x8000), 0x5au);
    EXPECT_EQ(bench.cpu.peek32(0x7000), std::nullopt);
  });
}

TEST(LtInterconnect, CountsTrafficPerInitiatorAndRegion) {
  Bench bench;
  bench.cpu.run([&] {
    bench.cpu.write32(0x4000, 1);
    bench.cpu.read32(0x4000);
    bench.gpu.read32(0x9000);
  });
  const auto statistics = bench.bus->statistics();
  EXPECT_EQ(statistics["initiators"]["cpu"]["reads"], 1);
  EXPECT_EQ(statistics["initiators"]["cpu"]["bytes_written"], 4);
  EXPECT_EQ(statistics["regions"]["device"]["reads"], 1);
  EXPECT_EQ(statistics["regions"]["ram"]["reads"], 1);
  const auto& targets = statistics["targets"];
  uint64_t reads = 0, bytes = 0;
  for (const auto& [name, target] : targets.items()) {
    reads += target["read"]["transactions"].get<uint64_t>();
    bytes += target["read"]["bytes"].get<uint64_t>() + target["write"]["bytes"].get<uint64_t>();
  }
  EXPECT_EQ(targets.size(), 2u);
  EXPECT_EQ(reads, 2u);
  EXPECT_EQ(bytes, 12u);
  EXPECT_THAT(bench.bus->busy_ps(), testing::ElementsAre(20000, 10000))
      << "a beat a cycle of 10 ns";
}

// Runs of transactions that are alike are counted as such: what breaks a run (the target's latency,
// the length, an error, another region or command) must not lose or mix anything.
TEST(LtInterconnect, CountsEachOfSeveralRunsOnce) {
  Bench bench;
  test::LogCapture log;
  bench.cpu.run([&] {
    uint32_t value = 0;
    uint8_t line[32] = {};
    for (int i = 0; i < 3; ++i) bench.cpu.read32(0x4000);
    bench.cpu.access(tlm::TLM_READ_COMMAND, 0x4000, line, sizeof line);
    bench.cpu.read32(0x9000);
    EXPECT_EQ(bench.cpu.read(0x9400, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.bus->statistics()["initiators"]["cpu"]["reads"], 6);
    bench.cpu.write32(0x4000, 1);
    for (int i = 0; i < 2; ++i) bench.cpu.read32(0x4000);
  });
  const nlohmann::json statistics = bench.bus->statistics();
  const nlohmann::json cpu = statistics["initiators"]["cpu"], ram = statistics["targets"]["ram"];
  const nlohmann::json device = statistics["targets"]["device"];
  EXPECT_EQ(cpu["read"]["transactions"], 8);
  EXPECT_EQ(cpu["read"]["bytes"], 5 * 4 + 32 + 2 * 4);
  EXPECT_EQ(cpu["read"]["beats"], 5 + 8 + 2);
  EXPECT_EQ(cpu["read"]["errors"], 1);
  EXPECT_EQ(cpu["write"]["transactions"], 1);
  EXPECT_EQ(cpu["outstanding"]["max"], 1);
  EXPECT_EQ(cpu["read"]["latency_ns"]["min"], 100) << "the error: the bus and the bridge alone";
  EXPECT_EQ(cpu["read"]["latency_ns"]["max"], 100 + 50 + 70);
  EXPECT_EQ(cpu["read"]["latency_ns"]["mean"], (5 * 150 + 220 + 200 + 100) / 8.0);
  EXPECT_EQ(ram["read"]["transactions"], 6);
  EXPECT_EQ(ram["read"]["latency_ns"]["max"], 100);
  EXPECT_EQ(ram["outstanding"]["max"], 1);
  EXPECT_EQ(device["read"]["transactions"], 2);
  EXPECT_EQ(device["read"]["errors"], 1);
  EXPECT_EQ(device["read"]["latency_ns"]["min"], 0);
  EXPECT_EQ(statistics["initiators"]["gpu"]["outstanding"]["max"], 0);
}

// Takes 10 and 30 ns in turn.
struct Alternating : sc_core::sc_module {
  explicit Alternating(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Alternating::b_transport);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    delay += sc_time(accesses++ % 2 == 0 ? 10 : 30, SC_NS);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  tlm_utils::simple_target_socket<Alternating> socket{"socket"};
  unsigned accesses = 0;
};

TEST(LtInterconnect, CountsLatenciesThatAlternate) {
  test::Initiator cpu("cpu"), gpu("gpu");
  Alternating ram("ram"), device("device");
  const auto bus = make_interconnect("bus", "lt", two_by_two());
  cpu.socket.bind(bus->from_initiator(0));
  gpu.socket.bind(bus->from_initiator(1));
  bus->to_target(0).bind(ram.socket);
  bus->to_target(1).bind(device.socket);
  cpu.run([&] {
    for (int i = 0; i < 4; ++i) cpu.read32(0x4000);
  });
  const nlohmann::json statistics = bus->statistics();
  const nlohmann::json at_target = statistics["targets"]["ram"]["read"]["latency_ns"];
  const nlohmann::json at_initiator = statistics["initiators"]["cpu"]["read"]["latency_ns"];
  EXPECT_EQ(at_target["min"], 10);
  EXPECT_EQ(at_target["mean"], 20);
  EXPECT_EQ(at_target["max"], 30);
  EXPECT_EQ(at_initiator["min"], 60);
  EXPECT_EQ(at_initiator["mean"], 70);
  EXPECT_EQ(at_initiator["max"], 80);
}

class Exclusive {
 public:
  Exclusive(test::Initiator& initiator, uint32_t id) : initiator_(initiator) {
    extension_.id = id;
    extension_.exclusive = true;
  }
  Response access(tlm::tlm_command command, uint64_t address, uint32_t& value) {
    tlm::tlm_generic_payload payload;
    payload.set_extension(&extension_);
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    initiator_.socket->b_transport(payload, initiator_.delay);
    payload.clear_extension(&extension_);
    return extension_.response;
  }

 private:
  test::Initiator& initiator_;
  Extension extension_;
};

TEST(LtInterconnect, ExclusivePairSucceedsUntilSomebodyWrites) {
  Bench bench;
  bench.cpu.run([&] {
    Exclusive cpu(bench.cpu, 1), gpu(bench.gpu, 1);
    uint32_t old = 0, one = 1, two = 2;
    EXPECT_EQ(cpu.access(tlm::TLM_WRITE_COMMAND, 0x4000, one), Response::kOkay)
        << "no reservation yet";
    EXPECT_EQ(bench.cpu.read32(0x4000), 0u);
    EXPECT_EQ(cpu.access(tlm::TLM_READ_COMMAND, 0x4000, old), Response::kExclusiveOkay);
    EXPECT_EQ(gpu.access(tlm::TLM_READ_COMMAND, 0x4000, old), Response::kExclusiveOkay);
    EXPECT_EQ(gpu.access(tlm::TLM_WRITE_COMMAND, 0x4000, two), Response::kExclusiveOkay);
    EXPECT_EQ(cpu.access(tlm::TLM_WRITE_COMMAND, 0x4000, one), Response::kOkay);
    EXPECT_EQ(bench.cpu.read32(0x4000), 2u);
    EXPECT_EQ(cpu.access(tlm::TLM_READ_COMMAND, 0x4000, old), Response::kExclusiveOkay);
    bench.gpu.write32(0x4002 & ~3u, 9);
    EXPECT_EQ(cpu.access(tlm::TLM_WRITE_COMMAND, 0x4000, one), Response::kOkay);
  });
}

TEST(LtInterconnect, WrappingBurstGoesRoundItsBlock) {
  Bench bench;
  test::LogCapture log;
  bench.cpu.run([&] {
    for (unsigned i = 0; i < 64; ++i) bench.ram.storage().data()[i] = static_cast<uint8_t>(i);
    uint8_t data[16] = {};
    Extension extension;
    extension.burst = Burst::kWrapping;
    tlm::tlm_generic_payload payload;
    payload.set_extension(&extension);
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(0x4014);
    payload.set_data_ptr(data);
    payload.set_data_length(16);
    payload.set_streaming_width(16);
    bench.cpu.socket->b_transport(payload, bench.cpu.delay);
    EXPECT_THAT(data, testing::ElementsAre(0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c,
                                           0x1d, 0x1e, 0x1f, 0x10, 0x11, 0x12, 0x13));
    EXPECT_EQ(payload.get_address(), 0x4014u);
    payload.set_data_length(12);
    payload.set_streaming_width(12);
    bench.cpu.socket->b_transport(payload, bench.cpu.delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
    payload.clear_extension(&extension);
  });
}

TEST(AddressMap, RefusesRegionsThatMakeNoSense) {
  const auto broken = [](Region region) {
    InterconnectConfiguration configuration = two_by_two();
    configuration.regions.push_back(region);
    return configuration;
  };
  EXPECT_THROW(AddressMap(broken({"empty", 0, 0, 0, 0, false})), Error);
  EXPECT_THROW(AddressMap(broken({"wraps", ~uint64_t{0}, 2, 0, 0, false})), Error);
  EXPECT_THROW(AddressMap(broken({"overlaps", 0x5fff, 0x10, 0, 0, false})), Error);
  EXPECT_THROW(AddressMap(broken({"nowhere", 0, 0x10, 7, 0, false})), Error);
  EXPECT_NO_THROW(AddressMap(broken({"top", ~uint64_t{0}, 1, 0, 0, false})));
  for (const Region& region : two_by_two().regions) {
    const uint64_t behind = region.base + region.size;
    EXPECT_THROW(AddressMap(broken({"inside", behind - 1, 1, 0, 0, false})), Error);
    EXPECT_THROW(AddressMap(broken({"around", region.base - 1, 2, 0, 0, false})), Error);
    EXPECT_NO_THROW(AddressMap(broken({"before", region.base - 1, 1, 0, 0, false})));
  }
}

TEST(MakeInterconnect, UnknownModelIsBadInput) {
  EXPECT_THROW(make_interconnect("bus", "fast", two_by_two()), Error);
}

}  // namespace
}  // namespace gvp::axi
