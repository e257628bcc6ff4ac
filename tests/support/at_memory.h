// SPDX-License-Identifier: Apache-2.0
// A memory for tests that speaks the four-phase base protocol, with a latency and an acceptance
// delay that a test can set for each request, and a list of what it saw.  A violation of the base
// protocol, its own or the initiator's, fails the test.
#pragma once

#include <tlm_utils/peq_with_cb_and_phase.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"
#include "models/tlm/payload.h"
#include "models/tlm/transaction_identity.h"
#include "tests/support/checked_hop.h"

namespace gvp::test {

class AtMemory : public sc_core::sc_module {
 public:
  struct Request {
    bool write;
    uint64_t address;
    unsigned length;
    axi::Extension axi;
    sc_core::sc_time time;
    uint64_t number = 0, parent = 0, root = 0;  // of its identity, if it has one
  };

  tlm::tlm_target_socket<> socket{"socket"};
  std::vector<uint8_t> bytes;
  std::vector<Request> requests;  // in order of arrival
  sc_core::sc_time accept_delay = sc_core::SC_ZERO_TIME;
  std::function<sc_core::sc_time(const Request&)> latency = [](const Request&) {
    return sc_core::sc_time(100, sc_core::SC_NS);
  };

  AtMemory(const sc_core::sc_module_name& name, size_t size)
      : sc_core::sc_module(name), bytes(size), queue_(this, &AtMemory::on_phase) {
    own_.register_nb_transport_fw(this, &AtMemory::nb_transport_fw);
    socket.bind(checker_.target);
    checker_.initiator.bind(own_);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) {
      responding_ = false;
      respond();
      return tlm::TLM_COMPLETED;
    }
    const auto* extension = payload.get_extension<axi::Extension>();
    requests.push_back({payload.is_write(), payload.get_address(), payload.get_data_length(),
                        extension != nullptr ? *extension : axi::Extension{},
                        sc_core::sc_time_stamp() + delay, 0, 0, 0});
    if (const auto* identity = payload.get_extension<kit::TransactionIdentity>()) {
      requests.back().number = identity->number;
      requests.back().parent = identity->parent;
      requests.back().root = identity->root;
    }
    queue_.notify(payload, tlm::BEGIN_RESP, delay + latency(requests.back()));
    if (accept_delay == sc_core::SC_ZERO_TIME) {
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    queue_.notify(payload, tlm::END_REQ, delay + accept_delay);
    return tlm::TLM_ACCEPTED;
  }
  void on_phase(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_RESP) {
      responses_.push_back(&payload);
      return respond();
    }
    tlm::tlm_phase next = phase;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    own_->nb_transport_bw(payload, next, delay);
  }
  void respond() {
    while (!responding_ && !responses_.empty()) {
      tlm::tlm_generic_payload& payload = *responses_.front();
      responses_.pop_front();
      const bool inside = payload.get_address() + payload.get_data_length() <= bytes.size();
      if (inside) kit::transfer(payload, bytes.data() + payload.get_address());
      payload.set_response_status(inside ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      responding_ = own_->nb_transport_bw(payload, phase, delay) == tlm::TLM_ACCEPTED;
    }
  }

  tlm_utils::simple_target_socket<AtMemory> own_{"own"};
  CheckedHop checker_{"checker"};
  tlm_utils::peq_with_cb_and_phase<AtMemory> queue_;
  std::deque<tlm::tlm_generic_payload*> responses_;
  bool responding_ = false;
};

}  // namespace gvp::test
