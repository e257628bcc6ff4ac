// SPDX-License-Identifier: Apache-2.0
#include "models/rtl/block.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "models/rtl/signals.h"
#include "models/rtl/verilated_output.h"
#include "tests/support/fake_rtl.h"
#include "tests/support/log_capture.h"

namespace gvp::rtl {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_US;
using test::FakeRtl;
using testing::HasSubstr;

// Counts edges while "go" is high, and shows when it has counted to "limit".
struct Counter : FakeRtl {
  Counter() : FakeRtl("counter") {
    input("go", 1);
    input("limit", 16);
    output("irq", 1);
    on_eval = [this](bool rising) {
      if (!rising) return;
      if ((*this)["aresetn"] == 0) {
        count() = 0;
        (*this)["irq"] = 0;
      } else if ((*this)["go"] != 0) {
        ++count();
        (*this)["irq"] = count() == (*this)["limit"] ? 1 : 0;
      }
    };
  }
  uint64_t& count() { return *memory(); }
};

struct CounterBench : sc_core::sc_module {
  explicit CounterBench(const sc_core::sc_module_name& name = "bench") : sc_module(name) {
    go.port(go_signal);
    interrupt(irq_signal);
    SC_HAS_PROCESS(CounterBench);
    SC_METHOD(note);
    sensitive << irq_signal;
    dont_initialize();
  }
  void note() { changes.push_back(sc_core::sc_time_stamp()); }

