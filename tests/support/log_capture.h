// SPDX-License-Identifier: Apache-2.0
// Collects log lines while it lives, for tests of messages.
#pragma once

#include <string>
#include <vector>

#include "models/base/log.h"

namespace gvp::test {

class LogCapture {
 public:
  LogCapture() {
    Log::set_sink([this](LogLevel, const std::string& line) { lines_.push_back(line); });
  }
  ~LogCapture() { Log::set_sink(nullptr); }
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  const std::vector<std::string>& lines() const { return lines_; }
  // All lines, one after another.
  std::string text() const {
    std::string all;
    for (const std::string& line : lines_) all += line + "\n";
    return all;
  }

 private:
  std::vector<std::string> lines_;
};

}  // namespace gvp::test
