// SPDX-License-Identifier: Apache-2.0
// In which order the warps of a block did what they did since the last barrier, as far as atomic
// operations say it: what a warp does before it gives a lock back, or counts itself, comes before
// what another does that has taken the lock since, or seen the count.  Each warp has a clock, which
// its atomic operations advance, and knows of the others' as much as has come to it by the words on
// which both operated (vector clocks, as race detectors for threads keep them).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gvp::tools {

// By warp.
using WarpClocks = std::array<uint32_t, 32>;

class WarpOrder {
 public:
  // shared (else global), address
  using Word = std::pair<bool, uint32_t>;

  // All warps have met: everything before is before everything behind.
  void reset();

  // An atomic operation of a warp on these words.  learns: it sees what was there, and so what the
  // warps that operated on them before had done.  tells: those that come later may see it.
  void operate(unsigned warp, const std::vector<Word>& words, bool learns, bool tells);

  // By the warp's own clock.
  uint32_t now(unsigned warp) const { return known_.empty() ? 0 : known_[warp][warp]; }

  // Those of some warps, a bit mask, of which `warp` does not know that what they did at these
  // times is over.  times: null where all of it was at time 0
  uint32_t unordered(unsigned warp, uint32_t warps, const WarpClocks* times) const;

 private:
  struct Hash {
    size_t operator()(const Word& word) const {
      return size_t{word.second} << 1U | (word.first ? 1U : 0U);
    }
  };

  std::vector<WarpClocks> known_;  // by warp; empty before the first atomic operation
  std::unordered_map<Word, WarpClocks, Hash> told_;
};

}  // namespace gvp::tools
