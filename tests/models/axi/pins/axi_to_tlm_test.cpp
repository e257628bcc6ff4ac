// SPDX-License-Identifier: Apache-2.0
// AXI4 pins of a master to TLM-2.0: what reaches the target, in which order, and what comes back.
#include "models/axi/pins/axi_to_tlm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_target_socket.h>

#include <deque>
#include <numeric>

#include "models/axi/pins/checker.h"
#include "models/base/error.h"
#include "models/tlm/payload.h"
#include "tests/support/at_memory.h"
#include "tests/support/fake_rtl.h"
#include "tests/support/log_capture.h"

namespace gvp::axi::pins {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using test::FakeRtl;
using testing::ElementsAre;

// Sends what is in its queues as fast as it is taken; each entry not before its edge.
class FakeMaster : public FakeRtl {
 public:
  struct Address {
    uint64_t address, id = 0, length = 0, size = 2, burst = 1, lock = 0;
    unsigned not_before = 0;
  };
  struct Data {
    uint64_t data, strobes = 15, last = 1;
    unsigned not_before = 0;
  };
  struct Answer {
    uint64_t id, response, data;
    unsigned edge;
  };
  std::deque<Address> writes, reads;
  std::deque<Data> data;
  std::vector<Answer> write_answers, read_answers;

  explicit FakeMaster(bool lite = false) : FakeRtl("fake_master"), lite_(lite) {
    axi_port("m_axi_", true, 32, 4, lite);
    on_eval = [this](bool rising) {
      if ((*this)["aresetn"] == 0) {
        for (const char* name : {"awvalid", "wvalid", "arvalid", "bready", "rready"}) pin(name) = 0;
      } else if (rising) {
        edge();
      }
    };
  }

 private:
  uint64_t& pin(const std::string& name) { return (*this)["m_axi_" + name]; }

  void send(const std::string& x, std::deque<Address>& queue) {
    if (pin(x + "valid") != 0 && pin(x + "ready") != 0) queue.pop_front();
    const bool valid = !queue.empty() && queue.front().not_before <= edge_;
    pin(x + "valid") = valid ? 1 : 0;
    if (!valid) return;
    const Address& next = queue.front();
    pin(x + "addr") = next.address;
    if (lite_) return;
    pin(x + "id") = next.id;
    pin(x + "len") = next.length;
    pin(x + "size") = next.size;
    pin(x + "burst") = next.burst;
    pin(x + "lock") = next.lock;
  }

  void edge() {
    ++edge_;
    // What it waits for is state of it: its clock must not stop before.
    memory()[0] = writes.empty() && reads.empty() && data.empty() ? 0 : edge_;
    if (pin("bvalid") != 0 && pin("bready") != 0)
      write_answers.push_back({lite_ ? 0 : pin("bid"), pin("bresp"), 0, edge_});
    if (pin("rvalid") != 0 && pin("rready") != 0)
      read_answers.push_back({lite_ ? 0 : pin("rid"), pin("rresp"), pin("rdata"), edge_});
    pin("bready") = pin("rready") = 1;
    send("aw", writes);
    send("ar", reads);
    if (pin("wvalid") != 0 && pin("wready") != 0) data.pop_front();
    const bool valid = !data.empty() && data.front().not_before <= edge_;
    pin("wvalid") = valid ? 1 : 0;
    if (!valid) return;
    pin("wdata") = data.front().data;
    pin("wstrb") = data.front().strobes;
    if (!lite_) pin("wlast") = data.front().last;
  }

  bool lite_;
  unsigned edge_ = 0;
};

// Blocking; each access takes what `latency` says and lists itself when it begins.
struct Target : sc_core::sc_module {
  tlm_utils::simple_target_socket<Target> socket{"socket"};
  std::vector<uint8_t> bytes = std::vector<uint8_t>(0x2000);
  std::vector<std::string> seen;
  std::function<double(uint64_t address)> latency = [](uint64_t) { return 20; };
  bool annotated = false;  // else it waits

