// SPDX-License-Identifier: Apache-2.0
// A transaction's identity on its way from an initiator through an interconnect.
#include "models/tlm/transaction_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <set>

#include "models/axi/interconnect.h"
#include "models/tlm/transaction_numbering.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/support/at_initiator.h"
#include "tests/support/at_memory.h"
#include "tests/support/initiator.h"

namespace gvp::axi {
namespace {

using kit::TransactionIdentity;

struct Bench {
  Bench() : bus(make_interconnect("bus", "at", two_by_two())) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    cpu.socket.bind(cpu_numbers.target);
    cpu_numbers.initiator.bind(bus->from_initiator(0));
    gpu.socket.bind(bus->from_initiator(1));
    bus->to_target(0).bind(ram.socket);
    bus->to_target(1).bind(device.socket);
  }
  void run() {
    sc_core::sc_start();
    EXPECT_EQ(cpu.unfinished() + gpu.unfinished(), 0u);
  }
  test::AtInitiator cpu{"cpu"}, gpu{"gpu"};
  kit::TransactionNumbering cpu_numbers{"cpu_numbers", "cpu"};
  test::AtMemory ram{"ram", 0x10000}, device{"device", 0x800};
  std::unique_ptr<Interconnect> bus;
};

TEST(TransactionIdentityTest, EveryBurstKnowsWhomItServes) {
  Bench bench;
  bench.cpu.write(0x10ff8, counting(16), 1);  // two bursts, across 4 KiB
  bench.cpu.read(0x10100, 64, 2);
  bench.run();
  ASSERT_EQ(bench.ram.requests.size(), 3u);
  std::set<uint64_t> numbers;
  for (const auto& request : bench.ram.requests) {
    EXPECT_EQ(request.parent, request.root) << "children of what the initiator began";
    EXPECT_EQ(request.root, request.write ? 1u : 2u);
    numbers.insert(request.number);
  }
  EXPECT_EQ(numbers.size(), 3u);
  EXPECT_GT(*numbers.begin(), 2u) << "children have numbers of their own";
}

TEST(TransactionIdentityTest, NobodyIsNumberedWithoutAnObserver) {
  Bench bench;
  bench.cpu.read(0x10000, 4);
  bench.gpu.read(0x10100, 4);
  bench.run();
  ASSERT_EQ(bench.ram.requests.size(), 2u);
  for (const auto& request : bench.ram.requests)
    EXPECT_EQ(request.root, request.address < 0x100 ? 1u : 0u) << request.address;
}

TEST(TransactionIdentityTest, ANumberEndsWithItsTransaction) {
  Bench bench;
  auto& one = bench.cpu.read(0x10000, 4);
  bench.run();
  EXPECT_EQ(one.payload.get_extension<TransactionIdentity>(), nullptr);
}

TEST(TransactionIdentityTest, BlockingTransportCarriesItForTheCall) {
  test::Initiator initiator("initiator");
  kit::TransactionNumbering outer("outer", "cpu");
  kit::TransactionNumbering inner("inner", "somebody else");
  struct Target : sc_core::sc_module {
    tlm_utils::simple_target_socket<Target> socket{"socket"};
    std::vector<TransactionIdentity> seen;
    explicit Target(const sc_core::sc_module_name& name) : sc_module(name) {
      socket.register_b_transport(this, &Target::b_transport);
    }
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
      ASSERT_NE(payload.get_extension<TransactionIdentity>(), nullptr);
      seen.push_back(*payload.get_extension<TransactionIdentity>());
      payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
  } target("target");
  initiator.socket.bind(outer.target);
  outer.initiator.bind(inner.target);
  inner.initiator.bind(target.socket);
  initiator.run([&] {
    initiator.read32(0);
    initiator.write32(4, 1);
  });
  ASSERT_EQ(target.seen.size(), 2u);
  EXPECT_EQ(target.seen[0].number, 1u);
  EXPECT_EQ(target.seen[1].number, 2u);
  for (const auto& identity : target.seen) {
    EXPECT_EQ(identity.root, identity.number);
    EXPECT_EQ(identity.parent, 0u);
    EXPECT_STREQ(identity.port, "cpu") << "the first to number it";
  }
}

}  // namespace
}  // namespace gvp::axi
