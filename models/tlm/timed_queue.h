// SPDX-License-Identifier: Apache-2.0
// Things to do at points in simulated time, in order of time and then of insertion.  Times are in
// the simulator's time resolution (picoseconds).  The owner has one SystemC method that wakes at
// next_time() and takes what is due.
//
// Kept sorted, and what is added is put in from the nearer end: most things are among the first or
// the last to be done.  Owners bound how many there are (transactions outstanding).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "models/tlm/ring.h"

namespace gvp::kit {

template <typename Action>
class TimedQueue {
 public:
  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  uint64_t next_time() const { return entries_.front().time; }

  void push(uint64_t time, Action action) {
    const size_t count = entries_.size();
    size_t place = count;
    if (count > 1 && time < entries_[count / 2].time) {
      entries_.push_front({});
      for (place = 0; entries_[place + 1].time <= time; ++place)
        entries_[place] = std::move(entries_[place + 1]);
    } else {
      entries_.push_back({});
      for (; place > 0 && entries_[place - 1].time > time; --place)
        entries_[place] = std::move(entries_[place - 1]);
    }
    entries_[place] = {time, std::move(action)};
  }
  // Takes the first action if it is due at `now`.
  bool pop(uint64_t now, Action& action) {
    if (entries_.empty() || entries_.front().time > now) return false;
    action = std::move(entries_.front().action);
    entries_.pop_front();
    return true;
  }

 private:
  struct Entry {
    uint64_t time = 0;
    Action action{};
  };

  Ring<Entry> entries_;
};

}  // namespace gvp::kit
