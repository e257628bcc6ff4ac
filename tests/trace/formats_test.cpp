// SPDX-License-Identifier: Apache-2.0
// What is in a file of text: as a reader of the format sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>

#include "models/base/error.h"
#include "tests/trace/files.h"

namespace gvp::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// A reader of RFC 4180.
std::vector<std::vector<std::string>> rows(const std::string& text) {
  std::vector<std::vector<std::string>> result(1, std::vector<std::string>(1));
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::string& field = result.back().back();
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"')
      field += text[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      result.back().emplace_back();
    else if (c == '\n' && !quoted)
      result.emplace_back(1);
    else
      field += c;
  }
  result.pop_back();  // behind the last line feed
  return result;
}

TEST(CsvFile, HasALineForEachRecordOfEveryKind) {
  Files files;
  const std::string path = files("a.csv");
  {
    Recorder recorder({into(path)});
    recorder.transaction(sample(recorder));
    const TrackId kernels = recorder.track(Subject::kKernels, "gpgpu", "kernels");
    const TrackId line = recorder.track(Subject::kInterrupts, "interrupts", "timer");
    const TrackId console = recorder.track(Subject::kConsole, "console", "uart");
    const Id kernel = recorder.names().number("f(int, char)");
    recorder.span({kernels, kernel, kernel, 10, 30, "launch 1, \"big\""});
    recorder.level({line, 40, 1});
    recorder.event({console, 50, "Hello, \"world\""});
  }
  const auto lines = rows(contents(path));
  ASSERT_EQ(lines.size(), 5u);
  for (const auto& line : lines) EXPECT_EQ(line.size(), lines[0].size());
  EXPECT_THAT(lines[1], ElementsAre("transaction", "ddr3", "write", "7", "3", "2", "host_data",
                                    "memory", "main", "0x50000040", "64", "1000001", "1000501",
                                    "1001001", "address error", "5", ""));
  EXPECT_THAT(lines[2],
              ElementsAre("kernels", "gpgpu/kernels", "f(int, char)", "", "", "", "", "",
                          "f(int, char)", "", "", "10", "", "30", "", "", "launch 1, \"big\""));
  EXPECT_THAT(lines[3], ElementsAre("interrupts", "interrupts/timer", "", "", "", "", "", "", "",
                                    "", "", "40", "", "", "", "", "1"));
  EXPECT_EQ(lines[4].back(), "Hello, \"world\"");
  EXPECT_EQ(lines[4][11], "50");
}

TEST(TextFile, SaysItInOneLine) {
  Files files;
  const std::string path = files("a.txt");
  {
    Recorder recorder({into(path)});
    recorder.transaction(sample(recorder));
  }
  EXPECT_EQ(contents(path),
            "1.000001 us ddr3 write 0x50000040 64 bytes, address error after 1 ns, #7 for #3, from "
            "host_data, to memory, by main\n");
}

TEST(TraceFile, ThatCannotBeWrittenIsRefusedByName) {
  for (const char* suffix : {".csv", ".txt", ".db", ".pftrace"}) {
    const std::string path = std::string("/nowhere/at/all") + suffix;
    try {
      Recorder recorder({into(path)});
      ADD_FAILURE() << suffix;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kBadInput);
      EXPECT_THAT(error.what(), HasSubstr(path));
    }
  }
}

// In a process of its own, whose files may have 100 KB.
void fill(const std::string& path) {
  const rlimit limit{100000, 100000};
  setrlimit(RLIMIT_FSIZE, &limit);
  Recorder recorder({into(path)});
  Transaction t = sample(recorder);
  for (uint64_t i = 1; i <= 100000; ++i) {
    t.number = i;
    recorder.transaction(t);
    if (i % 100 == 0) recorder.flush();
  }
  std::fprintf(stderr, "%s", recorder.failure().c_str());
  std::exit(recorder.close().find("File too large") == std::string::npos ? 1 : 0);
}

TEST(TraceFile, ThatIsFullKeepsWholeRecordsAndSaysSo) {
  Files files;
  for (const char* suffix : {".csv", ".txt"}) {
    const std::string path = files(std::string("full") + suffix);
    EXPECT_EXIT(fill(path), testing::ExitedWithCode(0), "File too large");
    const std::string text = contents(path);
    EXPECT_GT(text.size(), 80000u);
    EXPECT_LE(text.size(), 100000u);
    EXPECT_EQ(text.back(), '\n') << "no half record";
  }
}

TEST(TraceFile, OnAFullDeviceFailsInWords) {
  Files files;
  const std::string path = files("device.csv");
  ASSERT_EQ(symlink("/dev/full", path.c_str()), 0);
  Recorder recorder({into(path)});
  recorder.transaction(sample(recorder));
  EXPECT_EQ(recorder.failure(), "");
  recorder.flush();
  EXPECT_THAT(recorder.failure(), HasSubstr("No space left on device"));
}

TEST(TraceFile, IsReadableAfterEachFlush) {
  Files files;
  const std::string path = files("flushed.csv");
  Recorder recorder({into(path)});
  recorder.transaction(sample(recorder));
  recorder.flush();
  EXPECT_EQ(rows(contents(path)).size(), 2u);
}

}  // namespace
}  // namespace gvp::trace
