// SPDX-License-Identifier: Apache-2.0
// When the DDR3 controller issues which command, to the cycle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "models/ddr3/controller.h"
#include "tests/models/ddr3/ml605.h"

namespace gvp::ddr3 {
namespace {

using testing::ElementsAre;

using Issued = std::tuple<uint64_t, Command>;  // cycle, command

struct Log : CommandObserver {
  void on_command(uint64_t cycle, Command command, unsigned, uint32_t) override {
    commands.emplace_back(cycle, command);
  }
  void on_access(const Access& access) override { accesses.push_back(access); }
  std::vector<Issued> commands;
  std::vector<Access> accesses;
};

struct Bench {
  explicit Bench(const ControllerSettings& settings = {}, const Timing& timing = ml605())
      : controller(8, timing, settings) {
    controller.observe(log);
  }
  void run() {
    while (controller.waiting() != 0) controller.step(controller.next_cycle());
  }
  Controller controller;
  Log log;
};

TEST(Scheduling, ARequestGetsItsFirstCommandACycleAfterItCame) {
  Bench bench;
  bench.controller.push({0, 0, 1, false}, 100);
  bench.run();
  bench.controller.push({0, 0, 1, false}, 200);
  bench.run();
  EXPECT_THAT(bench.log.commands,
              ElementsAre(Issued(101, kAct), Issued(107, kRd), Issued(201, kRd)));
}

TEST(Scheduling, TellsWhenTheDataOfARequestIsOnTheBusAndWhoseItIs) {
  Bench bench;
  const Timing timing = ml605();
  bench.controller.push({0, 5, 1, false, 77}, 100);
  bench.run();
  bench.controller.push({0, 5, 1, true}, 200);
  bench.run();
  ASSERT_EQ(bench.log.accesses.size(), 2u);
  const CommandObserver::Access& read = bench.log.accesses[0];
  EXPECT_EQ(read.first, 107u + timing.cl);
  EXPECT_EQ(read.end, read.first + timing.burst);
  EXPECT_EQ(read.bank, 5u);
  EXPECT_FALSE(read.write);
  EXPECT_EQ(read.root, 77u);
  const CommandObserver::Access& write = bench.log.accesses[1];
  EXPECT_EQ(write.first, 201u + timing.cwl);
  EXPECT_TRUE(write.write);
  EXPECT_EQ(write.root, 0u) << "nobody has numbered it";
}

TEST(Scheduling, ARequestThatCanGoAtOnceGoesBeforeOneThatMustWait) {
  Bench bench;
  bench.controller.push({0, 0, 1, false}, 100);
  bench.run();
  bench.controller.push({1, 0, 2, false}, 108);  // another row: precharged when tRAS is over
  EXPECT_EQ(bench.controller.next_cycle(), 116u);
  bench.controller.push({2, 1, 1, false}, 110);
  EXPECT_EQ(bench.controller.next_cycle(), 111u) << "the plan is made anew";
  bench.run();
  EXPECT_THAT(bench.log.commands,
              ElementsAre(Issued(101, kAct), Issued(107, kRd), Issued(111, kAct), Issued(116, kPre),
                          Issued(117, kRd), Issued(122, kAct), Issued(128, kRd)));
}

TEST(Scheduling, ARowHitThatComesBeforeThePrechargeKeepsTheRowOpen) {
  Bench bench;
  bench.controller.push({0, 0, 1, false}, 100);  // activate 101, read 107
  bench.controller.push({1, 1, 1, true}, 104);   // activate 105, write 114: reads wait until 127
  bench.run();
  bench.controller.push({2, 0, 2, false}, 114);
  EXPECT_EQ(bench.controller.next_cycle(), 116u) << "the precharge, after tRAS";
  bench.controller.push({3, 0, 1, false}, 115);
  EXPECT_EQ(bench.controller.next_cycle(), 127u) << "the hit, although it must wait";
}

TEST(Scheduling, AmongEqualsTheOldestGoesFirst) {
  Bench bench;
  bench.controller.push({0, 5, 1, false}, 100);
  bench.controller.push({1, 2, 1, true}, 100);
  Controller::Served first;
  while (!first.any) first = bench.controller.step(bench.controller.next_cycle());
  EXPECT_EQ(first.tag, 0u);
}

TEST(Scheduling, InOrderTheOldestIsWaitedFor) {
  ControllerSettings settings;
  settings.in_order = true;
  Bench bench(settings);
  bench.controller.push({0, 0, 1, false}, 100);
  bench.run();
  bench.controller.push({1, 0, 2, false}, 108);
  EXPECT_EQ(bench.controller.next_cycle(), 116u);
  bench.controller.push({2, 1, 1, false}, 110);
  EXPECT_EQ(bench.controller.next_cycle(), 116u);
}

TEST(Scheduling, TrcHoldsWhereItIsLongerThanTrasAndTrp) {
  Timing timing = ml605();
  timing.trc = 40;
  Bench bench({}, timing);
  bench.controller.push({0, 0, 1, false}, 100);
  bench.controller.push({1, 0, 2, false}, 100);
  bench.run();
  EXPECT_THAT(bench.log.commands,
              ElementsAre(Issued(101, kAct), Issued(107, kRd), Issued(116, kPre), Issued(141, kAct),
                          Issued(147, kRd)));
}

// ---- refresh

TEST(Scheduling, ARefreshGoesBeforeACommandOfTheSameCycle) {
  Bench bench;
  bench.controller.push({0, 0, 1, false}, 3119);
  bench.run();
  EXPECT_THAT(bench.log.commands,
              ElementsAre(Issued(3120, kRef), Issued(3164, kAct), Issued(3170, kRd)));
}

// 3120 is when the refresh is due; it lasts 44 cycles.
TEST(Scheduling, ARefreshOfAnIdleMemoryGoesWhenItIsDueWhoeverComes) {
  for (const uint64_t arrival : {3119u, 3120u, 3121u, 3163u, 3164u}) {
    Bench bench;
    bench.controller.push({0, 0, 5, false}, arrival);
    bench.run();
    const uint64_t activate = std::max<uint64_t>(3164, arrival + 1);
    EXPECT_THAT(bench.log.commands,
                ElementsAre(Issued(3120, Command::kRefresh), Issued(activate, Command::kActivate),
                            Issued(activate + 6, Command::kRead)))
        << arrival;
    EXPECT_EQ(bench.controller.counters().refresh_stall_cycles,
              3164 - std::max<uint64_t>(arrival, 3120))
        << arrival;
    EXPECT_EQ(bench.controller.counters().refreshes, 1u) << arrival;
  }
}

TEST(Scheduling, ACommandACycleBeforeARefreshStillGoes) {
  Bench bench;
  bench.controller.push({0, 0, 1, false}, 3118);
  bench.run();
  EXPECT_THAT(bench.log.commands,
              ElementsAre(Issued(3119, kAct), Issued(3134, kPreAll), Issued(3140, kRef),
                          Issued(3184, kAct), Issued(3190, kRd)));
}

TEST(Scheduling, NothingElseStartsWhileARefreshIsDue) {
  Bench bench;
  bench.controller.push({0, 0, 1, true}, 3105);
  bench.run();
  bench.controller.push({1, 0, 1, true}, 3114);  // would come in cycle 3116
  bench.controller.push({2, 0, 2, true}, 3114);  // must wait for the precharge
  while (bench.controller.waiting() > 1) bench.controller.step(bench.controller.next_cycle());
  EXPECT_EQ(bench.controller.next_cycle(), 3131u) << "write recovery, then all banks";
  bench.controller.push({3, 5, 1, true}, 3122);  // an idle bank, but a refresh is due
  bench.run();
  EXPECT_THAT(bench.log.commands,
              ElementsAre(Issued(3106, kAct), Issued(3112, kWr), Issued(3116, kWr),
                          Issued(3131, kPreAll), Issued(3137, kRef), Issued(3181, kAct),
                          Issued(3185, kAct), Issued(3187, kWr), Issued(3191, kWr)));
}

TEST(Scheduling, RefreshesOfAnIdleTimeComeEveryTrefi) {
  Bench bench;
  bench.controller.push({0, 0, 1, false}, 3120 * 50 + 100);
  bench.run();
  ASSERT_EQ(bench.log.commands.size(), 52u);
  for (uint64_t i = 0; i < 50; ++i) EXPECT_EQ(bench.log.commands[i], Issued((i + 1) * 3120, kRef));
}

TEST(Scheduling, StarvationLimitCountsOvertakersExactly) {
  for (const unsigned limit : {1u, 2u, 5u}) {
    ControllerSettings settings;
    settings.starvation_limit = limit;
    settings.refresh = false;
    Bench bench(settings);
    bench.controller.push({0, 0, 1, false}, 0);
    bench.run();
    bench.controller.push({99, 0, 2, false}, 100);
    for (uint64_t i = 0; i < 7; ++i) bench.controller.push({i, 0, 1, false}, 100);
    unsigned before = 0;
    for (;; ++before) {
      Controller::Served served;
      while (!served.any) served = bench.controller.step(bench.controller.next_cycle());
      if (served.tag == 99) break;
    }
    EXPECT_EQ(before, limit);
  }
}

}  // namespace
}  // namespace gvp::ddr3
