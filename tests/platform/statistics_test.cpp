// SPDX-License-Identifier: Apache-2.0
#include "platform/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "platform/configuration/keys.h"
#include "platform/report.h"
#include "platform/summary.h"
#include "tests/support/temporary_file.h"

namespace gvp::platform {
namespace {

using nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

ordered_json blocks() {
  return {{"host", {{"instructions", 2000000}, {"cycles", 3000000}}},
          {"gpgpu",
           {{"kernels",
             {{{"name", "transpose"},
               {"grid", {2, 2}},
               {"block", {16, 16, 1}},
               {"cycles", 50000},
               {"thread_instructions", 100000}}}}}},
          {"axi", ordered_json::object()},
          {"ddr3", {{"reads", 10}, {"writes", 5}, {"bytes", 60}}}};
}

ordered_json example() {
  return run_statistics(Configuration{}, "bench.elf", {End::kExit, 0, ""}, blocks(),
                        {2.0, 1.9, 0.01, 1 << 20});
}

TEST(Statistics, HaveTheDocumentedLayout) {
  const ordered_json json = example();
  EXPECT_EQ(json["tool"], "gpgpu-vp");
  EXPECT_EQ(json["exit_code"], 0);
  EXPECT_EQ(json["end"], "exit");
  EXPECT_EQ(json["wall_s"], 2.0);
  EXPECT_EQ(json["host"]["instructions"], 2000000);
  EXPECT_DOUBLE_EQ(json["host"]["mips"], 1.0);
  EXPECT_EQ(json["gpgpu"]["kernels"][0]["name"], "transpose");
  EXPECT_DOUBLE_EQ(json["wall"]["gpgpu_thread_instructions_per_s"], 50000.0);
}

TEST(Statistics, HoldTheCompleteConfiguration) {
  Configuration configuration;
  configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").sps = 16;
  const ordered_json json = configuration_json(configuration);
  EXPECT_EQ(json["gpgpu"]["sps"], 16);
  EXPECT_EQ(json["gpgpu"]["timing"]["poll"], 2);
  EXPECT_EQ(json.flatten().size(), configuration.keys().size() + 1) << "and the board's name";
}

TEST(Statistics, AreWrittenToAFileOrRefused) {
  const gvp::test::TemporaryFile file("statistics.json");
  write_statistics(example(), file.path());
  std::ifstream stream(file.path());
  EXPECT_EQ(ordered_json::parse(stream), example());
  EXPECT_THROW(write_statistics(example(), "/nowhere/s.json"), Error);
}

TEST(Statistics, AreATableWhereTheNameSaysSo) {
  const ordered_json json{{"a", {{"b", 1}, {"list", {{{"c", 2.5}}, {{"c", true}}}}}},
                          {"text", "with, \"quotes\""}};
  const std::string expected =
      "key,value\na.b,1\na.list[0].c,2.5\na.list[1].c,true\ntext,\"with, \"\"quotes\"\"\"\n";
  EXPECT_EQ(statistics_csv(json), expected);
  const gvp::test::TemporaryFile file("statistics.csv");
  write_statistics(json, file.path());
  std::ifstream stream(file.path());
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), expected);
}

ordered_json port(uint64_t transactions) {
  const ordered_json command{
      {"transactions", transactions},
      {"bytes", 123456789012},
      {"errors", 12},
      {"utilisation", 1.0},
      {"latency_ns", {{"mean", 12345.6}, {"p95", 54321.2}, {"max", 99999.9}}}};
  return {{"read", command}, {"write", command}, {"direct", {{"reads", 7}, {"bytes_read", 28}}}};
}

