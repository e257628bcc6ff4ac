// SPDX-License-Identifier: Apache-2.0
// The base of a memory-mapped peripheral: target socket, register bank, interrupt output.  A
// derived class declares its registers in its constructor and calls set_interrupt() whenever its
// state says so.
//
// Time: handlers ask now(), the initiator's local time, so counters are computed when looked at
// and nothing runs per tick.  An access that changes the interrupt output synchronises its
// initiator with simulated time (target_side.h).
//
// A derived class overrides reset_state() for what is not a plain register.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <systemc>
#include <tlm>

#include "models/tlm/register_bank.h"
#include "models/tlm/reset.h"
#include "models/tlm/target_side.h"

namespace gvp::kit {

class Peripheral : public sc_core::sc_module, public Resettable {
 public:
  tlm_utils::simple_target_socket<Peripheral> socket{"socket"};
  sc_core::sc_out<bool> interrupt{"interrupt"};  // level, active high

  void reset() final;

 protected:
  Peripheral(const sc_core::sc_module_name& name, RegisterBank::NarrowWrites narrow_writes,
             const sc_core::sc_time& access_latency);

  // State behind the registers, and the interrupt output, as after construction.
  virtual void reset_state() = 0;
  // Local time of the access being handled; simulated time outside an access.
  sc_core::sc_time now() const { return side_.now(); }
  // Drives the interrupt output.  Callable from handlers and from processes.
  void set_interrupt(bool level) { side_.set_interrupt(level); }
  // Notifies the event when simulated time reaches the given time; at once if it has passed.
  static void notify_at(sc_core::sc_event& event, const sc_core::sc_time& time);
  std::string place() const;

  RegisterBank registers;

 private:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);

  sc_core::sc_time access_latency_;
  TargetSide side_{"target_side", interrupt};
};

}  // namespace gvp::kit
