// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/shared_entry.h"

#include <algorithm>

namespace gvp::gpgpu::hierarchy {

void EntryTurns::begin(const sc_core::sc_time& start, bool enabled) {
  start_ = start;
  enabled_ = enabled && waits_.size() > 1;
  taken_ = false;
  std::fill(waits_.begin(), waits_.end(), kNobody);
}

// Among those that wait; of requests of the same cycle that of the lowest SM.
bool EntryTurns::is_first(unsigned sm) const {
  return std::min_element(waits_.begin(), waits_.end()) - waits_.begin() == sm;
}

void EntryTurns::take(unsigned sm, uint64_t cycle) {
  const sc_core::sc_time when = start_ + clock_.at(cycle);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  if (when > now) sc_core::wait(when - now);
  waits_[sm] = cycle;
  // Others whose request comes at this very time are to be known before one of them is chosen.
  if (when > now) sc_core::wait(sc_core::SC_ZERO_TIME);
  while (taken_ || !is_first(sm)) sc_core::wait(given_);
  waits_[sm] = kNobody;
  taken_ = true;
}

void EntryTurns::give() {
  taken_ = false;
  given_.notify(sc_core::SC_ZERO_TIME);
}

FaultCause SharedEntry::read(uint32_t address, uint8_t* data, uint32_t bytes, uint64_t& cycle) {
  if (!turns_.enabled()) return next_.read(address, data, bytes, cycle);
  turns_.take(sm_, cycle);
  const FaultCause cause = next_.read(address, data, bytes, cycle);
  turns_.give();
  return cause;
}

FaultCause SharedEntry::write_strobed(uint32_t address, const uint8_t* data, uint32_t bytes,
                                      const LineBytes* strobes, uint64_t& cycle) {
  if (!turns_.enabled()) return next_.write_strobed(address, data, bytes, strobes, cycle);
  turns_.take(sm_, cycle);
  const FaultCause cause = next_.write_strobed(address, data, bytes, strobes, cycle);
  turns_.give();
  return cause;
}

}  // namespace gvp::gpgpu::hierarchy
