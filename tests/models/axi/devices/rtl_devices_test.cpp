// SPDX-License-Identifier: Apache-2.0
// The BRAM controller and the bridge as RTL: what goes in comes out, in the cycles that they take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/axi/devices/rtl_block_ram.h"
#include "models/axi/devices/rtl_bridge.h"
#include "models/base/error.h"
#include "models/rtl/block_table.h"
#include "models/tlm/payload.h"
#include "tests/models/axi/pins/random_traffic.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/support/at_initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"

namespace gvp::axi {
namespace {

using pins::RandomTraffic;
using sc_core::sc_time;

constexpr unsigned kThreads = 5;
constexpr uint64_t kMemory = 0x10000;
constexpr uint64_t kBad = 0xf004;  // answers errors

class RtlDevices : public testing::TestWithParam<uint32_t> {
 protected:
  void SetUp() override {
    if (rtl::find_block("axi_lite_bridge") == nullptr) GTEST_SKIP() << "built without Verilator";
  }
  test::LogCapture log;
};

long cycles(const test::AtInitiator::Transfer& transfer) {
  constexpr double kCyclesPerSecond = 100e6;
  return std::lround((transfer.responded - transfer.begun).to_seconds() * kCyclesPerSecond);
}

rtl::BlockConfiguration with_seed(uint32_t seed) { return {100e6, seed}; }

TEST_P(RtlDevices, ABlockRamKeepsWhatRandomTrafficWrites) {
  const uint32_t seed = test::seed(GetParam());
  SCOPED_TRACE(test::text_of_seed(seed));
  RtlBlockRam ram("ram", "axi_bram_controller", with_seed(seed), kMemory);
  RandomTraffic traffic("traffic", seed, kThreads, pins::accesses_of_a_thread(100, kThreads), 4,
                        true);
  traffic.socket.bind(ram.socket());
  sc_core::sc_start();
  EXPECT_EQ(traffic.done, kThreads);
  EXPECT_EQ(ram.checker().violation_count(), 0u) << log.text();
  EXPECT_FALSE(ram.block().running());
}

// A memory that takes its time, with a word that answers errors; nothing wider than a word may
// reach it.
struct Registers : sc_core::sc_module {
  tlm_utils::simple_target_socket<Registers> socket{"socket"};
  std::vector<uint8_t> bytes = std::vector<uint8_t>(kMemory);
  uint64_t base;
  unsigned widest = 0;

  Registers(const sc_core::sc_module_name& name, uint64_t first) : sc_module(name), base(first) {
    socket.register_b_transport(this, &Registers::b_transport);
    socket.register_transport_dbg(this, &Registers::transport_dbg);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    widest = std::max(widest, payload.get_data_length());
    delay += sc_time(static_cast<double>(payload.get_address() % 64), sc_core::SC_NS);
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    if (payload.get_address() - base == kBad) return;
    kit::transfer(payload, bytes.data() + (payload.get_address() - base));
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
    kit::transfer(payload, bytes.data() + (payload.get_address() - base));
    return payload.get_data_length();
  }
};

TEST_P(RtlDevices, ABridgeCarriesRandomTrafficInSingleWords) {
  const uint32_t seed = test::seed(GetParam());
  SCOPED_TRACE(test::text_of_seed(seed));
  RtlBridge bridge("bridge", "axi_lite_bridge", with_seed(seed), 0x40000);
  Registers registers("registers", 0x40000);
  RandomTraffic traffic("traffic", seed, kThreads, pins::accesses_of_a_thread(30, kThreads), 4,
                        true);
  traffic.socket.bind(bridge.upstream());
  bridge.downstream().bind(registers.socket);
  sc_core::sc_start();
  EXPECT_EQ(traffic.done, kThreads);
  EXPECT_EQ(bridge.protocol_violations(), 0u) << log.text();
  EXPECT_EQ(registers.widest, 4u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RtlDevices, testing::Values(1u, 2u, 77u));

class RtlDevice : public RtlDevices {};

TEST_P(RtlDevice, ABlockRamGivesABeatACycle) {
  RtlBlockRam ram("ram", "axi_bram_controller", with_seed(GetParam()), kMemory);
  test::AtInitiator master("master");
  master.socket.bind(ram.socket());
  const auto run = [&](test::AtInitiator::Transfer& transfer) {
    sc_core::sc_start(sc_time(2, sc_core::SC_US));
    return cycles(transfer);
  };
  // In turn, as the controller lets them go.
  const long read = run(master.read(0, 4)), write = run(master.write(0, counting(4)));
  EXPECT_EQ(run(master.read(0, 256)) - read, 63);
  EXPECT_EQ(run(master.write(0, counting(256))) - write, 63);
}

TEST_P(RtlDevice, ABlockRamIsLoadedThroughTheBackDoor) {
  RtlBlockRam ram("ram", "axi_bram_controller", with_seed(GetParam()), kMemory);
  test::AtInitiator master("master");
  master.socket.bind(ram.socket());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::vector<uint8_t> data = counting(8);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(kMemory - 4);
  payload.set_data_ptr(data.data());
  payload.set_data_length(8);
  payload.set_streaming_width(8);
  EXPECT_EQ(master.socket->transport_dbg(payload), 4u);
  auto& read = master.read(kMemory - 4, 4);
  sc_core::sc_start();
  EXPECT_EQ(read.data, counting(4));
}

// The one that was evaluated last goes first: what it leaves behind must not be used.
TEST_P(RtlDevice, BlocksGoInAnyOrder) {
  const gvp_rtl_block& type = rtl::block_named("axi_lite_bridge");
  void* first = type.create("first", GetParam());
  void* second = type.create("second", GetParam());
  EXPECT_EQ(type.eval(first), 0);
  EXPECT_EQ(type.eval(second), 0);
  type.destroy(second);
  type.destroy(first);
}

TEST_P(RtlDevice, ABridgeAnswersTheFirstErrorOfAWriteAndThoseOfEachBeatOfARead) {
  RtlBridge bridge("bridge", "axi_lite_bridge", with_seed(GetParam()), 0);
  Registers registers("registers", 0);
  test::AtInitiator master("master");
  master.socket.bind(bridge.upstream());
  bridge.downstream().bind(registers.socket);
  auto& write = master.write(kBad - 4, counting(8));
  write.axi.beats = 2;
  auto& read = master.read(kBad - 4, 8);
  read.axi.beats = 2;
  auto& good = master.write(0, counting(8));
  sc_core::sc_start();
  EXPECT_EQ(write.axi.response, Response::kSlaveError);
  EXPECT_EQ(read.axi.response, Response::kSlaveError);
  EXPECT_EQ(read.data[3], 4) << "the good beat";
  EXPECT_TRUE(good.payload.is_response_ok());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RtlDevice, testing::Values(3u));

}  // namespace
}  // namespace gvp::axi
