// SPDX-License-Identifier: Apache-2.0
// oclc as a program: what it writes, exit codes, messages.
#include <gmock/gmock.h>

#include "tests/support/longest_line.h"
#include "tests/support/tool_test.h"

namespace {

using testing::HasSubstr;
using testing::Not;

class Oclc : public gvp::test::ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    write("k.cl",
          "float twice(float x) { return x + x; }\n"
          "kernel void scale(global float* out, global const float* in, float by, uchar n,\n"
          "                  local float4* room) {\n"
          "  const size_t i = get_global_id(0);\n"
          "  room[get_local_id(0)] = in[i];\n"
          "  barrier(CLK_LOCAL_MEM_FENCE);\n"
          "  out[i] = twice(room[get_local_id(0) ^ 1].x * by) + n;\n"
          "}\n");
  }
};

TEST_F(Oclc, WritesAnObjectAndTellsWhatKernelsNeed) {
  const auto result = run("oclc k.cl -v");
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("scale: "));
  EXPECT_THAT(result.output,
              HasSubstr("  float* out at 36\n  float* in at 44\n  float by at 52\n  uchar n at 56\n"
                        "  float4* room at 60\n"));
  EXPECT_TRUE(exists("k.o"));
}

TEST_F(Oclc, AssemblyIsTheObjectsAndTemporariesAreKeptOnRequest) {
  ASSERT_EQ(run("oclc -save-temps --emit hex -o o.hex k.cl && sias o.s -o s.hex").code, 0);
  EXPECT_EQ(run("grep -v '#' s.hex").output, run("grep -v '#' o.hex").output);
  EXPECT_NE(run("grep -v '#' s.hex").output, "");
  EXPECT_THAT(run("cat o.ll").output, HasSubstr("amdgpu_kernel void @scale"));
}

TEST_F(Oclc, HeadersCompileAsC) {
  ASSERT_EQ(run("oclc --emit header --name my-kernels k.cl").code, 0);
  write("use.c",
        "#include \"k.h\"\nint main(void) {\n"
        "  return MY_KERNELS_SCALE_ENTRY == 0 && MY_KERNELS_SCALE_ARGUMENT_BY == 52 &&\n"
        "    MY_KERNELS_SCALE_HIDDEN_ARGUMENTS == 64 && MY_KERNELS_SCALE_USER_SCALARS == 2 &&\n"
        "    MY_KERNELS_SCALE_GROUP_NUMBERS == 1 && MY_KERNELS_SCALE_LOCAL_DIMENSIONS == 1 &&\n"
        "    my_kernels_code[MY_KERNELS_SCALE_BYTES / 4 - 1] == 0xbf810000u ? 0 : 1;\n}\n");
  const auto result = run("cc -Wall -Wextra -Werror -pedantic -std=c99 use.c -o use && ./use");
  EXPECT_EQ(result.code, 0) << result.output;
}

TEST_F(Oclc, OptionsReachClang) {
  write("o.cl",
        "#include \"width.h\"\nkernel void k(global float* o) {\n#ifdef WANTED\n"
        "o[0] = o[WIDTH] / o[WANTED];\n#endif\n}\n");
  EXPECT_EQ(run("oclc o.cl").code, 126);
  ASSERT_EQ(run("mkdir headers && echo '#define WIDTH 7' > headers/width.h").code, 0);
  const std::string plain = run("oclc -Iheaders -DWANTED=1 -UWANTED -S -o - o.cl").output;
  EXPECT_THAT(plain, Not(HasSubstr("v_rcp_f32")));
  const std::string wanted =
      run("oclc -I headers -DWANTED=3 -cl-fast-relaxed-math -S -o - o.cl").output;
  EXPECT_THAT(wanted, HasSubstr("v_rcp_f32"));
  EXPECT_THAT(wanted, Not(HasSubstr("v_div_fixup_f32")));
  EXPECT_THAT(run("oclc -Iheaders -cl-nonsense o.cl").output, HasSubstr("-cl-nonsense"));
}

TEST_F(Oclc, ErrorsInSourceAreClangsAndExitWith126) {
  write("bad.cl", "kernel void k(global int* o) { o[0] = nothing; }\n");
  const auto result = run("oclc bad.cl");
  EXPECT_EQ(result.code, 126);
  EXPECT_THAT(result.output, HasSubstr("bad.cl:1:39: error: use of undeclared identifier"));
  EXPECT_FALSE(exists("bad.o"));
  write("none.cl", "float f(float x) { return x; }\n");
  EXPECT_THAT(run("oclc none.cl").output, HasSubstr("no kernel in this file"));
}

TEST_F(Oclc, WhatIsMissingIsNamedWithItsPackage) {
  auto result = run("OCLC_CLANG=no-clang oclc k.cl");
  EXPECT_EQ(result.code, 126);
  EXPECT_THAT(result.output, HasSubstr("install the package clang-14"));
  result = run("OCLC_LIBCLC=. oclc k.cl");
  EXPECT_EQ(result.code, 126);
  EXPECT_THAT(result.output, HasSubstr("install the package libclc-14"));
}

TEST_F(Oclc, WhatCannotRunIsRefusedWithTheReason) {
  write("table.cl",
        "constant int t[2] = {1, 2};\nkernel void k(global int* o, int i) { o[0] = t[i]; }\n");
  for (const char* kind : {"header", "hex"}) {
    const auto result = run(std::string("oclc -o out --emit ") + kind + " table.cl");
    EXPECT_THAT(result.output, HasSubstr("pass tables as arguments"));
    EXPECT_EQ(result.code, 126);
    EXPECT_FALSE(exists("out"));
  }
  EXPECT_THAT(run("oclc -O0 k.cl").output, HasSubstr("-O1 is the least"));
}

TEST_F(Oclc, KernelsOfObjectsMayHaveTables) {
  write("table.cl",
        "constant int t[3] = {10, 20, 30};\nkernel void k(global int* o) {\n"
        "  o[get_local_id(0)] = t[get_local_id(0) % 3]; }\n");
  ASSERT_EQ(run("oclc table.cl").code, 0);
  for (const char* options : {"", "--check ", "--timing at "}) {
    const auto result =
        run(std::string("gpgpu-run --device miaow -q ") + options +
            "--object table.o --grid 1 --block 4 --param 0x1000 --dump 0x1000:16=-");
    EXPECT_EQ(result.code, 0) << result.output;
    EXPECT_THAT(result.output, HasSubstr("0x0000000a\n0x00000014\n0x0000001e\n0x0000000a\n"));
  }
}

TEST_F(Oclc, WrongCommandLinesExitWith126) {
  for (const char* line :
       {"oclc", "oclc missing.cl", "oclc -O7 k.cl", "oclc --emit ptx k.cl", "oclc -S -c k.cl",
        "oclc --name x k.cl", "oclc -o k.cl k.cl", "oclc --save-temps -o - k.cl",
        "oclc -cl-opt-disable k.cl", "oclc --nonsense k.cl"})
    EXPECT_EQ(run(line).code, 126) << line;
}

TEST_F(Oclc, HelpFitsATerminal) {
  const std::string help = run("oclc --help").output;
  EXPECT_THAT(help, HasSubstr("usage: oclc"));
  EXPECT_LE(gvp::test::longest_line(help).size(), 80u) << gvp::test::longest_line(help);
}

}  // namespace
