// SPDX-License-Identifier: Apache-2.0
// What kcc accepts, what it refuses and what it says then.
#include "tools/kcc/g80/compiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

TEST(Compiler, SharedMemoryAtLaunchFollowsTheStaticOne) {
  const auto found =
      results(kernel("mov.u32 %r1, dynamic; mov.u32 %r2, fixed; shl.b32 %r3, %t, 2;\n"
                     "add.s32 %r4, %r1, %r3; st.shared.u32 [%r4], %t; add.s32 %r5, %r2, %r3;\n"
                     "st.shared.u32 [%r5], 99; bar.sync 0; ld.shared.u32 %r6, [%r4];\n"
                     "st.global.u32 [%own], %r6;",
                     ".extern .shared .align 4 .b8 dynamic[];\n.shared .align 4 .b8 fixed[128];\n"),
              32, 0, {}, 128);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], i);
}

TEST(Compiler, DeviceVariablesAreFoundThroughTheirRelocation) {
  const auto found =
      results(kernel("ld.global.u32 %r1, [factors+4]; mul.lo.s32 %r2, %r1, %t;\n"
                     "st.global.u32 [%own], %r2;",
                     ".global .align 4 .u32 factors[2] = {5, 11};\n"));
  EXPECT_EQ(found[3], 33u);
}

constexpr const char* kStore = ".param .u32 p)\n{\n.reg .b32 %r<4>;\n";

TEST(Compiler, LinesAreThoseOfLocDirectives) {
  const std::string text =
      ".version 3.2\n.target sm_20\n.address_size 32\n.visible .entry k(" + std::string(kStore) +
      ".loc 1 10 3\nld.param.u32 %r1, [p];\n.loc 2 20 1\nmov.u32 %r2, %tid.x;\n"
      ".loc 1 11 1\nst.global.u32 [%r1], %r2;\n.loc 1 0 1\nret;\n}\n"
      ".file 1 \"a.cu\"\n.file 2 \"b.h\"\n";
  g80::Options with;
  with.lines = true;
  const g80::Result result = g80::compile("k.ptx", text, with);
  const gpgpu::g80::Kernel& kernel = result.module.kernels[0];
  const auto last = static_cast<uint32_t>(4 * kernel.code.size() - 4);
  EXPECT_EQ(kernel.lines.place(last), "a.cu:11");
  EXPECT_EQ(std::count(kernel.lines.files().begin(), kernel.lines.files().end(), "b.h"), 1);
  const g80::Result without = g80::compile("k.ptx", text);
  EXPECT_EQ(without.module.kernels[0].code, kernel.code);
  EXPECT_TRUE(without.module.kernels[0].lines.empty());
}

TEST(Compiler, PtxOfNoOtherSourceHasItsOwnLines) {
  g80::Options with;
  with.lines = true;
  const std::string text = ".version 3.2\n.target sm_20\n.visible .entry k(" + std::string(kStore) +
                           "ld.param.u32 %r1, [p];\nst.global.u32 [%r1], 5;\nret;\n}\n";
  const auto lines = g80::compile("k.ptx", text, with).module.kernels[0].lines;
  EXPECT_EQ(lines.place(0).substr(0, 6), "k.ptx:");
  const auto has_store = [](const auto& row) { return row.line == 7; };
  EXPECT_TRUE(std::any_of(lines.rows().begin(), lines.rows().end(), has_store));
}

TEST(Compiler, SpillsWhatDoesNotFit) {
  const std::string text = kernel(hungry_body());
  g80::Options few;
  few.max_registers = 10;
  const g80::Result compiled = g80::compile("k.ptx", text, few);
  EXPECT_GT(compiled.kernels[0].spilled, 0u);
  EXPECT_GT(compiled.kernels[0].local_bytes, 0u);
  EXPECT_LE(compiled.kernels[0].registers, 10u);
  EXPECT_EQ(results(text, 32, 7, few), results(text));
}

TEST(Compiler, SixtyFourBitAddressesAreNarrowed) {
  const std::string text = R"(.version 9.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out, .param .u32 n)
{
  .reg .b64 %rd<5>; .reg .b32 %r<5>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r2, [n];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r2;
  ret;
})";
  EXPECT_EQ(results(text), std::vector<uint32_t>(32, 7));
}

