// SPDX-License-Identifier: Apache-2.0
// Numbers in PTX that no field of an instruction and no memory holds: kcc takes more instructions,
// or refuses the line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

TEST(CompilerLimits, RefusesToSpillBeyondWhatLocalMemoryHas) {
  g80::Options few;
  few.max_registers = 10;
  const std::string text =
      kernel("st.local.u32 [all], %t; " + hungry_body(), ".local .align 4 .b8 all[65536];\n");
  EXPECT_THAT(error_of(text, few), HasSubstr("more than 64 KiB of local memory"));
  EXPECT_EQ(error_of(text), "");
}

// Without optimisation, calls inside of calls and doubles in memory make kernels of that size.
TEST(CompilerLimits, KernelsMayBeLarge) {
  constexpr uint32_t kSteps = 30000;
  std::string body = "mov.u32 %v0, %t;\n";
  for (uint32_t i = 1; i <= kSteps; ++i)
    body += "add.u32 %v" + std::to_string(i) + ", %v" + std::to_string(i - 1) + ", %t;\n";
  body += "st.global.u32 [%own], %v" + std::to_string(kSteps) + ";";
  const std::string text = kernel(".reg .u32 %v<" + std::to_string(kSteps + 1) + ">;\n" + body);
  g80::Options plain;
  plain.optimise = 0;
  const auto found = results(text, 32, 0, plain);
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], i * (kSteps + 1));
}

// An address register takes the whole offset when the operand's field, which counts in units of the
// access, cannot hold what is left of it.
TEST(CompilerLimits, OddOffsetsToOddBasesReachAlignedWords) {
  for (const char* space : {"shared", "local"}) {
    const std::string suffix = space;
    const auto found =
        results(kernel("mul.lo.u32 %r1, %t, 8; add.u32 %r1, %r1, 3;\n"  // an odd number
                       "mov.u32 %r2, table; add.u32 %r2, %r2, %r1;\n"
                       "st." +
                           suffix + ".u32 [%r2+1], %t; st." + suffix +
                           ".u16 [%r2+5], 7;\n"
                           "ld." +
                           suffix + ".u32 %r3, [%r2+1]; ld." + suffix +
                           ".u16 %r4, [%r2+5];\n"
                           "shl.b32 %r4, %r4, 8; or.b32 %r3, %r3, %r4; st.global.u32 [%own], %r3;",
                       "." + suffix + " .align 4 .b8 table[272];\n"));
    for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], i | 7 << 8) << space;
  }
}

TEST(CompilerLimits, OffsetsBeyondSixteenBitsWrapAsAddressesDo) {
  const auto found = results(kernel(
      "sub.u32 %r1, %t, 65536; shl.b32 %r1, %r1, 2; mov.u32 %r2, table; add.u32 %r1, %r1, %r2;\n"
      "st.shared.u32 [%r1+262144], %t; ld.shared.u32 %r3, [%r1+262144];\n"
      "add.u32 %r4, %r1, 2147483647; ld.shared.u32 %r5, [%r4+-2147221503];\n"
      "add.u32 %r3, %r3, %r5; st.global.u32 [%own], %r3;",
      ".shared .align 4 .b8 table[128];\n"));
  for (uint32_t i = 0; i < 32; ++i) EXPECT_EQ(found[i], 2 * i);
}

TEST(CompilerLimits, RefusesAddressesThatAreKnownToBeMisaligned) {
  const char* table = ".shared .align 4 .b8 table[16];\n";
  EXPECT_THAT(error_of(kernel("ld.shared.u32 %r1, [table+5];", table)),
              HasSubstr("k.ptx:16:1: address 29 is not a multiple of the 4 bytes"));
  EXPECT_THAT(error_of(kernel("ld.param.u32 %r1, [n+2];")), HasSubstr("not a multiple of the 4"));
  EXPECT_THAT(error_of(kernel("st.global.u16 [3], 1;")), HasSubstr("not a multiple of the 2"));
  EXPECT_EQ(error_of(kernel("ld.shared.u8 %r1, [table+5];", table)), "");
}

TEST(CompilerLimits, RefusesAddressesBeyondTheMemory) {
  const char* table = ".shared .align 4 .b8 table[16];\n";
  for (const char* offset : {"65536", "2147483644", "-2147483648", "4294967200"}) {
    EXPECT_THAT(error_of(kernel("ld.shared.u32 %r1, [table+" + std::string(offset) + "];", table)),
                HasSubstr("an address beyond 64 KiB"))
        << offset;
  }
}

