// SPDX-License-Identifier: Apache-2.0
// Cycles in a time, for what follows a clock in many short steps: a product where the time is short
// (below 4.2 ms), because a division takes longer than everything else there is to do.
#pragma once

#include <cstdint>

#include "models/tlm/clock.h"

namespace gvp::kit {

class CycleSteps {
 public:
  explicit CycleSteps(const Clock& clock)
      : clock_(clock), period_(clock.period_ps()), inverse_((uint64_t{1} << 32) / period_) {}

  // As Clock::cycles_up().
  uint64_t up(uint64_t ps) const {
    const uint64_t sum = ps + (period_ - 1);
    if (sum >> 32 != 0) return clock_.cycles_up(ps);
    // At most one too small, since the inverse is less than one too small.
    uint64_t cycles = sum * inverse_ >> 32;
    if (sum - cycles * period_ >= period_) ++cycles;
    return cycles;
  }

 private:
  const Clock clock_;
  const uint64_t period_;
  const uint64_t inverse_;  // of the period, times 2^32
};

}  // namespace gvp::kit
