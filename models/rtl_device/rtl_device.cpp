// SPDX-License-Identifier: Apache-2.0
#include "models/rtl_device/rtl_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/axi/pins/axi_to_tlm.h"
#include "models/axi/pins/statistics.h"
#include "models/axi/pins/tlm_to_axi.h"
#include "models/axi/pins/tlm_to_lite.h"

namespace gvp::rtl_device {
namespace {

constexpr const char* kSlave = "slave";
constexpr const char* kMaster = "master";

// "slave:s_axi:awaddr"
struct SignalRole {
  std::string kind, port, signal;
};

SignalRole signal_role(const char* role) {
  const std::string text = role == nullptr ? "" : role;
  const size_t first = text.find(':'), last = text.rfind(':');
  if (first == std::string::npos || first == last) return {};
  return {text.substr(0, first), text.substr(first + 1, last - first - 1), text.substr(last + 1)};
}

}  // namespace

std::vector<PortRole> port_roles(const gvp_rtl_block& block) {
  std::vector<PortRole> roles;
  for (size_t i = 0; i < block.pin_count; ++i) {
    const gvp_rtl_pin& pin = block.pins[i];
    const SignalRole of = signal_role(pin.role);
    if (of.kind != kSlave && of.kind != kMaster) continue;
    auto role = std::find_if(roles.begin(), roles.end(),
                             [&](const PortRole& each) { return each.name == of.port; });
    if (role == roles.end()) {
      roles.emplace_back();
      role = roles.end() - 1;
      role->name = of.port;
      role->is_master = of.kind == kMaster;
    }
    if (of.signal == "awaddr" || of.signal == "araddr") role->address_bits = pin.bits;
    if (of.signal == "wdata" || of.signal == "rdata") role->data_bytes = pin.bits / 8;
    if (of.signal == "awid" || of.signal == "arid") role->id_bits = pin.bits;
    if (of.signal == "awlen" || of.signal == "arlen") role->lite = false;
    if (of.signal == "awaddr") role->writes = true;
    if (of.signal == "araddr") role->reads = true;
  }
  return roles;
}

RtlDevice::RtlDevice(const sc_core::sc_module_name& name, const gvp_rtl_block& block,
                     const Configuration& configuration)
    : sc_module(name), block_("block", block, configuration.block) {
  for (const auto& [pin, value] : configuration.ties) block_.input_pin(pin, 0).set(value);
  block_.settle();
  for (const PortRole& role : port_roles(block)) add_port(role, configuration);
  for (const rtl::Pin& pin : block_.pins_of_role("interrupt")) {
    Interrupt interrupt;
    interrupt.pin = pin.name();
    interrupt.line = std::make_unique<sc_core::sc_out<bool>>(pin.name().c_str());
    interrupt.output = std::make_unique<rtl::SignalOutput>(block_, block_.output_pin(pin.name(), 1),
                                                           *interrupt.line);
    interrupts_.push_back(std::move(interrupt));
  }
}

void RtlDevice::add_port(const PortRole& role, const Configuration& configuration) {
  const std::string kind = role.is_master ? kMaster : kSlave;
  axi::pins::Port pins = axi::pins::find_port(
      block_, role.name, role.is_master, [&](const std::string& signal) -> std::string {
        const std::string wanted = kind + ':' + role.name + ':' + signal;
        for (size_t i = 0; i < block_.type().pin_count; ++i)
          if (block_.type().pins[i].role != nullptr && wanted == block_.type().pins[i].role)
            return block_.type().pins[i].name;
        return role.name + '_' + signal;
      });
  const auto base = configuration.bases.find(role.name);
  if (base != configuration.bases.end()) pins.base = base->second;
  Port port;
  port.role = role;
  const char* name = role.name.c_str();
  if (role.is_master) {
    axi::pins::AxiToTlmSettings settings;
    settings.non_blocking = configuration.non_blocking.count(role.name) != 0;
    auto transactor = std::make_unique<axi::pins::AxiToTlm>(name, block_, pins, settings);
    port.initiator = &transactor->socket;
    port.transactor = std::move(transactor);
  } else if (role.lite) {
    auto transactor = std::make_unique<axi::pins::TlmToLite>(name, block_, pins);
    port.target = &transactor->socket;
    port.transactor = std::move(transactor);
  } else {
    auto transactor = std::make_unique<axi::pins::TlmToAxi>(name, block_, pins);
    port.target = &transactor->socket;
    port.transactor = std::move(transactor);
  }
  port.checker = std::make_unique<axi::pins::Checker>(
      block_, pins, axi::pins::CheckerSettings{configuration.time_out});
  ports_.push_back(std::move(port));
}

uint64_t RtlDevice::protocol_violations() const {
  uint64_t sum = 0;
  for (const Port& port : ports_) sum += port.checker->violation_count();
  return sum;
}

nlohmann::ordered_json RtlDevice::statistics() const {
  nlohmann::ordered_json json;
  json["rtl"] = block_.statistics();
  for (const Port& port : ports_)
    json["rtl"]["ports"][port.role.name] = axi::pins::to_json(*port.checker);
  return json;
}

}  // namespace gvp::rtl_device
