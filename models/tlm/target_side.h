// SPDX-License-Identifier: Apache-2.0
// How a device lives with initiators that run ahead of simulated time: the local time of the access
// being handled, and the interrupt output.
//
// An access that changes the interrupt output lets simulated time catch up with its initiator
// first, so that the line changes at the access's own time.  How many signals and interrupt
// controllers lie between this output and a processor is not known here.  An initiator therefore
// lets simulated time pass after an access in which other processes have run, before its next one
// and before it takes an interrupt: by then a change has come through, however many delta cycles
// that took.
//
// Not modelled: delays of the line itself.
#pragma once

#include <systemc>

namespace gvp::kit {

class TargetSide : public sc_core::sc_module {
 public:
  // The output is not owned; nobody else writes to it.
  TargetSide(const sc_core::sc_module_name& name, sc_core::sc_out<bool>& interrupt);

  // Around what an access does.  end() adds the device's latency to the delay, and waits if the
  // interrupt output has to change.
  void begin(const sc_core::sc_time& delay);
  void end(sc_core::sc_time& delay, const sc_core::sc_time& latency);

  // Local time of the access being handled; simulated time outside an access.
  sc_core::sc_time now() const { return sc_core::sc_time_stamp() + offset_; }
  // What the interrupt output shall be.  Callable within an access and from processes.
  void set_interrupt(bool level);

 private:
  SC_HAS_PROCESS(TargetSide);
  void drive();  // the one process that writes the port, as sc_signal demands

  sc_core::sc_out<bool>& interrupt_;
  sc_core::sc_time offset_ = sc_core::SC_ZERO_TIME;
  sc_core::sc_event drive_event_{"drive_event"};
  bool in_access_ = false;
  bool level_ = false;   // wanted
  bool driven_ = false;  // on the port
};

}  // namespace gvp::kit
