// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/launch_records.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu {
namespace {

void launch(LaunchRecords& records, const std::string& name, uint64_t cycles,
            FaultCause cause = FaultCause::kNone) {
  LaunchRecord record;
  record.name = name;
  LaunchRecord& begun = records.begin(record);
  begun.cause = cause;
  begun.counters.cycles = cycles;
  begun.counters.max_stack_depth = cycles % 7;
}

TEST(LaunchRecords, OneHasTheDevicesOwnResourcesAndDetails) {
  LaunchRecords records;
  LaunchRecord record;
  record.name = "k";
  record.grid = {3, 2, 1};
  record.block = {64};
  record.resources = {{"vector_registers", 24}};
  records.begin(record).details = {{"stalls", 5}};
  records.begin({"refused", {}, {}, {}, FaultCause::kTooManyWarps, {}, {}});
  const auto list = records.records({});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["grid"], (std::vector<uint32_t>{3, 2, 1}));
  EXPECT_EQ(list[0]["block"], (std::vector<uint32_t>{64}));
  EXPECT_EQ(list[0]["vector_registers"], 24);
  EXPECT_EQ(list[0]["stalls"], 5);
  EXPECT_EQ(list[0]["cause"], 0);
  EXPECT_EQ(list[1]["cause"], 5);
  EXPECT_EQ(records.last().name, "refused");
}

TEST(LaunchRecords, LaunchesBeyondTheLimitAreSummedByName) {
  LaunchRecords records;
  const auto twice = [](nlohmann::ordered_json& entry, const Counters& counters) {
    entry["twice"] = 2 * counters.cycles;
  };
  for (uint64_t i = 0; i < LaunchRecords::kMostRecords; ++i) launch(records, "first", 1);
  EXPECT_TRUE(records.sums(twice).empty());
  for (uint64_t i = 0; i < 3000; ++i)
    launch(records, i % 3 == 0 ? "a" : "b", i, i == 4 ? FaultCause::kTrap : FaultCause::kNone);
  EXPECT_EQ(records.launches(), LaunchRecords::kMostRecords + 3000);
  EXPECT_EQ(records.last().counters.cycles, 2999u);
  const auto single = records.records(twice);
  ASSERT_EQ(single.size(), LaunchRecords::kMostRecords);
  EXPECT_EQ(single.back()["name"], "first");
  EXPECT_EQ(single.back()["twice"], 2);
  const auto sums = records.sums(twice);
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0]["name"], "a");
  EXPECT_EQ(sums[0]["launches"], 1000);
  EXPECT_EQ(sums[0]["failed"], 0);
  EXPECT_EQ(sums[0]["cycles"], 3 * 999 * 1000 / 2);
  EXPECT_EQ(sums[0]["twice"], 3 * 999 * 1000);
  EXPECT_EQ(sums[1]["launches"], 2000);
  EXPECT_EQ(sums[1]["failed"], 1);
  EXPECT_EQ(sums[1]["cycles"], 2999 * 3000 / 2 - 3 * 999 * 1000 / 2);
  EXPECT_EQ(sums[1]["max_stack_depth"], 6);
}

// What a stopped kernel has begun is no measure of how fast or full it would have been.
TEST(LaunchRecords, RatiosAreOfLaunchesThatRanToTheirEnd) {
  LaunchRecords records;
  const auto launch_profiled = [&](const std::string& name, uint64_t instructions,
                                   FaultCause cause) {
    LaunchRecord record;
    record.name = name;
    LaunchRecord& begun = records.begin(record);
    begun.cause = cause;
    begun.counters.cycles = 100;
    begun.counters.warp_instructions = instructions;
    begun.profile.lanes = 32;
    begun.profile.warps_per_sm = 4;
    begun.profile.sms.resize(1);
    begun.profile.sms[0].executing_cycles = 100;
    begun.profile.sms[0].warp_cycles = instructions;
  };
  for (uint64_t i = 0; i < LaunchRecords::kMostRecords; ++i)
    launch_profiled("first", 50, i == 0 ? FaultCause::kTrap : FaultCause::kNone);
  launch_profiled("a", 20, FaultCause::kNone);
  launch_profiled("a", 90, FaultCause::kTrap);
  launch_profiled("b", 90, FaultCause::kTrap);
  const auto single = records.records({});
  EXPECT_FALSE(single[0].contains("ipc"));
  EXPECT_FALSE(single[0].contains("occupancy"));
  EXPECT_FALSE(single[0]["sms"][0].contains("occupancy"));
  EXPECT_DOUBLE_EQ(single[1]["ipc"].get<double>(), 0.5);
  EXPECT_DOUBLE_EQ(single[1]["occupancy"].get<double>(), 0.125);
  EXPECT_TRUE(single[1]["sms"][0].contains("occupancy"));
  const auto sums = records.sums({});
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0]["warp_instructions"], 110);
  EXPECT_DOUBLE_EQ(sums[0]["ipc"].get<double>(), 0.2);
  EXPECT_DOUBLE_EQ(sums[0]["occupancy"].get<double>(), 0.05);
  EXPECT_FALSE(sums[1].contains("ipc"));
  EXPECT_FALSE(sums[1].contains("occupancy"));
}

TEST(LaunchRecords, KernelsOfEverNewNamesNeedNoMoreMemory) {
  LaunchRecords records;
  for (int i = 0; i < 5000; ++i) launch(records, "code-" + std::to_string(i), 1);
  const auto sums = records.sums({});
  ASSERT_EQ(sums.size(), LaunchRecords::kMostNames + 1);
  EXPECT_EQ(sums.back()["name"], "other kernels");
  EXPECT_EQ(sums.back()["launches"], 3000);
}

}  // namespace
}  // namespace gvp::gpgpu
