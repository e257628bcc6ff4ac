// SPDX-License-Identifier: Apache-2.0
// kcc as users call it: exit codes, messages, output.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/support/programs.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

const std::string kKernel = GVP_SOURCE_DIR "/firmware/kernels/cuda/reduction.cu";

struct Outcome {
  int status = -1;
  std::string text;  // standard output and error
};

Outcome kcc(const std::string& arguments, const std::string& environment = "") {
  const std::string command =
      environment + " " + test::program_path("kcc") + " " + arguments + " 2>&1";
  Outcome outcome;
  FILE* pipe = popen(command.c_str(), "r");  // NOLINT: the command is ours
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.text.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

TEST(CommandLine, CompilesCudaCToACubin) {
  const Outcome outcome = kcc(kKernel + " -o -");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("name = reduction"));
}

TEST(CommandLine, VerbosePrintsResourcesAndOccupancy) {
  const Outcome outcome = kcc("-v -O1 " + kKernel + " -o /dev/null");
  EXPECT_EQ(outcome.status, 0) << outcome.text;
  EXPECT_THAT(outcome.text, HasSubstr("reduction: "));
  EXPECT_THAT(outcome.text, HasSubstr("occupancy of an SM"));
}

TEST(CommandLine, EmitsTextOfEveryStep) {
  EXPECT_THAT(kcc("--emit ptx " + kKernel).text, HasSubstr(".entry reduction"));
  EXPECT_THAT(kcc("--emit sass -O0 " + kKernel).text, HasSubstr(".kernel reduction"));
}

TEST(CommandLine, BadInputIs126) {
  EXPECT_EQ(kcc("").status, 126);
  EXPECT_EQ(kcc("-O3 " + kKernel).status, 126);
  EXPECT_EQ(kcc("/nowhere/k.ptx").status, 126);
  EXPECT_EQ(kcc("--nonsense " + kKernel).status, 126);
}

TEST(CommandLine, OptionsThatWouldChangeNothingAreRefused) {
  const std::string ptx = GVP_SOURCE_DIR "/tests/fuzz/seeds/fuzz_ptx/srad.ptx";
  EXPECT_EQ(kcc(ptx + " -o /dev/null").status, 0);
  EXPECT_EQ(kcc("-D N=3 " + ptx).status, 126);
  EXPECT_EQ(kcc("--emit ptx " + ptx).status, 126);
  EXPECT_EQ(kcc("--emit sass --format elf " + kKernel).status, 126);
  EXPECT_EQ(kcc("--emit ptx -v " + kKernel).status, 126);
}

TEST(CommandLine, MissingClangIsNamed) {
  const Outcome outcome = kcc(kKernel, "KCC_CLANG=/nowhere/clang");
  EXPECT_EQ(outcome.status, 126);
  EXPECT_THAT(outcome.text, HasSubstr("cannot run clang"));
}

}  // namespace
}  // namespace gvp::kcc
