// SPDX-License-Identifier: Apache-2.0
// The five benchmarks of the thesis on the whole board: the firmware compares every element of
// every result with what the MicroBlaze computes itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using Options = std::vector<std::string>;

Result bench(Options options) {
  options.push_back(firmware("bench"));
  return run("gpgpu-vp", options);
}

Options operator+(Options a, const Options& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

void expect_verified(const Options& options) {
  const Result result = bench(options);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("5 of 5 verified"));
}

// Every result is compared with the host's, element by element: caches change none.
TEST(BenchWithCaches, EveryConfigurationGivesTheSameResults) {
  const Options l1 = {"--set", "gpgpu.l1.enabled=true", "--set", "gpgpu.l1.sets=2",
                      "--set", "gpgpu.l1.ways=2"};
  const Options l2 = {"--set", "gpgpu.l2.enabled=true", "--set", "gpgpu.l2.sets=4"};
  const Options back = {
      "--set", "gpgpu.l1.write=write-back",  "--set", "gpgpu.l1.write_allocate=true",
      "--set", "gpgpu.l2.write=write-back",  "--set", "gpgpu.l2.write_allocate=true",
      "--set", "gpgpu.l1.sector_bytes=32",   "--set", "gpgpu.l1.replacement=fifo",
      "--set", "gpgpu.l2.replacement=random"};
  const Options through = {"--set", "gpgpu.l1.write=write-through", "--set",
                           "gpgpu.l1.miss_registers=0"};
  const Options two = {"--set", "gpgpu.sms=2", "--set", "gpgpu.sps=32"};
  const Options mesh = {"--set", "gpgpu.network.topology=mesh", "--set", "gpgpu.network.queue=2"};
  for (const Options& caches :
       {l1, l2, l1 + mesh + two, l1 + l2 + back, l1 + l2 + back + two, l1 + through + two,
        l2 + back + two, Options{"--set", "gpgpu.perfect_memory=true"} + two}) {
    for (const char* timing : {"gpgpu=lt", "gpgpu=at"}) {
      SCOPED_TRACE(testing::PrintToString(caches) + timing);
      expect_verified(Options{"--quiet", "--arguments", "32", "--set", "gpgpu.global_memory=ddr3",
                              "--model", timing} +
                      caches);
    }
  }
}

// Cycles of each kernel by name.
std::map<std::string, uint64_t> cycles(Options options) {
  options.push_back(firmware("bench"));
  std::map<std::string, uint64_t> by_name;
  const nlohmann::json statistics = statistics_of(options);
  for (const auto& kernel : statistics["gpgpu"]["kernels"]) {
    EXPECT_EQ(kernel["cause"], 0);
    by_name[kernel["name"]] += kernel["cycles"].get<uint64_t>();
  }
  return by_name;
}

// What each benchmark takes the MicroBlaze, in cycles, as the table says.
std::map<std::string, double> host_cycles(const Options& options) {
  std::map<std::string, double> by_name;
  std::istringstream lines(bench(options).out);
  for (std::string line; std::getline(lines, line);) {
    constexpr size_t kName = 21;  // columns
    if (line.size() < kName || line.substr(line.size() - 3) != " ok") continue;
    std::istringstream cells(line.substr(kName));
    std::string size;
    cells >> size >> by_name[line.substr(0, kName)];
  }
  return by_name;
}

TEST(Bench, TheLooselyTimedHostIsWithin15PercentOfTheApproximatelyTimedOne) {
  for (const Options& caches :
       {Options{}, Options{"--set", "host.use_icache=true", "--set", "host.use_dcache=true",
                           "--set", "host.cache_model=contents"}}) {
    const auto loosely = host_cycles(caches);
    Options options = caches;
    options.insert(options.end(), {"--model", "host=at"});
    const auto approximately = host_cycles(options);
    ASSERT_EQ(loosely.size(), 5u);
    ASSERT_EQ(approximately.size(), 5u);
    for (const auto& [name, cycles] : loosely)
      EXPECT_NEAR(cycles, approximately.at(name), 0.15 * approximately.at(name)) << name;
  }
}

