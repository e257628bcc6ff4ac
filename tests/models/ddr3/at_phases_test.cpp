// SPDX-License-Identifier: Apache-2.0
// The approximately timed DDR3 with initiators that make use of what the base protocol leaves open:
// annotated delays, and three ways to end a response (IEEE 1666-2011, 15.2).
#include <gtest/gtest.h>
#include <tlm_utils/peq_with_get.h>

#include <deque>
#include <nlohmann/json.hpp>

#include "models/ddr3/at_memory.h"
#include "tests/support/checked_hop.h"
#include "tests/support/initiator.h"

namespace gvp::ddr3 {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

sc_time ns(double value) { return {value, SC_NS}; }

enum class End { kUpdated, kCompleted, kForward };

// Reads of a word each, all begun at once, a request as soon as the one before was accepted.
class Reader : public sc_core::sc_module,
               public tlm::tlm_bw_transport_if<>,
               public tlm::tlm_mm_interface {
 public:
  struct Read {
    tlm::tlm_generic_payload payload;
    uint32_t word = 0;
    sc_time responded;
    bool done = false;
  };

  explicit Reader(const sc_core::sc_module_name& name) : sc_module(name) {
    SC_HAS_PROCESS(Reader);
    socket.bind(*this);
    SC_THREAD(send);
    SC_THREAD(end_responses);
  }
  ~Reader() override = default;

  void read(uint64_t address) {
    Read& read = reads.emplace_back();
    read.payload.set_mm(this);
    read.payload.acquire();
    read.payload.set_read();
    read.payload.set_address(address);
    read.payload.set_data_ptr(reinterpret_cast<uint8_t*>(&read.word));
    read.payload.set_data_length(4);
    read.payload.set_streaming_width(4);
  }

  tlm::tlm_initiator_socket<> socket{"socket"};
  sc_time request_delay;
  End end = End::kUpdated;
  sc_time end_delay;
  std::deque<Read> reads;

 private:
  void send() {
    for (Read& read : reads) {
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_time delay = request_delay;
      accepted_ = false;
      if (socket->nb_transport_fw(read.payload, phase, delay) == tlm::TLM_UPDATED)
        sc_core::wait(delay);
      else if (!accepted_)
        sc_core::wait(accepted_event_);
    }
  }
  void end_responses() {
    for (;;) {
      tlm::tlm_generic_payload* payload = ending_.get_next_transaction();
      if (payload == nullptr) {
        sc_core::wait(ending_.get_event());
        continue;
      }
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_time delay;
      socket->nb_transport_fw(*payload, phase, delay);
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_time& delay) override {
    accepted_ = true;
    accepted_event_.notify(delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    for (Read& read : reads) {
      if (&read.payload != &payload) continue;
      EXPECT_FALSE(read.done);
      read.done = true;
      read.responded = sc_core::sc_time_stamp() + delay;
    }
    switch (end) {
      case End::kForward:
        ending_.notify(payload, delay + end_delay);
        return tlm::TLM_ACCEPTED;
      case End::kCompleted:
        return tlm::TLM_COMPLETED;
      case End::kUpdated:
        break;
    }
    phase = tlm::END_RESP;
    delay += end_delay;
    return tlm::TLM_UPDATED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(tlm::tlm_generic_payload*) override {}

  bool accepted_ = false;
  sc_core::sc_event accepted_event_;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> ending_{"ending"};
};

struct Bench {
  Bench() {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    reader.socket.bind(checker.target);
    checker.initiator.bind(memory.socket());
  }
  void run() {
    sc_core::sc_start(ns(2000));
    for (Reader::Read& read : reader.reads) {
      EXPECT_TRUE(read.done);
      EXPECT_TRUE(read.payload.is_response_ok());
      EXPECT_EQ(read.payload.get_ref_count(), 1) << "held by the initiator alone";
    }
  }
  sc_time between(size_t a, size_t b) {
    return reader.reads.at(b).responded - reader.reads.at(a).responded;
  }
  Reader reader{"reader"};
  test::CheckedHop checker{"checker"};
  AtMemory memory{"ddr3", {}};
};

TEST(AtMemoryPhases, ARequestComesWhenItsDelayHasPassed) {
  Bench bench;
  bench.reader.request_delay = ns(100);
  bench.reader.read(0);
  bench.reader.read(64);
  bench.run();
  EXPECT_EQ(bench.reader.reads[0].responded, ns(100 + 50 + 42.5));
  EXPECT_EQ(bench.memory.statistics()["read"]["latency_ns"]["max"], 92.5);
  EXPECT_EQ(bench.memory.statistics()["read"]["latency_ns"]["min"], 77.5);
}

TEST(AtMemoryPhases, AResponseThatIsEndedAtOnceHoldsNothingUp) {
  Bench bench;
  bench.reader.end = End::kCompleted;
  for (uint64_t i = 0; i < 3; ++i) bench.reader.read(64 * i);
  bench.run();
  EXPECT_EQ(bench.between(0, 1), ns(10)) << "a burst takes four clock cycles";
  EXPECT_EQ(bench.between(1, 2), ns(10));
}

TEST(AtMemoryPhases, AnEndBeforeTheNextDataHoldsNothingUp) {
  Bench bench;
  bench.reader.end_delay = ns(5);
  for (uint64_t i = 0; i < 3; ++i) bench.reader.read(64 * i);
  bench.run();
  EXPECT_EQ(bench.between(0, 1), ns(10));
  EXPECT_EQ(bench.between(1, 2), ns(10));
}

TEST(AtMemoryPhases, AnEndByTheForwardPathIsWaitedFor) {
  Bench bench;
  bench.reader.end = End::kForward;
  bench.reader.end_delay = ns(100);
  for (uint64_t i = 0; i < 3; ++i) bench.reader.read(64 * i);
  bench.run();
  EXPECT_EQ(bench.between(0, 1), ns(100));
  EXPECT_EQ(bench.between(1, 2), ns(100));
}

TEST(AtMemoryPhases, AMemoryThatNobodyUsesHasCountedNothing) {
  Bench bench;
  bench.run();
  const auto statistics = bench.memory.statistics();
  EXPECT_EQ(statistics["queue"]["mean"], 0);
  EXPECT_EQ(statistics["queue"]["max"], 0);
  EXPECT_EQ(statistics["reads"], 0);
  EXPECT_EQ(statistics["row_misses"], 0);
}

// An access is worked out at once only if nothing else can happen before it ends: a refresh of 44
// clock cycles and a conflict of 23 may be in its way.
TEST(AtMemoryPhases, RunsAheadWhereItHasFinishedInTime) {
  test::Initiator initiator("initiator");
  AtMemory memory("ddr3", {});
  initiator.socket.bind(memory.socket());
  initiator.run([&] {
    auto* way = dynamic_cast<kit::RunAhead*>(initiator.socket.operator->());
    ASSERT_NE(way, nullptr);
    uint32_t word = 0;
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&word));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_time delay = ns(3);
    EXPECT_FALSE(way->run_ahead(payload, delay, ns(3 + 50 + (44 + 23) * 2.5).value()));
    EXPECT_EQ(delay, ns(3));
    EXPECT_TRUE(way->run_ahead(payload, delay, ns(1003).value()));
    EXPECT_EQ(delay, ns(5 + 50 + 42.5)) << "from the next clock edge on";
  });
}

}  // namespace
}  // namespace gvp::ddr3
