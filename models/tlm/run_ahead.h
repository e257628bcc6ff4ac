// SPDX-License-Identifier: Apache-2.0
// The short way of a target that can work out an access at once instead of waiting for it.  An
// interface beside the standard socket: who is bound directly to such a target finds it behind
// the socket and may call it from any process, a method too; whoever sits in between (a recorder,
// a checker: interposer.h) passes it on.  Times are in the simulator's time resolution
// (picoseconds).
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

namespace gvp::kit {

// Public inheritance, because who is bound asks by dynamic_cast.
class RunAhead {
 public:
  // The caller promises that nothing else happens in the whole simulation before `limit`.  A
  // target that is certain to have finished by then does the access, sets the response, adds its
  // time to the delay and returns true.  If it is busy, or not certain, it leaves everything alone
  // and returns false: the caller goes the usual way.
  virtual bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                         uint64_t limit) = 0;
  // Whether somebody on the way looks at phases: what is asked for by nb_transport, which takes the
  // same time either way, then goes the usual way.
  virtual bool looks_at_phases() const { return false; }

 protected:
  ~RunAhead() = default;
};

// Until when nothing else happens, as long as the process that asks does nothing either.
inline uint64_t quiet_until() {
  return (sc_core::sc_time_stamp() + sc_core::sc_time_to_pending_activity()).value();
}

}  // namespace gvp::kit