TEST(Report, HasKernelsPortsAndBanksIn80Columns) {
  const ordered_json kernel{
      {"name", "a_kernel_with_a_name_that_is_too_long"},
      {"launches", 123456},
      {"cycles", 123456789012},
      {"ipc", 0.0079},
      {"simd_efficiency", 1.0},
      {"occupancy", 0.5},
      {"memory", {{"global", {{"bytes_read", 1 << 20}, {"bytes_written", 7}}}}},
      {"cycles_by_class", {{"issue", 30}, {"global", 60}, {"read", 10}, {"write", 0}}}};
  const ordered_json stopped{{"name", "stopped"}, {"launches", 1}, {"cycles", 5}};
  ordered_json functions = ordered_json::array();
  for (int i = 0; i < 12; ++i)
    functions.push_back({{"name", i == 11 ? "" : "a_function_with_quite_a_long_name"},
                         {"reads", 123456789},
                         {"writes", 5},
                         {"bytes_read", 493827156},
                         {"bytes_written", 20}});
  ordered_json refused = port(0);
  refused["direct"] = {};
  ordered_json memory = port(99999999);
  memory["banks"] = {{{"bank", 0}, {"row_hits", 5}, {"activates", 3}},
                     {{"bank", 1}, {"row_hits", 0}}};
  const std::string text = report_text(
      {{"gpgpu", {{"kernel_totals", {kernel, stopped}}}},
       {"host", {{"functions", functions}}},
       {"axi", {{"initiators", {{"an_initiator_with_a_long_name", port(123)}, {"idle", refused}}}}},
       {"ddr3", memory}});
  EXPECT_THAT(text, HasSubstr("global 60%, issue 30%, read 10%\n"));
  EXPECT_THAT(text, HasSubstr("1 MiB"));
  EXPECT_THAT(text, HasSubstr(" 0.0079  100%   50%")) << "what this device reaches differs there";
  EXPECT_THAT(text, HasSubstr("     -     -     -")) << "no average of what was stopped";
  EXPECT_THAT(text, HasSubstr("idle           read          0")) << "it has errors";
  EXPECT_THAT(text, HasSubstr("host: functions by bus traffic"));
  EXPECT_THAT(text, HasSubstr("  and 2 more\n"));
  EXPECT_THAT(text, HasSubstr("an_initiator_. read        123"));
  EXPECT_THAT(text, HasSubstr("direct"));
  EXPECT_THAT(text, HasSubstr("  0                 5            0            0            3\n"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Summary, ShowsEndHostKernelsAndMemory) {
  const std::string text = summary_text(example(), {End::kExit, 0, ""}, false);
  EXPECT_THAT(text, HasSubstr("firmware exit code 0"));
  EXPECT_THAT(text, HasSubstr("2 M instructions"));
  EXPECT_THAT(text, HasSubstr("transpose"));
  EXPECT_THAT(text, HasSubstr("16x16x1"));
  EXPECT_THAT(text, HasSubstr("500 us"));  // 50000 cycles at 100 MHz
  EXPECT_THAT(text, HasSubstr("10 reads, 5 writes"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(Summary, Fits80ColumnsAndUsesWiderTerminals) {
  ordered_json json = example();
  ordered_json& kernels = json["gpgpu"]["kernels"];
  const std::string long_name = "a_kernel_whose_name_is_longer_than_its_column";
  kernels.push_back({{"name", long_name},
                     {"grid", {256, 256}},
                     {"block", {16, 16, 1}},
                     {"cycles", 1234567890},
                     {"thread_instructions", 98765432100},
                     {"energy_mj", 0.0001234}});
  kernels.push_back({{"name", "x"}, {"grid", {1, 1}}, {"block", {512, 1, 1}}, {"cause", 2}});
  json["gpgpu"]["estimates"] = {{"dynamic_w", 88.96},   {"static_w", 3.46}, {"luts", 11854370.0},
                                {"block_rams", 9856.0}, {"dsps", 37248.0},  {"extrapolated", true}};
  const auto longest = [&](size_t columns) {
    std::istringstream text(summary_text(json, {End::kExit, 0, ""}, false, columns));
    size_t most = 0;
    for (std::string line; std::getline(text, line);) most = std::max(most, line.size());
    return most;
  };
  EXPECT_LE(longest(80), 80u);
  EXPECT_THAT(summary_text(json, {End::kExit, 0, ""}, false, 80), HasSubstr(long_name + "\n"));
  EXPECT_LE(longest(120), 120u);
  EXPECT_THAT(summary_text(json, {End::kExit, 0, ""}, false, 120),
              HasSubstr(long_name + " 256x256"));
}

TEST(Summary, CountsKernelsThatAreNotListed) {
  ordered_json json = example();
  const ordered_json kernel = json["gpgpu"]["kernels"][0];
  for (int i = 0; i < 99; ++i) json["gpgpu"]["kernels"].push_back(kernel);
  json["gpgpu"]["further_kernels"] = {{{"name", "a"}, {"launches", 7}},
                                      {{"name", "b"}, {"launches", 20}}};
  EXPECT_THAT(summary_text(json, {End::kExit, 0, ""}, false),
              HasSubstr("... 127 kernels in all\n"));
}

TEST(Summary, IsColouredOnlyWhenAsked) {
  EXPECT_THAT(summary_text(example(), {End::kExit, 0, ""}, true), HasSubstr("\x1b[32m"));
  EXPECT_THAT(summary_text(example(), {End::kTimeLimit, 124, ""}, true),
              HasSubstr("\x1b[31mgpgpu-vp: time limit, exit code 124"));
}

TEST(Summary, MarksKernelsThatDidNotRunToTheirEnd) {
  ordered_json json = example();
  json["gpgpu"]["kernels"][0]["cause"] = 2;
  EXPECT_THAT(summary_text(json, {End::kExit, 0, ""}, false), HasSubstr("  refused\n"));
  json["gpgpu"]["kernels"][0]["warp_instructions"] = 9;
  EXPECT_THAT(summary_text(json, {End::kExit, 0, ""}, false), HasSubstr("  stopped\n"));
}

TEST(Summary, ShowsEstimatesOfTheDevice) {
  ordered_json json = example();
  json["gpgpu"]["estimates"] = {{"dynamic_w", 0.84},   {"static_w", 3.45}, {"luts", 60375.0},
                                {"block_rams", 124.0}, {"dsps", 156.0},    {"extrapolated", true}};
  EXPECT_THAT(summary_text(json, {End::kExit, 0, ""}, false),
              HasSubstr("0.84 W dynamic, 3.45 W static (extrapolated)\n"
                        "         60375 LUTs, 124 block RAMs, 156 DSPs\n"));
  json["gpgpu"]["estimates"]["exceeds_fpga"] = {"LUTs: 231436, the XC6VLX240T has 150720"};
  EXPECT_THAT(summary_text(json, {End::kExit, 0, ""}, false),
              HasSubstr("too large: LUTs: 231436, the XC6VLX240T has 150720\n"));
}

TEST(Summary, SurvivesBlocksWithoutStatistics) {
  ordered_json json = example();
  for (const char* block : {"host", "gpgpu", "axi", "ddr3"}) json[block] = ordered_json::object();
  EXPECT_THAT(summary_text(json, {End::kExit, 3, ""}, false), HasSubstr("exit code 3"));
}

}  // namespace
}  // namespace gvp::platform
