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

Bridge::Bridge(const sc_core::sc_module_name& name, uint64_t base) : sc_module(name), base_(base) {
  upstream.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  downstream.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
}

// A simulation may end in the middle of transactions: their extensions are the originals', which
// may be gone by now.
Bridge::~Bridge() {
  for (const auto& [payload, child] : children_) forget_extensions(*child);
}

void Bridge::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t address = payload.get_address();
  payload.set_address(address + base_);
  downstream->b_transport(payload, delay);
  payload.set_address(address);
}

tlm::tlm_generic_payload& Bridge::begin(tlm::tlm_generic_payload& payload) {
  if (payload.has_mm()) payload.acquire();
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
  children_[&payload] = &child;
  parents_[&child] = &payload;
  return child;
}

void Bridge::take_response(const tlm::tlm_generic_payload& child,
                           tlm::tlm_generic_payload& payload) {
  payload.set_response_status(child.get_response_status());
  payload.set_dmi_allowed(child.is_dmi_allowed());
}

void Bridge::end(tlm::tlm_generic_payload& payload) {
  const auto found = children_.find(&payload);
  tlm::tlm_generic_payload& child = *found->second;
  parents_.erase(&child);
  children_.erase(found);
  forget_extensions(child);
  child.release();
  if (payload.has_mm()) payload.release();
}

tlm::tlm_sync_enum Bridge::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  const bool answers = phase == tlm::END_RESP;
  tlm::tlm_generic_payload& child =
      phase == tlm::BEGIN_REQ ? begin(payload) : *children_.at(&payload);
  const tlm::tlm_sync_enum status = downstream->nb_transport_fw(child, phase, delay);
  if (!answers &&
      (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP)))
    take_response(child, payload);
  if (answers || status == tlm::TLM_COMPLETED) end(payload);
  return status;
}

tlm::tlm_sync_enum Bridge::nb_transport_bw(tlm::tlm_generic_payload& child, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  tlm::tlm_generic_payload& payload = *parents_.at(&child);
  if (phase == tlm::BEGIN_RESP) take_response(child, payload);
  const tlm::tlm_sync_enum status = upstream->nb_transport_bw(payload, phase, delay);
  if (status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    end(payload);
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
