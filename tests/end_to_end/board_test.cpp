// SPDX-License-Identifier: Apache-2.0
// Boards from the command line: a second one with firmware of its own, files of one's own, and what
// is printed of a board.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class TwoGpgpus : public testing::TestWithParam<std::vector<std::string>> {};

// Built with the board's generated header: other addresses, interrupt lines and clocks than
// ml605's, the console behind a bridge.
TEST_P(TwoGpgpus, BothWorkAtTheSameTimeUnderOneFirmware) {
  std::vector<std::string> options = {"--board", "two_gpgpus", firmware("two_gpgpus")};
  options.insert(options.end(), GetParam().begin(), GetParam().end());
  const nlohmann::json statistics = statistics_of(options);
  EXPECT_EQ(statistics["exit_code"], 0);
  EXPECT_EQ(statistics["config"]["board"], "two_gpgpus");
  for (const char* name : {"gpgpu", "gpgpu1"}) {
    ASSERT_EQ(statistics[name]["kernels"].size(), 1u) << name;
    EXPECT_EQ(statistics[name]["kernels"][0]["name"], "number") << name;
    EXPECT_EQ(statistics[name]["kernels"][0]["grid"][0], 16) << name;
  }
  EXPECT_EQ(statistics["config"]["gpgpu1"]["sps"], 16);
  EXPECT_GT(statistics["gpgpu"]["kernels"][0]["cycles"],
            statistics["gpgpu1"]["kernels"][0]["cycles"]);
  EXPECT_GT(statistics["peripherals"]["regions"]["uart16550"]["writes"], 0);
  for (const char* bus : {"axi", "peripherals"})
    if (statistics[bus].contains("protocol_check")) {
      EXPECT_EQ(statistics[bus]["protocol_check"]["violations"], 0) << bus;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Timings, TwoGpgpus,
    testing::Values(std::vector<std::string>{},
                    std::vector<std::string>{"--timing", "at", "--model", "host=lt"},
                    std::vector<std::string>{"--timing", "at", "--model", "host=lt", "--set",
                                             "axi.check=true", "--set", "peripherals.check=true"},
                    std::vector<std::string>{"--set", "gpgpu.global_memory=ddr3", "--set",
                                             "gpgpu1.global_memory=ddr3"}));

TEST(Boards, TheFirmwareSaysWhatItFound) {
  const Result result = run("gpgpu-vp", {"--board", "two_gpgpus", firmware("two_gpgpus")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "right: 2 GPGPUs of the board two_gpgpus, 4096 threads each\n");
  EXPECT_THAT(result.err, HasSubstr("  gpgpu1 "));
}

// FlexGrip and MIAOW: two instruction sets, two launch interfaces, two clocks, one program.
class FlexgripAndMiaow : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(FlexgripAndMiaow, WorkAtTheSameTimeUnderOneFirmware) {
  std::vector<std::string> options = {"--board", "scratch_flexgrip", firmware("scratch_flexgrip")};
  options.insert(options.end(), GetParam().begin(), GetParam().end());
  const nlohmann::json statistics = statistics_of(options);
  ASSERT_EQ(statistics["exit_code"], 0) << "both results are verified, and 2 is for apart";
  const auto during = [&](const char* device) {
    EXPECT_EQ(statistics[device]["kernels"].size(), 1u) << device;
    const nlohmann::json& launch = statistics[device]["kernels"][0];
    EXPECT_EQ(launch["cause"], 0) << device;
    const double begin = launch["begin_ns"];
    const double clock = statistics["config"][device]["clock_hz"];
    return std::pair{begin, begin + 1e9 * launch["cycles"].get<double>() / clock};
  };
  const auto flexgrip = during("gpgpu");
  const auto miaow = during("miaow");
  const double both =
      std::min(flexgrip.second, miaow.second) - std::max(flexgrip.first, miaow.first);
  EXPECT_GT(both, 0.8 * (miaow.second - miaow.first));
  EXPECT_GT(both, 0.5 * (flexgrip.second - flexgrip.first));
  // Two matrices of 8 x 8 and the result, of which each product reads a word.
  EXPECT_EQ(statistics["miaow"]["kernels"][0]["host_words"], 2 * 8 * 8 * 8 + 8 * 8);
}

INSTANTIATE_TEST_SUITE_P(Timings, FlexgripAndMiaow,
                         testing::Values(std::vector<std::string>{},
                                         std::vector<std::string>{"--timing", "at"},
                                         std::vector<std::string>{"--set", "miaow.compute_units=2",
                                                                  "--model", "miaow=at"}));

TEST(Boards, FirmwareOfAnotherBoardDoesNotFit) {
  const Result result = run("gpgpu-vp", {firmware("two_gpgpus")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("lies outside memory"));
  EXPECT_THAT(result.err, HasSubstr("(check the linker script against the memories of board ml605: "
                                    "host from 0x00000000 to 0x0001ffff, ddr3 from 0x50000000 to "
                                    "0x6fffffff)"));
}

TEST(Boards, APlugInThatCannotBeReadIsNamedWithTheLineThatAsksForIt) {
  const std::string board = temporary("board.toml");
  const std::string folder = board.substr(0, board.rfind('/') + 1);
  write(board, "name = \"b\"\nplugins = [\n  \"missing.so\"]\n");
  const Result result = run("gpgpu-vp", {"--board", board, firmware("hello")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr(board + ":3:3: plug-in " + folder +
                                    "missing.so: cannot read the plug-in: "));
  const std::string file = temporary("platform.toml");
  write(file, "plugins = [\"missing.so\"]\n");
  EXPECT_THAT(run("gpgpu-vp", {"-c", file, firmware("hello")}).err,
              HasSubstr(file + ":1:12: plug-in " + folder + "missing.so: "));
}

TEST(Boards, APlatformFileNamesOneRelativeToItself) {
  const std::string board = temporary("my_board.toml");
  const std::string file = temporary("platform.toml");
  std::string text = read(source("platform/boards/ml605.toml"));
  text.replace(text.find("line = 7"), 8, "line = 3");
  write(board, text);
  write(file, "board = \"" + board.substr(board.rfind('/') + 1) + "\"\n[gpgpu]\nsps = 32\n");
  const Result tree = run("gpgpu-vp", {"-c", file, "--dump-device-tree"});
  EXPECT_THAT(tree.out, HasSubstr("interrupts = <3 4>;"));
  const Result dump = run("gpgpu-vp", {"-c", file, "--dump-config"});
  EXPECT_THAT(dump.out, HasSubstr("my_board.toml\"\n"));
  const std::string again = temporary("again.toml");
  write(again, dump.out);
  EXPECT_EQ(run("gpgpu-vp", {"-c", again, "--dump-config"}).out, dump.out);
  const Result other = run("gpgpu-vp", {"--board", "ml605", "-c", file, "--dump-device-tree"});
  EXPECT_THAT(other.out, HasSubstr("interrupts = <7 4>;")) << "--board goes before the file";
  for (const std::string& path : {board, file, again}) std::remove(path.c_str());
}

TEST(Boards, AMistakeInOneNamesFileLineAndRemedy) {
  const std::string board = temporary("bad.toml");
  std::string text = read(source("platform/boards/ml605.toml"));
  text.replace(text.find("0x83C0_0000"), 11, "0x8180_0000");
  write(board, text);
  const Result result = run("gpgpu-vp", {"--board", board, firmware("hello")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, StartsWith("gpgpu-vp: " + board + ":"));
  EXPECT_THAT(result.err, HasSubstr("timer (0x81800000..0x81800000) overlaps intc"));
  EXPECT_THAT(result.err, HasSubstr("move one of them"));
  std::remove(board.c_str());
}

TEST(Boards, ABoardWithoutProcessorRunsNoFirmware) {
  const std::string board = temporary("lonely.toml");
  write(board,
        "name = \"lonely\"\n[clocks]\nsystem = 100_000_000\n[devices.gpgpu]\ntype = \"flexgrip\"\n"
        "clock = \"system\"\nbus = \"axi\"\nwindows.control = { base = 0x4000_0000 }\n"
        "windows.code = { base = 0x4100_0000 }\nwindows.global = { base = 0x4200_0000 }\n"
        "[devices.axi]\ntype = \"axi_interconnect\"\nclock = \"system\"\n");
  const Result result = run("gpgpu-vp", {"--board", board, firmware("hello")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("board lonely has no host processor"));
  std::remove(board.c_str());
}

TEST(Boards, WithoutProcessorAndFirmwareAreForGpgpuRun) {
  const Result result = run("gpgpu-vp", {"--board", "gpgpu_only"});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("board gpgpu_only has no host processor"));
  EXPECT_THAT(result.err, HasSubstr("gpgpu-run --board gpgpu_only runs a kernel on it"));
}

TEST(Boards, AreWhereGpgpuRunFindsItsDevice) {
  const std::string source_file = temporary("store.s");
  const std::string cubin = temporary("store.cubin");
  const std::string file = temporary("platform.toml");
  write(source_file,
        ".kernel store\n MVI R1, 0x4\n MVI R2, 0x2a\n GST.U32 global14[R1], R2\n RET\n");
  ASSERT_EQ(run("g80as", {source_file, "-o", cubin}).exit_code, 0);
  write(file, "board = \"two_gpgpus\"\n");
  const Result result = run("gpgpu-run", {"-c", file, "--cubin", cubin, "--grid", "1", "--block",
                                          "32", "--dump", "0x4:4=-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("0x0000002a"));
  // Whatever it is called.
  std::string board = read(source("platform/boards/ml605.toml"));
  for (size_t at = 0; (at = board.find("devices.gpgpu", at)) != std::string::npos; at += 14)
    board.insert(at + 13, "s");
  const std::string other = temporary("other.toml");
  write(other, board);
  write(file, "board = \"" + other.substr(other.rfind('/') + 1) + "\"\n");
  const Result renamed = run("gpgpu-run", {"-c", file, "--cubin", cubin, "--grid", "1", "--block",
                                           "32", "--dump", "0x4:4=-"});
  EXPECT_EQ(renamed.exit_code, 0) << renamed.err;
  EXPECT_EQ(renamed.out, result.out);
  for (const std::string& path : {source_file, cubin, file, other}) std::remove(path.c_str());
}

TEST(Boards, AndTypesOfDevicesAreListed) {
  EXPECT_THAT(run("gpgpu-vp", {"--list-boards"}).out, HasSubstr("two_gpgpus "));
  EXPECT_THAT(run("gpgpu-vp", {"--list-devices"}).out, HasSubstr("\naxi_uart16550\n"));
}

}  // namespace
}  // namespace gvp::test
