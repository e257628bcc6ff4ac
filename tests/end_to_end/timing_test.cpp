// SPDX-License-Identifier: Apache-2.0
// Simulated time of whole runs: mixtures of loosely and approximately timed blocks agree, the
// quantum matters little, and every clock slows what it clocks and is known to the firmware.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using Options = std::vector<std::string>;

Options operator+(Options options, const Options& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

// ---- mixtures

struct Mixture {
  const char* host;
  const char* gpgpu;
  const char* axi;
  const char* ddr3;
};

std::map<std::string, double> kernel_cycles(const Mixture& mixture, const Options& options) {
  const Options models = {"--model",        std::string("host=") + mixture.host,
                          "--model",        std::string("gpgpu=") + mixture.gpgpu,
                          "--model",        std::string("axi=") + mixture.axi,
                          "--model",        std::string("ddr3=") + mixture.ddr3,
                          "--arguments",    "32",
                          firmware("bench")};
  std::map<std::string, double> cycles;
  const nlohmann::json statistics = statistics_of(options + models);
  for (const auto& kernel : statistics["gpgpu"]["kernels"])
    cycles[kernel["name"]] += kernel["cycles"].get<double>();
  return cycles;
}

constexpr Mixture kAllApproximate = {"lt", "at", "at", "at"};

void expect_near(const std::map<std::string, double>& exact, const Mixture& mixture,
                 const Options& options) {
  const std::map<std::string, double> cycles = kernel_cycles(mixture, options);
  ASSERT_EQ(cycles.size(), 5u);
  for (const auto& [kernel, value] : cycles)
    EXPECT_NEAR(value / exact.at(kernel), 1.0, 0.1)
        << kernel << " with host=" << mixture.host << " gpgpu=" << mixture.gpgpu
        << " axi=" << mixture.axi << " ddr3=" << mixture.ddr3;
}

struct InDdr3 {
  Mixture mixture;
  const char* request_cycles;
};
void PrintTo(const InDdr3& each, std::ostream* stream) {
  *stream << "host=" << each.mixture.host << " gpgpu=" << each.mixture.gpgpu
          << " axi=" << each.mixture.axi << " ddr3=" << each.mixture.ddr3
          << " request_cycles=" << each.request_cycles;
}

class Mixtures : public testing::TestWithParam<InDdr3> {};

TEST_P(Mixtures, AgreeOnKernelsInDdr3) {
  const Options options = {"--set", "gpgpu.global_memory=ddr3", "--set",
                           std::string("axi.request_cycles=") + GetParam().request_cycles};
  expect_near(kernel_cycles(kAllApproximate, options), GetParam().mixture, options);
}

INSTANTIATE_TEST_SUITE_P(
    OfTimings, Mixtures,
    testing::Values(InDdr3{{"lt", "lt", "lt", "lt"}, "2"}, InDdr3{{"lt", "lt", "at", "at"}, "2"},
                    InDdr3{{"lt", "lt", "lt", "lt"}, "40"}, InDdr3{{"lt", "lt", "lt", "at"}, "40"},
                    InDdr3{{"lt", "lt", "at", "lt"}, "40"}, InDdr3{{"lt", "lt", "at", "at"}, "40"},
                    InDdr3{{"lt", "at", "lt", "lt"}, "40"}, InDdr3{{"lt", "at", "at", "lt"}, "40"},
                    InDdr3{{"at", "lt", "at", "at"}, "40"}),
    [](const auto& information) {
      const Mixture& m = information.param.mixture;
      return std::string("Host_") + m.host + "_gpgpu_" + m.gpgpu + "_axi_" + m.axi + "_ddr3_" +
             m.ddr3 + "_request_" + information.param.request_cycles;
    });

TEST(MixturesInBlockRam, AgreeOnKernels) {
  const auto exact = kernel_cycles(kAllApproximate, {});
  expect_near(exact, {"lt", "lt", "lt", "lt"}, {});
  expect_near(exact, {"lt", "lt", "at", "at"}, {});
}

// ---- what bench.elf prints

struct Row {
  double host_cycles, host_ms, kernel_cycles, kernel_ms, speed_up, with_copies_ms;
};

std::map<std::string, Row> printed(const std::string& out) {
  std::map<std::string, Row> rows;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 22 || line.substr(line.size() - 3) != " ok") continue;
    std::istringstream fields(line.substr(21));
    std::string size;
    Row row{};
    if (fields >> size >> row.host_cycles >> row.host_ms >> row.kernel_cycles >> row.kernel_ms >>
        row.speed_up >> row.with_copies_ms)
      rows[line.substr(0, std::min(line.find("  "), size_t{21}))] = row;
  }
  return rows;
}

struct Bench {
  std::string out;
  std::map<std::string, Row> rows;
  nlohmann::json statistics;
  double milliseconds() const { return statistics["sim_time_ns"].get<double>() * 1e-6; }
};

