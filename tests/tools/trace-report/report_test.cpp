// SPDX-License-Identifier: Apache-2.0
// What trace-report says of a trace and of statistics agrees with what was put into them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <numeric>

#include "models/base/error.h"
#include "tests/tools/trace-report/synthetic_trace.h"
#include "tools/trace-report/differences.h"
#include "tools/trace-report/run.h"
#include "tools/trace-report/text.h"
#include "tools/trace-report/time_bins.h"

namespace {

using gvp::test::Sums;
using gvp::test::TraceOptions;
using gvp::test::TraceSums;
using nlohmann::json;
using testing::HasSubstr;
using namespace gvp::trace_report;

class TraceReport : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("trace_report_{}_{}", test->name(), getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(path(name), std::ios::binary) << contents;
    return path(name);
  }
  std::string write(const std::string& name, const json& contents) const {
    return write(name, contents.dump());
  }
  // Changes a trace as a program of somebody else might.
  static void change(const std::string& trace, const std::string& statement) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(trace.c_str(), &database), SQLITE_OK);
    char* why = nullptr;
    EXPECT_EQ(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, &why), SQLITE_OK) << why;
    sqlite3_close(database);
  }

 private:
  std::filesystem::path folder_;
};

json analyse(const std::vector<std::string>& files, const std::string& kernel = "") {
  return analyse_run(files, parse_kernel_choice(kernel));
}

std::string error_of(const std::vector<std::string>& files, const std::string& kernel = "") {
  try {
    analyse(files, kernel);
  } catch (const gvp::Error& error) {
    EXPECT_EQ(error.code(), gvp::ExitCode::kBadInput);
    return error.what();
  }
  return "no error";
}

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
  const TraceSums sums = gvp::test::write_trace(path("a.db"), options);
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
  const TraceSums sums = gvp::test::write_trace(path("a.db"), options);
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
  const TraceSums sums = gvp::test::write_trace(path("a.db"), options);
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

TEST_F(TraceReport, WarpsOfTheChosenLaunchAreShown) {
  TraceOptions options;
  options.records = 8000;
  options.warps = 3;
  gvp::test::write_trace(path("a.db"), options);
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
  EXPECT_THAT(to_text({{"runs", {run}}, {"kernel", "matrix_multiply:2"}}),
              HasSubstr("Warps of matrix_multiply on gpgpu"));
  EXPECT_THAT(to_text({{"runs", {run}}, {"kernel", "matrix_multiply:2"}}),
              testing::ContainsRegex("  SM 0 warp 2 +40 "));
}

