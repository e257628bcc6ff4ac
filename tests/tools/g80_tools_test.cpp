// SPDX-License-Identifier: Apache-2.0
// g80as and g80dis as programs: files, formats, exit codes, messages.
#include <gmock/gmock.h>

#include "tests/support/tool_test.h"

namespace {

using testing::HasSubstr;
using testing::Not;

using Result = gvp::test::ToolResult;

class G80Tools : public gvp::test::ToolTest {};

constexpr const char* kSource = ".kernel k\n.param p\n  MOV R1, s[p]\n  EXIT\n";

TEST_F(G80Tools, AssembleAndDisassembleInEveryFormat) {
  write("k.s", kSource);
  for (const std::string format : {"text", "elf"}) {
    EXPECT_EQ(run("g80as --format " + format + " -o k.cubin k.s").output, "");
    const Result listing = run("g80dis k.cubin");
    EXPECT_EQ(listing.code, 0);
    EXPECT_THAT(listing.output, HasSubstr(".kernel k"));
    EXPECT_THAT(listing.output, HasSubstr("MOV R1, g [0x4];"));
    EXPECT_THAT(listing.output, HasSubstr("NOP.END;"));
  }
  EXPECT_EQ(run("g80as -o k.hex k.s").code, 0);
  EXPECT_THAT(run("cat k.hex").output, HasSubstr("0x1000c805\n0x0423c780\n"));
  EXPECT_EQ(run("g80dis --plain k.hex").output, "MOV R1, g [0x4];\nNOP.END;\n");
}

TEST_F(G80Tools, OutputIsNamedAfterTheInput) {
  write("k.s", kSource);
  EXPECT_EQ(run("g80as k.s").code, 0);
  EXPECT_TRUE(exists("k.cubin"));
  EXPECT_EQ(run("g80as --format hex k.s").code, 0);
  EXPECT_TRUE(exists("k.hex"));
}

TEST_F(G80Tools, DashIsAPipe) {
  EXPECT_EQ(run("echo EXIT | g80as - | g80dis --plain -").output, "NOP.END;\n");
}

TEST_F(G80Tools, ErrorsInSourceAreLocatedAndExitWith126) {
  write("k.s", ".kernel k\n  MOVE R1, R2\n");
  const Result result = run("g80as k.s");
  EXPECT_EQ(result.code, 126);
  EXPECT_THAT(result.output, HasSubstr("g80as: error: k.s:2:3: unknown instruction MOVE"));
  EXPECT_THAT(result.output, HasSubstr("did you mean MOV?"));
  EXPECT_FALSE(exists("k.cubin"));
}

TEST_F(G80Tools, WrongCommandLinesExitWith126) {
  write("k.s", kSource);
  EXPECT_EQ(run("g80as").code, 126);
  EXPECT_EQ(run("g80as --nonsense k.s").code, 126);
  EXPECT_EQ(run("g80as --format png k.s").code, 126);
  EXPECT_EQ(run("g80as missing.s").code, 126);
  EXPECT_EQ(run("g80as .").code, 126);
  EXPECT_EQ(run("g80as -o /nowhere/k.cubin k.s").code, 126);
  EXPECT_EQ(run("g80dis k.s").code, 126);
  EXPECT_EQ(run("g80as k.s && g80dis --kernel other k.cubin").code, 126);
}

TEST_F(G80Tools, CheckFindsWordsThatAreNoInstructions) {
  write("good.hex", "0x10008404\n0x10008608\n");
  EXPECT_EQ(run("g80dis --check good.hex").code, 0);
  write("bad.hex", "0x10008404\n0x80000004\n");
  const Result result = run("g80dis --check bad.hex");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.output, HasSubstr("kernel+0x0004: 0x80000004: interpolation"));
}

TEST_F(G80Tools, HexHoldsOneKernel) {
  write("two.s", ".kernel a\nRET\n.kernel b\nEXIT\n");
  EXPECT_EQ(run("g80as -o two.hex two.s").code, 126);
  EXPECT_EQ(run("g80as --kernel b -o two.hex two.s").code, 0);
  EXPECT_EQ(run("g80as --kernel b -o two.cubin two.s").code, 126);  // it would change nothing
  EXPECT_EQ(run("g80dis --plain two.hex").output, "NOP.END;\n");
}

TEST_F(G80Tools, HelpAndVersion) {
  for (const std::string tool : {"g80as", "g80dis"}) {
    EXPECT_EQ(run(tool + " --help").code, 0);
    EXPECT_THAT(run(tool + " --help").output, HasSubstr("usage: " + tool));
    EXPECT_THAT(run(tool + " --version").output, HasSubstr(tool + " "));
  }
}

TEST_F(G80Tools, NoColoursInPipes) {
  write("k.s", kSource);
  const Result listing = run("g80as k.s && TERM=xterm g80dis k.cubin");
  EXPECT_EQ(listing.code, 0);
  EXPECT_THAT(listing.output, Not(HasSubstr("\033")));
}

}  // namespace
