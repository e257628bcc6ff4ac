// SPDX-License-Identifier: Apache-2.0
// What is made from a board: compared with what is checked in, compiled by those it is for.
#include "platform/generate/generate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "platform/configuration/keys.h"
#include "tests/support/longest_line.h"

namespace gvp::platform {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string source(const std::string& path) {
  std::ifstream file(std::string(GVP_SOURCE_DIR) + '/' + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What a command prints on both its outputs; fails the test where it fails.
std::string shell(const std::string& command) {
  std::FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return "popen failed";
  std::string text;
  std::array<char, 256> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) text += part.data();
  EXPECT_EQ(pclose(pipe), 0) << command << '\n' << text;
  return text;
}

std::string temporary(const std::string& name) {
  return testing::TempDir() + std::to_string(getpid()) + name;
}

// The default board and more.
Configuration with_devices(const std::string& more) {
  return Configuration(std::make_shared<const Board>(
      parse_board(source("platform/boards/ml605.toml") + more, "b.toml", "b.toml")));
}

Configuration two_gpgpus() { return Configuration(load_board("two_gpgpus")); }

TEST(CHeader, OfTheDefaultBoardIsTheOneInTheTree) {
  EXPECT_EQ(source("platform/memory_map.h"), c_header(Configuration{}))
      << "regenerate: build/bin/gpgpu-vp --dump-header > platform/memory_map.h";
}

TEST(CHeader, OfTheSecondBoardIsTheOneItsFirmwareIsBuiltWith) {
  EXPECT_EQ(source("firmware/boards/two_gpgpus/platform/memory_map.h"), c_header(two_gpgpus()))
      << "regenerate: build/bin/gpgpu-vp --board two_gpgpus --dump-header > "
         "firmware/boards/two_gpgpus/platform/memory_map.h";
}

TEST(CHeader, OfBoardsWithMiaowIsTheOneTheirFirmwareIsBuiltWith) {
  for (const std::string board : {"scratch", "scratch_flexgrip"})
    EXPECT_EQ(source("firmware/boards/" + board + "/platform/memory_map.h"),
              c_header(Configuration(load_board(board))))
        << "regenerate: build/bin/gpgpu-vp --board " << board << " --dump-header > firmware/boards/"
        << board << "/platform/memory_map.h";
}

TEST(CHeader, HasTheWindowsInterruptsClocksAndDevicesOfABoard) {
  const std::string header = c_header(two_gpgpus());
  for (const char* line :
       {"#define GVP_GPGPU1_CONTROL_BASE GVP_UNSIGNED(0x60000000)", "#define GVP_IRQ_GPGPU1 4\n",
        "#define GVP_GPGPU1_CLOCK_HZ GVP_UNSIGNED(125000000)\n",
        "#define GVP_FLEXGRIP_DEVICES(DO) DO(GPGPU) DO(GPGPU1)\n", "#define GVP_FLEXGRIP_COUNT 2\n",
        "#define GVP_TIMER_BASE GVP_UNSIGNED(0x78000000)"})
    EXPECT_THAT(header, HasSubstr(line));
}

TEST(CHeader, FollowsTheKeys) {
  Configuration configuration;
  assign(configuration, "gpgpu.global_memory=ddr3");
  assign(configuration, "axi.timer.clock_hz=50e6");
  assign(configuration, "ddr3.size=0x1000_0000");
  const std::string header = c_header(configuration);
  EXPECT_THAT(header, HasSubstr("GVP_GPGPU_GLOBAL_SIZE GVP_UNSIGNED(0x00000000)"));
  EXPECT_THAT(header, HasSubstr("GVP_TIMER_CLOCK_HZ GVP_UNSIGNED(50000000)"));
  EXPECT_THAT(header, HasSubstr("GVP_DDR3_SIZE GVP_UNSIGNED(0x10000000)"));
}

TEST(CHeader, CompilesAsCAndAsPlainNumbers) {
  const std::string file = temporary("board.h");
  std::ofstream(file) << c_header(two_gpgpus());
  const std::string both = "#include \\\"" + file +
                           "\\\"\\n#define ONE(d) GVP_##d##_CONTROL_BASE,\\n"
                           "unsigned bases[] = { GVP_FLEXGRIP_DEVICES(ONE) };\\n";
  EXPECT_THAT(shell("printf '" + both + "' | sed 's/\\\\\"/\"/g' | cc -E -P -x c -"),
              HasSubstr("0x40000000u, 0x60000000u,"));
  EXPECT_THAT(
      shell("printf '" + both + "' | sed 's/\\\\\"/\"/g' | cc -E -P -DGVP_PLAIN_NUMBERS -x c -"),
      HasSubstr("0x40000000, 0x60000000,"));
  std::remove(file.c_str());
}

TEST(CHeader, RefusesWhatItWouldDefineTwice) {
  // The local memory's macros are those of its window alone.
  const Configuration configuration =
      with_devices("[devices.lmb]\ntype = \"block_ram\"\nbus = \"axi\"\nbase = 0x9000_0000\n");
  try {
    c_header(configuration);
    ADD_FAILURE() << "written";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the C header would define GVP_LMB_BASE twice (give one of the devices that this "
                 "name is made of another name)");
  }
}

// A blob that dtc (Debian: device-tree-compiler) made of the source, for fdtget.
class DeviceTree : public testing::TestWithParam<const char*> {
 protected:
  DeviceTree() {
    std::ofstream(tree_) << device_tree(Configuration(load_board(GetParam())));
    warnings_ = shell("dtc -I dts -O dtb -o " + blob_ + ' ' + tree_);
  }
  ~DeviceTree() override {
    std::remove(tree_.c_str());
    std::remove(blob_.c_str());
  }
  std::string get(const std::string& query) { return shell("fdtget " + blob_ + ' ' + query); }

