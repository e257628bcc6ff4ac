// SPDX-License-Identifier: Apache-2.0
#include "models/cache/miss_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/error.h"

namespace gvp::cache {

MissTable::MissTable(unsigned entries, unsigned requests_per_entry)
    : capacity_(entries), requests_per_entry_(requests_per_entry) {
  if (entries == 0 || requests_per_entry == 0)
    throw bad_input(fmt::format("miss status registers with {} entries of {} requests are not "
                                "possible",
                                entries, requests_per_entry),
                    {}, "give at least one of each");
}

// Of a line that is on its way: one that has come takes no more requests.
std::vector<MissTable::Entry>::iterator MissTable::find(uint64_t line) {
  return std::find_if(entries_.begin(), entries_.end(),
                      [&](const Entry& entry) { return entry.line == line && !entry.filled; });
}

bool MissTable::fetching(uint64_t line) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [&](const Entry& entry) { return entry.line == line && !entry.filled; });
}

MissTable::Result MissTable::add(uint64_t line, uint64_t request) {
  const auto entry = find(line);
  if (entry != entries_.end()) {
    if (entry->requests.size() == requests_per_entry_) {
      ++counters_.entry_full;
      return Result::kEntryFull;
    }
    entry->requests.push_back(request);
    ++counters_.merged;
    return Result::kMerged;
  }
  if (entries_.size() == capacity_) {
    ++counters_.no_entry;
    return Result::kNoEntry;
  }
  entries_.push_back({line, false, {request}});
  ++counters_.fetches;
  counters_.most_in_use = std::max<uint64_t>(counters_.most_in_use, entries_.size());
  return Result::kNew;
}

void MissTable::fill(uint64_t line) {
  const auto entry = find(line);
  if (entry == entries_.end())
    throw model_error(fmt::format("a line that nobody has fetched arrives at {:#x}", line));
  entry->filled = true;
  filled_.push_back(line);
}

std::optional<MissTable::Answer> MissTable::answer() {
  if (filled_.empty()) return std::nullopt;
  const uint64_t line = filled_.front();
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& each) {
    return each.line == line && each.filled;
  });
  const Answer answer{line, entry->requests.front()};
  entry->requests.pop_front();
  ++counters_.answers;
  if (entry->requests.empty()) {
    entries_.erase(entry);
    filled_.pop_front();
  }
  return answer;
}

}  // namespace gvp::cache
