// SPDX-License-Identifier: Apache-2.0
// .fst and .vcd, read with GTKWave's own tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>

#include "models/base/error.h"
#include "tests/trace/files.h"
#include "tests/trace/waves.h"

namespace gvp::trace {
namespace {

using test::Wave;
using test::Waves;
using testing::_;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::SizeIs;

class WaveFormat : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!test::have_wave_tools()) GTEST_SKIP() << "no fst2vcd (Debian package gtkwave)";
    try {
      std::remove(into(files_("probe" + std::string(GetParam()))).file.c_str());
      const Recorder probe({into(files_("probe" + std::string(GetParam())))});
    } catch (const Error&) {
      GTEST_SKIP() << "built without Verilator";
    }
  }
  std::string file(const std::string& name) { return files_(name + GetParam()); }

  Files files_;
};

Transaction at(Recorder& recorder, uint64_t number, uint64_t begin, uint64_t end) {
  Transaction t = sample(recorder, number);
  t.response = Response::kOkay;
  t.begin = begin;
  t.request_end = begin + 10;
  t.response_begin = end - 10;
  t.end = end;
  return t;
}

TEST_P(WaveFormat, HasTransactionsInTheOrderOfTimeThoughTheyComeInThatOfTheirEnds) {
  const std::string path = file("order");
  Recorder recorder({into(path)});
  recorder.wanted("ddr3", {});
  uint64_t horizon = 0;
  recorder.begin([&] { return horizon; });
  recorder.transaction(at(recorder, 2, 2000, 3000));
  recorder.transaction(at(recorder, 1, 1000, 4000));
  horizon = 1500;
  recorder.flush();
  Transaction read = at(recorder, 3, 1500, 5000);
  read.command = Command::kRead;
  read.length = 4;
  read.address = 0x50;
  read.response = Response::kAddressError;
  read.origin = recorder.names().number("a \"b\" \\c");
  recorder.transaction(read);
  EXPECT_EQ(recorder.close(), "");

  Waves waves = test::read_waves(path);
  EXPECT_THAT(waves["ports.ddr3.number"].numbers(),
              ElementsAre(Pair(0, 0), Pair(1000, 1), Pair(1500, 3), Pair(2000, 2)));
  EXPECT_THAT(waves["ports.ddr3.outstanding"].numbers(),
              ElementsAre(Pair(0, 0), Pair(1000, 1), Pair(1500, 2), Pair(2000, 3), Pair(3000, 2),
                          Pair(4000, 1), Pair(5000, 0)));
  EXPECT_THAT(waves["ports.ddr3.request"].numbers(),
              ElementsAre(Pair(0, 0), Pair(1000, 1), Pair(1010, 0), Pair(1500, 1), Pair(1510, 0),
                          Pair(2000, 1), Pair(2010, 0)));
  EXPECT_THAT(waves["ports.ddr3.response"].numbers(),
              ElementsAre(Pair(0, 0), Pair(2990, 1), Pair(3000, 0), Pair(3990, 1), Pair(4000, 0),
                          Pair(4990, 1), Pair(5000, 0)));
  EXPECT_THAT(waves["ports.ddr3.answered"].numbers(),
              ElementsAre(Pair(0, 0), Pair(2990, 2), Pair(3990, 1), Pair(4990, 3)));
  EXPECT_THAT(
      waves["ports.ddr3.address"].numbers(),
      ElementsAre(Pair(0, 0), Pair(1000, 0x50000040), Pair(1500, 0x50), Pair(2000, 0x50000040)));
  EXPECT_THAT(waves["ports.ddr3.write"].numbers(),
              ElementsAre(Pair(0, 0), Pair(1000, 1), Pair(1500, 0), Pair(2000, 1)));
  EXPECT_THAT(waves["ports.ddr3.status"].numbers(),
              ElementsAre(Pair(0, 0), Pair(4990, static_cast<uint64_t>(Response::kAddressError))));
  EXPECT_THAT(waves["ports.ddr3.writes"].last(), 2u);
  EXPECT_THAT(waves["ports.ddr3.bytes_written"].last(), 128u);
  EXPECT_THAT(waves["ports.ddr3.reads"].last(), 1u);
  EXPECT_THAT(waves["ports.ddr3.bytes_read"].last(), 4u);
  EXPECT_THAT(waves["ports.ddr3.errors"].last(), 1u);
  EXPECT_EQ(waves["ports.ddr3.address"].bits, 64u);
  ASSERT_THAT(waves["ports.ddr3.origin"].changes, SizeIs(3));
  EXPECT_THAT(waves["ports.ddr3.origin"].changes[1].second, HasSubstr("b"));
  EXPECT_EQ(waves["ports.ddr3.origin"].changes[2].second, "main");
}

