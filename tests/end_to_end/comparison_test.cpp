// SPDX-License-Identifier: Apache-2.0
// --compare: two models of a device on the same stimulus.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using Options = std::vector<std::string>;

// Divergence, a barrier, shared and global memory, address registers, flags.
constexpr const char* kKernel = R"(
.kernel mixed
.regs 12
.param base
.shared 512
    I2I.U32.U16 R1, R0L
    SHL R2, R1, 0x2
    R2A A1, R2, 0x0
    MOV R4, s[base]
    IADD R5, R2, R4
    IMUL.U16.U16 R3, R1L, R1L
    MVI R6, 0x10
    ISET.S32.C0 o[0x7f], R1, R6, LT
    SSY after
    BRA C0.NE, low
    IADD R3, R3, 0x64
    BRA after
low:
    LOP.XOR R3, R3, R2
after:
    NOP.S
    R2G.U32.U32 g[A1+0x10], R3
    BAR.ARV.WAIT b0, 0xfff
    MOV R6, g[A1+0x10]
    GST.U32 global14[R5], R6
    RET
)";

Options operator+(Options a, const Options& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class Comparison : public testing::Test {
 protected:
  void SetUp() override {
    const Result probe =
        run("gpgpu-vp", {"--model", "gpgpu=rtl", "-q", firmware("hello"), "--max-time", "1us"});
    if (probe.err.find("built without Verilator") != std::string::npos)
      GTEST_SKIP() << "built without Verilator";
  }
};

TEST_F(Comparison, AKernelAgreesByItself) {
  const std::string source_file = temporary("mixed.s"), cubin = temporary("mixed.cubin");
  const std::string statistics_file = temporary("mixed.json");
  write(source_file, kKernel);
  ASSERT_EQ(run("g80as", {source_file, "-o", cubin}).exit_code, 0);
  const Options launch = {"--cubin", cubin,     "--grid", "3",      "--block",
                          "96",      "--param", "0x1000", "--dump", "0x1000:384=-"};
  const Result alone = run("gpgpu-run", Options{"--model", "gpgpu=at"} + launch);
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  for (const char* pair : {"gpgpu=at,rtl,cycles", "gpgpu=lt,rtl", "gpgpu=at,lt"}) {
    const Result both =
        run("gpgpu-run", Options{"--compare", pair, "--stats", statistics_file} + launch);
    EXPECT_EQ(both.exit_code, 0) << pair << both.err;
    EXPECT_EQ(both.out, alone.out);
    const nlohmann::json comparison =
        nlohmann::json::parse(read(statistics_file))["gpgpu"]["comparison"];
    EXPECT_EQ(comparison["kernels"], 1);
    EXPECT_EQ(comparison["stored_bytes"], 2 * 4 * 3 * 96);
    EXPECT_GT(comparison["instructions"], 9 * 15);
    EXPECT_EQ(comparison["level"], true);
  }
  for (const std::string& file : {source_file, cubin, statistics_file})
    std::filesystem::remove(file);
}

// Warp 1 stores what warp 0 loads a little later: loosely timed, warp 0 has run to its end by then.
TEST_F(Comparison, ADifferenceIsToldOfTheInstructionThatMadeIt) {
  std::string race = R"(
.kernel race
.regs 8
.param base
    I2I.U32.U16 R1, R0L
    SHR R2, R1, 0x5
    MOV R4, s[base]
    MVI R5, 0x1
    LOP.AND.C0 R2, R2, R5
    BRA C0.NE, second
)";
  for (unsigned i = 0; i < 8; ++i) race += "    NOP\n";
  race += "    GLD.U32 R3, global14[R4]\n    RET\nsecond:\n    GST.U32 global14[R4], R1\n    RET\n";
  const std::string source_file = temporary("race.s"), cubin = temporary("race.cubin");
  write(source_file, race);
  ASSERT_EQ(run("g80as", {source_file, "-o", cubin}).exit_code, 0);
  const Options launch = {"--cubin", cubin, "--grid", "1", "--block", "64", "--param", "0x1000"};
  const std::pair<const char*, const char*> cases[] = {
      {"at,lt",
       "R3: at 0x0000003f, lt 0x00000000; kernel 1 (race), SM 0, block (0, 0), warp 0, "
       "lane 0, pc 0x0070 (GLD.U32 R3, global14[R4])"},
      {"lt,rtl",
       "R3: lt 0x00000000, rtl 0x0000003f; kernel 1 (race), SM 0, block (0, 0), warp 0, "
       "lane 0, pc 0x0070 (GLD.U32 R3, global14[R4])"}};
  for (const auto& [pair, text] : cases) {
    const Result result =
        run("gpgpu-run", Options{"--compare", std::string("gpgpu=") + pair} + launch);
    EXPECT_EQ(result.exit_code, 125) << pair;
    EXPECT_THAT(result.err, HasSubstr(text)) << pair;
  }
  EXPECT_EQ(run("gpgpu-run", Options{"--compare", "gpgpu=at,rtl,cycles"} + launch).exit_code, 0);
  for (const std::string& file : {source_file, cubin}) std::filesystem::remove(file);
}

