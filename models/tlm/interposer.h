// SPDX-License-Identifier: Apache-2.0
// Something that sits between two TLM-2.0 sockets and looks on: bind the initiator to `target` and
// `initiator` to what was there.  Everything passes through, unchanged and without time: blocking
// and non-blocking transport, both ways, direct memory and debug accesses, and the short way
// (run_ahead.h) of whoever is behind.  A derived class
// overrides the calls it wants to see and, inside, calls the one of this class to pass them on;
// what it does before and after that is its hook:
//
//   tlm::tlm_sync_enum nb_transport_fw(...) override {
//     ...                                                           // the call, on its way
//     const auto answer = Interposer::nb_transport_fw(payload, phase, delay);
//     ...                                                           // the return
//   }
//
// Several on one socket go one behind the other.  A call can come again before the one before has
// returned: a target may answer BEGIN_REQ on the backward path before it returns from it.
// Not seen: accesses by direct memory pointers, which bypass the socket.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/tlm/run_ahead.h"

namespace gvp::kit {

class Interposer : public sc_core::sc_module,
                   public tlm::tlm_fw_transport_if<>,
                   public tlm::tlm_bw_transport_if<>,
                   public RunAhead {
 public:
  tlm::tlm_target_socket<> target{"target"};
  tlm::tlm_initiator_socket<> initiator{"initiator"};

  explicit Interposer(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    target.bind(*this);
    initiator.bind(*this);
  }

  // False, and nothing done, where there is no short way behind.
  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override {
    auto* const behind = dynamic_cast<RunAhead*>(initiator.operator->());
    return behind != nullptr && behind->run_ahead(payload, delay, limit);
  }
  bool looks_at_phases() const override { return true; }

 protected:
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    initiator->b_transport(payload, delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return initiator->nb_transport_fw(payload, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    return target->nb_transport_bw(payload, phase, delay);
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    return initiator->transport_dbg(payload);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override {
    return initiator->get_direct_mem_ptr(payload, dmi);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) override {
    target->invalidate_direct_mem_ptr(start, end);
  }
};

}  // namespace gvp::kit
