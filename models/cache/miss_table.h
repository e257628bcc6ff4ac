// SPDX-License-Identifier: Apache-2.0
// The miss status holding registers (MSHR) of a non-blocking cache (thesis 5.4.1): fully
// associative, an entry for each line that is being fetched, which remembers a fixed number of
// requests for it.  Requests for a line that is on its way wait in its entry and are no traffic.
// When the line has come they are answered one at a time, in their order, the lines in the order in
// which they came; the entry is free again after its last answer.  Without time; no SystemC.
//
// Not here: which sectors are fetched, who sends the fetch, what an answer does.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace gvp::cache {

class MissTable {
 public:
  enum class Result : uint8_t {
    kNew,        // an entry was taken: fetch the line
    kMerged,     // the line is on its way already
    kNoEntry,    // nothing done: all entries are taken
    kEntryFull,  // nothing done: the line's entry has its number of requests
  };
  struct Counters {
    uint64_t fetches = 0;      // kNew
    uint64_t merged = 0;       // kMerged
    uint64_t no_entry = 0;     // kNoEntry
    uint64_t entry_full = 0;   // kEntryFull
    uint64_t answers = 0;      // requests that were answered
    uint64_t most_in_use = 0;  // entries
  };
  struct Answer {
    uint64_t line;
    uint64_t request;
  };

  // Throws Error (bad input) for no entries or no requests in one.
  MissTable(unsigned entries, unsigned requests_per_entry);

  // A request, by a number of the caller's, that has missed in this line.
  Result add(uint64_t line, uint64_t request);
  // The line has been filled, and its requests can be answered.  Throws Error (model error) where
  // nothing was fetched.
  void fill(uint64_t line);
  // The next answer, if there is one: one a cycle.
  std::optional<Answer> answer();

  bool fetching(uint64_t line) const;
  unsigned in_use() const { return static_cast<unsigned>(entries_.size()); }
  // Requests that wait, for their line or for their turn.
  uint64_t waiting() const { return counters_.fetches + counters_.merged - counters_.answers; }
  const Counters& counters() const { return counters_; }
  // While nothing waits.
  void reset_counters() { counters_ = {}; }

 private:
  struct Entry {
    uint64_t line = 0;
    bool filled = false;
    std::deque<uint64_t> requests;
  };
  std::vector<Entry>::iterator find(uint64_t line);

  const unsigned capacity_, requests_per_entry_;
  std::vector<Entry> entries_;
  std::deque<uint64_t> filled_;  // lines, in the order in which they came
  Counters counters_;
};

}  // namespace gvp::cache
