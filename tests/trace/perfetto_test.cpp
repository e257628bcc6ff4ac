// SPDX-License-Identifier: Apache-2.0
// The .pftrace file as protobuf's own parser reads it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <vector>

#include "tests/trace/files.h"
#include "tests/trace/perfetto_file.h"

namespace gvp::trace {
namespace {

using test::PerfettoFile;
using test::Slice;
using testing::ElementsAre;
using testing::IsEmpty;

class PerfettoTrace : public testing::Test {
 protected:
  // What is in the file of these records.
  template <typename Records>
  PerfettoFile recorded(Records records) {
    const std::string path = files_("a.pftrace");
    {
      Recorder recorder({into(path)});
      records(recorder);
    }
    return PerfettoFile(path);
  }

  Files files_;
};

TEST_F(PerfettoTrace, HasASliceForATransactionWithAllThereIsToSay) {
  const PerfettoFile file =
      recorded([](Recorder& recorder) { recorder.transaction(sample(recorder)); });
  ASSERT_EQ(file.slices.size(), 1u);
  const Slice& slice = file.slices[0];
  EXPECT_EQ(slice.name, "write");
  EXPECT_EQ(slice.category, "transactions");
  EXPECT_EQ(slice.track, "ports/ddr3");
  EXPECT_EQ(slice.begin, 1000u) << "nanoseconds, rounded down";
  EXPECT_EQ(slice.end, 1001u);
  EXPECT_THAT(slice.flows, ElementsAre(2u)) << "the root's number";
  const std::map<std::string, std::string> expected = {{"address", "1342177344"},
                                                       {"bytes", "64"},
                                                       {"number", "7"},
                                                       {"parent", "3"},
                                                       {"initiator", "host_data"},
                                                       {"target", "memory"},
                                                       {"origin", "main"},
                                                       {"begin_ps", "1000001"},
                                                       {"response_ps", "1000501"},
                                                       {"end_ps", "1001001"},
                                                       {"response", "address error"},
                                                       {"outstanding", "5"}};
  EXPECT_EQ(slice.annotations, expected);
}

TEST_F(PerfettoTrace, SlicesOfARowNeverOverlap) {
  const PerfettoFile file = recorded([](Recorder& recorder) {
    Transaction t = sample(recorder);
    // begin, end: in the order of their ends, as they come
    for (const auto& [begin, end] : std::vector<std::pair<uint64_t, uint64_t>>{
             {0, 5000}, {1000, 7000}, {5000, 8000}, {2000, 9000}, {8000, 8000}, {9500, 12000}}) {
      t.begin = t.response_begin = begin;
      t.end = end;
      recorder.transaction(t);
    }
  });
  std::map<std::string, std::vector<uint64_t>> begins;
  for (const Slice& slice : file.slices) begins[slice.track].push_back(slice.begin);
  EXPECT_THAT(begins["ports/ddr3"], ElementsAre(0, 5, 8, 9)) << "rows are used again";
  EXPECT_THAT(begins["ports/ddr3 #2"], ElementsAre(1));
  EXPECT_THAT(begins["ports/ddr3 #3"], ElementsAre(2));
  EXPECT_THAT(file.overlaps, IsEmpty());
}

TEST_F(PerfettoTrace, HasSpansLevelsAndLinesOfTheConsole) {
  const PerfettoFile file = recorded([](Recorder& recorder) {
    const TrackId kernels = recorder.track(Subject::kKernels, "gpgpu", "kernels");
    const TrackId line = recorder.track(Subject::kInterrupts, "interrupts", "timer");
    const Id kernel = recorder.names().number("matmul");
    recorder.span({kernels, kernel, kernel, 10000, 30500, "launch 1"});
    recorder.span({recorder.track(Subject::kAccesses, "ddr3", "bank 3 data"), kernel, kNobody,
                   31000, 32000, "", 0, 4711});
    recorder.level({line, 40000, 1});
    recorder.level({line, 50000, 0});
    recorder.event({recorder.track(Subject::kConsole, "console", "uart"), 60000, "Hello"});
  });
  ASSERT_EQ(file.slices.size(), 2u);
  EXPECT_EQ(file.slices[1].track, "ddr3/bank 3 data");
  EXPECT_THAT(file.slices[1].flows, ElementsAre(4711u)) << "of the transaction that it serves";
  EXPECT_THAT(file.slices[0].flows, ElementsAre());
  EXPECT_EQ(file.slices[0].name, "matmul");
  EXPECT_EQ(file.slices[0].track, "gpgpu/kernels");
  EXPECT_EQ(file.slices[0].category, "kernels");
  EXPECT_EQ(file.slices[0].begin, 10u);
  EXPECT_EQ(file.slices[0].end, 30u);
  EXPECT_EQ(file.slices[0].annotations.at("end_ps"), "30500");
  EXPECT_EQ(file.slices[0].annotations.at("detail"), "launch 1");
  EXPECT_THAT(file.counters.at("interrupts/timer"),
              ElementsAre(std::make_pair(40u, 1), std::make_pair(50u, 0)));
  ASSERT_EQ(file.instants.size(), 1u);
  EXPECT_EQ(file.instants[0].name, "Hello");
  EXPECT_EQ(file.instants[0].track, "console/uart");
  EXPECT_EQ(file.instants[0].begin, 60u);
}

TEST_F(PerfettoTrace, CountsBandwidthAndOutstandingTransactionsByWindow) {
  const PerfettoFile file = recorded([](Recorder& recorder) {
    Transaction t = sample(recorder);
    t.length = 1000;
    for (const auto& [end, outstanding] : std::vector<std::pair<uint64_t, uint32_t>>{
             {1000000, 1}, {9999999, 3}, {10000000, 2}, {45000000, 1}}) {
      t.begin = t.response_begin = t.end = end;
      t.outstanding = outstanding;
      recorder.transaction(t);
    }
  });
  // 2000 bytes in 10 us are 200 MB/s.
  EXPECT_THAT(file.counters.at("ports/ddr3 bandwidth"),
              ElementsAre(std::make_pair(0u, 200), std::make_pair(10000u, 100),
                          std::make_pair(20000u, 0), std::make_pair(40000u, 100)));
  EXPECT_THAT(file.counters.at("ports/ddr3 outstanding"),
              ElementsAre(std::make_pair(0u, 3), std::make_pair(10000u, 2),
                          std::make_pair(20000u, 0), std::make_pair(40000u, 1)));
}

TEST_F(PerfettoTrace, TakesTextsOfAnyLength) {
  const std::string longest(100000, 'x');
  const PerfettoFile file = recorded([&](Recorder& recorder) {
    Transaction t = sample(recorder);
    t.port = recorder.names().number("port" + longest);
    t.origin = recorder.names().number("origin" + longest);
    t.initiator = recorder.names().number("initiator" + longest);
    recorder.transaction(t);
    const TrackId track = recorder.track(Subject::kKernels, "g" + longest, "k" + longest);
    const Id name = recorder.names().number("kernel" + longest);
    recorder.span({track, name, name, 0, 1, longest});
    recorder.event({track, 2, longest});
  });
  EXPECT_EQ(file.slices.size(), 2u);
  EXPECT_EQ(file.instants.size(), 1u);
}

TEST_F(PerfettoTrace, IsReadableToItsLastWholePacket) {
  const std::string path = files_("cut.pftrace");
  {
    Recorder recorder({into(path)});
    for (uint64_t i = 1; i <= 100; ++i) recorder.transaction(sample(recorder, i));
  }
  const std::string whole = contents(path);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, whole.size() / 2);
  const PerfettoFile file(path);
  EXPECT_GT(file.slices.size(), 40u);
  EXPECT_LT(file.slices.size(), 60u);
}

}  // namespace
}  // namespace gvp::trace
