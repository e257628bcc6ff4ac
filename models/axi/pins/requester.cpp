// SPDX-License-Identifier: Apache-2.0
#include "models/axi/pins/requester.h"

#include <algorithm>
#include <utility>

namespace gvp::axi::pins {

using tlm::tlm_generic_payload;

Requester::Requester(const sc_core::sc_module_name& name, bool non_blocking,
                     std::function<void(Request&)> answered)
    : sc_module(name), non_blocking_(non_blocking), answered_(std::move(answered)) {
  socket.bind(*this);
  SC_METHOD(send_next);
  sensitive << send_event_;
  dont_initialize();
  SC_METHOD(on_answer);
  sensitive << answers_.get_event();
  dont_initialize();
}

Requester::~Requester() {
  for (const auto& request : all_) request->clear_extension(&request->axi);
}

Requester::Request& Requester::make() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<Request>(this));
    free_.push_back(all_.back().get());
  }
  Request& request = *free_.back();
  free_.pop_back();
  request.acquire();
  request.axi = Extension();
  request.set_extension(&request.axi);
  request.set_byte_enable_ptr(nullptr);
  request.set_byte_enable_length(0);
  request.set_dmi_allowed(false);
  request.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  request.in_sequence = false;
  return request;
}

void Requester::free(tlm_generic_payload* payload) {
  auto& request = static_cast<Request&>(*payload);
  request.clear_extension(&request.axi);
  request.reset();
  request.keeps.reset();
  free_.push_back(&request);
}

void Requester::send(Request& request) {
  waiting_.push_back(&request);
  if (non_blocking_)
    send_event_.notify(sc_core::SC_ZERO_TIME);
  else
    dispatch();
}

// ---- blocking ----

bool Requester::may_start(const Request& request) const {
  return std::none_of(started_.begin(), started_.end(), [&](const Request* older) {
    return older->axi.id == request.axi.id && older->get_command() == request.get_command();
  });
}

void Requester::dispatch() {
  for (size_t i = 0; i < waiting_.size();) {
    Request& request = *waiting_[i];
    if (!may_start(request)) {
      ++i;
      continue;
    }
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
    started_.push_back(&request);
    if (idle_.empty()) {
      Worker& worker = workers_.emplace_back();
      worker.request = &request;
      sc_core::sc_spawn([this, &worker] { work(worker); });
    } else {
      idle_.back()->request = &request;
      idle_.back()->wake.notify(sc_core::SC_ZERO_TIME);
      idle_.pop_back();
    }
  }
}

void Requester::work(Worker& worker) {
  for (;;) {
    while (worker.request == nullptr) sc_core::wait(worker.wake);
    perform(*std::exchange(worker.request, nullptr));
    idle_.push_back(&worker);
  }
}

void Requester::perform(Request& request) {
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  socket->b_transport(request, delay);
  if (!request.in_sequence) let_next_go(request);
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  if (request.in_sequence) let_next_go(request);
  answered_(request);
  request.release();
}

void Requester::let_next_go(const Request& request) {
  started_.erase(std::find(started_.begin(), started_.end(), &request));
  dispatch();
}

// ---- the four phases ----

void Requester::send_next() {
  if (requesting_ != nullptr || waiting_.empty()) return;
  if (requests_free_at_ > sc_core::sc_time_stamp())
    return send_event_.notify(requests_free_at_ - sc_core::sc_time_stamp());
  Request& request = *waiting_.front();
  waiting_.pop_front();
  requesting_ = &request;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  request.acquire();
  const tlm::tlm_sync_enum answer = socket->nb_transport_fw(request, phase, delay);
  if (answer == tlm::TLM_COMPLETED) {
    end_request(request, delay);
    answers_.notify(request, delay);
  } else if (answer == tlm::TLM_UPDATED) {
    follow(request, phase, delay);
    if (phase == tlm::BEGIN_RESP) {
      phase = tlm::END_RESP;
      socket->nb_transport_fw(request, phase, delay);
    }
  }
  request.release();
}

void Requester::follow(Request& request, const tlm::tlm_phase& phase,
                       const sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) end_request(request, delay);
  if (phase == tlm::BEGIN_RESP) answers_.notify(request, delay);
}

void Requester::end_request(const Request& request, const sc_core::sc_time& delay) {
  if (requesting_ != &request) return;
  requesting_ = nullptr;
  requests_free_at_ = sc_core::sc_time_stamp() + delay;
  send_event_.notify(sc_core::SC_ZERO_TIME);
}

tlm::tlm_sync_enum Requester::nb_transport_bw(tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
  follow(static_cast<Request&>(payload), phase, delay);
  return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void Requester::on_answer() {
  while (tlm_generic_payload* payload = answers_.get_next_transaction()) {
    answered_(static_cast<Request&>(*payload));
    payload->release();
  }
}

}  // namespace gvp::axi::pins
