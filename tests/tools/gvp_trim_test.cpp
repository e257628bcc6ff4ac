// SPDX-License-Identifier: Apache-2.0
// gvp-trim as a program: what code needs, by all paths and by what ran; what it writes for others.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/longest_line.h"
#include "tests/support/tool_test.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class GvpTrim : public gvp::test::ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    // The multiplication is on a path that s2 = 0 does not take; v_rcp_f32 is on none.
    write("k.s",
          "  s_cmp_eq_u32 s2, 0\n  s_cbranch_scc1 rest\n  v_mul_lo_i32 v3, v0, v0\n"
          "rest: v_add_f32_e32 v9, v1, v2\n  v_add_f32_e64 v4, |v1|, v2\n  s_branch end\n"
          "  v_rcp_f32_e32 v1, v1\nend: s_mov_b32 s17, 0\n  s_endpgm\n");
  }
  json needs(const std::string& arguments) const {
    const auto result = run("gvp-trim -q --json - " + arguments);
    EXPECT_EQ(result.code, 0) << result.output;
    return json::parse(result.output);
  }
};

TEST_F(GvpTrim, CountsWhatCanBeReached) {
  const json all = needs("k.s");
  EXPECT_EQ(all["units"]["scalar"]["used"], 4);
  EXPECT_EQ(all["units"]["vector integer"]["used"], 1);
  EXPECT_EQ(all["units"]["vector float"]["used"], 2);  // a form each
  EXPECT_EQ(all["units"]["issue"]["used"], 1);
  EXPECT_EQ(all["formats"], (json{"SOP1", "SOPC", "SOPP", "VOP2", "VOP3"}));
  EXPECT_EQ(all["registers"]["scalar"], 18);
  EXPECT_EQ(all["registers"]["vector"], 10);
  EXPECT_EQ(all["parts"]["integer multiplier"], true);
  EXPECT_EQ(all["parts"]["float adder"], true);
  EXPECT_EQ(all["parts"]["float divider"], false);
  for (const json& each : all["instructions"]) {
    if (each["name"] == "v_add_f32_e64") {
      EXPECT_EQ(each["opcode"], 0x103);
    }
  }
}

// The published RTL's numbers, of the facts that were measured on it.
TEST_F(GvpTrim, KnowsWhatThePublishedRtlHas) {
  const json all = needs("k.s");
  unsigned sum = 0;
  for (const auto& unit : all["units"]) sum += unit["rtl"].get<unsigned>();
  EXPECT_EQ(sum, 164u);
}

TEST_F(GvpTrim, CountsWhatRan) {
  ASSERT_EQ(run("gpgpu-run --device miaow -q --code k.s --regs 10 --grid 1 --block 64 "
                "--kernel-profile ran.csv")
                .code,
            0);
  const json ran = needs("--ran ran.csv k.s");
  EXPECT_EQ(ran["parts"]["integer multiplier"], false);
  EXPECT_EQ(ran["units"]["vector float"]["used"], 2);
  for (const json& each : ran["instructions"]) EXPECT_EQ(each["executed"], 1) << each;
}

TEST_F(GvpTrim, ATrimmedDeviceFaultsOnTheRest) {
  ASSERT_EQ(run("gpgpu-run --device miaow -q --code k.s --regs 10 --grid 1 --block 64 "
                "--kernel-profile ran.csv")
                .code,
            0);
  ASSERT_EQ(run("gvp-trim -q --ran ran.csv k.s --trimmed list").code, 0);
  EXPECT_EQ(
      run("gpgpu-run --device miaow -q --code k.s --regs 10 --grid 1 --block 64 --trimmed list")
          .code,
      0);
  // The second work-group takes the other path.
  const auto result =
      run("gpgpu-run --device miaow -q --code k.s --regs 10 --grid 2 --block 64 --trimmed list");
  EXPECT_EQ(result.code, 125);
  EXPECT_THAT(
      result.output,
      HasSubstr("work-group (1, 0, 0), wavefront 0, lane 0, pc 0x0008 (v_mul_lo_i32 v3, v0, v0): "
                "instruction this device has no unit for"));
  write("wrong", "s_mov_b32\nv_add_f32\n");
  EXPECT_THAT(
      run("gpgpu-run --device miaow -q --code k.s --regs 10 --grid 1 --block 64 --trimmed wrong")
          .output,
      HasSubstr("wrong:2:1: \"v_add_f32\" is no instruction of Southern Islands"));
}

