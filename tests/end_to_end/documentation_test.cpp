// SPDX-License-Identifier: Apache-2.0
// The documentation names everything that the program prints.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <vector>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

// Paths of all leaves: "gpgpu.kernels[].cycles".
void collect(const nlohmann::json& json, const std::string& path, std::set<std::string>& paths) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      collect(value, path.empty() ? key : path + "." + key, paths);
  } else if (json.is_array()) {
    for (const auto& value : json) collect(value, path + "[]", paths);
  } else {
    paths.insert(path);
  }
}

// The first column of every table of the page, as regular expressions.
std::vector<std::regex> documented_keys() {
  std::vector<std::regex> patterns;
  const std::string page = read(source("docs/statistics.md"));
  const std::regex row("\n\\| (`[^|]*`) \\|");
  const std::regex key("`([^`]+)`");
  for (std::sregex_iterator r(page.begin(), page.end(), row), end; r != end; ++r) {
    const std::string cell = (*r)[1];
    for (std::sregex_iterator k(cell.begin(), cell.end(), key); k != end; ++k) {
      std::string text = std::regex_replace((*k)[1].str(), std::regex(R"([.\[\]])"), "\\$&");
      if (text == "config\\.*") text = "config\\..*";
      patterns.emplace_back(std::regex_replace(text, std::regex(R"((^|\\\.)\*)"), "$1[a-z0-9_]+"));
    }
  }
  return patterns;
}

void expect_documented(const nlohmann::json& statistics) {
  const std::vector<std::regex> patterns = documented_keys();
  ASSERT_GT(patterns.size(), 40u);
  std::set<std::string> paths;
  collect(statistics, "", paths);
  for (const std::string& path : paths) {
    const bool found = std::any_of(patterns.begin(), patterns.end(),
                                   [&](const std::regex& p) { return std::regex_match(path, p); });
    EXPECT_TRUE(found) << path << " is not in docs/statistics.md";
  }
}

TEST(Documentation, HasEveryStatisticsKey) {
  expect_documented(statistics_of({firmware("bench")}));
}

TEST(Documentation, HasEveryStatisticsKeyOfRtl) {
  const std::vector<std::string> timer = {"--model", "timer=rtl", firmware("hello")};
  if (run("gpgpu-vp", timer).err.find("built without Verilator") != std::string::npos)
    GTEST_SKIP() << "built without Verilator";
  expect_documented(statistics_of(timer));
}

TEST(Documentation, HasEveryStatisticsKeyOfOwnRtl) {
  const std::string plugin = std::string(GVP_BINARY_DIR) + "/tests/rtl_blocks/register_file.so";
  if (!std::filesystem::exists(plugin)) GTEST_SKIP() << "built without Verilator";
  const std::string board = temporary("board.toml");
  write(board, read(source("platform/boards/ml605.toml")) +
                   "[devices.own]\ntype = \"rtl:register_file\"\nbus = \"axi\"\n"
                   "base = 0x9000_0000\n");
  expect_documented(statistics_of({"--plugin", plugin, "--board", board, firmware("hello")}));
}

TEST(Documentation, HasEveryStatisticsKeyOfApproximatelyTimedModels) {
  expect_documented(statistics_of({"--model", "gpgpu=at", firmware("bench")}));
  expect_documented(statistics_of({"--timing", "at", firmware("hello")}));
  expect_documented(statistics_of(
      {"--model", "gpgpu=at", "--arguments", "32", "--set", "gpgpu.global_memory=ddr3", "--set",
       "gpgpu.l1.enabled=true", "--set", "gpgpu.l2.enabled=true", "--set",
       "gpgpu.network.topology=mesh", "--set", "gpgpu.instruction_cache.enabled=true", "--set",
       "gpgpu.constant_cache.enabled=true", firmware("bench")}));
  expect_documented(statistics_of({"--model", "axi=at", "--model", "ddr3=at", firmware("hello")}));
}