  Counter rtl;
  Block block{"block", rtl.table(), {}};
  sc_core::sc_out<bool> interrupt{"interrupt"};
  SignalOutput output{block, block.pin("irq"), interrupt};
  SignalInput go{"go", block, block.pin("go"), 0};
  sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> go_signal{"go_signal"};
  sc_core::sc_signal<bool> irq_signal{"irq_signal"};
  std::vector<sc_time> changes;
};

TEST(RtlBlock, OutputsChangeAtTheTimeOfTheirEdge) {
  CounterBench bench;
  bench.rtl["limit"] = 5;
  sc_core::sc_spawn([&] {
    sc_core::wait(1005, SC_NS);  // between two edges
    bench.go_signal.write(true);
  });
  sc_core::sc_start(10, SC_US);
  // The first edge that sees it is the one at 1010 ns.
  EXPECT_THAT(bench.changes, testing::ElementsAre(sc_time(1050, SC_NS), sc_time(1060, SC_NS)));
}

TEST(RtlBlock, AnEdgeSeesWhatWasSetBeforeItsTime) {
  CounterBench bench;
  bench.rtl["limit"] = 1;
  sc_core::sc_spawn([&] {
    sc_core::wait(1000, SC_NS);  // the time of an edge
    bench.go_signal.write(true);
  });
  sc_core::sc_start(10, SC_US);
  EXPECT_THAT(bench.changes, testing::ElementsAre(sc_time(1010, SC_NS), sc_time(1020, SC_NS)));
}

// The same whatever ran first at that time: before and after the block's own process, many deltas
// on.
TEST(RtlBlock, TheOrderOfProcessesDoesNotMatter) {
  CounterBench bench;
  bench.rtl["limit"] = 101;
  bench.go_signal.write(true);
  std::vector<uint64_t> counts;
  sc_core::sc_spawn([&] {
    for (int delta = 0; delta < 4; ++delta) {
      sc_core::wait(100, SC_NS);
      for (int i = 0; i < delta; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
      bench.block.input();
      counts.push_back(bench.rtl.count());
      for (int i = 0; i < delta; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
      bench.block.input();
      counts.push_back(bench.rtl.count());
    }
  });
  sc_core::sc_start(10, SC_US);
  EXPECT_THAT(counts, testing::ElementsAre(10, 10, 20, 20, 30, 30, 40, 40));
  EXPECT_THAT(bench.changes, testing::ElementsAre(sc_time(1010, SC_NS), sc_time(1020, SC_NS)));
}

TEST(RtlBlock, TheClockStopsWhileNothingChangesAndTimePassesAllTheSame) {
  CounterBench bench;
  bench.rtl["limit"] = 3;
  sc_core::sc_start(1, sc_core::SC_SEC);
  EXPECT_LT(bench.rtl.evaluations, 200u);
  EXPECT_FALSE(bench.block.running());
  bench.go_signal.write(true);
  sc_core::sc_start(100, SC_NS);
  EXPECT_EQ(bench.changes.size(), 2u) << "it goes on";
  EXPECT_EQ(bench.changes.front(), sc_time(1, sc_core::SC_SEC) + sc_time(30, SC_NS));
  EXPECT_GE(bench.block.cycles(), 100000000u);
}

TEST(RtlBlock, WithoutAViewOfItsStateTheClockNeverStops) {
  Counter rtl;
  rtl.has_state = false;
  Block block("block", rtl.table(), {});
  sc_core::sc_start(100, SC_US);
  EXPECT_TRUE(block.running());
  EXPECT_GE(rtl.evaluations, 20000u);
}

TEST(RtlBlock, RunsAheadInBatchesButNeverPastAPendingEvent) {
  CounterBench bench;
  bench.go_signal.write(true);
  uint64_t highest_lead = 0, wakes = 0;
  sc_core::sc_spawn([&] {
    for (int i = 0; i < 50; ++i) {
      sc_core::wait(777, SC_NS);
      ++wakes;
      const uint64_t due = sc_core::sc_time_stamp().value() / 10000;
      ASSERT_LE(bench.rtl.count(), due) << "an edge at or after the present was made";
      ASSERT_GE(bench.rtl.count() + 1, due);
      highest_lead = std::max(highest_lead, due);
    }
  });
  const uint64_t deltas = sc_core::sc_delta_count();
  sc_core::sc_start(38900, SC_NS);
  EXPECT_EQ(wakes, 50u);
  EXPECT_LT(sc_core::sc_delta_count() - deltas, 500u) << "3885 edges took a process each";
}

// Two blocks whose outputs are each other's inputs, with clocks that do not divide each other.
TEST(RtlBlock, BlocksWithSeveralClocksHearEachOtherInTime) {
  struct Echo : FakeRtl {
    explicit Echo(const char* name) : FakeRtl(name) {
      input("in", 1);
      output("out", 1);
      on_eval = [this](bool rising) {
        if (rising) (*this)["out"] = (*this)["aresetn"] == 0 ? 0 : (*this)["in"];
      };
    }
  };
  struct Stage : sc_core::sc_module {
    Stage(const sc_core::sc_module_name& name, double clock_hz)
        : sc_module(name), block("block", rtl.table(), {clock_hz, 0}) {}
    Echo rtl{"echo"};
    Block block;
    sc_core::sc_out<bool> out{"out"};
    SignalOutput output{block, block.pin("out"), out};
    SignalInput in{"in", block, block.pin("in"), 0};
  };
  Stage first("first", 100e6), second("second", 40e6);
  sc_core::sc_signal<bool> start("start"), between("between"), end("end");
  first.in.port(start);
  first.out(between);
  second.in.port(between);
  second.out(end);
  sc_time seen_between, seen_end;
  sc_core::sc_spawn([&] {
    sc_core::wait(95, SC_NS);
    start.write(true);
    sc_core::wait(between.posedge_event());
    seen_between = sc_core::sc_time_stamp();
    sc_core::wait(end.posedge_event());
    seen_end = sc_core::sc_time_stamp();
  });
  sc_core::sc_start(1, SC_US);
  EXPECT_EQ(seen_between, sc_time(100, SC_NS));
  EXPECT_EQ(seen_end, sc_time(125, SC_NS)) << "not 100, where both have an edge";
}

TEST(RtlBlock, ResetTakesNoTimeAndIsThereAtPowerOn) {
  CounterBench bench;
  bench.rtl.count() = 77;  // as it may be at power-on
  bench.go_signal.write(true);
  sc_core::sc_spawn([&] {
    sc_core::wait(1005, SC_NS);
    EXPECT_EQ(bench.rtl.count(), 100u);
    bench.block.reset();
    EXPECT_EQ(bench.rtl.count(), 0u);
    EXPECT_EQ(bench.rtl["aresetn"], 1u);
    sc_core::wait(1000, SC_NS);
    EXPECT_EQ(bench.rtl.count(), 100u);
    ++bench.rtl.seed;
  });
  sc_core::sc_start(3, SC_US);
  EXPECT_EQ(bench.rtl.seed, 1u) << "the process has ended";
}

TEST(RtlBlock, WithoutAResetPinItGoesOnAndSoDoItsAgents) {
  struct Listener : Agent {
    unsigned resets = 0, cycles = 0;
    void reset() override { ++resets; }
    void in_reset(unsigned) override { ++cycles; }
  };
  FakeRtl rtl("plain", "clock", "");
  unsigned edges = 0;
  rtl.on_eval = [&](bool rising) { edges += rising ? 1 : 0; };
  Block block("block", rtl.table(), {});
  Listener agent;
  block.add(agent);
  sc_core::sc_start(1, SC_US);
  EXPECT_EQ(edges, block.evaluated_cycles()) << "none outside of time";
  EXPECT_EQ(agent.resets, 1u) << "power-on, for what the agent drives";
  block.reset();
  EXPECT_EQ(edges, block.evaluated_cycles());
  EXPECT_EQ(agent.resets, 1u);
  EXPECT_EQ(agent.cycles, 0u);
}

TEST(RtlBlock, TheSeedReachesTheBlock) {
  Counter rtl;
  Block block("block", rtl.table(), {100e6, 4711});
  EXPECT_EQ(rtl.seed, 4711u);
}

TEST(RtlBlock, AllItsClocksAndResetsAreOne) {
  FakeRtl rtl("two");
  rtl.input("other_clk", 1, "clock");
  rtl.input("rst", 1, "reset");
  unsigned edges = 0, differences = 0, resets = 0;
  rtl.on_eval = [&](bool rising) {
    if (rtl["aclk"] != rtl["other_clk"] || rtl["aresetn"] == rtl["rst"]) ++differences;
    edges += rising ? 1 : 0;
    resets += rtl["rst"] != 0 ? 1 : 0;
  };
  rtl["rst"] = 1 - rtl["aresetn"];  // as it comes up
  Block block("block", rtl.table(), {});
  sc_core::sc_start(1, SC_US);
  EXPECT_GT(edges, 16u);
  EXPECT_GT(resets, 16u);
  EXPECT_EQ(differences, 0u);
}

TEST(RtlBlock, WhatItCannotDoEndsTheSimulation) {
  CounterBench bench;
  sc_core::sc_start(50, SC_NS);
  bench.rtl.failure = "logic does not settle";
  bench.go_signal.write(true);
  try {
    sc_core::sc_start(1, SC_US);
    FAIL() << "no error";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("logic does not settle"));
    EXPECT_THAT(error.what(), HasSubstr("bench.block @"));
  }
}

std::string error_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RtlBlock, WrongPinsAreNamed) {
  Counter rtl;
  Block block("block", rtl.table(), {});
  EXPECT_THAT(error_of([&] { block.input_pin("limits", 16); }),
              HasSubstr("it has no port limits (did you mean limit?)"));
  EXPECT_THAT(error_of([&] { block.input_pin("limit", 32); }), HasSubstr("has 16 bits, not 32"));
  EXPECT_THAT(error_of([&] { block.input_pin("irq", 1); }),
              HasSubstr("is an output, not an input"));
  EXPECT_THAT(error_of([&] { block.output_pin("go", 1); }),
              HasSubstr("is an input, not an output"));
  FakeRtl other("other", "");
  EXPECT_THAT(error_of([&] { Block("b", other.table(), {}); }),
              HasSubstr("RTL block other has no clock"));
  EXPECT_EQ(other.destroyed, 1u) << "what was made of it is not lost";
}

// What one block has covered is not written over by the next, of another type or of the same.
TEST(RtlBlock, EachHasAFileOfItsOwnForItsCoverage) {
  const std::string first = coverage_file("folder");
  EXPECT_THAT(first, testing::StartsWith("folder/" + std::to_string(getpid()) + '-'));
  EXPECT_NE(coverage_file("folder"), first);
}

}  // namespace
}  // namespace gvp::rtl
