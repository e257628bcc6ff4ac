// SPDX-License-Identifier: Apache-2.0
// What a set-associative cache holds: which line stands in which frame, which of its sectors are
// valid and which are dirty, and which line goes when a set is full.  No data, no policy of writes,
// no time.  Addresses and sizes are bytes.
//
// A frame is free or holds a line; a free frame of the set is taken first, that of the lowest way.
// Else the victim is the line used longest ago (LRU), the line that came first (FIFO) or that of a
// random way: the next number of Marsaglia's xorshift generator (13, 17, 5; Journal of Statistical
// Software 8(14), 2003) modulo the ways.
//
// Not modelled: approximations of LRU that hardware with many ways uses, lines that are locked.
#pragma once

#include <cstdint>
#include <vector>

#include "models/cache/settings.h"

namespace gvp::cache {

enum class Replacement : uint8_t { kLru, kFifo, kRandom };

// A bit for each sector of a line, the first one's is bit 0.
using Sectors = uint32_t;

struct Line {
  uint64_t address = 0;  // of its first byte
  Sectors valid = 0;     // none: the frame is free
  Sectors dirty = 0;     // not in the next level; only valid ones
};

class Tags {
 public:
  static constexpr uint32_t kNoFrame = ~uint32_t{0};

  // All frames are free.  The settings must be valid.
  explicit Tags(const Settings& settings);

  uint32_t frames() const { return static_cast<uint32_t>(lines_.size()); }
  uint32_t line_bytes() const { return line_bytes_; }
  uint32_t sector_bytes() const { return uint32_t{1} << sector_shift_; }
  const Line& line(uint32_t frame) const { return lines_[frame]; }
  uint64_t line_address(uint64_t address) const { return address & ~uint64_t{line_bytes_ - 1}; }
  // Those that the bytes, which lie in one line, touch; and those that they fill.
  Sectors touched(uint64_t address, uint32_t bytes) const;
  Sectors filled(uint64_t address, uint32_t bytes) const;

  // The frame of the line with this address, or kNoFrame.
  uint32_t find(uint64_t address) const;
  // The line is used now.
  void use(uint32_t frame);
  // Takes a frame for a line that is not there, without valid sectors as yet (add_valid() follows).
  // victim: the line that stood there; its valid sectors are none where the frame was free.
  uint32_t take(uint64_t address, Line& victim);
  void add_valid(uint32_t frame, Sectors sectors) { lines_[frame].valid |= sectors; }
  void add_dirty(uint32_t frame, Sectors sectors) { lines_[frame].dirty |= sectors; }
  void clean(uint32_t frame) { lines_[frame].dirty = 0; }
  void free(uint32_t frame) { lines_[frame] = {}; }
  // All frames are free; random numbers go on.
  void free_all();

 private:
  uint32_t first_frame(uint64_t address) const {
    return static_cast<uint32_t>(address >> line_shift_ & set_mask_) * ways_;
  }
  uint32_t victim_way(uint32_t first);
  uint32_t next_random();

  const uint32_t line_bytes_;
  const unsigned line_shift_, sector_shift_;
  const uint32_t ways_;
  const uint64_t set_mask_;
  const Replacement replacement_;
  uint32_t random_;
  uint64_t now_ = 0;            // counts uses
  std::vector<Line> lines_;     // way by way, set by set
  std::vector<uint64_t> used_;  // by frame: LRU, when last; FIFO, when it came
};

}  // namespace gvp::cache
