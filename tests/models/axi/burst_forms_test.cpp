// SPDX-License-Identifier: Apache-2.0
// FIXED and wrapping bursts and exclusive accesses, in both interconnects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "models/axi/interconnect.h"
#include "models/axi/protocol_checker.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/support/at_initiator.h"
#include "tests/support/at_memory.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::axi {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The approximately timed one, with protocol checkers at its targets.
struct Bench {
  explicit Bench(const InterconnectConfiguration& configuration = two_by_two())
      : at_cpu("at_cpu", {false, 4,
                          configuration.initiator_ports.empty()
                              ? PortConfiguration{}.outstanding
                              : configuration.initiator_ports[0].outstanding}),
        bus(make_interconnect("bus", "at", configuration)) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    cpu.socket.bind(at_cpu.target);
    at_cpu.initiator.bind(bus->from_initiator(0));
    gpu.socket.bind(bus->from_initiator(1));
    bus->to_target(0).bind(at_ram.target);
    at_ram.initiator.bind(ram.socket);
    bus->to_target(1).bind(at_device.target);
    at_device.initiator.bind(device.socket);
  }
  void run() {
    sc_core::sc_start();
    EXPECT_EQ(cpu.unfinished() + gpu.unfinished(), 0u);
    for (const ProtocolChecker* each : {&at_ram, &at_device})
      for (const auto& violation : each->violations())
        ADD_FAILURE() << each->name() << ": " << violation.rule << ": " << violation.text;
  }
  test::LogCapture log;
  test::AtInitiator cpu{"cpu"}, gpu{"gpu"};
  ProtocolChecker at_cpu, at_ram{"at_ram", {false, 4, 0}}, at_device{"at_device", {true, 4, 0}};
  test::AtMemory ram{"ram", 0x10000}, device{"device", 0x800};
  std::unique_ptr<Interconnect> bus;
};

TEST(BurstForms, StreamingTransferGoesInFixedBurstsOfSixteenBeats) {
  Bench bench;
  auto& one = bench.cpu.write(0x10000, counting(80));
  one.payload.set_streaming_width(4);
  one.axi.burst = Burst::kFixed;
  one.axi.beats = 16;  // what is legal at the initiator's side is not asked here
  bench.run();
  ASSERT_EQ(bench.ram.requests.size(), 2u);
  for (const auto& each : bench.ram.requests) {
    EXPECT_EQ(each.address, 0u);
    EXPECT_EQ(each.axi.burst, Burst::kFixed);
    EXPECT_EQ(each.axi.beat_bytes_log2, 2);
  }
  EXPECT_EQ(bench.ram.requests[0].axi.beats, 16);
  EXPECT_EQ(bench.ram.requests[1].axi.beats, 4);
  EXPECT_EQ(one.accepted, ns(20 * 10)) << "a cycle a beat";
  EXPECT_THAT(std::vector<uint8_t>(bench.ram.bytes.begin(), bench.ram.bytes.begin() + 5),
              ElementsAre(77, 78, 79, 80, 0))
      << "the last word stays";
}

TEST(BurstForms, StreamingToAnAxi4LiteTargetIsSingleBeatsToOneAddress) {
  Bench bench;
  auto& one = bench.cpu.write(0x20010, counting(12));
  one.payload.set_streaming_width(4);
  bench.run();
  ASSERT_EQ(bench.device.requests.size(), 3u);
  for (const auto& each : bench.device.requests) {
    EXPECT_EQ(each.address, 0x10u);
    EXPECT_EQ(each.length, 4u);
  }
  EXPECT_EQ(bench.device.bytes[0x10], 9);
}

TEST(BurstForms, ByteWideStreamingOnAWiderBusTakesABeatAByte) {
  Bench bench;
  auto& one = bench.cpu.read(0x10000, 8);
  one.payload.set_streaming_width(1);
  bench.run();
  ASSERT_EQ(bench.ram.requests.size(), 1u);
  EXPECT_EQ(bench.ram.requests[0].axi.beats, 8);
  EXPECT_EQ(bench.ram.requests[0].axi.beat_bytes_log2, 0);
  EXPECT_EQ(one.responded, ns(20 + 100 + 30 + 7 * 10));
}

