// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 side of a target that takes transactions whenever they come and answers them later,
// in any order.  Neighbours may be blocking (their local time catches up with the simulation first;
// the call returns when the transaction is answered) or speak the four phases of the base protocol:
// END_REQ waits while as many transactions are under way as the limit allows, BEGIN_RESP waits for
// the END_RESP before it.
//
// Direct memory is refused.  Debug accesses go to a back door, where the owner has set one.
// Blocking calls are not limited: each is a process that waits.
#pragma once

#include <tlm_utils/peq_with_get.h>

#include <array>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

namespace gvp::axi::pins {

class Acceptor : public sc_core::sc_module, public tlm::tlm_fw_transport_if<> {
 public:
  tlm::tlm_target_socket<> socket{"socket"};
  // Returns the bytes moved, as transport_dbg.
  std::function<unsigned(tlm::tlm_generic_payload&)> back_door;

  // outstanding: non-blocking transactions at once, per direction.  begin: is given each
  // transaction at its own time; whoever takes it calls answer().
  Acceptor(const sc_core::sc_module_name& name, unsigned outstanding,
           std::function<void(tlm::tlm_generic_payload&)> begin);

  // Its response status is set.  From a process, or in begin().
  void answer(tlm::tlm_generic_payload& payload);

 private:
  SC_HAS_PROCESS(Acceptor);
  struct Call {  // of b_transport
    tlm::tlm_generic_payload* payload;
    bool over = false;
    sc_core::sc_event done;
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override;
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) override;
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override;

  void start(tlm::tlm_generic_payload& payload);
  void admit();
  void on_request();
  void on_response();
  void end_response(tlm::tlm_generic_payload& payload);
  unsigned& accepted(const tlm::tlm_generic_payload& payload) {
    return accepted_[payload.is_write() ? 1 : 0];
  }

  unsigned outstanding_;
  std::function<void(tlm::tlm_generic_payload&)> begin_;
  std::vector<Call*> calls_;
  std::array<unsigned, 2> accepted_{};                // reads, writes; non-blocking
  std::deque<tlm::tlm_generic_payload*> stalled_;     // END_REQ is still to come
  std::deque<tlm::tlm_generic_payload*> to_respond_;  // BEGIN_RESP is still to come
  tlm::tlm_generic_payload* responding_ = nullptr;    // END_RESP is still to come
  sc_core::sc_time responses_free_at_;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_{"requests"};
  sc_core::sc_event response_event_{"response_event"};
};

}  // namespace gvp::axi::pins
