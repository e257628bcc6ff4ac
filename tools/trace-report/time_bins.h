// SPDX-License-Identifier: Apache-2.0
// Amounts over time in a bounded number of equal bins, whatever the time range: bins are a power of
// two picoseconds wide, and become twice as wide whenever there would be too many.  Sums are exact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gvp::trace_report {

struct Amount {
  uint64_t count = 0;
  uint64_t sum = 0;  // of bytes, or of picoseconds

  Amount& operator+=(const Amount& other) {
    count += other.count;
    sum += other.sum;
    return *this;
  }
};

class TimeBins {
 public:
  explicit TimeBins(size_t most) : most_(most) {}

  // One more at this time (ps), with this amount.
  void add(uint64_t time, uint64_t amount) {
    const uint64_t bin = time >> shift_;
    Amount& at = bin - first_ < bins_.size() ? bins_[bin - first_] : make_room(time);
    ++at.count;
    at.sum += amount;
  }
  // Something that lasted: counted where it begins, its picoseconds in the bins in which it was.
  void add_span(uint64_t begin, uint64_t end);
  void add(const TimeBins& other);

  // Bins of 2^shift ps from now on; never narrower ones.
  void widen(unsigned shift);
  unsigned shift() const { return shift_; }
  bool empty() const { return bins_.empty(); }
  // Of the first bin, as times are numbered: its time is first() << shift().
  uint64_t first() const { return first_; }
  const std::vector<Amount>& bins() const { return bins_; }
  // Of a bin by its number; nothing where there is none.
  Amount at(uint64_t bin) const {
    return bin - first_ < bins_.size() ? bins_[bin - first_] : Amount{};
  }

 private:
  Amount& make_room(uint64_t time);

  size_t most_;
  unsigned shift_ = 0;
  uint64_t first_ = 0;
  std::vector<Amount> bins_;
};

// The bins in which all of them can be shown together: widens them, and says where the first one
// begins and how many there are.
struct CommonBins {
  unsigned shift = 0;
  uint64_t first = 0;
  size_t count = 0;
};
CommonBins in_common(const std::vector<TimeBins*>& all, size_t most);

}  // namespace gvp::trace_report