  explicit Target(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_b_transport(this, &Target::b_transport);
    std::iota(bytes.begin(), bytes.end(), uint8_t{0});
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_time& delay) {
    const auto* axi = payload.get_extension<Extension>();
    seen.push_back((payload.is_write() ? "w" : "r") + std::to_string(payload.get_address()) + "+" +
                   std::to_string(payload.get_data_length()) + " " + std::to_string(axi->beats) +
                   "x" + std::to_string(1 << axi->beat_bytes_log2) +
                   " FIW"[static_cast<int>(axi->burst) + 1]);
    const sc_time time(latency(payload.get_address()), SC_NS);
    if (annotated)
      delay += time;
    else
      sc_core::wait(time);
    kit::transfer(payload, bytes.data() + payload.get_address());
    payload.set_response_status(payload.get_address() >= 0x1000 ? tlm::TLM_GENERIC_ERROR_RESPONSE
                                                                : tlm::TLM_OK_RESPONSE);
  }
};

struct Bench {
  explicit Bench(const AxiToTlmSettings& settings = {}, bool lite = false)
      : master(lite),
        block("block", master.table(), {}),
        port(find_port(block, "m_axi_", true)),
        to_tlm("to_tlm", block, port, settings),
        checker(block, port, {1000}) {
    to_tlm.socket.bind(target.socket);
  }
  void run() {
    sc_core::sc_start(sc_time(5, sc_core::SC_US));
    EXPECT_EQ(checker.violation_count(), 0u) << log.text();
  }
  test::LogCapture log;
  FakeMaster master;
  rtl::Block block;
  Port port;
  AxiToTlm to_tlm;
  Checker checker;
  Target target{"target"};
};

std::vector<uint64_t> ids(const std::vector<FakeMaster::Answer>& answers) {
  std::vector<uint64_t> all;
  for (const auto& each : answers) all.push_back(each.id);
  return all;
}

TEST(AxiToTlm, BurstsOfAllTypesReachTheTargetAsTheyAre) {
  Bench bench;
  bench.master.reads = {{0x100, 0, 3}, {0x102, 0, 1}, {0x201, 0, 2, 0}, {0x300, 0, 1, 2, 0}};
  bench.run();
  EXPECT_THAT(bench.target.seen,
              ElementsAre("r256+16 4x4I", "r258+6 2x4I", "r513+3 3x1I", "r768+8 2x4F"));
  std::vector<uint64_t> data;
  for (const auto& each : bench.master.read_answers) data.push_back(each.data);
  EXPECT_THAT(data, ElementsAre(0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x03020000,
                                0x07060504, 0x0100, 0x020000, 0x03000000, 0x03020100, 0x03020100));
}

TEST(AxiToTlm, AWrappingBurstIsTwoFromTheMiddleAndOneFromItsStart) {
  Bench bench;
  bench.master.reads = {{0x108, 1, 3, 2, 2}, {0x110, 1, 3, 2, 2}};
  bench.run();
  EXPECT_THAT(bench.target.seen, ElementsAre("r264+8 2x4I", "r256+8 2x4I", "r272+16 4x4W"));
  EXPECT_EQ(bench.master.read_answers[0].data, 0x0b0a0908u);
  EXPECT_EQ(bench.master.read_answers[2].data, 0x03020100u);
}

TEST(AxiToTlm, StrobesBecomeByteEnables) {
  Bench bench;
  bench.master.writes = {{0x100, 0, 1}};
  bench.master.data = {{0xaabbccdd, 0b0101, 0}, {0x11223344, 0b1000, 1}};
  bench.run();
  EXPECT_THAT(std::vector<uint8_t>(&bench.target.bytes[0x100], &bench.target.bytes[0x108]),
              ElementsAre(0xdd, 1, 0xbb, 3, 4, 5, 6, 0x11));
}

TEST(AxiToTlm, DataMayComeBeforeTheirAddressAndWithIt) {
  Bench bench;
  bench.master.writes = {{0x100, 0, 1, 2, 1, 0, 20}, {0x200, 0, 0}};
  bench.master.data = {{1, 15, 0}, {2, 15, 1}, {3, 15, 1}};
  bench.run();
  EXPECT_THAT(bench.target.seen, ElementsAre("w256+8 2x4I", "w512+4 1x4I"));
  EXPECT_EQ(bench.target.bytes[0x104], 2);
  EXPECT_EQ(bench.target.bytes[0x200], 3);
}

// A write that waits in its target must not be overtaken by the next of its ID (A5.3).
TEST(AxiToTlm, WhatHasTheSameIdReachesTheTargetInOrder) {
  Bench bench;
  unsigned begun = 0;
  bench.target.latency = [&](uint64_t) { return begun++ == 0 ? 500 : 10; };
  bench.master.writes = {{0x100, 3}, {0x100, 3}};
  bench.master.data = {{0x11}, {0x22}};
  bench.run();
  EXPECT_EQ(bench.target.bytes[0x100], 0x22);
  EXPECT_EQ(bench.master.write_answers.size(), 2u);
}

TEST(AxiToTlm, OtherIdsOvertake) {
  Bench bench;
  bench.target.latency = [](uint64_t address) { return address == 0x100 ? 500 : 10; };
  bench.master.reads = {{0x100, 1}, {0x200, 2}, {0x204, 1}, {0x300, 3}};
  bench.run();
  EXPECT_THAT(ids(bench.master.read_answers), ElementsAre(2, 3, 1, 1));
}

// The latency that a loosely timed target annotates is one of a pipeline.
TEST(AxiToTlm, AnnotatedLatenciesOverlap) {
  Bench bench;
  bench.target.annotated = true;
  bench.target.latency = [](uint64_t) { return 500; };
  bench.master.reads = {{0x100, 1}, {0x104, 1}};
  bench.run();
  ASSERT_EQ(bench.master.read_answers.size(), 2u);
  EXPECT_LE(bench.master.read_answers[1].edge - bench.master.read_answers[0].edge, 2u);
}

TEST(AxiToTlm, AnApproximatelyTimedTargetHasSeveralAtOnce) {
  test::AtMemory memory("memory", 0x1000);
  FakeMaster master;
  rtl::Block block("block", master.table(), {});
  const Port port = find_port(block, "m_axi_", true);
  AxiToTlmSettings settings;
  settings.non_blocking = true;
  AxiToTlm to_tlm("to_tlm", block, port, settings);
  Checker checker(block, port, {1000});
  to_tlm.socket.bind(memory.socket);
  memory.latency = [](const test::AtMemory::Request& request) {
    return sc_time(request.address == 0x100 ? 500 : 100, SC_NS);
  };
  master.reads = {{0x100, 1}, {0x200, 2}, {0x204, 1}, {0x300, 3}};
  sc_core::sc_start(sc_time(5, sc_core::SC_US));
  EXPECT_THAT(ids(master.read_answers), ElementsAre(2, 3, 1, 1));
  EXPECT_EQ(checker.violation_count(), 0u);
  ASSERT_EQ(memory.requests.size(), 4u);
  EXPECT_LT(memory.requests[3].time, sc_time(200, SC_NS)) << "before the first was answered";
}

TEST(AxiToTlm, NoMoreThanTheSettingAreUnderWay) {
  AxiToTlmSettings settings;
  settings.outstanding = 2;
  Bench bench(settings);
  bench.target.latency = [](uint64_t) { return 500; };
  for (uint64_t i = 0; i < 6; ++i) bench.master.reads.push_back({0x100, i});
  sc_core::sc_start(sc_time(400, SC_NS));
  EXPECT_EQ(bench.target.seen.size(), 2u);
  bench.run();
  EXPECT_EQ(bench.master.read_answers.size(), 6u);
}

TEST(AxiToTlm, AnErrorIsAnsweredForEachBeat) {
  Bench bench;
  bench.master.reads = {{0x1000, 0, 1}};
  bench.master.writes = {{0x1000}};
  bench.master.data = {{1}};
  bench.run();
  ASSERT_EQ(bench.master.read_answers.size(), 2u);
  EXPECT_EQ(bench.master.read_answers[0].response, 2u);
  EXPECT_EQ(bench.master.read_answers[1].response, 2u);
  EXPECT_EQ(bench.master.write_answers[0].response, 2u);
}

TEST(AxiToTlm, AnAxi4LiteTargetGetsSingleBeatsOneAfterTheOther) {
  AxiToTlmSettings settings;
  settings.single_beats = true;
  settings.base = 0x100;
  Bench bench(settings);
  bench.target.annotated = true;
  bench.target.latency = [](uint64_t) { return 100; };
  bench.master.reads = {{0x100, 0, 2}};
  bench.run();
  EXPECT_THAT(bench.target.seen, ElementsAre("r0+4 1x4I", "r4+4 1x4I", "r8+4 1x4I"));
  EXPECT_GE(bench.master.read_answers[0].edge, 30u) << "300 ns";
}

TEST(AxiToTlm, APortOfAxi4LiteIsSingleBeats) {
  Bench bench({}, true);
  bench.master.writes = {{0x104}};
  bench.master.data = {{0x55}};
  bench.master.reads = {{0x104, 0, 0, 2, 1, 0, 50}};
  bench.run();
  EXPECT_THAT(bench.target.seen, ElementsAre("w260+4 1x4I", "r260+4 1x4I"));
  EXPECT_EQ(bench.master.read_answers.at(0).data, 0x55u);
}

// What was under way is forgotten: no answer comes to the block that does not know of it.
TEST(AxiToTlmReset, InMidFlightAnswersNothing) {
  Bench bench;
  bench.target.latency = [](uint64_t) { return 500; };
  bench.master.reads = {{0x100, 1}, {0x200, 2}};
  bench.master.writes = {{0x100, 1}, {0x200, 2, 3}};
  bench.master.data = {{1}, {2, 15, 0}};
  sc_core::sc_start(sc_time(200, SC_NS));
  EXPECT_EQ(bench.target.seen.size(), 3u);
  bench.block.reset();
  sc_core::sc_start(sc_time(2, sc_core::SC_US));
  EXPECT_TRUE(bench.master.read_answers.empty());
  EXPECT_TRUE(bench.master.write_answers.empty());
  bench.master.reads = {{0x300, 3}};
  bench.block.input();
  bench.run();
  EXPECT_THAT(ids(bench.master.read_answers), ElementsAre(3));
}

// A fault: fewer data than the address says.  What is missing is not written.
TEST(AxiToTlmFaults, LastDataThatComeTooEarlyEndTheBurst) {
  Bench bench;
  bench.master.writes = {{0x100, 0, 3}};
  bench.master.data = {{0xffffffff, 15, 1}};
  sc_core::sc_start(sc_time(5, sc_core::SC_US));
  ASSERT_EQ(bench.checker.violation_count(), 1u);
  EXPECT_EQ(bench.checker.violations()[0].rule, "PIN_LAST");
  EXPECT_EQ(bench.master.write_answers.size(), 1u);
  EXPECT_EQ(bench.target.bytes[0x103], 0xff);
  EXPECT_EQ(bench.target.bytes[0x104], 4);
}

TEST(AxiToTlmFaults, APortOfASubordinateIsRefused) {
  FakeRtl fake("fake");
  fake.axi_port("s_axi_", false, 32, 4);
  rtl::Block block("block", fake.table(), {});
  EXPECT_THROW(AxiToTlm("to_tlm", block, find_port(block, "s_axi_", false)), Error);
}

}  // namespace
}  // namespace gvp::axi::pins
