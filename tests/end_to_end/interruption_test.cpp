// SPDX-License-Identifier: Apache-2.0
// Signals to a running gpgpu-vp, whose firmware here is an endless loop in local memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/shell.h"
#include "tests/end_to_end/terminal.h"
#include "tests/platform/elf/elf_image.h"
#include "tests/support/programs.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;

// addik r3, r3, 1; bri -4
std::string endless_loop() {
  const std::vector<uint8_t> image = platform::test::elf_image(
      {{0x50, {0x01, 0x00, 0x63, 0x30, 0xfc, 0xff, 0x00, 0xb8}, 8}}, 0x50, {{"loop", 0x50, 8}});
  const std::string path = temporary("loop.elf");
  write(path, std::string(image.begin(), image.end()));
  return path;
}

void expect_clean_stop(int signal, int exit_code) {
  const std::string elf = endless_loop();
  const std::string statistics = temporary("stats.json");
  Program program("gpgpu-vp", {"--progress", "always", "--stats", statistics, elf});
  for (int i = 0; i < 2000 && program.err_so_far().find("MIPS") == std::string::npos; ++i)
    usleep(10000);  // until the progress line says that it runs
  program.signal(signal);
  const Result result = program.wait();
  EXPECT_EQ(result.exit_code, exit_code);
  EXPECT_THAT(result.err, HasSubstr("stopped by signal " + std::to_string(signal)));
  const auto json = nlohmann::json::parse(read(statistics));
  EXPECT_EQ(json["end"], "signal");
  EXPECT_GT(json["host"]["instructions"], 1000);
  std::remove(elf.c_str());
  std::remove(statistics.c_str());
}

TEST(Interruption, ControlCAtATerminalStopsAndRestoresIt) {
  const std::string elf = endless_loop();
  Terminal terminal({elf});
  EXPECT_THAT(terminal.read_until("MIPS"), HasSubstr("MIPS"));  // progress, as on any terminal
  EXPECT_FALSE(terminal.echoes());
  terminal.type('\x03');
  EXPECT_THAT(terminal.read_until("instructions,"), HasSubstr("stopped by signal 2"));
  EXPECT_EQ(terminal.wait(), 130);
  EXPECT_TRUE(terminal.echoes());
  std::remove(elf.c_str());
}

TEST(Interruption, SigintStopsWithStatistics) { expect_clean_stop(SIGINT, 130); }

TEST(Interruption, SigtermStopsWithStatistics) { expect_clean_stop(SIGTERM, 143); }

TEST(Interruption, SighupStopsWithStatistics) { expect_clean_stop(SIGHUP, 129); }

TEST(Interruption, SigquitStopsWithStatistics) { expect_clean_stop(SIGQUIT, 131); }

TEST(Interruption, AHangupThatTheCallerIgnoresIsIgnored) {
  const std::string elf = endless_loop();
  const Result result = shell("trap '' HUP; $BIN/gpgpu-vp --max-time 200ms " + elf +
                              " & sleep 0.2; kill -HUP $!; wait $!");
  EXPECT_EQ(result.exit_code, 124) << result.err;
  std::remove(elf.c_str());
}

TEST(Interruption, ATerminalIsRestoredWhateverSignalComesBeforeTheRun) {
  const std::string elf = endless_loop();
  Terminal terminal({"--set", "uartlite.line=tcp:0,wait", elf});  // the console is this terminal
  EXPECT_THAT(terminal.read_until("waiting"), HasSubstr("waiting for a client"));
  EXPECT_FALSE(terminal.echoes());
  terminal.type('\x1c');  // ^\: SIGQUIT
  EXPECT_EQ(terminal.wait(), 131);
  EXPECT_TRUE(terminal.echoes());
  std::remove(elf.c_str());
}

TEST(Interruption, AKernelWithoutAHostStopsWithStatistics) {
  const std::string code = temporary("loop.s");
  const std::string hex = temporary("loop.hex");
  const std::string statistics = temporary("stats.json");
  write(code, ".kernel loop\nagain: BRA again;\nRET;\n");
  ASSERT_EQ(run("g80as", {code, "-o", hex}).exit_code, 0);
  for (const int number : {SIGHUP, SIGQUIT}) {
    Program program("gpgpu-run", {"--code", hex, "--regs", "4", "--grid", "1", "--block", "32",
                                  "--max-cycles", "0", "--stats", statistics, "--log", "info"});
    for (int i = 0; i < 3000 && program.err_so_far().find("begins") == std::string::npos; ++i)
      usleep(10000);
    program.signal(number);
    const Result result = program.wait();
    EXPECT_EQ(result.exit_code, 128 + number) << result.err;
    EXPECT_EQ(nlohmann::json::parse(read(statistics))["exit_code"], 128 + number);
    std::remove(statistics.c_str());
  }
  for (const std::string& path : {code, hex, statistics}) std::remove(path.c_str());
}

TEST(Interruption, ARunningKernelStopsToo) {
  const std::string code = temporary("endless.s"), cubin = temporary("endless.cubin");
  write(code, ".kernel endless\nagain: BRA again;\nRET;\n");
  ASSERT_EQ(run("g80as", {code, "-o", cubin}).exit_code, 0);
  Program program("gpgpu-vp",
                  {"--progress", "always", "--quiet", "--model", "gpgpu=at", "--load",
                   "kernel_file=" + cubin, "--arguments", "endless 1 32", firmware("run")});
  for (int i = 0; i < 3000 && program.err_so_far().find(": block") == std::string::npos; ++i)
    usleep(10000);
  program.signal(SIGINT);
  const Result result = program.wait();
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_THAT(result.err, HasSubstr("stopped by signal 2"));
}

TEST(Interruption, AnEndlessLoopEndsAtTheTimeLimit) {
  const std::string elf = endless_loop();
  EXPECT_EQ(run("gpgpu-vp", {"--max-time", "1ms", elf}).exit_code, 124);
  std::remove(elf.c_str());
}

}  // namespace
}  // namespace gvp::test
