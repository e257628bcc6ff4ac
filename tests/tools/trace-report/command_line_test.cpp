// SPDX-License-Identifier: Apache-2.0
// trace-report as a program: inputs, outputs, messages, exit codes.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/programs.h"
#include "tests/tools/trace-report/synthetic_trace.h"
#include "tools/trace-report/page.h"

namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Result {
  int code;
  std::string output;  // both streams
};

class TraceReportProgram : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("trace_report_program_{}_{}", test->name(), getpid());
    std::filesystem::create_directories(folder_);
    gvp::test::TraceOptions options;
    options.records = 3000;
    sums_ = gvp::test::write_trace((folder_ / "a.db").string(), options);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Result run(const std::string& command) const {
    const std::string line = "exec 2>&1; export PATH='" + gvp::test::programs() +
                             "':\"$PATH\"; cd '" + folder_.string() + "' && " + command;
    FILE* pipe = popen(line.c_str(), "r");
    Result result{0, ""};
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
      result.output.append(buffer.data(), n);
    const int status = pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string read(const std::string& name) const {
    std::ifstream stream(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  gvp::test::TraceSums sums_;

 private:
  std::filesystem::path folder_;
};

TEST_F(TraceReportProgram, WritesThePageBesideTheTrace) {
  if (gvp::trace_report::kEcharts.empty()) GTEST_SKIP() << "built without npm";
  const Result result = run("trace-report a.db");
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_EQ(result.output, "");
  EXPECT_THAT(read("a.html"), StartsWith("<!doctype html>"));
  EXPECT_EQ(
      run("trace-report a.db --title 'of <us>' -o - | grep -c '<h1>of &lt;us&gt;</h1>'").output,
      "1\n");
}

TEST_F(TraceReportProgram, TwoRunsMakeTheSamePage) {
  if (gvp::trace_report::kEcharts.empty()) GTEST_SKIP() << "built without npm";
  EXPECT_EQ(
      run("trace-report a.db -o 1.html && trace-report a.db -o 2.html && cmp 1.html 2.html").code,
      0);
}

TEST_F(TraceReportProgram, JsonIsForScripts) {
  const Result result = run("trace-report a.db --json");
  EXPECT_EQ(result.code, 0);
  const auto report = nlohmann::json::parse(result.output);
  EXPECT_EQ(report["format"], 1);
  EXPECT_EQ(report["runs"][0]["summary"]["records"], sums_.records);
  EXPECT_EQ(report.count("differences"), 0u);
  EXPECT_EQ(run("trace-report a.db --json -o a.json").output, "");
  EXPECT_EQ(nlohmann::json::parse(read("a.json")), report);
}

TEST_F(TraceReportProgram, TablesAreForTheTerminal) {
  const Result result = run("trace-report a.db --text --compare a.db");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.output,
              HasSubstr(fmt::format("{} transactions with", sums_.begun.transactions)));
  EXPECT_THAT(result.output, HasSubstr("Slowest transactions"));
  EXPECT_THAT(result.output, HasSubstr("The two runs do not differ in any figure."));
}

TEST_F(TraceReportProgram, BadInputIsNamed) {
  const auto expect = [&](const std::string& command, const std::string& words) {
    const Result result = run(command);
    EXPECT_EQ(result.code, 126) << command;
    EXPECT_THAT(result.output, HasSubstr(words)) << command;
    EXPECT_THAT(result.output, StartsWith("trace-report: error: ")) << command;
  };
  expect("trace-report", "no trace and no statistics to report on");
  expect("trace-report none.db", "none.db");
  expect("trace-report --json --text a.db", "exclude each other");
  expect("trace-report a.db --nonsense", "--help lists the options");
  expect("trace-report a.db -o a.db", "a.db");
  expect("trace-report a.db --text -o none/a.txt", "cannot write");
  expect("trace-report a.db --kernel transpose",
         "--kernel transpose: a.db has no warps; gpgpu-vp --trace");
  expect("trace-report a.db --kernel transpose:0", "is no number of a launch");
  expect("head -c 3000 a.db > cut.db; trace-report cut.db", "cut.db");
  expect("trace-report .", "cannot read");
}

TEST_F(TraceReportProgram, AKernelThatOnlyOneOfTwoRunsHasIsShown) {
  gvp::test::TraceOptions options;
  options.records = 3000;
  options.warps = 2;
  gvp::test::write_trace(path("warps.db"), options);
  const Result result = run("trace-report a.db --kernel transpose --text --compare warps.db");
  EXPECT_EQ(result.code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("a.db has no warps; gpgpu-vp --trace"));
  EXPECT_THAT(result.output, HasSubstr("Warps of transpose on gpgpu"));
  const Result none = run("trace-report a.db --kernel scale --text --compare warps.db");
  EXPECT_EQ(none.code, 126);
  EXPECT_THAT(none.output, HasSubstr("a.db has no warps"));
  EXPECT_THAT(none.output, HasSubstr("warps.db has no launch of a kernel \"scale\""));
}

TEST_F(TraceReportProgram, OtherFormatsAreReportedOnLikeDatabases) {
  gvp::test::TraceOptions options;
  options.records = 3000;
  for (const char* name : {"a.csv", "a.pftrace"}) {
    gvp::test::write_trace(path(name), options);
    EXPECT_EQ(run(fmt::format("trace-report a.db --text | tail -n +2 > 1; trace-report {} --text | "
                              "tail -n +2 > 2; cmp 1 2",
                              name))
                  .output,
              "")
        << name;
  }
}

TEST_F(TraceReportProgram, ATraceThatMayNotBeWrittenIsRead) {
  EXPECT_EQ(run("chmod 444 a.db && trace-report a.db --text | head -1").output, "a.db\n");
}

TEST_F(TraceReportProgram, HelpAndVersion) {
  EXPECT_THAT(run("trace-report --help").output, HasSubstr("usage: trace-report"));
  EXPECT_EQ(run("trace-report --version").output, "trace-report " GVP_VERSION "\n");
}

}  // namespace
