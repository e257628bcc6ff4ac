// SPDX-License-Identifier: Apache-2.0
// The documentation names everything that the program prints.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "tests/end_to_end/program.h"
#include "tests/end_to_end/statistics.h"

namespace gvp::test {
namespace {

// Paths of all leaves: "gpgpu.kernels[].cycles".
void collect(const nlohmann::json& json, const std::string& path, std::set<std::string>& paths) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items())
      collect(value, path.empty() ? key : path + "." + key, paths);
  } else if (json.is_array()) {
    for (const auto& value : json) collect(value, path + "[]", paths);
  } else {
    paths.insert(path);
  }
}

// The first column of every table of the page, as regular expressions.
std::vector<std::regex> documented_keys() {
  std::vector<std::regex> patterns;
  const std::string page = read(source("docs/statistics.md"));
  const std::regex row("\n\\| (`[^|]*`) \\|");
  const std::regex key("`([^`]+)`");
  for (std::sregex_iterator r(page.begin(), page.end(), row), end; r != end; ++r) {
    const std::string cell = (*r)[1];
    for (std::sregex_iterator k(cell.begin(), cell.end(), key); k != end; ++k) {
      std::string text = std::regex_replace((*k)[1].str(), std::regex(R"([.\[\]])"), "\\$&");
      if (text == "config\\.*") text = "config\\..*";
      patterns.emplace_back(std::regex_replace(text, std::regex(R"((^|\\\.)\*)"), "$1[a-z0-9_]+"));
    }
  }
  return patterns;
}

void expect_documented(const nlohmann::json& statistics) {
  const std::vector<std::regex> patterns = documented_keys();
  ASSERT_GT(patterns.size(), 40u);
  std::set<std::string> paths;
  collect(statistics, "", paths);
  for (const std::string& path : paths) {
    const bool found = std::any_of(patterns.begin(), patterns.end(),
                                   [&](const std::regex& p) { return std::regex_match(path, p); });
    EXPECT_TRUE(found) << path << " is not in docs/statistics.md";
  }
}

TEST(Documentation, HasEveryStatisticsKey) {
  expect_documented(statistics_of({firmware("bench")}));
}

TEST(Documentation, HasEveryStatisticsKeyOfApproximatelyTimedModels) {
  expect_documented(statistics_of({"--model", "gpgpu=at", firmware("bench")}));
  expect_documented(statistics_of({"--timing", "at", firmware("hello")}));
  expect_documented(statistics_of({"--model", "axi=at", "--model", "ddr3=at", firmware("hello")}));
}

}  // namespace
}  // namespace gvp::test
