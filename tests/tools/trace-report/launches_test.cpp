// SPDX-License-Identifier: Apache-2.0
// The warps of a chosen launch.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "tests/tools/trace-report/report.h"
#include "tests/tools/trace-report/synthetic_trace.h"
#include "tools/trace-report/run.h"
#include "tools/trace-report/text.h"

namespace gvp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using namespace trace_report;

TEST_F(TraceReport, WarpsOfTheChosenLaunchAreShown) {
  TraceOptions options;
  options.records = 8000;
  options.warps = 3;
  write_trace(path("a.db"), options);
  const json longest = analyse({path("a.db")})["warps"];
  EXPECT_EQ(longest["spans"], 120);
  const json run = analyse({path("a.db")}, "matrix_multiply:2");
  const json& warps = run["warps"];
  EXPECT_EQ(warps["kernel"], "matrix_multiply");
  EXPECT_EQ(warps["warps"], json({"SM 0 warp 0", "SM 0 warp 1", "SM 0 warp 2"}));
  EXPECT_EQ(warps["shown"].size(), 120u);
  uint64_t launches = 0;
  for (const json& launch : run["launches"]["launches"])
    if (launch["kernel"] == "matrix_multiply" && ++launches == 2) {
      EXPECT_EQ(warps["begin_ps"], launch["begin_ps"]);
    }
  EXPECT_THAT(error_of({path("a.db")}, "transpose:x"), HasSubstr("\"x\" is no number of a launch"));
  EXPECT_THAT(error_of({path("a.db")}, "transpose:0"), HasSubstr("\"0\" is no number of a launch"));
  EXPECT_THAT(to_text({{"runs", {run}}, {"kernel", "matrix_multiply:2"}}),
              HasSubstr("Warps of matrix_multiply on gpgpu"));
  EXPECT_THAT(to_text({{"runs", {run}}, {"kernel", "matrix_multiply:2"}}),
              testing::ContainsRegex("  SM 0 warp 2 +40 "));
}

TEST_F(TraceReport, TheLongestLaunchIsShownIfNoneIsChosen) {
  TraceOptions options;
  options.records = 8000;
  options.warps = 1;
  options.seed = 3;
  write_trace(path("a.db"), options);
  const json run = analyse({path("a.db")});
  const auto length = [](const json& launch) {
    return launch["end_ps"].get<uint64_t>() - launch["begin_ps"].get<uint64_t>();
  };
  const json &launches = run["launches"]["launches"], &shown = run["warps"];
  for (const json& launch : launches) EXPECT_LE(length(launch), length(shown)) << launch;
  EXPECT_NE(shown["begin_ps"], launches.front()["begin_ps"]) << "the first is not the longest";
  EXPECT_NE(shown["begin_ps"], launches.back()["begin_ps"]) << "nor the last";
}

TEST_F(TraceReport, AChosenLaunchThatOnlyOneRunHasIsShownAndTheOtherSaysSo) {
  TraceOptions options;
  options.records = 8000;
  options.warps = 3;
  write_trace(path("a.db"), options);
  options.warps = 0;
  write_trace(path("none.db"), options);
  const auto refusal = [](const json& runs, const std::string& kernel) -> std::string {
    try {
      check_kernel(runs, kernel);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto of = [&](const char* file, const char* kernel) {
    return analyse({path(file)}, kernel);
  };
  const json has = of("a.db", "transpose:2"), lacks = of("a.db", "transpose:9");
  EXPECT_EQ(lacks["missing"]["warps"], path("a.db") + " has 2 launches of kernel \"transpose\".");
  EXPECT_EQ(lacks.count("warps"), 0u);
  TraceOptions once;
  once.records = 300;
  once.launches = once.warps = 1;
  write_trace(path("once.db"), once);
  EXPECT_EQ(of("once.db", "transpose:2")["missing"]["warps"],
            path("once.db") + " has 1 launch of kernel \"transpose\".");
  EXPECT_EQ(lacks["summary"], has["summary"]) << "all else is reported";
  EXPECT_EQ(refusal(json::array({has, lacks}), "transpose:9"), "");
  EXPECT_EQ(refusal(json::array({lacks, has}), "transpose:9"), "");
  EXPECT_THAT(to_text({{"runs", {has, lacks}}, {"kernel", "transpose:2"}}),
              testing::AllOf(HasSubstr("Warps of transpose"), HasSubstr("has 2 launches")));

  EXPECT_THAT(refusal(json::array({of("a.db", "matrix_multply")}), "matrix_multply"),
              HasSubstr("--kernel matrix_multply: " + path("a.db") +
                        " has no launch of a kernel \"matrix_multply\" (did you mean "
                        "matrix_multiply?)"));
  EXPECT_THAT(refusal(json::array({lacks, of("none.db", "transpose:9")}), "transpose:9"),
              testing::AllOf(HasSubstr("a.db has 2 launches of kernel \"transpose\"; and "),
                             HasSubstr("none.db has no warps; gpgpu-vp --trace")));
  EXPECT_EQ(refusal(json::array({of("none.db", "")}), ""), "") << "none was asked for";
}

TEST_F(TraceReport, WarpsOfAnotherDeviceAreNotTheLaunchs) {
  const json warps = analyse({write(
      "a.csv",
      std::string(
          "record,place,name,number,parent,root,initiator,target,origin,address,bytes,begin_ps,"
          "response_ps,end_ps,response,outstanding,value\n"
          "transaction,host_data,read,1,,1,host_data,ddr3,main,0x50000010,4,10,20,30,ok,1,\n"
          "kernels,first/kernels,k,,,,,,,,,10,,90,,,\n"
          "warps,first/SM 0 warp 0,pc 0,,,,,,,,,20,,30,,,\n"
          "warps,second/SM 0 warp 0,pc 8,,,,,,,,,20,,30,,,\n"
          "warps,first/SM 0 warp 1,pc 0,,,,,,,,,90,,95,,,\n"))})["warps"];
  EXPECT_EQ(warps["device"], "first");
  EXPECT_EQ(warps["warps"], json({"SM 0 warp 0"}));
  EXPECT_EQ(warps["spans"], 1);
  EXPECT_EQ(warps["names"], json({"pc 0"}));
}

}  // namespace
}  // namespace gvp::test
