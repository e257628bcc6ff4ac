// SPDX-License-Identifier: Apache-2.0
// The transactions that took longest from an initiator's request to its response, and then, in a
// second pass, their paths: every socket they passed and every burst that served them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "tools/trace-report/trace_file.h"

namespace gvp::trace_report {

class Slowest {
 public:
  void add(const Transaction& t) {
    if (t.latency() > threshold_) consider(t);
  }
  // Reads the paths.
  nlohmann::json to_json(TraceFile& trace) const;

 private:
  struct Root {
    uint64_t number = 0;
    uint64_t latency = 0;
  };
  void consider(const Transaction& t);

  std::vector<Root> roots_;  // slowest first
  uint64_t threshold_ = 0;   // not slower: not among them
};

}  // namespace gvp::trace_report
