// SPDX-License-Identifier: Apache-2.0
// A memory for tests that answers in every way that the base protocol allows, by chance: END_REQ at
// once, late or left out, the response by the return of BEGIN_REQ or by a call, with or without
// time annotated, out of order between IDs, with errors.  It looks at the data when END_RESP comes,
// as a monitor may.  A violation of the base protocol, its own or the initiator's, fails the test.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"
#include "models/tlm/payload.h"
#include "tests/support/checked_hop.h"

namespace gvp::test {

class VariedTarget : public sc_core::sc_module {
 public:
  tlm::tlm_target_socket<> socket{"socket"};
  std::vector<uint8_t> bytes;
  bool has_ids = true;  // else, as AXI4-Lite, it answers in order in each direction
  uint64_t digest = 0;  // of what was looked at

  VariedTarget(const sc_core::sc_module_name& name, size_t size, uint32_t seed)
      : sc_core::sc_module(name), bytes(size), random_(seed) {
    SC_HAS_PROCESS(VariedTarget);
    own_.register_nb_transport_fw(this, &VariedTarget::nb_transport_fw);
    socket.bind(checker_.target);
    checker_.initiator.bind(own_);
    SC_METHOD(run);
    sensitive << wake_;
    dont_initialize();
  }

 private:
  using Payload = tlm::tlm_generic_payload;
  struct Request {
    Payload* payload;
    sc_core::sc_time ready;  // when the response can come
    uint32_t id;
  };

  sc_core::sc_time some(unsigned nanoseconds) {
    return {static_cast<double>(random_() % nanoseconds), sc_core::SC_NS};
  }
  uint32_t id_of(const Payload& payload) const {
    const auto* axi = has_ids ? payload.get_extension<axi::Extension>() : nullptr;
    return (axi != nullptr ? axi->id : 0) << 1 | (payload.is_write() ? 1 : 0);
  }
  void perform(Payload& payload) {
    if (payload.get_address() + payload.get_data_length() > bytes.size()) {
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return;
    }
    kit::transfer(payload, bytes.data() + payload.get_address());
    payload.set_dmi_allowed(true);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  bool may_answer(const Payload& payload) const {
    if (responding_ != nullptr) return false;
    return std::none_of(requests_.begin(), requests_.end(),
                        [&](const Request& each) { return each.id == id_of(payload); });
  }

  tlm::tlm_sync_enum nb_transport_fw(Payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    if (phase == tlm::END_RESP) {
      for (unsigned i = 0; i < payload.get_data_length(); ++i) digest += payload.get_data_ptr()[i];
      end_response(payload, now + delay);
      return tlm::TLM_COMPLETED;
    }
    const unsigned way = static_cast<unsigned>(random_() % 6);
    if (way >= 4 && may_answer(payload)) {  // at once
      perform(payload);
      delay = std::max(now + delay + some(30), response_free_) - now;
      if (way == 4) {
        response_free_ = now + delay;
        return tlm::TLM_COMPLETED;
      }
      payload.acquire();
      responding_ = &payload;
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    }
    payload.acquire();
    requests_.push_back({&payload, now + delay + some(100), id_of(payload)});
    if (way == 0) {
      phase = tlm::END_REQ;
      delay += some(20);
      requests_.back().ready = std::max(requests_.back().ready, now + delay);
      wake_.notify(sc_core::SC_ZERO_TIME);
      return tlm::TLM_UPDATED;
    }
    if (way <= 2) {
      end_request_ = &payload;
      end_request_time_ = now + delay + some(40);
      requests_.back().ready = std::max(requests_.back().ready, end_request_time_);
    }
    wake_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  void end_response(Payload& payload, const sc_core::sc_time& time) {
    responding_ = nullptr;
    response_free_ = time;
    payload.release();
    wake_.notify(sc_core::SC_ZERO_TIME);
  }
  // The oldest of some ID and direction.
  std::deque<Request>::iterator choose() {
    const auto first =
        requests_.begin() + static_cast<std::ptrdiff_t>(random_() % requests_.size());
    return std::find_if(requests_.begin(), requests_.end(),
                        [&](const Request& each) { return each.id == first->id; });
  }
  void run() {
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    if (end_request_ != nullptr && now >= end_request_time_) {
      Payload& payload = *end_request_;
      end_request_ = nullptr;
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      own_->nb_transport_bw(payload, phase, delay);
    }
    if (end_request_ != nullptr) return wake_.notify(end_request_time_ - now);
    if (requests_.empty() || responding_ != nullptr) return;
    const auto chosen = choose();
    const sc_core::sc_time ahead(random_() % 2 == 0 ? 0 : 60, sc_core::SC_NS);
    if (now + ahead < chosen->ready) return wake_.notify(chosen->ready - now);
    Payload& payload = *chosen->payload;
    sc_core::sc_time delay = std::max({chosen->ready, response_free_, now}) - now;
    requests_.erase(chosen);
    perform(payload);
    responding_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    if (own_->nb_transport_bw(payload, phase, delay) != tlm::TLM_ACCEPTED)
      end_response(payload, now + delay);
  }

  tlm_utils::simple_target_socket<VariedTarget> own_{"own"};
  CheckedHop checker_{"checker"};
  std::mt19937 random_;
  std::deque<Request> requests_;  // by age, not answered
  Payload* responding_ = nullptr;
  Payload* end_request_ = nullptr;  // END_REQ is still to come
  sc_core::sc_time end_request_time_, response_free_;
  sc_core::sc_event wake_;
};

}  // namespace gvp::test
