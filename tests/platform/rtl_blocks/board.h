// SPDX-License-Identifier: Apache-2.0
// Blocks of RTL that somebody has written (tests/rtl_blocks) on a board with a master, a bus and a
// memory: what the tests of them share.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/configuration/keys.h"
#include "platform/platform.h"
#include "tests/support/initiator.h"

namespace gvp::platform {

constexpr uint64_t kOne = 0x10000000, kTwo = 0x20000000, kThree = 0x30000000;

// The board's master, and where interrupts lead.
extern test::Initiator* master;
extern std::map<unsigned, sc_core::sc_signal<bool>*> lines;

// The file of a block.
std::string plugin(const std::string& block);
std::string board_text(const std::vector<std::string>& blocks, const std::string& devices);

class RtlBlocks : public testing::Test {
 protected:
  // Skips the test where a block has not been built.
  static bool there(const std::vector<std::string>& blocks, const char* tool = "Verilator");
  void build(const std::vector<std::string>& blocks, const std::string& devices, uint32_t seed = 0,
             const std::string& setting = "axi.check=true");
  std::string error_of(const std::vector<std::string>& blocks, const std::string& devices);
  // Nothing that the checkers, at the pins and on the bus, have to complain of.
  void expect_no_violations() { EXPECT_EQ(platform_->protocol_violations(), 0u); }

  std::unique_ptr<Platform> platform_;
};

// Random reads and writes of any length at any address, beside a copy in this test.
void memory_test(uint64_t base, unsigned bytes, unsigned accesses, unsigned longest);

// Devices of boards: "one", "odd".
inline constexpr const char* kRegisterFile =
    "[devices.one]\ntype = \"rtl:register_file\"\nbus = \"axi\"\nbase = 0x1000_0000\n"
    "interrupt = { controller = \"tester\", line = 1 }\nkeys = { pins.mode = 5 }\n"
    "reset = \"button\"\n";

inline constexpr const char* kOddNames =
    "[devices.odd]\ntype = \"rtl:odd_names\"\nbus = \"axi\"\n"
    "windows.configuration = { base = 0x1000_0000 }\nwindows.look = { base = 0x2000_0000 }\n"
    "interrupt = { controller = \"tester\", line = 0 }\n"
    "keys = { size.look = 0x1000, pins.auto = 0xff }\n";

}  // namespace gvp::platform
