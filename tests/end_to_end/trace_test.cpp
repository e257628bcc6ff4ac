// SPDX-License-Identifier: Apache-2.0
// Whole runs with --trace: what is in the files is what the models counted, in every mixture of
// timings, and the same in every run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/shell.h"
#include "tests/end_to_end/statistics.h"
#include "tests/trace/perfetto_file.h"

namespace gvp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Transactions and bytes, errors apart: what traces and models must agree about.
struct Totals {
  uint64_t transactions = 0, bytes = 0, errors = 0;
  bool operator==(const Totals& other) const {
    return transactions == other.transactions && bytes == other.bytes && errors == other.errors;
  }
};
void PrintTo(const Totals& totals, std::ostream* stream) {
  *stream << totals.transactions << " transactions, " << totals.bytes << " bytes, " << totals.errors
          << " errors";
}
using ByPort = std::map<std::string, Totals>;  // "host_data read"

class Traces : public testing::Test {
 protected:
  std::string file(const std::string& name) {
    files_.push_back(temporary(name));
    return files_.back();
  }
  ~Traces() override {
    for (const std::string& path : files_) std::remove(path.c_str());
  }

 private:
  std::vector<std::string> files_;
};

struct Traced {
  ByPort totals;  // what nothing is mapped for apart: models count that apart, too
  ByPort unfinished;
};

Traced in_csv(const std::string& path) {
  std::ifstream stream(path);
  Traced traced;
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("transaction,", 0) != 0) continue;
    std::istringstream text(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    const std::string port = fields.at(1) + ' ' + fields.at(2);
    Totals& total = traced.totals[port];
    ++total.transactions;
    total.bytes += std::stoull(fields.at(10));
    total.errors += fields.at(14) != "ok" ? 1 : 0;
    if (fields.at(14) != "incomplete") continue;
    ++traced.unfinished[port].transactions;
    traced.unfinished[port].bytes += std::stoull(fields.at(10));
  }
  return traced;
}

ByPort in_text(const std::string& path) {
  std::ifstream stream(path);
  ByPort totals;
  for (std::string line; std::getline(stream, line);) {
    std::istringstream text(line);
    std::string time, unit, port, command, address, bytes;
    text >> time >> unit >> port >> command >> address >> bytes;
    if (command != "read" && command != "write") continue;
    Totals& total = totals[port + ' ' + command];
    ++total.transactions;
    total.bytes += std::stoull(bytes);
    total.errors += line.find("bytes, ok ") == std::string::npos ? 1 : 0;
  }
  return totals;
}

ByPort in_database(const std::string& path) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  ByPort totals;
  sqlite3_exec(
      database, "SELECT port, command, transactions, bytes, errors FROM by_port",
      [](void* result, int, char** v, char**) {
        (*static_cast<ByPort*>(result))[std::string(v[0]) + ' ' + v[1]] = {
            std::stoull(v[2]), std::stoull(v[3]), std::stoull(v[4])};
        return 0;
      },
      &totals, nullptr);
  sqlite3_close(database);
  return totals;
}

ByPort in_perfetto(const std::string& path) {
  const PerfettoFile file(path, false);
  EXPECT_THAT(file.overlaps, testing::IsEmpty());
  ByPort totals;
  for (const auto& [port, total] : file.totals)
    totals[port] = {total.transactions, total.bytes, total.errors};
  return totals;
}

// Of all interconnects in the statistics.
ByPort in_statistics(const json& statistics) {
  ByPort totals;
  for (const json& block : statistics) {
    if (!block.is_object() || !block.contains("initiators") || !block.contains("regions")) continue;
    for (const char* list : {"initiators", "regions"})
      for (const auto& [port, counts] : block[list].items())
        for (const char* command : {"read", "write"}) {
          const bool read = std::string(command) == "read";
          const Totals total{counts[read ? "reads" : "writes"].get<uint64_t>(),
                             counts[read ? "bytes_read" : "bytes_written"].get<uint64_t>(), 0};
          if (total.transactions != 0) totals[port + ' ' + command] = total;
        }
  }
  return totals;
}

