// SPDX-License-Identifier: Apache-2.0
// The door of a target that has a short way (run_ahead.h) behind a socket of its own that cannot
// show it, such as tlm_utils::simple_target_socket: bind `initiator` to that one, and let whoever
// uses the target bind to `target`.  Everything passes through unchanged.
#pragma once

#include "models/tlm/interposer.h"

namespace gvp::kit {

class ShortWay : public Interposer {
 public:
  // behind: not owned.
  ShortWay(const sc_core::sc_module_name& name, RunAhead& behind)
      : Interposer(name), behind_(behind) {}

  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override {
    return behind_.run_ahead(payload, delay, limit);
  }
  bool looks_at_phases() const override { return behind_.looks_at_phases(); }

 private:
  RunAhead& behind_;
};

}  // namespace gvp::kit
