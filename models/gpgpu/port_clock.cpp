// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/port_clock.h"

#include <algorithm>

namespace gvp::gpgpu {

void PortTurns::take(unsigned sm) {
  waits_[sm] = true;
  while (taken_ || until_free() > sc_core::SC_ZERO_TIME || next() != sm) {
    if (!taken_ && until_free() > sc_core::SC_ZERO_TIME) {
      sc_core::wait(until_free());
    } else {
      sc_core::wait(given_);  // by whoever has it, or has it next, which is at this very time
    }
  }
  waits_[sm] = false;
  taken_ = true;
  last_ = sm;
}

void PortTurns::give() {
  // The memory may only have annotated when the access ends.
  free_ = std::max(port_.time(), sc_core::sc_time_stamp()) + between_;
  taken_ = false;
  given_.notify(sc_core::SC_ZERO_TIME);
}

// Of those that wait.
unsigned PortTurns::next() const {
  const auto sms = static_cast<unsigned>(waits_.size());
  unsigned sm = last_;
  do sm = (sm + 1) % sms;
  while (!waits_[sm]);
  return sm;
}

sc_core::sc_time PortTurns::until_free() const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  return free_ > now ? free_ - now : sc_core::SC_ZERO_TIME;
}

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
  if (turns_ != nullptr) turns_->take(sm_);
  // From here the port goes on when its last transaction has ended, which may be in annotated time.
}

void PortClock::take_time() {
  if (turns_ != nullptr) turns_->give();
  const sc_core::sc_time end = port_.time();
  const sc_core::sc_time begun = kernel_start_ + clock_.at(cycle_);
  const uint64_t cycles = end > begun ? clock_.cycles_up(end - begun) : 0;
  accesses_.push_back(static_cast<uint32_t>(cycles));
  cycle_ += accesses_.back() + between_;
}

}  // namespace gvp::gpgpu
