// SPDX-License-Identifier: Apache-2.0
// Things to do at points in simulated time, in order of time and then of insertion: a binary heap
// instead of TLM's payload event queues, whose insertion walks a list.  Times are in the
// simulator's time resolution (picoseconds).  The owner has one SystemC method that wakes at
// next_time() and takes what is due.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gvp::kit {

template <typename Action>
class TimedQueue {
 public:
  bool empty() const { return heap_.empty(); }
  size_t size() const { return heap_.size(); }
  uint64_t next_time() const { return heap_.front().time; }

  void push(uint64_t time, Action action) {
    heap_.push_back({time, sequence_++, std::move(action)});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }
  // Takes the first action if it is due at `now`.
  bool pop(uint64_t now, Action& action) {
    if (heap_.empty() || heap_.front().time > now) return false;
    std::pop_heap(heap_.begin(), heap_.end(), later);
    action = std::move(heap_.back().action);
    heap_.pop_back();
    return true;
  }

 private:
  struct Entry {
    uint64_t time;
    uint64_t sequence;
    Action action;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.time != b.time ? a.time > b.time : a.sequence > b.sequence;
  }

  std::vector<Entry> heap_;
  uint64_t sequence_ = 0;
};

}  // namespace gvp::kit
