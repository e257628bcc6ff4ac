// SPDX-License-Identifier: Apache-2.0
// gvp-cosim as a user runs it: runs without a difference, and a fault in the RTL that is found,
// made small and written as a test which shows it again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/end_to_end/program.h"
#include "tests/support/longest_line.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Words = std::vector<std::string>;

Words words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::string line_with(const std::string& text, const std::string& part) {
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (line.find(part) != std::string::npos) return line;
  return "";
}

bool has_rtl() {
  return std::filesystem::exists(GVP_BINARY_DIR "/tests/rtl_blocks/flexgrip_faults.so");
}

class Cosim : public testing::Test {
 protected:
  ~Cosim() override {
    unsetenv("FLEXGRIP_FAULT");
    std::filesystem::remove_all(folder_);
  }

  // On the RTL with this fault.
  Result search(const char* fault, const Words& options) {
    setenv("FLEXGRIP_FAULT", fault, 1);
    Words all = {"--plugin", GVP_BINARY_DIR "/tests/rtl_blocks/flexgrip_faults.so",
                 "--models", "at,rtl:flexgrip_faults",
                 "--output", folder_};
    all.insert(all.end(), options.begin(), options.end());
    return run("gvp-cosim", all);
  }

  const std::string folder_ = temporary("cosim");
};

