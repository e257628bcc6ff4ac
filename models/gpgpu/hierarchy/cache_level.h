// SPDX-License-Identifier: Apache-2.0
// A cache between two levels (thesis 5.4, figures 19 and 21): its data, and its time.  What it
// holds and when it misses is cache::Cache's matter, so it is the same in every timing.
//
// Time.  One request is taken a cycle.  A hit is answered after hit_cycles; a miss asks the next
// level after as many, and is answered with its data.  With miss registers further requests are
// taken meanwhile: those for a line on its way wait for it, and are answered one a cycle; one that
// finds no register free, or that of its line full, waits until there is room.
//
// Lines are not coherent with other caches, and what is dirty is known by the byte, so that two
// caches that hold the same line spoil nothing of each other's.  A line that the next level refuses
// to fetch as a whole is accessed past the cache, byte for byte as it was asked for.
//
// What goes to the next level waits in the miss queue until that has taken it; a request that finds
// the queue full stands at the entrance, and those behind it.
//
// A dirty line that makes room for another goes into the write buffer, and from there to the next
// level behind the fetch, as one write with strobes; its place is free when that level has taken
// it.  Where all are taken the fetch waits for one.  Without a buffer it waits until the line is
// written.
//
// Not modelled: an early restart with the word that was asked for, a stall of evictions while the
// line that would go is still on its way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/cache/cache.h"
#include "models/cache/miss_table.h"
#include "models/gpgpu/hierarchy/byte_runs.h"
#include "models/gpgpu/hierarchy/memory_level.h"

namespace gvp::gpgpu::hierarchy {

class CacheLevel : public MemoryLevel {
 public:
  // Throws Error (bad input) for settings that are not possible; prefix: "gpgpu.l1".
  CacheLevel(const cache::Settings& settings, const std::string& prefix, MemoryLevel& next);

  FaultCause read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) override;
  FaultCause write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                           const LineBytes* strobes, uint64_t& cycle) override;
  uint64_t accepted() const override { return accepted_; }
  void answer_taken(uint64_t cycle) override;

  // A kernel begins: nothing is cached, nothing has been counted.
  void begin();
  // Drops the lines of these bytes, of which none is dirty.
  void forget(uint32_t address, uint32_t bytes);
  // Writes everything that is dirty to the next level.
  FaultCause clean(uint64_t& cycle);

  const cache::Counters& counters() const { return cache_.counters(); }
  // Of the miss registers; all zero without any.
  cache::MissTable::Counters misses() const;
  uint64_t waiting() const { return misses_.waiting(); }
  // Lets everything come that is on its way.
  void settle_all() { settle(~uint64_t{0}); }

 private:
  // A line on its way, from its request to its last answer.
  struct Fetch {
    uint64_t line;
    uint64_t arrives;   // cycle
    unsigned requests;  // that it answers
    uint64_t over() const { return arrives + requests - 1; }
  };

  // When a line has come, or could not: why.
  struct Filled {
    uint64_t cycle = 0;
    FaultCause victim = FaultCause::kNone;  // the line that made room could not be written
    FaultCause fetch = FaultCause::kNone;
    bool failed() const { return victim != FaultCause::kNone || fetch != FaultCause::kNone; }
  };

  FaultCause read_line(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle);
  FaultCause write_line(uint32_t address, const uint8_t* data, uint32_t bytes,
                        const LineBytes* strobes, uint64_t& cycle);
  cache::Sectors filled_by(uint32_t offset, uint32_t bytes, const LineBytes& strobes) const;
  uint64_t take_turn(uint64_t cycle);
  void settle(uint64_t cycle);
  uint64_t wait_for_line(uint64_t line, uint64_t cycle);
  uint64_t after_line(uint64_t line, uint64_t cycle);
  uint64_t take_register(uint64_t line, uint64_t cycle);
  Fetch* on_its_way(uint64_t line);
  Filled fill(const cache::Outcome& outcome, uint64_t taken);
  void write_back_first(const cache::Outcome& outcome, Filled& filled);
  void write_back_behind(const cache::Outcome& outcome, Filled& filled);
  uint64_t buffered(const cache::Line& line, const uint8_t* data, const LineBytes& dirty,
                    uint64_t& cycle, FaultCause& cause);
  FaultCause give_up(const cache::Outcome& outcome, const Filled& filled, uint64_t& cycle);
  FaultCause write_back(uint32_t frame, const cache::Line& line, uint64_t& cycle);
  FaultCause write_dirty(const cache::Line& line, const uint8_t* data, const LineBytes& dirty,
                         uint64_t& cycle);
  FaultCause fetch(const cache::Outcome& outcome, uint64_t& cycle);
  template <typename Ask>
  FaultCause queue(uint64_t& cycle, Ask ask);
  uint8_t* data_at(uint32_t frame) { return &data_[size_t{frame} * line_bytes_]; }
  uint32_t in_line(uint32_t address, uint32_t bytes) const;

  const uint32_t line_bytes_;
  const uint32_t hit_cycles_;
  const uint32_t ports_;
  const bool blocking_;
  cache::Cache cache_;
  MemoryLevel& next_;
  std::vector<uint8_t> data_;     // by frame
  std::vector<LineBytes> dirty_;  // bytes, by frame
  cache::MissTable misses_;
  std::vector<Fetch> fetches_;
  std::vector<uint64_t> write_buffer_, miss_queue_;  // when each place is free
  uint64_t requests_ = 0;                            // numbers those that wait
  uint64_t accepted_ = 0;         // when the last one was taken, and had its register
  uint64_t answered_ = 0;         // when its answer is there
  uint64_t line_ = 0;             // which it asked for
  uint64_t free_ = 0;             // when the next request can be taken
  uint64_t turn_ = ~uint64_t{0};  // the last cycle in which any was...
  uint32_t taken_ = 0;            // ...and how many then
};

}  // namespace gvp::gpgpu::hierarchy
