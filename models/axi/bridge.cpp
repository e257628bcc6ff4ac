// SPDX-License-Identifier: Apache-2.0
#include "models/axi/bridge.h"

#include <algorithm>

namespace gvp::axi {

Bridge::Bridge(const sc_core::sc_module_name& name, uint64_t base) : sc_module(name), base_(base) {
  upstream.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  downstream.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
}

void Bridge::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t address = payload.get_address();
  payload.set_address(address + base_);
  downstream->b_transport(payload, delay);
  payload.set_address(address);
}

// The address is the request's: once it has been passed on nobody needs the old one (IEEE 1666
// 14.7: an interconnect component may modify it).
tlm::tlm_sync_enum Bridge::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) payload.set_address(payload.get_address() + base_);
  return downstream->nb_transport_fw(payload, phase, delay);
}

tlm::tlm_sync_enum Bridge::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                           sc_core::sc_time& delay) {
  return upstream->nb_transport_bw(payload, phase, delay);
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
