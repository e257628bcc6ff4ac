// SPDX-License-Identifier: Apache-2.0
// What a model counts at one of its ports, for each command: transactions, bytes, beats, errors and
// how long they took.  A handful of additions for a transaction, no allocation; the distribution of
// latencies is a histogram (histogram.h).  Times are picoseconds.
//
// Not here: what happened when; that is for traces.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "models/tlm/histogram.h"

namespace gvp::kit {

// In nanoseconds.
nlohmann::ordered_json latency_json(const Histogram& latency);

struct CommandCounters {
  uint64_t bytes = 0;
  uint64_t beats = 0;
  uint64_t errors = 0;
  Histogram latency;  // its count is that of the transactions

  // times: so many transactions that are alike.
  void count(uint64_t moved, uint64_t data_beats, bool error, uint64_t latency_ps,
             uint64_t times = 1) {
    bytes += moved * times;
    beats += data_beats * times;
    errors += error ? times : 0;
    latency.add(latency_ps, times);
  }
};

class PortCounters {
 public:
  CommandCounters& of(bool write) { return commands_[write ? 1 : 0]; }
  const CommandCounters& of(bool write) const { return commands_[write ? 1 : 0]; }
  void note_outstanding(uint64_t transactions) { most_ = std::max(most_, transactions); }
  // Of all transactions.
  Histogram latency() const {
    Histogram sum = commands_[0].latency;
    sum += commands_[1].latency;
    return sum;
  }

  // "read", "write", "outstanding"; beat_ps: what a data beat takes, now_ps: for how long it has
  // been counted.
  nlohmann::ordered_json to_json(uint64_t beat_ps, uint64_t now_ps) const;

 private:
  std::array<CommandCounters, 2> commands_;
  uint64_t most_ = 0;  // outstanding
};

}  // namespace gvp::kit
