// SPDX-License-Identifier: Apache-2.0
// What the tests of the report share: files in a folder of the test's own, and reports of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gvp::test {

class TraceReport : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::string write(const std::string& name, const std::string& contents) const;
  std::string write(const std::string& name, const nlohmann::json& contents) const {
    return write(name, contents.dump());
  }
  // Changes a trace as a program of somebody else might.
  static void change(const std::string& trace, const std::string& statement);

 private:
  std::filesystem::path folder_;
};

// The report of one run.
nlohmann::json analyse(const std::vector<std::string>& files, const std::string& kernel = "");
// Why there is none, which is bad input's fault.
std::string error_of(const std::vector<std::string>& files, const std::string& kernel = "");
// Statistics of a run with two launches of a kernel.
nlohmann::json statistics();

}  // namespace gvp::test
