// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/lt_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/tlm/base_protocol_checker.h"
#include "models/tlm/run_ahead.h"
#include "tests/support/at_initiator.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::ddr3 {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct Bench {
  explicit Bench(const Configuration& configuration = {})
      : memory(make_memory_controller("ddr3", "lt", configuration)) {
    initiator.socket.bind(memory->socket());
  }
  sc_time time_of_read(uint64_t address, unsigned bytes = 4) {
    uint8_t data[256];
    initiator.delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(initiator.access(tlm::TLM_READ_COMMAND, address, data, bytes), tlm::TLM_OK_RESPONSE);
    return initiator.delay;
  }
  test::Initiator initiator{"initiator"};
  std::unique_ptr<MemoryController> memory;
};

TEST(LtMemory, IdleLatenciesAreTheReferencePlusTheFrontEnd) {
  Bench bench;
  bench.initiator.run([&] {
    EXPECT_EQ(bench.time_of_read(0), sc_time(50 + 42.5, SC_NS)) << "closed: 17 tCK";
    EXPECT_EQ(bench.time_of_read(64), sc_time(50 + 27.5, SC_NS)) << "row hit: 11 tCK";
    EXPECT_EQ(bench.time_of_read(64 << 10), sc_time(50 + 57.5, SC_NS)) << "conflict: 23 tCK";
    EXPECT_EQ(bench.time_of_read(8 << 10), sc_time(50 + 42.5, SC_NS)) << "another bank";
    bench.initiator.delay = sc_core::SC_ZERO_TIME;
    bench.initiator.write32(8 << 10, 1);
    EXPECT_EQ(bench.initiator.delay, sc_time(50 + 25, SC_NS)) << "write hit: 10 tCK";
  });
  const auto statistics = bench.memory->statistics();
  EXPECT_EQ(statistics["row_hits"], 2);
  EXPECT_EQ(statistics["row_misses"], 2);
  EXPECT_EQ(statistics["row_conflicts"], 1);
  EXPECT_EQ(statistics["bytes"], 20);
  EXPECT_EQ(statistics["read"]["transactions"], 4);
  EXPECT_EQ(statistics["write"]["latency_ns"]["max"], 75);
  EXPECT_EQ(statistics["banks"][0]["row_conflicts"], 1);
  EXPECT_EQ(statistics["banks"][1]["row_hits"], 1);
  EXPECT_EQ(statistics["banks"][1]["activates"], 1);
}

TEST(LtMemory, CountsDirectAccessesOfInitiatorsThatTell) {
  Bench bench;
  kit::DirectAccount account;
  tlm::tlm_generic_payload payload;
  tlm::tlm_dmi dmi;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_extension(&account);
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(bench.initiator.socket->get_direct_mem_ptr(payload, dmi));
  payload.clear_extension(&account);
  account.count({3, 2, 12, 8});
  account.count({1, 0, 16, 0});
  const nlohmann::ordered_json expected{
      {"reads", 4}, {"writes", 2}, {"bytes_read", 28}, {"bytes_written", 8}};
  EXPECT_EQ(bench.memory->statistics()["direct"], expected);
  EXPECT_EQ(bench.memory->statistics()["reads"], 0);
}

// The initiator is ahead of simulated time, which has not begun.
TEST(LtMemory, NothingIsAShareOfNoTime) {
  Bench bench;
  bench.initiator.write32(0, 1);
  const auto statistics = bench.memory->statistics();
  ASSERT_EQ(sc_core::sc_time_stamp(), sc_core::SC_ZERO_TIME);
  EXPECT_EQ(statistics["writes"], 1);
  EXPECT_EQ(statistics["bus_utilisation"], 0);
  EXPECT_EQ(statistics["outstanding"]["mean"], 0);
}

TEST(LtMemory, FurtherBurstsTakeFourClocksEach) {
  Bench bench;
  bench.initiator.run([&] {
    bench.time_of_read(0);
    EXPECT_EQ(bench.time_of_read(0, 256), sc_time(50 + 27.5 + 3 * 10, SC_NS));
    EXPECT_EQ(bench.time_of_read(62, 4), sc_time(50 + 27.5 + 10, SC_NS)) << "two bursts touched";
  });
}

TEST(LtMemory, HoldsDataUpToTheLastByte) {
  Bench bench;
  bench.initiator.run([&] {
    bench.initiator.write32((512u << 20) - 4, 0xcafe);
    EXPECT_EQ(bench.initiator.read32((512u << 20) - 4), 0xcafeu);
    EXPECT_EQ(bench.initiator.peek32((512u << 20) - 4), 0xcafeu);
  });
}

TEST(LtMemory, AccessBeyondTheEndIsAnAddressError) {
  Bench bench;
  test::LogCapture log;
  bench.initiator.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.initiator.read(512u << 20, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  EXPECT_THAT(log.text(), testing::HasSubstr("ddr3 @ 0 s: read of 4 bytes at 0x20000000"));
}

TEST(LtMemory, MalformedAccessesAreRefusedAndTakeNoTime) {
  Bench bench;
  bench.initiator.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.initiator.access(tlm::TLM_READ_COMMAND, 0, &value, 0),
              tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.initiator.access(tlm::TLM_READ_COMMAND, 0, nullptr, 4),
              tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(bench.initiator.delay, sc_core::SC_ZERO_TIME);
  });
  EXPECT_EQ(bench.memory->statistics()["row_misses"], 0);
}

