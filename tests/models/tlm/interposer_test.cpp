// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/interposer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <memory>
#include <string>
#include <vector>

namespace gvp::kit {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::ElementsAre;

// Both ends of a hop; each call answers with something that the other end must see.
struct Ends : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<Ends> up{"up"};
  tlm_utils::simple_target_socket<Ends> down{"down"};
  uint64_t invalidated = 0;

  explicit Ends(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    down.register_b_transport(this, &Ends::b_transport);
    down.register_nb_transport_fw(this, &Ends::nb_transport_fw);
    down.register_transport_dbg(this, &Ends::transport_dbg);
    down.register_get_direct_mem_ptr(this, &Ends::get_direct_mem_ptr);
    up.register_nb_transport_bw(this, &Ends::nb_transport_bw);
    up.register_invalidate_direct_mem_ptr(this, &Ends::invalidate);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    delay += sc_time(3, SC_NS);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_time& delay) {
    phase = tlm::END_REQ;
    delay += sc_time(4, SC_NS);
    return tlm::TLM_UPDATED;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase,
                                     sc_time& delay) {
    phase = tlm::END_RESP;
    delay += sc_time(5, SC_NS);
    return tlm::TLM_UPDATED;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload&) { return 7; }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
    dmi.set_end_address(99);
    return true;
  }
  void invalidate(sc_dt::uint64 start, sc_dt::uint64 end) { invalidated = end - start; }
};

// Notes the way out and the way back.
struct Noting : Interposer {
  using Interposer::Interposer;
  std::vector<std::string> seen;

  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) override {
    seen.emplace_back(payload.is_response_ok() ? "answered" : "asked");
    Interposer::b_transport(payload, delay);
    seen.emplace_back(payload.is_response_ok() ? "answered" : "asked");
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& delay) override {
    seen.emplace_back(phase.get_name());
    const auto answer = Interposer::nb_transport_fw(payload, phase, delay);
    seen.emplace_back(phase.get_name());
    return answer;
  }
};

struct Bench {
  Ends ends{"ends"};
  Noting first{"first"}, second{"second"};
  tlm::tlm_generic_payload payload;
  sc_time delay;

  Bench() {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    ends.up.bind(first.target);
    first.initiator.bind(second.target);
    second.initiator.bind(ends.down);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

TEST(Interposer, PassesBlockingTransportOnAndSeesBothWays) {
  Bench bench;
  bench.ends.up->b_transport(bench.payload, bench.delay);
  EXPECT_EQ(bench.delay, sc_time(3, SC_NS));
  EXPECT_THAT(bench.first.seen, ElementsAre("asked", "answered"));
  EXPECT_THAT(bench.second.seen, ElementsAre("asked", "answered"));
}

TEST(Interposer, PassesPhasesOnInBothDirections) {
  Bench bench;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  EXPECT_EQ(bench.ends.up->nb_transport_fw(bench.payload, phase, bench.delay), tlm::TLM_UPDATED);
  EXPECT_EQ(phase, tlm::END_REQ);
  EXPECT_EQ(bench.delay, sc_time(4, SC_NS));
  EXPECT_THAT(bench.second.seen, ElementsAre("BEGIN_REQ", "END_REQ"));
  phase = tlm::BEGIN_RESP;
  EXPECT_EQ(bench.ends.down->nb_transport_bw(bench.payload, phase, bench.delay), tlm::TLM_UPDATED);
  EXPECT_EQ(phase, tlm::END_RESP);
  EXPECT_EQ(bench.delay, sc_time(9, SC_NS));
}

// A target with a short way, and one without.
struct Short : sc_core::sc_module, RunAhead, tlm::tlm_fw_transport_if<> {
  tlm::tlm_target_socket<> socket{"socket"};
  tlm_utils::simple_initiator_socket<Short> other{"other"};
  explicit Short(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.bind(*this);
  }
  bool run_ahead(tlm::tlm_generic_payload&, sc_time& delay, uint64_t limit) override {
    delay += sc_time(6, SC_NS);
    return limit == 42;
  }
  void b_transport(tlm::tlm_generic_payload&, sc_time&) override {}
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_time&) override {
    return tlm::TLM_ACCEPTED;
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }
};

TEST(Interposer, PassesTheShortWayOnWhereThereIsOne) {
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  Ends with("with"), without("without");
  Interposer first("first"), second("second"), third("third");
  Short behind("behind");
  with.up.bind(first.target);
  first.initiator.bind(second.target);
  second.initiator.bind(behind.socket);
  without.up.bind(third.target);
  third.initiator.bind(without.down);
  behind.other.bind(with.down);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  tlm::tlm_generic_payload payload;
  sc_time delay;
  EXPECT_TRUE(dynamic_cast<RunAhead&>(*with.up.operator->()).run_ahead(payload, delay, 42));
  EXPECT_EQ(delay, sc_time(6, SC_NS));
  EXPECT_FALSE(dynamic_cast<RunAhead&>(*with.up.operator->()).run_ahead(payload, delay, 41));
  delay = sc_core::SC_ZERO_TIME;
  EXPECT_FALSE(dynamic_cast<RunAhead&>(*without.up.operator->()).run_ahead(payload, delay, 42));
  EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
}

TEST(Interposer, PassesDirectMemoryAndDebugOn) {
  Bench bench;
  tlm::tlm_dmi dmi;
  EXPECT_EQ(bench.ends.up->transport_dbg(bench.payload), 7u);
  EXPECT_TRUE(bench.ends.up->get_direct_mem_ptr(bench.payload, dmi));
  EXPECT_EQ(dmi.get_end_address(), 99u);
  bench.ends.down->invalidate_direct_mem_ptr(10, 30);
  EXPECT_EQ(bench.ends.invalidated, 20u);
}

}  // namespace
}  // namespace gvp::kit
