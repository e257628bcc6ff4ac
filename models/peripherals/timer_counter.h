// SPDX-License-Identifier: Apache-2.0
// The counter of one AXI timer channel (PG079), or of two cascaded: moves by any number of clock
// cycles at once and says how often it rolled over on the way.  Knows nothing of time, registers
// or interrupts.
//
// Counting down, a rollover is the step from 0 to all ones; counting up, from all ones to 0.
// With reload the counter shows the rolled-over value for one cycle and then the load value, so
// that rollovers are (load + 2) cycles apart counting down and (maximum - load + 2) counting up:
// the timing interval of PG079.
#pragma once

#include <cstdint>

namespace gvp::peripherals {

class TimerCounter {
 public:
  struct Mode {
    uint64_t maximum = 0xffffffff;  // all ones: 32 or 64 bits
    bool down = false;
    bool reload = false;   // else it stops when it has rolled over
    bool capture = false;  // free-running: neither reloads nor stops
  };

  uint64_t value() const { return value_; }
  bool stopped() const { return stopped_; }
  void load(uint64_t value);
  // As after a rollover with reload: the next cycle takes the load value.
  void restart() {
    rolled_ = true;
    stopped_ = false;
  }
  // Moves by `cycles`; returns the rollovers.
  uint64_t advance(uint64_t cycles, const Mode& mode, uint64_t load_value);
  // Cycles from now to the next rollover; kNever where there is none within 2^64 cycles.
  static constexpr uint64_t kNever = ~uint64_t{0};
  uint64_t cycles_to_rollover(const Mode& mode, uint64_t load_value) const;

 private:
  static uint64_t steps_to_end(uint64_t value, const Mode& mode) {
    return mode.down ? value : mode.maximum - value;
  }
  static uint64_t moved(uint64_t value, uint64_t cycles, const Mode& mode) {
    return (mode.down ? value - cycles : value + cycles) & mode.maximum;
  }

  uint64_t value_ = 0;
  bool rolled_ = false;   // shows the rolled-over value; the next cycle reloads
  bool stopped_ = false;  // rolled over without reload
};

}  // namespace gvp::peripherals
