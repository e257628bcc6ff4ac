// SPDX-License-Identifier: Apache-2.0
// FlexGrip's instruction and constant caches on the whole board, with unmodified firmware: what
// stands in DDR3, what is refused, and that results stay what they are.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using Options = std::vector<std::string>;

Options operator+(Options a, const Options& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const Options kBoth = {"--set", "gpgpu.global_memory=ddr3",
                       "--set", "gpgpu.instruction_cache.enabled=true",
                       "--set", "gpgpu.constant_cache.enabled=true"};

const Options kTiny = {"--set", "gpgpu.instruction_cache.sets=1",
                       "--set", "gpgpu.instruction_cache.ways=1",
                       "--set", "gpgpu.instruction_cache.line_bytes=32",
                       "--set", "gpgpu.instruction_cache.sector_bytes=32",
                       "--set", "gpgpu.constant_cache.sets=1",
                       "--set", "gpgpu.constant_cache.ways=1"};

const Options kLong = {"--set", "gpgpu.instruction_cache.line_bytes=256",
                       "--set", "gpgpu.instruction_cache.sector_bytes=64",
                       "--set", "gpgpu.instruction_cache.replacement=random",
                       "--set", "gpgpu.constant_cache.replacement=fifo",
                       "--set", "gpgpu.constant_cache.hit_cycles=7"};

const Options kShared = {"--set", "gpgpu.sms=2",           "--set", "gpgpu.l1.enabled=true",
                         "--set", "gpgpu.l2.enabled=true", "--set", "gpgpu.network.topology=mesh"};

TEST(CodeCaches, BenchmarksAreVerifiedWithCachesOfEveryShape) {
  for (const Options& shape : {Options{}, kTiny, kLong, kTiny + kShared})
    for (const char* model : {"gpgpu=lt", "gpgpu=at"}) {
      SCOPED_TRACE(testing::PrintToString(shape) + model);
      const Result result =
          run("gpgpu-vp", Options{"--quiet", "--arguments", "32", "--model", model} + kBoth +
                              shape + Options{firmware("bench")});
      EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
      EXPECT_THAT(result.out, HasSubstr("5 of 5 verified"));
    }
}

// What each of the eleven computes, without its cycles: name and checksum.
std::string results(const Options& options) {
  const Result result =
      run("gpgpu-vp", Options{"--quiet", "-c", source("platform/configs/flexgrip_chapter5.toml")} +
                          options + Options{firmware("chapter5")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("11 of 11 without a difference"));
  std::string all;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 4 || line.substr(line.size() - 4) != "  ok") continue;
    std::istringstream words(line);
    std::string name, word, checksum, verdict;
    words >> name;
    while (words >> word) checksum = std::exchange(verdict, word);
    all += fmt::format("{} {}\n", name, checksum);
  }
  return all;
}

TEST(CodeCaches, TheElevenGiveTheSameBitsWithThem) {
  const std::string without = results({"--model", "gpgpu=lt"});
  EXPECT_THAT(without, HasSubstr("kmn "));
  EXPECT_EQ(results(Options{"--model", "gpgpu=lt"} + kBoth + kTiny), without);
  EXPECT_EQ(results(Options{"--model", "gpgpu=at"} + kBoth), without);
  EXPECT_EQ(results(Options{"--model", "gpgpu=at"} + kBoth + kTiny + kShared), without);
}

TEST(CodeCaches, FetchesAreInTracesAtTheirAddresses) {
  const std::string csv = temporary("fetches.csv");
  const nlohmann::json statistics =
      statistics_of(Options{"--timing", "at", "--trace", csv + ":port=gpgpu", "--arguments", "32"} +
                    kBoth + Options{firmware("bench")});
  uint64_t fetches = 0;
  uint64_t written = 0;
  std::ifstream stream(csv);
  for (std::string line; std::getline(stream, line);) {
    if (line.find(",0x6ff8") == std::string::npos && line.find(",0x6ffc") == std::string::npos)
      continue;
    fetches += line.rfind("transaction,gpgpu,read,", 0) == 0 ? 1 : 0;
    written += line.rfind("transaction,gpgpu,write,", 0) == 0 ? 1 : 0;
  }
  std::remove(csv.c_str());
  uint64_t expected_fetches = 0;
  uint64_t expected_written = 0;
  for (const auto& kernel : statistics["gpgpu"]["kernels"]) {
    expected_fetches += kernel["caches"]["instruction"][0]["fetches"].get<uint64_t>() +
                        kernel["caches"]["constant"][0]["fetches"].get<uint64_t>();
    expected_written += kernel["caches"]["written_out"]["writes"].get<uint64_t>();
  }
  EXPECT_GT(expected_fetches, 10u);
  EXPECT_EQ(fetches, expected_fetches);
  EXPECT_EQ(written, expected_written);
}

