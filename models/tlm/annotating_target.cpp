// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/annotating_target.h"

#include <algorithm>

#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::kit {
namespace {

const Log log_memory("memory");

}  // namespace

AnnotatingTarget::AnnotatingTarget(const sc_core::sc_module_name& name, AnnotatedAccess& behind)
    : sc_core::sc_module(name), behind_(behind) {
  socket.bind(behind);
  SC_METHOD(respond);
  sensitive << event_;
  dont_initialize();
}

tlm::tlm_sync_enum AnnotatingTarget::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                     tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  if (phase == tlm::END_RESP && responding_ == &payload) {
    end(delay);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) {
    log_memory.error("{}: {} comes in an unexpected phase", name(), describe(payload));
    return tlm::TLM_COMPLETED;
  }
  take(payload, delay);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void AnnotatingTarget::take(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  ++under_way_;
  if (payload.has_mm()) payload.acquire();
  sc_core::sc_time answered = delay;
  behind_.b_transport(payload, answered);
  latest_ = std::max(latest_, sc_core::sc_time_stamp() + answered);
  responses_.push_back(
      {&payload, payload.get_response_status(), payload.is_dmi_allowed(), latest_});
  // The response is none before BEGIN_RESP (IEEE 1666-2011, 14.16, 14.17).
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  payload.set_dmi_allowed(false);
  if (responses_.size() == 1 && responding_ == nullptr)
    event_.notify(std::max(latest_, free_) - sc_core::sc_time_stamp());
}

void AnnotatingTarget::respond() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  while (responding_ == nullptr && !responses_.empty()) {
    const sc_core::sc_time due = std::max(responses_.front().time, free_);
    if (due > now) return event_.notify(due - now);
    const Response response = responses_.front();
    responses_.pop_front();
    send(response);
  }
}

void AnnotatingTarget::send(const Response& response) {
  responding_ = response.payload;
  responding_->set_response_status(response.status);
  responding_->set_dmi_allowed(response.dmi_allowed);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = socket->nb_transport_bw(*response.payload, phase, delay);
  if (answer != tlm::TLM_ACCEPTED && responding_ == response.payload) end(delay);
}

// The response ends after this delay.
void AnnotatingTarget::end(const sc_core::sc_time& delay) {
  free_ = sc_core::sc_time_stamp() + delay;
  if (responding_->has_mm()) responding_->release();
  responding_ = nullptr;
  --under_way_;
  if (!responses_.empty()) event_.notify(delay);
}

}  // namespace gvp::kit