// A run's output without what depends on the machine: the wall time and what is computed from it.
std::string without_wall_time(const std::string& output) {
  const std::string text =
      std::regex_replace(output, std::regex("simulated in [0-9.]+ m?s"), "simulated in ... s");
  return std::regex_replace(text, std::regex("[0-9.]+ MIPS"), "... MIPS");
}

// GVP_UPDATE_README=1 puts this run's output into the page instead.
TEST(Documentation, ReadmeShowsWhatTheFirstRunPrints) {
  const Result result =
      run("gpgpu-vp", {"-c", source("platform/configs/flexgrip.toml"), firmware("bench")});
  const std::string output = result.out + result.err;
  const std::string readme = read(source("README.md"));
  const std::string fence = "```text\n";
  ASSERT_NE(readme.find(fence), std::string::npos);
  const size_t begin = readme.find(fence) + fence.size();
  const size_t end = readme.find("```", begin);
  const std::string shown = readme.substr(begin, end - begin);
  const bool same = without_wall_time(shown) == without_wall_time(output);
  if (!same && std::getenv("GVP_UPDATE_README") != nullptr)
    write(source("README.md"), readme.substr(0, begin) + output + readme.substr(end));
  else
    EXPECT_EQ(without_wall_time(shown), without_wall_time(output))
        << "GVP_UPDATE_README=1 ./dev test -R ReadmeShows brings the page up to date";
}

// The lines of a page's example that begin with one of these, without simulated times, which may
// change.
std::vector<std::string> example_lines(const std::string& page, const std::string& begin) {
  std::vector<std::string> lines;
  std::istringstream text(read(source(page)));
  for (std::string line; std::getline(text, line);)
    if (line.rfind("    " + begin, 0) == 0)
      lines.push_back(std::regex_replace(line.substr(4), std::regex("@ [0-9]+ ns"), "@ ... ns"));
  return lines;
}

TEST(Documentation, ShowsWhatRunElfPrintsAndLogs) {
  const std::string kernel = temporary("scale.cu");
  const std::string cubin = temporary("scale.cubin");
  write(kernel,
        "__global__ void scale(const float* in, float* out, float factor, int n) {\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) out[i] = in[i] * factor;\n"
        "}\n");
  ASSERT_EQ(run("kcc", {kernel, "-o", cubin}).exit_code, 0);
  const Result result = run("gpgpu-vp", {"-q", "--log", "info", "--log", "debug:registers",
                                         "--load", "kernel_file=" + cubin, "--arguments",
                                         "scale 2 8 floats:16 zeros:16:f 1.5 15", firmware("run")});
  const std::string printed =
      result.out + std::regex_replace(result.err, std::regex("@ [0-9]+ ns"), "@ ... ns");
  const auto expect_printed = [&](const std::string& page, const std::string& begin) {
    const std::vector<std::string> lines = example_lines(page, begin);
    EXPECT_FALSE(lines.empty()) << page << ": " << begin;
    for (const std::string& line : lines)
      EXPECT_NE(printed.find(line + '\n'), std::string::npos) << page << ": " << line;
  };
  expect_printed("docs/platform.md", "info: gpgpu: ");
  expect_printed("docs/platform.md", "debug: registers: ");
  expect_printed("docs/firmware.md", "     8: ");
  expect_printed("docs/firmware.md", "scale: ");
}

// Puts right what stands in a page between two texts, or says that it is wrong.
void expect_in_page(const std::string& page, const std::string& before, const std::string& wanted,
                    const std::string& after) {
  const std::string text = read(source(page));
  const size_t found = text.find(before);
  ASSERT_NE(found, std::string::npos) << before;
  const size_t begin = found + before.size();
  const size_t end = text.find(after, begin);
  ASSERT_NE(end, std::string::npos) << after;
  if (text.substr(begin, end - begin) == wanted) return;
  if (std::getenv("GVP_UPDATE_README") != nullptr)
    write(source(page), text.substr(0, begin) + wanted + text.substr(end));
  else
    EXPECT_EQ(text.substr(begin, end - begin), wanted)
        << "GVP_UPDATE_README=1 ./dev test -R Documentation brings " << page << " up to date";
}

