// SPDX-License-Identifier: Apache-2.0
// The target socket of a model that works each access out at once and annotates the time it takes:
// loosely timed inside, with all of TLM-2.0's interfaces outside.
//
//   nb_transport_fw  the four-phase base protocol (IEEE 1666-2011, clause 15): BEGIN_REQ is
//                    answered with END_REQ, BEGIN_RESP comes when the annotated time is over.  So
//                    several transactions are under way and overlap, as in a pipelined controller.
//                    Data move with the request; responses come in the order of requests, one at a
//                    time until END_RESP.
//   all others       the model's own: the socket calls it, with nothing in between.
//
// Not modelled: a limit of transactions under way (initiators and interconnects have theirs);
// back-pressure on requests.
#pragma once

#include <systemc>
#include <tlm>

#include "models/tlm/ring.h"
#include "models/tlm/run_ahead.h"

namespace gvp::kit {

class AnnotatedAccess;

class AnnotatingTarget : public sc_core::sc_module {
 public:
  tlm::tlm_target_socket<> socket{"socket"};

  // behind: the model; not owned.
  AnnotatingTarget(const sc_core::sc_module_name& name, AnnotatedAccess& behind);

  // Non-blocking transactions that have begun and not ended, the one that is being asked for too.
  unsigned under_way() const { return under_way_; }

 private:
  friend class AnnotatedAccess;
  SC_HAS_PROCESS(AnnotatingTarget);
  struct Response {
    tlm::tlm_generic_payload* payload = nullptr;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
    bool dmi_allowed = false;
    sc_core::sc_time time;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay);
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

// What a model with such a socket is.  Its b_transport never waits, nor keeps the payload.
class AnnotatedAccess : public tlm::tlm_fw_transport_if<>, public RunAhead {
 protected:
  explicit AnnotatedAccess(const char* socket) : target_(socket, *this) {}
  ~AnnotatedAccess() override = default;

  AnnotatingTarget target_;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) final {
    return target_.nb_transport_fw(payload, phase, delay);
  }
};

}  // namespace gvp::kit