// What was under way at the end a model may have counted or not; it is recorded as incomplete, if
// its response had not begun.
void expect_between(const Totals& traced, uint64_t unfinished, const Totals& counted,
                    const std::string& port) {
  EXPECT_LE(traced.transactions - unfinished, counted.transactions) << port;
  EXPECT_GE(traced.transactions, counted.transactions) << port;
  if (traced.transactions == counted.transactions) {
    EXPECT_EQ(traced.bytes, counted.bytes) << port;
  }
}

// What the interconnect cuts into bursts a target counts as bursts.
void expect_same(const Traced& traced, const json& statistics, bool bursts) {
  const ByPort counted = in_statistics(statistics);
  uint64_t unfinished_bytes = 0;  // a burst may be over and its transaction not
  for (const auto& [port, total] : traced.unfinished) unfinished_bytes += total.bytes;
  for (const auto& [port, total] : traced.totals) {
    if (port.rfind("gpgpu_block_ram", 0) == 0) continue;
    ASSERT_EQ(counted.count(port), 1u) << port;
    const bool initiator = port.rfind("host_", 0) == 0 || port.rfind("gpgpu ", 0) == 0;
    if (initiator || !bursts) {
      const auto unfinished = traced.unfinished.find(port);
      expect_between(total,
                     unfinished == traced.unfinished.end() ? 0 : unfinished->second.transactions,
                     counted.at(port), port);
    } else {
      EXPECT_GE(total.bytes, counted.at(port).bytes) << port;
      EXPECT_LE(total.bytes - counted.at(port).bytes, unfinished_bytes) << port;
    }
  }
}

struct Mixture {
  const char* name;
  const char* firmware;
  std::vector<std::string> options;
  bool bursts = false;
  const char* filter = "";
  const char* busiest = "host_instruction read";
};
void PrintTo(const Mixture& mixture, std::ostream* stream) { *stream << mixture.name; }
class TracedRun : public Traces, public testing::WithParamInterface<Mixture> {};

TEST_P(TracedRun, HasTheTotalsOfTheModelsInEveryFormat) {
  const Mixture& wanted = GetParam();
  const std::string csv = file("totals.csv"), text = file("totals.txt"), db = file("totals.db");
  const std::string perfetto = file("totals.pftrace");
  std::vector<std::string> arguments;
  for (const std::string& path : {csv, text, db, perfetto}) {
    arguments.push_back("--trace");
    arguments.push_back(path + wanted.filter);
  }
  arguments.insert(arguments.end(), wanted.options.begin(), wanted.options.end());
  arguments.push_back(firmware(wanted.firmware));
  const json statistics = statistics_of(arguments);
  ASSERT_EQ(statistics["exit_code"], 0);
  const Traced traced = in_csv(csv);
  ASSERT_EQ(traced.totals.count(wanted.busiest), 1u);
  EXPECT_GT(traced.totals.at(wanted.busiest).transactions, 1000u) << "not only the first access";
  expect_same(traced, statistics, wanted.bursts);
  if (std::string(wanted.filter).empty()) {
    for (const auto& [port, total] : in_statistics(statistics))
      EXPECT_EQ(traced.totals.count(port), 1u) << port << " is in no trace";
  }
  EXPECT_EQ(in_text(text), traced.totals);
  EXPECT_EQ(in_database(db), traced.totals);
  EXPECT_EQ(in_perfetto(perfetto), traced.totals);
}

