// SPDX-License-Identifier: Apache-2.0
// --stats-interval: the statistics of a run while it runs, one JSON object a line, each with the
// simulated time and the sums so far; lists that only grow (each launch) are left to the end.
#pragma once

#include <fstream>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gvp::platform {

class IntervalStatistics {
 public:
  // path: "-" for standard output; else a file, which lines are appended to.  Throws Error (bad
  // input) for one that cannot be written.
  explicit IntervalStatistics(const std::string& path);
  // blocks: Platform::statistics().  Throws Error (bad input) where the line cannot be written.
  void append(nlohmann::ordered_json blocks);
  void close();

 private:
  [[noreturn]] void fail() const;

  std::string path_;
  std::ofstream file_;
};

}  // namespace gvp::platform
