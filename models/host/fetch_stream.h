// SPDX-License-Identifier: Apache-2.0
// The loosely timed processor's prefetch over the bus (UG984, "Memory Architecture", M_AXI_IP):
// when each word is asked for.  Words come one after the other, one at a time, also while
// instructions execute and while loads and stores wait; a taken branch turns the stream, and what
// is on its way then is waited for and thrown away.
//
// The same rules as FetchUnit's, without its events: the processor asks for a word when it executes
// it, and this says when it had been asked for.  Units: picoseconds since the start of simulation.
// Not modelled: the room in the prefetch buffer, but for how long it goes on before a branch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/host/decoder.h"

namespace gvp::host {

class FetchStream {
 public:
  explicit FetchStream(uint64_t period) : period_(period) {}

  // When the word at this address is asked for, of an instruction that could execute at `ready` if
  // it had it.
  uint64_t request(uint32_t address, uint64_t ready) const {
    if (address == next_) return end_;
    const bool slot = decode(before_last_).has(kDelaySlot);
    const uint64_t turned = slot ? ready_ + period_ : ready - std::min(ready, kTurned * period_);
    if (turned <= end_ || length_ == 0) return std::max(turned, end_);
    const uint64_t words = (turned - end_ + (length_ - 1)) / length_;
    return words > kWords ? turned : end_ + words * length_;
  }
  // It was fetched from `begin` to `end`; ready: as above.
  void fetched(uint32_t address, uint32_t word, uint64_t ready, uint64_t begin, uint64_t end) {
    before_last_ = address == next_ ? last_ : 0;
    last_ = word;
    next_ = address + 4;
    ready_ = ready;
    end_ = end;
    length_ = end - begin;
  }
  // By how much the stream is behind execution at a time, where its next word may come in time for
  // that: no more than an access takes.
  uint64_t behind(uint64_t time) const {
    return time > end_ && time - end_ <= 2 * length_ ? time - end_ : 0;
  }

 private:
  static constexpr uint64_t kWords = 4;  // of the prefetch buffer
  static constexpr uint64_t kTurned =
      2;  // cycles of a taken branch after it has asked for its target

  uint64_t period_;
  uint32_t next_ = 1;  // no address
  uint32_t last_ = 0;  // word, and the one before
  uint32_t before_last_ = 0;
  uint64_t ready_ = 0;   // of the last word
  uint64_t end_ = 0;     // of its fetch
  uint64_t length_ = 0;  // of its fetch
};

}  // namespace gvp::host
