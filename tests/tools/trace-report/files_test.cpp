// SPDX-License-Identifier: Apache-2.0
// The formats of traces that are read, whole and damaged.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/tools/trace-report/report.h"
#include "tests/tools/trace-report/synthetic_trace.h"

namespace gvp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

TEST_F(TraceReport, IsTheSameFromEveryFormat) {
  TraceOptions options;
  options.records = 8000;
  options.warps = 3;
  const auto report_of = [&](const char* file) {
    write_trace(path(file), options);
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
  EXPECT_THAT(refusal("console,console/uart,,,,,,,,,,5,,,,,\"of\nthree\nlines\"\ntransaction,a\n"),
              HasSubstr("a.csv:6"))
      << "behind a record of several lines";
}

TEST_F(TraceReport, APerfettoTraceIsReadUpToItsLastWholePacket) {
  TraceOptions options;
  options.records = 3000;
  write_trace(path("a.pftrace"), options);
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
  write_trace(path("a.pftrace"), options);
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
  write_trace(path("a.db"), options);
  EXPECT_THAT(error_of({path("a.db"), path("a.db")}), HasSubstr("are both traces"));
}

TEST_F(TraceReport, ADamagedTraceIsRefusedByName) {
  TraceOptions options;
  options.records = 5000;
  const auto damaged = [&](const std::string& statement) {
    write_trace(path("a.db"), options);
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

  write_trace(path("a.db"), options);
  std::filesystem::resize_file(path("a.db"), std::filesystem::file_size(path("a.db")) / 2);
  EXPECT_THAT(error_of({path("a.db")}),
              testing::AllOf(HasSubstr("cannot read the trace"), HasSubstr("malformed")));
}

}  // namespace
}  // namespace gvp::test
