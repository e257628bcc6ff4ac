// SPDX-License-Identifier: Apache-2.0
// Whole runs with --trace: what is in the files is what the models counted, in every mixture of
// timings, and the same in every run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/shell.h"
#include "tests/end_to_end/statistics.h"
#include "tests/trace/perfetto_file.h"
#include "tests/trace/waves.h"

namespace gvp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

bool has_rtl() {
  return run("gpgpu-vp", {"--model", "timer=rtl", "--max-instructions", "1", firmware("hello")})
             .err.find("built without Verilator") == std::string::npos;
}

// Whether this build has the FST writer.
bool has_fst() {
  static const bool has = [] {
    const std::string path = temporary("probe.fst");
    const Result result =
        run("gpgpu-vp", {"--trace", path, "--max-instructions", "1", firmware("hello")});
    std::remove(path.c_str());
    return result.err.find("built without the FST writer") == std::string::npos;
  }();
  return has;
}

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
  // What a writer that ends early leaves beside its file goes with it.
  void remove_beside(const std::string& path, const char* suffix) {
    files_.push_back(path + suffix);
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
    total.errors += fields.at(14) != "ok" && fields.at(14) != "incomplete" ? 1 : 0;
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
    const bool fine = line.find("bytes, ok ") != std::string::npos ||
                      line.find("bytes, incomplete ") != std::string::npos;
    total.errors += fine ? 0 : 1;
  }
  return totals;
}

ByPort in_database(const std::string& path) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
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

ByPort in_waves(Waves waves, bool finished = true) {
  ByPort totals;
  constexpr std::string_view kPorts = "ports.", kNumber = ".number";
  for (const auto& [name, wave] : Waves(waves)) {
    if (name.rfind(kPorts, 0) != 0 || name.size() < kNumber.size() ||
        name.substr(name.size() - kNumber.size()) != kNumber)
      continue;
    const std::string port = name.substr(0, name.size() - kNumber.size());
    const auto value = [&](const char* variable) { return waves[port + variable].last(); };
    const std::string title = port.substr(kPorts.size());
    if (value(".reads") != 0) totals[title + " read"] = {value(".reads"), value(".bytes_read"), 0};
    if (value(".writes") != 0)
      totals[title + " write"] = {value(".writes"), value(".bytes_written"), 0};
    if (finished) {
      EXPECT_EQ(value(".outstanding"), 0u) << title;
    }
  }
  return totals;
}

// Each transaction at the time of its beginning, and of its response.
void expect_times(const std::string& csv, Waves waves) {
  std::map<std::string, std::multimap<uint64_t, uint64_t>> begun,
      answered;  // by port: time, number
  std::ifstream stream(csv);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("transaction,", 0) != 0) continue;
    std::istringstream text(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    begun[fields.at(1)].emplace(std::stoull(fields.at(11)), std::stoull(fields.at(3)));
    answered[fields.at(1)].emplace(std::stoull(fields.at(12)), std::stoull(fields.at(3)));
  }
  const auto sorted = [](const auto& pairs) {
    std::vector<std::pair<uint64_t, uint64_t>> all;
    for (const auto& [time, number] : pairs)
      if (number != 0) all.emplace_back(time, number);
    std::sort(all.begin(), all.end());
    return all;
  };
  for (const auto& [port, times] : begun) {
    EXPECT_TRUE(sorted(times) == sorted(waves["ports." + port + ".number"].numbers())) << port;
    EXPECT_TRUE(sorted(answered[port]) == sorted(waves["ports." + port + ".answered"].numbers()))
        << port;
  }
}

// Errors are in the file once for reads and writes.
ByPort without_errors(ByPort totals) {
  for (auto& [port, total] : totals) total.errors = 0;
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
  std::vector<std::string> paths = {csv, text, db, perfetto};
  const bool waves = have_wave_tools() && has_fst();
  const std::string fst = file("totals.fst"), vcd = file("totals.vcd");
  if (waves) paths.insert(paths.end(), {fst, vcd});
  for (const std::string& path : paths) {
    arguments.push_back("--trace");
    arguments.push_back(path + wanted.filter);
  }
  arguments.insert(arguments.end(), wanted.options.begin(), wanted.options.end());
  arguments.push_back(firmware(wanted.firmware));
  if (std::string(wanted.name) == "hello_rtl" && !has_rtl())
    GTEST_SKIP() << "built without Verilator";
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
  if (!waves) GTEST_SKIP() << "no fst2vcd (Debian package gtkwave), or built without Verilator";
  for (const std::string& path : {fst, vcd}) {
    const Waves read = read_waves(path);
    EXPECT_EQ(in_waves(read), without_errors(traced.totals)) << path;
    expect_times(csv, read);
  }
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
        Mixture{"hello_rtl",
                "hello",
                {"--model", "timer=rtl", "--model", "intc=rtl", "--model", "uartlite=rtl"}},
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
  for (const char* suffix : {"csv", "txt", "db", "pftrace", "fst", "vcd"}) {
    if (std::string(suffix) == "fst" && !has_fst()) continue;
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

// One line for each record of a .csv, as fields.
std::vector<std::vector<std::string>> rows_of(const std::string& path, const std::string& record) {
  std::vector<std::vector<std::string>> rows;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind(record + ',', 0) != 0) continue;
    std::istringstream text(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(text, field, ',');) fields.push_back(field);
    rows.push_back(fields);
  }
  return rows;
}

