// SPDX-License-Identifier: Apache-2.0
// What the published RTL does otherwise than AMD specifies, and what it does not do at all.
#include "models/gpgpu/miaow/rtl_quirks.h"

#include <gtest/gtest.h>

#include <map>

#include "models/base/error.h"
#include "models/gpgpu/miaow/rtl_instructions.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "tests/models/gpgpu/miaow/one_wavefront.h"
#include "tests/support/temporary_file.h"

namespace gvp::gpgpu::miaow {
namespace {

using southern_islands::Format;
using southern_islands::Instruction;
using southern_islands::Operation;

Configuration with_quirks() {
  Configuration configuration;
  configuration.rtl_quirks = true;
  return configuration;
}

// s0 and v0 hold a, s1 and v1 b, s4, v4 and v5 0x100; the result is v4's of lane 0, where SCC and
// VCC come by selections of 1 and 0.
uint32_t result(bool quirks, const std::string& text, uint32_t a, uint32_t b) {
  OneWavefront wavefront(Model::kLt, quirks ? with_quirks() : Configuration{});
  std::string tail;
  if (text.rfind("s_cmp", 0) == 0)
    tail = "s_cselect_b32 s4, 1, 0\nv_mov_b32 v4, s4\n";
  else if (text.rfind("s_", 0) == 0)
    tail = "v_mov_b32 v4, s4\n";
  if (text.rfind("v_cmp", 0) == 0)
    tail = "v_mov_b32 v4, 1\nv_mov_b32 v3, 0\nv_cndmask_b32 v4, v3, v4, vcc\n";
  wavefront.load(kAllLanes + text + "\n" + tail + "s_endpgm");
  wavefront.unit.set_scalar(0, a);
  wavefront.unit.set_scalar(1, b);
  wavefront.unit.set_scalar(4, 0x100);
  for (unsigned lane = 0; lane < 64; ++lane) {
    wavefront.unit.vector(0)[lane] = a;
    wavefront.unit.vector(1)[lane] = b;
    wavefront.unit.vector(4)[lane] = 0x100;
    wavefront.unit.vector(5)[lane] = 0x100;
  }
  wavefront.run();
  return wavefront.unit.vector(4)[0];
}

struct Row {
  std::string text;
  uint32_t a, b;
  uint32_t specified, rtl;
};

constexpr uint32_t kMinus2 = 0xfffffffe, kMinus3 = 0xfffffffd;
constexpr uint32_t kFloat1 = 0x3f800000, kFloat2 = 0x40000000, kFloatMinus1 = 0xbf800000;
constexpr uint32_t kFloatMinus2 = 0xc0000000, kMinusZero = 0x80000000, kNan = 0x7fc00000;

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"s_max_i32 s4, s0, s1", kMinus2, 5, 5, kMinus2},
      {"s_ashr_i32 s4, s0, s1", 0x80000000, 4, 0xf8000000, 0x08000000},
      {"s_cmp_gt_i32 s0, s1", kMinus2, kMinus3, 1, 0},
      {"s_cmp_ge_i32 s0, s1", kMinus2, kMinus2, 1, 0},
      {"s_cmp_lt_i32 s0, s1", kMinus3, kMinus2, 1, 0},
      {"s_cmp_le_i32 s0, s1", kMinus2, kMinus3, 0, 1},
      {"s_cmp_gt_i32 s0, s1", 3, kMinus3, 1, 1},
      {"v_max_i32 v4, v0, v1", kMinus2, 5, 5, kMinus2},
      {"v_ashrrev_i32 v4, v1, v0", 0x80000000, 4, 0xf8000000, 0x08000000},
      {"v_bfe_i32 v4, v0, 4, 8", 0x00000f80, 0, 0xfffffff8, 0xf8},
      {"v_cmp_lt_i32 vcc, v0, v1", kMinus2, 5, 1, 0},
      {"v_cmp_le_i32 vcc, v0, v1", 5, kMinus2, 0, 1},
      {"v_cmp_gt_i32 vcc, v0, v1", kMinus2, 5, 0, 1},
      {"v_cmp_ge_i32_e64 vcc, v0, v1", 5, kMinus2, 1, 0},
      {"v_max_f32 v4, v0, v1", kFloatMinus1, kFloat1, kFloat1, kFloatMinus1},
      {"v_cmp_lt_f32 vcc, v0, v1", kFloatMinus1, kFloat1, 1, 0},
      {"v_cmp_gt_f32_e64 vcc, v0, v1", kFloatMinus1, kFloat1, 0, 1},
      {"v_cmp_le_f32 vcc, v0, v1", kFloatMinus1, kFloatMinus2, 0, 1},
      {"v_cmp_ge_f32 vcc, v0, v1", kFloatMinus1, kFloatMinus2, 1, 0},
      {"v_cmp_eq_f32 vcc, v0, v1", 0, kMinusZero, 1, 0},
      {"v_cmp_lg_f32 vcc, v0, v1", 0, kMinusZero, 0, 1},
      {"v_cmp_neq_f32 vcc, v0, v1", kNan, kNan, 1, 0},
      {"v_cmp_nlg_f32 vcc, v0, v1", 0, kMinusZero, 1, 0},
      {"v_cmp_nlt_f32 vcc, v0, v1", kFloatMinus1, kFloat1, 0, 1},
      {"v_cmp_ngt_f32 vcc, v0, v1", kFloatMinus1, kFloat1, 1, 0},
      {"v_cmp_nle_f32 vcc, v0, v1", kFloatMinus1, kFloat1, 0, 1},
      {"v_cmp_nge_f32 vcc, v0, v1", kFloatMinus1, kFloat1, 1, 0},
      {"v_subrev_f32_e64 v4, v0, v1", kFloat1, kFloat2, kFloat1, kFloatMinus1},
      {"v_subrev_f32 v4, v0, v1", kFloat1, kFloat2, kFloat1, kFloat1},
      {"v_mul_i32_i24 v4, v0, v1", kMinus2, 5, 0xfffffff6, 10},
      {"v_mul_i32_i24 v4, v0, v1", kMinus2, kMinus3, 6, 6},
      {"v_mul_lo_i32 v4, v0, v1", 7, kMinus3, 0xffffffeb, 21},
      {"v_cvt_u32_f32 v4, v0", kFloatMinus2, 0, 0, 2},
      {"v_mac_f32 v4, v0, v1", kFloat1, kFloat2, kFloat2, kFloat2 + 0x100},
      {"v_madmk_f32 v4, v0, 2.0, v5", kFloat1, 0, kFloat2, kFloat2 + 0x100},
  };
  return all;
}

