// SPDX-License-Identifier: Apache-2.0
#include "trace/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "models/base/error.h"
#include "tests/trace/files.h"

namespace gvp::trace {
namespace {

using testing::HasSubstr;

// How many records of a scene pass a filter.
class Scene : public testing::Test {
 protected:
  using Change = std::function<void(Recorder&, Transaction&)>;

  bool passes(const std::string& filter, const Change& change) {
    Recorder recorder({into(files_("scene.csv"), filter)});
    Transaction t = sample(recorder);
    change(recorder, t);
    recorder.transaction(t);
    return recorder.counts()[0].records == 1;
  }
  static void nothing(Recorder&, Transaction&) {}

  Files files_;
};

TEST_F(Scene, AFilterChoosesByEachOfItsTerms) {
  EXPECT_TRUE(passes("port=ddr3", nothing));
  EXPECT_FALSE(passes("port=host*", nothing));
  EXPECT_TRUE(passes("target=memory", nothing));
  EXPECT_TRUE(passes("target=ddr3", nothing)) << "a target's own port";
  EXPECT_FALSE(passes("target=timer", nothing));
  EXPECT_TRUE(passes("command=write", nothing));
  EXPECT_FALSE(passes("command=read", nothing));
  EXPECT_TRUE(passes("errors", nothing));
  EXPECT_FALSE(passes("errors", [](Recorder&, Transaction& t) { t.response = Response::kOkay; }));
  EXPECT_FALSE(passes("errors", [](Recorder&, Transaction& t) {
    t.response = Response::kIncomplete;
  })) << "under way as the run ended";
  EXPECT_TRUE(passes("function=main", nothing));
  EXPECT_FALSE(passes("kernel=main", nothing)) << "a function is no kernel";
  EXPECT_TRUE(passes("kernel=main", [](Recorder&, Transaction& t) { t.kernel = true; }));
  EXPECT_FALSE(passes("function=main", [](Recorder&, Transaction& t) { t.origin = kNobody; }));
  EXPECT_TRUE(passes("function=main,port=ddr3,command=write", nothing));
  EXPECT_FALSE(passes("function=main,port=ddr3,command=read", nothing));
}

TEST_F(Scene, RangesTouchWithBothEnds) {
  // 64 bytes at 0x50000040, from 1.000001 us to 1.001001 us
  EXPECT_TRUE(passes("address=0x5000007f..0x50000080", nothing));
  EXPECT_FALSE(passes("address=0x50000080..0x50000090", nothing));
  EXPECT_TRUE(passes("address=0x50000000..0x50000040", nothing));
  EXPECT_FALSE(passes("address=0x50000000..0x5000003f", nothing));
  EXPECT_TRUE(passes("address=0|0x50000041", nothing));
  EXPECT_TRUE(passes("time=1001001ps..", nothing));
  EXPECT_FALSE(passes("time=1001002ps..", nothing));
  EXPECT_TRUE(passes("time=..1000001ps", nothing));
  EXPECT_FALSE(passes("time=..1us", nothing));
  EXPECT_TRUE(passes("latency=1ns..", nothing));
  EXPECT_TRUE(passes("latency=1ns", nothing));
  EXPECT_FALSE(passes("latency=1001ps..", nothing));
  EXPECT_FALSE(passes("latency=..999ps", nothing));
}

TEST_F(Scene, ATriggerLetsRecordsPassBetweenItsEnds) {
  Recorder recorder({into(files_("trigger.csv"), "trigger=start..stop")});
  const auto by = [&](const char* function) {
    Transaction t = sample(recorder);
    t.origin = recorder.names().number(function);
    recorder.transaction(t);
    return recorder.counts()[0].records;
  };
  EXPECT_EQ(by("main"), 0u);
  EXPECT_EQ(by("start"), 1u);
  EXPECT_EQ(by("main"), 2u);
  EXPECT_EQ(by("stop"), 2u);
  EXPECT_EQ(by("main"), 2u);
  recorder.begins(recorder.names().number("start"), 0);  // a kernel
  EXPECT_EQ(by("main"), 3u);
}

// Whole, wherever it began and whenever it ends.
TEST_F(Scene, ATriggerLetsPassWhatLastsInBetween) {
  const std::string path = files_("lasting.csv");
  Recorder recorder({into(path, "trigger=start..stop,record=functions")});
  const TrackId track = recorder.track(Subject::kFunctions, "host", "functions 0");
  const auto begin = [&](const char* function, uint64_t time) {
    const Id name = recorder.names().number(function);
    recorder.begins(name, time);
    Span span{track, name, name, time, time, ""};
    recorder.span_begins(span);
    return span;
  };
  const auto end = [&](Span& span, uint64_t time) {
    span.end = time;
    recorder.span(span);
  };
  Span before = begin("before", 100), main = begin("main", 110);
  end(before, 120);
  Span start = begin("start", 200), inner = begin("inner", 210);
  end(start, 220);
  Span stop = begin("stop", 300);
  end(inner, 310);
  end(stop, 320);
  end(main, 400);
  EXPECT_EQ(recorder.counts()[0].records, 3u);
  EXPECT_EQ(recorder.close(), "");
  for (const char* line : {",start,", ",inner,", ",main,"})
    EXPECT_THAT(contents(path), HasSubstr(line));
}

TEST_F(Scene, EachFileHasAFilterOfItsOwn) {
  Recorder recorder({into(files_("one.csv"), "command=read"), into(files_("two.csv"))});
  recorder.transaction(sample(recorder));
  EXPECT_EQ(recorder.counts()[0].records, 0u);
  EXPECT_EQ(recorder.counts()[1].records, 1u);
}

TEST_F(Scene, OtherRecordsPassWhatChoosesTransactions) {
  Recorder recorder({into(files_("one.csv"), "port=none,kernel=wanted")});
  const TrackId track = recorder.track(Subject::kKernels, "gpgpu", "kernels");
  const Id wanted = recorder.names().number("wanted");
  const Id other = recorder.names().number("other");
  recorder.span({track, wanted, wanted, 0, 1, ""});
  recorder.span({track, other, other, 1, 2, ""});
  recorder.event({recorder.track(Subject::kConsole, "console", "uart"), 3, "text"});
  EXPECT_EQ(recorder.counts()[0].records, 2u);
}

TEST_F(Scene, WantsTheAddressesThatAFileWillHave) {
  Recorder recorder({into(files_("one.csv"), "port=cpu,address=0x100..0x1ff"),
                     into(files_("two.csv"), "target=ram,address=0x180..0x3ff")});
  const std::vector<PortRegion> regions = {{"rom", {0, 0x1ff}}, {"ram", {0x200, 0x2ff}}};
  const auto cpu = recorder.wanted("cpu", regions);
  ASSERT_EQ(cpu.size(), 1u) << "neighbours become one";
  EXPECT_EQ(cpu[0].first, 0x100u);
  EXPECT_EQ(cpu[0].last, 0x2ffu);
  const auto dma = recorder.wanted("dma", regions);
  ASSERT_EQ(dma.size(), 1u);
  EXPECT_EQ(dma[0].first, 0x200u);
  EXPECT_TRUE(recorder.wanted("rom", {}).empty());
  EXPECT_NO_THROW(recorder.check_names());
}

TEST_F(Scene, NamesThatThereAreNotAreRefused) {
  Recorder recorder({into(files_("one.csv"), "port=host_dat")});
  recorder.wanted("host_data", {{"ddr3", {0, 0xff}}});
  try {
    recorder.check_names();
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("no port is called \"host_dat\" (did you mean host_data?)"));
    EXPECT_THAT(error.what(), HasSubstr("one.csv"));
  }
}

TEST_F(Scene, RecordsThatNothingProducesAreRefusedWhereTheyAreAskedForByName) {
  const auto why = [](Subject) { return std::string("there is no host"); };
  const unsigned sources = static_cast<unsigned>(Subject::kTransactions);
  Recorder recorder({into(files_("one.csv"), "record=transactions|functions")});
  try {
    recorder.check_subjects(sources, why);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("nothing here has functions to record"));
    EXPECT_THAT(error.what(), HasSubstr("one.csv"));
    EXPECT_THAT(error.what(), HasSubstr("there is no host"));
  }
  Recorder all({into(files_("two.csv"), "record=all"), into(files_("three.csv"), "port=x")});
  EXPECT_NO_THROW(all.check_subjects(sources, why));
}