TEST(BurstForms, WrappingBurstAtTheEndOfARegionStaysInIt) {
  Bench bench;
  auto& one = bench.cpu.read(0x1fff8, 16);  // its block is 0x1fff0..0x1ffff
  one.axi.burst = Burst::kWrapping;
  one.axi.beats = 4;
  bench.run();
  EXPECT_EQ(one.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  ASSERT_EQ(bench.ram.requests.size(), 2u);
  EXPECT_EQ(bench.ram.requests[0].address, 0xfff8u);
  EXPECT_EQ(bench.ram.requests[1].address, 0xfff0u);
}

TEST(BurstForms, WrappingWriteEndsReservationsInItsWholeBlock) {
  Bench bench;
  bench.cpu.read(0x10000, 4, 1).axi.exclusive = true;
  bench.run();
  auto& wrapping = bench.gpu.write(0x10008, counting(16));
  wrapping.axi.burst = Burst::kWrapping;
  wrapping.axi.beats = 4;
  bench.run();
  auto& store = bench.cpu.write(0x10000, counting(4, 50), 1);
  store.axi.exclusive = true;
  bench.run();
  EXPECT_EQ(store.axi.response, Response::kOkay) << "not EXOKAY";
  EXPECT_EQ(bench.ram.bytes[0], 9) << "the wrapping burst's third word";
}

TEST(BurstForms, ExclusiveAccessesBehindAnAxi4LiteBridgeAreOrdinaryOnes) {
  Bench bench;
  auto& load = bench.cpu.read(0x20000, 4);
  load.axi.exclusive = true;
  bench.run();
  EXPECT_EQ(load.axi.response, Response::kOkay) << "nothing there reserves";
  auto& store = bench.cpu.write(0x20000, counting(4, 9));
  store.axi.exclusive = true;
  bench.run();
  EXPECT_EQ(store.axi.response, Response::kOkay);
  EXPECT_EQ(bench.device.bytes[0], 9) << "written: AxLOCK is ignored";
}

TEST(BurstForms, ReservationsAreKeptForEachPortAndId) {
  Bench bench;
  bench.cpu.read(0x10000, 4, 1).axi.exclusive = true;
  bench.cpu.read(0x10010, 4, 2).axi.exclusive = true;
  bench.gpu.read(0x10020, 4, 1).axi.exclusive = true;
  bench.run();
  auto& first = bench.cpu.write(0x10000, counting(4), 1);
  auto& second = bench.cpu.write(0x10010, counting(4), 2);
  auto& third = bench.gpu.write(0x10020, counting(4), 1);
  auto& stranger = bench.gpu.write(0x10010, counting(4), 2);
  for (auto* each : {&first, &second, &third, &stranger}) each->axi.exclusive = true;
  bench.run();
  EXPECT_EQ(first.axi.response, Response::kExclusiveOkay);
  EXPECT_EQ(second.axi.response, Response::kExclusiveOkay);
  EXPECT_EQ(third.axi.response, Response::kExclusiveOkay);
  EXPECT_EQ(stranger.axi.response, Response::kOkay);
}

TEST(BurstForms, TargetsSeeThePortNumberAboveTheInitiatorsId) {
  Bench bench;
  bench.cpu.read(0x10000, 4, 5);
  bench.gpu.write(0x10010, counting(4), 6);
  bench.run();
  ASSERT_EQ(bench.ram.requests.size(), 2u);
  EXPECT_EQ(bench.ram.requests[0].axi.id, 1u << 16 | 5);
  EXPECT_EQ(bench.ram.requests[1].axi.id, 2u << 16 | 6);
}

// The limit that a port is configured with is the one that a checker at its socket may hold it to.
TEST(BurstForms, NoMoreAreAcceptedThanThePortsLimit) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.initiator_ports.resize(1);
  configuration.initiator_ports[0].outstanding = 3;
  Bench bench(configuration);
  for (uint32_t i = 0; i < 20; ++i) {
    bench.cpu.read(0x10000 + 4 * i, 4, i);
    bench.cpu.write(0x11000 + 4 * i, counting(4), i);
  }
  bench.run();
  EXPECT_THAT(bench.at_cpu.violations(), IsEmpty());
}

TEST(BurstForms, AsManyAreAcceptedAsThePortsLimit) {
  InterconnectConfiguration configuration = two_by_two();
  configuration.initiator_ports.resize(1);
  configuration.initiator_ports[0].outstanding = 4;
  test::LogCapture log;
  test::AtInitiator cpu("cpu"), gpu("gpu");
  ProtocolChecker checker("checker", {false, 4, 3});  // agreed is one less
  test::AtMemory ram("ram", 0x10000), device("device", 0x800);
  auto bus = make_interconnect("bus", "at", configuration);
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  cpu.socket.bind(checker.target);
  checker.initiator.bind(bus->from_initiator(0));
  gpu.socket.bind(bus->from_initiator(1));
  bus->to_target(0).bind(ram.socket);
  bus->to_target(1).bind(device.socket);
  for (uint32_t i = 0; i < 8; ++i) cpu.read(0x10000 + 4 * i, 4, i);
  sc_core::sc_start();
  ASSERT_FALSE(checker.violations().empty());
  EXPECT_EQ(checker.violations().front().rule, "AXI_OUTSTANDING");
}

// ---- the loosely timed one

