// SPDX-License-Identifier: Apache-2.0
// Traffic that keeps a number of transactions in flight until it has had its share, one request a
// clock at most, over the base protocol.  Sizes are bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "models/tlm/payload_pool.h"

namespace gvp::fidelity {

struct ClosedTrafficRequest {
  uint64_t address = 0;
  bool write = false;
};

struct ClosedTrafficSettings {
  uint64_t transactions = 0;
  unsigned in_flight = 1;
  unsigned bytes = 4;  // of each
  double clock_hz = 100e6;
  std::function<ClosedTrafficRequest(uint64_t number)> next;
};

class ClosedTraffic : public sc_core::sc_module, public tlm::tlm_bw_transport_if<> {
 public:
  tlm::tlm_initiator_socket<> socket{"socket"};
  sc_core::sc_time ended;
  uint64_t answered = 0;

  ClosedTraffic(const sc_core::sc_module_name& name, ClosedTrafficSettings settings)
      : sc_module(name),
        settings_(std::move(settings)),
        clock_(1 / settings_.clock_hz, sc_core::SC_SEC),
        data_(settings_.bytes) {
    SC_HAS_PROCESS(ClosedTraffic);
    socket.bind(*this);
    SC_METHOD(send);
    sensitive << event_;
    SC_METHOD(respond);
    sensitive << response_event_;
    dont_initialize();
  }

 private:
  void send() {
    if (request_ != nullptr || sent_ == settings_.transactions ||
        sent_ - answered == settings_.in_flight)
      return;
    if (free_at_ > sc_core::sc_time_stamp())
      return event_.notify(free_at_ - sc_core::sc_time_stamp());
    const ClosedTrafficRequest request = settings_.next(sent_);
    tlm::tlm_generic_payload& payload = pool_.acquire();
    payload.set_command(request.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    payload.set_address(request.address);
    payload.set_data_ptr(data_.data());
    payload.set_data_length(settings_.bytes);
    payload.set_streaming_width(settings_.bytes);
    ++sent_;
    request_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (socket->nb_transport_fw(payload, phase, delay) == tlm::TLM_UPDATED)
      accepted(payload, delay);
  }
  // One request a clock, whoever is asked.
  void accepted(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    if (request_ != &payload) return;
    request_ = nullptr;
    free_at_ = sc_core::sc_time_stamp() + std::max(delay, clock_);
    event_.notify(std::max(delay, clock_));
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    accepted(payload, delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    // An announcement of what comes later counts when it is there.
    const sc_core::sc_time at = sc_core::sc_time_stamp() + delay;
    phase = tlm::END_RESP;
    payload.release();
    responses_.push_back(at);
    response_event_.notify(delay);
    return tlm::TLM_UPDATED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void respond() {
    while (!responses_.empty() && responses_.front() <= sc_core::sc_time_stamp()) {
      ended = responses_.front();
      responses_.pop_front();
      ++answered;
    }
    if (!responses_.empty()) response_event_.notify(responses_.front() - sc_core::sc_time_stamp());
    send();
  }

  ClosedTrafficSettings settings_;
  sc_core::sc_time clock_;
  kit::PayloadPool pool_;
  std::vector<uint8_t> data_;
  uint64_t sent_ = 0;
  const tlm::tlm_generic_payload* request_ = nullptr;  // END_REQ is still to come
  sc_core::sc_time free_at_;
  sc_core::sc_event event_, response_event_;
  std::deque<sc_core::sc_time> responses_;
};

}  // namespace gvp::fidelity
