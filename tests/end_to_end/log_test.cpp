// SPDX-License-Identifier: Apache-2.0
// What --log makes the blocks say, and that log lines and the guest's do not spoil each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/terminal.h"

namespace gvp::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using Options = std::vector<std::string>;

std::string cubin() {
  const std::string source_file = temporary("k.s");
  const std::string path = temporary("k.cubin");
  write(source_file,
        ".kernel store\n.param out\n I2I.U32.U16 R1, R0L\n SHL R1, R1, 0x2\n"
        " IADD R1, s[out], R1\n GST.U32 global14[R1], R1\n RET\n");
  EXPECT_EQ(run("g80as", {source_file, "-o", path}).exit_code, 0);
  return path;
}

// What a kernel's run writes on standard error.
std::string log_of(Options options) {
  options.insert(options.end(), {"-q", "--load", "kernel_file=" + cubin(), "--arguments",
                                 "store 2 32 zeros:64", firmware("run")});
  const Result result = run("gpgpu-vp", options);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  return result.err;
}

TEST(Log, InfoTellsOfKernels) {
  const std::string log = log_of({"--log", "info"});
  EXPECT_THAT(log, ContainsRegex("info: gpgpu: platform\\.gpgpu @ [0-9]+ ns: kernel 1 \\(store\\) "
                                 "begins: grid 2x1, blocks of 32x1x1\n"));
  EXPECT_THAT(log, ContainsRegex("info: gpgpu: platform\\.gpgpu @ [0-9]+ ns: kernel 1 \\(store\\) "
                                 "ends after [0-9]+ cycles\n"));
  EXPECT_THAT(log, Not(HasSubstr("debug:")));
}

TEST(Log, InfoTellsOfInterrupts) {
  const std::string log =
      run("gpgpu-vp", {"-q", "--log", "info:interrupt", firmware("selftest")}).err;
  for (const char* device : {"gpgpu", "timer", "intc"})
    EXPECT_THAT(log, ContainsRegex(std::string("info: interrupt: platform\\.") + device +
                                   " @ [0-9]+ ns: interrupt raised"));
}

TEST(Log, DebugTellsOfBlocksAndRegisters) {
  const std::string log = log_of({"--log", "debug:gpgpu", "--log", "debug:registers"});
  EXPECT_THAT(log, ContainsRegex("debug: gpgpu: platform\\.gpgpu @ [0-9]+ ns: block \\(1, 0\\) on "
                                 "SM 0, slot 1 begins\n"));
  EXPECT_THAT(log, ContainsRegex("block \\(1, 0\\) on SM 0, slot 1 ends\n"));
  EXPECT_THAT(log, ContainsRegex("debug: registers: platform\\.gpgpu @ [0-9]+ ns: GRID_X = 0x2\n"));
  EXPECT_THAT(log, ContainsRegex("debug: registers: platform\\.uart16550 @ [0-9]+ ns: "));
  EXPECT_THAT(log, Not(HasSubstr("trace:")));
}

TEST(Log, DebugTellsOfRefreshesAndPageConflicts) {
  for (const char* timing : {"lt", "at"}) {
    const std::string log = log_of({"--log", "debug:ddr3", "--timing", timing, "--model", "host=at",
                                    "--set", "gpgpu.global_memory=ddr3"});
    EXPECT_THAT(log,
                ContainsRegex("debug: ddr3: platform\\.ddr3 @ [0-9]+ ns: page conflict in bank "
                              "[0-9]+: row 0x"))
        << timing;
    if (std::string(timing) == "at") {
      EXPECT_THAT(log, ContainsRegex("debug: ddr3: platform\\.ddr3 @ [0-9]+ ns: refresh\n"));
    }
  }
}

TEST(Log, TraceTellsOfEveryTransaction) {
  for (const char* timing : {"lt", "at"}) {
    const Options models = {"--timing", timing,  "--model",
                            "host=at",  "--set", "gpgpu.global_memory=ddr3"};
    const auto with = [&](const char* module) {
      Options options = models;
      options.insert(options.end(), {"--log", module});
      return log_of(options);
    };
    EXPECT_THAT(with("axi"), ContainsRegex("trace: axi: platform\\.axi @ [0-9]+ ns: host_data to "
                                           "ddr3: write of 4 bytes at 0x5[0-9a-f]+, OKAY, [0-9]+"))
        << timing;
    EXPECT_THAT(with("ddr3"), ContainsRegex("trace: ddr3: platform\\.ddr3 @ [0-9]+ ns: read of "))
        << timing;
    EXPECT_THAT(with("registers"), ContainsRegex("trace: registers: .* STATUS is 0x")) << timing;
    EXPECT_THAT(with("gpgpu"), ContainsRegex("trace: gpgpu: .* write of 4 bytes of global by 32 "
                                             "lanes, the first at 0x"))
        << timing;
  }
  EXPECT_THAT(
      log_of({"--model", "host=at", "--log", "memory"}),
      ContainsRegex("trace: memory: platform\\.gpgpu\\.global @ [0-9]+ ns: write of 4 bytes"));
}

TEST(Log, TakesAModuleAlone) {
  EXPECT_THAT(log_of({"--log", "warp"}), HasSubstr("GST.U32 global14[R1], R1"));
  const Result unknown = run("gpgpu-vp", {"--log", "wrap", firmware("hello")});
  EXPECT_EQ(unknown.exit_code, 126);
  EXPECT_THAT(unknown.err, HasSubstr("a module alone is all of its messages: "));
}

TEST(Log, ChangesNoSimulatedTime) {
  const auto time = [](const Options& log) {
    const std::string statistics = temporary("stats.json");
    Options options = log;
    options.insert(options.end(), {"--timing", "at", "--stats", statistics});
    log_of(options);
    const std::string text = read(statistics);
    const size_t begin = text.find("\"sim_time_ns\"");
    EXPECT_NE(begin, std::string::npos);
    return text.substr(begin, text.find(',', begin) - begin);
  };
  EXPECT_EQ(time({}), time({"--log", "trace"}));
}

// What a terminal shows in the end: its lines, after carriage returns and erasures.
std::vector<std::string> shown(const std::string& output) {
  std::vector<std::string> lines(1);
  size_t column = 0;
  for (size_t i = 0; i < output.size(); ++i) {
    std::string& line = lines.back();
    if (output[i] == '\n') {
      lines.emplace_back();
      column = 0;
    } else if (output[i] == '\r') {
      column = 0;
    } else if (output.compare(i, 3, "\x1b[K") == 0) {
      line.erase(column);
      i += 2;
    } else {
      line.resize(std::max(line.size(), column + 1), ' ');
      line[column++] = output[i];
    }
  }
  return lines;
}

TEST(Log, LeavesTheGuestsLinesWholeAtATerminal) {
  for (const char* kind : {"xterm", "dumb"}) {
    setenv("TERM", kind, 1);
    Terminal terminal({"--progress", "never", "--log", "registers", firmware("hello")});
    const std::string output = terminal.read_until("exit code 0");
    EXPECT_EQ(terminal.wait(), 0);
    unsigned greetings = 0;
    for (const std::string& line : shown(output)) {
      if (std::regex_match(line, std::regex("Hello from the MicroBlaze, [0-9]+ us after reset\\.")))
        ++greetings;
      EXPECT_EQ(line.find("trace:", 1), std::string::npos) << line;
    }
    EXPECT_EQ(greetings, 1u) << kind;
  }
}

}  // namespace
}  // namespace gvp::test
