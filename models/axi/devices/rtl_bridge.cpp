// SPDX-License-Identifier: Apache-2.0
#include "models/axi/devices/rtl_bridge.h"

#include <nlohmann/json.hpp>

#include "models/axi/pins/statistics.h"
#include "models/rtl/block_table.h"

namespace gvp::axi {
namespace {

pins::AxiToTlmSettings from_base(uint64_t base) {
  pins::AxiToTlmSettings settings;
  settings.base = 0 - base;  // what is taken off: addresses of the window begin at 0
  return settings;
}

}  // namespace

RtlBridge::RtlBridge(const sc_core::sc_module_name& name, const std::string& block,
                     const rtl::BlockConfiguration& configuration, uint64_t base)
    : sc_module(name),
      base_(base),
      block_("block", rtl::block_named(block), configuration),
      from_port_(pins::find_port(block_, "s_axi_", false)),
      to_port_(pins::find_port(block_, "m_axi_", true)),
      from_("from", block_, from_port_),
      to_("to", block_, to_port_, from_base(base)),
      from_checker_(block_, from_port_),
      to_checker_(block_, to_port_) {
  from_.set_back_door([this](tlm::tlm_generic_payload& payload) { return debug_access(payload); });
}

unsigned RtlBridge::debug_access(tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  payload.set_address(base_ + address);
  const unsigned moved = to_.socket->transport_dbg(payload);
  payload.set_address(address);
  return moved;
}

nlohmann::ordered_json RtlBridge::statistics() const {
  nlohmann::ordered_json json;
  json["rtl"] = block_.statistics();
  json["rtl"]["protocol_check"] = pins::to_json({&from_checker_, &to_checker_});
  return json;
}

}  // namespace gvp::axi
