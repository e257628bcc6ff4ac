// SPDX-License-Identifier: Apache-2.0
#include "tests/end_to_end/statistics.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/end_to_end/program.h"

namespace gvp::test {

nlohmann::json statistics_of(std::vector<std::string> arguments) {
  const std::string path = temporary("stats.json");
  arguments.insert(arguments.begin(), {"--quiet", "--stats", path});
  const Result result = run("gpgpu-vp", arguments);
  const std::string text = read(path);
  std::remove(path.c_str());
  EXPECT_NE(text, "") << result.err;
  return text.empty() ? nlohmann::json() : nlohmann::json::parse(text);
}

nlohmann::json without_wall_clock(nlohmann::json statistics) {
  statistics.erase("wall_s");
  statistics.erase("wall");
  statistics["host"].erase("mips");
  return statistics;
}

}  // namespace gvp::test