// Calls nest: what a function calls lies in its own time, at the next depth.
TEST_F(Traces, HaveTheFunctionsOfTheHostWhereTheyAreAskedFor) {
  const std::string csv = file("functions.csv");
  const json statistics =
      statistics_of({"--trace", csv + ":record=functions", "--timing", "at", firmware("hello")});
  struct Span {
    std::string name;
    uint64_t begin, end;
  };
  std::map<std::string, std::vector<Span>> depths;
  for (const auto& row : rows_of(csv, "functions"))
    depths[row.at(1)].push_back({row.at(2), std::stoull(row.at(11)), std::stoull(row.at(13))});
  ASSERT_GE(depths.size(), 3u);
  ASSERT_EQ(depths.count("host/functions 0"), 1u);
  const auto named = [&](const std::string& name) {
    size_t count = 0;
    for (const auto& [depth, spans] : depths)
      for (const Span& span : spans) count += span.name == name ? 1 : 0;
    return count;
  };
  EXPECT_EQ(named("main"), 1u);
  EXPECT_GE(named("memcpy") + named("putchar") + named("uart_write") + named("printf"), 1u);
  const auto end_ps = static_cast<uint64_t>(statistics["sim_time_ns"].get<double>() * 1000);
  for (size_t depth = 1; depth < depths.size(); ++depth) {
    const auto& outer = depths["host/functions " + std::to_string(depth - 1)];
    for (const Span& span : depths["host/functions " + std::to_string(depth)]) {
      EXPECT_LE(span.begin, span.end);
      EXPECT_LE(span.end, end_ps);
      EXPECT_TRUE(std::any_of(
          outer.begin(), outer.end(),
          [&](const Span& around) { return around.begin <= span.begin && span.end <= around.end; }))
          << span.name << " at depth " << depth << " has no caller";
    }
  }
}

// The vectors lie there: an interrupt fetches both words at 0x10, a hardware exception those at
// 0x20.
TEST_F(Traces, HaveTheLocalMemoryWhereItIsAskedFor) {
  const std::string csv = file("local.csv");
  const json statistics = statistics_of({"--trace", csv + ":record=local", firmware("selftest")});
  std::map<std::string, uint64_t> fetches;
  for (const auto& row : rows_of(csv, "transaction"))
    if (row.at(1) == "host_lmb" && row.at(2) == "read") ++fetches[row.at(9)];
  EXPECT_GT(statistics["host"]["interrupts"].get<uint64_t>(), 10u);
  for (const char* word : {"0x10", "0x14"})
    EXPECT_EQ(fetches[word], statistics["host"]["interrupts"]) << word;
  for (const char* word : {"0x20", "0x24"})
    EXPECT_EQ(fetches[word], statistics["host"]["exceptions"]) << word;
  const ByPort traced = in_csv(csv).totals;
  EXPECT_GT(traced.at("host_lmb write").transactions, 1000u) << "the test of the local memory";
  EXPECT_EQ(traced.size(), 2u) << "nothing on the bus";
  const Result refused = run("gpgpu-vp", {"--trace", csv + ":port=host_lmb", firmware("hello")});
  EXPECT_EQ(refused.exit_code, 126);
  EXPECT_THAT(refused.err, HasSubstr("record=local"));
}

// A loosely timed host then looks at its interrupt input more often.
TEST_F(Traces, OfTheProgramTakeTheSameSimulatedTime) {
  for (const std::vector<std::string>& timing :
       {std::vector<std::string>{"--timing", "at"}, std::vector<std::string>{}}) {
    std::vector<std::string> plain = timing, traced = timing;
    plain.push_back(firmware("hello"));
    traced.insert(traced.end(),
                  {"--trace", file("program.csv") + ":record=functions|local", firmware("hello")});
    const double expected = statistics_of(plain)["sim_time_ns"].get<double>();
    EXPECT_NEAR(statistics_of(traced)["sim_time_ns"].get<double>(), expected,
                timing.empty() ? expected / 1000 : 0);
  }
}

