// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/barriers.h"

namespace gvp::gpgpu::simt {

void Barriers::start(unsigned warps) {
  barriers_.fill({});
  live_ = warps >= kMaxWarps ? ~Warps{0} : (Warps{1} << warps) - 1;
}

unsigned Barriers::expected_of(const Barrier& barrier) const {
  return barrier.expected != kAllWarps ? barrier.expected
                                       : static_cast<unsigned>(__builtin_popcount(live_));
}

Barriers::Outcome Barriers::reach(unsigned barrier, unsigned warp, bool arrive, bool wait,
                                  unsigned expected) {
  Barrier& b = barriers_[barrier % kCount];
  Outcome outcome;
  if (arrive) {
    b.expected = expected;
    if (++b.arrived >= expected_of(b)) {
      outcome.released = b.waiting;
      b = {};
      return outcome;
    }
  }
  if (wait && b.arrived > 0) {
    b.waiting |= Warps{1} << warp;
    outcome.wait = true;
  }
  return outcome;
}

Barriers::Warps Barriers::exit(unsigned warp) {
  live_ &= ~(Warps{1} << warp);
  Warps released = 0;
  for (Barrier& b : barriers_) {
    if (b.arrived == 0 || b.arrived < expected_of(b)) continue;
    released |= b.waiting;
    b = {};
  }
  return released;
}

}  // namespace gvp::gpgpu::simt
