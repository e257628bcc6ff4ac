// SPDX-License-Identifier: Apache-2.0
// A promise that travels with a b_transport call: nothing else happens in the whole simulation
// before `limit`.  A target that knows the extension may then work out the transaction at once, add
// its time to the delay instead of waiting, and set `done`.  If it is busy, or not certain to have
// finished by `limit`, it leaves `done` and everything else alone, and the caller goes the usual
// way. Times are in the simulator's time resolution (picoseconds).
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace gvp::kit {

struct RunAhead : tlm::tlm_extension<RunAhead> {
  uint64_t limit = 0;
  bool done = false;

  tlm_extension_base* clone() const override { return nullptr; }  // belongs to one call
  void copy_from(const tlm_extension_base&) override {}
};

// Until when nothing else happens, as long as the process that asks does nothing either.
inline uint64_t quiet_until() {
  return (sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity()).value();
}

}  // namespace gvp::kit
