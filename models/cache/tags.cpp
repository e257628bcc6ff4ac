// SPDX-License-Identifier: Apache-2.0
#include "models/cache/tags.h"

#include <algorithm>

namespace gvp::cache {
namespace {

unsigned log2_of(uint32_t power_of_two) {
  return static_cast<unsigned>(__builtin_ctz(power_of_two));
}

Replacement replacement_of(const std::string& name) {
  if (name == "lru") return Replacement::kLru;
  return name == "fifo" ? Replacement::kFifo : Replacement::kRandom;
}

// Sectors first to last, both included.
Sectors from_to(unsigned first, unsigned last) {
  return (~Sectors{0} >> (31 - (last - first))) << first;
}

}  // namespace

Tags::Tags(const Settings& s)
    : line_bytes_(s.line_bytes),
      line_shift_(log2_of(s.line_bytes)),
      sector_shift_(log2_of(s.sector_bytes)),
      ways_(s.ways),
      set_mask_(s.sets - 1),
      replacement_(replacement_of(s.replacement)),
      random_(s.seed),
      lines_(size_t{s.sets} * s.ways),
      used_(lines_.size()) {}

Sectors Tags::touched(uint64_t address, uint32_t bytes) const {
  const auto offset = static_cast<uint32_t>(address & (line_bytes_ - 1));
  return from_to(offset >> sector_shift_, (offset + bytes - 1) >> sector_shift_);
}

Sectors Tags::filled(uint64_t address, uint32_t bytes) const {
  const auto offset = static_cast<uint32_t>(address & (line_bytes_ - 1));
  const uint32_t first = (offset + sector_bytes() - 1) >> sector_shift_;
  const uint32_t end = (offset + bytes) >> sector_shift_;
  return first < end ? from_to(first, end - 1) : 0;
}

uint32_t Tags::find(uint64_t address) const {
  const uint64_t line = line_address(address);
  const uint32_t first = first_frame(address);
  for (uint32_t frame = first; frame < first + ways_; ++frame)
    if (lines_[frame].address == line && lines_[frame].valid != 0) return frame;
  return kNoFrame;
}

void Tags::use(uint32_t frame) {
  if (replacement_ == Replacement::kLru) used_[frame] = ++now_;
}

uint32_t Tags::take(uint64_t address, Line& victim) {
  const uint32_t first = first_frame(address);
  const uint32_t frame = first + victim_way(first);
  victim = lines_[frame];
  lines_[frame] = {line_address(address), 0, 0};
  used_[frame] = ++now_;
  return frame;
}

uint32_t Tags::victim_way(uint32_t first) {
  for (uint32_t way = 0; way < ways_; ++way)
    if (lines_[first + way].valid == 0) return way;
  if (replacement_ == Replacement::kRandom) return next_random() % ways_;
  const auto begin = used_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto oldest = std::min_element(begin, begin + static_cast<std::ptrdiff_t>(ways_));
  return static_cast<uint32_t>(oldest - begin);
}

uint32_t Tags::next_random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  random_ ^= random_ << 5;
  return random_;
}

void Tags::free_all() { std::fill(lines_.begin(), lines_.end(), Line{}); }

}  // namespace gvp::cache
