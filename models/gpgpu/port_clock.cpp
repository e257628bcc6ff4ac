// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/port_clock.h"

#include <algorithm>

namespace gvp::gpgpu {

void PortTurns::take(unsigned sm) {
  if (taken_) {
    waits_[sm] = true;
    sc_core::wait(turn_[sm]);  // give() has taken it for this one
    return;
  }
  taken_ = true;
  last_ = sm;
  if (until_free() > sc_core::SC_ZERO_TIME) sc_core::wait(until_free());
}

sc_core::sc_time PortTurns::until_free() const {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  return free_ > now ? free_ - now : sc_core::SC_ZERO_TIME;
}

void PortTurns::give() {
  // The memory may only have annotated when the access ends.
  free_ = std::max(port_.time(), sc_core::sc_time_stamp()) + between_;
  const auto sms = static_cast<unsigned>(waits_.size());
  for (unsigned next = 1; next <= sms; ++next) {
    const unsigned sm = (last_ + next) % sms;
    if (!waits_[sm]) continue;
    waits_[sm] = false;
    last_ = sm;
    turn_[sm].notify(until_free());
    return;
  }
  taken_ = false;
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
