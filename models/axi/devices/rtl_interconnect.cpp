// SPDX-License-Identifier: Apache-2.0
#include "models/axi/devices/rtl_interconnect.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/axi/pins/statistics.h"
#include "models/base/error.h"
#include "models/base/log.h"
#include "models/rtl/block_table.h"
#include "models/tlm/clock.h"
#include "models/tlm/direct_account.h"
#include "models/tlm/payload.h"

namespace gvp::axi {
namespace {

const Log log_axi("axi");

}  // namespace

RtlInterconnect::RtlInterconnect(const sc_core::sc_module_name& name, const std::string& block,
                                 const InterconnectConfiguration& configuration)
    : Interconnect(name),
      configuration_(configuration),
      map_(configuration),
      counters_(configuration.initiators.size(), configuration.regions.size()),
      block_("block", rtl::block_named(block), {configuration.clock_hz, configuration.seed}),
      ports_(configuration.initiators.size()),
      hints_(configuration.initiators.size(), AddressMap::kNone) {
  for (unsigned i = 0; i < configuration.initiators.size(); ++i) add_initiator(i);
  for (unsigned t = 0; t < configuration.targets.size(); ++t) add_target(t);
  block_.settle();
}

void RtlInterconnect::add_initiator(unsigned index) {
  const pins::Port pins = port("s", index, false);
  pins::TlmToAxiSettings settings;
  settings.whole_addresses = true;  // what has more bits is in no region
  data_bytes_ = pins.data_bytes;
  if (index < configuration_.initiator_ports.size())
    settings.outstanding = configuration_.initiator_ports[index].outstanding;
  settings.answered = [this, index](const tlm::tlm_generic_payload& payload,
                                    const sc_core::sc_time& begun) {
    count(index, payload, begun);
  };
  initiators_.push_back(std::make_unique<pins::TlmToAxi>(
      fmt::format("from_{}", configuration_.initiators[index]).c_str(), block_, pins, settings));
  initiators_.back()->set_back_door(
      [this](tlm::tlm_generic_payload& payload) { return debug_access(payload); });
  checkers_.push_back(std::make_unique<pins::Checker>(block_, pins));
}

void RtlInterconnect::add_target(unsigned index) {
  const std::string& name = configuration_.targets[index];
  const pins::Port pins = port("m", index, true);
  pins::AxiToTlmSettings settings;
  if (index < configuration_.target_ports.size())
    settings.non_blocking = configuration_.target_ports[index].non_blocking;
  const Region* region = nullptr;
  for (const Region& each : map_.regions()) {
    if (each.target != index) continue;
    if (region != nullptr)
      throw bad_input(
          fmt::format("two regions lead to {}; the RTL has one range for each target", name));
    region = &each;
  }
  if (region != nullptr) {
    set_range(*region);
    settings.single_beats = region->lite;
    settings.base = region->base - region->offset;
  }
  targets_.push_back(
      std::make_unique<pins::AxiToTlm>(fmt::format("to_{}", name).c_str(), block_, pins, settings));
  checkers_.push_back(std::make_unique<pins::Checker>(block_, pins));
}

pins::Port RtlInterconnect::port(const char* side, size_t index, bool is_master) {
  const std::string prefix = fmt::format("{}{}_axi_", side, index);
  if (!pins::has_port(block_, prefix))
    throw bad_input(
        fmt::format("RTL block {} has {} ports for {}; this bus needs more", block_.type().name,
                    index, is_master ? "targets" : "masters"),
        {},
        "give the bus fewer devices, or build with more: cmake -D GVP_CROSSBAR_MASTERS=N"
        " -D GVP_CROSSBAR_TARGETS=N");
  return pins::find_port(block_, prefix, is_master);
}

void RtlInterconnect::set_range(const Region& region) {
  constexpr unsigned kAddressBits = 32;
  const std::string prefix = fmt::format("m{}_", region.target);
  block_.input_pin(prefix + "exists", 1).set(1);
  block_.input_pin(prefix + "first", kAddressBits).set(region.base);
  block_.input_pin(prefix + "last", kAddressBits).set(region.base + region.size - 1);
}

tlm::tlm_target_socket<>& RtlInterconnect::from_initiator(unsigned index) {
  return initiators_.at(index)->socket;
}

tlm::tlm_initiator_socket<>& RtlInterconnect::to_target(unsigned index) {
  return targets_.at(index)->socket;
}

void RtlInterconnect::count(unsigned initiator, const tlm::tlm_generic_payload& payload,
                            const sc_core::sc_time& begun) {
  // Its bursts may have gone to two regions, which are each one's own affair: counted at the first.
  const bool nobody = payload.get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE;
  const uint64_t bytes_in_map = nobody ? kit::touched_bytes(payload) : 1;
  const int region = map_.find(payload.get_address(), bytes_in_map, hints_[initiator]);
  if (region != AddressMap::kNone) {
    const bool write = payload.is_write();
    const bool error = payload.is_response_error();
    const uint64_t bytes = payload.get_data_length();
    const uint64_t beats = (bytes + data_bytes_ - 1) / data_bytes_;
    ports_[initiator].of(write).count(bytes, beats, error,
                                      (sc_core::sc_time_stamp() - begun).value());
    return counters_.at(initiator, region).count(write, bytes, error);
  }
  log_axi.warning("{} @ {}: {} by {}: nothing is mapped there (DECERR)", name(),
                  kit::time_text(begun), kit::describe(payload),
                  configuration_.initiators[initiator]);
  counters_.count_decode_error(initiator);
}

unsigned RtlInterconnect::debug_access(tlm::tlm_generic_payload& payload) {
  int hint = AddressMap::kNone;
  const uint64_t address = payload.get_address();
  const int index = map_.find(address, 1, hint);
  if (index == AddressMap::kNone) return 0;
  const Region& region = map_.region(index);
  const unsigned length = payload.get_data_length();
  const uint64_t offset = address - region.base;
  payload.set_data_length(static_cast<unsigned>(std::min<uint64_t>(length, region.size - offset)));
  payload.set_address(offset + region.offset);
  const unsigned moved = targets_.at(region.target)->socket->transport_dbg(payload);
  payload.set_address(address);
  payload.set_data_length(length);
  return moved;
}

uint64_t RtlInterconnect::protocol_violations() const {
  uint64_t sum = 0;
  for (const auto& checker : checkers_) sum += checker->violation_count();
  return sum;
}

nlohmann::ordered_json RtlInterconnect::statistics() const {
  nlohmann::ordered_json json = counters_.to_json(configuration_, map_);
  const uint64_t beat_ps =
      kit::Clock(configuration_.clock_hz, "the AXI interconnect's clock").period_ps();
  for (size_t i = 0; i < initiators_.size(); ++i) {
    nlohmann::ordered_json& entry = json["initiators"][configuration_.initiators[i]];
    entry["stalled_requests"] = initiators_[i]->stalled_requests();
    entry["latency_ns"] = kit::latency_json(ports_[i].latency());
    entry.update(ports_[i].to_json(beat_ps, sc_core::sc_time_stamp().value()));
    entry["outstanding"].erase("max");                 // the transactors know, not this
    entry["direct"] = kit::DirectTraffic{}.to_json();  // it grants no pointers
  }
  json["rtl"] = block_.statistics();
  std::vector<const pins::Checker*> checkers;
  for (const auto& each : checkers_) checkers.push_back(each.get());
  json["rtl"]["protocol_check"] = pins::to_json(checkers);
  return json;
}

}  // namespace gvp::axi