std::string refusal(const std::string& tool, const Options& options) {
  const Result result = run(tool, options);
  EXPECT_EQ(result.exit_code, 126) << result.out;
  return result.err;
}

TEST(CodeCaches, TheirMemoryIsMemoryThatNobodyElseHas) {
  const std::string hello = firmware("hello");
  EXPECT_THAT(
      refusal("gpgpu-vp", kBoth + Options{"--set", "gpgpu.off_chip_base=0x46000000", hello}),
      HasSubstr("gpgpu.off_chip_base = 0x46000000 is not possible: code and constants of gpgpu "
                "(0x46000000..0x46041fff) would not be in a memory (memories on its bus: ddr3 "
                "(0x50000000..0x6fffffff))"));
  EXPECT_THAT(refusal("gpgpu-vp", kBoth + Options{"--set", "ddr3.size=16777216", hello}),
              HasSubstr("gpgpu.off_chip_base = 0x6ff80000 is not possible"));
  EXPECT_THAT(
      refusal("gpgpu-vp", kBoth + Options{"--set", "gpgpu.off_chip_base=0x50000000", hello}),
      HasSubstr("lies where code and constants of gpgpu are, from 0x50000000"));
  const Options two = {"--board", "two_gpgpus",
                       "--set",   "gpgpu1.global_memory=ddr3",
                       "--set",   "gpgpu1.constant_cache.enabled=true",
                       "--set",   "gpgpu.off_chip_base=0x9ff00000",
                       "--set"};
  EXPECT_THAT(refusal("gpgpu-vp", two + Options{"gpgpu1.off_chip_base=0x9ff41000"} + kBoth +
                                      Options{firmware("two_gpgpus")}),
              HasSubstr("code and constants of gpgpu1 (0x9ff41000..0x9ff82fff) overlaps code and "
                        "constants of gpgpu (0x9ff00000..0x9ff41fff)"));
  const Result apart = run("gpgpu-vp", two + Options{"gpgpu1.off_chip_base=0x9ff42000"} + kBoth +
                                           Options{firmware("two_gpgpus")});
  EXPECT_EQ(apart.exit_code, 0) << apart.err;
}

TEST(CodeCaches, RtlHasNone) {
  EXPECT_THAT(refusal("gpgpu-vp", kBoth + Options{"--model", "gpgpu=rtl", firmware("hello")}),
              HasSubstr("gpgpu.instruction_cache.enabled = true: FlexGrip as RTL has system memory "
                        "in block RAM"));
  EXPECT_THAT(refusal("gpgpu-vp", Options{"--set", "gpgpu.global_memory=ddr3", "--set",
                                          "gpgpu.constant_cache.enabled=true", "--compare",
                                          "gpgpu=at,rtl", firmware("hello")}),
              HasSubstr("gpgpu.constant_cache.enabled = true: FlexGrip as RTL has constant memory "
                        "in block RAM"));
}

// Files with a variable in global memory: it lies before the kernel's code.
TEST(CodeCaches, KernelsWithoutAHostLeaveTheirMemoryAlone) {
  const std::string cu = temporary("table.cu");
  const std::string cubin = temporary("table.cubin");
  write(cu,
        "__device__ int table[64];\n"
        "__global__ void address(int** out) { *out = &table[0]; }\n");
  ASSERT_EQ(run("kcc", {cu, "-o", cubin}).exit_code, 0);
  const Options launch = {"--cubin", cubin,     "--grid",     "1",      "--block",
                          "1",       "--param", "0x50000100", "--dump", "0x50000100:4=-"};
  const Result result = run("gpgpu-run", launch + kBoth);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("0x6ff7ff00"));
  const Result low =
      run("gpgpu-run", launch + kBoth + Options{"--set", "gpgpu.off_chip_base=0x50100000"});
  EXPECT_THAT(low.out, HasSubstr("0x6fffff00")) << low.err;
  const std::string words = temporary("words.hex");
  write(words, "00000001\n");
  EXPECT_THAT(refusal("gpgpu-run", launch + kBoth + Options{"--load", "0x6ff80010=" + words}),
              HasSubstr("4 bytes at 0x6ff80010 lie where code and constants of gpgpu are, from "
                        "0x6ff80000"));
  for (const std::string& file : {cu, cubin, words}) std::remove(file.c_str());
}

}  // namespace
}  // namespace gvp::test