TEST(CompilerLimits, RefusesVariablesThatNoMemoryHolds) {
  const auto declared = [](const std::string& text) { return error_of(kernel("", text + "\n")); };
  EXPECT_THAT(declared(".global .align 8 .b64 x[268435457];"), HasSubstr("address space"));
  EXPECT_THAT(declared(".const .f32 x[2147483648] = {0f3f800000};"), HasSubstr("address space"));
  EXPECT_THAT(
      declared(".const .f32 x[16385];"),
      HasSubstr(
          "\"x\" does not fit: with it 65540 bytes of .const memory are needed, there are 65536"));
  EXPECT_THAT(declared(".global .b8 x[16777216] = {1}; .global .b8 y[1] = {1};"),
              HasSubstr("more than 16 MiB of variables with initial values"));
  EXPECT_EQ(declared(".global .b8 x[16777217];"), "");
  std::string many;
  for (int i = 0; i < 16385; ++i) many += ".global .b8 x" + std::to_string(i) + ";\n";
  EXPECT_THAT(declared(many), HasSubstr("more than 16384 variables in global memory"));
}

TEST(CompilerLimits, RefusesParametersForWhichDevicesHaveNoRegisters) {
  const auto with = [](const std::string& parameters) {
    return error_of(".version 3.2\n.target sm_20\n.entry k(" + parameters + ") { ret; }\n");
  };
  const auto structure = [](uint32_t words) {
    return ".param .align 4 .b8 s[" + std::to_string(4 * words) + "]";
  };
  constexpr uint32_t kMost = FLEXGRIP_MAX_PARAMETERS;
  EXPECT_EQ(with(structure(kMost)), "");
  EXPECT_EQ(with(structure(kMost - 2) + ", .param .u8 c, .param .u16 d"), "");
  EXPECT_THAT(
      with(structure(kMost) + ", .param .u8 c"),
      HasSubstr("k.ptx:3:8: kernel \"k\" has 33 words of parameters, devices have registers "
                "for 32 (pass the address of a structure in global memory, "));
  EXPECT_THAT(with(structure(536870912)), HasSubstr("has 536870912 words of parameters"));
  EXPECT_THAT(with(structure(536870912) + ", .param .align 4 .b8 t[2147483644]"),
              HasSubstr("has 1073741823 words of parameters"));
}

// Variables, literals and addresses lie one behind the other.
TEST(CompilerLimits, RefusesKernelsForWhichNoDeviceHasConstantMemory) {
  const auto with = [](uint32_t words, const std::string& body, const std::string& more = "") {
    return error_of(kernel("ld.const.u32 %r1, [x]; st.global.u32 [%own], %r1;\n" + body,
                           ".const .u32 x[" + std::to_string(words) + "];" + more + "\n"));
  };
  const std::string literal =
      "ld.global.f32 %f1, [%own]; setp.gt.f32 %p1, %f1, 0f3f9e0652; @%p1 st.global.u32 [%own], 1;";
  EXPECT_EQ(with(16384, ""), "");
  EXPECT_EQ(with(16383, literal), "");
  EXPECT_THAT(
      with(16384, literal),
      HasSubstr("needs 65540 bytes of constant memory (65536 of variables + 4 of literals), "
                "devices have 65536 at most (make __constant__ variables smaller by 4"));
  EXPECT_EQ(with(16382, literal, ".global .u32 y[4];"), "");
  EXPECT_THAT(
      with(16383, literal, ".global .u32 y[4]; .global .u8 z;"),
      HasSubstr("k.ptx:5:17: kernel \"k\" needs 65544 bytes of constant memory (65532 of "
                "variables + 4 of literals + 8 of addresses of variables in global memory"));
  g80::Options options;
  options.keep_going = true;
  const g80::Result result = g80::compile(
      "k.ptx", kernel(literal + " ld.const.u32 %r1, [x];", ".const .u32 x[16384];\n"), options);
  EXPECT_EQ(result.errors.size(), 1U);
}

TEST(CompilerLimits, SumsOfFloatsAreNotSumsOfTheirBits) {
  // The difference of the bits would fit the multiplier's 24 bits.
  const auto found =
      results(kernel("mov.f32 %f1, 0f3f800000; sub.f32 %f2, %f1, 0f3f000000; mov.b32 %r1, %f2;\n"
                     "mul.lo.u32 %r2, %r1, %t; st.global.u32 [%own], %r2;"));
  EXPECT_EQ(found[3], 3 * 0x3f000000u);
}

}  // namespace
}  // namespace gvp::kcc
