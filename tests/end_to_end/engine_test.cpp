// SPDX-License-Identifier: Apache-2.0
// The MicroBlaze's two engines on the whole board: nothing but the speed differs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

class Engine : public testing::TestWithParam<const char*> {};

TEST_P(Engine, TranslatedFirmwareTakesTheSameTimeAndDoesTheSame) {
  const std::string jit = "host.engine=jit";
  if (run("gpgpu-vp", {"--set", jit, firmware("hello")}).err.find("cannot translate") !=
      std::string::npos)
    GTEST_SKIP() << "this build has no translator";
  const auto statistics = [&](const std::string& engine) {
    nlohmann::json json = without_wall_clock(
        statistics_of({"--set", engine, "--set", "host.jit_threshold=1", firmware(GetParam())}));
    json.erase("config");  // the engine
    return json;
  };
  const nlohmann::json translated = statistics(jit);
  EXPECT_EQ(translated["exit_code"], 0);
  EXPECT_EQ(translated, statistics("host.engine=interpreter"));
}

INSTANTIATE_TEST_SUITE_P(Firmware, Engine, testing::Values("hello", "selftest", "bench", "speed"),
                         [](const auto& firmware_name) {
                           return std::string(firmware_name.param);
                         });

}  // namespace
}  // namespace gvp::test
