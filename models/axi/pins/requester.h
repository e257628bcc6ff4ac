// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 side of an initiator that has several transactions under way: by blocking calls, each
// from a process of its own, or by the four phases of the base protocol.  Requests of one ID and
// direction reach the target in the order in which they were sent; answers come in any order.
//
// A blocking target's annotated time passes before its answer counts; the next request of the same
// ID need not wait for that, unless it is sent as one of a sequence.
#pragma once

#include <tlm_utils/peq_with_get.h>

#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"

namespace gvp::axi::pins {

class Requester : public sc_core::sc_module,
                  public tlm::tlm_bw_transport_if<>,
                  public tlm::tlm_mm_interface {
 public:
  // The extension is set.
  struct Request : tlm::tlm_generic_payload {
    explicit Request(tlm::tlm_mm_interface* manager) : tlm_generic_payload(manager) {}
    Extension axi;
    bool in_sequence = false;     // the next of its ID waits for its end
    std::shared_ptr<void> keeps;  // alive as long as anybody holds the request
  };

  tlm::tlm_initiator_socket<> socket{"socket"};

  // answered: called for each request at the time of its answer, from a process.
  Requester(const sc_core::sc_module_name& name, bool non_blocking,
            std::function<void(Request&)> answered);
  ~Requester() override;

  // To be filled and sent.
  Request& make();
  void send(Request& request);

 private:
  SC_HAS_PROCESS(Requester);
  struct Worker {
    Request* request = nullptr;
    sc_core::sc_event wake;
  };

  // Blocking.
  void dispatch();
  bool may_start(const Request& request) const;
  void work(Worker& worker);
  void perform(Request& request);
  void let_next_go(const Request& request);

  // The four phases.
  void send_next();
  void follow(Request& request, const tlm::tlm_phase& phase, const sc_core::sc_time& delay);
  void end_request(const Request& request, const sc_core::sc_time& delay);
  void on_answer();
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override;
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(tlm::tlm_generic_payload* payload) override;

  bool non_blocking_;
  std::function<void(Request&)> answered_;
  std::vector<std::unique_ptr<Request>> all_;
  std::vector<Request*> free_;
  std::deque<Request*> waiting_;
  std::vector<const Request*> started_;  // blocking: those of their ID that are not to be overtaken
  std::deque<Worker> workers_;
  std::vector<Worker*> idle_;
  Request* requesting_ = nullptr;  // between BEGIN_REQ and END_REQ
  sc_core::sc_time requests_free_at_;
  sc_core::sc_event send_event_{"send_event"};
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> answers_{"answers"};
};

}  // namespace gvp::axi::pins