// What NVIDIA's compiler of those days wrote: PTX 1.4, 64-bit addresses, 16-bit thread indices,
// registers of the module.
TEST(Compiler, TakesPtxOfCuda2And3) {
  const std::string text = R"(.version 1.4
.target sm_10, map_f64_to_f32
.reg .u32 %ra<17>;
.file 14 "k.cu"
.const .f32 coefficients[4] = {0f3f800000, 0f40000000, 0f40400000, 0f40800000};
.shared .align 4 .b8 __cuda_tile16[256];
.entry k (
  .param .u64 __cudaparm_k_p,
  .param .s32 __cudaparm_k_n)
{
  .reg .u16 %rh<4>; .reg .u32 %r<15>; .reg .u64 %rd<10>; .reg .f32 %f<8>; .reg .pred %p<4>;
  .loc 14 1 0
$LDWbegin_k:
  mov.u16 %rh1, %ctaid.x;
  mov.u16 %rh2, %ntid.x;
  mul.wide.u16 %r1, %rh1, %rh2;
  cvt.u32.u16 %r2, %tid.x;
  add.u32 %r3, %r2, %r1;
  ld.param.s32 %r4, [__cudaparm_k_n];
  set.le.u32.s32 %r9, %r4, %r3;
  neg.s32 %r10, %r9;
  mov.u32 %r14, 0;
  setp.ne.s32 %p1, %r10, %r14;
  @%p1 bra $Lt_0_1026;
  cvt.s64.s32 %rd1, %r3;
  mul.lo.u64 %rd2, %rd1, 4;
  ld.param.u64 %rd3, [__cudaparm_k_p];
  add.u64 %rd4, %rd3, %rd2;
  cvt.rn.f32.u32 %f1, %r3;
  mov.u64 %rd5, __cuda_tile16;
  cvt.u64.u16 %rd6, %tid.x;
  shl.b64 %rd7, %rd6, 2;
  add.u64 %rd8, %rd5, %rd7;
  st.shared.f32 [%rd8+0], %f1;
  bar.sync 0;
  ld.shared.f32 %f2, [%rd8+0];
  ld.const.f32 %f3, [coefficients+8];
  mad.f32 %f4, %f2, %f3, %f1;
  mov.b32 %ra1, %f4;
  st.global.u32 [%rd4+0], %ra1;
$Lt_0_1026:
  .loc 14 5 0
  exit;
$LDWend_k:
} // k
)";
  const auto found = results(text, 32, 30);
  for (uint32_t i = 0; i < 32; ++i) {
    const float value = i < 30 ? 4.0F * static_cast<float>(i) : 0.0F;
    uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    EXPECT_EQ(found[i], bits) << i;
  }
}

TEST(Compiler, GenericAddressesAreTracedToTheirMemory) {
  const auto found = results(kernel(
      "mov.u32 %r1, tile; cvta.shared.u32 %r2, %r1; shl.b32 %r3, %t, 2; add.s32 %r4, %r2, %r3;\n"
      "st.u32 [%r4], %n; ld.u32 %r5, [%r4]; st.u32 [%own], %r5;",
      ".shared .align 4 .b8 tile[128];\n"));
  EXPECT_EQ(found[9], 7u);
}

TEST(Compiler, MangledNamesOfKernelsAreShortened) {
  const g80::Result result =
      g80::compile("k.ptx",
                   ".entry _Z5shortPi() { ret; }\n.entry _Z4samei() { ret; }\n"
                   ".entry _Z4samef() { ret; }");
  EXPECT_EQ(result.module.kernels[0].name, "short");
  EXPECT_EQ(result.module.kernels[1].name, "_Z4samei");
}

TEST(Compiler, EarlyReturnLeavesTheOthersABarrier) {
  const auto found = results(
      kernel("setp.ge.u32 %p1, %t, 40; @%p1 ret; setp.lt.u32 %p2, %t, 9; @%p2 bra LOW;\n"
             "setp.eq.u32 %p3, %t, 20; @%p3 ret;\nLOW: shl.b32 %r3, %t, 2; mov.u32 %r4, tile;\n"
             "add.s32 %r4, %r4, %r3; st.shared.u32 [%r4], %t; bar.sync 0;\n"
             "ld.shared.u32 %r5, [tile+12]; st.global.u32 [%own], %r5;",
             ".shared .align 4 .b8 tile[256];\n"),
      64);
  EXPECT_EQ(found[39], 3u);
  EXPECT_EQ(found[20], 0u);
  EXPECT_EQ(found[40], 0u);
}

