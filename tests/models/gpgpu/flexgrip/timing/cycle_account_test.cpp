// SPDX-License-Identifier: Apache-2.0
// Every cycle of every SM is in exactly one class: by the device's statistics, for the RTL's
// micro-benchmarks and kernels with several batches, SMs and barriers.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fidelity/microbenchmarks.h"
#include "models/gpgpu/flexgrip/timing/kernel_timeline.h"
#include "tests/models/gpgpu/flexgrip/board.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::flexgrip::timing {
namespace {

using Json = nlohmann::ordered_json;

std::vector<fidelity::Microbenchmark> microbenchmarks() {
  return fidelity::read_microbenchmarks(GVP_SOURCE_DIR "/tests/data/microbenchmarks");
}

uint64_t sum_of(const Json& classes) {
  uint64_t sum = 0;
  for (const auto& [name, cycles] : classes.items()) sum += cycles.get<uint64_t>();
  return sum;
}

// The record of the last launch, after the checks that hold for every kernel that ran to its end.
Json checked_record(const Board& board, unsigned sms, unsigned sps) {
  const Json statistics = board.device->statistics();
  const Json& record = statistics["kernels"].back();
  EXPECT_EQ(record["cause"], 0);
  const auto cycles = record["cycles"].get<uint64_t>();
  EXPECT_EQ(record["sms"].size(), sms);
  uint64_t warps = 0;
  uint64_t threads = 0;
  for (const Json& sm : record["sms"]) {
    EXPECT_EQ(sum_of(sm["cycles_by_class"]), cycles) << record.dump(2);
    EXPECT_EQ(sum_of(sm["instructions"]), sm["warp_instructions"]);
    warps += sm["warp_instructions"].get<uint64_t>();
    threads += sm["thread_instructions"].get<uint64_t>();
  }
  EXPECT_EQ(sum_of(record["cycles_by_class"]), sms * cycles);
  EXPECT_EQ(warps, record["warp_instructions"]);
  EXPECT_EQ(threads, record["thread_instructions"]);
  const Json& classes = record["cycles_by_class"];
  EXPECT_LE(classes["issue"].get<uint64_t>(), warps * (32 / sps));
  EXPECT_GT(record["occupancy"].get<double>(), 0);
  EXPECT_LE(record["occupancy"].get<double>(), 1);
  EXPECT_LE(record["simd_efficiency"].get<double>(), 1);
  return record;
}

// A board whose memories are as the RTL's were, enough of them for the kernel to run.
struct Bench {
  Bench(const fidelity::Microbenchmark& what, const std::string& model)
      : benchmark(what),
        board(configuration_of(what), model, what.name + std::to_string(what.sps) + model) {}

  static Configuration configuration_of(const fidelity::Microbenchmark& benchmark) {
    Configuration configuration;
    configuration.sps = benchmark.sps;
    configuration.partial_warps = "full";
    configuration.global_addresses = "wrap";
    configuration.global_bytes = 256 * 1024;
    return configuration;
  }

  void run() {
    for (uint32_t i = 0; i < benchmark.code.size(); ++i)
      board.code.write32(4 * i, benchmark.code[i]);
    for (uint32_t bank = 0; bank < FLEXGRIP_CONSTANT_BANKS; ++bank)
      board.control.write32(FLEXGRIP_CONSTANT_BANK_BYTES(bank), 8 * 1024);
    const Kernel& kernel = benchmark.kernel;
    Launch32 launch;
    launch.registers = kernel.registers_per_thread;
    launch.shared = kernel.shared_static_bytes;
    launch.block_x = kernel.block_x;
    launch.block_y = kernel.block_y;
    launch.block_z = kernel.block_z;
    launch.grid_x = kernel.grid_x;
    launch.grid_y = kernel.grid_y;
    launch.blocks_per_core = kernel.blocks_per_core;
    launch.parameters = kernel.parameters;
    board.run(launch);
  }

