// SPDX-License-Identifier: Apache-2.0
// One cache without time and without data: what an access finds, what has to be fetched before it,
// what goes on to the next level, what is evicted (thesis 5.4).  Whoever has the data and the time
// does what the outcome says, at once or later.  No SystemC.  Addresses and sizes are bytes.
//
// A read that misses takes a line when it misses, not when the fill arrives.
//
// Not modelled: prefetching, sharing of a line between caches (none of them is coherent).
#pragma once

#include <cstdint>

#include "models/cache/settings.h"
#include "models/cache/tags.h"

namespace gvp::cache {

enum class WritePolicy : uint8_t { kWriteThrough, kWriteBack, kWriteEvict };

// Events since the last reset.  Accesses are those that were asked for, each in one line.
struct Counters {
  uint64_t reads = 0;
  uint64_t writes = 0;
  uint64_t read_hits = 0;
  uint64_t write_hits = 0;
  uint64_t sector_misses = 0;  // the line was there and a sector was not; these are misses, too
  uint64_t fetches = 0;        // requests for missing sectors of a line
  uint64_t fetched_bytes = 0;
  uint64_t evictions = 0;    // lines that made room for others
  uint64_t write_backs = 0;  // dirty lines that were written, evicted or not
  uint64_t write_back_bytes = 0;
  uint64_t write_evicts = 0;  // lines that a write dropped
  uint64_t writes_passed_on = 0;
  uint64_t bytes_passed_on = 0;

  uint64_t hits() const { return read_hits + write_hits; }
  uint64_t misses() const { return reads + writes - hits(); }
};

// What an access means for others.
struct Outcome {
  bool hit = false;
  // The line's frame from now on; Tags::kNoFrame: the cache does not hold it.
  uint32_t frame = Tags::kNoFrame;
  // To be done in this order: write these sectors of that line to the next level...
  Line victim;  // victim.dirty: which; 0: nothing
  // ...fetch these of the accessed line into the frame...
  Sectors fetch = 0;
  // ...change the data in the frame (a write; a read takes them from there)...
  bool in_frame = false;
  // ...and let the write go on to the next level.
  bool pass_on = false;
};

class Cache {
 public:
  // Throws Error (bad input) for settings that are not possible; prefix: "gpgpu.l1".
  Cache(const Settings& settings, const std::string& prefix);

  // The bytes lie in one line (else an Error: the caller's fault).
  Outcome read(uint64_t address, uint32_t bytes);
  Outcome write(uint64_t address, uint32_t bytes) {
    return write(address, bytes, tags_.filled(address, bytes), bytes);
  }
  // One that changes only so many of these bytes, and fills these sectors.
  Outcome write(uint64_t address, uint32_t bytes, Sectors filled, uint32_t changed);

  // Calls write_back(frame, line) for each dirty line, in the order of frames, which is clean then.
  template <typename WriteBack>
  void clean(WriteBack write_back);
  // Nothing is cached any more.  What is dirty is lost: clean() first.
  void invalidate() { tags_.free_all(); }
  // The line of this address is no longer cached; dirty sectors are in what is returned.
  Line drop(uint64_t address);

  const Tags& tags() const { return tags_; }
  const Settings& settings() const { return settings_; }
  const Counters& counters() const { return counters_; }
  void reset_counters() { counters_ = {}; }

 private:
  void require_one_line(uint64_t address, uint32_t bytes) const;
  void take(uint64_t address, Outcome& outcome);
  void fetch(Outcome& outcome, Sectors wanted);
  void pass_on(Outcome& outcome, uint32_t bytes);
  void count_write_back(const Line& line);

  const Settings settings_;
  const WritePolicy policy_;
  Tags tags_;
  Counters counters_;
};

template <typename WriteBack>
void Cache::clean(WriteBack write_back) {
  for (uint32_t frame = 0; frame < tags_.frames(); ++frame) {
    const Line line = tags_.line(frame);
    if (line.dirty == 0) continue;
    count_write_back(line);
    tags_.clean(frame);
    write_back(frame, line);
  }
}

}  // namespace gvp::cache
