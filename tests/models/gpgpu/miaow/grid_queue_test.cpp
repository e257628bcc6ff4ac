// SPDX-License-Identifier: Apache-2.0
// Grids over compute units, and vector units side by side.
#include "models/gpgpu/miaow/grid_queue.h"

#include <gtest/gtest.h>

#include "tests/models/gpgpu/miaow/queue_grid.h"

namespace gvp::gpgpu::miaow {
namespace {

const std::string kFormat = " format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT] offen";

// Of a grid of 4 x 3 groups of 8 x 4 x 2 items each item writes who it is.
const std::string kWho =
    "s_load_dword s20, s[0:1], 0x0\n"  // where
    "s_mov_b32 s8, 0\ns_mov_b32 s9, 0\ns_mov_b32 s10, -1\ns_mov_b32 s11, 0\n"
    "s_lshl_b32 s12, s3, 2\ns_add_u32 s12, s12, s2\n"  // group
    "v_lshlrev_b32 v3, 3, v1\nv_add_i32 v3, vcc, v3, v0\n"
    "v_lshlrev_b32 v4, 5, v2\nv_add_i32 v3, vcc, v3, v4\n"  // item
    "s_lshl_b32 s13, s12, 6\nv_add_i32 v5, vcc, s13, v3\nv_lshlrev_b32 v5, 2, v5\n"
    "v_add_i32 v5, vcc, s20, v5\n"
    "v_lshlrev_b32 v6, 8, v2\nv_or_b32 v6, v6, v1\nv_lshlrev_b32 v6, 8, v6\nv_or_b32 v6, v6, v0\n"
    "s_lshl_b32 s14, s12, 24\nv_or_b32 v6, s14, v6\n"
    "tbuffer_store_format_x v6, v5, s[8:11], 0" +
    kFormat + "\ns_endpgm";

GridLaunch who() {
  GridLaunch launch;
  launch.groups[0] = 4;
  launch.groups[1] = 3;
  launch.items[0] = 8;
  launch.items[1] = 4;
  launch.items[2] = 2;
  launch.arguments = 0x100;
  launch.group_numbers = 3;
  return launch;
}

class GridQueueOnBoth : public testing::TestWithParam<std::pair<Model, uint32_t>> {};
INSTANTIATE_TEST_SUITE_P(Models, GridQueueOnBoth,
                         testing::Values(std::pair{Model::kLt, 1u}, std::pair{Model::kLt, 3u},
                                         std::pair{Model::kAt, 1u}, std::pair{Model::kAt, 5u}));

TEST_P(GridQueueOnBoth, EveryItemRunsOnceAndKnowsWhoItIs) {
  Grid grid(GetParam().first, GetParam().second);
  grid.load(kWho);
  grid.run(who());
  for (uint32_t group = 0; group < 12; ++group)
    for (uint32_t item = 0; item < 64; ++item) {
      const uint32_t expected = group << 24 | item / 32 << 16 | item / 8 % 4 << 8 | item % 8;
      ASSERT_EQ(grid.word(0x1000 + 4 * (64 * group + item)), expected) << group << ' ' << item;
    }
  EXPECT_EQ(grid.queue.groups_done(), 12u);
}

TEST(GridQueue, SeveralUnitsShareTheGroups) {
  std::vector<uint64_t> cycles;
  for (const uint32_t units : {1u, 2u, 3u, 5u}) {
    Grid grid(Model::kAt, units);
    grid.load(kWho);
    cycles.push_back(grid.run(who(), 77));
  }
  const uint64_t round = cycles[0] / 12;
  EXPECT_EQ(cycles[0], 12 * round) << "each group takes as long";
  EXPECT_EQ(cycles[1], 6 * round);
  EXPECT_EQ(cycles[2], 4 * round);
  EXPECT_EQ(cycles[3], 3 * round) << "12 groups in 5 units";
}

TEST(GridQueue, TheTimeIsThatOfTheWavefrontAndItsDispatch) {
  Grid grid(Model::kAt, 1);
  grid.load(kWho);
  OneWavefront alone(Model::kAt);
  alone.load(kWho);
  alone.unit.set_prefetch(0x100, 0x1000);
  alone.unit.set_scalar(0, 0x100);
  alone.unit.set_scalar(1, 0);
  Launch launch;
  launch.lanes = 64;
  EXPECT_EQ(grid.run(who()), 12 * (alone.run(launch) + 8));
}

TEST(GridQueue, CatchingUpInSmallStepsChangesNothing) {
  Grid steps(Model::kAt, 3);
  steps.load(kWho);
  ASSERT_EQ(steps.queue.start(who(), 0), FaultCause::kNone);
  uint64_t now = 0;
  while (steps.queue.running() && now < 1'000'000) steps.queue.run_until(now += 13);
  Grid whole(Model::kAt, 3);
  whole.load(kWho);
  EXPECT_EQ(whole.run(who()), steps.queue.cycles(now));
}

TEST(GridQueue, WhatDoesNotFitIsRefused) {
  Grid grid(Model::kLt, 1);
  grid.load("s_endpgm");
  GridLaunch launch;
  launch.items[0] = 33;
  launch.items[1] = 2;
  EXPECT_EQ(grid.queue.start(launch, 0), FaultCause::kTooManyThreads);
  launch.items[1] = 0;
  EXPECT_EQ(grid.queue.start(launch, 0), FaultCause::kBadConfiguration);
  launch.items[1] = 1;
  launch.groups[2] = 65536;
  EXPECT_EQ(grid.queue.start(launch, 0), FaultCause::kBadConfiguration);
  launch.groups[2] = 1;
  grid.run(launch);
}

TEST(GridQueue, AFaultStopsTheGridAndSaysWhere) {
  for (const char* text : {"s_cmp_lg_u32 s2, 5\ns_cbranch_scc1 .Lend\ns_setpc_b64 s[60:61]\n"
                           ".Lend:\ns_endpgm",
                           "s_cmp_lg_u32 s2, 5\ns_cbranch_scc1 .Lend\ns_sethalt 1\n"
                           ".Lend:\ns_endpgm"}) {
    Grid grid(Model::kLt, 2);
    grid.load(text);
    for (const std::size_t i : {0u, 1u}) grid.unit(i).set_scalar(60, 0x10000);
    GridLaunch launch;
    launch.groups[0] = 10;
    launch.group_numbers = 1;
    ASSERT_EQ(grid.queue.start(launch, 0), FaultCause::kNone);
    grid.queue.run_until(1'000'000);
    EXPECT_EQ(grid.queue.state(), GridQueue::State::kStopped) << text;
    EXPECT_EQ(grid.queue.faulting_group(), 5u) << text;
    EXPECT_NE(grid.queue.fault().cause, FaultCause::kNone) << text;
    EXPECT_EQ(grid.unit(1).state(), ComputeUnit::State::kIdle);
    launch.groups[0] = 3;
    grid.run(launch);
  }
}

TEST(GridQueue, UnitsTakeTurnsAtTheHostsService) {
  Grid grid(Model::kAt, 2);
  grid.load(
      "s_mov_b32 s8, 0\ns_brev_b32 s9, 1\ns_mov_b32 s9, 0\ns_brev_b32 s8, 1\n"
      "s_load_dword s4, s[8:9], 0x0\ns_lshl_b32 s5, s2, 2\ns_add_u32 s4, s4, s2\n"
      "v_mov_b32 v3, s4\nv_mov_b32 v4, s5\ns_mov_b32 s8, 0\ns_mov_b32 s10, -1\n"
      "s_mov_b32 s11, 0\ntbuffer_store_format_x v3, v4, s[8:11], 0" +
      kFormat + "\ns_endpgm");
  GridLaunch launch;
  launch.groups[0] = 4;
  launch.group_numbers = 1;
  ASSERT_EQ(grid.queue.start(launch, 0), FaultCause::kNone);
  uint64_t now = 0;
  unsigned served = 0;
  while (grid.queue.running() && now < 100'000) {
    grid.queue.run_until(now += 20);
    if (!grid.queue.running()) break;
    MemoryService& service = grid.queue.served(now).service();
    if (service.state(now) != MIAOW_MEMORY_LOAD_REQUESTED) continue;
    EXPECT_EQ(service.address(), 0x80000000u);
    service.write_acknowledge(false);
    service.write_acknowledge(true);
    service.write_load_data(1000);
    service.write_done(false, now);
    service.write_done(true, now);
    ++served;
  }
  EXPECT_EQ(served, 4u);
  for (uint32_t group = 0; group < 4; ++group) EXPECT_EQ(grid.word(4 * group), 1000 + group);
}

// Group 0 computes long, the others end at once.
TEST(GridQueue, AGridEndsWithItsLastWavefrontWhicheverThatIs) {
  const std::string source =
      "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 .Lend\ns_movk_i32 s4, 0x40\n"
      ".Lagain:\ns_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 .Lagain\n"
      ".Lend:\ns_endpgm";
  GridLaunch launch;
  launch.group_numbers = 1;
  Grid alone(Model::kAt, 1);
  alone.load(source);
  const uint64_t longest = alone.run(launch);
  launch.groups[0] = 3;
  Grid both(Model::kAt, 2);
  both.load(source);
  EXPECT_EQ(both.run(launch), longest) << "the second unit has ended the others by then";
}

// Two loads from the host's memory, whose addresses tell the group.
const std::string kLoadByGroup =
    "s_lshl_b32 s4, s2, 2\ns_brev_b32 s5, 1\ns_add_u32 s4, s4, s5\ns_mov_b32 s5, 0\n"
    "s_load_dword s6, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\n"
    "s_load_dword s6, s[4:5], 0x10\ns_waitcnt lgkmcnt(0)\ns_endpgm";

TEST(GridQueue, UnitsThatWaitAreServedOneAfterTheOther) {
  Grid grid(Model::kAt, 3);
  grid.load(kLoadByGroup);
  GridLaunch launch;
  launch.groups[0] = 9;
  launch.group_numbers = 1;
  ASSERT_EQ(grid.queue.start(launch, 0), FaultCause::kNone);
  std::vector<uint32_t> order;
  for (uint64_t now = 1000; grid.queue.running() && now < 100'000; now += 1000) {
    // All of them wait by now.
    grid.queue.run_until(now);
    if (!grid.queue.running()) break;
    MemoryService& service = grid.queue.served(now).service();
    order.push_back(service.address() & 0xff);
    for (const bool level : {true, false}) service.write_acknowledge(level);
    service.write_load_data(0);
    for (const bool level : {true, false}) {
      MemoryService& shown = grid.queue.served(now).service();
      shown.write_done(level, now);
      grid.queue.run_until(now += 100);  // meanwhile the unit may ask again
    }
  }
  std::vector<uint32_t> turns;
  for (const uint32_t first : {0u, 0x40u, 12u, 0x4cu, 24u, 0x58u})
    for (uint32_t unit = 0; unit < 3; ++unit) turns.push_back(first + 4 * unit);
  EXPECT_EQ(order, turns);
}

// Cycles of so many independent additions.
uint64_t additions(unsigned units, const std::string& text) {
  Configuration configuration;
  ComputeUnit unit(configuration, make_scoreboard_schedule(configuration.timing, units, units));
  std::string source = kAllLanes;
  for (unsigned i = 0; i < 8; ++i) source += text + std::to_string(8 + i) + ", v0, v1\n";
  const auto words = southern_islands::assemble(source + "s_endpgm", "test").words;
  for (uint32_t i = 0; i < words.size(); ++i) unit.set_instruction(i, words[i]);
  unit.start({});
  unit.run_until(100'000);
  EXPECT_EQ(unit.state(), ComputeUnit::State::kFinished);
  return unit.end_cycle();
}

TEST(SeveralVectorUnits, TakeIndependentInstructionsSideBySide) {
  const uint64_t one = additions(1, "v_add_f32 v");
  EXPECT_EQ(one - additions(2, "v_add_f32 v"), 4u * 43 - 3);  // the second starts one issue later
  EXPECT_EQ(one - additions(4, "v_add_f32 v"), 6u * 43 - 3 * 3);
  EXPECT_GT(additions(1, "v_mul_lo_u32 v"), additions(2, "v_mul_lo_u32 v"));
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
