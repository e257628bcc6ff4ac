// SPDX-License-Identifier: Apache-2.0
// Firmware that knows nothing of it runs over blocks of RTL: the same output, the same exit code,
// alone and in mixtures, beside loosely and approximately timed neighbours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using Options = std::vector<std::string>;

Options operator+(Options options, const Options& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

Options rtl(const Options& devices) {
  Options options;
  for (const std::string& device : devices) {
    options.push_back("--model");
    options.push_back(device + "=rtl");
  }
  return options;
}

const Options kAll = {"timer", "intc", "uart16550", "uartlite"};
const Options kAllAndMemory = kAll + Options{"ddr3"};

class Rtl : public testing::Test {
 protected:
  void SetUp() override {
    const Result probe = run("gpgpu-vp", rtl({"timer"}) + Options{"-q", firmware("hello")});
    if (probe.err.find("built without Verilator") != std::string::npos) {
      EXPECT_EQ(probe.exit_code, 126);
      EXPECT_THAT(probe.err, HasSubstr("install the Debian packages verilator"));
      GTEST_SKIP() << "built without Verilator";
    }
  }
};

// What a run prints is the same with all of these as RTL; not the time since reset, where the way
// to the memory is a part of it.
// Returns what the program printed over RTL.
std::string expect_same(const std::string& program, const Options& devices,
                        const Options& options = {}) {
  const Options common = options + Options{"-q", firmware(program)};
  const Result models = run("gpgpu-vp", common);
  const Result blocks = run("gpgpu-vp", rtl(devices) + common);
  EXPECT_EQ(blocks.exit_code, models.exit_code) << blocks.err;
  const bool other_times = std::any_of(devices.begin(), devices.end(), [](const std::string& each) {
    return each == "ddr3" || each == "axi";
  });
  const std::regex times(other_times ? "[0-9]+ us after" : "^$");
  EXPECT_EQ(std::regex_replace(blocks.out, times, "#"), std::regex_replace(models.out, times, "#"));
  return blocks.out;
}

TEST_F(Rtl, HelloOverEachBlockAndAllOfThem) {
  for (const Options& devices :
       {Options{"timer"}, {"intc"}, {"uart16550"}, {"uartlite"}, {"ddr3"}, kAll, kAllAndMemory}) {
    expect_same("hello", devices);
    expect_same("hello", devices, {"--timing", "at"});
  }
}

TEST_F(Rtl, SelftestOverTheInterruptControllerAndTheUart) {
  expect_same("selftest", {"intc", "uartlite"});
}

// The whole self-test would print for half a second of simulated time: the groups that are about
// the blocks.
class RtlSelftest : public Rtl, public testing::WithParamInterface<const char*> {};
TEST_P(RtlSelftest, GroupOverAllPeripherals) {
  expect_same("selftest", kAll, {"--arguments", GetParam()});
}
INSTANTIATE_TEST_SUITE_P(Groups, RtlSelftest,
                         testing::Values("intc", "timer", "uart16550", "uartlite"),
                         [](const auto& each) { return std::string(each.param); });

// Caches keep most fetches off the bus.
const Options kCaches = {"--set", "host.use_icache=true", "--set", "host.use_dcache=true"};

// The default board with a bus of their own for the peripherals, behind a bridge.
std::string board_with_bridge() {
  std::string board = read(source("platform/boards/ml605.toml"));
  for (const std::string& device : kAll) {
    const std::string bus = "bus = \"axi\"";
    const size_t at = board.find(bus, board.find("[devices." + device + "]"));
    board.replace(at, bus.size(), "bus = \"periphery\"");
  }
  return board +
         "[devices.periphery]\ntype = \"axi_interconnect\"\nclock = \"system\"\n"
         "[devices.bridge]\ntype = \"axi_bridge\"\nbus = \"axi\"\nbase = 0x8000_0000\n"
         "masters.downstream = \"periphery\"\nkeys = { size = 0x1000_0000 }\n";
}

struct Mixture {
  const char* name;
  Options rtl, options;
};
void PrintTo(const Mixture& mixture, std::ostream* stream) { *stream << mixture.name; }
std::string name_of(const testing::TestParamInfo<Mixture>& each) { return each.param.name; }

class RtlMixtures : public Rtl, public testing::WithParamInterface<Mixture> {
 protected:
  void SetUp() override {
    Rtl::SetUp();
    write(board_, board_with_bridge());
  }
  void TearDown() override { std::filesystem::remove(board_); }
  const Options on_board() const { return {"--board", board_, "-q"}; }
  const std::string board_ = temporary("bridge.toml");
};

TEST_P(RtlMixtures, Hello) {
  const std::regex numbers("[0-9]+");
  const Options common = on_board() + kCaches + GetParam().options + Options{firmware("hello")};
  const Result models = run("gpgpu-vp", common);
  const Result blocks = run("gpgpu-vp", rtl(GetParam().rtl) + common);
  EXPECT_EQ(models.exit_code, 0) << models.err;
  EXPECT_EQ(blocks.exit_code, 0) << blocks.err;
  EXPECT_EQ(std::regex_replace(blocks.out, numbers, "#"),
            std::regex_replace(models.out, numbers, "#"));
}

// What it has printed by then; all of it would take a minute.
TEST_P(RtlMixtures, TheBeginningOfTheSelftest) {
  const Options common = on_board() + kCaches + GetParam().options;
  const Options program = {firmware("selftest")};
  const Result models = run("gpgpu-vp", common + Options{"--max-time", "20ms"} + program);
  const Result blocks =
      run("gpgpu-vp", rtl(GetParam().rtl) + common + Options{"--max-time", "4ms"} + program);
  EXPECT_THAT(blocks.out, HasSubstr("PASS")) << blocks.err;
  EXPECT_THAT(models.out, testing::StartsWith(blocks.out));
}

INSTANTIATE_TEST_SUITE_P(
    All, RtlMixtures,
    testing::Values(Mixture{"BridgeBesideLt", {"bridge"}, {}},
                    Mixture{"BridgeBesideAt", {"bridge"}, {"--timing", "at"}},
                    Mixture{"BridgeBetweenLtAndAt", {"bridge"}, {"--model", "axi=at"}},
                    Mixture{"CrossbarBeforeTheBridge", {"axi"}, {"--model", "periphery=at"}},
                    Mixture{"CrossbarBehindTheBridge", {"periphery", "timer"}, {}},
                    Mixture{"BusesAndMemoryBesideAt",
                            {"axi", "periphery", "bridge", "ddr3"},
                            {"--timing", "at"}},
                    Mixture{"All",
                            {"axi", "periphery", "bridge", "ddr3", "gpgpu", "timer", "intc",
                             "uart16550", "uartlite"},
                            {}}),
    name_of);

// One after the other, the devices that the groups of checks are about.
TEST_F(Rtl, SelftestsMemoryChecksOverTheDdr3Controller) {
  EXPECT_THAT(expect_same("selftest", {"ddr3"}, {"--arguments", "memory"}),
              HasSubstr("0 failed, 0 skipped"));
}

// The times that it measures with the timer contain the way there.
TEST_F(Rtl, BenchOverAllBesideBothTimings) {
  const std::regex numbers(" *[0-9]+(\\.[0-9]+)?");
  for (const char* timing : {"lt", "at"}) {
    const Options common = {"--timing", timing,    "--arguments", "32",
                            "--model",  "host=lt", "-q",          firmware("bench")};
    const Result models = run("gpgpu-vp", common);
    const Result blocks = run("gpgpu-vp", rtl(kAll) + common);
    EXPECT_EQ(blocks.exit_code, 0) << blocks.err;
    EXPECT_EQ(std::regex_replace(blocks.out, numbers, "#"),
              std::regex_replace(models.out, numbers, "#"));
    EXPECT_THAT(blocks.out, HasSubstr("5 of 5 verified"));
  }
}

TEST_F(Rtl, BenchOverTheDdr3Controller) {
  const Result result =
      run("gpgpu-vp", kCaches + Options{"--model", "ddr3=rtl", "--model", "host=lt", "--arguments",
                                        "32", "-q", firmware("bench")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("5 of 5 verified"));
}

// All of it would print for half a minute: what it has printed by then is its first benchmark.
// Caches that hold it all leave the console and the GPGPU on the bus.
void expect_bench_over_the_crossbar(const Options& others) {
  const Result result = run(
      "gpgpu-vp",
      rtl(others + Options{"axi"}) + kCaches +
          Options{"--set", "host.cache_byte_size=65536", "--set", "host.dcache_byte_size=65536",
                  "--set", "host.dcache_use_writeback=true", "--set", "host.cache_model=contents",
                  "--max-time", "40ms", "--arguments", "32", "-q", firmware("bench")});
  EXPECT_THAT(result.err, HasSubstr("--max-time"));
  EXPECT_THAT(result.out, testing::ContainsRegex("autocorrelation +32.* ok"));
}
TEST_F(Rtl, BenchOverTheCrossbar) { expect_bench_over_the_crossbar({}); }
TEST_F(Rtl, BenchOverEveryBlockTogether) {
  expect_bench_over_the_crossbar(kAllAndMemory + Options{"gpgpu"});
}

// The bus itself: its neighbours are models of both timings, and RTL.  What is printed contains the
// time since reset, which the way to the memory is a part of.
TEST_F(Rtl, HelloOverTheCrossbar) {
  const std::regex numbers("[0-9]+");
  struct Neighbours {
    Options devices, options;
  };
  const Neighbours mixtures[] = {{{"axi"}, {}},
                                 {{"axi"}, {"--timing", "at"}},
                                 {{"axi"}, {"--model", "ddr3=at", "--seed", "3"}},
                                 {kAll + Options{"axi"}, {"--model", "host=at"}}};
  for (const Neighbours& mixture : mixtures) {
    const Options common = mixture.options + Options{"-q", firmware("hello")};
    const Result models = run("gpgpu-vp", common);
    const Result blocks = run("gpgpu-vp", rtl(mixture.devices) + common);
    EXPECT_EQ(blocks.exit_code, 0) << blocks.err;
    EXPECT_EQ(blocks.exit_code, models.exit_code);
    EXPECT_EQ(std::regex_replace(blocks.out, numbers, "#"),
              std::regex_replace(models.out, numbers, "#"));
  }
}

TEST_F(Rtl, TheCrossbarCountsWhatTheModelCounts) {
  const nlohmann::json model =
      statistics_of({"--model", "axi=at", "--set", "axi.check=true", firmware("hello")});
  const nlohmann::json rtl =
      statistics_of({"--model", "axi=rtl", "--set", "axi.check=true", firmware("hello")});
  EXPECT_EQ(rtl["axi"]["rtl"]["block"], "axi_interconnect");
  EXPECT_EQ(rtl["axi"]["rtl"]["protocol_check"]["violations"], 0);
  EXPECT_EQ(rtl["axi"]["protocol_check"]["violations"], 0);
  EXPECT_GT(rtl["axi"]["initiators"]["host_data"]["writes"].get<int>(), 0);
  for (const auto& [region, counted] : model["axi"]["regions"].items())
    EXPECT_EQ(rtl["axi"]["regions"][region]["errors"], counted["errors"]) << region;
}

TEST_F(Rtl, InitialValuesDoNotMatter) {
  for (const char* seed : {"1", "2", "2147483647"})
    expect_same("hello", kAllAndMemory, {"--seed", seed});
}

TEST_F(Rtl, TheSameSeedGivesTheSameStatistics) {
  const Options options = rtl(kAll) + Options{"--seed", "5", firmware("hello")};
  EXPECT_EQ(statistics_of(options)["timer"]["rtl"]["evaluated_cycles"],
            statistics_of(options)["timer"]["rtl"]["evaluated_cycles"]);
}

TEST_F(Rtl, StatisticsAndSummaryShowTheBlocks) {
  const Options options = rtl({"timer"});
  const nlohmann::json statistics = statistics_of(options + Options{firmware("hello")});
  const nlohmann::json& timer = statistics["timer"]["rtl"];
  EXPECT_EQ(timer["block"], "axi_timer");
  EXPECT_GT(timer["evaluated_cycles"].get<double>(), 0);
  EXPECT_GE(timer["cycles"].get<double>(), timer["evaluated_cycles"].get<double>());
  EXPECT_GT(timer["protocol_check"]["transactions"].get<int>(), 0);
  EXPECT_EQ(timer["protocol_check"]["violations"], 0);
  const Result result = run("gpgpu-vp", options + Options{firmware("hello")});
  EXPECT_THAT(result.err,
              testing::ContainsRegex("  timer +axi_timer as RTL, .* cycles of .*, .* cycles/s"));
}

TEST_F(Rtl, WavesAreWritten) {
  const std::string file = temporary("wave.fst");
  const std::filesystem::path path(file);
  Result result = run("gpgpu-vp", rtl({"timer"}) + Options{"--wave", file, firmware("hello")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_GT(std::filesystem::file_size(path), 1000u);
  std::filesystem::remove(path);
  result = run("gpgpu-vp", rtl({"timer", "intc"}) + Options{"--wave", file, firmware("hello")});
  for (const char* device : {"timer", "intc"}) {
    const auto own = path.parent_path() / (path.stem().string() + '.' + device + ".fst");
    EXPECT_TRUE(std::filesystem::exists(own)) << own;
    std::filesystem::remove(own);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  const auto taken = (path.parent_path() / (path.stem().string() + ".timer.fst")).string();
  result = run("gpgpu-vp", rtl({"timer", "intc"}) +
                               Options{"--wave", file, "--stats", taken, firmware("hello")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_NE(result.err.find(taken), std::string::npos) << result.err;
}

TEST_F(Rtl, WavesOfOneDeviceAndOfAWindowOfTime) {
  const std::string file = temporary("wave.fst");
  const Options blocks = rtl({"timer", "intc"});
  const auto bytes_of = [&](const std::string& more) {
    const Result result =
        run("gpgpu-vp", blocks + Options{"--wave", file + more, firmware("hello")});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto bytes = std::filesystem::file_size(file);
    std::filesystem::remove(file);
    return bytes;
  };
  const auto all = bytes_of(":timer");
  EXPECT_LT(bytes_of(":timer:1us-2us"), all);
  const Result other =
      run("gpgpu-vp", blocks + Options{"--wave", file + ":ddr3", firmware("hello")});
  EXPECT_EQ(other.exit_code, 126);
  EXPECT_THAT(other.err, HasSubstr("no device \"ddr3\" of this board is RTL"));
  EXPECT_THAT(other.err, HasSubstr("RTL: "));
}

// The UART's line goes on until all is out; the run does not.
TEST_F(Rtl, NothingIsRecordedOrCountedAfterTheEnd) {
  const std::string trace = temporary("pins.csv"), statistics_file = temporary("statistics.json");
  const Result result =
      run("gpgpu-vp",
          rtl({"uart16550"}) + Options{"--max-time", "3ms", "--trace", trace + ":record=pins",
                                       "--stats", statistics_file, firmware("hello")});
  EXPECT_NE(result.out, "");
  const nlohmann::json statistics = nlohmann::json::parse(read(statistics_file));
  EXPECT_LE(statistics["uart16550"]["rtl"]["cycles"], 300001);
  std::istringstream lines(read(trace));
  std::string line, last;
  std::getline(lines, line);
  uint64_t latest = 0;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (int i = 0; i < 12; ++i) std::getline(cells, last, ',');
    latest = std::max<uint64_t>(latest, std::stoull(last));
  }
  EXPECT_GT(latest, 2000000000u);
  EXPECT_LE(latest, 3000005000u) << "the other half of the cycle that begins at the end";
  std::filesystem::remove(trace);
  std::filesystem::remove(statistics_file);
}

// Loads and stores of eight warps, whose data lie in the DDR3.
constexpr const char* kBump = R"(
.kernel bump
.regs 8
.param base
    I2I.U32.U16 R1, R0L
    SHL R2, R1, 0x2
    MOV R4, s[base]
    IADD32 R2, R2, R4
    GLD.U32 R3, global14[R2]
    IADD32 R3, R3, R1
    GST.U32 global14[R2], R3
    RET
)";

// That kernel on 256 words.
class Bump {
 public:
  Bump() {
    write(source_, kBump);
    EXPECT_EQ(run("g80as", {source_, "-o", cubin_}).exit_code, 0);
    std::string words;
    for (unsigned i = 0; i < 256; ++i) words += std::to_string(1000 + i) + '\n';
    write(input_, words);
  }
  ~Bump() {
    for (const std::string& path : {source_, cubin_, input_, output_, statistics_file_})
      std::filesystem::remove(path);
  }
  // The words that a run with these options leaves; its statistics are in `statistics`.
  std::string words_after(const Options& options) {
    const Result result = run(
        "gpgpu-run", options + Options{"--cubin", cubin_, "--grid", "1", "--block", "256", "--set",
                                       "gpgpu.global_memory=ddr3", "--param", "0x50010000",
                                       "--load", "0x50010000=" + input_, "--dump",
                                       "0x50010000:1024=" + output_, "--stats", statistics_file_});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    statistics = nlohmann::json::parse(read(statistics_file_));
    return read(output_);
  }
  double cycles() const { return statistics["gpgpu"]["kernels"][0]["cycles"].get<double>(); }

  nlohmann::json statistics;

 private:
  const std::string source_ = temporary("bump.s"), cubin_ = temporary("bump.cubin");
  const std::string input_ = temporary("words.hex"), output_ = temporary("result.hex");
  const std::string statistics_file_ = temporary("statistics.json");
};

TEST_F(Rtl, AKernelOverTheDdr3Controller) {
  Bump bump;
  for (const char* timing : {"lt", "at"}) {
    std::string expected;
    std::map<std::string, double> cycles;
    for (const char* model : {"lt", "at", "rtl"}) {
      const std::string words =
          bump.words_after({"--timing", timing, "--model", std::string("ddr3=") + model});
      if (expected.empty()) expected = words;
      EXPECT_EQ(words, expected) << timing << ' ' << model;
      cycles[model] = bump.cycles();
    }
    EXPECT_NEAR(cycles["at"] / cycles["rtl"], 1, 0.005) << timing;
    EXPECT_NEAR(cycles["lt"] / cycles["rtl"], 1, 0.05) << timing;
    EXPECT_EQ(expected.substr(0, 22), "0x00001000\n0x00001002\n") << "1000h + 0, 1001h + 1";
    const nlohmann::json ddr3 = bump.statistics["ddr3"];
    EXPECT_EQ(ddr3["reads"], 256);
    EXPECT_EQ(ddr3["writes"], 256);
    EXPECT_EQ(ddr3["bytes"], 2048);
    EXPECT_EQ(ddr3["row_hits"].get<int>() + ddr3["row_misses"].get<int>() +
                  ddr3["row_conflicts"].get<int>(),
              512);
    EXPECT_GT(ddr3["refreshes"], 5);
    EXPECT_GT(ddr3["latency_ns"]["p50"], 70);
    EXPECT_GT(ddr3["rtl"]["command_check"]["commands"], 512);
    EXPECT_EQ(ddr3["rtl"]["command_check"]["violations"], 0);
    EXPECT_EQ(ddr3["rtl"]["protocol_check"]["violations"], 0);
  }
}

TEST_F(Rtl, SelftestOverTheGpgpu) { expect_same("selftest", {"gpgpu"}); }

void expect_cycles_of_the_model(const Options& program) {
  const nlohmann::json model = statistics_of(Options{"--model", "gpgpu=at"} + program);
  const nlohmann::json block = statistics_of(Options{"--model", "gpgpu=rtl"} + program);
  ASSERT_EQ(block["gpgpu"]["kernels"].size(), 5u);
  for (size_t i = 0; i < 5; ++i)
    for (const char* key : {"name", "cycles", "warp_instructions", "thread_instructions",
                            "stall_cycles", "divergent_branches", "max_stack_depth"})
      EXPECT_EQ(block["gpgpu"]["kernels"][i][key], model["gpgpu"]["kernels"][i][key]) << key;
  EXPECT_EQ(block["gpgpu"]["rtl"]["protocol_check"]["violations"], 0);
}

TEST_F(Rtl, BenchOverTheGpgpuTakesTheCyclesOfTheModel) {
  expect_cycles_of_the_model({"--arguments", "32", firmware("bench")});
}

TEST_F(Rtl, BenchOverTheThesissGpgpuTakesTheCyclesOfTheModel) {
  expect_cycles_of_the_model({"-c", source("platform/configs/flexgrip_thesis.toml"), "--arguments",
                              "32", firmware("bench")});
}

// The same transactions, each a little later: rows and refreshes of the memory differ somewhat.
TEST_F(Rtl, TheGpgpusOwnMasterTakesTheCyclesOfTheModel) {
  Bump bump;
  for (const char* timing : {"lt", "at", "rtl"}) {
    std::map<std::string, std::string> words;
    std::map<std::string, double> cycles;
    for (const char* model : {"at", "rtl"}) {
      words[model] = bump.words_after({"--model", std::string("gpgpu=") + model, "--model",
                                       std::string("axi=") + timing, "--model",
                                       std::string("ddr3=") + timing});
      cycles[model] = bump.cycles();
      EXPECT_EQ(bump.statistics["gpgpu"]["bus_transactions"], 512);
    }
    EXPECT_EQ(words["rtl"], words["at"]);
    EXPECT_EQ(bump.statistics["gpgpu"]["rtl"]["protocol_check"]["violations"], 0);
    // Answers of loosely timed targets come between edges, for which the model counts whole cycles.
    const double tolerance = timing == std::string("lt") ? 0.05 : 0.03;
    EXPECT_NEAR(cycles["rtl"] / cycles["at"], 1, tolerance) << timing;
  }
}

TEST_F(Rtl, BenchOverTheGpgpusOwnMaster) {
  const nlohmann::json block =
      statistics_of({"--model", "gpgpu=rtl", "--set", "gpgpu.global_memory=ddr3", "--arguments",
                     "32", firmware("bench")});
  EXPECT_EQ(block["gpgpu"]["kernels"].size(), 5u);
  EXPECT_GT(block["gpgpu"]["bus_transactions"], 7000);
  EXPECT_EQ(block["gpgpu"]["rtl"]["protocol_check"]["violations"], 0);
}

TEST_F(Rtl, WhatCannotBeIsRefused) {
  struct Case {
    Options options;
    const char* text;
  };
  const Case cases[] = {
      {{"--model", "timer=rtl:my_timer"}, "there is no RTL block my_timer"},
      {{"--model", "timer=at"}, "allowed: lt or rtl[:NAME]"},
      {{"--model", "gpgpu=rtl", "--set", "gpgpu.sms=13"},
       "gpgpu.sms = 13: FlexGrip as RTL has room for 12"},
      {{"--wave", "w.fst"}, "no device of this board is RTL"},
      {{"--model", "timer=rtl", "--wave", "/nowhere/w.fst"}, "cannot write"},
      {{"--model", "timer=rtl", "--wave", "-"}, "waveforms cannot go to standard output"},
      {{"--seed", "x"}, "\"x\" is not a seed"},
      {{"--seed", "2147483648"}, "is not a seed"},
  };
  for (const Case& each : cases) {
    const Result result = run("gpgpu-vp", each.options + Options{firmware("hello")});
    EXPECT_EQ(result.exit_code, 126) << each.text;
    EXPECT_THAT(result.err, HasSubstr(each.text));
  }
}

TEST_F(Rtl, WhatLooksAtInstructionsNamesTheModelForThat) {
  const std::string source_file = temporary("nothing.s"), cubin = temporary("nothing.cubin");
  write(source_file, ".kernel nothing\n.regs 4\nRET;\n");
  ASSERT_EQ(run("g80as", {source_file, "-o", cubin}).exit_code, 0);
  for (const Options& option : {Options{"--check"}, Options{"--break", "0x0"}}) {
    const Result result =
        run("gpgpu-run",
            Options{"--model", "rtl", "--cubin", cubin, "--grid", "1", "--block", "32"} + option);
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_THAT(result.err, HasSubstr("look at the instructions of a model, and gpgpu is RTL"));
    EXPECT_THAT(result.err, HasSubstr("choose --model at"));
  }
}

}  // namespace
}  // namespace gvp::test
