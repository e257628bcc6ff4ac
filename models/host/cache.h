// SPDX-License-Identifier: Apache-2.0
// The storage of one cache (UG984 chapter 2, "Instruction Cache" and "Data Cache"): direct mapped,
// indexed and tagged by physical address, with a valid bit for each word and a dirty bit for each
// line.  What a miss does, and when memory is written, is decided in cache_controller.h.
//
// A line's bytes stand in the order of memory.  Sizes are bytes.  Not modelled: parity, streams,
// victims.
#pragma once

#include <cstdint>
#include <vector>

namespace gvp::host {

// Where a cache works and how large it is.  Numbers are checked by check_caches().
struct CacheShape {
  uint32_t bytes = 0;       // C_CACHE_BYTE_SIZE, C_DCACHE_BYTE_SIZE: a power of two
  uint32_t line_bytes = 0;  // four times C_*CACHE_LINE_LEN
  uint32_t first = 0;       // C_*CACHE_BASEADDR, C_*CACHE_HIGHADDR: cacheable, both included
  uint32_t last = 0;
};

class Cache {
 public:
  static constexpr uint32_t kMaxLineBytes = 64;

  struct Line {
    uint32_t address = 0;  // physical, of its first byte
    uint32_t valid = 0;    // a bit for each word, the first one's is bit 0
    bool dirty = false;    // some valid word is not in memory
  };
  struct Counters {
    uint64_t hits = 0;
    uint64_t misses = 0;
    uint64_t write_backs = 0;  // lines
  };

  // All lines are invalid, as after the configuration of the FPGA.
  explicit Cache(const CacheShape& shape);

  bool cacheable(uint32_t address) const { return address - shape_.first <= span_; }
  uint32_t line_bytes() const { return shape_.line_bytes; }
  uint32_t lines() const { return static_cast<uint32_t>(lines_.size()); }
  uint32_t all_words() const { return all_words_; }
  uint32_t line_address(uint32_t address) const { return address & ~(shape_.line_bytes - 1); }

  // The one line where this address can be.
  Line& line(uint32_t address) { return lines_[(address & index_mask_) >> line_shift_]; }
  const Line& line(uint32_t address) const {
    return lines_[(address & index_mask_) >> line_shift_];
  }
  // The place of this address in the one line where it can be.
  uint8_t* place(uint32_t address) { return &data_[address & index_mask_]; }
  const uint8_t* place(uint32_t address) const { return &data_[address & index_mask_]; }
  uint32_t word_bit(uint32_t address) const {
    return 1u << ((address & (shape_.line_bytes - 1)) / 4);
  }
  bool hit(uint32_t address) const {
    const Line& at = line(address);
    return at.address == line_address(address) && (at.valid & word_bit(address)) != 0;
  }

  void invalidate_all();

  Counters counters;

 private:
  CacheShape shape_;
  uint32_t span_;        // last - first
  uint32_t index_mask_;  // bits of the address within the cache
  uint32_t line_shift_;
  uint32_t all_words_;  // valid bits of a whole line
  std::vector<Line> lines_;
  std::vector<uint8_t> data_;
};

}  // namespace gvp::host
