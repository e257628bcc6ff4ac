// SPDX-License-Identifier: Apache-2.0
// Where the five benchmarks' cycles go: every cycle of every SM is in one class, whatever the
// timing, the number of SMs and the place of global memory; what kernels do is the same everywhere.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using Json = nlohmann::json;
using Options = std::vector<std::string>;

uint64_t sum_of(const Json& numbers) {
  uint64_t sum = 0;
  for (const auto& [name, number] : numbers.items()) sum += number.get<uint64_t>();
  return sum;
}

Json kernels_of(Options options) {
  options.insert(options.end(), {"--arguments", "32", firmware("bench")});
  const Json statistics = statistics_of(options);
  EXPECT_EQ(statistics["exit_code"], 0);
  return statistics["gpgpu"]["kernels"];
}

void expect_all_cycles_in_one_class(const Json& kernels, size_t sms) {
  ASSERT_GE(kernels.size(), 5u);
  for (const Json& kernel : kernels) {
    SCOPED_TRACE(kernel["name"].get<std::string>());
    const auto cycles = kernel["cycles"].get<uint64_t>();
    ASSERT_EQ(kernel["sms"].size(), sms);
    for (const Json& sm : kernel["sms"]) EXPECT_EQ(sum_of(sm["cycles_by_class"]), cycles);
    EXPECT_EQ(sum_of(kernel["cycles_by_class"]), sms * cycles);
    EXPECT_EQ(sum_of(kernel["instructions"]), kernel["warp_instructions"]);
  }
}

struct Case {
  const char* name;
  const char* model;
  const char* sms;
  const char* memory;
};

class KernelProfile : public testing::TestWithParam<Case> {};

TEST_P(KernelProfile, EveryCycleOfTheBenchmarksIsInOneClass) {
  const Case& each = GetParam();
  const Json kernels = kernels_of({"--model", std::string("gpgpu=") + each.model, "--set",
                                   std::string("gpgpu.sms=") + each.sms, "--set",
                                   std::string("gpgpu.global_memory=") + each.memory});
  expect_all_cycles_in_one_class(kernels, std::stoul(each.sms));
}

INSTANTIATE_TEST_SUITE_P(
    Devices, KernelProfile,
    testing::Values(Case{"Lt", "lt", "1", "bram"}, Case{"LtThreeSms", "lt", "3", "bram"},
                    Case{"LtDdr3", "lt", "2", "ddr3"}, Case{"At", "at", "1", "bram"},
                    Case{"AtThreeSms", "at", "3", "bram"}, Case{"AtDdr3", "at", "2", "ddr3"}),
    [](const auto& each) { return std::string(each.param.name); });

// Timing never changes what a kernel does, nor does the place of its memory.
TEST(KernelProfileOf, BenchmarksDoTheSameInEveryTiming) {
  const Json lt = kernels_of({});
  for (const Options& options :
       {Options{"--model", "gpgpu=at"}, Options{"--set", "gpgpu.global_memory=ddr3"}}) {
    const Json other = kernels_of(options);
    ASSERT_EQ(other.size(), lt.size());
    for (size_t i = 0; i < lt.size(); ++i)
      for (const char* key : {"name", "memory", "instructions", "simd_efficiency", "executed_lanes",
                              "warp_instructions", "thread_instructions"})
        EXPECT_EQ(other[i][key], lt[i][key]) << lt[i]["name"] << ' ' << key;
  }
}

// A GPGPU has a pointer into one memory at a time; each memory counts what was done in it.
TEST(KernelProfileOf, DirectAccessesCountAtTheMemoryTheyWentTo) {
  const std::string board = temporary("two.toml"), code = temporary("two.s");
  const std::string hex = temporary("two.hex"), statistics = temporary("two.json");
  write(board, read(source("platform/boards/gpgpu_only.toml")) +
                   "[devices.extra]\ntype = \"ddr3\"\nclock = \"ddr3\"\nbus = \"axi\"\n"
                   "base = 0x8000_0000\nsize = 0x2000_0000\n");
  write(code,
        ".kernel copy\nI2I.U32.U16 R1, R0L;\nSHL R2, R1, 0x2;\n"
        "MVI R3, 0x50100000;\nIADD R4, R2, R3;\nMVI R3, 0x80000000;\nIADD R6, R2, R3;\n"
        "GLD.U32 R5, global14[R4];\nGLD.U32 R5, global14[R4];\n"
        "GST.U32 global14[R6], R5;\nGST.U32 global14[R6], R5;\nGST.U32 global14[R6], R5;\n"
        "RET;\n");
  ASSERT_EQ(run("g80as", {code, "-o", hex}).exit_code, 0);
  const Result result =
      run("gpgpu-run", {"--board", board, "--code", hex, "--regs", "8", "--grid", "1", "--block",
                        "32", "--set", "gpgpu.global_memory=ddr3", "--stats", statistics});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json counted = Json::parse(read(statistics));
  // the first access to each is a transaction, with which the pointer comes
  EXPECT_EQ(counted["ddr3"]["direct"],
            (Json{{"reads", 32}, {"writes", 0}, {"bytes_read", 128}, {"bytes_written", 0}}));
  EXPECT_EQ(counted["extra"]["direct"],
            (Json{{"reads", 0}, {"writes", 64}, {"bytes_read", 0}, {"bytes_written", 256}}));
  EXPECT_EQ(counted["axi"]["initiators"]["gpgpu"]["direct"],
            (Json{{"reads", 32}, {"writes", 64}, {"bytes_read", 128}, {"bytes_written", 256}}));
  for (const std::string& path : {board, code, hex, statistics}) std::remove(path.c_str());
}

