// SPDX-License-Identifier: Apache-2.0
// What a user meets before any firmware runs: help, versions, refusals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/end_to_end/program.h"
#include "tests/support/programs.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(CommandLine, HelpAndVersionGoToStandardOutput) {
  const Result help = run("gpgpu-vp", {"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_THAT(help.out, StartsWith("usage: gpgpu-vp [options] FIRMWARE.elf"));
  EXPECT_EQ(help.err, "");
  const Result version = run("gpgpu-vp", {"--version"});
  EXPECT_THAT(version.out, StartsWith("gpgpu-vp "));
  EXPECT_THAT(version.out, HasSubstr("SystemC 2.3"));
}

TEST(CommandLine, DumpedConfigurationReadsBackIdentically) {
  const Result first =
      run("gpgpu-vp", {"--dump-config", "--set", "gpgpu.sps=32", "--timing", "at"});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_THAT(first.out, HasSubstr("\nsps = 32\n"));
  const std::string path = temporary("dump.toml");
  write(path, first.out);
  EXPECT_EQ(run("gpgpu-vp", {"-c", path, "--dump-config"}).out, first.out);
  std::remove(path.c_str());
}

TEST(CommandLine, ABrokenPlatformFileIsRefusedWithLineAndColumn) {
  const std::string path = temporary("broken.toml");
  write(path, "[gpgpu]\nsps = 12\n");
  const Result result = run("gpgpu-vp", {"-c", path, firmware("hello")});
  std::remove(path.c_str());
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr(path + ":2:7: gpgpu.sps = 12 is not possible"));
}

TEST(CommandLine, ABrokenFirmwareIsRefusedByName) {
  const std::string path = temporary("broken.elf");
  write(path, read(firmware("hello")).substr(0, 1000));
  const Result truncated = run("gpgpu-vp", {path});
  EXPECT_EQ(truncated.exit_code, 126);
  EXPECT_THAT(truncated.err, HasSubstr(path + ": "));
  write(path, "no ELF at all");
  EXPECT_EQ(run("gpgpu-vp", {path}).exit_code, 126);
  std::remove(path.c_str());
  EXPECT_EQ(run("gpgpu-vp", {path}).exit_code, 126);
  EXPECT_THAT(run("gpgpu-vp", {"/bin/true"}).err, HasSubstr("not for MicroBlaze"));
}

TEST(CommandLine, TheWrongEndiannessIsRefusedWithARemedy) {
  const Result result = run("gpgpu-vp", {"--set", "host.big_endian=true", firmware("hello")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("--set host.big_endian=false"));
}

TEST(CommandLine, ADirectoryIsNoFirmware) {
  const Result result = run("gpgpu-vp", {testing::TempDir()});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("is a directory"));
}

// Before the run: what was simulated for hours should not be lost to a slip of the pen.
TEST(CommandLine, OutputFilesThatCannotBeWrittenAreRefusedBeforeTheRun) {
  for (const char* option : {"--stats", "--profile"}) {
    const Result result = run("gpgpu-vp", {option, "/nowhere/at/all", firmware("hello")});
    EXPECT_EQ(result.exit_code, 126) << option;
    EXPECT_EQ(result.out, "") << option;
    EXPECT_THAT(result.err, HasSubstr("/nowhere/at/all: cannot write: No such file")) << option;
  }
}

TEST(CommandLine, AFullDiskFailsTheRunWhateverIsWrittenThere) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--stats", "/dev/full"},
        std::vector<std::string>{"--profile", "/dev/full"},
        std::vector<std::string>{"--uart", "file:/dev/full"}}) {
    std::vector<std::string> arguments = options;
    arguments.push_back(firmware("hello"));
    const Result result = run("gpgpu-vp", arguments);
    EXPECT_EQ(result.exit_code, 126) << options[0];
    EXPECT_THAT(result.err, HasSubstr("/dev/full")) << options[0];
    EXPECT_THAT(result.err, HasSubstr("firmware exit code 0")) << options[0];  // the summary
  }
}

TEST(CommandLine, StandardOutputThatCannotBeWrittenFails) {
  const std::string program = program_path("gpgpu-vp") + " ";
  for (const std::string& arguments :
       {std::string("--help"), std::string("--dump-config"), "-q " + firmware("hello"),
        "-q --uart none --stats - " + firmware("hello")}) {
    const int status = std::system((program + arguments + " >/dev/full 2>/dev/null").c_str());
    EXPECT_EQ(WEXITSTATUS(status), 126) << arguments;
  }
}

TEST(CommandLine, ArgumentsThatNoFirmwareTakesAreRefused) {
  const Result result = run("gpgpu-vp", {"--arguments", "32 \xff", firmware("bench")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr("byte 0xff"));
}

TEST(CommandLine, ModelsThatAreNotBuiltInAreRefused) {
  for (const char* block : {"host", "gpgpu", "axi", "ddr3"}) {
    const Result result =
        run("gpgpu-vp", {"--model", std::string(block) + "=rtl:none_such", firmware("hello")});
    EXPECT_EQ(result.exit_code, 126) << block;
    EXPECT_THAT(result.err, HasSubstr("none_such")) << block;
  }
}

}  // namespace
}  // namespace gvp::test
