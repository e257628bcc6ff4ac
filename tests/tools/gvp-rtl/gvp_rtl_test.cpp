// SPDX-License-Identifier: Apache-2.0
// gvp-rtl as a program: RTL that cannot be, and missing tools.  The blocks of tests/rtl_blocks are
// what it makes of RTL that can.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class GvpRtl : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    std::string name = test->name();  // of a parameterised one: NAME/NUMBER
    std::replace(name.begin(), name.end(), '/', '_');
    folder_ = fs::temp_directory_path() / ("gvp_rtl_" + name + "_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void file(const std::string& name, const std::string& text) const { write(path(name), text); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  Result build(const std::string& description) const {
    file("b.toml", description);
    return run("gvp-rtl", {"build", path("b.toml"), "-o", path("b.so")});
  }
  // Whether Verilator is missing: the test then has seen what is said of that.
  bool without_verilator(const Result& result) const {
    if (result.err.find("there is no verilator") == std::string::npos) return false;
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_THAT(result.err, HasSubstr("install the Debian package verilator"));
    [] { GTEST_SKIP() << "no Verilator"; }();
    return true;
  }

  fs::path folder_;
};

constexpr const char* kBlock = "name = \"b\"\nsources = [\"b.sv\"]\n";

TEST_F(GvpRtl, WhatVerilatorRefusesIsNamedWithItsPlace) {
  file("b.sv", "module b(input logic clk);\n  assign nothing = other + 1;\n  oops\nendmodule\n");
  Result result = build(kBlock);
  if (without_verilator(result)) return;
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr(path("b.sv") + ":4:1: Verilator refuses RTL block b: syntax"));
  EXPECT_THAT(result.err, HasSubstr("language = \"1364-2005\""));
  file("b.sv", "module b(input logic clk);\n  missing m(.clk);\nendmodule\n");
  result = build(kBlock);
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("missing"));
  EXPECT_THAT(result.err, HasSubstr("add its file to sources"));
  result = build(std::string(kBlock) + "top = \"c\"\n");
  EXPECT_THAT(result.err, HasSubstr("top = \"...\" names the module"));
  file("b.sv", "module b(input logic clk);\nendmodule\n");
  result = build(std::string(kBlock) + "parameters = { W = 3 }\n");
  EXPECT_THAT(result.err, HasSubstr("[parameters] names those of the top module"));
}

TEST_F(GvpRtl, PortsThatCannotBeAreNamedBeforeAnythingIsCompiled) {
  file("b.sv",
       "module b(input logic clk, input logic s_axi_arvaild, input logic [7:0] s_axi_araddr,\n"
       "  output logic s_axi_arready, output logic [31:0] s_axi_rdata,\n"
       "  output logic s_axi_rvalid, input logic s_axi_rready);\nendmodule\n");
  Result result = build(kBlock);
  if (without_verilator(result)) return;
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("AXI port s_axi: it has no ARVALID"));
  EXPECT_THAT(result.err, HasSubstr("is s_axi_arvaild meant?"));
  file("b.sv", "module b(input logic clk, inout wire pad);\nendmodule\n");
  result = build(kBlock);
  EXPECT_THAT(result.err, HasSubstr("port pad is an inout"));
  EXPECT_FALSE(fs::exists(path("b.so")));
}

constexpr const char* kGate =  // as little as can be
    "module b(input logic clk, input logic s_axi_arvalid, input logic [7:0] s_axi_araddr,\n"
    "  output logic s_axi_arready, output logic [31:0] s_axi_rdata,\n"
    "  output logic s_axi_rvalid, input logic s_axi_rready);\nendmodule\n";

// What is wrong with RTL, or with what is said of it, and what its author reads then.
struct Mistake {
  const char* what;
  const char *right, *wrong;  // in the module
  const char* description;    // more of it
  std::vector<const char*> texts;
};

constexpr const char* kLite = R"(module b(
  input wire aclk, input wire aresetn,
  input wire [7:0] s_axi_awaddr, input wire s_axi_awvalid, output wire s_axi_awready,
  input wire [31:0] s_axi_wdata, input wire [3:0] s_axi_wstrb, input wire s_axi_wvalid,
  output wire s_axi_wready, output wire [1:0] s_axi_bresp, output wire s_axi_bvalid,
  input wire s_axi_bready, input wire [7:0] s_axi_araddr, input wire s_axi_arvalid,
  output wire s_axi_arready, output wire [31:0] s_axi_rdata, output wire [1:0] s_axi_rresp,
  output wire s_axi_rvalid, input wire s_axi_rready, output wire irq);
  assign s_axi_awready = 0;