Bench bench(const Options& options) {
  const std::string path = temporary("timing.json");
  const Result result = run("gpgpu-vp", options + Options{"--quiet", "--arguments", "32", "--stats",
                                                          path, firmware("bench")});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  Bench done{result.out, printed(result.out), nlohmann::json::parse(read(path))};
  std::remove(path.c_str());
  EXPECT_EQ(done.rows.size(), 5u) << result.out;
  return done;
}

// ---- the processor in mixtures

// What each benchmark takes the processor, and the GPGPU with the processor's copying.
TEST(MixturesWithALtHost, AgreeOnProgramsOverAnAtBusAndAtMemory) {
  for (const char* cycles : {"2", "40"}) {
    const Options bus = {"--set", std::string("axi.request_cycles=") + cycles};
    const Bench exact = bench(bus + Options{"--timing", "at"});
    for (const Options& mixture :
         {Options{"--model", "axi=at", "--model", "ddr3=at", "--model", "gpgpu=at"},
          Options{"--model", "axi=at"}, Options{"--model", "ddr3=at"}}) {
      for (const auto& [name, row] : bench(bus + mixture).rows) {
        const Row& other = exact.rows.at(name);
        EXPECT_NEAR(row.host_cycles / other.host_cycles, 1, 0.1) << name << ' ' << mixture[1];
        EXPECT_NEAR(row.with_copies_ms / other.with_copies_ms, 1, 0.1) << name << ' ' << mixture[1];
      }
    }
  }
}

// An approximately timed processor copies as fast as memory takes what overlaps on the bus.
TEST(MixturesWithAnAtHost, AgreeOnProgramsAndCopies) {
  const Options options = {"--timing", "at", "--set", "gpgpu.global_memory=ddr3"};
  const Bench exact = bench(options);
  for (const Options& mixture : {Options{"--model", "ddr3=lt"}, Options{"--model", "axi=lt"}}) {
    for (const auto& [name, row] : bench(options + mixture).rows) {
      const Row& other = exact.rows.at(name);
      EXPECT_NEAR(row.host_cycles / other.host_cycles, 1, 0.1) << name << ' ' << mixture[1];
      EXPECT_NEAR(row.kernel_cycles / other.kernel_cycles, 1, 0.1) << name << ' ' << mixture[1];
      EXPECT_NEAR(row.with_copies_ms / other.with_copies_ms, 1, 0.1) << name << ' ' << mixture[1];
    }
  }
}

// ---- quantum

// Where the processor goes on by transactions it meets the others at each of them: then its own
// times move a little, too.  It notices the end of a kernel a quantum late at most, and once more
// round its waiting loop.
TEST(Quantum, MattersAsLittleInMixtures) {
  const Options fine = {"--set", "gpgpu.global_memory=ddr3", "--quantum", "100"};
  const Options coarse = {"--set", "gpgpu.global_memory=ddr3", "--quantum", "100000"};
  constexpr double kQuantum = 0.1, kRound = 0.01;  // ms
  for (const Options& mixture : {Options{"--model", "gpgpu=at"}, Options{"--model", "axi=at"},
                                 Options{"--model", "ddr3=at"}}) {
    const Bench first = bench(fine + mixture), second = bench(coarse + mixture);
    for (const auto& [name, row] : first.rows) {
      const Row& other = second.rows.at(name);
      EXPECT_NEAR(other.kernel_cycles / row.kernel_cycles, 1, 0.01) << name << ' ' << mixture[1];
      EXPECT_NEAR(other.host_cycles / row.host_cycles, 1, 0.02) << name << ' ' << mixture[1];
      EXPECT_NEAR(other.host_ms, row.host_ms, kQuantum) << name << ' ' << mixture[1];
      EXPECT_NEAR(other.with_copies_ms, row.with_copies_ms, kQuantum + kRound)
          << name << ' ' << mixture[1];
    }
    EXPECT_NEAR(second.milliseconds(), first.milliseconds(), 5 * kQuantum) << mixture[1];
  }
}

TEST(Quantum, IsNothingToAnApproximatelyTimedProcessor) {
  const Options options = {"--model", "host=at", "--set", "gpgpu.global_memory=ddr3", "--quantum"};
  EXPECT_EQ(bench(options + Options{"100"}).out, bench(options + Options{"100000"}).out);
}

TEST(Quantum, ShiftsEachKernelsEndByAQuantumAtMost) {
  for (const Options& memory : {Options{}, Options{"--set", "gpgpu.global_memory=ddr3"}}) {
    const Bench fine = bench(memory + Options{"--quantum", "100"});
    const Bench coarse = bench(memory + Options{"--quantum", "100000"});
    constexpr double kQuantum = 0.1;  // ms
    for (const auto& [name, row] : fine.rows) {
      const Row& other = coarse.rows.at(name);
      EXPECT_EQ(other.kernel_cycles, row.kernel_cycles) << name;
      EXPECT_EQ(other.host_cycles, row.host_cycles) << name;
      EXPECT_NEAR(other.with_copies_ms, row.with_copies_ms, kQuantum + 0.001) << name;
    }
    EXPECT_NEAR(coarse.milliseconds(), fine.milliseconds(), 5 * kQuantum);
  }
}

