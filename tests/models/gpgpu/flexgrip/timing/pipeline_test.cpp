// SPDX-License-Identifier: Apache-2.0
// Hand-computed rows; the RTL's own traces are compared in microbenchmark_test.cpp.
#include "models/gpgpu/flexgrip/timing/pipeline.h"

#include <gtest/gtest.h>

namespace gvp::gpgpu::flexgrip::timing {
namespace {

constexpr PipelineTiming kTiming;

// IADD R2, R1, R1 at 32 SPs: read 8 + 2 * 5 and the predicate's 8, execute 3, write 8.
InstructionCosts iadd() {
  InstructionCosts costs;
  costs.fetch = 3;
  costs.read_prologue = 8;
  costs.read_registers = 18;
  costs.execute = 3;
  costs.write = 8;
  return costs;
}

Execution all_lanes() {
  Execution execution;
  execution.executed = simt::kAllLanes;
  return execution;
}

TEST(Pipeline, AnInstructionAloneTakesTheSumOfItsStages) {
  Pipeline pipeline(kTiming, 32);
  pipeline.issue(0, iadd(), all_lanes());
  const RowTimes& row = pipeline.row(0);
  EXPECT_EQ(row.fetch, 4u);   // 0 + 3, then one to leave
  EXPECT_EQ(row.decode, 6u);  // 4 + 1 + 1
  EXPECT_EQ(row.read, 32u);   // 6 + 26
  EXPECT_EQ(row.execute, 35u);
  EXPECT_EQ(row.write, 43u);
  EXPECT_EQ(pipeline.stalls().read, 0u);
}

TEST(Pipeline, ARowWaitsForTheStageAhead) {
  Pipeline pipeline(kTiming, 32);
  pipeline.issue(0, iadd(), all_lanes());
  pipeline.issue(5, iadd(), all_lanes());
  const RowTimes& row = pipeline.row(0);
  EXPECT_EQ(row.fetch, 9u);
  EXPECT_EQ(row.decode, 33u);  // the first row left the read stage in cycle 32
  EXPECT_EQ(row.read, 59u);
  EXPECT_EQ(row.write, 70u);
  EXPECT_EQ(pipeline.stalls().decode, 22u);  // ready in cycle 10, blocked until 32
}

TEST(Pipeline, AWarpPassesOnceForEachRow) {
  Pipeline pipeline(kTiming, 8);
  InstructionCosts costs = iadd();
  costs.read_prologue = 14;
  pipeline.issue(0, costs, all_lanes());
  ASSERT_EQ(pipeline.rows(), 4u);
  EXPECT_EQ(pipeline.row(0).read, 38u);
  EXPECT_EQ(pipeline.row(1).issue, 5u);  // the cycle after the first row was fetched
  EXPECT_EQ(pipeline.row(1).fetch, 7u);  // nothing to fetch
  EXPECT_EQ(pipeline.row(1).read, 57u);  // no predicate: 39 + 18
  EXPECT_EQ(pipeline.row(3).read, 95u);  // one row every 19 cycles
}

TEST(Pipeline, MemoryServesTheLanesOfARowOneAfterTheOther) {
  Pipeline pipeline(kTiming, 8);
  InstructionCosts costs = iadd();
  costs.read_prologue = 0;
  costs.read_registers = 8;
  costs.read_memory = 21;
  costs.read_lanes = {true, 3, 7, 1};
  Execution execution;
  execution.executed = 0x000000ff;  // only the first row has active lanes
  pipeline.issue(0, costs, execution);
  EXPECT_EQ(pipeline.row(0).read, 6u + 21 + 8 * 7);
  EXPECT_EQ(pipeline.row(1).read, 1u + pipeline.row(0).read + 21 + 8 - 1 + 1);
}

TEST(Pipeline, RegistersAreReadWhileMemoryIs) {
  Pipeline pipeline(kTiming, 32);
  InstructionCosts costs = iadd();
  costs.read_memory = 18;  // s[] without address register: not longer than two registers
  pipeline.issue(0, costs, all_lanes());
  EXPECT_EQ(pipeline.row(0).read, 32u);
}

TEST(Pipeline, OnABusEachLaneTakesAsLongAsItsAnswer) {
  Pipeline pipeline(kTiming, 32);
  InstructionCosts costs = iadd();
  costs.read_prologue = 0;
  costs.read_memory = 21;
  costs.read_lanes = {true, 3, 7, 1};
  uint32_t lane_cycles[32] = {};
  lane_cycles[0] = 40;
  lane_cycles[5] = 60;
  Execution execution;
  execution.executed = 1u << 0 | 1u << 5;
  execution.lane_cycles = lane_cycles;
  pipeline.issue(0, costs, execution);
  EXPECT_EQ(pipeline.row(0).read, 6u + 21 + 30 + (3 + 40) + (3 + 60));
}

TEST(Pipeline, AFloatAdditionWithASignTakesOneCycleMoreInThatRowOnly) {
  Pipeline pipeline(kTiming, 16);
  InstructionCosts costs = iadd();
  costs.execute = 25;
  costs.float_add = true;
  Execution execution = all_lanes();
  execution.negative = 1u << 16;  // first lane of the second row
  pipeline.issue(0, costs, execution);
  EXPECT_EQ(pipeline.row(0).execute - pipeline.row(0).read, 25u);
  EXPECT_EQ(pipeline.row(1).execute - pipeline.row(1).read, 26u);
}

TEST(Pipeline, TheWriteAfterABarrierWaitsLonger) {
  InstructionCosts bar = iadd();
  bar.write = 9;
  bar.barrier = true;
  InstructionCosts quick = iadd();
  quick.read_registers = 1;
  quick.execute = 1;
  quick.write = 1;

  Pipeline kept(kTiming, 32);
  kept.issue(0, bar, all_lanes());
  kept.issue(5, quick, all_lanes());
  Pipeline released(kTiming, 32);
  released.issue(0, bar, all_lanes());
  released.hold_write_for_release();
  released.issue(5, quick, all_lanes());
  const uint64_t barrier_written = 44;
  EXPECT_EQ(released.row(0).write, barrier_written + 37 + 1);
  EXPECT_EQ(kept.row(0).write, barrier_written + 4 + 1);
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip::timing
