// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temporary_file.h"

namespace gvp::tools::rtl {
namespace {

using testing::HasSubstr;

struct Files {
  test::TemporaryFile source{"a.v", "module a; endmodule\n"};
  std::string name = std::filesystem::path(source.path()).filename().string();
  Description read(const std::string& text) const {
    const test::TemporaryFile file("block.toml", text);
    return read_description(file.path());
  }
  std::string error_of(const std::string& text) const {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      return error.what();
    }
    return "accepted";
  }
};

TEST(RtlDescription, HasWhatTheFileSays) {
  const Files files;
  const Description block = files.read(
      "name = \"my_block\"\ntop = \"my_top\"\nsources = [\"" + files.name +
      "\"]\nincludes = \"inc\"\ndefines = [\"A=1\"]\nlanguage = \"1364-2005\"\n"
      "verilator = [\"--x-assign\", \"0\"]\n"
      "[parameters]\nWIDTH = 32\nRESET = \"8'h2a\"\nNAME = \"text\"\nON = true\nN = \"-1\"\nEMPTY "
      "= \"\"\n"
      "[ports]\nclock = \"tick\"\nreset = [\"!a\", \"b\"]\n"
      "[ports.slaves.regs]\nprefix = \"cfg_\"\nawaddr = \"where\"\n[ports.masters.out]\nprefix = "
      "\"o_\"\n");
  EXPECT_EQ(block.name, "my_block");
  EXPECT_EQ(block.top, "my_top");
  EXPECT_EQ(block.sources.front(), std::filesystem::absolute(files.source.path()).string());
  EXPECT_THAT(block.includes.front(), testing::EndsWith("/inc"));
  EXPECT_EQ(block.language, "1364-2005");
  EXPECT_EQ(block.verilator_options.size(), 2u);
  std::map<std::string, Parameter> parameters;
  for (const Parameter& each : block.parameters) parameters[each.name] = each;
  EXPECT_EQ(parameters["WIDTH"].verilog, "32");
  EXPECT_EQ(parameters["RESET"].verilog, "8'h2a");
  EXPECT_EQ(parameters["NAME"].verilog, "\"text\"");
  EXPECT_EQ(parameters["NAME"].vhdl, "text");
  EXPECT_EQ(parameters["ON"].verilog, "1");
  EXPECT_EQ(parameters["ON"].vhdl, "true");
  EXPECT_EQ(parameters["N"].verilog, "-1");
  EXPECT_EQ(parameters["N"].vhdl, "-1");
  EXPECT_EQ(parameters["EMPTY"].verilog, "\"\"");
  EXPECT_EQ(block.mapping.resets.size(), 2u);
  EXPECT_EQ(block.mapping.ports.at("regs").signals.at("awaddr"), "where");
  EXPECT_TRUE(block.mapping.ports.at("out").is_master);
}

TEST(RtlDescription, WhatCannotBeIsRefusedWithPlaceAndRemedy) {
  const Files files;
  const std::string start = "name = \"b\"\nsources = [\"" + files.name + "\"]\n";
  EXPECT_THAT(files.error_of("sources = [\"a.v\"]\n"), HasSubstr("the block has no name"));
  EXPECT_THAT(files.error_of("name = \"My block\"\n"),
              HasSubstr("block.toml:1:8: \"My block\" is"));
  EXPECT_THAT(files.error_of("name = \"b\"\n"), HasSubstr("the block has no sources"));
  EXPECT_THAT(files.error_of("name = \"b\"\nsources = [\"none.v\"]\n"),
              HasSubstr("block.toml:2:12: there is no source"));
  EXPECT_THAT(files.error_of(start + "to = \"x\"\n"), HasSubstr("(did you mean \"top\"?)"));
  EXPECT_THAT(files.error_of(start + "parameters = { W = [1] }\n"),
              HasSubstr("parameter W is no number or text"));
  for (const std::string line : {"includes = [\"\"]", "defines = \"\"", "ports = \"\""})
    EXPECT_THAT(files.error_of(start + line + "\n"), HasSubstr("has an empty text")) << line;
  EXPECT_THAT(files.error_of("name = \"b\"\nsources = [\"\"]\n"),
              HasSubstr("block.toml:2:12: sources has an empty text"));
  EXPECT_THAT(files.error_of(start + "[ports.slaves.regs]\nawadr = \"x\"\n"),
              HasSubstr("did you mean \"awaddr\"?"));
  EXPECT_THAT(files.error_of(start + "[ports.slaves.regs]\n"), HasSubstr("names no pins"));
  EXPECT_THAT(files.error_of(start + "[ports.slaves.\"A b\"]\nprefix = \"x\"\n"),
              HasSubstr("\"A b\" is no name for a port"));
  EXPECT_THAT(files.error_of(
                  start + "[ports.slaves.a]\nprefix = \"x\"\n[ports.masters.a]\nprefix = \"y\"\n"),
              HasSubstr("two ports are called a"));
  EXPECT_THAT(files.error_of(start + "ports = \"none.toml\"\n"), HasSubstr("none.toml"));
  EXPECT_THAT(files.error_of("name = \n"), HasSubstr("block.toml:1:"));
}

}  // namespace
}  // namespace gvp::tools::rtl