// An instruction that fails has been executed in neither timing.
TEST(KernelProfileOf, WhatFailsIsNotCounted) {
  const std::string code = temporary("wild.s"), hex = temporary("wild.hex");
  const std::string statistics = temporary("wild.json");
  write(code,
        ".kernel wild\nMVI R3, 0x50100000;\nGLD.U32 R5, global14[R3];\nMVI R3, 0x90000000;\n"
        "GLD.U32 R5, global14[R3];\nRET;\n");
  ASSERT_EQ(run("g80as", {code, "-o", hex}).exit_code, 0);
  Json kernels;
  for (const char* timing : {"lt", "at"}) {
    EXPECT_EQ(
        run("gpgpu-run", {"--code", hex, "--regs", "8", "--grid", "1", "--block", "32", "--timing",
                          timing, "--set", "gpgpu.global_memory=ddr3", "--stats", statistics})
            .exit_code,
        125);
    kernels.push_back(Json::parse(read(statistics))["gpgpu"]["kernels"][0]);
    EXPECT_FALSE(kernels.back().contains("ipc"));
    EXPECT_FALSE(kernels.back().contains("occupancy"));
  }
  EXPECT_EQ(kernels[0]["memory"]["global"]["reads"], 32);
  for (const char* key : {"memory", "instructions", "warp_instructions", "thread_instructions"})
    EXPECT_EQ(kernels[0][key], kernels[1][key]) << key;
  for (const std::string& path : {code, hex, statistics}) std::remove(path.c_str());
}

// A transpose reads and writes each element once.
TEST(KernelProfileOf, GlobalTrafficIsThatOfTheAlgorithm) {
  for (const Json& kernel : kernels_of({})) {
    if (kernel["name"] != "transpose") continue;
    const Json expected{
        {"reads", 1024}, {"writes", 1024}, {"bytes_read", 4096}, {"bytes_written", 4096}};
    EXPECT_EQ(kernel["memory"]["global"], expected);
    return;
  }
  FAIL() << "there is no transpose";
}

// Transactions and accesses through direct memory pointers together.
struct Total {
  uint64_t reads, writes, bytes_read, bytes_written;
  bool operator==(const Total& o) const {
    return reads == o.reads && writes == o.writes && bytes_read == o.bytes_read &&
           bytes_written == o.bytes_written;
  }
};

Total total_of(const Json& port) {
  const auto at = [&](const char* pointer) {
    return port.at(Json::json_pointer(pointer)).get<uint64_t>();
  };
  return {at("/read/transactions") + at("/direct/reads"),
          at("/write/transactions") + at("/direct/writes"),
          at("/read/bytes") + at("/direct/bytes_read"),
          at("/write/bytes") + at("/direct/bytes_written")};
}

// What kernels did to global memory is what passed the bus port, in any mixture of timings.
TEST(KernelProfileOf, TheGpgpusTrafficIsTheSameAtItsPortInEveryTiming) {
  for (const Options& models :
       {Options{}, Options{"--model", "gpgpu=at"}, Options{"--model", "axi=at"},
        Options{"--timing", "at", "--model", "host=lt"}}) {
    Options options = models;
    options.insert(options.end(),
                   {"--set", "gpgpu.global_memory=ddr3", "--arguments", "32", firmware("bench")});
    const Json statistics = statistics_of(options);
    Total kernels{0, 0, 0, 0};
    for (const Json& kernel : statistics["gpgpu"]["kernels"]) {
      const Json& global = kernel["memory"]["global"];
      kernels.reads += global["reads"].get<uint64_t>();
      kernels.writes += global["writes"].get<uint64_t>();
      kernels.bytes_read += global["bytes_read"].get<uint64_t>();
      kernels.bytes_written += global["bytes_written"].get<uint64_t>();
    }
    EXPECT_TRUE(total_of(statistics["axi"]["initiators"]["gpgpu"]) == kernels)
        << testing::PrintToString(models) << statistics["axi"]["initiators"]["gpgpu"].dump(1);
  }
}

