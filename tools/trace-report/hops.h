// SPDX-License-Identifier: Apache-2.0
// Where transactions wait between sockets.  A transaction that is seen at two ports, and one that
// serves another, took time from one to the other: the shortest such time of a pair of ports is
// what the path takes, and what others took beyond it is waiting: for arbitration, a full queue or
// a width conversion.  In one pass over records that come in the order of their ends: what is under
// way is kept in tables of fixed size, and a pair that has left them is counted as not paired.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "models/tlm/histogram.h"
#include "tools/trace-report/trace_file.h"

namespace gvp::trace_report {

class Hops {
 public:
  explicit Hops(const TraceFile& trace);
  void add(const Transaction& transaction);
  nlohmann::json to_json() const;

 private:
  struct Seen {
    uint64_t number = 0;  // 0: nobody
    uint64_t begin = 0;
    uint32_t port = 0;
  };
  struct Hop {
    kit::Histogram request;  // from the beginning at one port to that at the other, ps
    uint64_t shortest = ~uint64_t{0};
    uint64_t longest = 0;
    uint64_t total = 0;
  };
  static constexpr size_t kSlots = 1 << 15;

  void pair(const Seen& outer, const Seen& inner);
  static Seen& slot(std::vector<Seen>& table, uint64_t number) {
    return table[number & (kSlots - 1)];
  }

  const TraceFile& trace_;
  std::vector<Seen> passed_;  // the latest socket of each transaction
  std::vector<Seen> served_;  // by the transaction that is served: the first part of what serves it
  std::map<std::pair<uint32_t, uint32_t>, Hop> hops_;
};

}  // namespace gvp::trace_report