TEST(RtlQuirks, AreThoseOfTheRtlsUnitsAndOffByDefault) {
  for (const Row& row : rows()) {
    EXPECT_EQ(result(false, row.text, row.a, row.b), row.specified) << row.text;
    EXPECT_EQ(result(true, row.text, row.a, row.b), row.rtl) << row.text;
  }
}

TEST(RtlQuirks, LeaveOtherInstructionsAlone) {
  EXPECT_EQ(result(true, "v_add_f32 v4, v0, v1", kFloat1, kFloat1), kFloat2);
  EXPECT_EQ(result(true, "v_mul_lo_u32 v4, v0, v1", 3, 5), 15u);
  EXPECT_EQ(result(true, "s_cmp_lt_u32 s0, s1", kMinus3, kMinus2), 1u);
}

const std::string kFormat = " format:[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_FLOAT] offen";

// Lanes 0, 1 and 3 are active; each has its word at 0x1000.
void load_words(OneWavefront& wavefront, const std::string& text) {
  wavefront.load("s_movk_i32 exec_lo, 0xf\ntbuffer_load_format_x v2, v0, s[4:7], 0" + kFormat +
                 " offset:0x400" + "\ns_movk_i32 exec_lo, 0xb\n" + text + "\ns_endpgm");
  for (uint32_t i = 0; i < 64; ++i) {
    wavefront.unit.vector(0)[i] = 4 * i;
    wavefront.unit.vector(1)[i] = 900 + i;
    wavefront.unit.set_prefetch(0x400 + 4 * i, 500 + i);
    wavefront.unit.set_prefetch(0x800 + 4 * i, 700 + i);
  }
}

TEST(RtlQuirks, AccessesEndAtTheFirstInactiveLaneAndLoadsGetWhatWasThere) {
  for (const bool quirks : {false, true}) {
    OneWavefront wavefront(Model::kAt, quirks ? with_quirks() : Configuration{});
    load_words(wavefront, "tbuffer_load_format_x v3, v0, s[4:7], 0" + kFormat + " offset:0x800");
    wavefront.run();
    EXPECT_EQ(wavefront.unit.vector(3)[1], 701u);
    EXPECT_EQ(wavefront.unit.vector(3)[2], 0u);
    EXPECT_EQ(wavefront.unit.vector(3)[3], quirks ? 503u : 703u);
  }
}

TEST(RtlQuirks, StoresEndAtTheFirstInactiveLaneAndTakeNoLonger) {
  std::map<bool, uint64_t> cycles;
  for (const bool quirks : {false, true}) {
    OneWavefront wavefront(Model::kAt, quirks ? with_quirks() : Configuration{});
    load_words(wavefront, "tbuffer_store_format_x v1, v0, s[4:7], 0" + kFormat + " offset:0x800");
    cycles[quirks] = wavefront.run();
    EXPECT_EQ(wavefront.unit.prefetch(0x804), 901u);
    EXPECT_EQ(wavefront.unit.prefetch(0x80c), quirks ? 703u : 903u);
  }
  EXPECT_EQ(cycles[true] + Timing{}.memory_word, cycles[false]);
}

