// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/cache_level.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace gvp::gpgpu::hierarchy {
namespace {

// Of places, each of which tells when it is free.
uint64_t& first_free(std::vector<uint64_t>& places) {
  return *std::min_element(places.begin(), places.end());
}

}  // namespace

CacheLevel::CacheLevel(const cache::Settings& settings, const std::string& prefix,
                       MemoryLevel& next)
    : line_bytes_(settings.line_bytes),
      hit_cycles_(settings.hit_cycles),
      ports_(settings.ports),
      blocking_(settings.miss_registers == 0),
      cache_(settings, prefix),
      next_(next),
      data_(settings.bytes()),
      dirty_(cache_.tags().frames()),
      misses_(std::max(settings.miss_registers, 1u), settings.miss_requests),
      write_buffer_(settings.write_buffer),
      miss_queue_(settings.miss_queue) {}

void CacheLevel::begin() {
  cache_.invalidate();
  cache_.reset_counters();
  settle_all();
  misses_.reset_counters();
  for (auto& bytes : dirty_) bytes.reset();
  std::fill(write_buffer_.begin(), write_buffer_.end(), 0);
  std::fill(miss_queue_.begin(), miss_queue_.end(), 0);
  free_ = 0;
  turn_ = ~uint64_t{0};
}

cache::MissTable::Counters CacheLevel::misses() const {
  return blocking_ ? cache::MissTable::Counters{} : misses_.counters();
}

// How many of the bytes lie in the line of this address.
uint32_t CacheLevel::in_line(uint32_t address, uint32_t bytes) const {
  return std::min(bytes, line_bytes_ - address % line_bytes_);
}

FaultCause CacheLevel::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  const uint64_t begin = cycle;
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t part = in_line(address + done, bytes - done);
    uint64_t answered = begin;
    const FaultCause cause = read_line(address + done, data + done, part, answered);
    cycle = std::max(cycle, answered);
    if (cause != FaultCause::kNone) return cause;
    done += part;
  }
  return FaultCause::kNone;
}

FaultCause CacheLevel::write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                                     const LineBytes* strobes, uint64_t& cycle) {
  const uint64_t begin = cycle;
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t part = in_line(address + done, bytes - done);
    LineBytes own;
    if (strobes != nullptr) own = *strobes >> done & ~LineBytes() >> (kMostLineBytes - part);
    uint64_t answered = begin;
    const FaultCause cause = write_line(address + done, data + done, part,
                                        strobes == nullptr ? nullptr : &own, answered);
    cycle = std::max(cycle, answered);
    if (cause != FaultCause::kNone) return cause;
    done += part;
  }
  return FaultCause::kNone;
}

// When a request that comes in this cycle is taken.
uint64_t CacheLevel::take_turn(uint64_t cycle) {
  const uint64_t taken = std::max(cycle, free_);
  taken_ = taken == turn_ ? taken_ + 1 : 1;
  turn_ = taken;
  free_ = taken_ < ports_ ? taken : taken + 1;
  settle(taken);
  accepted_ = taken;
  return taken;
}

// Answers what has come until this cycle.
void CacheLevel::settle(uint64_t cycle) {
  const auto over = [&](const Fetch& each) {
    if (each.over() >= cycle) return false;
    misses_.fill(each.line);
    for (unsigned n = 0; n < each.requests; ++n) misses_.answer();
    return true;
  };
  fetches_.erase(std::remove_if(fetches_.begin(), fetches_.end(), over), fetches_.end());
}

CacheLevel::Fetch* CacheLevel::on_its_way(uint64_t line) {
  const auto found = std::find_if(fetches_.begin(), fetches_.end(),
                                  [&](const Fetch& each) { return each.line == line; });
  return found == fetches_.end() ? nullptr : &*found;
}

// A request for a line that the cache holds: the first cycle after the line is there.
uint64_t CacheLevel::wait_for_line(uint64_t line, uint64_t cycle) {
  Fetch* fetch = on_its_way(line);
  if (fetch == nullptr) return cycle;
  if (misses_.add(line, ++requests_) == cache::MissTable::Result::kMerged) {
    ++fetch->requests;
    return std::max(cycle, fetch->over());
  }
  const uint64_t room = accepted_ = fetch->over() + 1;
  free_ = std::max(free_, room + 1);
  settle(room);
  return std::max(cycle, room);
}

// The same of a write that drops the line.
uint64_t CacheLevel::after_line(uint64_t line, uint64_t cycle) {
  const Fetch* const fetch = on_its_way(line);
  return fetch == nullptr ? cycle : std::max(cycle, fetch->over());
}

