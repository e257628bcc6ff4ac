// SPDX-License-Identifier: Apache-2.0
// The database, as another program that opens it sees it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

#include "tests/trace/files.h"

namespace gvp::trace {
namespace {

using testing::ElementsAre;

// Each row as text, columns separated by "|".
std::vector<std::string> query(const std::string& path, const std::string& text) {
  sqlite3* database = nullptr;
  std::vector<std::string> result;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READWRITE, nullptr), SQLITE_OK);
  char* error = nullptr;
  sqlite3_exec(
      database, text.c_str(),
      [](void* list, int columns, char** values, char**) {
        std::string row;
        for (int i = 0; i < columns; ++i)
          row += (i == 0 ? "" : "|") + std::string(values[i] == nullptr ? "null" : values[i]);
        static_cast<std::vector<std::string>*>(list)->push_back(row);
        return 0;
      },
      &result, &error);
  EXPECT_EQ(error, nullptr) << error;
  sqlite3_free(error);
  sqlite3_close(database);
  return result;
}

// More than one statement takes, in the order in which they came; what the run's end cut off is no
// error.
TEST(SqliteFile, HasTransactionsInTheirOrderWhateverTheirNumber) {
  for (const unsigned count : {31u, 32u, 33u, 100u}) {
    Files files;
    const std::string path = files("many.db");
    {
      Recorder recorder({into(path)});
      for (unsigned i = 1; i <= count; ++i) {
        Transaction t = sample(recorder, i);
        t.parent = i % 2 == 0 ? 0 : i + 1;
        t.response = i == count ? Response::kIncomplete : Response::kOkay;
        t.kernel = i % 3 == 0;
        recorder.transaction(t);
        if (i == 50) recorder.flush();
      }
    }
    EXPECT_THAT(query(path,
                      "select count(*), sum(id = number), sum(parent is null), "
                      "sum(parent = number + 1), sum(kernel) from transactions"),
                ElementsAre(fmt::format("{}|{}|{}|{}|{}", count, count, count / 2,
                                        count - count / 2, count / 3)));
    EXPECT_THAT(query(path, "select transactions, errors, incomplete from by_port"),
                ElementsAre(fmt::format("{}|0|1", count)));
    EXPECT_THAT(query(path, "select sum(errors) from by_target"), ElementsAre("0"));
  }
}

TEST(SqliteFile, HasEveryRecordInATable) {
  Files files;
  const std::string path = files("a.db");
  {
    Recorder recorder({into(path)});
    recorder.transaction(sample(recorder));
    Transaction first = sample(recorder, 8);
    first.parent = 0;
    recorder.transaction(first);
    const TrackId kernels = recorder.track(Subject::kKernels, "gpgpu", "kernels");
    const TrackId line = recorder.track(Subject::kInterrupts, "interrupts", "timer");
    const Id kernel = recorder.names().number("matmul");
    recorder.span({kernels, kernel, kernel, 10, 2030, "launch 1"});
    recorder.level({line, 40, 1});
    recorder.event({recorder.track(Subject::kConsole, "console", "uart"), 50, "it's here"});
  }
  EXPECT_THAT(query(path, "select * from transactions"),
              ElementsAre("1|7|3|2|ddr3|host_data|memory|main|0|write|address error|1342177344|64|"
                          "1000001|1000501|1001001|1.0|5",
                          "2|8|null|2|ddr3|host_data|memory|main|0|write|address error|1342177344|"
                          "64|1000001|1000501|1001001|1.0|5"));
  EXPECT_THAT(query(path, "select * from spans"),
              ElementsAre("kernels|gpgpu|kernels|matmul|matmul|10|2030|2.02|launch 1"));
  EXPECT_THAT(query(path, "select * from levels"), ElementsAre("interrupts|interrupts|timer|40|1"));
  EXPECT_THAT(query(path, "select * from events"),
              ElementsAre("console|console|uart|50|it's here"));
  EXPECT_THAT(query(path, "select * from by_port"), ElementsAre("ddr3|write|2|128|2|1.0|1.0|5|0"));
  EXPECT_THAT(query(path, "select * from by_target"), ElementsAre("ddr3|memory|write|2|128|2|1.0"));
  EXPECT_THAT(query(path, "select * from by_origin"), ElementsAre("ddr3|main|0|write|2|128|1.0"));
  EXPECT_THAT(query(path, "select number from slowest"), ElementsAre("7", "8"));
  EXPECT_THAT(query(path, "select * from bandwidth"), ElementsAre("ddr3|0|128|12.8"));
  EXPECT_THAT(query(path, "select * from pages"), ElementsAre("ddr3|1342177280|write|2|128"));
  EXPECT_THAT(query(path, "pragma integrity_check"), ElementsAre("ok"));
}

void record(Recorder& recorder, uint64_t count) {
  Transaction t = sample(recorder);
  for (uint64_t i = 1; i <= count; ++i) {
    t.number = i;
    recorder.transaction(t);
  }
}

TEST(SqliteFile, OfAKilledProcessHasWholeBatches) {
  Files files;
  const std::string path = files("killed.db");
  files("killed.db-journal");
  const pid_t child = fork();
  if (child == 0) {
    Recorder recorder({into(path)});
    record(recorder, 50000);
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_THAT(query(path, "pragma integrity_check"), ElementsAre("ok"));
  EXPECT_THAT(query(path, "select count(*), max(number) from transactions"),
              ElementsAre("40000|40000"));
}

void fill(const std::string& path) {
  const rlimit limit{3000000, 3000000};
  setrlimit(RLIMIT_FSIZE, &limit);
  Recorder recorder({into(path)});
  record(recorder, 200000);
  std::fprintf(stderr, "%s", recorder.close().c_str());
  std::exit(recorder.failure().empty() ? 1 : 0);
}

TEST(SqliteFile, ThatIsFullKeepsWholeBatchesAndSaysSo) {
  Files files;
  const std::string path = files("full.db");
  files("full.db-journal");
  EXPECT_EXIT(fill(path), testing::ExitedWithCode(0), "full.db: cannot write: ");
  EXPECT_THAT(query(path, "pragma integrity_check"), ElementsAre("ok"));
  EXPECT_THAT(query(path, "select count(*) > 0, count(*) % 20000 from transactions"),
              ElementsAre("1|0"));
}

TEST(SqliteFile, IsTheSameForTheSameRecords) {
  Files files;
  const std::string one = files("one.db"), two = files("two.db");
  for (const std::string& path : {one, two}) {
    Recorder recorder({into(path)});
    record(recorder, 50000);
  }
  EXPECT_EQ(contents(one), contents(two));
}

TEST(SqliteFile, ReplacesWhatWasThere) {
  Files files;
  const std::string path = files("again.db");
  for (int i = 0; i < 2; ++i) {
    Recorder recorder({into(path)});
    record(recorder, 3);
  }
  EXPECT_THAT(query(path, "select count(*) from transactions"), ElementsAre("3"));
}

}  // namespace
}  // namespace gvp::trace