TEST_P(WaveFormat, HasSpansLevelsAndLinesOfTheConsole) {
  const std::string path = file("tracks");
  Recorder recorder({into(path)});
  const TrackId kernels = recorder.track(Subject::kKernels, "gpgpu", "kernels");
  const TrackId interrupt = recorder.track(Subject::kInterrupts, "interrupts", "timer");
  const TrackId console = recorder.track(Subject::kConsole, "console", "uart");
  const TrackId pin = recorder.track(Subject::kPins, "timer", "count", "", 12);
  uint64_t horizon = 0;
  recorder.begin([&] { return horizon; });
  Names& names = recorder.names();
  Span kernel{kernels, names.number("matmul"), names.number("matmul"), 100, 100, ""};
  recorder.span_begins(kernel);
  recorder.level({interrupt, 50, 1});
  recorder.level({pin, 60, 0xabc});
  recorder.event({console, 70, "hello world"});
  horizon = 120;
  recorder.flush();  // the kernel still runs
  // What comes up later: two blocks of an SM, one in the other; one whose beginning nobody told.
  const TrackId slot = recorder.track(Subject::kBlocks, "gpgpu", "SM 0 block slot 0", "SM 0");
  const TrackId other = recorder.track(Subject::kBlocks, "gpgpu", "SM 0 block slot 1", "SM 0");
  Span block{slot, names.number("block"), kernel.name, 200, 200, "block (1, 0, 0)"};
  recorder.span_begins(block);
  recorder.span({other, names.number("block"), kernel.name, 210, 220, "block (2, 0, 0)"});
  block.end = 300;
  recorder.span(block);
  kernel.end = 400;
  recorder.span(kernel);
  recorder.level({interrupt, 500, 0});
  EXPECT_EQ(recorder.close(), "");

  Waves waves = test::read_waves(path);
  EXPECT_THAT(waves["gpgpu.kernels"].changes, ElementsAre(Pair(100, "matmul"), Pair(400, "")));
  EXPECT_THAT(waves["gpgpu.kernels_running"].numbers(),
              ElementsAre(Pair(0, 0), Pair(100, 1), Pair(400, 0)));
  EXPECT_THAT(waves["interrupts.timer"].numbers(),
              ElementsAre(Pair(0, 0), Pair(50, 1), Pair(500, 0)));
  EXPECT_EQ(waves["timer.count"].bits, 12u);
  EXPECT_EQ(waves["timer.count"].last(), 0xabcu);
  EXPECT_THAT(waves["console.uart"].changes, ElementsAre(Pair(70, "hello\\040world")));
  EXPECT_THAT(waves["gpgpu.SM_0_blocks"].numbers(),
              ElementsAre(Pair(200, 0), Pair(200, 1), Pair(210, 2), Pair(220, 1), Pair(300, 0)));
  EXPECT_THAT(waves["gpgpu.SM_0_block_slot_0"].changes,
              ElementsAre(Pair(200, "block\\040(1,\\0400,\\0400)"), Pair(300, "")));
}

// Whoever looks at a window sees what is there already.
TEST_P(WaveFormat, OfAWindowHasWhatBeganBeforeIt) {
  const std::string path = file("window");
  Recorder recorder({into(path, "time=1000ps..2000ps,record=all")});
  recorder.wanted("ddr3", {});
  const TrackId kernels = recorder.track(Subject::kKernels, "gpgpu", "kernels");
  const TrackId functions = recorder.track(Subject::kFunctions, "host", "functions 0");
  const TrackId interrupt = recorder.track(Subject::kInterrupts, "interrupts", "timer");
  const TrackId pin = recorder.track(Subject::kPins, "timer", "count", "", 12);
  uint64_t horizon = 0;
  recorder.begin([&] { return horizon; });
  Names& names = recorder.names();
  Span kernel{kernels, names.number("matmul"), names.number("matmul"), 100, 100, ""};
  recorder.span_begins(kernel);
  Span main{functions, names.number("main"), names.number("main"), 300, 300, ""};
  recorder.span_begins(main);
  main.end = 400;
  recorder.span(main);  // over before the window
  recorder.level({interrupt, 200, 0});
  recorder.level({interrupt, 500, 1});
  recorder.level({pin, 600, 0xabc});
  recorder.transaction(at(recorder, 1, 1300, 1400));
  horizon = 1500;
  recorder.flush();
  recorder.level({interrupt, 1600, 0});
  kernel.end = 5000;
  recorder.span(kernel);
  EXPECT_EQ(recorder.close(), "");

  Waves waves = test::read_waves(path);
  EXPECT_THAT(waves["gpgpu.kernels_running"].numbers(),
              ElementsAre(Pair(0, 0), Pair(100, 1), Pair(5000, 0)));
  EXPECT_THAT(waves["host.functions_0"].changes, Not(Contains(Pair(_, "main"))));
  EXPECT_THAT(waves["interrupts.timer"].numbers(),
              ElementsAre(Pair(0, 0), Pair(1000, 1), Pair(1600, 0)));
  EXPECT_EQ(waves["timer.count"].last(), 0xabcu);
}

