// SPDX-License-Identifier: Apache-2.0
// The barriers of one block.  A barrier counts warps: a warp that arrives adds one, a warp that
// waits sleeps until the count has reached what is expected, which then starts over.  By default
// every warp of the block that still has threads is expected, so a warp that exits may complete
// a barrier.
#pragma once

#include <array>
#include <cstdint>

namespace gvp::gpgpu::simt {

class Barriers {
 public:
  static constexpr unsigned kCount = 16;
  static constexpr unsigned kMaxWarps = 32;  // of a block
  static constexpr unsigned kAllWarps = 0;   // as a number of expected warps
  using Warps = uint32_t;                    // bit i: warp i of the block

  struct Outcome {
    bool wait = false;   // the warp sleeps
    Warps released = 0;  // these go on (never includes a warp that arrives and needs not wait)
  };

  // A fresh block of this many warps.
  void start(unsigned warps);
  // A warp arrives at and/or waits for a barrier.
  Outcome reach(unsigned barrier, unsigned warp, bool arrive, bool wait, unsigned expected);
  // A warp has no thread left; the warps that this releases.
  Warps exit(unsigned warp);

  Warps live() const { return live_; }

 private:
  struct Barrier {
    unsigned arrived = 0;
    unsigned expected = kAllWarps;
    Warps waiting = 0;
  };
  unsigned expected_of(const Barrier& barrier) const;

  std::array<Barrier, kCount> barriers_{};
  Warps live_ = 0;
};

}  // namespace gvp::gpgpu::simt
