// SPDX-License-Identifier: Apache-2.0
#include "models/cache/cache.h"

#include <fmt/format.h>

#include <string>

#include "models/base/error.h"

namespace gvp::cache {
namespace {

WritePolicy policy_of(const std::string& name) {
  if (name == "write-back") return WritePolicy::kWriteBack;
  return name == "write-through" ? WritePolicy::kWriteThrough : WritePolicy::kWriteEvict;
}

const Settings& checked(const Settings& settings, const std::string& prefix) {
  validate(settings, prefix);
  return settings;
}

uint64_t count(Sectors sectors) { return static_cast<uint64_t>(__builtin_popcount(sectors)); }

}  // namespace

Cache::Cache(const Settings& settings, const std::string& prefix)
    : settings_(checked(settings, prefix)), policy_(policy_of(settings.write)), tags_(settings) {}

void Cache::require_one_line(uint64_t address, uint32_t bytes) const {
  if (bytes != 0 && tags_.line_address(address) == tags_.line_address(address + bytes - 1)) return;
  throw model_error(fmt::format("an access of {} bytes at {:#x} is not inside one cache line of {}",
                                bytes, address, tags_.line_bytes()));
}

Outcome Cache::read(uint64_t address, uint32_t bytes) {
  require_one_line(address, bytes);
  ++counters_.reads;
  Outcome outcome;
  outcome.in_frame = true;
  outcome.frame = tags_.find(address);
  const Sectors wanted = tags_.touched(address, bytes);
  if (outcome.frame == Tags::kNoFrame) {
    take(address, outcome);
  } else {
    tags_.use(outcome.frame);
    outcome.hit = (wanted & ~tags_.line(outcome.frame).valid) == 0;
    if (outcome.hit) {
      ++counters_.read_hits;
      return outcome;
    }
    ++counters_.sector_misses;
  }
  fetch(outcome, wanted);
  return outcome;
}

Outcome Cache::write(uint64_t address, uint32_t bytes, Sectors filled, uint32_t changed) {
  require_one_line(address, bytes);
  ++counters_.writes;
  Outcome outcome;
  outcome.frame = tags_.find(address);
  const bool there = outcome.frame != Tags::kNoFrame;
  const Sectors wanted = tags_.touched(address, bytes);
  outcome.hit = there && (wanted & ~tags_.line(outcome.frame).valid) == 0;
  if (outcome.hit)
    ++counters_.write_hits;
  else if (there)
    ++counters_.sector_misses;

  if (policy_ == WritePolicy::kWriteEvict) {
    if (there) {
      ++counters_.write_evicts;
      tags_.free(outcome.frame);  // nothing in it is dirty, as each write was passed on
      outcome.frame = Tags::kNoFrame;
    }
    pass_on(outcome, changed);
    return outcome;
  }

  if (!outcome.hit && settings_.write_allocate) {
    if (there)
      tags_.use(outcome.frame);
    else
      take(address, outcome);
    fetch(outcome, wanted & ~filled);
    tags_.add_valid(outcome.frame, filled);
  } else if (there) {
    tags_.use(outcome.frame);
  }

  const bool holds_all = outcome.hit || settings_.write_allocate;
  // A line that lacks some of the sectors must not keep old bytes in the others.
  outcome.in_frame = outcome.frame != Tags::kNoFrame;
  if (policy_ == WritePolicy::kWriteBack && holds_all)
    tags_.add_dirty(outcome.frame, wanted);
  else
    pass_on(outcome, changed);
  return outcome;
}

void Cache::take(uint64_t address, Outcome& outcome) {
  outcome.frame = tags_.take(address, outcome.victim);
  if (outcome.victim.valid != 0) ++counters_.evictions;
  if (outcome.victim.dirty != 0) count_write_back(outcome.victim);
}

void Cache::fetch(Outcome& outcome, Sectors wanted) {
  outcome.fetch = wanted & ~tags_.line(outcome.frame).valid;
  if (outcome.fetch == 0) return;
  tags_.add_valid(outcome.frame, outcome.fetch);
  ++counters_.fetches;
  counters_.fetched_bytes += count(outcome.fetch) * tags_.sector_bytes();
}

void Cache::pass_on(Outcome& outcome, uint32_t bytes) {
  outcome.pass_on = true;
  ++counters_.writes_passed_on;
  counters_.bytes_passed_on += bytes;
}

void Cache::count_write_back(const Line& line) {
  ++counters_.write_backs;
  counters_.write_back_bytes += count(line.dirty) * tags_.sector_bytes();
}

Line Cache::drop(uint64_t address) {
  const uint32_t frame = tags_.find(address);
  if (frame == Tags::kNoFrame) return {};
  const Line line = tags_.line(frame);
  tags_.free(frame);
  if (line.dirty != 0) count_write_back(line);
  return line;
}

}  // namespace gvp::cache