// Outside of its window nothing is denied: the program is fetched directly, as without a trace.
TEST_F(Traces, OfAWindowOfTimeHaveAllOfItAndLeaveTheRestDirect) {
  const std::string part = file("part.csv"), whole = file("whole.csv");
  const json windowed = statistics_of({"--trace", part + ":time=2ms..2.2ms", firmware("hello")});
  const json full = statistics_of({"--trace", whole, firmware("hello")});
  const uint64_t reads = windowed["axi"]["initiators"]["host_instruction"]["reads"];
  EXPECT_LT(reads, full["axi"]["initiators"]["host_instruction"]["reads"].get<uint64_t>() / 4);
  uint64_t inside = 0, first = ~uint64_t{0}, last = 0;
  for (const auto& row : rows_of(part, "transaction")) {
    const uint64_t begin = std::stoull(row.at(11));
    ASSERT_LE(begin, 2200000000u);
    ASSERT_GE(std::stoull(row.at(13)), 2000000000u);
    if (row.at(1) != "host_instruction") continue;
    ++inside;
    first = std::min(first, begin);
    last = std::max(last, begin);
  }
  EXPECT_GT(inside, 100u);
  // No gap at either end: at most what a few instructions take.
  EXPECT_LT(first, 2002000000u);
  EXPECT_GT(last, 2198000000u);
}

// What a checker or a recorder sits in front of takes the same short way.
TEST_F(Traces, AndChecksTakeNoTimeBetweenALooselyTimedHostAndApproximatelyTimedMemory) {
  const std::vector<std::string> mixture = {"--model", "axi=at", "--model", "ddr3=at"};
  const auto time = [&](std::vector<std::string> options) {
    options.insert(options.end(), mixture.begin(), mixture.end());
    options.push_back(firmware("hello"));
    return statistics_of(options)["sim_time_ns"].get<double>();
  };
  const double plain = time({});
  EXPECT_EQ(time({"--set", "axi.check=true"}), plain);
  EXPECT_EQ(time({"--trace", file("mixture.csv")}), plain);
  EXPECT_EQ(time({"--trace", file("mixture.csv") + ":port=ddr3"}), plain);
}

// Kernels, blocks and banks begin and end in a waveform when they do.
TEST_F(Traces, HaveTheSameSpansInAWaveform) {
  const std::string vcd = file("spans.vcd"), csv = file("spans.csv");
  const std::string filter = ":record=kernels|blocks|banks";
  const Result result =
      run("gpgpu-vp", {"--quiet", "--timing", "at", "--trace", vcd + filter, "--trace",
                       csv + filter, "--arguments", "32", firmware("bench")});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Waves waves = parse_vcd(vcd);
  for (const char* record : {"kernels", "blocks", "banks"}) {
    std::map<std::string, std::vector<uint64_t>> begun, shown;
    for (const auto& row : rows_of(csv, record)) {
      std::string name = row.at(1);
      std::replace(name.begin(), name.end(), '/', '.');
      std::replace(name.begin(), name.end(), ' ', '_');
      begun[name].push_back(std::stoull(row.at(11)));
    }
    ASSERT_FALSE(begun.empty()) << record;
    for (auto& [name, times] : begun) {
      std::sort(times.begin(), times.end());
      ASSERT_EQ(waves.count(name), 1u) << name;
      for (const auto& [time, value] : waves.at(name).changes)
        if (!value.empty()) shown[name].push_back(time);
    }
    EXPECT_TRUE(begun == shown) << record;
  }
  EXPECT_EQ(waves.at("gpgpu.kernels_running").numbers().back().second, 0u);
  EXPECT_EQ(waves.at("gpgpu.SM_0_blocks").numbers().back().second, 0u);
}

