// SPDX-License-Identifier: Apache-2.0
// Two runs compared, and what is judged of it.
#include "tools/trace-report/differences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/trace-report/report.h"
#include "tests/tools/trace-report/synthetic_trace.h"
#include "tools/trace-report/text.h"

namespace gvp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using namespace trace_report;

TEST_F(TraceReport, EqualRunsDoNotDifferAndASlowerMemoryDoes) {
  TraceOptions options;
  options.records = 4000;
  write_trace(path("a.db"), options);
  options.memory_ns = 90;
  write_trace(path("b.db"), options);
  const json a = analyse({path("a.db")}), b = analyse({path("b.db")});
  for (const json& row : differences(a, a)) EXPECT_EQ(row["change"], 0.0) << row;
  const json rows = differences(a, b);
  bool seen = false;
  for (const json& row : rows) {
    if (row["figure"] == "bytes" || row["figure"] == "transactions") {
      EXPECT_EQ(row["change"], 0.0);
    }
    if (row["name"] != "ddr3 read" || row["figure"] != "mean latency") continue;
    seen = true;
    EXPECT_NEAR(row["second"].get<double>() - row["first"].get<double>(), 30000, 1);
    EXPECT_GT(row["change"], 0.3);
    EXPECT_EQ(row["judgement"], "worse") << "longer";
  }
  EXPECT_TRUE(seen);
  json report = {{"runs", {a, b}}, {"differences", rows}};
  EXPECT_THAT(to_text(report), HasSubstr("mean latency"));
  report = {{"runs", {a, a}}, {"differences", differences(a, a)}};
  EXPECT_THAT(to_text(report), HasSubstr("do not differ"));
}

TEST_F(TraceReport, WhatOnlyOneRunHasIsNotJudged) {
  json numbers = statistics();
  const json first = analyse({write("a.json", numbers)});
  numbers["gpgpu"]["kernels"][0]["cycles"] = 500;    // of 4000: fewer
  numbers["gpgpu"]["kernels"][1]["name"] = "other";  // and this is another one
  numbers["ddr3"]["row_conflicts"] = 0;
  numbers["ddr3"]["row_hits"] = 30;
  numbers["sim_time_ns"] = 1020.0;
  const json second = analyse({write("b.json", numbers)});
  const auto row_of = [&](const json& rows, const std::string& name, const std::string& figure) {
    for (const json& row : rows)
      if (row["name"] == name && row["figure"] == figure) return row;
    return json();
  };
  const json rows = differences(first, second), back = differences(second, first);
  const auto judgement = [&](const char* name, const char* figure) {
    return row_of(rows, name, figure)["judgement"].get<std::string>() + " / " +
           row_of(back, name, figure)["judgement"].get<std::string>();
  };
  EXPECT_EQ(judgement("gpgpu transpose", "cycles"), "better / worse");
  EXPECT_EQ(judgement("gpgpu other", "cycles"), "second only / first only");
  EXPECT_EQ(judgement("ddr3", "row_conflicts"), "better / worse");
  EXPECT_EQ(row_of(rows, "ddr3", "row_conflicts")["change"], -1.0);
  EXPECT_TRUE(row_of(back, "ddr3", "row_conflicts")["change"].is_null()) << "from 0";
  EXPECT_EQ(judgement("ddr3", "row_hits"), "changed / changed");
  EXPECT_EQ(judgement("simulation", "time"), "same / same") << "by less than 5 %";
  EXPECT_EQ(rows.back()["judgement"], "second only") << "behind what changed";
  const std::string text = to_text({{"runs", {first, second}}, {"differences", rows}});
  EXPECT_THAT(text, testing::ContainsRegex("gpgpu other +cycles .* only in the second run"));
  EXPECT_THAT(text, testing::ContainsRegex("gpgpu transpose +cycles .* -87.5 %, better"));
}

TEST_F(TraceReport, TrafficOfAFunctionIsTheSumOfWhatItBeganAtAllPorts) {
  const auto origin = [](const char* name, bool kernel, bool initiator, int read, int written) {
    return json{{"name", name},
                {"kernel", kernel},
                {"initiator", initiator},
                {"bytes_read", read},
                {"bytes_written", written}};
  };
  const json run = {{"origins",
                     {origin("main", false, true, 4, 8), origin("main", false, true, 16, 32),
                      origin("main", false, false, 64, 128), origin("main", true, true, 256, 512),
                      origin("", false, true, 1024, 2048)}}};
  std::string rows;
  for (const json& row : differences(run, run))
    rows += row["group"].get<std::string>() + " " + row["name"].get<std::string>() + " " +
            row["figure"].get<std::string>() + " " + row["first"].dump() + "\n";
  EXPECT_EQ(rows,
            "function main bytes read 20.0\nfunction main bytes written 40.0\n"
            "kernel main bytes read 256.0\nkernel main bytes written 512.0\n");
}

}  // namespace
}  // namespace gvp::test
