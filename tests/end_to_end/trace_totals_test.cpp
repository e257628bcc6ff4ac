// SPDX-License-Identifier: Apache-2.0
// What is in the files of --trace is what the models counted, in every mixture of timings and every
// format, and the same in every run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"
#include "tests/end_to_end/traces.h"

namespace gvp::test {
namespace {

using nlohmann::json;

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

// What is counted for a port and command; nothing where nothing passed.
void count(ByPort& totals, const std::string& port, uint64_t transactions, uint64_t bytes) {
  if (transactions != 0) totals[port] = {transactions, bytes, 0};
}

// Of all interconnects in the statistics: initiators, and targets with the bursts that they get. An
// interconnect as RTL, which makes none, counts regions alone.
ByPort in_statistics(const json& statistics) {
  ByPort totals;
  for (const json& block : statistics) {
    if (!block.is_object() || !block.contains("initiators") || !block.contains("regions")) continue;
    for (const char* list : {"initiators", "regions"})
      for (const auto& [port, counts] : block[list].items()) {
        count(totals, port + " read", counts["reads"], counts["bytes_read"]);
        count(totals, port + " write", counts["writes"], counts["bytes_written"]);
      }
    if (!block.contains("targets")) continue;
    for (const auto& [port, counts] : block["targets"].items())
      for (const char* command : {"read", "write"})
        count(totals, port + ' ' + command, counts[command]["transactions"],
              counts[command]["bytes"]);
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

// Accesses of a GPGPU's kernels to global memory, which is its own block RAM; on no bus.
Totals in_block_ram(const json& gpgpu, const std::string& command) {
  Totals sum;
  for (const json& kernel : gpgpu["kernels"]) {
    const json& counts = kernel["memory"]["global"];
    sum.transactions += counts[command + 's'].get<uint64_t>();
    sum.bytes += counts["bytes_" + (command == "read" ? command : "written")].get<uint64_t>();
  }
  return sum;
}

// Port by port and command by command.
void expect_same(const Traced& traced, const json& statistics) {
  const ByPort counted = in_statistics(statistics);
  for (const auto& [port, total] : traced.totals) {
    if (const size_t suffix = port.find("_block_ram "); suffix != std::string::npos) {
      EXPECT_EQ(total, in_block_ram(statistics[port.substr(0, suffix)], port.substr(suffix + 11)))
          << port;
      continue;
    }
    ASSERT_EQ(counted.count(port), 1u) << port;
    const auto unfinished = traced.unfinished.find(port);
    expect_between(total,
                   unfinished == traced.unfinished.end() ? 0 : unfinished->second.transactions,
                   counted.at(port), port);
  }
}

// A run that is traced in every format at once.
class TracedRun : public Traces {
 protected:
  TracedRun() {
    for (const char* suffix : {"csv", "txt", "db", "pftrace"})
      paths_[suffix] = file(std::string("totals.") + suffix);
    if (have_wave_tools() && has_fst())
      for (const char* suffix : {"fst", "vcd"})
        paths_[suffix] = file(std::string("totals.") + suffix);
  }
  std::vector<std::string> options(const std::string& filter = "") const {
    std::vector<std::string> result;
    for (const auto& [suffix, path] : paths_)
      result.insert(result.end(), {"--trace", path + filter});
    return result;
  }
  // all: no port is left out.
  Traced expect_totals_of(const json& statistics, bool all) {
    const Traced traced = in_csv(paths_["csv"]);
    expect_same(traced, statistics);
    if (all) {
      for (const auto& [port, total] : in_statistics(statistics))
        EXPECT_EQ(traced.totals.count(port), 1u) << port << " is in no trace";
    }
    EXPECT_EQ(in_text(paths_["txt"]), traced.totals);
    EXPECT_EQ(in_database(paths_["db"]), traced.totals);
    EXPECT_EQ(in_perfetto(paths_["pftrace"]), traced.totals);
    for (const char* suffix : {"fst", "vcd"}) {
      if (paths_.count(suffix) == 0) continue;
      const Waves read = read_waves(paths_[suffix]);
      EXPECT_EQ(in_waves(read), without_errors(traced.totals)) << suffix;
      expect_times(paths_["csv"], read);
    }
    return traced;
  }
  void skip_without_waves() const {
    if (paths_.count("fst") == 0)
      GTEST_SKIP() << "no fst2vcd (Debian package gtkwave), or built without Verilator";
  }
  // A kernel of the firmware's, assembled.
  std::string cubin(const std::string& kernel) {
    const std::string path = file(kernel + ".cubin");
    EXPECT_EQ(run("g80as", {source("firmware/kernels/" + kernel + ".s"), "-o", path}).exit_code, 0);
    return path;
  }

 private:
  std::map<std::string, std::string> paths_;  // by suffix
};

struct Mixture {
  const char* name;
  const char* firmware;
  std::vector<std::string> options;
  const char* filter = "";
  const char* busiest = "host_instruction read";
  const char* kernel = "";  // that the firmware loads
};
void PrintTo(const Mixture& mixture, std::ostream* stream) { *stream << mixture.name; }
class TracedMixture : public TracedRun, public testing::WithParamInterface<Mixture> {};

TEST_P(TracedMixture, HasTheTotalsOfTheModelsInEveryFormat) {
  const Mixture& wanted = GetParam();
  if (std::string(wanted.name).find("_rtl") != std::string::npos && !has_rtl())
    GTEST_SKIP() << "built without Verilator";
  std::vector<std::string> arguments = options(wanted.filter);
  arguments.insert(arguments.end(), wanted.options.begin(), wanted.options.end());
  if (*wanted.kernel != '\0')
    arguments.insert(arguments.end(), {"--load", "kernel_file=" + cubin(wanted.kernel)});
  arguments.push_back(firmware(wanted.firmware));
  const json statistics = statistics_of(arguments);
  ASSERT_EQ(statistics["exit_code"], 0);
  const Traced traced = expect_totals_of(statistics, *wanted.filter == '\0');
  ASSERT_EQ(traced.totals.count(wanted.busiest), 1u);
  EXPECT_GT(traced.totals.at(wanted.busiest).transactions, 1000u) << "not only the first access";
  skip_without_waves();
}

// Caches keep the loops of the benchmarks off the bus, and a slow host polls less often while the
// UART sends: a quarter of a million transactions, not three millions.
const std::vector<std::string> kBench = {"--arguments", "32",
                                         "--set",       "gpgpu.global_memory=ddr3",
                                         "--set",       "host.cache_model=contents",
                                         "--set",       "host.use_icache=true",
                                         "--set",       "host.use_dcache=true",
                                         "--set",       "host.clock_hz=5e6"};
std::vector<std::string> bench(const std::vector<std::string>& more) {
  std::vector<std::string> options = kBench;
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

constexpr const char* kTwoGpgpus = ":port=gpgpu*|bridge*|timer|intc,record=transactions";
INSTANTIATE_TEST_SUITE_P(
    Mixtures, TracedMixture,
    testing::Values(
        Mixture{"hello_lt", "hello", {}}, Mixture{"hello_at", "hello", {"--timing", "at"}},
        Mixture{"hello_at_bus", "hello", {"--model", "axi=at", "--model", "ddr3=at"}},
        Mixture{"hello_at_host", "hello", {"--model", "host=at"}},
        Mixture{"hello_at_memory", "hello", {"--model", "ddr3=at"}},
        Mixture{"hello_checked", "hello", {"--timing", "at", "--set", "axi.check=true"}},
        Mixture{"hello_rtl",
                "hello",
                {"--model", "timer=rtl", "--model", "intc=rtl", "--model", "uartlite=rtl"}},
        Mixture{"hello_rtl_memory", "hello", {"--model", "ddr3=rtl"}},
        Mixture{"hello_rtl_both", "hello", {"--model", "axi=rtl", "--model", "ddr3=rtl"}},
        Mixture{"bench_lt", "bench", bench({}), "", "gpgpu read"},
        Mixture{"bench_at", "bench", bench({"--timing", "at"}), "", "gpgpu read"},
        Mixture{"bench_at_devices", "bench",
                bench({"--model", "axi=at", "--model", "gpgpu=at", "--model", "ddr3=at"}),
                ":port=gpgpu|gpgpu_control|gpgpu_code", "gpgpu read"},
        Mixture{"kernel_rtl",
                "run",
                {"--model", "gpgpu=rtl", "--model", "axi=rtl", "--model", "ddr3=rtl", "--set",
                 "gpgpu.global_memory=ddr3", "--set", "host.cache_model=contents", "--set",
                 "host.use_icache=true", "--set", "host.use_dcache=true", "--arguments",
                 "transpose 2x2 16x16 count:1024 zeros:1024 32"},
                "",
                "gpgpu read",
                "transpose"},
        Mixture{"two_gpgpus_mixed",
                "two_gpgpus",
                {"--board", "two_gpgpus", "--model", "gpgpu1=at", "--model", "axi=at"},
                kTwoGpgpus,
                "gpgpu1_block_ram write"}),
    [](const auto& each) { return std::string(each.param.name); });

// Each benchmark's kernel without a host, with all between it and the SDRAM's pins as RTL.
TEST_F(TracedRun, OfEachBenchmarksKernelOverRtlHasTheTotalsOfTheModels) {
  if (!has_rtl()) GTEST_SKIP() << "built without Verilator";
  struct Kernel {
    const char *name, *block;
    std::vector<const char*> parameters;
    uint64_t words_read, words_written;
  };
  constexpr const char *kIn = "0x50100000", *kOther = "0x50200000", *kOut = "0x50300000";
  for (const Kernel& kernel :
       {Kernel{"autocorrelation", "32", {kIn, kOut, "32"}, 32, 32},
        Kernel{"bitonic_sort", "32", {kIn}, 32, 32},
        Kernel{"matrix_multiply", "16,16", {kIn, kOther, kOut, "16"}, 512, 256},
        Kernel{"reduction", "32", {kIn, kOut}, 64, 1},
        Kernel{"transpose", "16,16", {kIn, kOut, "16"}, 256, 256}}) {
    SCOPED_TRACE(kernel.name);
    const std::string path = file("totals.json");
    std::vector<std::string> arguments = options();
    arguments.insert(arguments.end(), {"--quiet", "--stats", path, "--cubin", cubin(kernel.name),
                                       "--kernel", kernel.name, "--grid", "1", "--block",
                                       kernel.block, "--model", "gpgpu=rtl", "--model", "axi=rtl",
                                       "--model", "ddr3=rtl", "--set", "gpgpu.global_memory=ddr3"});
    for (const char* parameter : kernel.parameters)
      arguments.insert(arguments.end(), {"--param", parameter});
    const Result result = run("gpgpu-run", arguments);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Traced traced = expect_totals_of(json::parse(read(path)), true);
    EXPECT_EQ(traced.totals.at("gpgpu read").transactions, kernel.words_read);
    EXPECT_EQ(traced.totals.at("gpgpu write").transactions, kernel.words_written);
  }
  skip_without_waves();
}

// What the host's functions cause, by the models' own count and by the trace.
TEST_F(Traces, AgreeWithTheModelsAboutTheHostsFunctions) {
  for (const char* timing : {"at", "lt"}) {
    const std::string csv = file("functions.csv");
    const json statistics = statistics_of({"--trace", csv + ":port=host_*,record=transactions",
                                           "--timing", timing, firmware("hello")});
    struct Traffic {
      uint64_t reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
      bool operator==(const Traffic& other) const {
        return reads == other.reads && writes == other.writes && bytes_read == other.bytes_read &&
               bytes_written == other.bytes_written;
      }
    };
    std::map<std::string, Traffic> traced, counted;
    for (const auto& row : rows_of(csv, "transaction")) {
      const bool write = row.at(2) == "write";
      Traffic& traffic = traced[row.at(8)];
      ++(write ? traffic.writes : traffic.reads);
      (write ? traffic.bytes_written : traffic.bytes_read) += std::stoull(row.at(10));
    }
    for (const json& each : statistics["host"]["functions"])
      counted[each["name"].get<std::string>()] = {each["reads"], each["writes"], each["bytes_read"],
                                                  each["bytes_written"]};
    EXPECT_GT(traced.size(), 10u);
    EXPECT_TRUE(traced == counted) << timing;
    for (const auto& [name, traffic] : counted)
      EXPECT_TRUE(traced[name] == traffic) << timing << ' ' << name << ": " << traced[name].reads
                                           << " reads, " << traffic.reads << " counted";
  }
}

// Loosely timed, what goes through pointers and over the bus is as much as is traced where pointers
// are denied; the time differs a little, and so how often a device is polled, by loops that are
// fetched.
TEST_F(Traces, HaveWhatWouldGoThroughPointers) {
  const std::string csv = file("direct.csv");
  const json traced = statistics_of({"--trace", csv + ":port=host_*", firmware("hello")});
  const json plain = statistics_of({firmware("hello")});
  const auto sum = [](const json& statistics, const char* what) {
    uint64_t all = 0;
    for (const char* port : {"host_instruction", "host_data"}) {
      const json& counts = statistics["axi"]["initiators"][port];
      all += counts[what].get<uint64_t>();
      if (counts.contains("direct")) all += counts["direct"][what].get<uint64_t>();
    }
    return static_cast<double>(all);
  };
  for (const char* what : {"writes", "bytes_written"})
    EXPECT_EQ(sum(plain, what), sum(traced, what)) << what;
  for (const char* what : {"reads", "bytes_read"})
    EXPECT_NEAR(sum(plain, what) / sum(traced, what), 1, 0.03) << what;
  const json& direct = plain["axi"]["initiators"]["host_data"]["direct"];
  EXPECT_GT(direct["reads"].get<uint64_t>(), 500u);
  EXPECT_EQ(plain["ddr3"]["direct"]["writes"], direct["writes"]);
}

TEST_F(Traces, AreTheSameInEveryRun) {
  std::vector<std::string> suffixes = {"csv", "txt", "db", "pftrace", "vcd"};
  if (has_fst()) suffixes.emplace_back("fst");
  std::map<std::string, std::string> files[2];  // of each run, by suffix
  for (auto& of_run : files) {
    std::vector<std::string> options = {"--quiet", "--timing", "at"};
    for (const std::string& suffix : suffixes) {
      of_run[suffix] = file("run." + suffix);
      options.insert(options.end(), {"--trace", of_run[suffix]});
    }
    options.push_back(firmware("hello"));
    ASSERT_EQ(run("gpgpu-vp", options).exit_code, 0);
  }
  for (const std::string& suffix : suffixes) {
    const std::string one = read(files[0][suffix]);
    EXPECT_TRUE(one == read(files[1][suffix])) << suffix;
    EXPECT_GT(one.size(), 10000u) << suffix;
  }
}

TEST_F(Traces, ChangeNothingInAnApproximatelyTimedRun) {
  const std::vector<std::string> plain = {"--timing", "at", firmware("hello")};
  std::vector<std::string> traced = {"--trace", file("at.csv")};
  traced.insert(traced.end(), plain.begin(), plain.end());
  EXPECT_EQ(without_wall_clock(statistics_of(traced)), without_wall_clock(statistics_of(plain)));
}

}  // namespace
}  // namespace gvp::test