// A branch that threads of a warp take apart, with an arm that none of them comes to: there is an
// endless loop, or threads end.  They meet behind it all the same, and before the barrier.
TEST(Compiler, ArmsThatNobodyComesBackFromAreJoined) {
  for (const std::string arm :
       {"again:\nadd.s32 %r3, %r3, %n;\nst.shared.u32 [%r2], %r3;\nbra again;\n",
        "st.global.u32 [%own], 77;\nret;\n"}) {
    const std::string text = kernel(
        "mov.u32 %r1, a;\nshl.b32 %r2, %t, 2;\nadd.s32 %r2, %r1, %r2;\nmov.u32 %r3, 5;\n"
        "setp.lt.u32 %p1, %t, 16;\n@%p1 bra past;\nmul.lo.u32 %r3, %t, 3;\n"
        "setp.ne.u32 %p2, %n, 7;\n@!%p2 bra past;\n" +
            arm +
            "past:\nst.shared.u32 [%r2], %r3;\nbar.sync 0;\n"
            "xor.b32 %r4, %t, 31;\nshl.b32 %r4, %r4, 2;\nadd.s32 %r4, %r1, %r4;\n"
            "ld.shared.u32 %r5, [%r4];\nst.global.u32 [%own], %r5;",
        ".shared .align 4 .b8 a[128];\n");
    for (const unsigned level : {0U, 2U}) {
      g80::Options options;
      options.optimise = level;
      const auto found = results(text, 32, 7, options);
      for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(found[t], t < 16 ? 3 * (31 - t) : 5) << arm << t;
    }
  }
}

// Where all that takes threads apart is that some of them end, nothing has to be joined.
TEST(Compiler, ThreadsThatGoOnNeedNoJoinWithThoseThatEnd) {
  const std::string text = kernel(
      "setp.lt.u32 %p1, %t, 9;\n@%p1 bra on;\nst.global.u32 [%own], 77;\nret;\n"
      "on:\nbar.sync 0;\nst.global.u32 [%own], %t;");
  EXPECT_EQ(count(code_of(text), "SSY"), 0u) << code_of(text);
  const auto found = results(text);
  for (uint32_t t = 0; t < 32; ++t) EXPECT_EQ(found[t], t < 9 ? t : 77) << t;
}

TEST(Compiler, DivisionIsExactAtTheEdges) {
  const auto found = results(
      kernel("setp.eq.u32 %p1, %t, 0; selp.b32 %r1, 4294967295, 2147483648, %p1;\n"
             "setp.lt.u32 %p2, %t, 2; selp.b32 %r2, 1, 4294967295, %p2; div.u32 %r3, %r1, %r2;\n"
             "st.global.u32 [%own], %r3;"));
  EXPECT_EQ(found[0], 0xffffffffu);
  EXPECT_EQ(found[1], 0x80000000u);
  EXPECT_EQ(found[2], 0u);
}

struct Refusal {
  const char* body;
  const char* message;
};
class CompilerRefuses : public ::testing::TestWithParam<Refusal> {};