  const fidelity::Microbenchmark benchmark;
  Board board;
};

class CycleAccountOf : public testing::TestWithParam<const char*> {};

TEST_P(CycleAccountOf, EveryCycleOfEveryMicrobenchmarkIsInOneClass) {
  std::vector<std::unique_ptr<Bench>> benches;
  for (const fidelity::Microbenchmark& each : microbenchmarks())
    benches.push_back(std::make_unique<Bench>(each, GetParam()));
  unsigned checked = 0;
  benches.front()->board.control.run([&] {
    for (const auto& bench : benches) {
      SCOPED_TRACE(bench->benchmark.name);
      bench->run();
      if (bench->board.cause() != 0) continue;
      checked_record(bench->board, 1, bench->benchmark.sps);
      ++checked;
    }
  });
  // All but mb_lld at three widths, whose misaligned access the RTL lets pass.
  EXPECT_EQ(checked, benches.size() - 3);
}

// The record of a launch that was stopped: every SM's classes add up.
void check_stopped(const Board& board, const std::string& when) {
  const Json statistics = board.device->statistics();
  const Json& record = statistics["kernels"].back();
  EXPECT_NE(record["cause"], 0) << when;
  const auto cycles = record["cycles"].get<uint64_t>();
  EXPECT_GT(cycles, 0u) << when;
  for (const Json& sm : record["sms"])
    EXPECT_EQ(sum_of(sm["cycles_by_class"]), cycles) << when << sm.dump(2);
}

TEST_P(CycleAccountOf, ClassesOfAStoppedKernelAddUp) {
  Configuration configuration;
  configuration.sms = 2;
  Board board(configuration, GetParam());
  const gvp::test::LogCapture quiet;
  board.control.run([&] {
    // All but block 5 count to a hundred; block 5 stores outside.
    board.load(R"(
      MOV R3, g [0x3];              // ctaid.x
      MVI R4, 0x5;
      MVI R5, 0xfffffff0;
      ISET.S32.C0 o[0x7f], R3, R4, NE;
      BRA C0.NE, count;
      GST.U32 global14[R5], R5;
count: MVI R6, 0x64;
      MVI R7, 0xffffffff;
      MVI R8, 0x0;
again: IADD R6, R6, R7;
      ISET.S32.C0 o[0x7f], R6, R8, NE;
      BRA C0.NE, again;
      RET;
)");
    Launch32 launch;
    launch.block_x = 64;
    launch.grid_x = 9;
    board.run(launch);
    check_stopped(board, "fault");
    board.load(kWaitsAtTwoBarriers);
    launch.block_x = 128;
    board.run(launch);
    check_stopped(board, "deadlock");
    for (const double microseconds : {1.0, 7.3, 100.0, 612.5}) {
      board.load(R"(
      MVI R5, 0x100;
again: GLD.U32 R6, global14[R5];
      GST.U32 global14[R5], R6;
      BRA again;
)");
      launch.grid_x = 1;  // the second SM has no block
      board.configure(launch);
      board.start();
      board.control.advance(sc_core::sc_time(microseconds, sc_core::SC_US));
      board.control.write32(FLEXGRIP_CONTROL, FLEXGRIP_CONTROL_RESET);
      board.control.advance(sc_core::sc_time(1, sc_core::SC_US));
      check_stopped(board, "reset after " + std::to_string(microseconds));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Models, CycleAccountOf, testing::Values("lt", "at"),
                         [](const auto& each) { return std::string(each.param); });

// Where the RTL's data are there, its cycles come out, and they are the sum of the classes.
TEST(CycleAccount, TheRtlsCyclesAreTheSumOfTheClasses) {
  for (const fidelity::Microbenchmark& benchmark : microbenchmarks()) {
    const fidelity::MicrobenchmarkRun run = fidelity::run(benchmark);
    if (!run.completed) continue;
    ASSERT_EQ(run.profiles.size(), 1u);
    uint64_t sum = run.profiles[0].elsewhere.sum();
    for (const OpProfile& op : run.profiles[0].ops) sum += op.cycles.sum();
    EXPECT_EQ(sum, run.cycles) << benchmark.name;
  }
}

// A warp alone: its one instruction is in one stage after the other, and nothing else happens.
TEST(CycleAccount, AWarpAloneWaitsForEachStageInTurn) {
  Configuration configuration;
  configuration.sps = 32;
  Board board(configuration, "at");
  board.control.run([&] {
    board.load("RET;");
    board.run({});
    const Json record = checked_record(board, 1, 32);
    const Json& classes = record["cycles_by_class"];
    EXPECT_EQ(classes["issue"], 1);
    EXPECT_EQ(classes["fetch"], 4);  // three for 8 bytes, one to leave
    EXPECT_EQ(classes["decode"], 2);
    EXPECT_EQ(classes["read"], 5);     // mask 2, control 3
    EXPECT_EQ(classes["execute"], 6);  // control 5, RET outside of a call 1
    EXPECT_EQ(classes["write"], 4);
    EXPECT_EQ(classes["configuration"], 11 + 22 + 3 * 32 + 3);
    EXPECT_EQ(classes["launch"], 7);
    EXPECT_EQ(classes["barrier"], 0);
    EXPECT_EQ(classes["divergence"], 0);
    EXPECT_EQ(record["begin_ns"].get<double>() > 0, true);
  });
}

// Every thread of a warp adds to a word of its own, in g[] and in s[].
constexpr const char* kBothMemories = R"(
    I2I.U32.U16 R1, R0L;
    SHL R2, R1, 0x2;
    GLD.U32 R3, global14[R2];
    R2A A1, R2, 0x0;
    R2G.U32.U32 g[A1+0x8], R3;
    BAR.ARV.WAIT b0, 0xfff;
    MOV R4, g[A1+0x8];
    GST.U32 global14[R2], R4;
    RET;
)";

class AccessesOf : public testing::TestWithParam<const char*> {};

TEST_P(AccessesOf, AreCountedByMemory) {
  Configuration configuration;
  configuration.sms = 2;
  Board board(configuration, GetParam());
  board.control.run([&] {
    board.load(kBothMemories);
    Launch32 launch;
    launch.shared = 1024;
    launch.block_x = 64;
    launch.grid_x = 3;
    launch.blocks_per_core = 1;
    EXPECT_EQ(board.run(launch), FLEXGRIP_STATUS_IDLE | FLEXGRIP_STATUS_DONE);
    const Json record = checked_record(board, 2, 8);
    const Json expected{
        {"reads", 192}, {"writes", 192}, {"bytes_read", 768}, {"bytes_written", 768}};
    EXPECT_EQ(record["memory"]["global"], expected);
    EXPECT_EQ(record["memory"]["shared"], expected);
    EXPECT_EQ(record["memory"]["parameters"]["reads"], 0);
    EXPECT_EQ(record["instructions"]["memory"], 3 * 6);  // GLD, R2G, GST of two warps
    EXPECT_GT(record["cycles_by_class"]["barrier"].get<uint64_t>(), 0u);
    EXPECT_GT(record["cycles_by_class"]["global"].get<uint64_t>(), 0u);
    // SM 1 has one block, SM 0 two.
    EXPECT_GT(record["sms"][1]["cycles_by_class"]["no_blocks"].get<uint64_t>(), 0u);
    EXPECT_EQ(record["sms"][0]["cycles_by_class"]["no_blocks"], 0);
    EXPECT_DOUBLE_EQ(record["simd_efficiency"].get<double>(), 1);
    board.run(launch);
    const Json totals = board.device->statistics()["kernel_totals"];
    ASSERT_EQ(totals.size(), 1u);
    EXPECT_EQ(totals[0]["launches"], 2);
    EXPECT_EQ(totals[0]["memory"]["global"]["bytes_read"], 2 * 768);
    EXPECT_EQ(sum_of(totals[0]["cycles_by_class"]), 2 * totals[0]["cycles"].get<uint64_t>());
  });
}

INSTANTIATE_TEST_SUITE_P(Models, AccessesOf, testing::Values("lt", "at"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace gvp::gpgpu::flexgrip::timing
