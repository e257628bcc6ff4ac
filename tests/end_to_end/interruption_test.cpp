// SPDX-License-Identifier: Apache-2.0
// Signals to a running gpgpu-vp, whose firmware here is an endless loop in local memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/program.h"
#include "tests/platform/elf/elf_image.h"

namespace gvp::test {
namespace {

using testing::HasSubstr;

// addik r3, r3, 1; bri -4
std::string endless_loop() {
  const std::vector<uint8_t> image = platform::test::elf_image(
      {{0x50, {0x01, 0x00, 0x63, 0x30, 0xfc, 0xff, 0x00, 0xb8}, 8}}, 0x50, {{"loop", 0x50, 8}});
  const std::string path = temporary("loop.elf");
  write(path, std::string(image.begin(), image.end()));
  return path;
}

void expect_clean_stop(int signal, int exit_code) {
  const std::string elf = endless_loop();
  const std::string statistics = temporary("stats.json");
  Program program("gpgpu-vp", {"--progress", "always", "--stats", statistics, elf});
  for (int i = 0; i < 2000 && program.err_so_far().find("MIPS") == std::string::npos; ++i)
    usleep(10000);  // until the progress line says that it runs
  program.signal(signal);
  const Result result = program.wait();
  EXPECT_EQ(result.exit_code, exit_code);
  EXPECT_THAT(result.err, HasSubstr("stopped by signal " + std::to_string(signal)));
  const auto json = nlohmann::json::parse(read(statistics));
  EXPECT_EQ(json["end"], "signal");
  EXPECT_GT(json["host"]["instructions"], 1000);
  std::remove(elf.c_str());
  std::remove(statistics.c_str());
}

TEST(Interruption, SigintStopsWithStatistics) { expect_clean_stop(SIGINT, 130); }

TEST(Interruption, SigtermStopsWithStatistics) { expect_clean_stop(SIGTERM, 143); }

TEST(Interruption, AnEndlessLoopEndsAtTheTimeLimit) {
  const std::string elf = endless_loop();
  EXPECT_EQ(run("gpgpu-vp", {"--max-time", "1ms", elf}).exit_code, 124);
  std::remove(elf.c_str());
}

}  // namespace
}  // namespace gvp::test
