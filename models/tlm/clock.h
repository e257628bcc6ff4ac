// SPDX-License-Identifier: Apache-2.0
// A clock: the one place where frequencies become times and times become cycles.  Edges lie at
// whole multiples of the period from simulated time 0.
//
// Units: periods in whole picoseconds, the simulator's time resolution.  A frequency whose period
// is none runs at the nearest period that is (half a picosecond rounds up), everywhere alike:
// 300 MHz is 3333 ps, which is 300.03 MHz.  hz() says what a clock really runs at, and registers
// that tell software a frequency show that.
// Not modelled: jitter, gating, changes of the frequency while the simulation runs.
#pragma once

#include <cstdint>
#include <systemc>

namespace gvp::kit {

class Clock {
 public:
  // Throws Error (bad input), naming `what`, for a frequency that is not between 1 Hz and 1e12 Hz.
  explicit Clock(double hz, const char* what = "a clock");

  uint64_t period_ps() const { return period_; }
  sc_core::sc_time period() const { return sc_core::sc_time::from_value(period_); }
  double hz() const { return 1e12 / static_cast<double>(period_); }

  // When a cycle begins, which is also how long so many cycles take.
  sc_core::sc_time at(uint64_t cycle) const { return sc_core::sc_time::from_value(ps(cycle)); }
  uint64_t ps(uint64_t cycle) const { return cycle * period_; }

  // Whole cycles in a time: the number of the cycle that this time lies in.
  uint64_t cycles(const sc_core::sc_time& time) const { return time.value() / period_; }
  // The first cycle that begins at this time or later: a duration in cycles, rounded up.
  uint64_t cycles_up(const sc_core::sc_time& time) const { return cycles_up(time.value()); }
  uint64_t cycles_up(uint64_t ps) const { return (ps + (period_ - 1)) / period_; }
  // The first edge at this time or later, in picoseconds.
  uint64_t edge(uint64_t ps) const { return cycles_up(ps) * period_; }

 private:
  uint64_t period_;
};

}  // namespace gvp::kit