endmodule
)";

std::vector<Mistake> mistakes() {
  return {
      {"a pin is missing",
       "output wire s_axi_wready,",
       "",
       "",
       {"it has no WREADY", "add it to the RTL"}},
      {"a pin is misspelt",
       "s_axi_bready",
       "s_axi_braedy",
       "",
       {"it has no BREADY", "is s_axi_braedy meant?"}},
      {"a pin that may be missing is misspelt",
       "s_axi_wstrb",
       "s_axi_wsrtb",
       "",
       {"s_axi_wsrtb is no signal of AXI (is it WSTRB?"}},
      {"too few strobes",
       "[3:0] s_axi_wstrb",
       "[1:0] s_axi_wstrb",
       "",
       {"s_axi_wstrb has 2 bits", "A3.4.3"}},
      {"a width that AXI4-Lite has not",
       "[31:0] s_axi_wdata",
       "[15:0] s_axi_wdata",
       "",
       {"s_axi_wdata has 16 bits"}},
      {"a response of one bit",
       "[1:0] s_axi_bresp",
       "s_axi_bresp",
       "",
       {"s_axi_bresp has 1 bits, BRESP has 2"}},
      {"an input that is an output",
       "output wire s_axi_rvalid",
       "input wire s_axi_rvalid",
       "",
       {"s_axi_rvalid is an input; RVALID of a slave is an output"}},
      {"no clock",
       "input wire aclk",
       "input wire tick",
       "",
       {"RTL block b has no clock", "clock = "}},
      {"a bidirectional pin", "output wire irq", "inout wire irq", "", {"port irq is an inout"}},
      {"an array", "output wire irq", "output wire irq [0:1]", "", {"irq"}},
      {"a real", "output wire irq", "output real irq", "", {"irq"}},
      {"a syntax error",
       "assign s_axi_awready = 0;",
       "assign s_axi_awready == 0;",
       "",
       {"b.sv:9:", "syntax error"}},
      {"a module that is nowhere",
       "assign s_axi_awready = 0;",
       "core c (.aclk);",
       "",
       {"core", "add its file to sources"}},
      {"a file that is nowhere",
       "module b(",
       "`include \"sizes.vh\"\nmodule b(",
       "",
       {"sizes.vh", "add its folder to includes"}},
      {"a wire that is written as a register",
       "assign s_axi_awready = 0;",
       "always @(posedge aclk) s_axi_awready <= 0;",
       "",
       {"Verilator refuses RTL block b"}},
      {"a top that is none", "", "", "top = \"c\"\n", {"top = \"...\" names the module"}},
      {"a parameter that is none",
       "",
       "",
       "parameters = { WIDTH = 3 }\n",
       {"[parameters] names those of the top module"}},
      {"a clock that is no pin",
       "",
       "",
       "[ports]\nclock = \"alck\"\n",
       {"b.toml:", "no port alck", "did you mean aclk?"}},
      {"a reset that is an output",
       "",
       "",
       "[ports]\nreset = \"irq\"\n",
       {"irq cannot be a reset", "it is an output"}},
      {"a prefix of nothing",
       "",
       "",
       "[ports.slaves.s0]\nprefix = \"cfg_\"\n",
       {"no port that begins with cfg_"}},
      {"a signal that AXI has not",
       "",
       "",
       "[ports.slaves.s0]\nprefix = \"s_axi_\"\nawadress = \"irq\"\n",
       {"awadress", "awaddr"}},
      {"a word that a description has not",
       "",
       "",
       "source = [\"b.sv\"]\n",
       {"source", "did you mean"}},
  };
}

class GvpRtlMistakes : public GvpRtl, public testing::WithParamInterface<size_t> {};

TEST_P(GvpRtlMistakes, AreNamedWithPortOrPlaceAndRemedy) {
  const Mistake mistake = mistakes()[GetParam()];
  std::string text = kLite;
  const std::string right = mistake.right;
  if (!right.empty()) {
    ASSERT_NE(text.find(right), std::string::npos) << right;
    text.replace(text.find(right), right.size(), mistake.wrong);
  }
  file("b.sv", text);
  const Result result = build(std::string(kBlock) + mistake.description);
  if (without_verilator(result)) return;
  EXPECT_EQ(result.exit_code, 126) << mistake.what;
  for (const char* each : mistake.texts) EXPECT_THAT(result.err, HasSubstr(each)) << mistake.what;
  EXPECT_FALSE(fs::exists(path("b.so")));
}

INSTANTIATE_TEST_SUITE_P(All, GvpRtlMistakes, testing::Range(size_t{0}, mistakes().size()));

