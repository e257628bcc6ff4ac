// SPDX-License-Identifier: Apache-2.0
// Tools of ours as programs, in a folder of the test's own: files, exit codes, messages.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/programs.h"

namespace gvp::test {

struct ToolResult {
  int code;
  std::string output;  // both streams
};

class ToolTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        std::filesystem::temp_directory_path() / (std::string(test->test_suite_name()) + "_" +
                                                  test->name() + "_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // A line for the shell, in that folder, with the tools' folder first in the path.
  ToolResult run(const std::string& command) const {
    const std::string line = "exec 2>&1; export PATH='" + programs() + "':\"$PATH\"; cd '" +
                             folder_.string() + "' && " + command;
    FILE* pipe = popen(line.c_str(), "r");
    ToolResult result{0, ""};
    std::array<char, 4096> buffer;
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) != 0;)
      result.output.append(buffer.data(), n);
    const int status = pclose(pipe);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return result;
  }
  void write(const std::string& name, const std::string& contents) const {
    std::ofstream(folder_ / name) << contents;
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }

 private:
  std::filesystem::path folder_;
};

}  // namespace gvp::test