struct LooseBench {
  LooseBench() : bus(make_interconnect("bus", "lt", two_by_two())) {
    cpu.socket.bind(bus->from_initiator(0));
    gpu.socket.bind(bus->from_initiator(1));
    bus->to_target(0).bind(ram.socket);
    bus->to_target(1).bind(device.socket);
  }
  // One word; the AXI response.
  Response access(test::Initiator& initiator, tlm::tlm_command command, uint64_t address,
                  std::vector<uint8_t> data, Extension axi) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data.data());
    payload.set_data_length(static_cast<unsigned>(data.size()));
    payload.set_streaming_width(static_cast<unsigned>(data.size()));
    payload.set_extension(&axi);
    initiator.socket->b_transport(payload, initiator.delay);
    payload.clear_extension(&axi);
    // What the bus changes on the way it puts back: the payload is its initiator's.
    EXPECT_EQ(payload.get_address(), address);
    EXPECT_EQ(payload.get_data_ptr(), data.data());
    EXPECT_EQ(payload.get_data_length(), data.size());
    EXPECT_EQ(payload.get_streaming_width(), data.size());
    EXPECT_EQ(payload.get_byte_enable_ptr(), nullptr);
    return axi.response;
  }
  static Extension exclusive() {
    Extension axi;
    axi.exclusive = true;
    return axi;
  }
  static Extension wrapping() {
    Extension axi;
    axi.burst = Burst::kWrapping;
    axi.beats = 4;
    return axi;
  }
  test::LogCapture log;
  test::Initiator cpu{"cpu"}, gpu{"gpu"};
  test::AtMemory ram{"ram", 0x10000}, device{"device", 0x800};
  std::unique_ptr<Interconnect> bus;
};

TEST(BurstForms, LooselyTimedWrappingBurstsStayInTheirBlock) {
  LooseBench bench;
  bench.cpu.run([&] {
    EXPECT_EQ(bench.access(bench.cpu, tlm::TLM_READ_COMMAND, 0x1fff8, counting(16),
                           LooseBench::wrapping()),
              Response::kOkay);
    EXPECT_EQ(bench.access(bench.cpu, tlm::TLM_READ_COMMAND, 0x10000, counting(4),
                           LooseBench::exclusive()),
              Response::kExclusiveOkay);
    bench.access(bench.gpu, tlm::TLM_WRITE_COMMAND, 0x10008, counting(16), LooseBench::wrapping());
    EXPECT_EQ(bench.access(bench.cpu, tlm::TLM_WRITE_COMMAND, 0x10000, counting(4, 50),
                           LooseBench::exclusive()),
              Response::kOkay);
    EXPECT_EQ(bench.ram.bytes[0], 9);
  });
}

// 128 bytes is the most an exclusive access can have (IHI 0022, A7.2.4).
TEST(BurstForms, LooselyTimedExclusiveAccessesReserveAllOfTheirBytes) {
  LooseBench bench;
  bench.cpu.run([&] {
    const auto exclusive = [&](tlm::tlm_command command, unsigned bytes) {
      return bench.access(bench.cpu, command, 0x10080, counting(bytes, 5), LooseBench::exclusive());
    };
    EXPECT_EQ(exclusive(tlm::TLM_READ_COMMAND, 128), Response::kExclusiveOkay);
    EXPECT_EQ(exclusive(tlm::TLM_WRITE_COMMAND, 64), Response::kOkay) << "another size";
    EXPECT_EQ(exclusive(tlm::TLM_WRITE_COMMAND, 128), Response::kExclusiveOkay);
    EXPECT_EQ(bench.ram.bytes[0x80 + 127], 5 + 127);
    EXPECT_EQ(exclusive(tlm::TLM_READ_COMMAND, 128), Response::kExclusiveOkay);
    bench.access(bench.gpu, tlm::TLM_WRITE_COMMAND, 0x100ff, counting(1), {});
    EXPECT_EQ(exclusive(tlm::TLM_WRITE_COMMAND, 128), Response::kOkay) << "its last byte";
    EXPECT_EQ(exclusive(tlm::TLM_READ_COMMAND, 128), Response::kExclusiveOkay);
    bench.access(bench.gpu, tlm::TLM_WRITE_COMMAND, 0x10100, counting(1), {});
    bench.access(bench.gpu, tlm::TLM_WRITE_COMMAND, 0x1007f, counting(1), {});
    EXPECT_EQ(exclusive(tlm::TLM_WRITE_COMMAND, 128), Response::kExclusiveOkay) << "beside it";
  });
}

TEST(BurstForms, LooselyTimedExclusiveAccessesBehindAnAxi4LiteBridgeAreOrdinaryOnes) {
  LooseBench bench;
  bench.cpu.run([&] {
    EXPECT_EQ(bench.access(bench.cpu, tlm::TLM_READ_COMMAND, 0x20000, counting(4),
                           LooseBench::exclusive()),
              Response::kOkay);
    EXPECT_EQ(bench.access(bench.cpu, tlm::TLM_WRITE_COMMAND, 0x20000, counting(4, 9),
                           LooseBench::exclusive()),
              Response::kOkay);
    EXPECT_EQ(bench.device.bytes[0], 9) << "written: AxLOCK is ignored";
  });
}

}  // namespace
}  // namespace gvp::axi
