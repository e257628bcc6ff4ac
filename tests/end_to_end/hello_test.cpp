// SPDX-License-Identifier: Apache-2.0
// The smallest firmware on the whole board: output, ends, limits, signals, statistics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Hello, PrintsAndExitsWithZero) {
  const Result result = run("gpgpu-vp", {firmware("hello")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("Hello from the MicroBlaze"));
  EXPECT_THAT(result.err, HasSubstr("firmware exit code 0"));
}

TEST(Hello, RunsOnApproximatelyTimedBusAndMemory) {
  const Result result =
      run("gpgpu-vp", {"--model", "axi=at", "--model", "ddr3=at", firmware("hello")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("Hello from the MicroBlaze"));
}

TEST(Hello, RunsWithEverythingApproximatelyTimed) {
  const Result result = run("gpgpu-vp", {"--timing", "at", firmware("hello")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("Hello from the MicroBlaze"));
}

TEST(Hello, BreaksNoRuleOfTheBusAndCheckingTakesNoTime) {
  const nlohmann::json plain = statistics_of({"--timing", "at", firmware("hello")});
  const nlohmann::json checked =
      statistics_of({"--timing", "at", "--set", "axi.check=true", firmware("hello")});
  EXPECT_EQ(checked["exit_code"], 0);
  EXPECT_EQ(checked["sim_time_ns"], plain["sim_time_ns"]);
  EXPECT_EQ(checked["ddr3"], plain["ddr3"]);
  EXPECT_EQ(checked["axi"]["protocol_check"]["violations"], 0) << checked["axi"];
  // Each transaction is seen at the host's port and again at its target.
  EXPECT_GT(checked["axi"]["protocol_check"]["transactions"].get<uint64_t>(),
            2 * checked["host"]["instructions"].get<uint64_t>());
  EXPECT_FALSE(plain["axi"].contains("protocol_check"));
}

// Bit by bit at: the host, the GPGPU, the bus, the DDR3.
void expect_no_violation(unsigned mixture, std::vector<std::string> options) {
  std::string models;
  for (unsigned block = 0; block < 4; ++block) {
    constexpr const char* kBlocks[] = {"host=", "gpgpu=", "axi=", "ddr3="};
    const std::string model = kBlocks[block] + std::string(mixture >> block & 1 ? "at" : "lt");
    options.insert(options.begin(), {"--model", model});
    models += " " + model;
  }
  options.insert(options.begin(), {"--set", "axi.check=true"});
  const nlohmann::json json = statistics_of(options);
  EXPECT_EQ(json["exit_code"], 0) << models;
  const nlohmann::json& check = json["axi"]["protocol_check"];
  EXPECT_EQ(check["violations"], 0) << models << check["list"].dump(1).substr(0, 1000);
  EXPECT_GT(check["transactions"], 10000) << models;
}

TEST(Hello, BreaksNoRuleOfTheBusWhateverTheTimingOfEachBlock) {
  for (unsigned mixture = 0; mixture < 16; ++mixture)
    expect_no_violation(mixture, {firmware("hello")});
}

// Kernels whose buffers are in the DDR3: the GPGPU is a master, too.
TEST(Bench, BreaksNoRuleOfTheBusWhateverTheTimingOfGpgpuAndBus) {
  for (const unsigned mixture : {0u, 2u, 4u, 6u})
    expect_no_violation(
        mixture, {"--arguments", "32", "--set", "gpgpu.global_memory=ddr3", firmware("bench")});
}

// Firmware driven by interrupts: timer ticks at 1 kHz while kernels run and signal their end.
TEST(Selftest, PrintsTheSameWhateverTheQuantum) {
  const auto output = [](const char* quantum) {
    const Result result = run("gpgpu-vp", {"--quantum", quantum, "--quiet", firmware("selftest")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  const std::string reference = output("10000");
  EXPECT_THAT(reference, HasSubstr("PASS  ticks at 1 kHz come while kernels run"));
  EXPECT_EQ(output("100"), reference);
  EXPECT_EQ(output("1000000"), reference);
}

// The host runs ahead of time by a quantum, but not beyond the limit.
TEST(Hello, TimeLimitIsExactWhateverTheQuantum) {
  const auto instructions = [](const char* quantum) {
    return statistics_of({"--max-time", "50us", "--quantum", quantum,
                          firmware("speed")})["host"]["instructions"]
        .get<uint64_t>();
  };
  const uint64_t reference = instructions("100");
  EXPECT_GT(reference, 0u);
  EXPECT_EQ(instructions("1000000"), reference);
}

TEST(Hello, ApproximatelyTimedRunsAreTheSameWhateverTheQuantum) {
  const auto statistics = [](const char* quantum) {
    nlohmann::json json = without_wall_clock(
        statistics_of({"--timing", "at", "--quantum", quantum, firmware("hello")}));
    json.erase("config");  // the quantum
    return json;
  };
  const nlohmann::json json = statistics("100");
  EXPECT_EQ(json, statistics("100"));
  EXPECT_EQ(json, statistics("100000"));
}

// Code and data are in the DDR3, and there are no caches.
TEST(Hello, ApproximatelyTimedFetchesAreAllOnTheBus) {
  const nlohmann::json json = statistics_of({"--timing", "at", firmware("hello")});
  const uint64_t fetches = json["axi"]["initiators"]["host_instruction"]["reads"];
  // One may be on its way when the program ends.
  EXPECT_LE(json["host"]["bus_fetches"].get<uint64_t>() - fetches, 1u);
  EXPECT_GE(fetches, json["host"]["instructions"]);
  EXPECT_LE(fetches, json["host"]["instructions"].get<uint64_t>() +
                         json["host"]["discarded_fetches"].get<uint64_t>() + 5);
}

TEST(Hello, QuietPrintsNothingButTheConsole) {
  EXPECT_EQ(run("gpgpu-vp", {"--quiet", firmware("hello")}).err, "");
}

TEST(Hello, ConsoleGoesToAFile) {
  const std::string path = temporary("console.txt");
  const Result result = run("gpgpu-vp", {"--uart", "file:" + path, firmware("hello")});
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(read(path), StartsWith("Hello from the MicroBlaze"));
  std::remove(path.c_str());
}

TEST(Hello, LimitsEndWith124AndSayWhich) {
  const Result time = run("gpgpu-vp", {"--max-time", "5us", firmware("hello")});
  EXPECT_EQ(time.exit_code, 124);
  EXPECT_THAT(time.err, HasSubstr("stopped at the limit of 5 us simulated time (--max-time)"));
  const Result count = run("gpgpu-vp", {"--max-instructions", "100", firmware("hello")});
  EXPECT_EQ(count.exit_code, 124);
  EXPECT_THAT(count.err, HasSubstr("stopped at the limit of 100 instructions"));
  EXPECT_THAT(count.err, HasSubstr("host   100 instructions"));
}

TEST(Hello, TwoRunsGiveTheSameStatistics) {
  const nlohmann::json first = statistics_of({firmware("hello")});
  EXPECT_EQ(first["exit_code"], 0);
  EXPECT_EQ(without_wall_clock(first), without_wall_clock(statistics_of({firmware("hello")})));
}

TEST(Hello, ResultsDoNotDependOnTheQuantum) {
  const Result expected = run("gpgpu-vp", {"--quantum", "100", firmware("hello")});
  for (const char* quantum : {"10000", "1000000"})
    EXPECT_EQ(run("gpgpu-vp", {"--quantum", quantum, firmware("hello")}).out, expected.out);
}

TEST(Hello, StatisticsHaveStandardOutputForThemselves) {
  const Result result = run("gpgpu-vp", {"--quiet", "--stats", "-", firmware("hello")});
  EXPECT_EQ(nlohmann::json::parse(result.out)["tool"], "gpgpu-vp");
  EXPECT_THAT(result.err, HasSubstr("Hello from the MicroBlaze"));
}

TEST(Hello, AProfileHasStandardOutputForItself) {
  const Result result = run("gpgpu-vp", {"--quiet", "--profile", "-", firmware("hello")});
  EXPECT_EQ(result.exit_code, 0);
  std::istringstream text(result.out);
  size_t lines = 0;
  for (std::string line; std::getline(text, line); ++lines) {
    const size_t blank = line.rfind(' ');  // "stack;of;functions CYCLES"
    ASSERT_NE(blank, std::string::npos) << line;
    EXPECT_EQ(line.find_first_not_of("0123456789", blank + 1), std::string::npos) << line;
  }
  EXPECT_GT(lines, 0u);
  EXPECT_THAT(result.err, HasSubstr("Hello from the MicroBlaze"));
  EXPECT_NE(access("-", F_OK), 0);      // no file of that name
  EXPECT_NE(access("-.txt", F_OK), 0);  // nor the table
}

// What the firmware's own tests say, without what depends on time.
TEST(Selftest, SaysTheSameWhateverTheTimingOfTheHost) {
  const auto verdicts = [](const char* model) {
    const Result result = run("gpgpu-vp", {"--quiet", "--model", model, firmware("selftest")});
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    std::vector<std::string> lines;
    std::istringstream text(result.out);
    for (std::string line; std::getline(text, line);)
      if (line.find("PASS") != std::string::npos || line.find("FAIL") != std::string::npos)
        lines.push_back(line);
    return lines;
  };
  const std::vector<std::string> lines = verdicts("host=lt");
  EXPECT_GT(lines.size(), 100u);
  EXPECT_EQ(lines, verdicts("host=at"));
}

}  // namespace
}  // namespace gvp::test
