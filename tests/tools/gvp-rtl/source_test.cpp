// SPDX-License-Identifier: Apache-2.0
// What gvp-rtl makes of Verilator's classes: whether a block's state can be looked at in one piece.
// The texts are of the kinds that Verilator 5.006 writes.
#include "tools/gvp-rtl/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace gvp::tools::rtl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string header(const std::string& variables) {
  return "class Vb final : public VerilatedModule {\n  public:\n" +
         (variables.empty() ? "" : "\n    // DESIGN SPECIFIC STATE\n" + variables) +
         "\n    // INTERNAL VARIABLES\n    Vb__Syms* const vlSymsp;\n};\n";
}

using Files = std::map<std::string, std::string>;

class RtlSource : public testing::Test {
 protected:
  // Of the files that Verilator has written for block b.
  std::string text_of(const Files& files) const {
    fs::create_directories(block_.directory);
    for (const auto& [name, text] : files) std::ofstream(fs::path(block_.directory) / name) << text;
    std::string text = source_text(block_, {{"clk", "clk", 1, true, "clock"}});
    fs::remove_all(block_.directory);
    return text;
  }
  const Verilated block_{
      "b", (fs::temp_directory_path() / ("gvp_source_" + std::to_string(getpid()))).string(), "V"};
};

TEST_F(RtlSource, StateIsLookedAtWhereAllOfItIsInOnePiece) {
  const Files usual = {{"Vb.h", "class Vb;"},
                       {"Vb__Syms.h", "class Vb__Syms;"},
                       {"Vb___024root.h", header("    IData/*31:0*/ b__DOT__n;\n")},
                       {"Vb___024unit.h", header("")},
                       {"Vb_package.h", header("")},
                       {"Vb.cpp", "vlSelf->n = VL_RAND_RESET_I(32);"}};
  EXPECT_THAT(text_of(usual), HasSubstr("VerilatedBlock<Vb, Vb___024root, 1>"));
  const Files elsewhere[] = {
      {{"Vb___024unit.h", header("    IData/*31:0*/ unit_count;\n")}},
      {{"Vb___024root.h", header("    VlQueue<IData/*31:0*/> b__DOT__n;\n")}},
      {{"Vb___024root.h", header("    VlAssocArray<CData, IData> b__DOT__n;\n")}},
      {{"Vb___024root.h", header("    VlClassRef<Vb_a> b__DOT__n;\n")}},
      {{"Vb___024root.h", header("    std::string b__DOT__n;\n")}},
      {{"Vb.cpp", "if (VL_URANDOM_RANGE_I(0U, 0x63U)) {"}},
      {{"Vb.cpp", "vlSelf->n = VL_RANDOM_I();"}},
      {{"Vb.cpp", "vlSelf->f = VL_FOPEN_NN(\"a\", \"r\");"}},
      {{"Vb_part.h", header("    CData/*0:0*/ b__DOT__n;\n")}},
  };
  for (const Files& some : elsewhere) {
    Files files = some;
    files.insert(usual.begin(), usual.end());
    EXPECT_THAT(text_of(files), HasSubstr("VerilatedBlock<Vb, void, 1>"))
        << some.begin()->second << "is outside of it";
  }
}

TEST_F(RtlSource, WhatVerilatorHasReadIsKnown) {
  fs::create_directories(block_.directory);
  std::ofstream(fs::path(block_.directory) / "Vb__ver.d")
      << block_.directory << "/Vb.cpp " << block_.directory << "/Vb.h  : /bin/verilator /a/b.sv "
      << fs::path(block_.directory).parent_path().string() << "/b_vhdl.v /a/inc/c.svh "
      << block_.directory << "/made.v \n";
  EXPECT_EQ(read_by_verilator(block_), " /bin/verilator /a/b.sv /a/inc/c.svh");
  fs::remove_all(block_.directory);
}

}  // namespace
}  // namespace gvp::tools::rtl
