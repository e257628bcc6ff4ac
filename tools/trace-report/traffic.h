// SPDX-License-Identifier: Apache-2.0
// Transactions by port: how many, how much, how long, when, where, and who caused them.  Memory
// grows with the number of ports, functions and kernels, not with that of transactions.
//
// A transaction counts for every port that it passed.  Bytes count when their transaction ends.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/tlm/histogram.h"
#include "tools/trace-report/heat_map.h"
#include "tools/trace-report/time_bins.h"
#include "tools/trace-report/trace_file.h"

namespace gvp::trace_report {

// The latencies of a histogram, in picoseconds: mean, percentiles (upper ends of classes), and the
// classes themselves as [first, last, count].
nlohmann::json latency_to_json(const kit::Histogram& latency);

class Traffic {
 public:
  explicit Traffic(const TraceFile& trace) : trace_(trace) {}
  void add(const Transaction& transaction);

  uint64_t begin() const { return begin_; }  // of the first transaction
  uint64_t end() const { return end_; }      // of the last one
  uint64_t records() const { return records_; }
  nlohmann::json summary() const;
  nlohmann::json ports() const;
  nlohmann::json bandwidth();
  nlohmann::json origins() const;

 private:
  struct Command {
    Amount amount;
    uint64_t errors = 0;
    kit::Histogram latency;
  };
  struct Origin {
    Amount reads, writes;
    uint64_t latency = 0;  // all of it, ps
  };
  struct Port {
    Port() : bandwidth(kMostBins) {}
    std::array<Command, 3> commands;
    bool begins = false;  // transactions of its own
    uint64_t begin = ~uint64_t{0}, end = 0;
    uint64_t latency = 0;  // of all, ps
    uint64_t most_outstanding = 0;
    TimeBins bandwidth;
    HeatMap heat;
    std::map<std::pair<uint32_t, bool>, Origin> origins;  // by name, and whether it is a kernel
    std::pair<uint32_t, bool> latest_origin{~0u, false};
    Origin* latest = nullptr;
  };
  static constexpr size_t kMostBins = 1024;

  Port& port(uint32_t id);
  std::vector<uint32_t> present() const;  // ports by the order of their names

  const TraceFile& trace_;
  std::map<uint32_t, Port> ports_;
  uint32_t latest_id_ = ~0u;
  Port* latest_port_ = nullptr;
  uint64_t begin_ = ~uint64_t{0}, end_ = 0;
  uint64_t records_ = 0;
  Amount all_, begun_;
  uint64_t errors_ = 0;  // of those begun
};

}  // namespace gvp::trace_report