// ---- clocks

class Clocks : public testing::Test {
 protected:
  static Bench with(const std::string& key, const std::string& hz, const Options& more = {}) {
    return bench(more + Options{"--set", key + "=" + hz});
  }
  const Bench usual_ = bench({});
};

TEST_F(Clocks, OfTheGpgpuScalesItsKernelsTimesInFirmwareAndSummary) {
  const Bench fast = with("gpgpu.clock_hz", "200e6");
  for (const auto& [name, row] : fast.rows) {
    EXPECT_EQ(row.kernel_cycles, usual_.rows.at(name).kernel_cycles);
    EXPECT_NEAR(row.kernel_ms, row.kernel_cycles / 200e6 * 1e3, 0.00051) << name;
    EXPECT_NEAR(row.speed_up, 2 * usual_.rows.at(name).speed_up, 0.011) << name;
    EXPECT_LT(row.with_copies_ms, usual_.rows.at(name).with_copies_ms) << name;
  }
}

// With caches: without them it waits for its code, which a slower processor does not slow down.
TEST_F(Clocks, OfTheHostScaleItsTimesAndArePrinted) {
  const Options caches = {"--set", "host.use_icache=true", "--set", "host.use_dcache=true"};
  const Bench fast = bench(caches);
  EXPECT_THAT(fast.out, HasSubstr("MicroBlaze at 100 MHz"));
  const Bench slow = with("host.clock_hz", "50e6", caches);
  EXPECT_THAT(slow.out, HasSubstr("MicroBlaze at 50 MHz"));
  for (const auto& [name, row] : slow.rows) {
    const Row& usual = fast.rows.at(name);
    EXPECT_GT(row.host_ms, usual.host_ms) << name;
    EXPECT_NEAR(row.host_ms, row.host_cycles / 50e6 * 1e3, 0.001) << name;
    EXPECT_EQ(row.kernel_cycles, usual.kernel_cycles) << name;
  }
  EXPECT_GT(slow.milliseconds(), fast.milliseconds());
}

// The timer is clocked by the bus: the firmware knows, and so a slower bus makes nothing faster.
TEST_F(Clocks, OfTheBusSlowTheHostDown) {
  const Bench slow = with("axi.clock_hz", "50e6");
  for (const auto& [name, row] : slow.rows) {
    EXPECT_GT(row.host_ms, usual_.rows.at(name).host_ms) << name;
    EXPECT_GT(row.with_copies_ms, usual_.rows.at(name).with_copies_ms) << name;
    EXPECT_EQ(row.kernel_cycles, usual_.rows.at(name).kernel_cycles) << name;
  }
  EXPECT_GT(slow.milliseconds(), usual_.milliseconds());
}

TEST_F(Clocks, OfTheDdr3SlowItsUsersDown) {
  const Options in_ddr3 = {"--set", "gpgpu.global_memory=ddr3"};
  const Bench usual = bench(in_ddr3);
  const Bench slow = with("ddr3.clock_hz", "333e6", in_ddr3);
  for (const auto& [name, row] : slow.rows)
    EXPECT_GE(row.kernel_cycles, usual.rows.at(name).kernel_cycles) << name;
  EXPECT_GT(slow.rows.at("transpose").kernel_cycles, usual.rows.at("transpose").kernel_cycles);
}

// "Hello from the MicroBlaze, 12 us after reset."
double hello_microseconds(const Options& options) {
  const Result result = run("gpgpu-vp", options + Options{"--quiet", firmware("hello")});
  const size_t comma = result.out.find(", ");
  EXPECT_NE(comma, std::string::npos) << result.out << result.err;
  return comma == std::string::npos ? 0 : std::stod(result.out.substr(comma + 2));
}

TEST(TimerClock, AloneChangesNoTimesThatTheTimerMeasures) {
  for (const char* model : {"axi=lt", "axi=at"}) {
    const Options options = {"--model", model};
    const double usual = hello_microseconds(options);
    EXPECT_GT(usual, 5);
    EXPECT_NEAR(hello_microseconds(options + Options{"--set", "axi.timer.clock_hz=25e6"}), usual,
                0.1 * usual);
  }
}

// 300 MHz is a period of 3333 ps everywhere.
TEST_F(Clocks, WithoutAPeriodOfWholePicosecondsAreRoundedAlikeEverywhere) {
  const Bench odd = with("gpgpu.clock_hz", "300e6");
  for (const auto& [name, row] : odd.rows)
    EXPECT_NEAR(row.kernel_ms, row.kernel_cycles * 3333e-9, 0.00051) << name;
}

}  // namespace
}  // namespace gvp::test
