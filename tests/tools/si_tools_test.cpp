// SPDX-License-Identifier: Apache-2.0
// sias and sidis as programs: files, exit codes, messages.
#include <gmock/gmock.h>

#include "tests/support/longest_line.h"
#include "tests/support/tool_test.h"

namespace {

using testing::HasSubstr;

using Result = gvp::test::ToolResult;

class SiTools : public gvp::test::ToolTest {};

constexpr const char* kSource = "k:\n  v_add_f32 v1, s2, v3\n  s_branch k\n  s_endpgm\n";

TEST_F(SiTools, AssembleAndDisassemble) {
  write("k.s", kSource);
  const Result assembled = run("sias k.s");
  EXPECT_EQ(assembled.output, "");
  EXPECT_EQ(assembled.code, 0);
  EXPECT_EQ(run("cat k.hex").output, "# k at 0x0\n0x06020602\n0xbf82fffe\n0xbf810000\n");
  EXPECT_EQ(run("sidis --plain k.hex").output,
            "L_0000:\n  v_add_f32_e32 v1, s2, v3\n  s_branch L_0000\n  s_endpgm\n");
  EXPECT_THAT(run("sidis k.hex").output, HasSubstr("; 0004: bf82fffe\n"));
  EXPECT_EQ(run("sidis k.hex | sias -o again.hex - && sidis again.hex").output,
            run("sias --listing k.s").output);
}

TEST_F(SiTools, ErrorsInSourceAreLocatedAndExitWith126) {
  write("k.s", "k:\n  v_ad_f32 v1, v2, v3\n");
  const Result result = run("sias k.s");
  EXPECT_EQ(result.code, 126);
  EXPECT_THAT(result.output, HasSubstr("sias: error: k.s:2:3: unknown instruction v_ad_f32"));
  EXPECT_FALSE(exists("k.hex"));
}

TEST_F(SiTools, WrongCommandLinesExitWith126) {
  write("k.s", kSource);
  write("empty.hex", "# nothing\n");
  EXPECT_EQ(run("sias").code, 126);
  EXPECT_EQ(run("sias --nonsense k.s").code, 126);
  EXPECT_EQ(run("sias missing.s").code, 126);
  EXPECT_EQ(run("sias -o k.s k.s").code, 126);
  EXPECT_EQ(run("sias -o /nowhere/k.hex k.s").code, 126);
  EXPECT_EQ(run("sidis").code, 126);
  EXPECT_EQ(run("sidis k.s").code, 126);
  EXPECT_EQ(run("sidis empty.hex").code, 126);
}

TEST_F(SiTools, CheckFindsWordsThatAreNoInstructions) {
  write("good.hex", "0xbf810000\n");
  EXPECT_EQ(run("sidis --check good.hex").code, 0);
  write("bad.hex", "0xbf810000\n0xc8000000\n");
  const Result result = run("sidis --check bad.hex");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.output, "bad.hex+0x0004: 0xc8000000: unknown encoding\n");
}

TEST_F(SiTools, HelpSaysWhatTheyDo) {
  EXPECT_THAT(run("sias --help").output, HasSubstr("usage: sias"));
  EXPECT_THAT(run("sidis --help").output, HasSubstr("usage: sidis"));
}

TEST_F(SiTools, HelpFitsATerminal) {
  for (const char* tool : {"sias", "sidis"}) {
    const std::string longest = gvp::test::longest_line(run(std::string(tool) + " --help").output);
    EXPECT_GT(longest.size(), 40u) << tool;
    EXPECT_LE(longest.size(), 80u) << longest;
  }
}

}  // namespace
