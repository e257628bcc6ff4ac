// SPDX-License-Identifier: Apache-2.0
#include "models/host/cache_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"
#include "models/host/log.h"

namespace gvp::host {
namespace {

constexpr uint32_t kPage = 4096;

bool is_power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

// which: "icache" or "dcache".
void check(const CacheShape& shape, const Configuration& configuration, const char* which) {
  const uint32_t words = shape.line_bytes / 4;
  if (words != 4 && words != 8 && words != 16)
    throw bad_input(fmt::format("a cache line of {} words", words), {},
                    fmt::format("host.{}_line_len is 4, 8 or 16", which));
  if (!is_power_of_two(shape.bytes) || shape.bytes < 64 || shape.bytes > 65536)
    throw bad_input(fmt::format("a cache of {} bytes", shape.bytes), {},
                    fmt::format("host.{} is a power of two from 64 to 65536",
                                which[0] == 'i' ? "cache_byte_size" : "dcache_byte_size"));
  const uint64_t size = uint64_t{shape.last} - shape.first + 1;
  if (shape.last < shape.first || !is_power_of_two(size) || (shape.first & (size - 1)) != 0 ||
      size < kPage)
    throw bad_input(
        fmt::format("the cacheable range {:#010x} to {:#010x} is not one the hardware can have",
                    shape.first, shape.last),
        {},
        fmt::format("choose host.{0}_baseaddr and host.{0}_highaddr so that the range is a power "
                    "of two of at least 4096 bytes, and starts at a multiple of its size",
                    which));
  const uint64_t local_end = uint64_t{configuration.lmb_base} + configuration.lmb_size;
  if (std::max(shape.first, configuration.lmb_base) < std::min(shape.last + uint64_t{1}, local_end))
    throw bad_input(fmt::format("the cacheable range {:#010x} to {:#010x} includes local memory",
                                shape.first, shape.last),
                    {},
                    fmt::format("choose host.{0}_baseaddr and host.{0}_highaddr beyond it", which));
}

void warn(const char* what, uint32_t address, BusStatus status) {
  kLog.warning("{} of cache line {:#010x} failed ({}); the processor ignores that", what, address,
               status == BusStatus::kDecodeError ? "DECERR" : "SLVERR");
}

}  // namespace

CacheController::CacheController(const Configuration& c, Bus& bus, BlockCache& blocks)
    : bus_(bus),
      blocks_(blocks),
      use_writeback_(c.dcache_use_writeback),
      allow_wic_(c.allow_icache_wr),
      allow_wdc_(c.allow_dcache_wr) {
  const bool has_contents = c.cache_model == "contents";
  if (c.use_icache) {
    const CacheShape shape = {c.cache_byte_size, c.icache_line_len * 4, c.icache_baseaddr,
                              c.icache_highaddr};
    check(shape, c, "icache");
    if (has_contents) instruction_.emplace(shape);
  }
  if (c.use_dcache) {
    const CacheShape shape = {c.dcache_byte_size, c.dcache_line_len * 4, c.dcache_baseaddr,
                              c.dcache_highaddr};
    check(shape, c, "dcache");
    if (has_contents) data_.emplace(shape);
  }
}

void CacheController::reset() {
  if (instruction_) instruction_->invalidate_all();
  if (data_) data_->invalidate_all();
}

// ---- misses

void CacheController::fill(Cache& cache, Port port, uint32_t physical, uint64_t& cycles) {
  const uint32_t address = cache.line_address(physical);
  cache.line(address) = {};
  const BusStatus status =
      bus_.read(port, address, cache.place(address), cache.line_bytes(), cycles);
  if (status != BusStatus::kOkay) {
    std::memset(cache.place(address), 0, cache.line_bytes());
    warn("reading", address, status);
  }
  cache.line(address) = {address, cache.all_words(), false};
}

void CacheController::fill_data(uint32_t physical, uint64_t& cycles) {
  Cache::Line& line = data_->line(physical);
  if (line.dirty) write_back(line, cycles);
  fill(*data_, Port::kData, physical, cycles);
}

// Decoded blocks stand for words of a line that is present: they go with it.
void CacheController::fill_instruction(uint32_t physical, uint64_t& cycles) {
  const Cache::Line& old = instruction_->line(physical);
  if (old.valid != 0)
    blocks_.invalidate(old.address, old.address + (instruction_->line_bytes() - 1));
  ++instruction_->counters.misses;
  fill(*instruction_, Port::kInstruction, physical, cycles);
}

void CacheController::write_back(Cache::Line& line, uint64_t& cycles) {
  const uint32_t bytes = data_->line_bytes();
  const bool single = (line.valid & (line.valid - 1)) == 0;
  const uint32_t at =
      line.address + (single ? static_cast<uint32_t>(__builtin_ctz(line.valid)) * 4 : 0);
  const BusStatus status = single
                               ? bus_.write(at, data_->place(at), 4, cycles)
                               : bus_.write_line(at, data_->place(at), bytes, line.valid, cycles);
  if (status != BusStatus::kOkay) warn("writing", line.address, status);
  line.dirty = false;
  ++data_->counters.write_backs;
  // Memory has changed: where it is fetched directly, so has the program.
  blocks_.invalidate(line.address, line.address + (bytes - 1));
}

// ---- stores

bool CacheController::store(uint32_t physical, const void* from, uint32_t bytes, bool write_through,
                            uint64_t& cycles) {
  const bool to_memory = write_through || !use_writeback_;
  Cache::Line& line = data_->line(physical);
  if (data_->hit(physical)) {
    ++data_->counters.hits;
  } else {
    ++data_->counters.misses;
    if (to_memory) return true;  // no allocation
    if (bytes < 4) {
      fill_data(physical, cycles);
    } else if (line.address != data_->line_address(physical) || line.valid == 0) {
      if (line.dirty) write_back(line, cycles);
      line = {data_->line_address(physical), data_->word_bit(physical), false};
    } else {
      line.valid |= data_->word_bit(physical);
    }
  }
  std::memcpy(data_->place(physical), from, bytes);
  if (!to_memory) line.dirty = true;
  return to_memory;
}

// ---- wic, wdc

void CacheController::invalidate_instruction_line(uint32_t physical) {
  if (!instruction_ || !allow_wic_) return;
  Cache::Line& line = instruction_->line(physical);
  if (line.valid != 0)
    blocks_.invalidate(line.address, line.address + (instruction_->line_bytes() - 1));
  line = {};
}

void CacheController::invalidate_data_line(uint32_t physical, bool only_match, bool flush,
                                           uint64_t& cycles) {
  if (!data_ || !allow_wdc_) return;
  Cache::Line& line = data_->line(physical);
  if (use_writeback_ && only_match && line.address != data_->line_address(physical)) return;
  if (flush && line.dirty) write_back(line, cycles);
  line = {};
}

// ---- debuggers, statistics

void CacheController::overlay(Port port, uint32_t address, uint8_t* data, size_t size) const {
  const bool fetching = port == Port::kInstruction;
  if (!(fetching ? instruction_on_ : data_on_)) return;
  const Cache& cache = fetching ? *instruction_ : *data_;
  for (size_t done = 0; done < size;) {
    const auto at = static_cast<uint32_t>(address + done);
    const size_t bytes = std::min<size_t>(4 - (at & 3), size - done);
    if (cache.cacheable(at) && cache.hit(at)) std::memcpy(data + done, cache.place(at), bytes);
    done += bytes;
  }
}

void CacheController::update(uint32_t address, const uint8_t* data, size_t size) {
  for (std::optional<Cache>* cache : {&instruction_, &data_}) {
    if (!cache->has_value()) continue;
    for (size_t done = 0; done < size;) {
      const auto at = static_cast<uint32_t>(address + done);
      const size_t bytes = std::min<size_t>(4 - (at & 3), size - done);
      if ((*cache)->hit(at)) std::memcpy((*cache)->place(at), data + done, bytes);
      done += bytes;
    }
  }
}

Cache::Counters CacheController::instruction_counters() const {
  if (!instruction_) return {};
  Cache::Counters counters = instruction_->counters;
  counters.hits = fetched_words_ - std::min(fetched_words_, counters.misses);
  return counters;
}

}  // namespace gvp::host