TEST(Documentation, TracingShowsWhatATraceOfHelloHasAndCosts) {
  const std::string trace = temporary("documented.db");
  const auto milliseconds = [](const std::vector<std::string>& arguments) {
    return fmt::format("{:.2f}", statistics_of(arguments)["sim_time_ns"].get<double>() / 1e6);
  };
  const std::string traced = milliseconds({"--trace", trace, firmware("hello")});
  expect_in_page("docs/tracing.md", "all ports, ",
                 traced + " ms instead of " + milliseconds({firmware("hello")}), " (rows");
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open_v2(trace.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  std::string rows;
  sqlite3_exec(
      database,
      "select port, command, transactions, bytes, mean_latency_ns from by_port"
      " where port like 'host%'",
      [](void* text, int columns, char** values, char**) {
        std::string& to = *static_cast<std::string*>(text);
        for (int i = 0; i < columns; ++i) to += (i == 0 ? "\n    " : "|") + std::string(values[i]);
        return 0;
      },
      &rows, nullptr);
  sqlite3_close(database);
  std::remove(trace.c_str());
  expect_in_page("docs/tracing.md", "where port like 'host%'\"", rows, "\n\n[trace-report]");
}

// The half of docs/profiling/make that takes little time; it makes the rest from the same runs, and
// those of the host.
TEST(Documentation, ProfilingShowsTheCyclesOfItsKernels) {
  const std::string cubin = temporary("transpose.cubin"), file = temporary("transpose.json");
  ASSERT_EQ(run("kcc", {source("docs/profiling/transpose.cu"), "-o", cubin}).exit_code, 0);
  std::string cycles, waiting;
  for (const std::string kernel : {"transpose_naive", "transpose_staged", "transpose_rows"}) {
    const Result result = run("gpgpu-run", {"-q",
                                            "--cubin",
                                            cubin,
                                            "--kernel",
                                            kernel,
                                            "--grid",
                                            "8,8",
                                            "--block",
                                            kernel == "transpose_rows" ? "16,4" : "16,16",
                                            "--timing",
                                            "at",
                                            "--set",
                                            "gpgpu.global_memory=ddr3",
                                            "--param",
                                            "0x50100000",
                                            "--param",
                                            "0x50200000",
                                            "--param",
                                            "128",
                                            "--stats",
                                            file});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json launch = nlohmann::json::parse(read(file))["gpgpu"]["kernels"][0];
    const auto cell = [](uint64_t value) {
      std::string digits = std::to_string(value);
      for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
      return " " + digits + " |";
    };
    cycles += cell(launch["cycles"]);
    waiting += cell(launch["cycles_by_class"]["global"]);
  }
  for (const std::string& each : {cubin, file}) std::remove(each.c_str());
  const std::string page = read(source("docs/profiling.md"));
  for (const std::string& row : {"| cycles |" + cycles, "| 8 SPs, 1 SM |" + cycles,
                                 "| of these, waiting for global memory |" + waiting})
    EXPECT_THAT(page, testing::HasSubstr(row)) << "docs/profiling/make brings it up to date";
}

TEST(Documentation, ReadmeShowsTheSpeedUpsOfApproximatelyTimedModels) {
  const Result result = run("gpgpu-vp", {"-c", source("platform/configs/flexgrip.toml"), "--timing",
                                         "at", "-q", firmware("bench")});
  std::vector<std::string> speed_ups;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.size() < 21 || line.substr(line.size() - 3) != " ok") continue;
    std::istringstream cells(line.substr(21));
    std::string cell;
    for (unsigned i = 0; i < 6; ++i) cells >> cell;
    speed_ups.push_back(cell);
  }
  ASSERT_EQ(speed_ups.size(), 5u) << result.out << result.err;
  std::string text = speed_ups[0];
  for (size_t i = 1; i < speed_ups.size(); ++i)
    text += (i + 1 < speed_ups.size() ? ", " : " and ") + speed_ups[i];
  expect_in_page("README.md", "(`--timing at`) the speed-ups are ", text, ".\n");
}

