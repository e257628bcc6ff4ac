// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/launch_records.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu::flexgrip {
namespace {

void launch(LaunchRecords& records, const std::string& name, uint64_t cycles, uint32_t cause) {
  LaunchRecord& record = records.begin(Kernel{});
  record.name = name;
  record.cause = cause;
  record.counters.cycles = cycles;
  record.counters.max_stack_depth = cycles % 7;
}

TEST(LaunchRecords, LaunchesBeyondTheLimitAreSummedByName) {
  const Configuration configuration;
  const Estimates estimates = estimate(configuration);
  LaunchRecords records;
  for (uint64_t i = 0; i < LaunchRecords::kMostRecords; ++i) launch(records, "first", 1, 0);
  EXPECT_TRUE(records.sums(estimates, configuration).empty());
  for (uint64_t i = 0; i < 3000; ++i) launch(records, i % 3 == 0 ? "a" : "b", i, i == 4 ? 1 : 0);
  EXPECT_EQ(records.launches(), LaunchRecords::kMostRecords + 3000);
  EXPECT_EQ(records.last().counters.cycles, 2999u);
  const auto single = records.records(estimates, configuration);
  ASSERT_EQ(single.size(), LaunchRecords::kMostRecords);
  EXPECT_EQ(single.back()["name"], "first");
  const auto sums = records.sums(estimates, configuration);
  ASSERT_EQ(sums.size(), 2u);
  EXPECT_EQ(sums[0]["name"], "a");
  EXPECT_EQ(sums[0]["launches"], 1000);
  EXPECT_EQ(sums[0]["failed"], 0);
  EXPECT_EQ(sums[0]["cycles"], 3 * 999 * 1000 / 2);
  EXPECT_EQ(sums[1]["launches"], 2000);
  EXPECT_EQ(sums[1]["failed"], 1);
  EXPECT_EQ(sums[1]["cycles"], 2999 * 3000 / 2 - 3 * 999 * 1000 / 2);
  EXPECT_EQ(sums[1]["max_stack_depth"], 6);
  EXPECT_DOUBLE_EQ(sums[0]["energy_mj"], energy_mj(estimates, configuration, 3 * 999 * 1000 / 2));
}

TEST(LaunchRecords, KernelsOfEverNewNamesNeedNoMoreMemory) {
  const Configuration configuration;
  LaunchRecords records;
  for (int i = 0; i < 5000; ++i) launch(records, "code-" + std::to_string(i), 1, 0);
  const auto sums = records.sums(estimate(configuration), configuration);
  ASSERT_EQ(sums.size(), LaunchRecords::kMostNames + 1);
  EXPECT_EQ(sums.back()["name"], "other kernels");
  EXPECT_EQ(sums.back()["launches"], 3000);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
