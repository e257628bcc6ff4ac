// SPDX-License-Identifier: Apache-2.0
// The thesis's tables, and that the programs compared with them compute what they should.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "fidelity/benchmarks.h"
#include "fidelity/host_runs.h"
#include "fidelity/kernel_runs.h"
#include "fidelity/thesis_host.h"
#include "fidelity/thesis_tables.h"
#include "models/base/error.h"
#include "tests/support/programs.h"

namespace gvp::fidelity {
namespace {

const std::string kSource = GVP_SOURCE_DIR;
const std::string kPrograms = test::programs();

const ThesisTables& thesis() {
  static const ThesisTables tables(kSource + "/tests/data");
  return tables;
}

TEST(ThesisTables, TimesBelowAMillisecondComeFromTheSpeedUp) {
  const Printed time = thesis().kernel_ms("bitonic", 32, 8);  // printed 0.8; 6 ms over 7.9
  EXPECT_NEAR(time.value, 6 / 7.9, 1e-9);
  EXPECT_NEAR(time.low, 0.75, 1e-9);
  EXPECT_NEAR(time.high, 6.5 / 7.85, 1e-9);
  EXPECT_TRUE(time.certain());
  EXPECT_FALSE(thesis().kernel_ms("reduction", 32, 8).certain());  // 1 ms, to a millisecond
  EXPECT_FALSE(thesis().host_ms("reduction", 64).certain());
  EXPECT_TRUE(thesis().host_ms("reduction", 128).certain());
  EXPECT_FALSE(thesis().speed_up("reduction", 64, 8).certain());  // over 2 ms
  EXPECT_TRUE(thesis().speed_up("autocorr", 32, 8).certain());
}

TEST(ThesisTables, TheLargestSizeIsTable4s) {
  EXPECT_EQ(thesis().kernel_ms("matrixmul", 256, 32).value, 6904.07);
  EXPECT_NEAR(thesis().speed_up("matrixmul", 256, 32).value, 186041 / 6904.07, 1e-9);
  EXPECT_EQ(thesis().speed_up("matrixmul", 128, 32).value, 26.9);
  EXPECT_EQ(thesis().two_sms("bitonic", 16), 1.83);
  EXPECT_EQ(thesis().stack_depth("autocorr"), 16u);
  EXPECT_THROW(thesis().kernel_ms("matrixmul", 48, 8), Error);
}

TEST(Workloads, GridsCoverTheData) {
  const Workload lags = workload_of("autocorr", 64, {16, 128});
  ASSERT_EQ(lags.launches.size(), 1u);
  EXPECT_EQ(lags.launches[0].grid, "4");
  EXPECT_EQ(lags.launches[0].block, "16");
  EXPECT_EQ(workload_of("reduction", 64, {16, 128}).expected.size(), 2u);
  EXPECT_EQ(workload_of("reduction", 32, {32, 128}).launches[0].block, "16");
  EXPECT_THROW(workload_of("nonsense", 64, {}), Error);
}

TEST(Workloads, SortsInOneBlockAreOneLaunch) {
  const Workload sort = workload_of("bitonic", 64, {16, 128});
  ASSERT_EQ(sort.launches.size(), 1u);
  EXPECT_EQ(sort.launches[0].block, "64");
  EXPECT_EQ(sort.launches[0].parameters, (std::vector<uint32_t>{kInputA, 6, 2, 64}));
}

TEST(Workloads, SortsInSeveralBlocksHaveALaunchForEachStepBetweenBlocks) {
  std::vector<std::string> launches;
  for (const Launch& each : workload_of("bitonic", 256, {16, 64}).launches)
    launches.push_back(fmt::format("{} {}x{} {} {}", each.kernel, each.grid, each.block,
                                   each.parameters[2], each.parameters[3]));
  EXPECT_THAT(launches, testing::ElementsAre("bitonic 4x64 2 64", "bitonic_step 4x64 128 64",
                                             "bitonic 4x64 128 128", "bitonic_step 4x64 256 128",
                                             "bitonic_step 4x64 256 64", "bitonic 4x64 256 256"));
}

TEST(HostOutput, WrongResultsAndUnknownLinesAreRefused) {
  const std::string right = std::to_string(1) + " 0\n";
  EXPECT_THROW(parse_host_output("reduction 32 " + right), Error);
  EXPECT_THROW(parse_host_output("thesis: expected pairs\n"), Error);
  EXPECT_TRUE(parse_host_output("").empty());
}

TEST(HostTimes, AreExtrapolatedAsThreeNestedLoopsGrow) {
  const auto time = [](double n) { return 3 * n * n * n + 7 * n * n; };
  EXPECT_NEAR(extrapolate_cubic(16, time(16), 32, time(32), 256), time(256), 1e-6);
}

// At both levels of optimisation; the checksums are compared with results worked out here.
TEST(HostProgram, ComputesWhatIsRight) {
  const HostProgram program{kPrograms + "/gpgpu-vp", kSource + "/firmware/prebuilt/thesis.elf"};
  std::vector<BenchmarkSize> all;
  for (const std::string benchmark : kBenchmarks) all.emplace_back(benchmark, 32);
  HostCycles slow, fast;
  ASSERT_NO_THROW(slow = run_on_host(program, {"", 0, {}}, all));
  ASSERT_NO_THROW(fast = run_on_host(program, {"", 2, {}}, all));
  for (const BenchmarkSize& each : all) EXPECT_GT(slow.at(each), fast.at(each)) << each.first;
}

TEST(HostProgram, BadArgumentsEndIt) {
  const HostProgram program{kPrograms + "/gpgpu-vp", kSource + "/firmware/prebuilt/thesis.elf"};
  EXPECT_THROW(run_on_host(program, {"", 1, {}}, {{"autocorr", 32}}), Error);
  EXPECT_THROW(run_on_host(program, {"", 0, {}}, {{"autocorr", 48}}), Error);
}

class Kernels : public testing::TestWithParam<const char*> {};

TEST_P(Kernels, ComputeWhatIsRight) {
  const std::string work = testing::TempDir() + "gvp-" + std::to_string(getpid()) + GetParam();
  std::filesystem::create_directories(work);
  const Tools tools{kPrograms, kSource + "/fidelity/kernels/benchmarks.cu",
                    kSource + "/platform/configs", work};
  const CompiledKernels kernels(tools, {"", GetParam(), "flexgrip_thesis.toml", {}, {}});
  for (const std::string benchmark : kBenchmarks)
    for (const Device device : {Device{1, 8}, Device{2, 32}})
      EXPECT_NO_THROW(EXPECT_GT(kernels.run(benchmark, 64, device).cycles, 0u)) << benchmark;
  EXPECT_EQ(kernels.run("autocorr", 64, {1, 8}).stack_depth, 16u);
  EXPECT_NO_THROW(kernels.run("bitonic", 256, {2, 8}));  // in two blocks
  EXPECT_TRUE(kernels.multiplies("autocorr"));
  EXPECT_FALSE(kernels.multiplies("bitonic"));
  std::filesystem::remove_all(work);
}

INSTANTIATE_TEST_SUITE_P(Levels, Kernels, testing::Values("-O0", "-O1", "-O2"),
                         [](const auto& level) { return std::string(level.param).substr(1); });

}  // namespace
}  // namespace gvp::fidelity
