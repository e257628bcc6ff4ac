// SPDX-License-Identifier: Apache-2.0
// What can be chosen of one cache.  Every field is a configuration key (keys.h): gpgpu.l1.sets is
// the field `sets` of a GPGPU's first-level cache.  Sizes are bytes.  Plain data: no SystemC.
#pragma once

#include <cstdint>
#include <string>

namespace gvp::cache {

// Defaults are those of the thesis's level-1 data cache (5.4.1: 128-byte lines, write-evict, no
// allocation on a write) with GPGPU-Sim's sets and ways of a GTX 480
// (configs/GTX480/gpgpusim.config, -gpgpu_cache:dl1 32:128:4,L).
struct Settings {
  bool enabled = false;

  // Geometry.
  uint32_t sets = 32;
  uint32_t ways = 4;
  uint32_t line_bytes = 128;
  uint32_t sector_bytes = 128;  // what is fetched at a time; no more than a line

  // Which line goes when a set is full: "lru", "fifo" or "random".
  std::string replacement = "lru";
  uint32_t seed = 1;  // of "random"

  // A write that hits: "write-through" changes the line and goes on to the next level, "write-back"
  // changes the line alone, "write-evict" drops the line and goes on.
  std::string write = "write-evict";
  // A write that misses takes a line (which is fetched first, as far as the write does not fill
  // it), or leaves the cache as it is and goes on.
  bool write_allocate = false;

  // Time, in cycles of the clock of whoever has the cache.
  uint32_t hit_cycles = 1;  // thesis 5.4.1
  uint32_t ports = 1;       // requests it takes in a cycle
  // Miss status registers, and requests merged in each; without registers an access waits until
  // the one before it has its data.  GPGPU-Sim's GTX 480: A:32:8.
  uint32_t miss_registers = 32;
  uint32_t miss_requests = 8;
  // Fetches and writes that go on which the next level has not taken yet (thesis 5.4.1: a FIFO);
  // when it is full, a request that needs a place waits at the entrance.  GPGPU-Sim's GTX 480: 8 of
  // the L1, 4 of the L2.
  uint32_t miss_queue = 8;
  // Dirty lines that have gone and are on their way to the next level, behind the fetches for which
  // they made room; 0: each fetch waits until the line before it is written.  GPGPU-Sim's GTX 480:
  // 4, the L2 cache's miss queue.
  uint32_t write_buffer = 4;

  uint32_t bytes() const { return sets * ways * line_bytes; }
};

// Throws Error (bad input) naming the key, its value and what is allowed; prefix: "gpgpu.l1".
void validate(const Settings& settings, const std::string& prefix);

}  // namespace gvp::cache
