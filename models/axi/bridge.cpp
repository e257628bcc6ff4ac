// SPDX-License-Identifier: Apache-2.0
#include "models/axi/bridge.h"

#include <algorithm>

namespace gvp::axi {
namespace {

// A child has its original's extensions; they are not the child's to free.
void forget_extensions(tlm::tlm_generic_payload& child) {
  for (unsigned i = 0; i < tlm::max_num_extensions(); ++i) child.set_extension(i, nullptr);
}

}  // namespace

Bridge::Bridge(const sc_core::sc_module_name& name, uint64_t base, unsigned outstanding)
    : sc_module(name), base_(base), outstanding_(outstanding) {
  upstream.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  downstream.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
  SC_METHOD(let_in);
  sensitive << room_;
  dont_initialize();
  SC_METHOD(respond);
  sensitive << response_;
  dont_initialize();
}

// A simulation may end in the middle of transactions: their extensions are the originals', which
// may be gone by now.
Bridge::~Bridge() {
  for (const auto& [payload, crossing] : children_) forget_extensions(*crossing.child);
}

void Bridge::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  while (!has_room(payload)) {
    const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
    ++blocked_;
    sc_core::wait(room_for_blocked_);
    --blocked_;
    const sc_core::sc_time now = sc_core::sc_time_stamp();
    delay = std::max(begin, now) - now;
  }
  ++under_way_[payload.is_write() ? 1 : 0];
  const uint64_t address = payload.get_address();
  payload.set_address(address + base_);
  downstream->b_transport(payload, delay);
  payload.set_address(address);
  leave(payload, delay);
}

// One is under way less, from after this delay on.
void Bridge::leave(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  --under_way_[payload.is_write() ? 1 : 0];
  if (held_ != nullptr) room_.notify(delay);
  if (blocked_ != 0) room_for_blocked_.notify(delay);
}

tlm::tlm_generic_payload& Bridge::begin(tlm::tlm_generic_payload& payload) {
  ++under_way_[payload.is_write() ? 1 : 0];
  tlm::tlm_generic_payload& child = pool_.acquire();
  child.set_command(payload.get_command());
  child.set_address(payload.get_address() + base_);
  child.set_data_ptr(payload.get_data_ptr());
  child.set_data_length(payload.get_data_length());
  child.set_streaming_width(payload.get_streaming_width());
  child.set_byte_enable_ptr(payload.get_byte_enable_ptr());
  child.set_byte_enable_length(payload.get_byte_enable_length());
  child.resize_extensions();
  for (unsigned i = 0; i < tlm::max_num_extensions(); ++i)
    child.set_extension(i, payload.get_extension(i));
  children_[&payload] = {&child, false};
  parents_[&child] = &payload;
  return child;
}

void Bridge::take_response(const tlm::tlm_generic_payload& child,
                           tlm::tlm_generic_payload& payload) {
  payload.set_response_status(child.get_response_status());
  payload.set_dmi_allowed(child.is_dmi_allowed());
}

// After this delay the response has ended.
void Bridge::end(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const auto found = children_.find(&payload);
  tlm::tlm_generic_payload& child = *found->second.child;
  parents_.erase(&child);
  children_.erase(found);
  forget_extensions(child);
  child.release();
  leave(payload, delay);
  if (payload.has_mm()) payload.release();
}

void Bridge::hold(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  held_ = &payload;
  held_from_ = sc_core::sc_time_stamp() + delay;
}

// Sends the request that was held; what its target returns goes to its initiator by calls.
void Bridge::let_in() {
  if (held_ == nullptr || !has_room(*held_)) return;
  tlm::tlm_generic_payload& payload = *held_;
  held_ = nullptr;
  tlm::tlm_generic_payload& child = begin(payload);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  sc_core::sc_time delay = std::max(held_from_, now) - now;
  const tlm::tlm_sync_enum status = downstream->nb_transport_fw(child, phase, delay);
  if (status == tlm::TLM_ACCEPTED) return;
  const bool answered = status == tlm::TLM_COMPLETED || phase == tlm::BEGIN_RESP;
  children_.at(&payload).completed = status == tlm::TLM_COMPLETED;
  if (answered) queue(payload, child, delay);
  phase = tlm::END_REQ;
  upstream->nb_transport_bw(payload, phase, delay);
}

