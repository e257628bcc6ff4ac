// SPDX-License-Identifier: Apache-2.0
// The target socket of a model that works each access out at once and annotates the time it takes:
// loosely timed inside, with all of TLM-2.0's interfaces outside.
//
//   b_transport      the model's own.
//   nb_transport_fw  the four-phase base protocol (IEEE 1666-2011, clause 15): BEGIN_REQ is
//   answered
//                    with END_REQ, BEGIN_RESP comes when the annotated time is over.  So several
//                    transactions are under way and overlap, as in a pipelined controller.  Data
//                    move with the request; responses come in the order of requests, one at a
//                    time until END_RESP.
//   run_ahead, direct memory and debug access: the model's own.
//
// Not modelled: a limit of transactions under way (initiators and interconnects have theirs);
// back-pressure on requests.
#pragma once

#include <systemc>
#include <tlm>

#include "models/tlm/ring.h"
#include "models/tlm/run_ahead.h"

namespace gvp::kit {

// What is behind such a socket.
class AnnotatedAccess : public RunAhead {
 public:
  // As in TLM-2.0, but never waits, nor keeps the payload.
  virtual void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) = 0;
  virtual unsigned transport_dbg(tlm::tlm_generic_payload& payload) = 0;
  virtual bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) = 0;

 protected:
  ~AnnotatedAccess() = default;
};

class AnnotatingTarget : public sc_core::sc_module,
                         public tlm::tlm_fw_transport_if<>,
                         public RunAhead {
 public:
  tlm::tlm_target_socket<> socket{"socket"};

  // behind: not owned.
  AnnotatingTarget(const sc_core::sc_module_name& name, AnnotatedAccess& behind);

  // Non-blocking transactions that have begun and not ended, the one that is being asked for too.
  unsigned under_way() const { return under_way_; }

  bool run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                 uint64_t limit) override {
    return behind_.run_ahead(payload, delay, limit);
  }

 private:
  SC_HAS_PROCESS(AnnotatingTarget);
  struct Response {
    tlm::tlm_generic_payload* payload = nullptr;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    bool dmi_allowed = false;
    sc_core::sc_time time;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    behind_.b_transport(payload, delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    return behind_.transport_dbg(payload);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override {
    return behind_.get_direct_mem_ptr(payload, dmi);
  }

  void take(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void respond();
  void send(const Response& response);
  void end(const sc_core::sc_time& delay);

  AnnotatedAccess& behind_;
  Ring<Response> responses_;                         // by time
  tlm::tlm_generic_payload* responding_ = nullptr;   // between BEGIN_RESP and END_RESP
  sc_core::sc_time free_ = sc_core::SC_ZERO_TIME;    // when the next response may begin
  sc_core::sc_time latest_ = sc_core::SC_ZERO_TIME;  // of all responses so far
  unsigned under_way_ = 0;
  sc_core::sc_event event_{"event"};
};

}  // namespace gvp::kit
