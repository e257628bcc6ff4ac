// SPDX-License-Identifier: Apache-2.0
#include "models/axi/bridge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "models/tlm/memory.h"
#include "tests/support/at_initiator.h"
#include "tests/support/at_memory.h"
#include "tests/support/initiator.h"

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
