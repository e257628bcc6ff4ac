// SPDX-License-Identifier: Apache-2.0
// Blocks with registers: instances, clocks, interrupts, ties, names that a mapping explains, what
// is uninitialised, VHDL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/platform/rtl_blocks/board.h"
#include "tests/support/temporary_file.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;

TEST_F(RtlBlocks, RegistersInVerilog2001) {
  if (!there({"register_file"})) return;
  build({"register_file"}, kRegisterFile);
  master->run([&] {
    EXPECT_EQ(master->read32(kOne), 0x600d0000u + 5 + 'A') << "parameters and a tie";
    memory_test(kOne + 8, 56, 200, 4);
    uint32_t word = 0;
    EXPECT_EQ(master->read(kOne + 64, word), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(master->write(kOne + 64, word), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_FALSE(lines[1]->read());
    master->write32(kOne + 4, 1);
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_TRUE(lines[1]->read());
    platform_->reset("button");
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_FALSE(lines[1]->read()) << "the board's reset";
  });
  expect_no_violations();
  const nlohmann::json statistics = platform_->statistics()["one"]["rtl"];
  EXPECT_EQ(statistics["block"], "register_file");
  EXPECT_GT(statistics["ports"]["s_axi"]["transactions"].get<int>(), 200);
  EXPECT_GT(statistics["cycles"].get<int>(), statistics["evaluated_cycles"].get<int>());
}

TEST_F(RtlBlocks, SeveralInstancesAtClocksOfTheirOwn) {
  if (!there({"register_file"})) return;
  build({"register_file"},
        std::string(kRegisterFile) +
            "[devices.two]\ntype = \"rtl:register_file\"\nbus = \"axi\"\nbase = 0x2000_0000\n"
            "clock = \"slow\"\n");
  master->run([&] {
    for (uint32_t i = 2; i < 16; ++i) {
      master->write32(kOne + 4 * i, i);
      master->write32(kTwo + 4 * i, ~i);
    }
    for (uint32_t i = 2; i < 16; ++i) {
      EXPECT_EQ(master->read32(kOne + 4 * i), i);
      EXPECT_EQ(master->read32(kTwo + 4 * i), ~i);
    }
    EXPECT_EQ(master->read32(kTwo), 0x600d0000u + 'A') << "not tied: 0";
  });
  expect_no_violations();
  const nlohmann::json statistics = platform_->statistics();
  EXPECT_NEAR(statistics["two"]["rtl"]["clock_hz"].get<double>(), 30e6, 1e4);
}

// Variables of $unit are no part of Verilator's class of the block: its clock may not stop for all
// that does not change there.
TEST_F(RtlBlocks, StateOutsideOfTheModuleKeepsTheClockGoing) {
  if (!there({"odd_names"})) return;
  build({"odd_names"}, kOddNames);
  master->run([&] {
    const uint32_t before = master->read32(kOne + 0x8000);
    master->advance(sc_core::sc_time(1, sc_core::SC_MS));
    const uint32_t cycles = master->read32(kOne + 0x8000) - before;
    EXPECT_GE(cycles, 100000u);
    EXPECT_LT(cycles, 100100u);
  });
}

TEST_F(RtlBlocks, AnIncludedFileIsAmongWhatAPlugInDependsOn) {
  if (!there({"odd_names"})) return;
  std::ifstream stream(plugin("odd_names") + ".d");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  for (const char* file : {"include/odd_names_sizes.svh", "odd_names.sv", "verilated_block.h"})
    EXPECT_THAT(text, HasSubstr(file));
}

TEST_F(RtlBlocks, NamesThatAMappingExplains) {
  if (!there({"odd_names"})) return;
  build({"odd_names"}, kOddNames);
  master->run([&] {
    memory_test(kOne, 256, 300, 8);
    master->write32(kOne + 8, 0x12345678);
    EXPECT_EQ(master->read32(kTwo + 8), 0x12345678u ^ 0xff) << "the second port sees the same";
    uint32_t word = 0;
    EXPECT_EQ(master->write(kTwo, word), tlm::TLM_COMMAND_ERROR_RESPONSE) << "it only reads";
    master->write32(kOne + 4, 0x80000000);
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_TRUE(lines[0]->read());
  });
  expect_no_violations();
}

// What nobody has written differs from seed to seed, and not from run to run.
uint32_t unwritten_word(uint32_t seed) {
  Configuration configuration(std::make_shared<const Board>(
      parse_board(board_text({"odd_names"}, kOddNames), "b.toml", "b.toml")));
  Platform platform("platform", configuration, 0, nullptr, HostRole::kRuns, seed);
  uint32_t word = 0;
  master->run([&] { word = master->read32(kOne + 24); });
  return word;
}
TEST_F(RtlBlocks, WhatIsUninitialisedFollowsTheSeed) {
  if (!there({"odd_names"})) return;
  const std::string file = test::TemporaryFile("word").path();
  std::array<uint32_t, 4> words{};
  const std::array<uint32_t, 4> seeds = {0, 5, 5, 6};
  for (size_t i = 0; i < seeds.size(); ++i) {  // a process elaborates once
    const pid_t child = fork();
    if (child == 0) {
      const uint32_t word = unwritten_word(seeds[i]);
      std::ofstream(file) << word;
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    std::ifstream(file) >> words[i];
    std::filesystem::remove(file);
  }
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], words[2]);
  EXPECT_NE(words[1], words[0]);
  EXPECT_NE(words[1], words[3]);
}

TEST_F(RtlBlocks, VhdlThroughGhdlsSynthesis) {
  if (!there({"vhdl_counter"}, "GHDL")) return;
  build({"vhdl_counter"},
        "[devices.one]\ntype = \"rtl:vhdl_counter\"\nbus = \"axi\"\nbase = 0x1000_0000\n"
        "interrupt = { controller = \"tester\", line = 3 }\n");
  master->run([&] {
    EXPECT_EQ(master->read32(kOne + 16), 7u) << "a text, a boolean and a number as generics";
    master->write32(kOne, 0);
    master->write32(kOne + 8, 50);
    master->write32(kOne + 4, 1);
    master->advance(sc_core::sc_time(300, sc_core::SC_NS));
    EXPECT_FALSE(lines[3]->read());
    master->advance(sc_core::sc_time(300, sc_core::SC_NS));
    EXPECT_TRUE(lines[3]->read()) << "50 cycles of 10 ns later";
    const uint32_t count = master->read32(kOne);
    EXPECT_GT(count, 50u);
    EXPECT_LT(count, 100u);
    master->write32(kOne + 4, 0);  // a counter that runs never stands still
  });
  expect_no_violations();
}

}  // namespace
}  // namespace gvp::platform
