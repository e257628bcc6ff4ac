// SPDX-License-Identifier: Apache-2.0
// trace-report on real runs: its totals are those of the database, by SQL, and of the models.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/traces.h"

namespace gvp::test {
namespace {

using nlohmann::json;

ByPort in_report(const json& run) {
  ByPort totals;
  for (const json& port : run["ports"])
    for (const json& command : port["commands"])
      totals[port["port"].get<std::string>() + ' ' + command["command"].get<std::string>()] = {
          command["transactions"], command["bytes"], command["errors"]};
  return totals;
}

constexpr const char* kRtlBus = "axi=rtl";
class Report : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(Report, HasTheTotalsOfTheTraceAndOfTheModels) {
  const auto& options = GetParam();
  const bool rtl_bus = std::count(options.begin(), options.end(), kRtlBus) != 0;
  if (rtl_bus && !has_rtl()) GTEST_SKIP() << "built without Verilator";
  const std::string trace = temporary("report.db"), statistics = temporary("report.json");
  std::vector<std::string> arguments = {"--quiet", "--trace", trace, "--stats", statistics};
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.push_back(firmware("hello"));
  const Result traced = run("gpgpu-vp", arguments);
  ASSERT_EQ(traced.exit_code, 0) << traced.err;
  const Result reported = run("trace-report", {"--json", trace, statistics});
  ASSERT_EQ(reported.exit_code, 0) << reported.err;
  const json report = json::parse(reported.out)["runs"][0];
  const ByPort totals = in_report(report);
  EXPECT_EQ(totals, in_database(trace));
  uint64_t begun = 0;
  for (const auto& [port, total] : totals)
    if (port.rfind("host_", 0) == 0 || port.rfind("gpgpu ", 0) == 0) begun += total.transactions;
  EXPECT_EQ(report["summary"]["transactions"], begun) << "once, however many ports they pass";

  // What an initiator's last transactions are, which were under way at the end, is for the trace's
  // own tests to say; in a loosely timed run there are none.
  const json models = json::parse(read(statistics));
  if (options.empty()) {
    for (const auto& [port, counts] : models["axi"]["initiators"].items()) {
      SCOPED_TRACE(port);
      const auto of = [&](const char* command) {
        const auto found = totals.find(port + ' ' + command);
        return found == totals.end() ? Totals{} : found->second;
      };
      EXPECT_EQ(of("read").transactions, counts["reads"]);
      EXPECT_EQ(of("read").bytes, counts["bytes_read"]);
      EXPECT_EQ(of("write").transactions, counts["writes"]);
      EXPECT_EQ(of("write").bytes, counts["bytes_written"]);
    }
  }
  EXPECT_EQ(report["launches"]["launches"].size(), models["gpgpu"]["kernels"].size());
  // Pins carry no identity: what a target gets behind them has no way that could be followed.
  EXPECT_EQ(report["hops"].empty(), rtl_bus);
  EXPECT_FALSE(report["slowest"].empty());
  for (const json& each : report["slowest"]) EXPECT_GT(each["path"].size(), 0u);
  for (const std::string& file : {trace, statistics}) std::remove(file.c_str());
}

INSTANTIATE_TEST_SUITE_P(
    Timings, Report,
    testing::Values(std::vector<std::string>{},
                    std::vector<std::string>{"--model", "axi=at", "--model", "ddr3=at"},
                    std::vector<std::string>{"--model", "host=at", "--model", "gpgpu=at", "--model",
                                             "axi=at", "--model", "ddr3=at", "--set",
                                             "gpgpu.global_memory=ddr3"},
                    std::vector<std::string>{"--model", kRtlBus}),
    [](const auto& mixture) { return "Mixture" + std::to_string(mixture.index); });

}  // namespace
}  // namespace gvp::test
