// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/assembler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"

namespace gvp::gpgpu::southern_islands {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    assemble(text, "k.s");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Assembler, ResolvesLabelsBothWays) {
  const Assembly assembly = assemble(
      "kernel: ; the start\n"
      "  s_branch .Lend\n"
      "again: s_nop 0 // a comment\n"
      "  s_cbranch_scc1 again\n"
      ".Lend:\n"
      "  s_endpgm\n",
      "k.s");
  EXPECT_EQ(assembly.words,
            (std::vector<uint32_t>{0xbf820002, 0xbf800000, 0xbf85fffe, 0xbf810000}));
  ASSERT_EQ(assembly.labels.size(), 2u);
  EXPECT_EQ(assembly.labels[1].name, "again");
  EXPECT_EQ(assembly.labels[1].offset, 4u);
}

TEST(Assembler, TakesTextSectionsOnlyAndPadsThemWithNops) {
  const Assembly assembly = assemble(
      ".section .AMDGPU.config\n .long 1\n nonsense here\n.text\n.globl k\n.p2align 3\n"
      ".long 0x12345678, -1, 5\n.p2align 4\n",
      "k.s");
  EXPECT_EQ(assembly.words, (std::vector<uint32_t>{0x12345678, 0xffffffff, 5, 0xbf800000}));
}

TEST(Assembler, ChoosesTheShortFormWhereTheOperandsAllowIt) {
  EXPECT_EQ(assemble("v_add_f32 v1, s2, v3", "").words.size(), 1u);
  EXPECT_EQ(assemble("v_add_f32 v1, v2, s3", "").words.size(), 2u);
  EXPECT_EQ(assemble("v_add_f32_e64 v1, s2, v3", "").words.size(), 2u);
}

TEST(Assembler, ErrorsSayWhatAndWhere) {
  EXPECT_THAT(error_of("\n  v_ad_f32 v1, v2, v3"),
              HasSubstr("k.s:2:3: unknown instruction v_ad_f32"));
  EXPECT_THAT(error_of("v_ad_f32 v1, v2, v3"), HasSubstr("did you mean v_add_f32?"));
  EXPECT_THAT(error_of("s_add_u32 s1, s2"),
              HasSubstr("k.s:1:17: s_add_u32 takes 3 operands, not 2"));
  EXPECT_THAT(error_of("s_mov_b64 s[3:4], vcc"),
              HasSubstr("k.s:1:11: 2 scalar registers from a multiple of 2"));
  EXPECT_THAT(error_of("s_mov_b32 s[2:3], s0"), HasSubstr("1 register here, not 2"));
  EXPECT_THAT(error_of("s_mov_b32 s104, s0"), HasSubstr("there is no register s104 (s0 to s103)"));
  EXPECT_THAT(error_of("s_add_u32 s1, 100, 200"), HasSubstr("a second literal"));
  EXPECT_THAT(error_of("s_mov_b64 s[0:1], 0x123456789"),
              HasSubstr("no constant or literal of 32 bits"));
  EXPECT_THAT(error_of("v_mad_f32 v1, s2, s3, v1"), HasSubstr("reads 2 different scalar values"));
  EXPECT_THAT(error_of("v_add_i32_e64 v1, vcc, v2, v3 clamp"), HasSubstr("has no modifier clamp"));
  EXPECT_THAT(error_of("v_add_f32 v1, v2, v3 mul:3"), HasSubstr("mul:2 or mul:4"));
  EXPECT_THAT(error_of("v_and_b32 v1, -v2, v3"), HasSubstr("no sign"));
  EXPECT_THAT(error_of("s_branch nowhere"), HasSubstr("k.s:1:10: there is no label nowhere"));
  EXPECT_THAT(error_of("a:\na:"), HasSubstr("k.s:2:1: the label a is defined twice"));
  EXPECT_THAT(error_of(".p2align 13"), HasSubstr("the power of two is 13, and may be 0 to 12"));
  EXPECT_THAT(error_of(".macro x"), HasSubstr("unknown directive .macro"));
  EXPECT_THAT(error_of("s_waitcnt vmcnt(16)"), HasSubstr("0 to 15"));
  EXPECT_THAT(error_of("s_load_dword s1, s[2:3], 256"), HasSubstr("256 is not in 0 to 255"));
  EXPECT_THAT(error_of("buffer_load_dword v1, v2, s[4:7], 0 offset:4096 offen"),
              HasSubstr("0 to 4095"));
  EXPECT_THAT(error_of("buffer_load_dword v1, v2, s[4:7], 0"),
              HasSubstr("without offen, idxen and addr64 \"off\" stands here"));
  EXPECT_THAT(error_of("ds_read_b32 v1, v2 offset:1 offset:2"), HasSubstr("offset twice"));
  EXPECT_THAT(error_of("s_mov_b32 s1, 0x"), HasSubstr("digits"));
  EXPECT_THAT(error_of("s_mov_b32 s1, 1 2"), HasSubstr("k.s:1:17"));
  EXPECT_THAT(error_of("s_nop_e32 1"), HasSubstr("unknown instruction"));
}

TEST(Assembler, BranchesThatAreTooFarAreErrors) {
  std::string text = "s_branch far\n";
  for (unsigned n = 0; n < 32768; ++n) text += "s_nop 0\n";
  EXPECT_THAT(error_of(text + "far:"), HasSubstr("far is 32768 words away"));
}

}  // namespace
}  // namespace gvp::gpgpu::southern_islands