TEST_F(Scene, FunctionsThatThereAreNotAreRefused) {
  Recorder recorder({into(files_("one.csv"), "function=main|mem*")});
  EXPECT_NO_THROW(recorder.check_functions([](const std::string& name) { return name == "main"; }));
  try {
    recorder.check_functions([](const std::string&) { return false; });
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the firmware has no function \"main\""));
    EXPECT_THAT(error.what(), HasSubstr("one.csv"));
  }
}

TEST_F(Scene, WhatNeverCameIsSaidAfterTheRun) {
  Recorder recorder({into(files_("a.csv"), "trigger=nosuch"), into(files_("b.csv"), "trigger=main"),
                     into(files_("c.csv"), "function=mian"), into(files_("d.csv"), "kernel=mat*"),
                     into(files_("e.csv"), "trigger=main..puts"),
                     into(files_("f.csv"), "trigger=main..exit")});
  recorder.begins(recorder.names().number("main"), 0);
  recorder.begins(recorder.names().number("exit"), 10);
  recorder.names().number("matmul");
  const std::vector<std::string> texts = recorder.never_seen();
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_THAT(texts[0], HasSubstr("a.csv: its trigger \"nosuch\" never began"));
  EXPECT_THAT(texts[1], HasSubstr("c.csv: no function \"mian\""));
  EXPECT_THAT(texts[2], HasSubstr("e.csv: the end of its trigger, \"puts\", never began"));
}

TEST_F(Scene, TheRingHasTheLatestTransactions) {
  Recorder recorder({}, 3);
  EXPECT_EQ(recorder.wanted("any", {}).size(), 1u);
  for (uint64_t number = 1; number <= 5; ++number) recorder.transaction(sample(recorder, number));
  testing::internal::CaptureStderr();
  recorder.dump_ring("the test wants it");
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_THAT(text, HasSubstr("latest 3 transactions, oldest first, as the test wants it:\n"));
  EXPECT_THAT(text, testing::ContainsRegex("#3 .*\n.*#4 .*\n.*#5 "));
  EXPECT_THAT(text, testing::Not(HasSubstr("#2 ")));
}

}  // namespace
}  // namespace gvp::trace
