// SPDX-License-Identifier: Apache-2.0
// A histogram of latencies with constant memory: 16 buckets for each power of two, so that
// percentiles are exact to one part in 16.  Values are whatever the owner says (picoseconds).
//
// Loosely timed latencies are mostly the same as the one before: of such a run only its length is
// counted, and it enters the buckets when another value comes, or when somebody reads them.
#pragma once

#include <array>
#include <cstdint>

namespace gvp::kit {

class Histogram {
 public:
  void add(uint64_t value, uint64_t times = 1) {
    if (value != last_) {
      settle();
      last_ = value;
    }
    run_ += times;
  }
  Histogram& operator+=(const Histogram& more) {
    more.settle();
    for (unsigned b = 0; b < buckets_.size(); ++b) buckets_[b] += more.buckets_[b];
    count_ += more.count_;
    sum_ += more.sum_;
    maximum_ = maximum_ > more.maximum_ ? maximum_ : more.maximum_;
    minimum_ = minimum_ < more.minimum_ ? minimum_ : more.minimum_;
    return *this;
  }
  uint64_t count() const { return count_ + run_; }
  uint64_t sum() const { return sum_ + run_ * last_; }
  uint64_t minimum() const {
    settle();
    return count_ == 0 ? 0 : minimum_;
  }
  uint64_t maximum() const {
    settle();
    return maximum_;
  }
  double mean() const {
    return count() == 0 ? 0 : static_cast<double>(sum()) / static_cast<double>(count());
  }
  // The value that a share (0..1) of all values does not exceed, rounded up to its bucket's end.
  uint64_t percentile(double share) const {
    settle();
    const double wanted = share * static_cast<double>(count_);
    uint64_t seen = 0;
    for (unsigned b = 0; b < buckets_.size(); ++b) {
      seen += buckets_[b];
      if (buckets_[b] != 0 && static_cast<double>(seen) >= wanted)
        return end_of(b) < maximum_ ? end_of(b) : maximum_;
    }
    return maximum_;
  }

  // take(first, last, count) for each bucket that has any, in ascending order.
  template <typename Take>
  void for_each(Take take) const {
    settle();
    for (unsigned b = 0; b < buckets_.size(); ++b)
      if (buckets_[b] != 0) take(b == 0 ? 0 : end_of(b - 1) + 1, end_of(b), buckets_[b]);
  }

 private:
  static constexpr unsigned kSubBits = 4;  // buckets per power of two: 16
  static unsigned bucket_of(uint64_t value) {
    if (value < (1u << kSubBits)) return static_cast<unsigned>(value);
    const unsigned log = 63u - static_cast<unsigned>(__builtin_clzll(value));
    const auto sub = static_cast<unsigned>(value >> (log - kSubBits)) & ((1u << kSubBits) - 1);
    return ((log - kSubBits + 1) << kSubBits) + sub;
  }
  static uint64_t end_of(unsigned bucket) {
    if (bucket < (1u << kSubBits)) return bucket;
    const unsigned log = (bucket >> kSubBits) + kSubBits - 1;
    const uint64_t sub = bucket & ((1u << kSubBits) - 1);
    return (((uint64_t{1} << kSubBits) + sub + 1) << (log - kSubBits)) - 1;
  }

  // The run of equal values enters what is below.
  void settle() const {
    if (run_ == 0) return;
    buckets_[bucket_of(last_)] += run_;
    count_ += run_;
    sum_ += run_ * last_;
    if (last_ > maximum_) maximum_ = last_;
    if (last_ < minimum_) minimum_ = last_;
    run_ = 0;
  }

  // Not yet in the others: how many values, all alike, came last.
  uint64_t last_ = 0;
  mutable uint64_t run_ = 0;
  mutable std::array<uint64_t, 61u << kSubBits> buckets_{};
  mutable uint64_t count_ = 0;
  mutable uint64_t sum_ = 0;
  mutable uint64_t maximum_ = 0;
  mutable uint64_t minimum_ = ~uint64_t{0};
};

}  // namespace gvp::kit
