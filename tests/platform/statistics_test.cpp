// SPDX-License-Identifier: Apache-2.0
#include "platform/statistics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "platform/configuration/keys.h"
#include "platform/summary.h"

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
  const std::string path = testing::TempDir() + "statistics_test.json";
  write_statistics(example(), path);
  std::ifstream stream(path);
  EXPECT_EQ(ordered_json::parse(stream), example());
  std::remove(path.c_str());
  EXPECT_THROW(write_statistics(example(), "/nowhere/s.json"), Error);
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
              HasSubstr("0.84 W dynamic, 3.45 W static, 60375 LUTs, 124 block RAMs, 156 DSPs "
                        "(extrapolated)"));
}

TEST(Summary, SurvivesBlocksWithoutStatistics) {
  ordered_json json = example();
  for (const char* block : {"host", "gpgpu", "axi", "ddr3"}) json[block] = ordered_json::object();
  EXPECT_THAT(summary_text(json, {End::kExit, 3, ""}, false), HasSubstr("exit code 3"));
}

}  // namespace
}  // namespace gvp::platform
