// SPDX-License-Identifier: Apache-2.0
#include "tools/trace-report/time_bins.h"

#include <algorithm>

namespace gvp::trace_report {

Amount& TimeBins::make_room(uint64_t time) {
  if (bins_.empty()) {
    first_ = time >> shift_;
    return bins_.emplace_back();
  }
  const auto last = [&] { return first_ + bins_.size() - 1; };
  while (std::max(last(), time >> shift_) - std::min(first_, time >> shift_) >= most_)
    widen(shift_ + 1);
  const uint64_t bin = time >> shift_;
  if (bin < first_) {
    bins_.insert(bins_.begin(), first_ - bin, Amount{});
    first_ = bin;
  } else if (bin > last()) {
    bins_.resize(bin - first_ + 1);
  }
  return bins_[bin - first_];
}

void TimeBins::widen(unsigned shift) {
  if (shift <= shift_) return;
  if (!bins_.empty()) {
    const unsigned by = shift - shift_;
    const uint64_t first = first_ >> by;
    for (size_t i = 0; i < bins_.size(); ++i) {
      const Amount amount = bins_[i];
      bins_[i] = {};
      bins_[((first_ + i) >> by) - first] += amount;
    }
    bins_.resize(((first_ + bins_.size() - 1) >> by) - first + 1);
    first_ = first;
  }
  shift_ = shift;
}

void TimeBins::add_span(uint64_t begin, uint64_t end) {
  make_room(end);
  make_room(begin).count += 1;
  for (uint64_t at = begin; at < end;) {
    const uint64_t next = std::min(end, ((at >> shift_) + 1) << shift_);
    bins_[(at >> shift_) - first_].sum += next - at;
    at = next;
  }
}

void TimeBins::add(const TimeBins& other) {
  if (other.empty()) return;
  widen(other.shift_);
  make_room(other.first_ << other.shift_);
  make_room((other.first_ + other.bins_.size() - 1) << other.shift_);
  for (size_t i = 0; i < other.bins_.size(); ++i)
    bins_[(((other.first_ + i) << other.shift_) >> shift_) - first_] += other.bins_[i];
}

CommonBins in_common(const std::vector<TimeBins*>& all, size_t most) {
  CommonBins common;
  TimeBins sum(most);
  for (const TimeBins* each : all) sum.add(*each);
  for (TimeBins* each : all) each->widen(sum.shift());
  common.shift = sum.shift();
  common.first = sum.first();
  common.count = sum.bins().size();
  return common;
}

}  // namespace gvp::trace_report