// When a register for this line is free, which is taken then.
uint64_t CacheLevel::take_register(uint64_t line, uint64_t cycle) {
  // Another sector of it is on its way: a register has one fetch.
  if (const Fetch* other = on_its_way(line)) {
    cycle = std::max(cycle, other->over() + 1);
    settle(cycle);
  }
  while (misses_.add(line, ++requests_) != cache::MissTable::Result::kNew) {
    const auto first =
        std::min_element(fetches_.begin(), fetches_.end(),
                         [](const Fetch& a, const Fetch& b) { return a.over() < b.over(); });
    cycle = std::max(cycle, first->over() + 1);
    settle(cycle);
  }
  free_ = std::max(free_, cycle + 1);
  accepted_ = cycle;
  return cycle;
}

// The answer of a hit stands in the way of the requests behind it; that of a line that had to come
// keeps the miss register, and those that wait for the line with it.
void CacheLevel::answer_taken(uint64_t cycle) {
  if (cycle <= answered_) return;
  if (Fetch* fetch = blocking_ ? nullptr : on_its_way(line_)) {
    if (fetch->over() < cycle) fetch->arrives += cycle - fetch->over();
  } else {
    free_ = std::max(free_, cycle + 1 - std::min<uint64_t>(hit_cycles_, cycle));
  }
}

FaultCause CacheLevel::read_line(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  const uint64_t taken = take_turn(cycle);
  const uint64_t line = cache_.tags().line_address(address);
  const cache::Outcome outcome = cache_.read(address, bytes);
  uint64_t answered = taken + hit_cycles_;
  if (outcome.hit) {
    if (!blocking_) answered = std::max(answered, wait_for_line(line, taken));
  } else {
    const Filled filled = fill(outcome, taken);
    cycle = answered = filled.cycle;
    if (filled.failed()) {
      const FaultCause cause = give_up(outcome, filled, cycle);
      return cause == FaultCause::kNone ? next_.read(address, data, bytes, cycle) : cause;
    }
  }
  if (blocking_) free_ = std::max(free_, answered);
  std::memcpy(data, data_at(outcome.frame) + (address - line), bytes);
  line_ = line;
  cycle = answered_ = answered;
  return FaultCause::kNone;
}

// The sectors of a line that a write with strobes fills.
cache::Sectors CacheLevel::filled_by(uint32_t offset, uint32_t bytes,
                                     const LineBytes& strobes) const {
  const uint32_t sector = cache_.tags().sector_bytes();
  cache::Sectors filled = 0;
  for (uint32_t first = (offset + sector - 1) / sector * sector; first + sector <= offset + bytes;
       first += sector) {
    const LineBytes of_sector = strobes >> (first - offset) << (kMostLineBytes - sector);
    if (of_sector.count() == sector) filled |= cache::Sectors{1} << first / sector;
  }
  return filled;
}

FaultCause CacheLevel::write_line(uint32_t address, const uint8_t* data, uint32_t bytes,
                                  const LineBytes* strobes, uint64_t& cycle) {
  uint64_t taken = take_turn(cycle);
  const uint64_t line = cache_.tags().line_address(address);
  const auto offset = static_cast<uint32_t>(address - line);
  const cache::Outcome outcome =
      strobes == nullptr ? cache_.write(address, bytes)
                         : cache_.write(address, bytes, filled_by(offset, bytes, *strobes),
                                        changed_bytes(bytes, strobes));
  // What is on its way changes when it has come.
  if (outcome.fetch == 0 && !blocking_)
    taken = outcome.in_frame ? wait_for_line(line, taken) : after_line(line, taken);
  const Filled filled = fill(outcome, taken);
  cycle = filled.cycle;
  if (filled.failed()) {
    const FaultCause cause = give_up(outcome, filled, cycle);
    return cause == FaultCause::kNone ? next_.write_strobed(address, data, bytes, strobes, cycle)
                                      : cause;
  }
  if (outcome.in_frame) {
    for (uint32_t i = 0; i < bytes; ++i) {
      if (strobes != nullptr && !(*strobes)[i]) continue;
      data_at(outcome.frame)[offset + i] = data[i];
      if (!outcome.pass_on) dirty_[outcome.frame].set(offset + i);
    }
  }
  FaultCause passed = FaultCause::kNone;
  if (outcome.pass_on)
    passed = queue(cycle, [&](uint64_t& at) {
      return next_.write_strobed(address, data, bytes, strobes, at);
    });
  if (blocking_) free_ = std::max(free_, cycle);
  line_ = line;
  answered_ = cycle;
  return passed;
}

// Looks up, makes room and fetches, as far as that is to be done.
CacheLevel::Filled CacheLevel::fill(const cache::Outcome& outcome, uint64_t taken) {
  const bool waits = outcome.fetch != 0 && !blocking_;
  const uint64_t line = waits ? cache_.tags().line(outcome.frame).address : 0;
  Filled filled;
  filled.cycle = (waits ? take_register(line, taken) : taken) + hit_cycles_;
  if (outcome.victim.dirty == 0)
    filled.fetch = fetch(outcome, filled.cycle);
  else if (write_buffer_.empty())
    write_back_first(outcome, filled);
  else
    write_back_behind(outcome, filled);
  if (waits) fetches_.push_back({line, filled.cycle, 1});
  return filled;
}