TEST_P(CompilerRefuses, WithAReason) {
  EXPECT_THAT(error_of(kernel(GetParam().body, ".shared .align 4 .b8 tile[64];\n")),
              HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Errors, CompilerRefuses,
    ::testing::Values(
        Refusal{"atom.global.add.u32 %r1, [%out], 1;", "an atomic operation is not supported"},
        Refusal{".reg .f64 %d<3>; add.f64 %d1, %d1, %d2;", "double precision is not supported"},
        Refusal{".reg .b64 %d<3>; bfe.u64 %d1, %d1, %r1, 4;", "not supported for 64-bit integers"},
        Refusal{"add.rm.f32 %f1, %f1, %f2;", "rounding up or down"},
        Refusal{"shfl.sync.up.b32 %r1, %r2, 1, 0, -1;", "\"shfl.b32\""},
        Refusal{"prmt.b32.f4e %r1, %r2, %r3, %r4;", "the modifier .f4e"},
        Refusal{"ld.global.u32.odd %r1, [%out];", "the modifier .odd of \"ld.global.u32\""},
        Refusal{"mad.hi.sat.s32 %r1, %r2, %r3, %r4;", "the modifier .sat of \"mad.s32\""},
        Refusal{"add.sat.u32 %r1, %r2, %r3;", "the modifier .sat of \"add.u32\""},
        Refusal{"neg.sat.s32 %r1, %r2;", "the modifier .sat of \"neg.s32\""},
        Refusal{"max.sat.f32 %f1, %f2, %f3;", "the modifier .sat of \"max.f32\""},
        Refusal{"div.rz.f32 %f1, %f2, %f3;", "a directed rounding of \"div.f32\""},
        Refusal{"rcp.rm.f32 %f1, %f2;", "a directed rounding of \"rcp.f32\""},
        Refusal{"setp.eq.pred %p1, %p2, %p3;", "predicates cannot be compared"},
        Refusal{"set.lt.u32 %r1, %r2, %r3;", "set needs two types"},
        Refusal{"slct.u32 %r1, %r2, %r3, %r4;", "slct needs two types"},
        Refusal{"mov.pred %p1, tile;", "a predicate operand of this kind"},
        Refusal{"ld.shared.pred %p1, [tile];", "a predicate in memory"},
        Refusal{"st.shared.pred [tile], %p1;", "a predicate in memory"},
        Refusal{"bar.sync 16;", "a barrier number that is not 0 to 15"},
        Refusal{"bar.sync 0, 33;", "not a constant multiple of 32"},
        Refusal{"bar.sync 0, 0;", "not a constant multiple of 32"},
        Refusal{"add.s32.odd %r1, %r2, %r3;", "the modifier .odd of \"add.s32\""},
        Refusal{".reg .b64 %d<3>; cvt.sat.s32.s64 %r1, %d1;", "not supported for 64-bit integers"},
        Refusal{"st.const.u32 [0], %r1;", "a store to constant memory"},
        Refusal{"call.uni missing;", "has no body"}, Refusal{"trap;", "trap is not supported"},
        Refusal{"@%p1 bar.sync 0;", "a guarded barrier"}));

TEST(Compiler, ErrorsPointIntoTheSourceWhereLinesAreKnown) {
  const std::string text =
      kernel(".loc 1 12 5\natom.global.add.u32 %r1, [%out], 1;") + ".file 1 \"kernel.cu\"\n";
  EXPECT_THAT(error_of(text), HasSubstr("kernel.cu:12:5: an atomic operation"));
}

TEST(Compiler, TheAddressOfAFunctionIsRefusedAtItsSourceLine) {
  const std::string text =
      ".func f() { ret; }\n" + kernel(".loc 1 7 3\nmov.u32 %r1, f;") + ".file 1 \"kernel.cu\"\n";
  EXPECT_THAT(error_of(text), HasSubstr("kernel.cu:7:3: the address of a function"));
}

TEST(Compiler, BarriersAreCountedInTheCubin) {
  const g80::Result compiled =
      g80::compile("k.ptx", kernel("bar.sync 3; bar.sync 1, 64; bar.sync 0;"));
  EXPECT_EQ(compiled.module.kernels[0].barriers, 4u);
}

TEST(Compiler, PredicatesAndNumbersAreNotPassedForEachOther) {
  const std::string takes_number = ".func f (.reg .b32 %a) { ret; }\n";
  const std::string takes_predicate = ".func f (.reg .pred %a) { ret; }\n";
  EXPECT_THAT(error_of(kernel("call f, (%p1);", takes_number)), HasSubstr("a predicate is passed"));
  EXPECT_THAT(error_of(kernel("call f, (%r1);", takes_predicate)),
              HasSubstr("a predicate is passed"));
  EXPECT_EQ(error_of(kernel("call f, (%p1);", takes_predicate)), "");
}

// Where they are read by address, or in other pieces than they were written in, they lie in memory.
TEST(Compiler, ParametersOfFunctionsHaveAddressesAndPieces) {
  const std::string by_address =
      ".func (.param .b32 r) f (.param .b32 x) { .reg .b32 %x, %y; mov.b32 %x, x;\n"
      "ld.param.u32 %y, [%x]; add.u32 %y, %y, 5; st.param.b32 [r], %y; ret; }\n";
  const std::string call =
      ".param .b32 p; .param .b32 q; st.param.b32 [p], %t; call (q), f, (p);\n"
      "ld.param.b32 %r1, [q]; st.global.u32 [%own], %r1;";
  const std::string in_pieces =
      ".func (.param .b32 r) f (.param .align 4 .b8 x[4]) { .reg .b16 %h; .reg .b32 %y;\n"
      "ld.param.u8 %h, [x+1]; cvt.u32.u16 %y, %h; st.param.b32 [r], %y; ret; }\n";
  const std::string call_pieces =
      ".param .align 4 .b8 p[4]; .param .b32 q; shl.b32 %r2, %t, 8; st.param.b32 [p], %r2;\n"
      "call (q), f, (p); ld.param.b32 %r1, [q]; st.global.u32 [%own], %r1;";
  for (const unsigned level : {0u, 2u}) {
    g80::Options options;
    options.optimise = level;
    const auto addressed = results(kernel(call, by_address), 32, 7, options);
    const auto pieces = results(kernel(call_pieces, in_pieces), 32, 7, options);
    for (uint32_t t = 0; t < 32; ++t) {
      EXPECT_EQ(addressed[t], t + 5);
      EXPECT_EQ(pieces[t], t);
    }
  }
  EXPECT_EQ(error_of(kernel("mov.b32 %r1, n; st.global.u32 [%own], %r1;")), "");
}

TEST(Compiler, DoublesAreMappedToFloatsWhereTheTargetSaysSo) {
  const auto mapped = [](const std::string& body) {
    return error_of(
        ".version 1.4\n.target sm_10, map_f64_to_f32\n.entry k(.param .f64 d) {\n"
        ".reg .f64 %d<5>; .reg .u32 %r<5>; .reg .u64 %rd<5>;\n" +
        body + "\nexit; }\n");
  };
  EXPECT_EQ(mapped("add.f64 %d1, %d2, 0d3ff0000000000000;"), "");
  EXPECT_THAT(mapped("ld.global.f64 %d1, [0];"),
              HasSubstr("k.ptx:5:1: double precision in memory"));
  EXPECT_THAT(mapped("ld.param.f64 %d1, [d];"), HasSubstr("double precision in memory"));
  EXPECT_THAT(mapped("mov.b64 %rd1, %d1;"), HasSubstr("the bits of a double"));
}

TEST(Compiler, TexturesAreRefusedWhereTheyAreDeclared) {
  EXPECT_THAT(error_of(kernel("", ".tex .u64 image;\n")), HasSubstr("textures are not supported"));
  EXPECT_THAT(error_of(kernel("", ".global .texref image;\n")),
              HasSubstr("textures are not supported"));
}

TEST(Compiler, DebugLinesAndHintsForCachesAreSkipped) {
  EXPECT_EQ(error_of("@@DWARF .section .debug_info, \"\",@progbits\n" +
                     kernel("ld.global.L2::128B.u32 %r1, [%out];\n@@DWARF .byte 0\n")),
            "");
}

TEST(Compiler, RecursionIsRefused) {
  EXPECT_THAT(error_of(".func f() { call.uni f; ret; }\n.entry k() { call.uni f; ret; }"),
              HasSubstr("recursion is not supported"));
}

TEST(Compiler, SharedMemoryBeyondAnSmIsRefused) {
  EXPECT_THAT(error_of(kernel("mov.u32 %r1, big; st.global.u32 [%own], %r1;",
                              ".shared .align 4 .b8 big[20000];\n")),
              HasSubstr("of .shared memory are needed, there are 16384"));
}

// Eight bytes of a constant, which one side writes as a whole and the other reads one by one.
TEST(Compiler, ConstantsInParametersMayLieAnywhere) {
  const std::string function =
      ".func (.param .b32 sum) f(.param .align 1 .b8 packed[9])\n{\n.reg .b32 %r<4>;\n"
      "ld.param.u8 %r0, [packed+2];\nld.param.u8 %r1, [packed+8];\nshl.b32 %r1, %r1, 8;\n"
      "add.u32 %r2, %r0, %r1;\nst.param.b32 [sum], %r2;\nret;\n}\n";
  const std::string text = kernel(
      "{\n.param .align 1 .b8 a[9];\n.param .b32 s;\nst.param.b8 [a], %n;\n"
      "st.param.b64 [a+1], 0x1122334455667788;\ncall.uni (s), f, (a);\n"
      "ld.param.b32 %r1, [s];\n}\nst.global.u32 [%own], %r1;",
      function);
  EXPECT_EQ(results(text, 1), std::vector<uint32_t>{0x1177});
}

}  // namespace
}  // namespace gvp::kcc