TEST_P(WaveFormat, OfATriggerHasWhatBeganBeforeItAndEndsIt) {
  const std::string path = file("trigger");
  Recorder recorder({into(path, "trigger=start..stop,record=all")});
  const TrackId functions = recorder.track(Subject::kFunctions, "host", "functions 0");
  const TrackId interrupt = recorder.track(Subject::kInterrupts, "interrupts", "timer");
  uint64_t horizon = 0;
  recorder.begin([&] { return horizon; });
  Names& names = recorder.names();
  Span main{functions, names.number("main"), names.number("main"), 100, 100, ""};
  recorder.span_begins(main);
  recorder.level({interrupt, 500, 1});
  recorder.begins(names.number("start"), 1000);
  horizon = 1500;
  recorder.flush();
  recorder.begins(names.number("stop"), 2000);
  recorder.level({interrupt, 2500, 0});
  main.end = 3000;
  recorder.span(main);
  EXPECT_EQ(recorder.close(), "");

  Waves waves = test::read_waves(path);
  EXPECT_THAT(waves["host.functions_0"].changes, ElementsAre(Pair(100, "main"), Pair(3000, "")));
  EXPECT_THAT(waves["interrupts.timer"].numbers(), ElementsAre(Pair(0, 0), Pair(1000, 1)));
}

TEST_P(WaveFormat, MayHaveNothingAtTheBeginning) {
  const std::string path = file("nothing");
  Recorder recorder({into(path)});
  recorder.begin([] { return uint64_t{0}; });
  recorder.transaction(at(recorder, 1, 1000, 2000));  // at a port that nobody has told of
  EXPECT_EQ(recorder.close(), "");
  Waves waves = test::read_waves(path);
  EXPECT_EQ(waves["ports.ddr3.writes"].last(), 1u);
  EXPECT_EQ(waves["ports.ddr3.bytes_written"].last(), 64u);
}

// Right after flush() has asked the file for the end of a section.
TEST_P(WaveFormat, MayHaveTracksAndPortsThatComeLater) {
  const std::string path = file("later");
  Recorder recorder({into(path)});
  recorder.wanted("ddr3", {});
  uint64_t horizon = 0;
  recorder.begin([&] { return horizon; });
  for (uint64_t i = 1; i <= 200; ++i) {
    Transaction t = at(recorder, i, 1000 * i, 1000 * i + 350);
    if (i % 64 == 1) {
      const std::string name = "later" + std::to_string(i);
      t.port = recorder.names().number(name);
      recorder.level({recorder.track(Subject::kInterrupts, "interrupts", name), 1000 * i, 1});
    }
    recorder.transaction(t);
    horizon = 1000 * i;
    recorder.flush();
  }
  EXPECT_EQ(recorder.close(), "");
  Waves waves = test::read_waves(path);
  EXPECT_EQ(waves["ports.ddr3.writes"].last(), 196u);
  EXPECT_EQ(waves["ports.later193.bytes_written"].last(), 64u);
  EXPECT_EQ(waves["interrupts.later193"].last(), 1u);
}

TEST_P(WaveFormat, IsTheSameForTheSameRecords) {
  const auto write = [&](const std::string& path) {
    Recorder recorder({into(path)});
    recorder.wanted("ddr3", {});
    recorder.begin([] { return uint64_t{0}; });
    for (uint64_t i = 1; i <= 1000; ++i)
      recorder.transaction(at(recorder, i, 100 * i, 100 * i + 350));
    recorder.close();
    return contents(path);
  };
  EXPECT_TRUE(write(file("one")) == write(file("two")));
}

// Transactions up to a signal that nobody can catch: what was flushed is there.
TEST_P(WaveFormat, IsReadableAfterAKill) {
  const std::string path = file("killed");
  files_("killed" + std::string(GetParam()) + ".hier");
  const pid_t child = fork();
  if (child == 0) {
    Recorder recorder({into(path)});
    recorder.wanted("ddr3", {});
    uint64_t horizon = 0;
    recorder.begin([&] { return horizon; });
    for (uint64_t i = 1; i <= 100000; ++i) {
      recorder.transaction(at(recorder, i, 1000 * i, 1000 * i + 350));
      horizon = 1000 * i;
      if (i % 100 == 0) recorder.flush();
    }
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  Waves waves = test::read_waves(path);
  EXPECT_GT(waves["ports.ddr3.writes"].last(), 50000u);
  EXPECT_EQ(waves["ports.ddr3.bytes_written"].last(), 64 * waves["ports.ddr3.writes"].last());
}

INSTANTIATE_TEST_SUITE_P(Formats, WaveFormat, testing::Values(".fst", ".vcd"),
                         [](const auto& each) { return std::string(each.param).substr(1); });

TEST(Vcd, SaysWhenThereIsNoRoomForWhatComesUpLater) {
  Files files;
  Recorder recorder({into(files("many.vcd"))});
  recorder.begin([] { return ~uint64_t{0}; });
  recorder.flush();
  for (unsigned i = 0; i < 3000; ++i) {
    const TrackId track = recorder.track(Subject::kKernels, "gpgpu",
                                         "a track with a long name, number " + std::to_string(i));
    recorder.span({track, recorder.names().number("x"), 0, i, i + 1, ""});
  }
  EXPECT_THAT(recorder.close(), HasSubstr(".fst takes any number"));
}

}  // namespace
}  // namespace gvp::trace
