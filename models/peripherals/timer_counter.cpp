// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/timer_counter.h"

namespace gvp::peripherals {

void TimerCounter::load(uint64_t value) {
  value_ = value;
  rolled_ = false;
  stopped_ = false;
}

uint64_t TimerCounter::advance(uint64_t cycles, const Mode& mode, uint64_t load_value) {
  if (cycles == 0 || stopped_) return 0;
  if (mode.capture) {
    value_ = moved(value_, cycles, mode);
    rolled_ = false;
    return 0;
  }
  if (rolled_) {
    rolled_ = false;
    value_ = load_value;
    if (--cycles == 0) return 0;
  }
  const uint64_t steps = steps_to_end(value_, mode);
  if (cycles <= steps) {
    value_ = moved(value_, cycles, mode);
    return 0;
  }
  cycles -= steps + 1;
  const uint64_t wrapped = mode.down ? mode.maximum : 0;
  if (!mode.reload) {
    value_ = wrapped;
    stopped_ = true;
    return 1;
  }
  const uint64_t span = steps_to_end(load_value, mode);
  uint64_t rollovers = 1;
  if (span <= kNever - 2) {
    rollovers += cycles / (span + 2);
    cycles %= span + 2;
  }
  rolled_ = cycles == 0;
  value_ = rolled_ ? wrapped : moved(load_value, cycles - 1, mode);
  return rollovers;
}

uint64_t TimerCounter::cycles_to_rollover(const Mode& mode, uint64_t load_value) const {
  if (stopped_ || mode.capture) return kNever;
  const uint64_t steps = steps_to_end(rolled_ ? load_value : value_, mode);
  const uint64_t first = rolled_ ? 2 : 1;
  return steps > kNever - first ? kNever : steps + first;
}

}  // namespace gvp::peripherals
