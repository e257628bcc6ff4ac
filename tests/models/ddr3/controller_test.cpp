// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "fidelity/ddr3_closed_loop.h"
#include "fidelity/ddr3_reference.h"
#include "models/base/error.h"
#include "models/ddr3/active_time.h"
#include "models/ddr3/address_mapping.h"
#include "models/ddr3/command_checker.h"
#include "tests/support/seed.h"

namespace gvp::ddr3 {
namespace {

using fidelity::ClosedLoop;
using testing::IsEmpty;

Timing ml605() { return timing_at(find_device("mt4jsf6464hy-1g1"), 400e6); }

// The cycle after the last data of one request, alone, from its arrival.
uint64_t latency_of(Controller& controller, const Controller::Request& request, uint64_t cycle) {
  controller.push(request, cycle);
  for (;;) {
    const Controller::Served served = controller.step(controller.next_cycle());
    if (served.any) return served.data_end - cycle;
  }
}

TEST(ActiveTime, IsThatInWhichAnyBankIsOpen) {
  Timing timing = ml605();  // tRTP 4; CWL 5, burst 4 and tWR 6
  ActiveTime active(timing);
  EXPECT_EQ(active.cycles(5), 0u);
  active.command(10, Command::kActivate, 0);
  EXPECT_EQ(active.cycles(13), 3u);
  active.command(14, Command::kActivate, 1);
  active.command(20, Command::kReadPrecharge, 0);
  active.command(22, Command::kPrecharge, 1);
  EXPECT_EQ(active.cycles(23), 13u) << "bank 0 closes in cycle 24";
  EXPECT_EQ(active.cycles(30), 14u);
  active.command(40, Command::kActivate, 7);
  active.command(50, Command::kWritePrecharge, 7);
  active.command(60, Command::kActivate, 6);  // before bank 7 has closed in cycle 65
  active.command(70, Command::kPrechargeAll, 0);
  active.command(76, Command::kRefresh, 0);
  EXPECT_EQ(active.cycles(100), 14u + 30u);
}

// ---- the figures that a published simulator has for the same devices ----

class Reference : public testing::TestWithParam<fidelity::Ddr3Figure> {};

std::vector<fidelity::Ddr3Figure> reference_figures() {
  return fidelity::read_ddr3_figures(GVP_SOURCE_DIR "/tests/data");
}

TEST_P(Reference, IsMetWithoutBreakingARule) {
  const fidelity::Ddr3Figure& figure = GetParam();
  if (figure.idle) {
    EXPECT_EQ(fidelity::measure(figure), figure.reference) << "exactly";
    return;
  }
  const Device device = find_device(figure.traffic.device);
  CommandChecker checker(device.banks, timing_at(device, figure.traffic.clock_hz));
  ClosedLoop traffic = figure.traffic;
  traffic.observer = &checker;
  const auto result = run(traffic);
  EXPECT_NEAR(result.gigabytes_per_second, figure.reference, 0.03 * figure.reference);
  EXPECT_THAT(checker.violations(), IsEmpty());
  const ControllerCounters& counters = result.counters;
  EXPECT_EQ(counters.reads + counters.writes, traffic.requests);
  EXPECT_EQ(counters.row_hits + counters.row_misses + counters.row_conflicts, traffic.requests);
}

INSTANTIATE_TEST_SUITE_P(Published, Reference, testing::ValuesIn(reference_figures()));

TEST(Controller, ReferenceTableIsThere) { EXPECT_EQ(reference_figures().size(), 39u); }

TEST(Controller, RefreshLeavesTheShareThatIsLeft) {
  ClosedLoop traffic;
  const double with = run(traffic).gigabytes_per_second;
  traffic.settings.refresh = false;
  const double without = run(traffic).gigabytes_per_second;
  EXPECT_LT(with, 6.4 * (1 - 44.0 / 3120));
  EXPECT_GT(with, 6.4 * 0.98);
  EXPECT_GT(without, 6.4 * 0.999);
}

// ---- every setting, many random requests, no rule broken ----

// GVP_DDR3_REQUESTS=10000000 runs the long version.
uint64_t random_requests() {
  const char* text = std::getenv("GVP_DDR3_REQUESTS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 100000;
}

struct Variant {
  const char* name;
  const char* device;
  double clock_hz;
  const char* mapping;
  bool in_order, closed_page;
  unsigned queue_depth, starvation_limit;
  uint32_t seed = 1;
};
class RandomRequests : public testing::TestWithParam<Variant> {};

TEST_P(RandomRequests, BreakNoRule) {
  const Variant& variant = GetParam();
  const Device device = find_device(variant.device);
  const Timing timing = timing_at(device, variant.clock_hz);
  CommandChecker checker(device.banks, timing);
  ClosedLoop traffic;
  traffic.device = variant.device;
  traffic.clock_hz = variant.clock_hz;
  traffic.mapping = variant.mapping;
  traffic.settings.in_order = variant.in_order;
  traffic.settings.closed_page = variant.closed_page;
  traffic.settings.queue_depth = variant.queue_depth;
  traffic.settings.starvation_limit = variant.starvation_limit;
  traffic.random = true;
  traffic.write_share = 0.4;
  traffic.outstanding = 32;
  traffic.requests = random_requests();
  traffic.seed = test::seed(variant.seed);
  traffic.observer = &checker;
  SCOPED_TRACE(test::text_of_seed(traffic.seed));
  const auto result = run(traffic);
  EXPECT_THAT(checker.violations(), IsEmpty());
  EXPECT_GE(checker.commands(), traffic.requests);
  // A refresh that is due waits for the end of what runs, and nothing else starts; one that falls
  // due when the last request has its data on the way has nobody to hold up any more and comes
  // with the next request.
  const unsigned row = timing.tras + timing.cwl + timing.burst + timing.twr + timing.trp;
  EXPECT_LE(checker.longest_refresh_gap(), timing.trefi + row);
  EXPECT_LE(checker.refreshes(), result.cycles / timing.trefi);
  EXPECT_GE(checker.refreshes(), (result.cycles - row) / timing.trefi);
  if (variant.in_order)
    EXPECT_EQ(result.worst_overtaken, 0u);
  else
    EXPECT_LE(result.worst_overtaken, variant.starvation_limit);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RandomRequests,
    testing::Values(
        Variant{"Ml605", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", false, false, 8, 64},
        Variant{"RefreshDueAtTheEnd", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", false, false, 8,
                64, 4278626254},
        Variant{"InOrder", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", true, false, 8, 64},
        Variant{"ClosedPage", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", false, true, 8, 64},
        Variant{"Impatient", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", false, false, 8, 3},
        Variant{"Shallow", "ddr3-800e", 400e6, "bank-row-column", false, false, 1, 64},
        Variant{"InOrderClosed", "ddr3-800d", 400e6, "bank-row-column", true, true, 4, 64},
        Variant{"Ddr3At533", "ddr3-1066", 1e9 / 1.875, "row-bank-column", false, false, 8, 64},
        Variant{"Ddr3At533Closed", "ddr3-1066", 1e9 / 1.875, "row-bank-column", false, true, 8, 64},
        Variant{"Ddr3At667", "ddr3-1333", 1e9 / 1.5, "row-bank-column", false, false, 8, 64},
        Variant{"Ddr3At667RefreshDueAtTheEnd", "ddr3-1333", 1e9 / 1.5, "row-bank-column", false,
                false, 8, 64, 873756201},
        Variant{"Ddr3At667Closed", "ddr3-1333", 1e9 / 1.5, "row-bank-column", false, true, 8, 64},
        Variant{"Ddr3At667InOrder", "ddr3-1333", 1e9 / 1.5, "bank-row-column", true, false, 8, 64}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

// A rule that is kept with cycles to spare costs time that the SDRAM does not ask for.
TEST(Controller, CommandsComeAsEarlyAsEachRuleLetsThem) {
  for (const bool closed_page : {false, true}) {
    CommandChecker checker(8, ml605());
    ClosedLoop traffic;
    traffic.settings.closed_page = closed_page;
    traffic.random = true;
    traffic.write_share = 0.4;
    traffic.outstanding = 32;
    traffic.observer = &checker;
    run(traffic);
    for (const char* rule :
         {"one command a clock", "tRCD", "tRP", "tRAS", "tRC", "tRRD", "tFAW", "tCCD", "tWTR",
          "read to write", "data bus", "tRFC", "tRP before refresh"})
      EXPECT_EQ(checker.least_slack(rule), 0) << rule << (closed_page ? ", closed pages" : "");
    if (closed_page) continue;  // there only a refresh finds a bank that it must precharge
    EXPECT_EQ(checker.least_slack("tWR"), 0);
    EXPECT_EQ(checker.least_slack("tRTP"), 0);
  }
}

TEST(Controller, RowHitsOvertakeButOnlySoOften) {
  // A conflict waits behind a stream of row hits in the same bank.
  ControllerSettings settings;
  settings.starvation_limit = 5;
  settings.refresh = false;
  Controller controller(8, ml605(), settings);
  controller.push({0, 0, 1, false}, 0);
  while (!controller.step(controller.next_cycle()).any) {
  }
  uint64_t cycle = 100;
  controller.push({99, 0, 2, false}, cycle);
  unsigned before = 0;
  uint64_t next_tag = 100;
  for (int i = 0; i < 5; ++i) controller.push({next_tag++, 0, 1, false}, cycle);
  for (;;) {
    cycle = controller.next_cycle();
    const auto served = controller.step(cycle);
    if (!served.any) continue;
    if (served.tag == 99) break;
    ++before;
    controller.push({next_tag++, 0, 1, false}, cycle);
  }
  EXPECT_EQ(before, 5u);
}

TEST(Controller, ClosedPagePrechargesAfterEveryBurst) {
  ControllerSettings settings;
  settings.closed_page = true;
  Controller controller(8, ml605(), settings);
  EXPECT_EQ(latency_of(controller, {0, 0, 5, false}, 100), 17u);
  EXPECT_EQ(latency_of(controller, {0, 0, 5, false}, 200), 17u);
  EXPECT_EQ(latency_of(controller, {0, 0, 6, true}, 300), 16u);
  EXPECT_EQ(controller.counters().row_misses, 3u);
}

TEST(Controller, RefreshesOfAnIdleTimeAreMadeUpForInTime) {
  CommandChecker checker(8, ml605());
  Controller controller(8, ml605(), {});
  controller.observe(checker);
  EXPECT_EQ(controller.next_cycle(), Controller::kNever) << "an idle controller does not wake";
  latency_of(controller, {0, 0, 5, false}, 10);
  latency_of(controller, {0, 0, 5, false}, 3120 * 100 + 1000);
  EXPECT_EQ(checker.refreshes(), 100u);
  EXPECT_LT(checker.longest_refresh_gap(), 3120 + 10);
  EXPECT_THAT(checker.violations(), IsEmpty());
}

TEST(Controller, NothingIsPlannedForATimeThatHasPassed) {
  Controller controller(8, ml605(), {});
  const uint64_t late = 3120 * 100 + 1000;
  controller.push({0, 0, 5, false}, late);
  EXPECT_GE(controller.next_cycle(), late);
  EXPECT_EQ(controller.counters().refreshes, 100u);
}

// An open bank is to be precharged first; the refresh that this delays is not one of the past.
TEST(Controller, RefreshThatIsUnderWayWhenARequestComesIsNotBegunTwice) {
  Controller controller(8, ml605(), {});
  latency_of(controller, {0, 0, 5, false}, 3100);  // leaves its row open
  controller.push({1, 0, 5, false}, 3120);
  EXPECT_GE(controller.next_cycle(), 3120u);
  while (!controller.step(controller.next_cycle()).any) {
  }
  EXPECT_EQ(controller.counters().refreshes, 1u);
  // Precharge in 3121, refresh tRP later, tRFC until it is over.
  EXPECT_GE(controller.counters().refresh_stall_cycles, 44u + 6);
  EXPECT_EQ(controller.banks()[0].misses, 2u);
  EXPECT_EQ(controller.banks()[0].activates, 2u);
}

TEST(Controller, PrechargeOfAllBanksWaitsForOnesThatPrechargeThemselves) {
  // A bank has been written with auto-precharge when the refresh finds another one open.
  ControllerSettings settings;
  settings.closed_page = true;
  Controller controller(8, ml605(), settings);
  CommandChecker checker(8, ml605());
  controller.observe(checker);
  controller.push({0, 0, 5, true}, 3105);   // activate 3106, write 3112, precharges at 3127
  controller.push({1, 1, 5, false}, 3105);  // activate 3110, open when the refresh is due
  controller.push({2, 2, 5, false}, 3114);  // activate 3115, read 3121 would be too late
  unsigned served = 0;
  while (served < 3) served += controller.step(controller.next_cycle()).any ? 1 : 0;
  EXPECT_THAT(checker.violations(), IsEmpty());
  EXPECT_EQ(checker.refreshes(), 1u);
}

TEST(Controller, RequestDuringARefreshWaitsForIt) {
  Controller controller(8, ml605(), {});
  EXPECT_EQ(latency_of(controller, {0, 0, 5, false}, 3121), 44u - 1 + 16);
  EXPECT_EQ(controller.counters().refresh_stall_cycles, 44u - 1);
  EXPECT_EQ(controller.counters().most_waiting, 1u);
}

TEST(AddressMapping, BankBitsLieWhereTheNameSays) {
  const Device device = find_device("mt4jsf6464hy-1g1");
  const AddressMapping rbc(device, "row-bank-column"), brc(device, "bank-row-column");
  EXPECT_EQ(rbc.locate(8191).bank, 0u);
  EXPECT_EQ(rbc.locate(8192).bank, 1u);
  EXPECT_EQ(rbc.locate(65536).row, 1u);
  EXPECT_EQ(rbc.locate((512ull << 20) - 1).row, 8191u);
  EXPECT_EQ(brc.locate(8192).bank, 0u);
  EXPECT_EQ(brc.locate(8192).row, 1u);
  EXPECT_EQ(brc.locate(64ull << 20).bank, 1u);
  EXPECT_THROW(AddressMapping(device, "column-row-bank"), Error);
}

}  // namespace
}  // namespace gvp::ddr3