constexpr const char* kGpgpu = ":port=gpgpu|gpgpu_control|gpgpu_code";
INSTANTIATE_TEST_SUITE_P(
    Mixtures, TracedRun,
    testing::Values(
        Mixture{"hello_lt", "hello", {}}, Mixture{"hello_at", "hello", {"--timing", "at"}, true},
        Mixture{"hello_at_bus", "hello", {"--model", "axi=at", "--model", "ddr3=at"}, true},
        Mixture{"hello_at_host", "hello", {"--model", "host=at"}, true},
        Mixture{"hello_at_memory", "hello", {"--model", "ddr3=at"}},
        Mixture{"hello_checked", "hello", {"--timing", "at", "--set", "axi.check=true"}, true},
        Mixture{"bench_lt",
                "bench",
                {"--arguments", "32", "--set", "gpgpu.global_memory=ddr3"},
                false,
                kGpgpu,
                "gpgpu read"},
        Mixture{"bench_at",
                "bench",
                {"--arguments", "32", "--set", "gpgpu.global_memory=ddr3", "--model", "axi=at",
                 "--model", "gpgpu=at", "--model", "ddr3=at", "--set", "host.cache_model=contents"},
                true,
                kGpgpu,
                "gpgpu read"}),
    [](const auto& each) { return std::string(each.param.name); });

TEST_F(Traces, AreTheSameInEveryRun) {
  for (const char* suffix : {"csv", "txt", "db", "pftrace"}) {
    const std::string one = file(std::string("one.") + suffix);
    const std::string two = file(std::string("two.") + suffix);
    for (const std::string& path : {one, two})
      ASSERT_EQ(run("gpgpu-vp", {"--quiet", "--trace", path, "--timing", "at", firmware("hello")})
                    .exit_code,
                0);
    EXPECT_TRUE(read(one) == read(two)) << suffix;
    EXPECT_GT(read(one).size(), 10000u);
  }
}

TEST_F(Traces, ChangeNothingInAnApproximatelyTimedRun) {
  const std::vector<std::string> plain = {"--timing", "at", firmware("hello")};
  std::vector<std::string> traced = {"--trace", file("at.csv")};
  traced.insert(traced.end(), plain.begin(), plain.end());
  EXPECT_EQ(without_wall_clock(statistics_of(traced)), without_wall_clock(statistics_of(plain)));
}

TEST_F(Traces, OfOneRangeLeaveTheRestDirect) {
  const std::string csv = file("range.csv");
  const json statistics = statistics_of({"--trace", csv + ":target=uart16550", firmware("hello")});
  EXPECT_EQ(statistics["axi"]["initiators"]["host_instruction"]["reads"], 0)
      << "the program is still fetched directly";
  const ByPort traced = in_csv(csv).totals;
  EXPECT_EQ(traced.at("host_data write").transactions,
            statistics["axi"]["regions"]["uart16550"]["writes"].get<uint64_t>());
  EXPECT_EQ(traced.count("timer write"), 0u);
}