TEST_F(GvpTrim, EstimatesAreThoseOfThePapersRows) {
  // The integer matrix multiplication of Fig. 6: 12 scalar, 4 integer instructions; 47 % of
  // LUTs, 2.81 W.
  write("row.s",
        "s_mov_b32 s0, 0\ns_add_u32 s0, s0, 0\ns_sub_u32 s0, s0, 0\ns_and_b32 s0, s0, 0\ns_or_b32 "
        "s0, s0, 0\n"
        "s_xor_b32 s0, s0, 0\ns_not_b32 s0, s0\ns_lshl_b32 s0, s0, 0\ns_lshr_b32 s0, s0, "
        "0\ns_mul_i32 s0, s0, 0\n"
        "s_nop 0\nv_mov_b32 v0, 0\nv_and_b32 v0, v0, v0\nv_or_b32 v0, v0, v0\nv_xor_b32 v0, v0, "
        "v0\ns_endpgm\n");
  const json e = needs("row.s")["estimates"];
  const auto near = [&](const char* name, double value) {
    EXPECT_NEAR(e[name]["value"].get<double>(), value,
                3 * e[name]["standard_deviation"].get<double>() + 1e-6)
        << name;
    EXPECT_GT(e[name]["standard_deviation"].get<double>(), 0.0) << name;
  };
  near("luts_saved_percent", 47);
  near("dynamic_watts", 2.81);
  EXPECT_LT(e["luts_saved_percent"]["standard_deviation"].get<double>(), 6.0);
  EXPECT_EQ(needs("row.s")["fits"]["compute_units"], 3);
  EXPECT_EQ(needs("row.s")["fits"]["integer_units"], 4);
  EXPECT_EQ(needs("k.s")["fits"]["float_units"], 3);
}

TEST_F(GvpTrim, WritesTheListingOfTheTrimmingTool) {
  ASSERT_EQ(run("gvp-trim -q k.s --codexl k.csv").code, 0);
  const std::string listing = run("cat k.csv").output;
  EXPECT_THAT(listing, HasSubstr("Address,Opcode,Operands,Cycles,Functional Unit,Hex\n"));
  EXPECT_THAT(listing, HasSubstr(",S_CBRANCH_SCC1,"));
  EXPECT_THAT(listing, HasSubstr(",Vector ALU,D2D60003 00020100\n"));
  EXPECT_THAT(listing, Not(HasSubstr("V_RCP_F32")));
}

TEST_F(GvpTrim, TheReportNamesTheFit) {
  const std::string report = run("gvp-trim --fit k.s").output;
  EXPECT_THAT(report, HasSubstr("v_add_f32_e32, v_add_f32_e64"));
  EXPECT_THAT(report, HasSubstr("LUTs saved, %"));
  EXPECT_THAT(report, HasSubstr("LUTs of 1.83 to 1.98 untrimmed compute units"));
}

TEST_F(GvpTrim, WrongInputExitsWith126) {
  write("empty.s", "\n");
  write("bad.csv", "a,b\n");
  for (const char* line :
       {"gvp-trim", "gvp-trim missing.o", "gvp-trim empty.s", "gvp-trim --kernel k k.s",
        "gvp-trim --ran bad.csv k.s", "gvp-trim --ran bad.csv k.s k.s", "gvp-trim --json k.s k.s"})
    EXPECT_EQ(run(line).code, 126) << line;
}

TEST_F(GvpTrim, HelpFitsATerminal) {
  const std::string help = run("gvp-trim --help").output;
  EXPECT_THAT(help, HasSubstr("usage: gvp-trim"));
  EXPECT_LE(gvp::test::longest_line(help).size(), 80u) << gvp::test::longest_line(help);
}

}  // namespace