TEST_F(GvpRtl, WhatIsNotOfItsMakingStaysInItsWorkingDirectory) {
  file("b.sv", "module b(input logic clk);\nendmodule\n");
  file("b.toml", kBlock);
  fs::create_directories(folder_ / "verilated");
  file("verilated/mine.v", "mine");
  const auto build_here = [&] {
    return run("gvp-rtl", {"build", path("b.toml"), "-o", path("b.so"), "--work", folder_});
  };
  const Result result = build_here();
  if (without_verilator(result)) return;
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr(path("verilated") + ": gvp-rtl works here, and this is not"));
  EXPECT_TRUE(fs::exists(path("verilated/mine.v")));
  fs::remove(path("verilated/mine.v"));
  for (int i = 0; i < 2; ++i) EXPECT_THAT(build_here().err, HasSubstr("b has no AXI port"));
  fs::remove(path("verilated/made_by_gvp_rtl"));
  EXPECT_THAT(build_here().err, HasSubstr("b has no AXI port")) << "Verilator's files alone";
}

TEST_F(GvpRtl, TheCompilerMayHaveALauncherAndOptions) {
  file("b.sv", kGate);
  file("launcher", "#!/bin/sh\necho launched: $*\nexit 1\n");
  fs::permissions(path("launcher"), fs::perms::owner_all);
  setenv("CXX", (path("launcher") + " g++  -m64").c_str(), 1);
  const Result result = build(kBlock);
  unsetenv("CXX");
  if (without_verilator(result)) return;
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("launched: g++ -m64 -std=c++17"));
}

TEST_F(GvpRtl, ParametersOfVhdlAreWrittenAsGhdlReadsThem) {
  file("b.vhd", "entity b is end entity;\n");
  fs::create_directories(folder_ / "bin");
  file("bin/verilator", "#!/bin/sh\necho Verilator 5.006\n");
  file("bin/ghdl", "#!/bin/sh\necho \"$@\"\nexit 1\n");
  for (const char* name : {"bin/verilator", "bin/ghdl"})
    fs::permissions(path(name), fs::perms::owner_all);
  const char* before = std::getenv("PATH");
  const std::string kept = before == nullptr ? "" : before;
  setenv("PATH", (path("bin") + ":" + kept).c_str(), 1);
  const Result result = build(
      "name = \"b\"\nsources = [\"b.vhd\"]\n"
      "parameters = { MODE = \"fast\", ON = true, OFF = false, WIDTH = 8 }\n");
  setenv("PATH", kept.c_str(), 1);
  for (const char* text : {"-gMODE=fast ", "-gON=true ", "-gOFF=false ", "-gWIDTH=8 "})
    EXPECT_THAT(result.err, HasSubstr(text));
}

TEST_F(GvpRtl, VhdlNeedsGhdl) {
  const char* before = std::getenv("PATH");
  const std::string kept = before == nullptr ? "" : before;
  file("b.vhd", "entity b is end entity;\n");
  // Only what gvp-rtl looks for first.
  fs::create_directories(folder_ / "bin");
  file("bin/verilator", "#!/bin/sh\necho Verilator 5.006\n");
  fs::permissions(folder_ / "bin/verilator", fs::perms::owner_all);
  setenv("PATH", (folder_ / "bin").c_str(), 1);
  const Result result = build("name = \"b\"\nsources = [\"b.vhd\"]\n");
  setenv("PATH", kept.c_str(), 1);
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("there is no ghdl"));
  EXPECT_THAT(result.err, HasSubstr("install the Debian package ghdl-mcode"));
}

TEST_F(GvpRtl, WithoutVerilatorItSaysWhatToInstall) {
  const char* before = std::getenv("PATH");
  const std::string kept = before == nullptr ? "" : before;
  file("b.sv", "module b(input logic clk);\nendmodule\n");
  setenv("PATH", folder_.c_str(), 1);
  const Result result = build(kBlock);
  setenv("PATH", kept.c_str(), 1);
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("there is no verilator"));
  EXPECT_THAT(result.err, HasSubstr("install the Debian package verilator"));
}

TEST_F(GvpRtl, TheCommandLineIsChecked) {
  const std::vector<std::vector<std::string>> lines = {
      {}, {"make", "b.toml"}, {"build"}, {"wrap", "b"}, {"build", path("none.toml")}};
  for (const auto& line : lines) EXPECT_EQ(run("gvp-rtl", line).exit_code, 126);
  EXPECT_EQ(run("gvp-rtl", {"--help"}).exit_code, 0);
}

}  // namespace
}  // namespace gvp::test