  std::string tree_ = temporary("board.dts");
  std::string blob_ = temporary("board.dtb");
  std::string warnings_;
};

TEST_P(DeviceTree, CompilesWithoutWarning) { EXPECT_EQ(warnings_, ""); }

TEST_P(DeviceTree, HasConsoleMemoryAndProcessor) {
  const std::string console = get("/chosen stdout-path");
  EXPECT_THAT(console, HasSubstr("/serial@"));
  EXPECT_THAT(get(console.substr(0, console.size() - 1) + " compatible"), HasSubstr("ns16550a"));
  EXPECT_THAT(get("/cpus/cpu@0 compatible"), HasSubstr("xlnx,microblaze-"));
  EXPECT_THAT(shell("fdtget -l " + blob_ + " /"), HasSubstr("memory@"));
}

INSTANTIATE_TEST_SUITE_P(Boards, DeviceTree,
                         testing::Values("ml605", "two_gpgpus", "scratch_flexgrip"),
                         [](const auto& param_info) { return std::string(param_info.param); });

TEST(DeviceTreeSource, HasPlacesAndInterruptsOfADevice) {
  const std::string tree = device_tree(two_gpgpus());
  const size_t at = tree.find("gpgpu1: gpgpu@60000000 {");
  ASSERT_NE(at, std::string::npos);
  const std::string node = tree.substr(at, tree.find("};", at) - at);
  EXPECT_THAT(node, AllOf(HasSubstr("compatible = \"gpgpu-vp,flexgrip-1.00.a\";"),
                          HasSubstr("reg-names = \"control\", \"code\", \"global\";"),
                          HasSubstr("interrupt-parent = <&intc>;"),
                          HasSubstr("interrupts = <4 4>;"), HasSubstr("clocks = <&clock_fast>;")));
}

TEST(DeviceTreeSource, ADeviceBehindABridgeIsOnItsBusInTheBridgesWindow) {
  const std::string tree = device_tree(two_gpgpus());
  const size_t bus = tree.find("peripherals: bus@78000000 {");
  ASSERT_NE(bus, std::string::npos);
  EXPECT_GT(bus, tree.find("axi: bus {"));
  EXPECT_THAT(tree.substr(bus), HasSubstr("ranges = <0x78000000 0x78000000 0x1000000>;"));
  EXPECT_GT(tree.find("timer: timer@78000000 {"), bus);
  EXPECT_LT(tree.find("intc: interrupt-controller@70000000 {"), bus);
}

TEST(DeviceTreeSource, BridgesBothWaysLeaveEachBusWhereTheProcessorComesToIt) {
  const std::string tree = device_tree(with_devices(R"(
[devices.there]
type = "axi_bridge"
bus = "axi"
base = 0x9000_0000
masters.downstream = "other"
[devices.other]
type = "axi_interconnect"
clock = "system"
[devices.back]
type = "axi_bridge"
bus = "other"
base = 0x5000_0000
masters.downstream = "axi"
[devices.ram]
type = "block_ram"
bus = "other"
base = 0x9000_0000
)"));
  const size_t axi = tree.find("axi: bus {"), other = tree.find("other: bus@90000000 {");
  ASSERT_NE(axi, std::string::npos);
  ASSERT_NE(other, std::string::npos);
  EXPECT_LT(axi, other);
  EXPECT_LT(other, tree.find("ram: sram@90000000 {"));
}

TEST(DeviceTreeSource, WhatTheKeysLeaveOutIsNotThere) {
  Configuration configuration;
  assign(configuration, "gpgpu.model=none");
  EXPECT_THAT(device_tree(configuration), Not(HasSubstr("flexgrip")));
}

TEST(MemoryMapTables, AreThoseOfThePage) {
  EXPECT_THAT(source("docs/platform.md"), HasSubstr(memory_map_tables(Configuration{})))
      << "regenerate: build/bin/gpgpu-vp --dump-memory-map";
}

TEST(Lists, NameEveryTypeWithItsKeysAndEveryBoard) {
  const std::string types = device_type_list("");
  for (const device::DeviceType* type : device::device_types()) {
    EXPECT_THAT(types, HasSubstr(type->name + "\n    " + type->description + '\n'));
    for (const device::Key& key : type->keys)
      EXPECT_THAT(types, HasSubstr("    " + key.name + " = "));
  }
  EXPECT_THAT(board_list(), AllOf(HasSubstr("ml605 "), HasSubstr("two_gpgpus ")));
}

TEST(Lists, FitATerminal) {
  std::string all = board_list();
  for (const device::DeviceType* type : device::device_types()) all += device_type_list(type->name);
  EXPECT_LE(test::longest_line(all).size(), 80u) << test::longest_line(all);
}

TEST(Lists, OfOneTypeHaveItsRegisters) {
  const std::string timer = device_type_list("axi_timer");
  EXPECT_EQ(timer.rfind("axi_timer\n", 0), 0u);
  EXPECT_THAT(timer, Not(HasSubstr("axi_intc")));
  EXPECT_THAT(timer, HasSubstr("    0x0014  TLR1\n        read, write; reset 0x0\n"));
  EXPECT_THAT(device_type_list("flexgrip"),
              AllOf(HasSubstr("registers in window control"),
                    HasSubstr("    0x0200  CONSTANT_BANK_BASE[0..15], 8 bytes apart\n")));
  EXPECT_THAT(device_type_list(""), Not(HasSubstr("TLR1")));
  try {
    device_type_list("axi_tmer");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("did you mean \"axi_timer\"?"));
  }
}

TEST(Registers, OfAllTypesAreThoseOfThePage) {
  EXPECT_EQ(source("docs/registers.md"), register_page())
      << "regenerate: build/bin/gpgpu-vp --dump-registers > docs/registers.md";
}

}  // namespace
}  // namespace gvp::platform