TEST(Bench, PrintsATableForATerminal) {
  for (const Options& options :
       {Options{"--set", "gpgpu.global_memory=ddr3"}, Options{"--arguments", "32 128"}}) {
    const Result result = bench(options);
    std::istringstream lines(result.out + result.err);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
}

// A slow bus makes the host's cycles many, also of sizes that usually take few.
TEST(Bench, NumbersTooLongForTheirColumnsStayApart) {
  const Options slow{"--arguments", "32", "--set", "axi.clock_hz=1e6"};
  const auto cycles = host_cycles(slow);
  EXPECT_GT(cycles.at("matrix multiplication"), 1e8);
  EXPECT_THAT(bench(slow).out, testing::ContainsRegex("matrix multiplication 32x32 1[0-9]{8} "));
}

TEST(Bench, FiveOfFiveAreVerifiedWithGlobalMemoryInBlockRam) { expect_verified({}); }

TEST(Bench, FiveOfFiveAreVerifiedWithGlobalMemoryInDdr3) {
  expect_verified({"--set", "gpgpu.global_memory=ddr3"});
}

// A test is named after what it sets.
struct Setting {
  const char* name;
  Options options;
};

void PrintTo(const Setting& setting, std::ostream* out) {
  for (const std::string& option : setting.options) *out << option << ' ';
}

class BenchWith : public testing::TestWithParam<Setting> {};

TEST_P(BenchWith, FiveOfFiveAreVerified) { expect_verified(GetParam().options); }

std::string name_of(const testing::TestParamInfo<Setting>& information) {
  return information.param.name;
}

Setting shape(const char* name, const std::string& sms, const std::string& sps) {
  return {name, {"--set", "gpgpu.sms=" + sms, "--set", "gpgpu.sps=" + sps}};
}

INSTANTIATE_TEST_SUITE_P(Shapes, BenchWith,
                         testing::Values(shape("TwoSmsOf8Sps", "2", "8"),
                                         shape("OneSmOf16Sps", "1", "16"),
                                         shape("OneSmOf32Sps", "1", "32"),
                                         shape("TwoSmsOf32Sps", "2", "32"),
                                         shape("ThreeSmsOf16Sps", "3", "16")),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    Models, BenchWith,
    testing::Values(Setting{"FlexGripPlus", {"-c", source("platform/configs/flexgripplus.toml")}},
                    Setting{"HostApproximatelyTimed", {"--model", "host=at"}},
                    Setting{"GpgpuApproximatelyTimed", {"--model", "gpgpu=at"}},
                    Setting{"BusAndMemoryApproximatelyTimed",
                            {"--timing", "at", "--model", "host=lt", "--model", "gpgpu=lt", "--set",
                             "gpgpu.global_memory=ddr3", "--arguments", "32"}},
                    Setting{"EverythingApproximatelyTimed",
                            {"--timing", "at", "--arguments", "32"}},
                    Setting{"GpgpuApproximatelyTimedInDdr3",
                            {"--model", "gpgpu=at", "--set", "gpgpu.global_memory=ddr3"}}),
    name_of);

// In DDR3 the host's caches stand between the two processors.
Setting caches(const char* name, const Options& more) {
  Options options = {"--set", "gpgpu.global_memory=ddr3", "--set", "host.use_icache=true",
                     "--set", "host.use_dcache=true",     "--set", "host.cache_model=contents"};
  options.insert(options.end(), more.begin(), more.end());
  return {name, options};
}

INSTANTIATE_TEST_SUITE_P(
    Caches, BenchWith,
    testing::Values(
        caches("WriteThrough", {}),
        caches("WriteBack", {"--set", "host.dcache_use_writeback=true"}),
        caches("LargeWithLongLines",
               {"--set", "host.dcache_use_writeback=true", "--set", "host.dcache_line_len=16",
                "--set", "host.dcache_byte_size=65536", "--set", "host.icache_line_len=8"}),
        caches("Tiny", {"--set", "host.dcache_use_writeback=true", "--set",
                        "host.dcache_byte_size=64", "--set", "host.cache_byte_size=64"})),
    name_of);

TEST(Bench, KernelsAreNamedAfterTheFirmwaresCubins) {
  const auto by_name = cycles({});
  for (const char* name :
       {"autocorrelation", "bitonic_sort", "matrix_multiply", "reduction", "transpose"})
    EXPECT_EQ(by_name.count(name), 1u) << name;
}

TEST(Bench, TwoSmsTakeFewerCyclesThanOneWhereThereAreBlocksEnough) {
  const auto one = cycles({});
  const auto two = cycles({"--set", "gpgpu.sms=2"});
  EXPECT_LT(two.at("matrix_multiply"), one.at("matrix_multiply") * 6 / 10);
}

TEST(Bench, TwoRunsGiveIdenticalStatistics) {
  for (const Options& options :
       {Options{firmware("bench")},
        Options{"--set", "gpgpu.sms=2", "--set", "gpgpu.global_memory=ddr3", firmware("bench")},
        Options{"--model", "gpgpu=at", firmware("bench")},
        Options{"--timing", "at", "--set", "gpgpu.global_memory=ddr3", "--set",
                "host.use_icache=true", "--set", "host.use_dcache=true", "--arguments", "32",
                firmware("bench")}})
    EXPECT_EQ(without_wall_clock(statistics_of(options)),
              without_wall_clock(statistics_of(options)));
}

TEST(Bench, WithoutAGpgpuTheDriverSaysSo) {
  const Result result = bench({"--model", "gpgpu=none"});
  EXPECT_NE(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("no GPGPU"));
}

TEST(Bench, ResultsDoNotDependOnTheQuantum) {
  for (const char* quantum : {"100", "1000000"}) expect_verified({"--quantum", quantum});
}

}  // namespace
}  // namespace gvp::test