TEST(KernelProfileOf, ListsWhatEachInstructionCost) {
  const std::string csv = temporary("instructions.csv");
  const Json statistics = statistics_of(
      {"--kernel-profile", csv, "--model", "gpgpu=at", "--arguments", "32", firmware("bench")});
  std::istringstream lines(read(csv));
  std::remove(csv.c_str());
  std::string header;
  std::getline(lines, header);
  EXPECT_EQ(header.rfind("device,kernel,launches,pc,issued,active_lanes,executed_lanes,issue,", 0),
            0u);
  uint64_t issued = 0;
  uint64_t cycles = 0;
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line.substr(0, line.rfind(",\"\",\"")));
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    ASSERT_EQ(cells.size(), 7u + 19) << line;
    issued += std::stoull(cells[4]);
    for (size_t i = 7; i < cells.size(); ++i) cycles += std::stoull(cells[i]);
  }
  uint64_t instructions = 0;
  uint64_t all = 0;
  for (const Json& kernel : statistics["gpgpu"]["kernels"]) {
    instructions += kernel["warp_instructions"].get<uint64_t>();
    all += kernel["cycles"].get<uint64_t>();
  }
  EXPECT_EQ(issued, instructions);
  EXPECT_EQ(cycles, all);
}

TEST(KernelProfileOf, TellsSourceLinesWhereTheCompilerHasLeftThem) {
  const std::string source = temporary("lines.cu");
  const std::string cubin = temporary("lines.cubin");
  std::ofstream(source) << "__global__ void twice(int* out) {\n  int i = threadIdx.x;\n"
                           "  out[i] = 2 * i;\n}\n";
  ASSERT_EQ(run("kcc", {"-g", source, "-o", cubin}).exit_code, 0);
  for (const char* model : {"gpgpu=lt", "gpgpu=at"}) {
    const Result result = run("gpgpu-vp", {"-q", "--model", model, "--kernel-profile", "-",
                                           "--load", "kernel_file=" + cubin, "--arguments",
                                           "twice 1 32 zeros:32", firmware("run")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.out.find("source line\n"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find("lines.cu:3\n"), std::string::npos) << result.out;
    // The store is listed under its line, which most cycles of global memory are of.
    const size_t line = result.out.rfind("lines.cu:3\n");
    EXPECT_NE(result.out.find("GST", line), std::string::npos) << result.out;
  }
  std::remove(source.c_str());
  std::remove(cubin.c_str());
}

TEST(LiveStatistics, AreALineAfterEachInterval) {
  const std::string file = temporary("live.jsonl");
  write(file, "what another run has left\n");
  const Json end =
      statistics_of({"--stats-interval", "300us:" + file, "--arguments", "32", firmware("bench")});
  std::istringstream lines(read(file));
  std::remove(file.c_str());
  double time = 0;
  uint64_t instructions = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json each = Json::parse(line);
    time += 300000;
    EXPECT_EQ(each["sim_time_ns"], time);
    EXPECT_GE(each["host"]["instructions"], instructions);
    EXPECT_FALSE(each["gpgpu"].contains("kernels"));
    EXPECT_TRUE(each["gpgpu"].contains("kernel_totals"));
    instructions = each["host"]["instructions"].get<uint64_t>();
  }
  EXPECT_GT(time, 3 * 300000);
  EXPECT_GT(time + 300000, end["sim_time_ns"].get<double>());
  EXPECT_LE(instructions, end["host"]["instructions"]);
  // Looking does not change what is simulated.
  EXPECT_EQ(end["sim_time_ns"],
            statistics_of({"--arguments", "32", firmware("bench")})["sim_time_ns"]);
}

TEST(Report, FitsATerminalAndNamesWhatCostsMost) {
  const Result result = run("gpgpu-vp", {"--quiet", "--report", "--set", "gpgpu.global_memory=ddr3",
                                         "--arguments", "32", firmware("bench")});
  EXPECT_EQ(result.exit_code, 0);
  for (const char* text : {"gpgpu: kernels", "transpose", "global ", "host_data", "row hits"})
    EXPECT_NE(result.err.find(text), std::string::npos) << text << result.err;
  std::istringstream lines(result.err);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

}  // namespace
}  // namespace gvp::test
