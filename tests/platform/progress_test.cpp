// SPDX-License-Identifier: Apache-2.0
#include "platform/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/platform/fakes.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;

TEST(Progress, TextShowsTimeSpeedKernelAndBlocks) {
  EXPECT_EQ(progress_text(12350000000, 87.125, {true, 3, 12, 64}),
            "  12.35 ms     87.1 MIPS   kernel 3: block 12 of 64");
  EXPECT_EQ(progress_text(5000, 0, {false, 3, 64, 64}), "      5 ns      0.0 MIPS   kernel 3 done");
  EXPECT_EQ(progress_text(5000, 0, {}), "      5 ns      0.0 MIPS");
  EXPECT_EQ(progress_text(12350000000, 87.125, {true, 3, 12, 64}, 0.234),
            "  12.35 ms     87.1 MIPS   bus 23%   kernel 3: block 12 of 64");
}

// Where the clock shows what the test says.
struct Watched {
  explicit Watched(bool can_draw = true, bool terminal = true, double interval = Progress::kRedraw)
      : progress([this](const std::string& text) { written.push_back(text); },
                 [can_draw] { return can_draw; }, terminal, interval, [this] { return seconds; }) {}
  double seconds = 1000;
  std::vector<std::string> written;
  Progress progress;
};

TEST(Progress, IsDrawnSeldomAndErasedWhenHidden) {
  test::FakeHost host("host", [](test::FakeHost&) {});
  test::FakeGpgpu gpgpu("gpgpu");
  const std::vector<gpgpu::Device*> gpgpus = {&gpgpu};
  Watched watched;
  const auto lines_after = [&](double seconds) {
    watched.seconds += seconds;
    watched.progress.update(host, gpgpus);
    return watched.written.size();
  };
  EXPECT_EQ(lines_after(0.19), 0u) << "too early";
  EXPECT_EQ(lines_after(0.02), 1u);
  EXPECT_THAT(watched.written[0], HasSubstr("block 5 of 64"));
  EXPECT_EQ(lines_after(0.19), 1u);
  EXPECT_EQ(lines_after(0.02), 2u);
  watched.progress.hide();
  watched.progress.hide();
  EXPECT_EQ(watched.written.size(), 3u);
}

TEST(Progress, IsALineOfItsOwnWhereThereIsNoTerminal) {
  test::FakeHost host("host", [](test::FakeHost&) {});
  Watched watched(false, false, 2);
  for (const double seconds : {0.25, 1.9, 0.2}) {  // the first comes soon
    watched.seconds += seconds;
    watched.progress.update(host, {});
  }
  watched.progress.hide();
  ASSERT_EQ(watched.written.size(), 2u);
  for (const std::string& line : watched.written) {
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
  }
}

TEST(Progress, CountsTheKernelsOfAllGpgpus) {
  test::FakeHost host("host", [](test::FakeHost&) {});
  test::FakeGpgpu gpgpu("gpgpu"), gpgpu1("gpgpu1");
  Watched watched;
  watched.seconds += 1;
  watched.progress.update(host, {&gpgpu, &gpgpu1});
  ASSERT_EQ(watched.written.size(), 1u);
  EXPECT_THAT(watched.written[0], HasSubstr("kernel 4: block 5 of 64"));
}

TEST(Progress, IsNotDrawnIntoTheMiddleOfALine) {
  test::FakeHost host("host", [](test::FakeHost&) {});
  Watched watched(false);
  watched.seconds += 1;
  watched.progress.update(host, {});
  EXPECT_TRUE(watched.written.empty());
}

TEST(Progress, TheWallClockGoesOn) {
  const double first = Progress::wall_clock();
  EXPECT_GE(Progress::wall_clock(), first);
}

}  // namespace
}  // namespace gvp::platform
