// SPDX-License-Identifier: Apache-2.0
// The files of --trace: readable after a kill, a full disk and a limit, refused where they cannot
// be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/shell.h"
#include "tests/end_to_end/traces.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;

// Without the record that a signal may have cut.
void keep_whole_records(const std::string& path) {
  const std::string text = read(path);
  size_t end = text.rfind('\n') + 1;
  if (path.find(".pftrace") != std::string::npos) {
    end = 0;
    for (size_t at = 0; at < text.size();) {  // packets: a key, a length of some bytes
      size_t length = 0, next = at + 1;
      for (unsigned shift = 0; next < text.size(); shift += 7, ++next) {
        length |= static_cast<size_t>(text[next] & 0x7f) << shift;
        if ((text[next] & 0x80) == 0) break;
      }
      at = next + 1 + length;
      if (at <= text.size()) end = at;
    }
  }
  // What happens at one time in a waveform is cut apart, too.
  if (path.find(".vcd") != std::string::npos) end = text.rfind("\n#") + 1;
  EXPECT_LT(text.size() - end, 10000u) << "one record, not more";
  write(path, text.substr(0, end));
}

TEST_F(Traces, AreReadableAfterAKill) {
  for (const char* suffix : {"csv", "db", "pftrace", "vcd"}) {
    const std::string path = file(std::string("killed.") + suffix);
    remove_beside(path, "-journal");
    // The benchmarks take long enough to be killed in the middle.
    const Result result =
        shell("$BIN/gpgpu-vp -q --trace " + path + " --timing at " + firmware("bench") +
              " >/dev/null 2>&1 & pid=$!; while sleep 0.05; do "
              "kill -0 $pid && [ $(stat -c %s " +
              path +
              " 2>/dev/null || echo 0) -le 8000000 ] || break; done; "
              "kill -9 $pid; wait $pid 2>/dev/null; true");  // until it writes no more
    ASSERT_EQ(result.exit_code, 0) << result.out;
    if (std::string(suffix) != "db") keep_whole_records(path);
    ByPort totals;
    if (std::string(suffix) == "csv") totals = in_csv(path).totals;
    if (std::string(suffix) == "db") totals = in_database(path);
    if (std::string(suffix) == "pftrace") totals = in_perfetto(path);
    if (std::string(suffix) == "vcd") totals = in_waves(parse_vcd(path), false);
    EXPECT_GT(totals["host_instruction read"].transactions, 10000u) << suffix;
    EXPECT_EQ(totals["host_instruction read"].bytes,
              4 * totals["host_instruction read"].transactions)
        << suffix;
  }
}

TEST_F(Traces, OfAFullDiskEndTheRunAndSayWhich) {
  const std::string csv = file("full.csv");
  ASSERT_EQ(symlink("/dev/full", csv.c_str()), 0);
  const Result result = run("gpgpu-vp", {"--quiet", "--trace", csv, firmware("bench")});
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.err, HasSubstr(csv));
  EXPECT_THAT(result.err, HasSubstr("No space left on device"));
}

TEST_F(Traces, BeyondALimitOfSizeStayReadable) {
  const std::string csv = file("limited.csv");
  const Result result =
      shell("ulimit -f 100; $BIN/gpgpu-vp -q --trace " + csv + " " + firmware("hello") + " 2>&1");
  EXPECT_EQ(result.exit_code, 126);
  EXPECT_THAT(result.out, HasSubstr("File too large"));
  const std::string text = read(csv);
  EXPECT_GT(text.size(), 30000u);
  EXPECT_EQ(text.back(), '\n');
  for (const char* suffix : {"db", "pftrace", "vcd", "fst"}) {
    if (std::string(suffix) == "fst" && !has_fst()) continue;
    const std::string path = file(std::string("limited.") + suffix);
    remove_beside(path, ".hier");
    remove_beside(path, "-journal");
    const Result other = shell("ulimit -f 100; $BIN/gpgpu-vp -q --trace " + path + " " +
                               firmware("hello") + " 2>&1");
    EXPECT_EQ(other.exit_code, 126) << suffix << other.out;
    EXPECT_THAT(other.out, HasSubstr(path));
  }
}

TEST_F(Traces, AreRefusedBeforeTheRunWhereTheyCannotBe) {
  const auto refusal = [](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = options;
    arguments.push_back(firmware("hello"));
    const Result result = run("gpgpu-vp", arguments);
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_THAT(refusal({"--trace", file("x.csv") + ":port=hots_data"}),
              HasSubstr("did you mean host_data?"));
  EXPECT_THAT(refusal({"--trace", "x.csv:colour=red"}), HasSubstr("unknown term \"colour\""));
  EXPECT_THAT(refusal({"--trace", "/nowhere/x.csv"}), HasSubstr("No such file or directory"));
  EXPECT_THAT(refusal({"--trace", "x.csv", "--trace", "x.csv"}), HasSubstr("--trace"));
  EXPECT_THAT(refusal({"--trace", "x.doc"}), HasSubstr("the suffix decides"));
  EXPECT_THAT(refusal({"--trace-ring", "0"}), HasSubstr("--trace-ring"));
  EXPECT_THAT(refusal({"--trace", file("x.csv") + ":function=mian"}),
              HasSubstr("the firmware has no function \"mian\""));
  EXPECT_THAT(refusal({"--trace", file("x.csv") + ":record=banks"}), HasSubstr("--model ddr3=at"));
}

TEST_F(Traces, CanBeAskedForInAPlatformFile) {
  const std::string toml = file("platform.toml"), csv = file("toml.csv");
  write(toml, "trace = [\"" + csv + ":port=host_data\"]\n");
  ASSERT_EQ(run("gpgpu-vp", {"--quiet", "-c", toml, firmware("hello")}).exit_code, 0);
  EXPECT_EQ(in_csv(csv).totals.size(), 2u);
  write(toml, "trace = [\"" + csv + ":post=1\"]\n");
  EXPECT_THAT(run("gpgpu-vp", {"-c", toml, firmware("hello")}).err, HasSubstr("platform.toml:1:"));
  write(toml, "trace = 5\n");
  EXPECT_THAT(run("gpgpu-vp", {"-c", toml, firmware("hello")}).err,
              HasSubstr("trace is not a list of texts"));
}

TEST_F(Traces, TheRingIsShownWhenARunGoesWrong) {
  const Result good = run("gpgpu-vp", {"--quiet", "--trace-ring", "5", firmware("hello")});
  EXPECT_EQ(good.exit_code, 0);
  EXPECT_THAT(good.err, testing::Not(HasSubstr("transactions, oldest first")));
}

}  // namespace
}  // namespace gvp::test
