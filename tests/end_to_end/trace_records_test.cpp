// SPDX-License-Identifier: Apache-2.0
// What else than transactions on the bus is in the files of --trace: console, kernels, blocks,
// banks, functions, local memory, pins.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"
#include "tests/end_to_end/traces.h"
#include "tests/trace/perfetto_file.h"

namespace gvp::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;

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

// Arrows lead from what an initiator began through its passes of ports to the banks that served it.
TEST_F(Traces, FollowTransactionsToTheBanks) {
  const std::string path = file("flows.pftrace");
  const json statistics =
      statistics_of({"--trace", path, "--timing", "at", "--max-time", "1ms", firmware("hello")});
  std::map<uint64_t, uint64_t> at_memory;  // by flow: when it begins there
  uint64_t accesses = 0, reached = 0;
  const PerfettoFile trace(path);
  for (const Slice& slice : trace.slices)
    if (slice.track.rfind("ports/ddr3", 0) == 0)
      for (const uint64_t flow : slice.flows) at_memory.try_emplace(flow, slice.begin);
  for (const Slice& slice : trace.slices) {
    if (slice.category != "accesses") continue;
    ++accesses;
    EXPECT_EQ(slice.track.rfind("ddr3/bank ", 0), 0u) << slice.track;
    ASSERT_EQ(slice.flows.size(), 1u);
    const auto found = at_memory.find(slice.flows[0]);
    if (found == at_memory.end()) continue;  // under way at the end
    ++reached;
    EXPECT_GT(slice.begin, found->second);
  }
  const json& ddr3 = statistics["ddr3"];
  EXPECT_GE(accesses,
            ddr3["read"]["beats"].get<uint64_t>() + ddr3["write"]["beats"].get<uint64_t>());
  EXPECT_GT(accesses, 100u);
  EXPECT_GE(reached + 2, accesses);
  EXPECT_TRUE(trace.overlaps.empty());
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

// When spans of a kind begin, by their variables in a waveform: as a .csv has it.
using Beginnings = std::map<std::string, std::vector<uint64_t>>;
Beginnings beginnings(const std::string& csv, const std::string& record) {
  Beginnings begun;
  for (const auto& row : rows_of(csv, record)) {
    std::string name = row.at(1);
    std::replace(name.begin(), name.end(), '/', '.');
    std::replace(name.begin(), name.end(), ' ', '_');
    begun[name].push_back(std::stoull(row.at(11)));
  }
  for (auto& [name, times] : begun) std::sort(times.begin(), times.end());
  return begun;
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
    const Beginnings begun = beginnings(csv, record);
    Beginnings shown;
    ASSERT_FALSE(begun.empty()) << record;
    for (const auto& [name, times] : begun) {
      ASSERT_EQ(waves.count(name), 1u) << name;
      for (const auto& [time, value] : waves.at(name).changes)
        if (!value.empty()) shown[name].push_back(time);
    }
    EXPECT_TRUE(begun == shown) << record;
  }
  EXPECT_EQ(waves.at("gpgpu.kernels_running").numbers().back().second, 0u);
  EXPECT_EQ(waves.at("gpgpu.SM_0_blocks").numbers().back().second, 0u);
}

// SMs are told of when their accesses of the bus have ended, each at a cycle of its own.
TEST_F(Traces, HaveInstructionsOfSeveralSmsInAWaveformWhenTheyAre) {
  const std::string vcd = file("warps.vcd"), csv = file("warps.csv"), cubin = file("t.cubin");
  ASSERT_EQ(run("kcc", {source("docs/profiling/transpose.cu"), "-o", cubin}).exit_code, 0);
  for (const char* timing : {"at", "lt"}) {
    const bool at = std::string(timing) == "at";
    const std::string filter = at ? ":record=blocks|warps|stages" : ":record=blocks|warps";
    const Result result =
        run("gpgpu-run",
            {"-q",      "--cubin",    cubin,        "--kernel",   "transpose_naive",
             "--grid",  "3,3",        "--block",    "8,8",        "--timing",
             timing,    "--sms",      "2",          "--set",      "gpgpu.global_memory=ddr3",
             "--param", "0x50100000", "--param",    "0x50200000", "--param",
             "24",      "--trace",    vcd + filter, "--trace",    csv + filter});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const Waves waves = parse_vcd(vcd);
    for (const char* record : {"blocks", "warps", "stages"}) {
      const Beginnings begun = beginnings(csv, record);
      EXPECT_EQ(begun.empty(), !at && std::string(record) == "stages");
      for (const auto& [name, times] : begun) {
        ASSERT_EQ(waves.count(name), 1u) << name;
        std::vector<uint64_t> changes;
        for (const auto& [time, value] : waves.at(name).changes) changes.push_back(time);
        uint64_t elsewhere = 0;
        for (const uint64_t time : times)
          elsewhere += std::binary_search(changes.begin(), changes.end(), time) ? 0 : 1;
        EXPECT_EQ(elsewhere, 0u) << name << ", of " << times.size() << ", " << timing;
      }
    }
  }
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

}  // namespace
}  // namespace gvp::test
