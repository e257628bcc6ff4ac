// SPDX-License-Identifier: Apache-2.0
// A histogram of latencies with constant memory: 16 buckets for each power of two, so that
// percentiles are exact to one part in 16.  Values are whatever the owner says (picoseconds).
#pragma once

#include <array>
#include <cstdint>

namespace gvp::kit {

class Histogram {
 public:
  void add(uint64_t value) {
    ++buckets_[bucket_of(value)];
    ++count_;
    sum_ += value;
    if (value > maximum_) maximum_ = value;
    if (value < minimum_) minimum_ = value;
  }
  Histogram& operator+=(const Histogram& more) {
    for (unsigned b = 0; b < buckets_.size(); ++b) buckets_[b] += more.buckets_[b];
    count_ += more.count_;
    sum_ += more.sum_;
    maximum_ = maximum_ > more.maximum_ ? maximum_ : more.maximum_;
    minimum_ = minimum_ < more.minimum_ ? minimum_ : more.minimum_;
    return *this;
  }
  uint64_t count() const { return count_; }
  uint64_t sum() const { return sum_; }
  uint64_t minimum() const { return count_ == 0 ? 0 : minimum_; }
  uint64_t maximum() const { return maximum_; }
  double mean() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  // The value that a share (0..1) of all values does not exceed, rounded up to its bucket's end.
  uint64_t percentile(double share) const {
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

  std::array<uint64_t, 61u << kSubBits> buckets_{};
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t maximum_ = 0;
  uint64_t minimum_ = ~uint64_t{0};
};

}  // namespace gvp::kit