TEST(LtMemory, CountsAccessesByDirectionAndIgnoresOnesWithoutData) {
  Bench bench;
  bench.initiator.run([&] {
    bench.initiator.write32(0, 1);
    bench.initiator.write32(4, 1);
    bench.initiator.read32(0);
    bench.initiator.delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(bench.initiator.access(tlm::TLM_IGNORE_COMMAND, 0, nullptr, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.initiator.delay, sc_core::SC_ZERO_TIME);
    tlm::tlm_generic_payload payload;
    uint32_t value = 0;
    payload.set_read();
    payload.set_address(0);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    bench.initiator.socket->b_transport(payload, bench.initiator.delay);
    EXPECT_TRUE(payload.is_dmi_allowed()) << "the hint that direct access is possible";
  });
  const auto statistics = bench.memory->statistics();
  const nlohmann::ordered_json expected = {{"reads", 2},      {"writes", 2},        {"row_hits", 3},
                                           {"row_misses", 1}, {"row_conflicts", 0}, {"bytes", 16}};
  for (const auto& [key, value] : expected.items()) EXPECT_EQ(statistics[key], value) << key;
}

TEST(LtMemory, TheLogTellsWhatEachAccessFinds) {
  test::LogCapture log;
  Log::configure("trace:ddr3");
  Bench bench;
  bench.initiator.run([&] {
    bench.time_of_read(0x2000);   // bank 1, row 0
    bench.time_of_read(0x2040);   // again
    bench.time_of_read(0x12000);  // bank 1, row 1
    bench.initiator.delay = sc_time(7, SC_NS);
    bench.initiator.write32(0x20000, 1);  // bank 0, row 2
  });
  EXPECT_THAT(
      log.lines(),
      testing::ElementsAre(
          testing::EndsWith("ddr3 @ 0 s: read of 4 bytes at 0x2000: bank 1, row 0x0, miss"),
          testing::EndsWith("read of 4 bytes at 0x2040: bank 1, row 0x0, hit"),
          testing::EndsWith("page conflict in bank 1: row 0x0 is open, row 0x1 wanted"),
          testing::EndsWith("read of 4 bytes at 0x12000: bank 1, row 0x1, conflict"),
          testing::EndsWith("ddr3 @ 7 ns: write of 4 bytes at 0x20000: bank 0, row 0x2, miss")));
}

TEST(LtMemory, NoLineOfAnAccessWithoutDebugging) {
  test::LogCapture log;
  Log::configure("info:ddr3");
  Bench bench;
  bench.initiator.run([&] {
    bench.time_of_read(0);
    bench.time_of_read(64 << 10);
  });
  EXPECT_EQ(log.text(), "");
}

// The short way, which an initiator that is bound directly may take.
TEST(LtMemory, RunsAheadWhereItHasFinishedInTime) {
  Bench bench;
  bench.initiator.run([&] {
    // who is bound finds it behind its own socket
    auto* way = dynamic_cast<kit::RunAhead*>(bench.initiator.socket.operator->());
    ASSERT_NE(way, nullptr);
    std::vector<uint8_t> data(128);
    tlm::tlm_generic_payload payload;
    payload.set_read();
    payload.set_address(0);
    payload.set_data_ptr(data.data());
    payload.set_data_length(128);
    payload.set_streaming_width(128);
    // 1 + 6 + 6 + 6 + 4 cycles and another burst of 4, at the longest
    const uint64_t longest = sc_time(50 + (23 + 4) * 2.5, SC_NS).value();
    sc_time delay(3, SC_NS);
    EXPECT_FALSE(way->run_ahead(payload, delay, longest + 2999));
    EXPECT_EQ(delay, sc_time(3, SC_NS));
    EXPECT_TRUE(way->run_ahead(payload, delay, longest + 3000));
    EXPECT_EQ(delay, sc_time(3 + 50 + (17 + 4) * 2.5, SC_NS)) << "a closed row";
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  });
}

TEST(LtMemory, DirectMemoryCarriesTheRowHitLatency) {
  Bench bench;
  bench.initiator.run([&] {
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.initiator.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_EQ(dmi.get_end_address(), (512ull << 20) - 1);
    EXPECT_EQ(dmi.get_read_latency(), sc_time(50 + 27.5, SC_NS));
    EXPECT_EQ(dmi.get_write_latency(), sc_time(50 + 25, SC_NS));
    EXPECT_TRUE(dmi.is_read_write_allowed());
  });
}

// ---- non-blocking transport

struct NonBlocking {
  NonBlocking() : memory(make_memory_controller("ddr3", "lt", {})) {
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
    initiator.socket.bind(checker.target);
    checker.initiator.bind(memory->socket());
  }
  void run() {
    sc_core::sc_start();
    EXPECT_EQ(initiator.unfinished(), 0u);
    checker.check_finished();
    EXPECT_TRUE(checker.violations().empty()) << log.text();
  }
  test::LogCapture log;
  test::AtInitiator initiator{"initiator"};
  kit::BaseProtocolChecker checker{"checker"};
  std::unique_ptr<MemoryController> memory;
};

TEST(LtMemory, NonBlockingTransactionsTakeTheSameLatencyAndOverlap) {
  NonBlocking bench;
  bench.initiator.write(64, {1, 2, 3, 4});
  bench.run();
  const sc_time begun = sc_core::sc_time_stamp();
  const auto& hit = bench.initiator.read(64, 4);
  const auto& miss = bench.initiator.read(8 << 10, 4);
  const auto& waits = bench.initiator.read(0, 4);  // a hit that was asked for after the miss
  bench.run();
  for (const auto* each : {&hit, &miss, &waits}) {
    EXPECT_EQ(each->begun, begun) << "nobody held the request";
    EXPECT_EQ(each->payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_TRUE(each->payload.is_dmi_allowed());
  }
  EXPECT_EQ(hit.data, (std::vector<uint8_t>{1, 2, 3, 4}));
  EXPECT_EQ(hit.responded - begun, sc_time(50 + 27.5, SC_NS));
  EXPECT_EQ(miss.responded - begun, sc_time(50 + 42.5, SC_NS));
  EXPECT_EQ(waits.responded, miss.responded) << "answers come in the order of the requests";
  EXPECT_EQ(bench.memory->statistics()["outstanding"]["max"], 3);
}

TEST(LtMemory, ASlowEndRespHoldsTheNextResponse) {
  NonBlocking bench;
  bench.initiator.response_delay = sc_time(100, SC_NS);
  const auto& first = bench.initiator.read(0, 4);
  const auto& second = bench.initiator.read(64, 4);
  bench.run();
  EXPECT_EQ(second.begun, first.begun);
  EXPECT_EQ(second.responded - first.responded, sc_time(100, SC_NS));
}

TEST(LtMemory, ANonBlockingAccessBeyondTheEndIsAnsweredAtOnce) {
  NonBlocking bench;
  const auto& beyond = bench.initiator.read(512u << 20, 4);
  bench.run();
  EXPECT_EQ(beyond.responded, beyond.begun);
  EXPECT_EQ(beyond.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

// An initiator that annotates its requests, and sends END_RESP itself.
struct Annotating : sc_core::sc_module, tlm::tlm_bw_transport_if<>, tlm::tlm_mm_interface {
  tlm::tlm_initiator_socket<> socket{"socket"};
  tlm::tlm_generic_payload payload{this};
  uint32_t data = 0;
  std::vector<sc_time> responses;

  explicit Annotating(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    socket.bind(*this);
    payload.acquire();
    payload.set_read();
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&data));
    payload.set_data_length(4);
    payload.set_streaming_width(4);
  }
  tlm::tlm_sync_enum forward(tlm::tlm_phase phase, sc_time delay) {
    return socket->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                     sc_time& delay) override {
    responses.push_back(sc_core::sc_time_stamp() + delay);
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(tlm::tlm_generic_payload*) override {}
};

TEST(LtMemory, AnAnnotatedRequestIsAnsweredFromItsOwnTimeAndHeldUntilEndResp) {
  test::LogCapture log;
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  Annotating initiator("initiator");
  const auto memory = make_memory_controller("ddr3", "lt", {});
  initiator.socket.bind(memory->socket());
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(initiator.forward(tlm::BEGIN_REQ, sc_time(30, SC_NS)), tlm::TLM_UPDATED);
  EXPECT_EQ(initiator.payload.get_ref_count(), 2) << "kept";
  EXPECT_EQ(initiator.payload.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_FALSE(initiator.payload.is_dmi_allowed());
  sc_core::sc_start(sc_time(1, sc_core::SC_US));
  EXPECT_EQ(initiator.responses, std::vector<sc_time>{sc_time(30 + 50 + 42.5, SC_NS)});
  EXPECT_EQ(initiator.payload.get_ref_count(), 2);
  EXPECT_EQ(initiator.forward(tlm::END_RESP, sc_core::SC_ZERO_TIME), tlm::TLM_COMPLETED);
  EXPECT_EQ(initiator.payload.get_ref_count(), 1);
  EXPECT_EQ(log.text(), "");
  initiator.forward(tlm::END_RESP, sc_core::SC_ZERO_TIME);
  EXPECT_THAT(log.text(), testing::HasSubstr("comes in an unexpected phase"));
}

TEST(MakeMemoryController, RefusesWhatItDoesNotHave) {
  Configuration too_big;
  too_big.size = 1ull << 30;
  EXPECT_THROW(make_memory_controller("a", "lt", too_big), Error);
  EXPECT_THROW(make_memory_controller("b", "magic", {}), Error);
}

}  // namespace
}  // namespace gvp::ddr3
