// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "fidelity/ddr3_reference.h"
#include "models/base/error.h"
#include "models/ddr3/address_mapping.h"
#include "models/ddr3/closed_loop.h"
#include "tests/support/ddr3_checker.h"

namespace gvp::ddr3 {
namespace {

using test::Ddr3Checker;
using testing::HasSubstr;
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
  Ddr3Checker checker(device.banks, timing_at(device, figure.traffic.clock_hz));
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
};
class RandomRequests : public testing::TestWithParam<Variant> {};

TEST_P(RandomRequests, BreakNoRule) {
  const Variant& variant = GetParam();
  const Device device = find_device(variant.device);
  Ddr3Checker checker(device.banks, timing_at(device, variant.clock_hz));
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
  traffic.seed = std::random_device()();
  traffic.observer = &checker;
  SCOPED_TRACE(testing::Message() << "seed " << traffic.seed);
  const auto result = run(traffic);
  EXPECT_THAT(checker.violations(), IsEmpty());
  EXPECT_GE(checker.commands(), traffic.requests);
  EXPECT_LE(checker.longest_refresh_gap(), 3120 * 2) << "refreshes come when they are due";
  if (variant.in_order)
    EXPECT_EQ(result.worst_overtaken, 0u);
  else
    EXPECT_LE(result.worst_overtaken, variant.starvation_limit);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, RandomRequests,
    testing::Values(
        Variant{"Ml605", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", false, false, 8, 64},
        Variant{"InOrder", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", true, false, 8, 64},
        Variant{"ClosedPage", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", false, true, 8, 64},
        Variant{"Impatient", "mt4jsf6464hy-1g1", 400e6, "row-bank-column", false, false, 8, 3},
        Variant{"Shallow", "ddr3-800e", 400e6, "bank-row-column", false, false, 1, 64},
        Variant{"InOrderClosed", "ddr3-800d", 400e6, "bank-row-column", true, true, 4, 64}),
    [](const auto& param_info) { return std::string(param_info.param.name); });

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
  Ddr3Checker checker(8, ml605());
  Controller controller(8, ml605(), {});
  controller.set_observer(&checker);
  EXPECT_EQ(controller.next_cycle(), Controller::kNever) << "an idle controller does not wake";
  latency_of(controller, {0, 0, 5, false}, 10);
  latency_of(controller, {0, 0, 5, false}, 3120 * 100 + 1000);
  EXPECT_EQ(checker.refreshes(), 100u);
  EXPECT_LT(checker.longest_refresh_gap(), 3120 + 10);
  EXPECT_THAT(checker.violations(), IsEmpty());
}

TEST(Controller, RequestDuringARefreshWaitsForIt) {
  Controller controller(8, ml605(), {});
  EXPECT_EQ(latency_of(controller, {0, 0, 5, false}, 3121), 44u - 1 + 16);
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

// ---- the judge can condemn ----

using Log = std::vector<std::tuple<uint64_t, Command, unsigned, uint32_t>>;

std::string verdict(const Log& log) {
  Ddr3Checker checker(8, ml605());
  for (const auto& [cycle, command, bank, row] : log) checker.on_command(cycle, command, bank, row);
  return checker.violations().empty() ? "" : checker.violations().front();
}

TEST(Ddr3Checker, FindsEachBrokenRule) {
  constexpr auto kAct = Command::kActivate;
  constexpr auto kRd = Command::kRead;
  constexpr auto kWr = Command::kWrite;
  constexpr auto kPre = Command::kPrecharge;
  EXPECT_EQ(verdict({{0, kAct, 0, 1}, {6, kRd, 0, 1}, {15, kPre, 0, 0}, {21, kAct, 0, 2}}), "");
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {0, kAct, 1, 1}}), HasSubstr("one command a clock"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {5, kRd, 0, 1}}), HasSubstr("tRCD"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {3, kAct, 1, 1}}), HasSubstr("tRRD"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {14, kPre, 0, 0}}), HasSubstr("tRAS"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {15, kPre, 0, 0}, {20, kAct, 0, 1}}), HasSubstr("tRC"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {30, kPre, 0, 0}, {35, kAct, 0, 1}}), HasSubstr("tRP"));
  EXPECT_THAT(
      verdict(
          {{0, kAct, 0, 1}, {4, kAct, 1, 1}, {8, kAct, 2, 1}, {12, kAct, 3, 1}, {19, kAct, 4, 1}}),
      HasSubstr("tFAW"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {6, kRd, 0, 1}, {9, kRd, 0, 1}}), HasSubstr("tCCD"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {6, kRd, 0, 1}, {12, kWr, 0, 1}}), HasSubstr("to write"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {6, kWr, 0, 1}, {18, kRd, 0, 1}}), HasSubstr("tWTR"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {6, kWr, 0, 1}, {20, kPre, 0, 0}}), HasSubstr("tWR"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {14, kRd, 0, 1}, {17, kPre, 0, 0}}), HasSubstr("tRTP"));
  EXPECT_THAT(verdict({{0, kRd, 0, 1}}), HasSubstr("closed bank"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {6, kRd, 0, 2}}), HasSubstr("another row"));
  EXPECT_THAT(verdict({{0, kAct, 0, 1}, {40, Command::kRefresh, 0, 0}}), HasSubstr("open bank"));
  EXPECT_THAT(verdict({{0, Command::kRefresh, 0, 0}, {43, kAct, 0, 1}}), HasSubstr("tRFC"));
}

}  // namespace
}  // namespace gvp::ddr3
