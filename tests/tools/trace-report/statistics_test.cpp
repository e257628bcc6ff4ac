// SPDX-License-Identifier: Apache-2.0
// What the report says of statistics, with a trace and alone.
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

TEST_F(TraceReport, RooflineTakesBytesFromTheTraceAndBoundsFromTheConfiguration) {
  TraceOptions options;
  options.records = 2000;
  const TraceSums sums = write_trace(path("a.db"), options);
  const std::string numbers = write("a.json", statistics());
  const json run = analyse({numbers, path("a.db")});
  ASSERT_EQ(run["rooflines"].size(), 1u);
  const json& roofline = run["rooflines"][0];
  EXPECT_EQ(roofline["peak_instructions_per_s"], 2 * 8 * 100e6);
  EXPECT_EQ(roofline["peak_bytes_per_s"], 8 * 100e6);
  ASSERT_EQ(roofline["kernels"].size(), 1u);
  const json& kernel = roofline["kernels"][0];
  const auto bytes = static_cast<double>(sums.origins.at("transpose").bytes);
  EXPECT_EQ(kernel["bytes"], bytes);
  EXPECT_DOUBLE_EQ(kernel["instructions_per_byte"], 6400 / bytes);
  EXPECT_DOUBLE_EQ(kernel["instructions_per_s"], 6400 / 4000.0 * 100e6);
  EXPECT_EQ(kernel["bound"], "memory");
  EXPECT_EQ(run["missing"].count("roofline"), 0u);
  EXPECT_THAT(analyse({numbers})["missing"]["roofline"], HasSubstr("how many bytes"));
}

TEST_F(TraceReport, StatisticsAloneMakeAReportThatSaysWhatItLacks) {
  const json run = analyse({write("a.json", statistics())});
  EXPECT_EQ(run["kernels"][0]["launches"], 2);
  EXPECT_EQ(run["kernels"][0]["cycles"], 4000);
  EXPECT_EQ(run["memories"][0]["row_hits"], 3);
  EXPECT_THAT(run["missing"]["bandwidth"], HasSubstr("--trace FILE.db"));
  EXPECT_THAT(to_text({{"runs", {run}}}), HasSubstr("transpose"));
}

TEST_F(TraceReport, StatisticsMayBeATableOfKeysAndValues) {
  const std::string table =
      "key,value\ntool,\"gpgpu-vp\"\nfirmware,\"a, \"\"b\"\".elf\"\nsim_time_ns,1000.5\n"
      "exit_code,0\nend,\"exit\"\nconfig.gpgpu.sms,2\nconfig.gpgpu.checks,true\n"
      "gpgpu.kernels[0].name,\"7\"\ngpgpu.kernels[0].cycles,1000\n"
      "gpgpu.kernels[1].name,\"add\"\ngpgpu.kernels[1].cycles,3000\n";
  const json run = analyse({write("a.csv", table)});
  EXPECT_EQ(run["run"]["firmware"], "a, \"b\".elf");
  EXPECT_EQ(run["run"]["time_ps"], 1000500.0);
  ASSERT_EQ(run["kernels"].size(), 2u);
  EXPECT_EQ(run["kernels"][0]["name"], "add");
  EXPECT_EQ(run["kernels"][1]["name"], "7") << "a text, though it looks like a number";
  const auto refusal = [&](const std::string& line) {
    return error_of({write("b.csv", table + line)});
  };
  EXPECT_THAT(refusal("a,1,2\n"), testing::AllOf(HasSubstr("b.csv:13"), HasSubstr("3 fields")));
  EXPECT_THAT(refusal("tool.x,1\n"), HasSubstr("\"tool.x\" is no key, or contradicts"));
  EXPECT_THAT(refusal("exit_code,1\n"), HasSubstr("contradicts one before it"));
  EXPECT_THAT(refusal("list[5],1\n"), HasSubstr("\"list[5]\" is no key"));
  EXPECT_THAT(refusal("other,many\n"), HasSubstr("\"many\" is neither a number nor"));
  EXPECT_THAT(error_of({write("c.csv", std::string("key,value\na,1\n"))}),
              HasSubstr("no statistics"));
}

