// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/cache_level.h"

#include <algorithm>
#include <cstring>

namespace gvp::gpgpu::hierarchy {
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
      misses_(std::max(settings.miss_registers, 1u), settings.miss_requests) {}

void CacheLevel::begin() {
  cache_.invalidate();
  cache_.reset_counters();
  settle_all();
  misses_.reset_counters();
  for (auto& bytes : dirty_) bytes.reset();
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

FaultCause CacheLevel::write(uint32_t address, const uint8_t* data, uint32_t bytes,
                             uint64_t& cycle) {
  const uint64_t begin = cycle;
  for (uint32_t done = 0; done < bytes;) {
    const uint32_t part = in_line(address + done, bytes - done);
    uint64_t answered = begin;
    const FaultCause cause = write_line(address + done, data + done, part, answered);
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

FaultCause CacheLevel::read_line(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  const uint64_t taken = take_turn(cycle);
  const uint64_t line = cache_.tags().line_address(address);
  const cache::Outcome outcome = cache_.read(address, bytes);
  uint64_t answered = taken + hit_cycles_;
  if (outcome.hit) {
    if (!blocking_) answered = std::max(answered, wait_for_line(line, taken));
  } else {
    const uint64_t begins = blocking_ ? taken : take_register(line, taken);
    answered = begins + hit_cycles_;
    const FaultCause lost = evict(outcome, answered);
    const FaultCause cause = lost == FaultCause::kNone ? fetch(outcome, answered) : lost;
    if (!blocking_) fetches_.push_back({line, answered, 1});
    cycle = answered;
    if (cause != FaultCause::kNone) {
      const FaultCause dropped = drop(outcome.frame, cycle);
      if (lost != FaultCause::kNone) return lost;
      if (dropped != FaultCause::kNone) return dropped;
      return next_.read(address, data, bytes, cycle);
    }
  }
  if (blocking_) free_ = std::max(free_, answered);
  std::memcpy(data, data_at(outcome.frame) + (address - line), bytes);
  cycle = answered;
  return FaultCause::kNone;
}

FaultCause CacheLevel::write_line(uint32_t address, const uint8_t* data, uint32_t bytes,
                                  uint64_t& cycle) {
  uint64_t taken = take_turn(cycle);
  const uint64_t line = cache_.tags().line_address(address);
  const cache::Outcome outcome = cache_.write(address, bytes);
  // It changes a line that has come.
  if (const Fetch* fetch = on_its_way(line)) taken = std::max(taken, fetch->over());
  uint64_t answered = taken + hit_cycles_;
  const FaultCause lost = evict(outcome, answered);
  const FaultCause cause = lost == FaultCause::kNone ? fetch(outcome, answered) : lost;
  if (cause != FaultCause::kNone) {
    cycle = answered;
    const FaultCause dropped = drop(outcome.frame, cycle);
    if (lost != FaultCause::kNone) return lost;
    if (dropped != FaultCause::kNone) return dropped;
    return next_.write(address, data, bytes, cycle);
  }
  if (outcome.in_frame) {
    const auto offset = static_cast<uint32_t>(address - line);
    std::memcpy(data_at(outcome.frame) + offset, data, bytes);
    if (!outcome.pass_on)
      for (uint32_t i = 0; i < bytes; ++i) dirty_[outcome.frame].set(offset + i);
  }
  cycle = answered;
  FaultCause passed = FaultCause::kNone;
  if (outcome.pass_on) passed = next_.write(address, data, bytes, cycle);
  if (blocking_) free_ = std::max(free_, cycle);
  return passed;
}

// The line that stood in the frame, before that is filled anew.
FaultCause CacheLevel::evict(const cache::Outcome& outcome, uint64_t& cycle) {
  if (outcome.victim.dirty == 0) return FaultCause::kNone;
  return write_back(outcome.frame, outcome.victim, cycle);
}

// A line that could not be fetched, but may have dirty sectors of before.
FaultCause CacheLevel::drop(uint32_t frame, uint64_t& cycle) {
  const cache::Line line = cache_.drop(cache_.tags().line(frame).address);
  return line.dirty == 0 ? FaultCause::kNone : write_back(frame, line, cycle);
}

FaultCause CacheLevel::write_back(uint32_t frame, const cache::Line& line, uint64_t& cycle) {
  auto& dirty = dirty_[frame];
  const auto address = static_cast<uint32_t>(line.address);
  const FaultCause cause =
      write_runs(address, dirty, line_bytes_, [&](uint32_t offset, uint32_t bytes) {
        return next_.write(address + offset, data_at(frame) + offset, bytes, cycle);
      });
  if (cause != FaultCause::kNone) return cause;
  dirty.reset();
  return FaultCause::kNone;
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
    const FaultCause cause =
        next_.read(line + first * sector, data_at(outcome.frame) + first * sector,
                   (end - first) * sector, cycle);
    if (cause != FaultCause::kNone) return cause;
    first = end;
  }
  return FaultCause::kNone;
}

FaultCause CacheLevel::clean(uint64_t& cycle) {
  FaultCause cause = FaultCause::kNone;
  cache_.clean([&](uint32_t frame, const cache::Line& line) {
    const FaultCause one = write_back(frame, line, cycle);
    if (cause == FaultCause::kNone) cause = one;
  });
  return cause;
}

}  // namespace gvp::gpgpu::hierarchy