TEST_F(Cosim, ModelsAgree) {
  const Result result = run("gvp-cosim", {"--models", "at,lt", "--count", "20"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.err, HasSubstr("gpgpu=at,lt: 20 runs from seed 1: "));
  EXPECT_EQ(result.out, "");
}

TEST_F(Cosim, ModelAndRtlAgree) {
  if (!has_rtl()) GTEST_SKIP() << "built without Verilator";
  for (const Words& more : {Words{"--models", "at,rtl", "--cycles"}, Words{"--models", "lt,rtl"}}) {
    Words options = {"--count", "15", "--seed", "1000"};
    options.insert(options.end(), more.begin(), more.end());
    const Result result = run("gvp-cosim", options);
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_THAT(result.err, HasSubstr("15 runs from seed 1000"));
  }
}

TEST_F(Cosim, AFaultIsFoundMadeSmallAndShownAgain) {
  if (!has_rtl()) GTEST_SKIP() << "built without Verilator";
  const struct {
    const char* fault;
    const char* instruction;  // where it shows
    size_t most_lines;
  } cases[] = {{"1", "IADD", 4}, {"21", "GST", 4}};
  for (const auto& each : cases) {
    const Result found = search(each.fault, {"--count", "500"});
    ASSERT_EQ(found.exit_code, 125) << each.fault << found.out << found.err;
    const std::string smaller = line_with(found.out, "made smaller, ");
    EXPECT_THAT(smaller, HasSubstr(each.instruction));
    EXPECT_LE(std::stoul(words_of(smaller).at(2)), each.most_lines) << smaller;
    const std::string line = line_with(found.out, "gpgpu-run --compare ");
    ASSERT_NE(line, "") << found.out;
    Words words = words_of(line);
    words.erase(words.begin());
    const Result again = run("gpgpu-run", words);
    EXPECT_EQ(again.exit_code, 125) << line << again.err;
    // The same words about the same instruction, but for the number of the kernel.
    const std::string where =
        smaller.substr(smaller.rfind(", SM 0"), smaller.rfind(';') - smaller.rfind(", SM 0"));
    EXPECT_THAT(again.err, HasSubstr(where));
    setenv("FLEXGRIP_FAULT", "0", 1);
    EXPECT_THAT(run("gpgpu-run", words).err, Not(HasSubstr(" differ: ")));
    std::filesystem::remove_all(folder_);
  }
}

TEST_F(Cosim, ARunIsRepeatedByItsSeed) {
  if (!has_rtl()) GTEST_SKIP() << "built without Verilator";
  const Result found = search("21", {"--count", "500", "--no-shrink"});
  ASSERT_EQ(found.exit_code, 125) << found.out << found.err;
  const std::string first = line_with(found.out, "seed ");
  const std::string seed = first.substr(5, first.find(':') - 5);
  const Result again = search("21", {"--count", "1", "--seed", seed, "--no-shrink"});
  EXPECT_EQ(again.exit_code, 125);
  const auto without_kernel = [](const std::string& text) {
    return text.substr(0, text.find("; kernel"));
  };
  EXPECT_EQ(without_kernel(line_with(again.out, "seed ")), without_kernel(first));
}

// A fault that an access shows is written with its accesses, and --replay shows it again.
TEST_F(Cosim, WhatTakesAccessesIsReplayed) {
  if (!has_rtl()) GTEST_SKIP() << "built without Verilator";
  const Result found = search("42", {"--count", "500"});
  ASSERT_EQ(found.exit_code, 125) << found.out << found.err;
  const std::string line = line_with(found.out, "--replay ");
  ASSERT_NE(line, "") << found.out;
  const std::string difference = line_with(found.out, "made smaller, ");
  const std::string what = difference.substr(difference.find("differ: "),
                                             difference.rfind(';') - difference.find("differ: "));
  Words words = words_of(line);
  EXPECT_EQ(words.at(0), "gvp-cosim");
  words.erase(words.begin());
  const Result again = run("gvp-cosim", words);
  EXPECT_EQ(again.exit_code, 125) << line << again.err;
  EXPECT_THAT(again.out, HasSubstr(what));
  setenv("FLEXGRIP_FAULT", "0", 1);
  const Result agrees = run("gvp-cosim", words);
  EXPECT_EQ(agrees.exit_code, 0) << agrees.out << agrees.err;
  EXPECT_THAT(agrees.err, HasSubstr("no difference"));
}

TEST_F(Cosim, AFileThatIsNoScenarioIsRefused) {
  const std::string file = temporary("scenario");
  const struct {
    const char *text, *error;
  } cases[] = {{"launches 1\n", "there is no kernel"},
               {"data 0x80000 1\nkernel\nRET;\n", "no room for"},
               {"kernel\nFROB R1;\n", "FROB"}};
  for (const auto& each : cases) {
    std::ofstream(file) << each.text;
    const Result result = run("gvp-cosim", {"--models", "at,lt", "--replay", file});
    EXPECT_EQ(result.exit_code, 126) << result.err;
    EXPECT_THAT(result.err, testing::AllOf(HasSubstr(each.error), HasSubstr(file)));
  }
  std::filesystem::remove(file);
  EXPECT_EQ(run("gvp-cosim", {"--replay", file}).exit_code, 126);
}

TEST_F(Cosim, WhatItCannotDoItRefuses) {
  const struct {
    Words options;
    const char* text;
  } cases[] = {{{"--seed", "x"}, "\"x\" is no seed"},
               {{"--seed", "4294967296"}, "is no seed"},
               {{"--count", "0"}, "is not a count"},
               {{"--time", "soon"}, "\"soon\" is no time"},
               {{"--models", "at"}, "\"at\" names no two models"},
               {{"--models", "at,xt", "--count", "1"}, "flexgrip has no model \"xt\""},
               {{"--models", "lt,at", "--cycles", "--count", "1"}, "no stages"},
               {{"--output", "/dev/null/x", "--count", "1"}, "no folder"},
               {{"--set", "gpgpu.sms=0"}, "gpgpu.sms"},
               {{"--replay", "x", "--seed", "1"}, "--seed is of random runs"},
               {{"--replay", "x", "--no-shrink"}, "--no-shrink is of random runs"},
               {{"--replay", ""}, "no file is named"},
               {{"--set", "gpgpu.global_memory=ddr3"}, "set gpgpu.global_memory to bram"},
               {{"--frobnicate"}, "--help"}};
  for (const auto& each : cases) {
    const Result result = run("gvp-cosim", each.options);
    EXPECT_EQ(result.exit_code, 126) << each.text << result.err;
    EXPECT_THAT(result.err, HasSubstr(each.text));
  }
  const std::string help = run("gvp-cosim", {"--help"}).out;
  EXPECT_THAT(help, HasSubstr("--models A,B"));
  EXPECT_LE(longest_line(help).size(), 80u) << longest_line(help);
  EXPECT_THAT(run("gvp-cosim", {"--version"}).out, HasSubstr("gvp-cosim "));
}

}  // namespace
}  // namespace gvp::test
