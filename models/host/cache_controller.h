// SPDX-License-Identifier: Apache-2.0
// The instruction and the data cache at work (UG984 chapter 2): what hits, what a miss does, when
// memory is written, what wic and wdc do.
//
// Instruction cache: a miss reads the line from memory in one burst.  Neither stores nor other
// masters change a line; wic removes it.
// Data cache, write-through: a load miss reads the line, a store writes memory and the cached word
// if there is one.  Write-back: a store writes the cache only; a word that misses takes its line
// over without reading it (each word has a valid bit), a byte or halfword reads the line first; a
// dirty line is written to memory when it has to give way or is flushed: its valid words, in one
// burst, or as a single word.  TLBLO.W makes the stores to a page write-through, TLBLO.I keeps a
// page out of both caches. The response to a line fill, to a write-back, and to a store through the
// cache is ignored, as the manual says (chapter 2, "Exception Causes"); a warning names the
// address.
//
// Assumed, because the manual does not say: a failing fill reads zeros; a load that misses a word
// of a dirty line writes that line back before it reads it; reset empties both caches without
// writing. Not modelled: parity, streams, victims, C_*CACHE_ALWAYS_USED (which bus port is used
// while a cache is off), the external cache behind wdc.ext.*.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "models/host/block_cache.h"
#include "models/host/bus.h"
#include "models/host/cache.h"
#include "models/host/configuration.h"

namespace gvp::host {

class CacheController {
 public:
  // Throws Error (bad input) for caches that the hardware cannot have.
  CacheController(const Configuration& configuration, Bus& bus, BlockCache& blocks);

  // MSR.ICE and MSR.DCE.  A cache that is off keeps its contents.
  void set_enabled(bool instruction, bool data) {
    instruction_on_ = instruction && instruction_.has_value();
    data_on_ = data && data_.has_value();
  }
  bool instruction_on() const { return instruction_on_; }
  bool data_on() const { return data_on_; }
  // Whether an access goes through a cache; inhibited: TLBLO.I.
  bool caches_fetch(uint32_t physical, bool inhibited) const {
    return instruction_on_ && !inhibited && instruction_->cacheable(physical);
  }
  bool caches_data(uint32_t physical, bool inhibited) const {
    return data_on_ && !inhibited && data_->cacheable(physical);
  }

  // Aligned accesses for which caches_data() holds.  cycles as in Bus; a hit adds none.
  void load(uint32_t physical, void* to, uint32_t bytes, uint64_t& cycles) {
    if (data_->hit(physical)) {
      ++data_->counters.hits;
    } else {
      ++data_->counters.misses;
      fill_data(physical, cycles);
    }
    std::memcpy(to, data_->place(physical), bytes);
  }
  // True: memory has to be written, too.
  bool store(uint32_t physical, const void* from, uint32_t bytes, bool write_through,
             uint64_t& cycles);

  // One instruction word as memory has it, where caches_fetch() holds.
  uint32_t fetch(uint32_t physical, uint64_t& cycles) {
    if (!instruction_->hit(physical)) fill_instruction(physical, cycles);
    uint32_t word = 0;
    std::memcpy(&word, instruction_->place(physical), sizeof word);
    return word;
  }
  // Words from here to the end of the instruction cache's line, and in a line.
  uint32_t words_to_line_end(uint32_t physical) const {
    const uint32_t bytes = instruction_->line_bytes();
    return (bytes - (physical & (bytes - 1))) / 4;
  }
  uint32_t words_beyond_line() const {
    return instruction_->lines() > 1 ? instruction_->line_bytes() / 4 : 0;
  }
  // The interpreter executes decoded blocks; it tells how many words that stands for.
  void count_fetches(uint32_t words) { fetched_words_ += words; }

  void invalidate_instruction_line(uint32_t physical);  // wic
  // wdc and its forms in a write-back cache.  only_match: the line is left alone unless it holds
  // the address (the T bit); flush: a dirty line is written to memory first (the F bit).
  void invalidate_data_line(uint32_t physical, bool only_match, bool flush, uint64_t& cycles);
  void reset();

  // For debuggers.  Replaces, of bytes read from memory, those that the processor would find in a
  // cache; and brings cached bytes in line with what a debugger wrote to memory.
  void overlay(Port port, uint32_t address, uint8_t* data, size_t size) const;
  void update(uint32_t address, const uint8_t* data, size_t size);

  // Null for a cache without contents.
  const Cache* instruction_cache() const { return instruction_ ? &*instruction_ : nullptr; }
  const Cache* data_cache() const { return data_ ? &*data_ : nullptr; }
  Cache::Counters instruction_counters() const;
  Cache::Counters data_counters() const { return data_ ? data_->counters : Cache::Counters{}; }

 private:
  void fill_data(uint32_t physical, uint64_t& cycles);
  void fill_instruction(uint32_t physical, uint64_t& cycles);
  void fill(Cache& cache, Port port, uint32_t physical, uint64_t& cycles);
  void write_back(Cache::Line& line, uint64_t& cycles);

  Bus& bus_;
  BlockCache& blocks_;
  bool use_writeback_;
  bool allow_wic_;
  bool allow_wdc_;
  bool instruction_on_ = false;
  bool data_on_ = false;
  std::optional<Cache> instruction_;
  std::optional<Cache> data_;
  uint64_t fetched_words_ = 0;
};

}  // namespace gvp::host