TEST_F(TraceReport, OfGpgpuRunNamesTheKernelsAndTheExitCode) {
  json numbers = statistics();
  numbers["tool"] = "gpgpu-run";
  numbers.erase("firmware");
  numbers.erase("end");
  numbers["exit_code"] = 125;
  numbers["gpgpu"]["kernel_totals"] = {{{"name", "transpose"}}, {{"name", "add"}}};
  const json run = analyse({write("a.json", numbers)});
  EXPECT_EQ(run["run"]["firmware"], "gpgpu-run: transpose, add");
  EXPECT_THAT(to_text({{"runs", {run}}}), HasSubstr("gpgpu-run: transpose, add: exit code 125"));
}

TEST_F(TraceReport, StatisticsTellWhereCyclesWentAndWhatPassedTheInterconnect) {
  json numbers = statistics();
  const json run = analyse({write("a.json", numbers)});
  EXPECT_EQ(run["kernels"][0]["stalls"], json({{"fetch", 5.0}, {"read", 30.0}}));
  EXPECT_EQ(run["kernels"][0]["configuration_cycles"], 70);
  EXPECT_EQ(run["host"]["stall_cycles"]["branch"], 300);
  ASSERT_EQ(run["interconnect"].size(), 2u) << "ports without transactions are left out";
  const json& port = run["interconnect"][0];
  EXPECT_EQ(port["port"], "host_data");
  EXPECT_EQ(port["side"], "initiators");
  EXPECT_EQ(port["transactions"], 9);
  EXPECT_EQ(port["bytes_read"], 28);
  EXPECT_EQ(port["mean_latency_ns"], 90.5);
  EXPECT_TRUE(port["stalled_requests"].is_null());
  EXPECT_EQ(run["missing"].count("cycles"), 0u);

  numbers["tool"] = "gpgpu-run";  // its statistics, too
  numbers["gpgpu"]["kernels"][0]["cycles_by_class"] = {{"issue", 700}, {"global", 200}};
  numbers["gpgpu"]["kernels"][1]["cycles_by_class"] = {{"issue", 100}, {"global", 3000}};
  numbers["gpgpu"]["kernels"][1]["memory"]["global"] = {{"bytes_read", 60}, {"bytes_written", 4}};
  numbers["axi"]["initiators"]["host_data"]["read"] = {
      {"arbitration_wait_ns", {{"mean", 12.5}, {"max", 40}}}};
  numbers["axi"]["initiators"]["host_data"]["read"]["arbitration_losses"] = 3;
  numbers["axi"]["targets"]["ddr3"] = {
      {"read", {{"transactions", 5}, {"bytes", 20}, {"utilisation", 0.25}, {"errors", 1}}},
      {"write", {{"transactions", 1}, {"bytes", 8}, {"arbitration_wait_ns", {{"mean", 5}}}}}};
  const json more = analyse({write("c.json", numbers)});
  EXPECT_EQ(more["interconnect"][0]["read_losses"], 3);
  const json& target = more["interconnect"][1];
  EXPECT_EQ(target["side"], "targets");
  EXPECT_EQ(target["transactions"], 6);
  EXPECT_EQ(target["bytes_read"], 20);
  EXPECT_EQ(target["errors"], 1);
  EXPECT_EQ(target["read_utilisation"], 0.25);
  EXPECT_EQ(target["write_wait_ns"], 5);
  EXPECT_EQ(more["kernels"][0]["cycles_by_class"], json({{"issue", 800.0}, {"global", 3200.0}}));
  EXPECT_EQ(more["interconnect"][0]["read_wait_ns"], 12.5);
  EXPECT_EQ(more["interconnect"][0]["most_read_wait_ns"], 40);
  EXPECT_TRUE(more["interconnect"][0]["write_wait_ns"].is_null());
  ASSERT_EQ(more["rooflines"].size(), 1u) << "the statistics have the kernels' bytes";
  EXPECT_EQ(more["rooflines"][0]["kernels"][0]["bytes"], 64);
  const std::string text = to_text({{"runs", {more}}});
  EXPECT_THAT(text, HasSubstr("80.0 %"));
  EXPECT_THAT(text, HasSubstr("12.5 ns"));

  numbers["host"].erase("stall_cycles");
  numbers["gpgpu"]["kernels"][0].erase("stalls");
  for (json& kernel : numbers["gpgpu"]["kernels"]) kernel.erase("cycles_by_class");
  EXPECT_THAT(analyse({write("b.json", numbers)})["missing"]["cycles"],
              HasSubstr("Only approximately timed models"));
}

}  // namespace
}  // namespace gvp::test
