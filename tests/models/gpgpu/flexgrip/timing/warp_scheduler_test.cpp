// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/timing/warp_scheduler.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu::flexgrip::timing {
namespace {

constexpr PipelineTiming kTiming;

// A row issued, fetched and written in these cycles.
RowTimes row(uint64_t issue, uint64_t fetch, uint64_t write) {
  RowTimes times;
  times.issue = issue;
  times.fetch = fetch;
  times.write = write;
  return times;
}

TEST(WarpScheduler, IssuesTheFirstWarpTwoCyclesAfterTheConfiguration) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(2, 100);
  EXPECT_EQ(scheduler.next(0), 0u);
  EXPECT_EQ(scheduler.issue_cycle(), 102u);
}

TEST(WarpScheduler, IssuesTheNextReadyWarpWhenTheFetchStageIsFree) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(2, 0);
  scheduler.next(0);
  scheduler.goes_on(row(2, 6, 40));
  EXPECT_EQ(scheduler.next(6), 1u);
  EXPECT_EQ(scheduler.issue_cycle(), 7u);
}

TEST(WarpScheduler, WaitsForAWarpInThePipelineInSteps) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(1, 0);
  scheduler.next(0);
  scheduler.goes_on(row(2, 6, 40));  // looked at in cycles 3, 5, ..., 41
  EXPECT_EQ(scheduler.next(6), 0u);
  EXPECT_EQ(scheduler.issue_cycle(), 42u);
}

TEST(WarpScheduler, PassesAFinishedWarpInTwoCyclesOnceFetchIsFree) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(3, 0);
  scheduler.next(0);
  scheduler.goes_on(row(2, 6, 20));
  scheduler.next(6);
  scheduler.finishes(row(7, 11, 22));
  scheduler.next(11);
  scheduler.goes_on(row(12, 16, 24));
  EXPECT_EQ(scheduler.next(16), 0u);
  scheduler.goes_on(row(30, 34, 60));
  // Warp 1 is looked at in cycle 31 and passed when fetch is free in 34; warp 2 in 36.
  EXPECT_EQ(scheduler.next(34), 2u);
  EXPECT_EQ(scheduler.issue_cycle(), 37u);
}

TEST(WarpScheduler, ReleasesTheWarpsOfABarrierOneAfterTheOther) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(2, 0);
  scheduler.next(0);
  scheduler.waits(row(2, 6, 119));
  scheduler.next(6);
  scheduler.waits(row(107, 111, 138));
  scheduler.release(0, 138);
  scheduler.release(1, 138);
  EXPECT_EQ(scheduler.next(111), 0u);
  EXPECT_EQ(scheduler.issue_cycle(), 143u);  // ready in cycle 142
  scheduler.goes_on(row(143, 147, 176));
  EXPECT_EQ(scheduler.next(147), 1u);
  EXPECT_EQ(scheduler.issue_cycle(), 148u);
}

// Warp 1 waits for data until cycle 90: warp 2 is issued as if it were not there.
TEST(WarpScheduler, PassesAWarpThatWaitsForItsDataAtOnce) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(3, 0);
  scheduler.next(0);
  scheduler.goes_on(row(2, 6, 8));
  scheduler.next(6);
  scheduler.goes_on(row(7, 11, 13), 90);
  scheduler.next(11);
  scheduler.goes_on(row(12, 16, 18));
  EXPECT_EQ(scheduler.next(16), 0u);
  scheduler.goes_on(row(20, 24, 26));
  EXPECT_EQ(scheduler.next(24), 2u);
  EXPECT_EQ(scheduler.issue_cycle(), 25u);
  EXPECT_TRUE(scheduler.waits().empty());
}

TEST(WarpScheduler, WaitsForTheFirstDataWhereAllWarpsWaitForTheirs) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(2, 0);
  scheduler.next(0);
  scheduler.goes_on(row(2, 6, 8), 90);
  scheduler.next(6);
  scheduler.goes_on(row(7, 11, 13), 70);
  EXPECT_EQ(scheduler.next(11), 1u);
  EXPECT_EQ(scheduler.issue_cycle(), 71u);
  ASSERT_EQ(scheduler.waits().size(), 1u);
  EXPECT_EQ(scheduler.waits()[0].reason, WarpScheduler::Reason::kMemory);
  EXPECT_EQ(scheduler.waits()[0].until, 70u);
  scheduler.finishes(row(71, 75, 77));
  EXPECT_EQ(scheduler.next(75), 0u);  // warp 1 has ended: nobody waits for it
  EXPECT_EQ(scheduler.issue_cycle(), 91u);
}

TEST(WarpScheduler, SeesTheEndOfABatchAtTheNextLook) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(1, 0);
  scheduler.next(0);
  scheduler.finishes(row(2, 6, 42));
  EXPECT_EQ(scheduler.end(6), 48u);  // looks in cycle 45, the first from 44 on; then three more
}

TEST(WarpScheduler, CountsCyclesWithoutAnIssue) {
  WarpScheduler scheduler(kTiming);
  scheduler.start(1, 0);
  scheduler.next(0);
  scheduler.goes_on(row(2, 6, 40));
  scheduler.next(6);
  EXPECT_EQ(scheduler.stalls(), 35u);  // could have issued in cycle 6, did in 41
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip::timing
