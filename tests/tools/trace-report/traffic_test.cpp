// SPDX-License-Identifier: Apache-2.0
// What the report says of transactions is the trace, to the transaction and byte.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/tools/trace-report/report.h"
#include "tests/tools/trace-report/synthetic_trace.h"
#include "tools/trace-report/text.h"
#include "tools/trace-report/time_bins.h"

namespace gvp::test {
namespace {

using nlohmann::json;
using namespace trace_report;

// Sums over a list of numbers, or over one key of a list of objects.
uint64_t total(const json& list) {
  uint64_t sum = 0;
  for (const json& each : list) sum += each.get<uint64_t>();
  return sum;
}
template <typename Choose>
uint64_t total(const json& list, const char* key, Choose choose) {
  uint64_t sum = 0;
  for (const json& each : list)
    if (choose(each)) sum += each[key].get<uint64_t>();
  return sum;
}

TEST_F(TraceReport, TotalsOfEveryPartAreTheTraceToTheTransactionAndByte) {
  TraceOptions options;
  options.records = 30000;
  const TraceSums sums = write_trace(path("a.db"), options);
  const json run = analyse({path("a.db")});

  const json& summary = run["summary"];
  EXPECT_EQ(summary["records"], sums.records);
  EXPECT_EQ(summary["transactions"], sums.begun.transactions);
  EXPECT_EQ(summary["bytes"], sums.begun.bytes);
  EXPECT_EQ(summary["errors"], sums.begun.errors);
  EXPECT_EQ(summary["begin_ps"], sums.begin_ps);
  EXPECT_EQ(summary["end_ps"], sums.end_ps);

  ASSERT_EQ(run["ports"].size(), sums.ports.size());
  ASSERT_EQ(run["bandwidth"]["ports"].size(), sums.ports.size());
  for (size_t i = 0; i < run["ports"].size(); ++i) {
    const json& port = run["ports"][i];
    SCOPED_TRACE(port["port"]);
    Sums all;
    for (const json& command : port["commands"]) {
      const size_t number = command["command"] == "read" ? 0 : 1;
      const Sums& expected = sums.ports.at(port["port"])[number];
      EXPECT_EQ(command["transactions"], expected.transactions);
      EXPECT_EQ(command["bytes"], expected.bytes);
      EXPECT_EQ(command["errors"], expected.errors);
      const json& latency = command["latency"];
      EXPECT_EQ(latency["max_ps"], expected.longest_ps);
      EXPECT_DOUBLE_EQ(latency["mean_ps"], static_cast<double>(expected.latency_ps) /
                                               static_cast<double>(expected.transactions));
      uint64_t in_classes = 0;
      for (const json& each : latency["classes"]) in_classes += each[2].get<uint64_t>();
      EXPECT_EQ(in_classes, expected.transactions);
      all.transactions += expected.transactions;
      all.bytes += expected.bytes;
    }
    EXPECT_EQ(run["bandwidth"]["ports"][i]["port"], port["port"]);
    EXPECT_EQ(total(run["bandwidth"]["ports"][i]["bytes"]), all.bytes);
    EXPECT_EQ(total(run["bandwidth"]["ports"][i]["transactions"]), all.transactions);
    Sums cells;
    for (const json& cell : port["heat_map"]["cells"]) {
      cells.transactions += cell[2].get<uint64_t>();
      cells.bytes += cell[3].get<uint64_t>();
    }
    EXPECT_EQ(cells.transactions, all.transactions);
    EXPECT_EQ(cells.bytes, all.bytes);
  }

  for (const auto& [name, expected] : sums.origins) {
    SCOPED_TRACE(name);
    const auto here = [&wanted = name](const json& origin) {
      return origin["initiator"] == true && origin["name"] == wanted;
    };
    EXPECT_EQ(total(run["origins"], "transactions", here), expected.transactions);
    EXPECT_EQ(
        total(run["origins"], "bytes_read", here) + total(run["origins"], "bytes_written", here),
        expected.bytes);
    EXPECT_EQ(total(run["origins"], "latency_ps", here), expected.latency_ps);
  }
  const auto any = [](const json&) { return true; };
  uint64_t spans = 0;
  for (const json& bank : run["banks"]["banks"]) spans += total(bank["states"], "count", any);
  EXPECT_EQ(spans, sums.ports.at("ddr3")[0].transactions + sums.ports.at("ddr3")[1].transactions);
}

TEST_F(TraceReport, EveryTransactionIsFollowedFromItsInitiatorsPortToTheMemorys) {
  TraceOptions options;
  options.records = 5000;
  const TraceSums sums = write_trace(path("a.db"), options);
  const json run = analyse({path("a.db")});
  ASSERT_EQ(run["hops"].size(), 3u);
  uint64_t pairs = 0;
  for (const json& hop : run["hops"]) {
    EXPECT_EQ(hop["to"], "ddr3");
    EXPECT_EQ(hop["shortest_ps"], 20000);
    EXPECT_GT(hop["waited_ps"], 0.0);
    pairs += hop["transactions"].get<uint64_t>();
  }
  EXPECT_EQ(pairs, sums.begun.transactions);
}

TEST_F(TraceReport, SlowestTransactionsComeWithTheirWholePath) {
  TraceOptions options;
  options.records = 5000;
  const TraceSums sums = write_trace(path("a.db"), options);
  const json slowest = analyse({path("a.db")})["slowest"];
  ASSERT_EQ(slowest.size(), 20u);
  uint64_t longest = 0;
  for (const auto& [port, commands] : sums.ports)
    for (const Sums& command : commands) longest = std::max(longest, command.longest_ps);
  EXPECT_EQ(slowest[0]["latency_ps"], longest);
  uint64_t previous = ~uint64_t{0};
  for (const json& each : slowest) {
    EXPECT_LE(each["latency_ps"], previous);
    previous = each["latency_ps"];
    const json& path = each["path"];
    EXPECT_EQ(path[0]["port"], each["initiator"]);
    EXPECT_EQ(path[0]["number"], each["number"]);
    ASSERT_EQ(path.size(), each["initiator"] == "gpgpu" ? 3u : 2u);
    for (size_t i = 1; i < path.size(); ++i) {
      EXPECT_EQ(path[i]["port"], "ddr3");
      EXPECT_EQ(path[i]["parent"], each["initiator"] == "gpgpu" ? each["number"] : json(0));
    }
  }
}

TEST_F(TraceReport, BinsAdaptToTheTimeRangeAndKeepTheirSum) {
  TimeBins bins(8);
  uint64_t sum = 0;
  for (const uint64_t time : {uint64_t{1} << 40, uint64_t{3}, uint64_t{1} << 41, uint64_t{5} << 39,
                              (uint64_t{1} << 40) + 1}) {
    bins.add(time, time);
    sum += time;
    EXPECT_LE(bins.bins().size(), 8u);
    EXPECT_GT(bins.at(time >> bins.shift()).count, 0u);
  }
  const Amount all = std::accumulate(bins.bins().begin(), bins.bins().end(), Amount{},
                                     [](Amount a, const Amount& b) { return a += b; });
  EXPECT_EQ(all.count, 5u);
  EXPECT_EQ(all.sum, sum);
}

TEST_F(TraceReport, SpansFillTheBinsInWhichTheyAre) {
  TimeBins bins(4);
  bins.add_span(10, 50);
  bins.add_span(50, 90);
  uint64_t sum = 0;
  for (size_t i = 0; i < bins.bins().size(); ++i) {
    EXPECT_LE(bins.bins()[i].sum, uint64_t{1} << bins.shift());
    sum += bins.bins()[i].sum;
  }
  EXPECT_EQ(sum, 80u);
}

TEST_F(TraceReport, ATraceWithoutTransactionsIsReported) {
  write_trace(path("a.db"), {});
  const json run = analyse({path("a.db")});
  EXPECT_EQ(run["summary"]["records"], 0);
  EXPECT_EQ(run["missing"]["ports"], "The trace has no transactions.");
  EXPECT_NO_THROW(to_text({{"runs", {run}}}));
}

}  // namespace
}  // namespace gvp::test
