// SPDX-License-Identifier: Apache-2.0
// An initiator for tests that speaks the four-phase base protocol: transfers are queued, sent as
// fast as END_REQ allows, and remember when each phase came.  A violation of the base protocol,
// its own or the target's, fails the test.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/axi/extension.h"
#include "tests/support/checked_hop.h"

namespace gvp::test {

class AtInitiator : public sc_core::sc_module,
                    public tlm::tlm_bw_transport_if<>,
                    public tlm::tlm_mm_interface {
 public:
  struct Transfer {
    tlm::tlm_generic_payload payload;
    axi::Extension axi;
    std::vector<uint8_t> data;
    sc_core::sc_time begun, accepted, responded;
    bool done = false;
  };

  tlm::tlm_initiator_socket<> socket{"socket"};

  explicit AtInitiator(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    SC_HAS_PROCESS(AtInitiator);
    own_.bind(*this);
    own_.bind(checker_.target);
    checker_.initiator.bind(socket);
    SC_METHOD(send);
    sensitive << send_event_;
    dont_initialize();
    SC_METHOD(end_response);
    sensitive << end_event_;
    dont_initialize();
  }
  ~AtInitiator() override {
    for (Transfer& each : transfers_) each.payload.clear_extension(&each.axi);
  }

  Transfer& read(uint64_t address, unsigned bytes, uint32_t id = 0) {
    return add(tlm::TLM_READ_COMMAND, address, std::vector<uint8_t>(bytes), id);
  }
  Transfer& write(uint64_t address, std::vector<uint8_t> data, uint32_t id = 0) {
    return add(tlm::TLM_WRITE_COMMAND, address, std::move(data), id);
  }
  size_t unfinished() const { return unfinished_; }
  // Responses in the order they came.
  const std::vector<Transfer*>& responses() const { return responses_; }
  // If set, END_RESP follows so much later.
  sc_core::sc_time response_delay = sc_core::SC_ZERO_TIME;
  // END_RESP is a call of its own, not the answer to BEGIN_RESP: at its time, or at once with the
  // delay as its annotation.
  enum class End { kReturned, kCalled, kCalledAhead } end = End::kReturned;

 private:
  Transfer& add(tlm::tlm_command command, uint64_t address, std::vector<uint8_t> data,
                uint32_t id) {
    Transfer& transfer = transfers_.emplace_back();
    transfer.data = std::move(data);
    transfer.axi.id = id;
    tlm::tlm_generic_payload& payload = transfer.payload;
    payload.set_mm(this);
    payload.acquire();
    payload.set_extension(&transfer.axi);
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(transfer.data.data());
    payload.set_data_length(static_cast<unsigned>(transfer.data.size()));
    payload.set_streaming_width(static_cast<unsigned>(transfer.data.size()));
    waiting_.push_back(&transfer);
    ++unfinished_;
    send_event_.notify(sc_core::SC_ZERO_TIME);
    return transfer;
  }
  Transfer& find(tlm::tlm_generic_payload& payload) {
    for (Transfer& each : transfers_)
      if (&each.payload == &payload) return each;
    sc_assert(false);
    return transfers_.front();
  }
  void send() {
    if (sending_ != nullptr || waiting_.empty()) return;
    if (free_at_ > sc_core::sc_time_stamp())
      return send_event_.notify(free_at_ - sc_core::sc_time_stamp());
    sending_ = waiting_.front();
    waiting_.pop_front();
    sending_->begun = sc_core::sc_time_stamp();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    Transfer& transfer = *sending_;
    const auto answer = own_->nb_transport_fw(transfer.payload, phase, delay);
    if (answer == tlm::TLM_COMPLETED) {
      accept(transfer, delay);
      finish(transfer, delay);
    } else if (answer == tlm::TLM_UPDATED) {
      accept(transfer, delay);
      if (phase != tlm::BEGIN_RESP) return;
      finish(transfer, delay);
      phase = tlm::END_RESP;
      delay += response_delay;
      own_->nb_transport_fw(transfer.payload, phase, delay);
    }
  }
  void accept(Transfer& transfer, const sc_core::sc_time& delay) {
    if (sending_ != &transfer) return;
    sending_ = nullptr;
    transfer.accepted = free_at_ = sc_core::sc_time_stamp() + delay;
    send_event_.notify(sc_core::SC_ZERO_TIME);
  }
  void finish(Transfer& transfer, const sc_core::sc_time& delay) {
    transfer.responded = sc_core::sc_time_stamp() + delay;
    transfer.done = true;
    responses_.push_back(&transfer);
    --unfinished_;
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    Transfer& transfer = find(payload);
    accept(transfer, delay);
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    finish(transfer, delay);
    if (end != End::kReturned) {
      ending_ = &transfer;
      end_event_.notify(delay + (end == End::kCalled ? response_delay : sc_core::SC_ZERO_TIME));
      return tlm::TLM_ACCEPTED;
    }
    phase = tlm::END_RESP;
    delay += response_delay;
    return tlm::TLM_UPDATED;
  }
  void end_response() {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = end == End::kCalledAhead ? response_delay : sc_core::SC_ZERO_TIME;
    own_->nb_transport_fw(ending_->payload, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  void free(tlm::tlm_generic_payload*) override {}

  tlm::tlm_initiator_socket<> own_{"own"};
  CheckedHop checker_{"checker"};
  std::deque<Transfer> transfers_;
  std::deque<Transfer*> waiting_;
  std::vector<Transfer*> responses_;
  Transfer* sending_ = nullptr;
  Transfer* ending_ = nullptr;  // its END_RESP is owed
  size_t unfinished_ = 0;
  sc_core::sc_time free_at_;
  sc_core::sc_event send_event_, end_event_;
};

}  // namespace gvp::test