// ---- responses: one at a time above, where those that come by calls of this bridge are, too

bool Bridge::may_respond(const sc_core::sc_time& delay) const {
  return responding_ == nullptr && responses_.empty() &&
         response_free_ <= sc_core::sc_time_stamp() + delay;
}

void Bridge::queue(tlm::tlm_generic_payload& payload, const tlm::tlm_generic_payload& child,
                   const sc_core::sc_time& delay) {
  take_response(child, payload);
  responses_.push_back({&payload, sc_core::sc_time_stamp() + delay});
  response_.notify(delay);
}

void Bridge::respond() {
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  while (responding_ == nullptr && !responses_.empty()) {
    const sc_core::sc_time due = std::max(responses_.front().time, response_free_);
    if (due > now) return response_.notify(due - now);
    tlm::tlm_generic_payload& payload = *responses_.front().payload;
    responses_.pop_front();
    responding_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    if (upstream->nb_transport_bw(payload, phase, delay) != tlm::TLM_ACCEPTED)
      end_response(payload, delay);
  }
}

// Its initiator has ended it, after this delay: its target hears of it where it waits for it.
void Bridge::end_response(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const Crossing crossing = children_.at(&payload);
  tlm::tlm_phase phase = tlm::END_RESP;
  if (!crossing.completed) downstream->nb_transport_fw(*crossing.child, phase, delay);
  end_above(delay);
  end(payload, delay);
}

void Bridge::end_above(const sc_core::sc_time& delay) {
  responding_ = nullptr;
  response_free_ = sc_core::sc_time_stamp() + delay;
  if (!responses_.empty()) response_.notify(delay);
}

// ---- phases

tlm::tlm_sync_enum Bridge::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) {
    end_response(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  if (payload.has_mm()) payload.acquire();
  if (!has_room(payload)) {
    hold(payload, delay);
    return tlm::TLM_ACCEPTED;
  }
  tlm::tlm_generic_payload& child = begin(payload);
  const tlm::tlm_sync_enum status = downstream->nb_transport_fw(child, phase, delay);
  if (status == tlm::TLM_COMPLETED) {
    take_response(child, payload);
    end(payload, delay);
  } else if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
    if (may_respond(delay)) {
      take_response(child, payload);
      responding_ = &payload;
    } else {
      queue(payload, child, delay);
      phase = tlm::END_REQ;
    }
  }
  return status;
}

tlm::tlm_sync_enum Bridge::nb_transport_bw(tlm::tlm_generic_payload& child, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  tlm::tlm_generic_payload& payload = *parents_.at(&child);
  if (phase != tlm::BEGIN_RESP) return upstream->nb_transport_bw(payload, phase, delay);
  if (!may_respond(delay)) {
    queue(payload, child, delay);
    return tlm::TLM_ACCEPTED;
  }
  take_response(child, payload);
  responding_ = &payload;
  const tlm::tlm_sync_enum status = upstream->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    end_above(delay);
    end(payload, delay);
  }
  return status;
}

bool Bridge::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const uint64_t address = payload.get_address();
  payload.set_address(address + base_);
  const bool granted = downstream->get_direct_mem_ptr(payload, dmi);
  payload.set_address(address);
  // What lies below the window cannot be said in its addresses.
  const uint64_t first = std::max<uint64_t>(dmi.get_start_address(), base_);
  if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - dmi.get_start_address()));
  dmi.set_start_address(first - base_);
  dmi.set_end_address(dmi.get_end_address() - base_);
  return granted;
}

void Bridge::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  if (last < base_) return;
  upstream->invalidate_direct_mem_ptr(std::max<uint64_t>(first, base_) - base_, last - base_);
}

unsigned Bridge::transport_dbg(tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  payload.set_address(address + base_);
  const unsigned moved = downstream->transport_dbg(payload);
  payload.set_address(address);
  return moved;
}

}  // namespace gvp::axi