TEST_F(Comparison, BenchAgreesInEveryInstruction) {
  for (const char* pair : {"gpgpu=at,rtl,cycles", "gpgpu=lt,at"}) {
    const nlohmann::json gpgpu =
        statistics_of({"--compare", pair, "--arguments", "32", firmware("bench")})["gpgpu"];
    const nlohmann::json& comparison = gpgpu["comparison"];
    uint64_t instructions = 0, warps = 0;
    for (const nlohmann::json& kernel : gpgpu["kernels"]) {
      instructions += kernel["warp_instructions"].get<uint64_t>();
      warps += 1;
    }
    EXPECT_EQ(comparison["kernels"], 5);
    EXPECT_GT(comparison["instructions"], instructions) << "and the beginning of each warp";
    EXPECT_GT(comparison["stored_bytes"], 1000);
    EXPECT_EQ(comparison["mismatches"], 0);
    EXPECT_EQ(comparison["level"], true);
    EXPECT_GT(comparison["compared_reads"], 1000);
    EXPECT_EQ(comparison["stage_rows"] > 0, std::string(pair) == "gpgpu=at,rtl,cycles");
    EXPECT_EQ(warps, 5u);
  }
}

// With global memory on the bus, which is there once, each device finds what it would find alone.
TEST_F(Comparison, AccessesOnTheBusAgree) {
  for (const char* pair : {"gpgpu=at,rtl", "gpgpu=rtl,lt", "gpgpu=at,lt"}) {
    SCOPED_TRACE(pair);
    const nlohmann::json statistics =
        statistics_of({"--compare", pair, "--set", "gpgpu.global_memory=ddr3", firmware("cuda")});
    const nlohmann::json& comparison = statistics["gpgpu"]["comparison"];
    const nlohmann::json& memory = statistics["ddr3"];
    EXPECT_EQ(comparison["kernels"], 6);
    EXPECT_EQ(comparison["mismatches"], 0);
    EXPECT_EQ(comparison["level"], true);
    // All of one device's, and those alone reach the memory; one kernel fails with an access that
    // does not get there.
    EXPECT_EQ(comparison["bus_accesses"].get<uint64_t>(),
              memory["reads"].get<uint64_t>() + memory["writes"].get<uint64_t>() + 1);
  }
}

// The program verifies what its kernels fetch.
TEST_F(Comparison, TexturesThatTheHostBindsAgree) {
  for (const char* pair : {"gpgpu=at,rtl", "gpgpu=lt,at"}) {
    SCOPED_TRACE(pair);
    const nlohmann::json gpgpu = statistics_of({"--compare", pair, firmware("textures")})["gpgpu"];
    EXPECT_EQ(gpgpu["comparison"]["kernels"], 8);
    EXPECT_EQ(gpgpu["comparison"]["mismatches"], 0);
  }
}

TEST_F(Comparison, WhatShowsTimeDiffersAndEndsTheRun) {
  const std::string wave = temporary("compare.fst");
  const Result result = run("gpgpu-vp", {"--compare", "timer=lt,rtl", "--wave", wave + ":timer",
                                         "-q", firmware("hello")});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_THAT(result.err,
              testing::ContainsRegex(
                  "timer as lt and as rtl differ: the read of 4 bytes at 0x.*: lt 0x[0-9a-f]+, "
                  "rtl 0x[0-9a-f]+; transaction [0-9]+"));
  EXPECT_GT(std::filesystem::file_size(wave), 100u);
  std::filesystem::remove(wave);
}

TEST_F(Comparison, WhatCannotBeComparedIsRefused) {
  struct Case {
    Options options;
    const char* text;
  };
  const Case cases[] = {
      {{"--compare", "gpgpu=at"}, "names no block and two variants"},
      {{"--compare", "gpgpu=at,rtl,times"}, "names no block and two variants"},
      {{"--compare", "cpu=at,rtl"}, "blocks are"},
      {{"--compare", "gpgpu=lt,rtl,cycles"}, "the loosely timed model has no stages"},
      {{"--compare", "gpgpu=at,xt"}, "flexgrip has no model \"xt\""},
      {{"--compare", "host=lt,at"}, "it is a processor"},
      {{"--compare", "axi=at,rtl"}, "it carries others' transactions"},
      {{"--compare", "uart16550=lt,rtl"}, "it has a serial line"},
      {{"--compare", "intc=lt,rtl,cycles"}, "nobody knows the times inside of axi_intc"},
      {{"--compare", "gpgpu=at,rtl,cycles", "--set", "gpgpu.global_memory=ddr3"},
       "its global memory lies on the bus"},
  };
  for (const Case& each : cases) {
    Options options = each.options;
    options.push_back(firmware("hello"));
    const Result result = run("gpgpu-vp", options);
    EXPECT_EQ(result.exit_code, 126) << each.text << result.err;
    EXPECT_THAT(result.err, HasSubstr(each.text));
  }
}

}  // namespace
}  // namespace gvp::test
