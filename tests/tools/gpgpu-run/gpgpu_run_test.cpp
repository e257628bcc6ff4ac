// SPDX-License-Identifier: Apache-2.0
// gpgpu-run as a user runs it: results, messages and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/cubin.h"
#include "tests/end_to_end/program.h"

namespace gvp::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// d[i] = a[i] + c[1][0] for i below ntid.x * nctaid.x; a and d are parameters.
constexpr const char* kAddConstant = R"(
.kernel add_constant
    I2I.U32.U16 R1, R0L;
    MOV.U16 R2L, g [0x1].U16;
    MOV.U16 R2H, g [0x6].U16;
    IMAD.U16 R1, R2L, R2H, R1;
    SHL R1, R1, 0x2;
    IADD R3, g [0x4], R1;
    GLD.U32 R4, global14[R3];
    IADD R4, R4, c[0x1][0x0];
    IADD R3, g [0x5], R1;
    GST.U32 global14[R3], R4;
    RET;
)";

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class GpgpuRunTest : public testing::Test {
 protected:
  GpgpuRunTest()
      : folder_(std::filesystem::path(GVP_BINARY_DIR) / "tests" /
                ("gpgpu_run_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~GpgpuRunTest() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& contents) const {
    std::ofstream(path(name)) << contents;
    return path(name);
  }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  // The code of a source as .hex.
  std::string hex(const std::string& source) const {
    return write("k.hex",
                 gpgpu::g80::to_hex(gpgpu::g80::assemble(source, "test").kernels.at(0).code));
  }
  Result run_code(const std::string& source, std::vector<std::string> options) const {
    std::vector<std::string> all = {"--code", hex(source), "--regs", "8"};
    all.insert(all.end(), options.begin(), options.end());
    return run("gpgpu-run", all);
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(GpgpuRunTest, LoadsRunsAndDumps) {
  std::string input;
  std::string expected;
  for (uint32_t i = 0; i < 128; ++i) {
    char line[16];
    std::snprintf(line, sizeof line, "0x%08x\n", i * 3);
    input += line;
    std::snprintf(line, sizeof line, "0x%08x\n", i * 3 + 100);
    expected += line;
  }
  for (const char* timing : {"lt", "at"}) {
    const Result result = run_code(
        kAddConstant, {"--grid", "2", "--block", "64", "--param", "0x1000", "--param", "0x2000",
                       "--const", "1:0=100", "--load", "0x1000=" + write("in.hex", input), "--dump",
                       "0x2000:512=" + path("out.hex"), "--timing", timing});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(read("out.hex"), expected);
    EXPECT_THAT(result.err,
                AllOf(HasSubstr("grid 2x1, block 64x1x1"), HasSubstr("44 warp instructions")));
    EXPECT_EQ(result.out, "");
  }
}

TEST_F(GpgpuRunTest, AFaultNamesTheLineOfTheSource) {
  const std::string source =
      write("k.cu",
            "__device__ int twice(int v) {\n  return v + v;\n}\n"
            "__global__ void wild(int* out) {\n"
            "  int i = twice(threadIdx.x);\n  if (i > 2)\n    out[i] = 5;\n}\n");
  for (const char* format : {"text", "elf"}) {
    ASSERT_EQ(
        run("kcc", {"-lineinfo", source, "--format", format, "-o", path("k.cubin")}).exit_code, 0);
    const Result result = run("gpgpu-run", {"--cubin", path("k.cubin"), "--grid", "1", "--block",
                                            "4", "--param", "0x80000000"});
    EXPECT_EQ(result.exit_code, 125);
    EXPECT_THAT(result.err, HasSubstr("k.cu:7, SM 0, ")) << "the log";
    EXPECT_EQ(occurrences(result.err, "k.cu:7"), 1) << result.err;
  }
}

TEST_F(GpgpuRunTest, BinaryFilesAreBytes) {
  write("in.bin", std::string("\x01\x00\x00\x00\x02\x00\x00\x00", 8));
  const Result result =
      run_code(kAddConstant, {"--grid", "1", "--block", "2", "--param", "0", "--param", "0x100",
                              "--const", "1:0=1", "--load", "0=" + path("in.bin"), "--dump",
                              "0x100:8=" + path("out.bin"), "-q"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read("out.bin"), std::string("\x02\x00\x00\x00\x03\x00\x00\x00", 8));
  EXPECT_EQ(result.err, "");
}

TEST_F(GpgpuRunTest, RunsAKernelOfACubin) {
  gpgpu::g80::Module module = gpgpu::g80::assemble(kAddConstant, "test");
  module.kernels[0].registers = 8;
  module.kernels[0].shared_bytes = 24;
  module.kernels[0].constants.push_back({"", 1, 0, 4, {9}});
  write("k.cubin", gpgpu::g80::to_text_cubin(module));
  const Result result = run(
      "gpgpu-run", {"--cubin", path("k.cubin"), "--kernel", "add_constant", "--grid", "1",
                    "--block", "2", "--param", "0x200", "--param", "0x100", "--dump", "0x100:8=-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "0x00000009\n0x00000009\n");
  EXPECT_THAT(result.err, HasSubstr("add_constant: grid"));
  module.kernels[0].parameter_bytes = 8;
  write("k.cubin", gpgpu::g80::to_text_cubin(module));
  const Result few =
      run("gpgpu-run", {"--cubin", path("k.cubin"), "--grid", "1", "--block", "2", "--param", "0"});
  EXPECT_EQ(few.exit_code, 126);
  EXPECT_THAT(few.err, HasSubstr("takes 8 bytes of parameters, 4 are given"));
  const Result many = run("gpgpu-run", {"--cubin", path("k.cubin"), "--grid", "1", "--block", "2",
                                        "--param", "0", "--param", "0", "--param", "0"});
  EXPECT_EQ(many.exit_code, 126);
  EXPECT_THAT(many.err, HasSubstr("takes 8 bytes of parameters, 12 are given"));
  module.kernels[0].parameter_bytes = 0;
  write("k.cubin", gpgpu::g80::to_text_cubin(module));
  const Result none =
      run("gpgpu-run", {"--cubin", path("k.cubin"), "--grid", "1", "--block", "2", "--param", "0"});
  EXPECT_EQ(none.exit_code, 126);
  EXPECT_THAT(none.err, HasSubstr("takes 0 bytes of parameters, 4 are given"));
  const Result wrong = run("gpgpu-run", {"--cubin", path("k.cubin"), "--kernel", "nothing",
                                         "--grid", "1", "--block", "1"});
  EXPECT_EQ(wrong.exit_code, 126);
  EXPECT_THAT(wrong.err, HasSubstr("add_constant"));
}

TEST_F(GpgpuRunTest, GlobalMemoryMayBeDdr3) {
  const Result result =
      run_code(kAddConstant, {"--grid", "1", "--block", "32", "--param", "0x50000000", "--param",
                              "0x50001000", "--const", "1:0=5", "--set", "gpgpu.global_memory=ddr3",
                              "--dump", "0x50001000:4=-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "0x00000005\n");
}

TEST_F(GpgpuRunTest, AKernelTakesTheSameCyclesOnAnyBoardOfTheSameKeys) {
  for (const char* timing : {"lt", "at"})
    for (const char* memory : {"bram", "ddr3"}) {
      std::vector<nlohmann::json> kernels;
      std::vector<std::string> results;
      for (const char* board : {"gpgpu_only", "ml605", "two_gpgpus"}) {
        const bool two = std::string(board) == "two_gpgpus";
        const bool ddr3 = std::string(memory) == "ddr3";
        const std::string base = !ddr3 ? "0x" : two ? "0x8000" : "0x5000";
        const Result result =
            run_code(kAddConstant, {"--grid",   "3",
                                    "--block",  "96",
                                    "--param",  base + "2000",
                                    "--param",  base + "3000",
                                    "--const",  "1:0=5",
                                    "--timing", timing,
                                    "--board",  board,
                                    "--set",    std::string("gpgpu.global_memory=") + memory,
                                    "--set",    "axi.check=true",
                                    "--dump",   base + "3000:1152=-",
                                    "--stats",  path("s.json")});
        ASSERT_EQ(result.exit_code, 0) << result.err;
        const nlohmann::json statistics = nlohmann::json::parse(read("s.json"));
        EXPECT_EQ(statistics["config"]["board"], board);
        EXPECT_EQ(statistics["axi"]["protocol_check"]["violations"], 0);
        EXPECT_GT(statistics["axi"]["protocol_check"]["transactions"], 0);
        // Loosely timed, the device has direct access to the memory, which counts nothing.
        EXPECT_EQ(statistics["ddr3"]["writes"] > 0, ddr3 && std::string(timing) == "at");
        EXPECT_FALSE(statistics.contains("host"));
        kernels.push_back(statistics["gpgpu"]["kernels"][0]);
        results.push_back(result.out);
      }
      EXPECT_EQ(results[0], results[1]);
      EXPECT_EQ(results[0], results[2]);
      EXPECT_EQ(kernels[0], kernels[1]) << timing << ' ' << memory;
      if (std::string(memory) == "bram") {
        EXPECT_EQ(kernels[0], kernels[2]) << timing;
      }
    }
}

TEST_F(GpgpuRunTest, ASecondDeviceOfABoardRunsKernelsToo) {
  const Result result =
      run_code(kAddConstant, {"--board", "two_gpgpus", "--device", "gpgpu1", "--grid", "1",
                              "--block", "32", "--param", "0x2000", "--param", "0x1000", "--const",
                              "1:0=7", "--dump", "0x1000:4=-", "--stats", path("s.json")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "0x00000007\n");
  const nlohmann::json statistics = nlohmann::json::parse(read("s.json"));
  EXPECT_EQ(statistics["gpgpu1"]["kernels"].size(), 1u);
  EXPECT_EQ(statistics["gpgpu"]["kernels"].size(), 0u);
}

TEST_F(GpgpuRunTest, TheBoardsBusesAreTraced) {
  const Result result =
      run_code(kAddConstant,
               {"--grid", "1", "--block", "32", "--param", "0x50000000", "--param", "0x50001000",
                "--set", "gpgpu.global_memory=ddr3", "--timing", "at", "--trace", path("t.csv")});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const std::string trace = read("t.csv");
  for (const char* port : {"loader", "gpgpu", "gpgpu_control", "ddr3"})
    EXPECT_THAT(trace, HasSubstr(port));
  EXPECT_THAT(trace, HasSubstr("50001000"));
  EXPECT_EQ(run_code("RET;\n", {"--grid", "1", "--block", "1", "--trace", path("t.xyz")}).exit_code,
            126);
}

// A window's end denies direct access at the port, which is not how kernels reach the block RAM.
TEST_F(GpgpuRunTest, ATraceOfAWindowOfTimeLeavesTheKernelItsBlockRam) {
  const std::vector<std::string> plain = {"--grid", "1", "--block", "32", "-p", "0x1000"};
  std::vector<std::string> traced = plain;
  traced.insert(traced.end(), {"--trace", path("t.csv") + ":time=1us..2us"});
  const char* const source = R"(
    I2I.U32.U16 R1, R0L;
    SHL R1, R1, 0x2;
    IADD R1, g [0x4], R1;
    GST.U32 global14[R1], R0;
    GLD.U32 R2, global14[R1];
    RET;
)";
  const Result without = run_code(source, plain);
  ASSERT_EQ(without.exit_code, 0) << without.err;
  const Result with = run_code(source, traced);
  EXPECT_EQ(with.exit_code, 0) << with.err;
  EXPECT_EQ(with.out, without.out);
}

TEST_F(GpgpuRunTest, OneWordOfParametersTooManyIsRefused) {
  std::vector<std::string> options = {"--grid", "1", "--block", "32"};
  for (int i = 0; i < 32; ++i) options.insert(options.end(), {"--param", "1"});
  EXPECT_EQ(run_code("RET;\n", options).exit_code, 0);
  options.insert(options.end(), {"--param", "1"});
  const Result result = run_code("RET;\n", options);
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("33 words of parameters, the device has registers for 32"));
}

// A device's block RAM ends; what is behind it on the bus is another device's.
TEST_F(GpgpuRunTest, OtherDevicesOfTheBusAreNoGlobalMemory) {
  const std::vector<std::string> options = {"--dump=0x0a000000:4=-",
                                            "--load=0x0a000000=" + write("in.hex", "0x1\n")};
  for (const std::string& option : options) {
    const Result result = run_code("RET;\n", {"--grid", "1", "--block", "1", option});
    EXPECT_EQ(result.exit_code, 126) << option << result.out;
    EXPECT_THAT(result.err, HasSubstr("global memory")) << option;
  }
}

TEST_F(GpgpuRunTest, ABoardThatCannotRunAKernelIsRefused) {
  const std::string head =
      "name = \"b\"\n[clocks]\nsystem = 100_000_000\n[devices.axi]\n"
      "type = \"axi_interconnect\"\nclock = \"system\"\n";
  const std::string gpgpu =
      "[devices.g]\ntype = \"flexgrip\"\nclock = \"system\"\n"
      "bus = \"axi\"\nwindows.control = { base = 0x4000_0000 }\n"
      "windows.code = { base = 0x4100_0000 }\n"
      "windows.global = { base = 0x4200_0000 }\n";
  const std::string loader = "[devices.l]\ntype = \"external_master\"\nbus = \"axi\"\n";
  const auto complaint = [&](const std::string& board, const std::vector<std::string>& more = {}) {
    std::vector<std::string> options = {"--grid", "1",       "--block",
                                        "1",      "--board", write("b.toml", board)};
    options.insert(options.end(), more.begin(), more.end());
    const Result result = run_code("RET;\n", options);
    EXPECT_EQ(result.exit_code, 126);
    return result.err;
  };
  EXPECT_THAT(complaint(head + loader), HasSubstr("finds nothing to run a kernel on board b"));
  EXPECT_THAT(complaint(head + gpgpu),
              HasSubstr("board b has no bus port to launch kernels by (add a device of type "
                        "external_master)"));
  EXPECT_THAT(complaint(head + gpgpu + loader, {"--set", "g.global_memory=ddr3"}),
              HasSubstr("there is no memory on its bus"));
  EXPECT_EQ(run_code("RET;\n", {"--grid", "1", "--block", "1", "--board",
                                write("b.toml", head + gpgpu + loader)})
                .exit_code,
            0);
}

TEST_F(GpgpuRunTest, AFaultIsLocatedAndEndsWithAModelError) {
  const Result result = run_code("MVI R1, 0x6;\n GLD.U32 R2, global14[R1];\n RET;\n",
                                 {"--grid", "1", "--block", "32"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_THAT(result.err, AllOf(HasSubstr("misaligned memory access"), HasSubstr("pc 0x0008"),
                                HasSubstr("GLD.U32 R2, global14[R1]"), HasSubstr("0x00000006")));
  EXPECT_EQ(occurrences(result.err, "misaligned memory access"), 1) << "told once: " << result.err;
  EXPECT_THAT(result.err, HasSubstr(": stopped by a fault\n"));
  const Result silent = run_code("MVI R1, 0x6;\n GLD.U32 R2, global14[R1];\n RET;\n",
                                 {"--grid", "1", "--block", "32", "--log", "off"});
  EXPECT_EQ(occurrences(silent.err, "misaligned memory access"), 1) << silent.err;
  EXPECT_THAT(silent.err, HasSubstr("pc 0x0008"));
}

TEST_F(GpgpuRunTest, AKernelTheDeviceRefusesIsBadInput) {
  const Result result = run_code("RET;\n", {"--grid", "1", "--block", "512"});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("a block of 512 threads"));
}

TEST_F(GpgpuRunTest, AnEndlessKernelEndsWithItsLimit) {
  for (const char* timing : {"lt", "at"}) {
    const Result result =
        run_code("loop: BRA loop;\n",
                 {"--grid", "1", "--block", "32", "--max-cycles", "100000", "--timing", timing});
    EXPECT_EQ(result.exit_code, 124) << timing;
    EXPECT_THAT(result.err, HasSubstr("100000 cycles"));
  }
}

TEST_F(GpgpuRunTest, WhatDoesNotFitMemoryIsSaid) {
  write("big.bin", std::string(5 << 20, 'x'));
  const Result load =
      run_code("RET;\n", {"--grid", "1", "--block", "1", "--load", "0=" + path("big.bin")});
  EXPECT_EQ(load.exit_code, 126);
  EXPECT_THAT(load.err, AllOf(HasSubstr("big.bin"), HasSubstr("global_bytes")));
  const Result dump = run_code("RET;\n", {"--grid", "1", "--block", "1", "--dump", "0x400000:4=-"});
  EXPECT_EQ(dump.exit_code, 126);
}

TEST_F(GpgpuRunTest, BrokenFilesAreLocated) {
  write("bad.hex", "0x1234\nzzz\n");
  const Result result =
      run("gpgpu-run", {"--code", path("bad.hex"), "--regs", "4", "--grid", "1", "--block", "1"});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("bad.hex:2"));
  const Result missing =
      run("gpgpu-run", {"--code", path("none.hex"), "--regs", "4", "--grid", "1", "--block", "1"});
  EXPECT_EQ(missing.exit_code, 126);
}

// Reading a directory as a file gives nothing, and silently.
TEST_F(GpgpuRunTest, ADirectoryIsNoFile) {
  const std::vector<std::string> shape = {"--grid", "1", "--block", "1", "--load", "0=" + path("")};
  const Result load = run_code("RET;\n", shape);
  EXPECT_EQ(load.exit_code, 126);
  EXPECT_THAT(load.err, HasSubstr("is a directory"));
  EXPECT_THAT(run("gpgpu-run", {"--cubin", path(""), "--grid", "1", "--block", "1"}).err,
              HasSubstr("is a directory"));
}

TEST_F(GpgpuRunTest, StatisticsHaveTheExitCodeOfTheProcess) {
  const Result result = run_code("GST.U32 global14[R124], R1;\n RET;\n",
                                 {"--grid", "1", "--block", "1", "--check", "--buffer", "a=0x100:4",
                                  "--stats", path("s.json")});
  EXPECT_EQ(result.exit_code, 125) << result.err;
  EXPECT_EQ(nlohmann::json::parse(read("s.json"))["exit_code"], 125);
}

TEST_F(GpgpuRunTest, StatisticsAreOneJsonObject) {
  const std::vector<std::string> options = {"--grid", "2",       "--block",
                                            "64",     "--stats", path("s.json")};
  ASSERT_EQ(run_code("NOP;\n RET;\n", options).exit_code, 0);
  const nlohmann::json statistics = nlohmann::json::parse(read("s.json"));
  EXPECT_EQ(statistics["tool"], "gpgpu-run");
  EXPECT_EQ(statistics["exit_code"], 0);
  const auto& kernel = statistics["gpgpu"]["kernels"][0];
  EXPECT_EQ(kernel["warp_instructions"], 8);
  EXPECT_EQ(kernel["thread_instructions"], 256);
  EXPECT_GT(kernel["cycles"], 100);
}

TEST_F(GpgpuRunTest, TwoSmsGiveTheSameResult) {
  std::string results[2];
  for (int n = 0; n < 2; ++n) {
    const Result result =
        run_code(kAddConstant,
                 {"--grid", "7", "--block", "96", "--param", "0x8000", "--param", "0x4000",
                  "--const", "1:0=3", "--sms", std::to_string(n + 1), "--dump", "0x4000:2688=-"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    results[n] = result.out;
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST_F(GpgpuRunTest, TheIssueTraceHasALineForEachRow) {
  ASSERT_EQ(run_code("NOP;\n RET;\n", {"--grid", "1", "--block", "32", "--timing", "at",
                                       "--issue-trace", path("t.csv")})
                .exit_code,
            0);
  const std::string trace = read("t.csv");
  EXPECT_EQ(trace.rfind("warp,row,pc,issue,fetch,decode,read,execute,write,sm\n", 0), 0u);
  EXPECT_EQ(std::count(trace.begin(), trace.end(), '\n'), 1 + 2 * 4);
}

TEST_F(GpgpuRunTest, IssueTracesHaveTheSameColumnsForAnyNumberOfSms) {
  std::vector<std::string> headers;
  for (const char* sms : {"1", "2"}) {
    ASSERT_EQ(run_code("RET;\n", {"--grid", "2", "--block", "32", "--sms", sms, "--timing", "at",
                                  "--issue-trace", path("t.csv")})
                  .exit_code,
              0);
    const std::string trace = read("t.csv");
    headers.push_back(trace.substr(0, trace.find('\n')));
    EXPECT_EQ(trace.find(",1\n") != std::string::npos, std::string(sms) == "2") << trace;
  }
  EXPECT_EQ(headers[0], headers[1]);
}

TEST_F(GpgpuRunTest, RegistersBeyondTheKernelsOwnAreRefused) {
  const std::string source = "MOV R1, R0;\n IADD R2, R1, R20;\n RET;\n";
  const Result refused = run_code(source, {"--grid", "1", "--block", "32"});
  EXPECT_EQ(refused.exit_code, 126);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("has 8 registers a thread and uses R20 at 0x0008"),
                                 HasSubstr("IADD R2, R1, R20"), HasSubstr("it takes 21")));
  EXPECT_EQ(run_code(source, {"--grid", "1", "--block", "32", "--any-register"}).exit_code, 0);
  EXPECT_EQ(run_code("MOV R1, R124;\n RET;\n", {"--grid", "1", "--block", "32"}).exit_code, 0)
      << "beyond every allocation: a zero, on purpose";
}

}  // namespace
TEST_F(GpgpuRunTest, BlocksThatDoNotFitTheRegisterFileSayWhatToDo) {
  const Result refused =
      run("gpgpu-run", {"--code", hex("RET;\n"), "--regs", "64", "--grid", "1", "--block", "256"});
  EXPECT_EQ(refused.exit_code, 126);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("64 registers for each of 256 threads; an SM has 8192 registers"),
                    HasSubstr("kcc --max-registers")));
}

}  // namespace gvp::test