TEST_F(TraceReport, AChosenLaunchThatOnlyOneRunHasIsShownAndTheOtherSaysSo) {
  TraceOptions options;
  options.records = 8000;
  options.warps = 3;
  gvp::test::write_trace(path("a.db"), options);
  options.warps = 0;
  gvp::test::write_trace(path("none.db"), options);
  const auto refusal = [](const json& runs, const std::string& kernel) -> std::string {
    try {
      check_kernel(runs, kernel);
    } catch (const gvp::Error& error) {
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

TEST_F(TraceReport, IsTheSameFromEveryFormat) {
  TraceOptions options;
  options.records = 8000;
  options.warps = 3;
  const auto report_of = [&](const char* file) {
    gvp::test::write_trace(path(file), options);
    json run = analyse({path(file)}, "matrix_multiply:2");
    run.erase("files");
    return run;
  };
  const json expected = report_of("a.db");
  EXPECT_GT(expected["summary"]["records"], 7999);
  for (const char* file : {"a.csv", "a.pftrace"}) {
    const json run = report_of(file);
    for (const auto& [section, value] : expected.items())
      EXPECT_EQ(run[section], value) << file << ' ' << section;
    EXPECT_EQ(run.size(), expected.size()) << file;
  }
}

constexpr const char* kColumns =
    "record,place,name,number,parent,root,initiator,target,origin,address,bytes,begin_ps,"
    "response_ps,end_ps,response,outstanding,value\n";

TEST_F(TraceReport, CommaSeparatedValuesMayBeQuotedAndEndInTheMiddleOfALine) {
  const json run = analyse({write(
      "a.csv", std::string(kColumns) +
                   "console,console/uart,,,,,,,,,,5,,,,,\"a line,\nof two \"\"lines\"\"\"\n"
                   "transaction,host_data,read,1,,1,host_data,ddr3,\"add(int, char)\",0x50000010,4,"
                   "10,20,30,ok,1,\r\n"
                   "kernels,gpgpu/kernels,\"k \"\"1\"\"\",,,,,,,,,10,,90,,,\"grid 1,1\"\n"
                   "transaction,host_data,read,2,,2,host_data,ddr3,main,0x5000")});
  EXPECT_EQ(run["summary"]["records"], 1);
  EXPECT_EQ(run["origins"][0]["name"], "add(int, char)");
  EXPECT_EQ(run["slowest"][0]["path"][0]["address"], "0x50000010");
  EXPECT_EQ(run["kernel_times"][0]["name"], "k \"1\"");
  EXPECT_EQ(run["launches"]["launches"][0]["detail"], "grid 1,1");
}

TEST_F(TraceReport, DamagedCommaSeparatedValuesAreRefusedByLine) {
  const std::string good =
      "transaction,host_data,read,1,,1,host_data,ddr3,,0x50000010,4,10,20,30,ok,1,\n";
  const auto refusal = [&](const std::string& lines) {
    return error_of({write("a.csv", kColumns + good + lines)});
  };
  EXPECT_THAT(error_of({write("a.csv", "record,place\n" + good)}),
              testing::AllOf(HasSubstr("a.csv:1"), HasSubstr("no column \"name\"")));
  EXPECT_THAT(refusal("transaction,a\n"),
              testing::AllOf(HasSubstr("a.csv:3"), HasSubstr("2 fields, the first line 17")));
  EXPECT_THAT(refusal("transaction,a,read,x,,1,a,b,,0x5,4,10,20,30,ok,1,\n"),
              testing::AllOf(HasSubstr("a.csv:3"), HasSubstr("\"x\" is no number")));
  EXPECT_THAT(refusal("transaction,a,fetch,1,,1,a,b,,0x5,4,10,20,30,ok,1,\n"),
              HasSubstr("\"fetch\" is no command"));
  EXPECT_THAT(refusal("transaction,a,read,1,,1,a,b,,0x5,4,10,20,30,fine,1,\n"),
              HasSubstr("\"fine\" is no response"));
  EXPECT_THAT(refusal("transaction,a,read,7,,7,a,b,,0x5,4,10,20,3,ok,1,\n"),
              HasSubstr("transaction 7 ends at 3 ps"));
  EXPECT_THAT(refusal("kernels,gpgpu,k,,,,,,,,,10,,30,,,\n"), HasSubstr("GROUP/TRACK"));
  EXPECT_THAT(refusal("kernels,gpgpu/kernels,k,,,,,,,,,\"1\n0\",,30,,,\n\nmore\n"),
              HasSubstr("a.csv:3"))
      << "a record of several lines";
}

TEST_F(TraceReport, APerfettoTraceIsReadUpToItsLastWholePacket) {
  TraceOptions options;
  options.records = 3000;
  gvp::test::write_trace(path("a.pftrace"), options);
  const uint64_t all = analyse({path("a.pftrace")})["summary"]["records"];
  std::filesystem::resize_file(path("a.pftrace"),
                               std::filesystem::file_size(path("a.pftrace")) / 2 + 5);
  const uint64_t half = analyse({path("a.pftrace")})["summary"]["records"];
  EXPECT_GT(half, all / 4);
  EXPECT_LT(half, all * 3 / 4);
}

TEST_F(TraceReport, DamagedAndForeignPerfettoTracesAreRefused) {
  TraceOptions options;
  options.records = 3000;
  gvp::test::write_trace(path("a.pftrace"), options);
  std::ifstream stream(path("a.pftrace"), std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(error_of({write("foreign.pftrace", std::string("\x0a\x02\x50\x01", 4))}),
              testing::AllOf(HasSubstr("foreign.pftrace"), HasSubstr("not one of gpgpu-vp's")));
  EXPECT_THAT(error_of({write("b.pftrace", good + "not a packet")}),
              HasSubstr(fmt::format("no packet of Perfetto's begins at byte {}", good.size())));
  EXPECT_THAT(error_of({write("b.pftrace", good + std::string("\x0a\x02\x5a\x09", 4))}),
              HasSubstr("a damaged packet"));
  EXPECT_THAT(error_of({write("b.pftrace", good + std::string("\x0a\x04\x5a\x02\x48\x01", 6))}),
              HasSubstr("a slice without its track, category or times"));
  // whatever is in it, it is refused or read
  for (size_t at = 30; at < good.size(); at += good.size() / 97) {
    std::string other = good;
    other[at] = static_cast<char>(other[at] ^ 0x55);
    error_of({write("b.pftrace", other)});
  }
}

json statistics() {
  return {{"tool", "gpgpu-vp"},
          {"version", "0.1.0"},
          {"firmware", "bench.elf"},
          {"sim_time_ns", 1000.0},
          {"exit_code", 0},
          {"end", "exit"},
          {"config",
           {{"axi", {{"clock_hz", 100e6}, {"gpgpu", {{"data_bytes", 8}, {"clock_hz", 0.0}}}}},
            {"gpgpu",
             {{"model", "at"},
              {"sms", 2},
              {"sps", 8},
              {"clock_hz", 100e6},
              {"global_memory", "ddr3"}}}}},
          {"gpgpu",
           {{"kernels",
             {{{"name", "transpose"},
               {"cycles", 1000},
               {"warp_instructions", 100},
               {"thread_instructions", 3200},
               {"stall_cycles", 40},
               {"divergent_branches", 1},
               {"configuration_cycles", 70},
               {"stalls", {{"fetch", 5}, {"read", 30}}}},
              {{"name", "transpose"},
               {"cycles", 3000},
               {"warp_instructions", 100},
               {"thread_instructions", 3200},
               {"stall_cycles", 40},
               {"divergent_branches", 1}}}}}},
          {"host",
           {{"cycles", 900},
            {"instructions", 500},
            {"idle_cycles", 100},
            {"stall_cycles", {{"branch", 300}}}}},
          {"axi",
           {{"initiators",
             {{"host_data",
               {{"reads", 7},
                {"writes", 2},
                {"bytes_read", 28},
                {"bytes_written", 8},
                {"errors", 1},
                {"latency_ns", {{"mean", 90.5}, {"p99", 120.0}}}}},
              {"host_instruction", {{"reads", 0}, {"writes", 0}}}}},
            {"regions", {{"ddr3", {{"reads", 7}, {"writes", 2}}}}}}},
          {"ddr3", {{"reads", 5}, {"row_hits", 3}, {"row_misses", 1}, {"row_conflicts", 1}}}};
}

TEST_F(TraceReport, RooflineTakesBytesFromTheTraceAndBoundsFromTheConfiguration) {
  TraceOptions options;
  options.records = 2000;
  const TraceSums sums = gvp::test::write_trace(path("a.db"), options);
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

TEST_F(TraceReport, EqualRunsDoNotDifferAndASlowerMemoryDoes) {
  TraceOptions options;
  options.records = 4000;
  gvp::test::write_trace(path("a.db"), options);
  options.memory_ns = 90;
  gvp::test::write_trace(path("b.db"), options);
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

TEST_F(TraceReport, WhatIsNoTraceAndNoStatisticsIsRefusedByName) {
  EXPECT_THAT(error_of({path("none.db")}),
              testing::AllOf(HasSubstr("none.db"), HasSubstr("No such file")));
  EXPECT_THAT(error_of({write("empty.db", std::string())}), HasSubstr("this file is empty"));
  EXPECT_THAT(error_of({write("a.txt", std::string("{\n \"a\":\n"))}),
              testing::AllOf(HasSubstr("a.txt:3"), HasSubstr("neither a trace nor whole JSON")));
  EXPECT_THAT(error_of({write("a.vcd", std::string("$date\n"))}),
              testing::AllOf(HasSubstr("a .vcd is no trace that can be reported on"),
                             HasSubstr("--trace FILE.vcd --trace FILE.db")));
  EXPECT_THAT(error_of({write("a.bin", std::string("\0\1\2", 3))}),
              HasSubstr("neither a trace nor statistics"));
  EXPECT_THAT(error_of({write("a.json", json{{"tool", "other"}})}),
              HasSubstr("neither gpgpu-vp nor gpgpu-run"));
  change(path("other.db"), "CREATE TABLE other (a)");
  EXPECT_THAT(error_of({path("other.db")}), HasSubstr("this database is no trace"));
  TraceOptions options;
  options.records = 10;
  gvp::test::write_trace(path("a.db"), options);
  EXPECT_THAT(error_of({path("a.db"), path("a.db")}), HasSubstr("are both traces"));
}

TEST_F(TraceReport, ADamagedTraceIsRefusedByName) {
  TraceOptions options;
  options.records = 5000;
  const auto damaged = [&](const std::string& statement) {
    gvp::test::write_trace(path("a.db"), options);
    change(path("a.db"), statement);
    return error_of({path("a.db")});
  };
  EXPECT_THAT(damaged("PRAGMA user_version = 7"), HasSubstr("schema has version 7"));
  EXPECT_THAT(damaged("DROP VIEW slowest; DROP VIEW transactions; DROP VIEW by_port; DROP VIEW "
                      "by_target; DROP VIEW by_origin; DROP VIEW bandwidth; DROP VIEW pages; "
                      "ALTER TABLE transaction_rows RENAME COLUMN bytes TO octets"),
              HasSubstr("has no column \"bytes\""));
  EXPECT_THAT(damaged("UPDATE transaction_rows SET port = 4000000000 WHERE number = 7"),
              HasSubstr("transaction 7"));
  EXPECT_THAT(damaged("UPDATE transaction_rows SET command = 9 WHERE number = 7"),
              HasSubstr("has command 9"));
  EXPECT_THAT(damaged("UPDATE transaction_rows SET end_ps = 1 WHERE number = 7"),
              HasSubstr("before its beginning"));
  EXPECT_THAT(damaged("UPDATE span_rows SET track = 99 WHERE rowid = 3"), HasSubstr("track 99"));
  EXPECT_THAT(damaged("DELETE FROM names WHERE id = 3"), HasSubstr("name 4 follows name 3"));

  gvp::test::write_trace(path("a.db"), options);
  std::filesystem::resize_file(path("a.db"), std::filesystem::file_size(path("a.db")) / 2);
  EXPECT_THAT(error_of({path("a.db")}),
              testing::AllOf(HasSubstr("cannot read the trace"), HasSubstr("malformed")));
}

TEST_F(TraceReport, ATraceWithoutTransactionsIsReported) {
  gvp::test::write_trace(path("a.db"), {});
  const json run = analyse({path("a.db")});
  EXPECT_EQ(run["summary"]["records"], 0);
  EXPECT_EQ(run["missing"]["ports"], "The trace has no transactions.");
  EXPECT_NO_THROW(to_text({{"runs", {run}}}));
}

}  // namespace
