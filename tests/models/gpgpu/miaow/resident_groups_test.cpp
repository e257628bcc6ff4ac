// SPDX-License-Identifier: Apache-2.0
// Several wavefronts in a compute unit: what a group's share with each other, where groups find
// room, and what that does to the time.
#include <gtest/gtest.h>

#include "tests/models/gpgpu/miaow/queue_grid.h"

namespace gvp::gpgpu::miaow {
namespace {

Configuration slots(uint32_t wavefronts) {
  Configuration configuration;
  configuration.wavefronts = wavefronts;
  return configuration;
}

GridLaunch groups_of(uint32_t groups, uint32_t items) {
  GridLaunch launch;
  launch.groups[0] = groups;
  launch.items[0] = items;
  launch.arguments = 0x100;
  launch.group_numbers = 1;
  launch.vectors = 8;
  launch.scalars = 24;
  launch.share_bytes = 2048;
  return launch;
}

const std::string kFormat = " format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT] offen";

// Each item tells its group by the local data share what its number is, and stores what the item
// at the other end has told.  v7: the item's number, s20: where results are.
const std::string kExchange =
    "s_load_dword s20, s[0:1], 0x0\n"
    "s_mov_b32 s8, 0\ns_mov_b32 s9, 0\ns_mov_b32 s10, -1\ns_mov_b32 s11, 0\ns_mov_b32 m0, -1\n"
    "v_lshlrev_b32 v1, 2, v0\n"                       // 4 i
    "s_lshl_b32 s12, s2, 16\nv_or_b32 v2, s12, v0\n"  // group, item
    "ds_write_b32 v1, v2\n"
    "s_waitcnt lgkmcnt(0)\ns_barrier\n"
    "v_sub_i32 v3, vcc, 0x3fc, v1\n"  // of 256 items
    "ds_read_b32 v4, v3\ns_waitcnt lgkmcnt(0)\n"
    "s_lshl_b32 s13, s2, 10\nv_add_i32 v5, vcc, s13, v1\nv_add_i32 v5, vcc, s20, v5\n"
    "tbuffer_store_format_x v4, v5, s[8:11], 0" +
    kFormat + "\ns_endpgm";

class ResidentGroups : public testing::TestWithParam<Model> {};
INSTANTIATE_TEST_SUITE_P(Models, ResidentGroups, testing::Values(Model::kLt, Model::kAt));

TEST_P(ResidentGroups, WavefrontsOfAGroupMeetAtBarriersAndShareMemory) {
  for (const uint32_t wavefronts : {4u, 8u, 15u, 40u})
    for (const uint32_t units : {1u, 3u}) {
      Grid grid(GetParam(), units, slots(wavefronts));
      grid.load(kExchange);
      grid.run(groups_of(7, 256));
      EXPECT_EQ(grid.queue.resident_groups(), std::min(wavefronts / 4, 5u)) << "by registers 5";
      for (uint32_t group = 0; group < 7; ++group)
        for (uint32_t item = 0; item < 256; ++item)
          ASSERT_EQ(grid.word(0x1000 + 4 * (256 * group + item)), group << 16 | (255 - item))
              << wavefronts << ' ' << group << ' ' << item;
    }
}

TEST_P(ResidentGroups, CatchingUpInSmallStepsChangesNothing) {
  Grid steps(GetParam(), 2, slots(8));
  steps.load(kExchange);
  ASSERT_EQ(steps.queue.start(groups_of(7, 192), 100), FaultCause::kNone);
  uint64_t now = 100;
  while (steps.queue.running() && now < 1'000'000) steps.queue.run_until(now += 13);
  Grid whole(GetParam(), 2, slots(8));
  whole.load(kExchange);
  EXPECT_EQ(whole.run(groups_of(7, 192), 100), steps.queue.cycles(now));
  for (uint32_t i = 0; i < 7 * 256; ++i)
    ASSERT_EQ(whole.word(0x1000 + 4 * i), steps.word(0x1000 + 4 * i)) << i;
}

// The last wavefront of the group has fewer items.
TEST_P(ResidentGroups, WavefrontsKnowTheirItems) {
  Grid grid(GetParam(), 1, slots(4));
  grid.load(
      "s_load_dword s20, s[0:1], 0x0\n"
      "s_mov_b32 s8, 0\ns_mov_b32 s9, 0\ns_mov_b32 s10, -1\ns_mov_b32 s11, 0\n"
      "v_lshlrev_b32 v4, 8, v1\nv_or_b32 v4, v4, v0\n"         // y, x
      "v_mul_u32_u24 v5, 50, v1\nv_add_i32 v5, vcc, v5, v0\n"  // item
      "v_lshlrev_b32 v5, 2, v5\nv_add_i32 v5, vcc, s20, v5\n"
      "v_add_i32 v4, vcc, 1, v4\n"
      "tbuffer_store_format_x v4, v5, s[8:11], 0" +
      kFormat + "\ns_endpgm");
  GridLaunch launch = groups_of(1, 50);
  launch.items[1] = 3;
  grid.run(launch);
  for (uint32_t item = 0; item < 160; ++item)
    ASSERT_EQ(grid.word(0x1000 + 4 * item), item < 150 ? (item / 50 << 8 | item % 50) + 1 : 0)
        << item;
}

// Wavefront 0 of three ends at once; the others come to a barrier.
TEST_P(ResidentGroups, AWavefrontThatHasEndedHoldsUpNobody) {
  Grid grid(GetParam(), 1, slots(3));
  grid.load(
      "v_readfirstlane_b32 s4, v0\ns_cmp_eq_u32 s4, 0\ns_cbranch_scc1 .Lend\ns_barrier\n"
      ".Lend:\ns_endpgm");
  grid.run(groups_of(2, 192));
  EXPECT_EQ(grid.queue.groups_done(), 2u);
}

TEST_P(ResidentGroups, WhatDoesNotFitIsRefusedAndNamed) {
  Grid grid(GetParam(), 1, slots(4));
  grid.load("s_endpgm");
  EXPECT_EQ(grid.queue.start(groups_of(1, 257), 0), FaultCause::kTooManyThreads);
  GridLaunch launch = groups_of(1, 256);
  launch.vectors = 257;
  EXPECT_EQ(grid.queue.start(launch, 0), FaultCause::kTooManyRegisters);
  launch.vectors = 256;
  grid.run(launch);
  Grid more(GetParam(), 1, slots(5));
  more.load("s_endpgm");
  launch.items[0] = 320;
  EXPECT_EQ(more.queue.start(launch, 0), FaultCause::kTooManyRegisters) << "of 1024 for 5";
  launch.vectors = 8;
  launch.scalars = 104;
  EXPECT_EQ(more.queue.start(launch, 0), FaultCause::kTooManyRegisters) << "of 512 for 5";
  launch.scalars = 102;
  launch.items[0] = 256;
  launch.share_bytes = kShareBytes + 1;
  EXPECT_EQ(more.queue.start(launch, 0), FaultCause::kTooMuchShared);
  launch.share_bytes = kShareBytes;
  more.run(launch);
}

TEST(ResidentGroupsOfAUnit, AreAsManyAsSlotsRegistersAndShareAllow) {
  Grid grid(Model::kLt, 1, slots(40));
  grid.load("s_endpgm");
  GridLaunch launch = groups_of(1, 64);
  launch.scalars = 8;
  launch.share_bytes = 0;
  grid.run(launch);
  EXPECT_EQ(grid.queue.resident_groups(), 40u) << "slots";
  launch.vectors = 33;
  grid.run(launch);
  EXPECT_EQ(grid.queue.resident_groups(), 1024u / 36) << "vector registers, in fours";
  launch.vectors = 8;
  launch.scalars = 17;
  grid.run(launch);
  EXPECT_EQ(grid.queue.resident_groups(), 512u / 24) << "scalar registers, in eights";
  launch.share_bytes = 5000;
  grid.run(launch);
  EXPECT_EQ(grid.queue.resident_groups(), 65536u / 5120) << "the share, in 256 bytes";
}

TEST(ResidentGroupsOfAUnit, KeepToTheirOwnRegistersAndShare) {
  Grid grid(Model::kAt, 1, slots(4));
  grid.load("v_mov_b32 v8, 0\ns_endpgm");
  ASSERT_EQ(grid.queue.start(groups_of(1, 64), 0), FaultCause::kNone);
  grid.queue.run_until(1000);
  EXPECT_EQ(grid.queue.state(), GridQueue::State::kStopped);
  EXPECT_EQ(grid.queue.fault().cause, FaultCause::kIllegalInstruction);
  grid.load("s_mov_b32 m0, -1\nv_mov_b32 v1, 0x800\nds_write_b32 v1, v0\ns_endpgm");
  ASSERT_EQ(grid.queue.start(groups_of(2, 64), 2000), FaultCause::kNone);
  grid.queue.run_until(3000);
  EXPECT_EQ(grid.queue.state(), GridQueue::State::kStopped);
  EXPECT_EQ(grid.queue.fault().cause, FaultCause::kSharedOutOfRange);
}

// Additions that depend on each other, which keep a float unit a quarter of the time idle.
std::string additions() {
  std::string source;
  for (unsigned i = 0; i < 20; ++i) source += "v_add_f32 v1, v1, v0\n";
  return source + "s_endpgm";
}

TEST(ResidentGroupsOfAUnit, HideWhatOneWavefrontWaitsFor) {
  std::vector<uint64_t> cycles;
  for (const uint32_t wavefronts : {1u, 2u, 4u}) {
    Grid grid(Model::kAt, 1, slots(wavefronts));
    grid.load(additions());
    cycles.push_back(grid.run(groups_of(4, 64)));
  }
  const Timing timing;
  const uint64_t alone = 4 * 20 * (timing.vector_base + 4 * timing.float_add_beat);
  EXPECT_GT(cycles[0], 4 * 20 * uint64_t{47}) << "one wavefront waits for each result";
  EXPECT_LT(cycles[1], cycles[0]);
  EXPECT_LT(cycles[2], alone + 100) << "four keep the unit busy";
  EXPECT_GE(cycles[2], alone);
}

TEST(ResidentGroupsOfAUnit, KeepSeveralVectorUnitsBusy) {
  std::vector<uint64_t> cycles;
  for (const uint32_t units : {1u, 2u, 4u}) {
    Configuration configuration = slots(8);
    configuration.float_units = units;
    Grid grid(Model::kAt, 1, configuration);
    grid.load(additions());
    cycles.push_back(grid.run(groups_of(8, 64)));
  }
  EXPECT_GT(static_cast<double>(cycles[0]) / static_cast<double>(cycles[1]), 1.9);
  EXPECT_GT(static_cast<double>(cycles[0]) / static_cast<double>(cycles[2]), 3.5);
}

TEST(ResidentGroupsOfAUnit, AreNotFasterLooselyTimed) {
  Grid one(Model::kLt, 1, slots(1));
  one.load(additions());
  Grid four(Model::kLt, 1, slots(4));
  four.load(additions());
  const uint64_t apart = one.run(groups_of(4, 64));
  EXPECT_EQ(four.run(groups_of(4, 64)), apart - 3 * 8u) << "but for dispatches meanwhile";
}

// While the host serves one, another one computes.
TEST(ResidentGroupsOfAUnit, ComputeWhileTheHostServesOneOfThem) {
  Grid grid(Model::kAt, 1, slots(2));
  grid.load(
      "s_cmp_lg_u32 s2, 0\ns_cbranch_scc1 .Lcompute\n"
      "s_brev_b32 s4, 1\ns_mov_b32 s5, 0\ns_load_dword s6, s[4:5], 0x0\ns_endpgm\n"
      ".Lcompute:\nv_mov_b32 v1, 1\ns_endpgm");
  ASSERT_EQ(grid.queue.start(groups_of(3, 64), 0), FaultCause::kNone);
  grid.queue.run_until(5000);
  ASSERT_TRUE(grid.queue.running());
  EXPECT_EQ(grid.queue.groups_done(), 2u) << "groups 1 and 2, one after the other";
  MemoryService& service = grid.queue.served(5000).service();
  EXPECT_EQ(service.address(), 0x80000000u);
  for (const bool level : {true, false}) service.write_acknowledge(level);
  for (const bool level : {true, false}) service.write_done(level, 5000);
  grid.queue.run_until(6000);
  EXPECT_EQ(grid.queue.state(), GridQueue::State::kDone);
  EXPECT_GT(grid.queue.cycles(6000), 5000u);
}

TEST(ResidentGroupsOfAUnit, AFaultNamesTheGroup) {
  Grid grid(Model::kAt, 2, slots(4));
  grid.load("s_cmp_lg_u32 s2, 5\ns_cbranch_scc1 .Lend\ns_trap 0x2\n.Lend:\ns_endpgm");
  ASSERT_EQ(grid.queue.start(groups_of(9, 128), 0), FaultCause::kNone);
  grid.queue.run_until(10'000);
  EXPECT_EQ(grid.queue.state(), GridQueue::State::kStopped);
  EXPECT_EQ(grid.queue.faulting_group(), 5u);
  EXPECT_EQ(grid.unit(0).state(3), ComputeUnit::State::kIdle);
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
