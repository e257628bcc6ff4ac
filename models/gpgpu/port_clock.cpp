// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/port_clock.h"

namespace gvp::gpgpu {

void PortClock::begin(uint64_t cycle) {
  cycle_ = cycle;
  accesses_.clear();
}

FaultCause PortClock::read(uint32_t address, void* data, unsigned bytes) {
  wait_for_turn();
  const FaultCause cause = port_.read(address, data, bytes);
  take_time();
  return cause;
}

FaultCause PortClock::write(uint32_t address, const void* data, unsigned bytes) {
  wait_for_turn();
  const FaultCause cause = port_.write(address, data, bytes);
  take_time();
  return cause;
}

void PortClock::wait_for_turn() {
  const sc_core::sc_time when = kernel_start_ + clock_.at(cycle_);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (when > now) sc_core::wait(when - now);
  // From here the port goes on when its last transaction has ended, which may be in annotated time.
}

void PortClock::take_time() {
  const sc_core::sc_time end = port_.time();
  const sc_core::sc_time begun = kernel_start_ + clock_.at(cycle_);
  const uint64_t cycles = end > begun ? clock_.cycles_up(end - begun) : 0;
  accesses_.push_back(static_cast<uint32_t>(cycles));
  cycle_ += accesses_.back();
}

}  // namespace gvp::gpgpu