TEST(RtlQuirks, TheShareIsGlobalMemory) {
  for (const bool quirks : {false, true}) {
    OneWavefront wavefront(Model::kLt, quirks ? with_quirks() : Configuration{});
    wavefront.load(kAllLanes +
                   "ds_write_b32 v0, v1 offset:16\nds_read_b32 v2, v0 offset:16\ns_endpgm");
    for (uint32_t i = 0; i < 64; ++i) {
      wavefront.unit.vector(0)[i] = 4 * i;
      wavefront.unit.vector(1)[i] = 900 + i;
    }
    Launch launch;
    launch.base_share = 0x200;
    wavefront.run(launch);
    EXPECT_EQ(wavefront.unit.vector(2)[63], 963u);
    EXPECT_EQ(wavefront.unit.prefetch(0x210), quirks ? 900u : 0u);
  }
}

TEST(RtlQuirks, WhatHasNoUnitNeverEnds) {
  for (const char* text :
       {"s_nop 0", "s_xor_b32 s0, s0, s0", "v_min_u32_e64 v0, v0, v1", "v_sqrt_f32 v0, v0",
        "v_mov_b32_e64 v0, v1", "s_cbranch_vccnz .Lend", "buffer_load_dword v0, off, s[4:7], 0"}) {
    OneWavefront wavefront(Model::kLt, with_quirks());
    wavefront.load(std::string(text) + "\n.Lend:\ns_endpgm");
    wavefront.unit.start({});
    wavefront.unit.run_until(1'000'000);
    EXPECT_EQ(wavefront.unit.state(), ComputeUnit::State::kExecuting) << text;
    EXPECT_TRUE(wavefront.unit.stuck()) << text;
  }
}

TEST(RtlInstructions, AreARestrictionOfTheirOwnThatFaults) {
  Configuration configuration;
  configuration.rtl_instructions = true;
  OneWavefront refused(Model::kLt, configuration);
  refused.load("s_nop 0\ns_xor_b32 s0, s0, s0\ns_endpgm");
  refused.unit.start({});
  refused.unit.run_until(1'000'000);
  EXPECT_EQ(refused.unit.fault().cause, FaultCause::kUnsupportedInstruction);
  EXPECT_EQ(refused.unit.fault().pc, 4u);
  OneWavefront allowed(Model::kLt, configuration);
  allowed.load("s_max_i32 s4, s0, s1\ns_endpgm");
  allowed.unit.set_scalar(0, kMinus2);
  allowed.unit.set_scalar(1, 5);
  allowed.run();
  EXPECT_EQ(allowed.unit.scalar(4), 5u) << "as AMD specifies";
}

TEST(TrimmedDevice, HasTheInstructionsOfItsFileAlone) {
  const test::TemporaryFile list("list.txt", "s_mov_b32  # as gvp-trim writes them\ns_endpgm\n");
  Configuration configuration;
  configuration.instructions = list.path();
  OneWavefront trimmed(Model::kLt, configuration);
  trimmed.load("s_mov_b32 s4, 7\ns_add_u32 s4, s4, s4\ns_endpgm");
  trimmed.unit.start({});
  trimmed.unit.run_until(1'000'000);
  EXPECT_EQ(trimmed.unit.fault().cause, FaultCause::kUnsupportedInstruction);
  EXPECT_EQ(trimmed.unit.fault().pc, 4u);
  OneWavefront allowed(Model::kLt, configuration);
  allowed.load("s_mov_b32 s4, 7\ns_endpgm");
  allowed.run();
  EXPECT_EQ(allowed.unit.scalar(4), 7u);
  configuration.instructions = list.path() + ".missing";
  EXPECT_THROW(OneWavefront(Model::kLt, configuration), Error);
}

// By format, as the RTL's decoder and units were read: 164 entries.
TEST(RtlInstructions, AreAsManyAsTheRtlHas) {
  std::map<Format, unsigned> found;
  unsigned long_forms = 0;
  for (std::size_t i = 1; i < southern_islands::kOperationCount; ++i) {
    Instruction instruction;
    instruction.operation = static_cast<Operation>(i);
    if (rtl_executes(instruction)) ++found[southern_islands::info(instruction.operation).format];
    instruction.vop3 = true;
    if (rtl_executes(instruction)) ++long_forms;
  }
  const std::map<Format, unsigned> expected = {
      {Format::kSop2, 17}, {Format::kSopk, 3}, {Format::kSop1, 7},  {Format::kSopc, 12},
      {Format::kSopp, 9},  {Format::kSmrd, 7}, {Format::kVop2, 21}, {Format::kVop1, 4},
      {Format::kVopc, 30}, {Format::kDs, 2},   {Format::kMtbuf, 8}, {Format::kVop3, 44 - 37}};
  EXPECT_EQ(found, expected);
  EXPECT_EQ(long_forms, 37u);
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