TEST_F(Traces, HaveThePinsOfRtlInAWaveform) {
  const std::string vcd = file("pins.vcd"), csv = file("pins.csv");
  const Result result =
      run("gpgpu-vp", {"--quiet", "--model", "timer=rtl", "--trace", vcd, "--trace",
                       csv + ":record=pins|interrupts", firmware("hello")});
  if (result.err.find("built without Verilator") != std::string::npos)
    GTEST_SKIP() << "built without Verilator";
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Waves waves = parse_vcd(vcd);
  ASSERT_EQ(waves.count("timer.s_axi_awaddr"), 1u);
  EXPECT_GT(waves.at("timer.s_axi_awvalid").numbers().size(), 2u);
  EXPECT_GT(waves.at("timer.aclk").numbers().size(), 1000u);
  // Two ways of the same: the block's output, and the interrupt line that follows it.
  std::vector<std::pair<uint64_t, uint64_t>> pin = waves.at("timer.irq").numbers();
  EXPECT_EQ(pin, waves.at("interrupts.timer").numbers());
  std::map<std::string, std::vector<std::pair<uint64_t, uint64_t>>> levels;
  for (const auto& row : rows_of(csv, "pins"))
    levels[row.at(1)].emplace_back(std::stoull(row.at(11)), std::stoull(row.at(16)));
  for (const char* name : {"timer/s_axi_awaddr", "timer/s_axi_rdata", "timer/irq"}) {
    std::string wave = name;
    wave[wave.find('/')] = '.';
    std::vector<std::pair<uint64_t, uint64_t>> expected = levels[name];
    std::vector<std::pair<uint64_t, uint64_t>> shown = waves.at(wave).numbers();
    if (expected.empty() || expected.front() != std::make_pair(uint64_t{0}, uint64_t{0}))
      expected.insert(expected.begin(), {0, 0});
    if (shown.empty() || shown.front().first != 0) shown.insert(shown.begin(), {0, 0});
    const auto changes = [](std::vector<std::pair<uint64_t, uint64_t>> all) {
      all.erase(std::unique(all.begin(), all.end(),
                            [](const auto& a, const auto& b) { return a.second == b.second; }),
                all.end());
      return all;
    };
    EXPECT_TRUE(changes(expected) == changes(shown)) << name;
  }
}

// Without the record that a signal may have cut.
void keep_whole_records(const std::string& path) {
  const std::string text = read(path);
  size_t end = text.rfind('\n') + 1;
  if (path.find(".pftrace") != std::string::npos) {
    end = 0;
    for (size_t at = 0; at < text.size();) {  // packets: a key, a length of some bytes
      size_t length = 0, next = at + 1;
      for (unsigned shift = 0; next < text.size(); shift += 7, ++next) {
        length |= static_cast<size_t>(text[next] & 0x7f) << shift;
        if ((text[next] & 0x80) == 0) break;
      }
      at = next + 1 + length;
      if (at <= text.size()) end = at;
    }
  }
  EXPECT_LT(text.size() - end, 10000u) << "one record, not more";
  write(path, text.substr(0, end));
}

TEST_F(Traces, AreReadableAfterAKill) {
  for (const char* suffix : {"csv", "db", "pftrace", "vcd"}) {
    const std::string path = file(std::string("killed.") + suffix);
    remove_beside(path, "-journal");
    // The benchmarks take long enough to be killed in the middle.
    const Result result =
        shell("$BIN/gpgpu-vp -q --trace " + path + " --timing at " + firmware("bench") +
              " >/dev/null 2>&1 & pid=$!; for i in $(seq 600); do sleep 0.05; "
              "[ $(stat -c %s " +
              path +
              " 2>/dev/null || echo 0) -gt 8000000 ] && break; done; "
              "kill -9 $pid; wait $pid 2>/dev/null; true");  // until it writes no more
    ASSERT_EQ(result.exit_code, 0) << result.out;
    if (std::string(suffix) != "db") keep_whole_records(path);
    ByPort totals;
    if (std::string(suffix) == "csv") totals = in_csv(path).totals;
    if (std::string(suffix) == "db") totals = in_database(path);
    if (std::string(suffix) == "pftrace") totals = in_perfetto(path);
    if (std::string(suffix) == "vcd") totals = in_waves(parse_vcd(path), false);
    EXPECT_GT(totals["host_instruction read"].transactions, 10000u) << suffix;
    EXPECT_EQ(totals["host_instruction read"].bytes,
              4 * totals["host_instruction read"].transactions)
        << suffix;
  }
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
  for (const char* suffix : {"db", "pftrace", "vcd", "fst"}) {
    if (std::string(suffix) == "fst" && !has_fst()) continue;
    const std::string path = file(std::string("limited.") + suffix);
    remove_beside(path, ".hier");
    remove_beside(path, "-journal");
    const Result other = shell("ulimit -f 100; $BIN/gpgpu-vp -q --trace " + path + " " +
                               firmware("hello") + " 2>&1");
    EXPECT_EQ(other.exit_code, 126) << suffix << other.out;
    EXPECT_THAT(other.out, HasSubstr(path));
  }
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
