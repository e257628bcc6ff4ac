// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/acceptor.h"

#include <algorithm>
#include <utility>

#include "models/tlm/payload.h"

namespace gvp::axi::pins {

using tlm::tlm_generic_payload;

Acceptor::Acceptor(const sc_core::sc_module_name& name, unsigned outstanding,
                   std::function<void(tlm_generic_payload&)> begin)
    : sc_module(name), outstanding_(outstanding), begin_(std::move(begin)) {
  socket.bind(*this);
  SC_METHOD(on_request);
  sensitive << requests_.get_event();
  dont_initialize();
  SC_METHOD(on_response);
  sensitive << response_event_;
  dont_initialize();
}

void Acceptor::start(tlm_generic_payload& payload) {
  if (!kit::check_attributes(payload)) return answer(payload);
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return answer(payload);
  }
  begin_(payload);
}

void Acceptor::answer(tlm_generic_payload& payload) {
  const auto call = std::find_if(calls_.begin(), calls_.end(),
                                 [&](const Call* each) { return each->payload == &payload; });
  if (call != calls_.end()) {
    (*call)->over = true;
    (*call)->done.notify();
    return;
  }
  to_respond_.push_back(&payload);
  response_event_.notify(sc_core::SC_ZERO_TIME);
}

// ---- blocking ----

void Acceptor::b_transport(tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  Call call{&payload, false, {}};
  calls_.push_back(&call);
  start(payload);
  while (!call.over) sc_core::wait(call.done);
  calls_.erase(std::find(calls_.begin(), calls_.end(), &call));
}

bool Acceptor::get_direct_mem_ptr(tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  payload.set_dmi_allowed(false);
  dmi.init();
  dmi.set_end_address(~uint64_t{0});
  return false;
}

unsigned Acceptor::transport_dbg(tlm_generic_payload& payload) {
  return back_door ? back_door(payload) : 0;
}

// ---- the four phases ----

tlm::tlm_sync_enum Acceptor::nb_transport_fw(tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                             sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP) {
    responses_free_at_ = sc_core::sc_time_stamp() + delay;
    end_response(payload);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // phases of others are ignored
  payload.acquire();
  if (delay != sc_core::SC_ZERO_TIME || !stalled_.empty() || accepted(payload) >= outstanding_) {
    requests_.notify(payload, delay);
    return tlm::TLM_ACCEPTED;
  }
  ++accepted(payload);
  start(payload);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void Acceptor::on_request() {
  while (tlm_generic_payload* payload = requests_.get_next_transaction())
    stalled_.push_back(payload);
  admit();
}

void Acceptor::admit() {
  while (!stalled_.empty() && accepted(*stalled_.front()) < outstanding_) {
    tlm_generic_payload& payload = *stalled_.front();
    stalled_.pop_front();
    ++accepted(payload);
    start(payload);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_bw(payload, phase, delay);
  }
}

void Acceptor::on_response() {
  admit();
  if (responding_ != nullptr || to_respond_.empty()) return;
  if (responses_free_at_ > sc_core::sc_time_stamp())
    return response_event_.notify(responses_free_at_ - sc_core::sc_time_stamp());
  tlm_generic_payload& payload = *to_respond_.front();
  to_respond_.pop_front();
  responding_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = socket->nb_transport_bw(payload, phase, delay);
  if (answer == tlm::TLM_ACCEPTED || responding_ != &payload) return;
  responses_free_at_ = sc_core::sc_time_stamp() + delay;
  end_response(payload);
}

void Acceptor::end_response(tlm_generic_payload& payload) {
  if (responding_ != &payload) return;
  responding_ = nullptr;
  --accepted(payload);
  payload.release();
  response_event_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace gvp::axi::pins
