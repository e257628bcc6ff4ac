// SPDX-License-Identifier: Apache-2.0
#include "platform/progress.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

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

TEST(Progress, IsDrawnSeldomAndErasedWhenHidden) {
  test::FakeHost host("host", [](test::FakeHost&) {});
  test::FakeGpgpu gpgpu("gpgpu");
  const std::vector<gpgpu::Device*> gpgpus = {&gpgpu};
  std::vector<std::string> written;
  Progress progress([&](const std::string& text) { written.push_back(text); }, [] { return true; });
  progress.update(host, gpgpus);
  EXPECT_TRUE(written.empty());  // too early
  usleep(250000);
  progress.update(host, gpgpus);
  progress.update(host, gpgpus);
  ASSERT_EQ(written.size(), 1u);
  EXPECT_THAT(written[0], HasSubstr("block 5 of 64"));
  progress.hide();
  progress.hide();
  EXPECT_EQ(written.size(), 2u);
}

TEST(Progress, IsALineOfItsOwnWhereThereIsNoTerminal) {
  test::FakeHost host("host", [](test::FakeHost&) {});
  std::vector<std::string> written;
  Progress progress([&](const std::string& text) { written.push_back(text); }, [] { return false; },
                    false, 0.05);
  usleep(250000);
  progress.update(host, {});
  usleep(100000);
  progress.update(host, {});
  progress.hide();
  ASSERT_EQ(written.size(), 2u);
  for (const std::string& line : written) {
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
  }
}

TEST(Progress, CountsTheKernelsOfAllGpgpus) {
  test::FakeHost host("host", [](test::FakeHost&) {});
  test::FakeGpgpu gpgpu("gpgpu"), gpgpu1("gpgpu1");
  const std::vector<gpgpu::Device*> gpgpus = {&gpgpu, &gpgpu1};
  std::string written;
  Progress progress([&](const std::string& text) { written = text; }, [] { return true; });
  usleep(250000);
  progress.update(host, gpgpus);
  EXPECT_THAT(written, HasSubstr("kernel 4: block 5 of 64"));
}

TEST(Progress, IsNotDrawnIntoTheMiddleOfALine) {
  test::FakeHost host("host", [](test::FakeHost&) {});
  test::FakeGpgpu gpgpu("gpgpu");
  const std::vector<gpgpu::Device*> gpgpus = {&gpgpu};
  bool drawn = false;
  Progress progress([&](const std::string&) { drawn = true; }, [] { return false; });
  usleep(250000);
  progress.update(host, gpgpus);
  EXPECT_FALSE(drawn);
}

}  // namespace
}  // namespace gvp::platform