void CacheLevel::write_back_first(const cache::Outcome& outcome, Filled& filled) {
  filled.victim = write_back(outcome.frame, outcome.victim, filled.cycle);
  if (filled.victim == FaultCause::kNone) filled.fetch = fetch(outcome, filled.cycle);
}

// The fetch goes first; the line that made room waits in the buffer, once there is a place.
void CacheLevel::write_back_behind(const cache::Outcome& outcome, Filled& filled) {
  uint64_t& place = first_free(write_buffer_);
  filled.cycle = std::max(filled.cycle, place);
  std::array<uint8_t, kMostLineBytes> data;
  std::memcpy(data.data(), data_at(outcome.frame), line_bytes_);
  const LineBytes dirty = std::exchange(dirty_[outcome.frame], {});
  uint64_t goes = filled.cycle;
  filled.fetch = fetch(outcome, filled.cycle);
  place = buffered(outcome.victim, data.data(), dirty, goes, filled.victim);
}

// Writes a line out of the buffer; when its place is free.
uint64_t CacheLevel::buffered(const cache::Line& line, const uint8_t* data, const LineBytes& dirty,
                              uint64_t& cycle, FaultCause& cause) {
  const uint64_t goes = cycle;
  cause = write_dirty(line, data, dirty, cycle);
  return std::max(goes, next_.accepted()) + 1;
}

// After a failure: nothing of the line is kept; why the access fails, or kNone: it may be asked for
// past the cache.
FaultCause CacheLevel::give_up(const cache::Outcome& outcome, const Filled& filled,
                               uint64_t& cycle) {
  // Sectors that had come before may be dirty.
  const cache::Line line = cache_.drop(cache_.tags().line(outcome.frame).address);
  const FaultCause dropped =
      line.dirty == 0 ? FaultCause::kNone : write_back(outcome.frame, line, cycle);
  return filled.victim == FaultCause::kNone ? dropped : filled.victim;
}

FaultCause CacheLevel::write_back(uint32_t frame, const cache::Line& line, uint64_t& cycle) {
  const LineBytes dirty = std::exchange(dirty_[frame], {});
  return write_dirty(line, data_at(frame), dirty, cycle);
}

FaultCause CacheLevel::write_dirty(const cache::Line& line, const uint8_t* data,
                                   const LineBytes& dirty, uint64_t& cycle) {
  const auto address = static_cast<uint32_t>(line.address);
  return write_at_once(
      address, dirty, line_bytes_, [&](uint32_t offset, uint32_t bytes, const LineBytes* strobes) {
        return next_.write_strobed(address + offset, data + offset, bytes, strobes, cycle);
      });
}

// Asks the next level, once there is a place in the miss queue.
template <typename Ask>
FaultCause CacheLevel::queue(uint64_t& cycle, Ask ask) {
  uint64_t& place = first_free(miss_queue_);
  if (place > cycle) {
    accepted_ += place - cycle;
    free_ = std::max(free_, accepted_ + 1);
    cycle = place;
  }
  const uint64_t goes = cycle;
  const FaultCause cause = ask(cycle);
  place = std::max(goes, next_.accepted()) + 1;
  return cause;
}

FaultCause CacheLevel::fetch(const cache::Outcome& outcome, uint64_t& cycle) {
  const uint32_t sector = cache_.tags().sector_bytes();
  for (uint32_t first = 0; (outcome.fetch >> first) != 0;) {
    if ((outcome.fetch >> first & 1u) == 0) {
      ++first;
      continue;
    }
    uint32_t end = first;
    while ((outcome.fetch >> end & 1u) != 0) ++end;
    const auto line = static_cast<uint32_t>(cache_.tags().line(outcome.frame).address);
    const FaultCause cause = queue(cycle, [&](uint64_t& at) {
      return next_.read(line + first * sector, data_at(outcome.frame) + first * sector,
                        (end - first) * sector, at);
    });
    if (cause != FaultCause::kNone) return cause;
    first = end;
  }
  return FaultCause::kNone;
}

void CacheLevel::forget(uint32_t address, uint32_t bytes) {
  for (uint32_t done = 0; done < bytes; done += in_line(address + done, bytes - done))
    cache_.drop(address + done);
}

FaultCause CacheLevel::clean(uint64_t& cycle) {
  FaultCause cause = FaultCause::kNone;
  uint64_t next = cycle;
  cache_.clean([&](uint32_t frame, const cache::Line& line) {
    FaultCause one = FaultCause::kNone;
    if (write_buffer_.empty()) {
      one = write_back(frame, line, cycle);
    } else {
      uint64_t& place = first_free(write_buffer_);
      uint64_t goes = std::max(next, place);
      next = goes + 1;
      const LineBytes dirty = std::exchange(dirty_[frame], {});
      place = buffered(line, data_at(frame), dirty, goes, one);
      cycle = std::max(cycle, goes);
    }
    if (cause == FaultCause::kNone) cause = one;
  });
  return cause;
}

}  // namespace gvp::gpgpu::hierarchy