TEST(Documentation, HostShowsWhatItsClockSlows) {
  const auto bench = [](const char* hz, bool caches) {
    std::vector<std::string> arguments = {"--timing", "at",    "--arguments",
                                          "32",       "--set", std::string("host.clock_hz=") + hz};
    if (caches)
      for (const char* key : {"host.use_icache=true", "host.use_dcache=true"}) {
        arguments.emplace_back("--set");
        arguments.emplace_back(key);
      }
    arguments.push_back(firmware("bench"));
    return statistics_of(arguments);
  };
  std::vector<double> waits, uncached, cached;
  for (const char* hz : {"100e6", "25e6"}) {
    const nlohmann::json statistics = bench(hz, false), with_caches = bench(hz, true);
    const nlohmann::json& host = statistics["host"];
    waits.push_back(
        (host["stall_cycles"]["fetch"].get<double>() + host["stall_cycles"]["data"].get<double>()) /
        host["cycles"].get<double>());
    uncached.push_back(statistics["sim_time_ns"].get<double>() / 1e6);
    cached.push_back(with_caches["sim_time_ns"].get<double>() / 1e6);
  }
  EXPECT_GT(waits[0], 0.85) << "it does little else";
  EXPECT_NEAR(uncached[1] / uncached[0], 1, 0.02);
  EXPECT_GT(cached[1] / cached[0], 1.2);
  expect_in_page(
      "docs/host.md", "waits for words and data in\n",
      fmt::format(
          "{:.0f} and {:.0f} % of its cycles at 100 and 25 MHz, and takes {:.0f} and {:.0f} "
          "ms; with caches {:.0f} and {:.0f} ms",
          100 * waits[0], 100 * waits[1], uncached[0], uncached[1], cached[0], cached[1]),
      ". A period");
}

TEST(Documentation, ReadmeShowsTheErrorsOfTheFidelityPage) {
  const std::string page = read(source("docs/fidelity.md"));
  const std::regex sum("typically off by a factor of ([0-9.]+), at worst ([0-9]+\\.[0-9]+)\\.");
  std::vector<std::string> typical;
  std::string worst;
  for (const char* section : {"\n### Kernel times, ms ", "\n### MicroBlaze times, ms ",
                              "\n### Speed-up over the MicroBlaze "}) {
    const size_t begin = page.find(section);
    ASSERT_NE(begin, std::string::npos) << section;
    std::smatch found;
    const std::string rest = page.substr(begin);
    ASSERT_TRUE(std::regex_search(rest, found, sum)) << section;
    typical.push_back(found[1]);
    if (worst.empty() || std::stod(found[2]) > std::stod(worst)) worst = found[2];
  }
  expect_in_page("README.md", "kernel times are typically off by a factor of\n", typical[0], ",");
  expect_in_page("README.md", ", MicroBlaze times by ", typical[1], ",");
  expect_in_page("README.md", ", speed-ups by ", typical[2], ",");
  expect_in_page("README.md", ", none by more than ", worst, " (");
}

TEST(Documentation, HasTheBudgetOfEveryStepOfContinuousIntegration) {
  const std::string page = read(source("docs/contributing.md"));
  const std::string script = read(source(".ci/run"));
  const std::regex step("\nstep(?:_in_time)? \"([^\"]+)\" ([0-9]+) ");
  size_t count = 0;
  for (std::sregex_iterator s(script.begin(), script.end(), step), end; s != end; ++s, ++count)
    EXPECT_NE(page.find("| " + (*s)[1].str() + " | " + (*s)[2].str() + " |"), std::string::npos)
        << (*s)[0];
  EXPECT_GE(count, 9u);
}

}  // namespace
}  // namespace gvp::test