TEST_F(Traces, HaveTheConsoleTheKernelsAndTheBlocks) {
  const std::string csv = file("all.csv");
  const Result result =
      run("gpgpu-vp", {"--quiet", "--trace", csv + ":target=uart16550|gpgpu_block_ram",
                       "--arguments", "32", firmware("bench")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string text = read(csv);
  EXPECT_THAT(text, HasSubstr("console,console/uart16550,"));
  EXPECT_THAT(text, HasSubstr("kernels,gpgpu/kernels,"));
  EXPECT_THAT(text, HasSubstr("blocks,gpgpu/SM 0 block slot 0,block,"));
  EXPECT_THAT(text, HasSubstr("interrupts,interrupts/gpgpu,"));
  EXPECT_THAT(text, HasSubstr(",host_data,uart16550,"));
  EXPECT_THAT(text, HasSubstr("transaction,gpgpu_block_ram,write,"));
}

TEST_F(Traces, HaveASpanForEachRowThatABankOpens) {
  const std::string csv = file("banks.csv");
  const json statistics =
      statistics_of({"--trace", csv + ":record=banks", "--timing", "at", firmware("hello")});
  uint64_t opened = 0, reads = 0, writes = 0, end_ps = 0;
  std::ifstream stream(csv);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("banks,ddr3/bank ", 0) != 0) continue;
    const size_t details = line.find("\"row ");
    ASSERT_NE(details, std::string::npos) << line;
    unsigned long long row = 0, row_reads = 0, row_writes = 0;
    ASSERT_EQ(std::sscanf(line.c_str() + details, "\"row %llu, %llu reads, %llu writes", &row,
                          &row_reads, &row_writes),
              3)
        << line;
    ++opened;
    reads += row_reads;
    writes += row_writes;
    std::istringstream text(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    EXPECT_LT(std::stoull(fields.at(11)), std::stoull(fields.at(13))) << line;
    end_ps = std::max<uint64_t>(end_ps, std::stoull(fields.at(13)));
  }
  const json& ddr3 = statistics["ddr3"];
  EXPECT_EQ(opened, ddr3["row_misses"].get<uint64_t>() + ddr3["row_conflicts"].get<uint64_t>());
  EXPECT_EQ(writes, ddr3["writes"]);
  EXPECT_LE(reads, ddr3["reads"].get<uint64_t>());
  EXPECT_LE(ddr3["reads"].get<uint64_t>() - reads, 1u) << "one may wait for its command at the end";
  EXPECT_GT(end_ps, 0u);
}

TEST_F(Traces, OfAFullDiskEndTheRunAndSayWhich) {
  const std::string csv = file("full.csv");
  ASSERT_EQ(symlink("/dev/full", csv.c_str()), 0);
  const Result result = run("gpgpu-vp", {"--quiet", "--trace", csv, firmware("bench")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr(csv));
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
}

TEST_F(Traces, BeyondALimitOfSizeStayReadable) {
  const std::string csv = file("limited.csv");
  const Result result =
      shell("ulimit -f 100; $BIN/gpgpu-vp -q --trace " + csv + " " + firmware("hello") + " 2>&1");
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.out, HasSubstr("File too large"));
  const std::string text = read(csv);
  EXPECT_GT(text.size(), 30000u);
  EXPECT_EQ(text.back(), '\n');
}

TEST_F(Traces, AreRefusedBeforeTheRunWhereTheyCannotBe) {
  const auto refusal = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = options;
    arguments.push_back(firmware("hello"));
    const Result result = run("gpgpu-vp", arguments);
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(refusal({"--trace", file("x.csv") + ":port=hots_data"}),
              HasSubstr("did you mean host_data?"));
  EXPECT_THAT(refusal({"--trace", "x.csv:colour=red"}), HasSubstr("unknown term \"colour\""));
  EXPECT_THAT(refusal({"--trace", "/nowhere/x.csv"}), HasSubstr("No such file or directory"));
  EXPECT_THAT(refusal({"--trace", "x.csv", "--trace", "x.csv"}), HasSubstr("--trace"));
  EXPECT_THAT(refusal({"--trace", "x.doc"}), HasSubstr("the suffix decides"));
  EXPECT_THAT(refusal({"--trace-ring", "0"}), HasSubstr("--trace-ring"));
}

TEST_F(Traces, CanBeAskedForInAPlatformFile) {
  const std::string toml = file("platform.toml"), csv = file("toml.csv");
  write(toml, "trace = [\"" + csv + ":port=host_data\"]\n");
  ASSERT_EQ(run("gpgpu-vp", {"--quiet", "-c", toml, firmware("hello")}).exit_code, 0);
  EXPECT_EQ(in_csv(csv).totals.size(), 2u);
  write(toml, "trace = [\"" + csv + ":post=1\"]\n");
  EXPECT_THAT(run("gpgpu-vp", {"-c", toml, firmware("hello")}).err, HasSubstr("platform.toml:1:"));
  write(toml, "trace = 5\n");
  EXPECT_THAT(run("gpgpu-vp", {"-c", toml, firmware("hello")}).err,
              HasSubstr("trace is not a list of texts"));
}

TEST_F(Traces, TheRingIsShownWhenARunGoesWrong) {
  const Result good = run("gpgpu-vp", {"--quiet", "--trace-ring", "5", firmware("hello")});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.err, testing::Not(HasSubstr("transactions, oldest first")));
}

}  // namespace
}  // namespace gvp::test
