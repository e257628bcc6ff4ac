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
