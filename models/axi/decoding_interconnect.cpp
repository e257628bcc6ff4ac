// SPDX-License-Identifier: Apache-2.0
#include "models/axi/decoding_interconnect.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::axi {
namespace {

const Log log_axi("axi");

// The first byte that a transaction touches: a wrapping burst goes round in its block.
uint64_t first_byte(const tlm::tlm_generic_payload& payload, const Extension* extension) {
  const uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if (extension == nullptr || extension->burst != Burst::kWrapping) return address;
  return (length & (length - 1)) == 0 ? address & ~uint64_t{length - 1} : address;
}

}  // namespace

DecodingInterconnect::DecodingInterconnect(const sc_core::sc_module_name& name,
                                           const InterconnectConfiguration& configuration)
    : Interconnect(name),
      configuration_(configuration),
      map_(configuration),
      counters_(configuration.initiators.size(), configuration.regions.size()),
      ports_(configuration.initiators.size()),
      at_targets_(configuration.targets.size()),
      direct_(configuration.initiators.size()),
      clock_(configuration.clock_hz, "the AXI interconnect's clock"),
      request_(clock_.at(configuration.request_cycles)),
      response_(clock_.at(configuration.response_cycles)),
      lite_(clock_.at(configuration.lite_cycles)),
      hints_(configuration.initiators.size(), AddressMap::kNone) {
  for (size_t i = 0; i < configuration.initiators.size(); ++i) {
    const int tag = static_cast<int>(i);
    auto& port = *initiators_.emplace_back(std::make_unique<InitiatorPort>(
        fmt::format("from_{}", configuration.initiators[i]).c_str()));
    port.register_b_transport(this, &DecodingInterconnect::b_transport, tag);
    port.register_transport_dbg(this, &DecodingInterconnect::transport_dbg, tag);
    port.register_get_direct_mem_ptr(this, &DecodingInterconnect::get_direct_mem_ptr, tag);
  }
  for (size_t t = 0; t < configuration.targets.size(); ++t) {
    auto& port = *targets_.emplace_back(
        std::make_unique<TargetPort>(fmt::format("to_{}", configuration.targets[t]).c_str()));
    port.register_invalidate_direct_mem_ptr(this, &DecodingInterconnect::invalidate_direct_mem_ptr,
                                            static_cast<int>(t));
  }
}

tlm::tlm_target_socket<>& DecodingInterconnect::from_initiator(unsigned index) {
  return *initiators_.at(index);
}

tlm::tlm_initiator_socket<>& DecodingInterconnect::to_target(unsigned index) {
  return *targets_.at(index);
}

nlohmann::ordered_json DecodingInterconnect::statistics() const {
  settle();
  nlohmann::ordered_json json = counters_.to_json(configuration_, map_);
  for (size_t i = 0; i < ports_.size(); ++i) {
    nlohmann::ordered_json& entry = json["initiators"][configuration_.initiators[i]];
    entry["latency_ns"] = kit::latency_json(ports_[i].latency());
    entry.update(ports_[i].to_json(beat_ps(i), sc_core::sc_time_stamp().value()));
    entry["direct"] = direct_[i].to_json();
  }
  nlohmann::ordered_json& targets = json["targets"] = nlohmann::ordered_json::object();
  for (size_t t = 0; t < at_targets_.size(); ++t)
    targets[configuration_.targets[t]] =
        at_targets_[t].to_json(target_beat_ps(t), sc_core::sc_time_stamp().value());
  return json;
}

std::vector<uint64_t> DecodingInterconnect::busy_ps() const {
  settle();
  std::vector<uint64_t> busy;
  for (size_t i = 0; i < ports_.size(); ++i)
    busy.push_back((ports_[i].of(false).beats + ports_[i].of(true).beats) * beat_ps(i));
  return busy;
}

bool DecodingInterconnect::tracing() { return log_axi.enabled(LogLevel::kTrace); }

void DecodingInterconnect::log_answer(unsigned initiator, int index,
                                      const tlm::tlm_generic_payload& payload,
                                      const sc_core::sc_time& begin,
                                      const sc_core::sc_time& end) const {
  log_axi.trace("{} @ {}: {} to {}: {}, {}, {}", name(), kit::time_text(begin),
                configuration_.initiators[initiator],
                configuration_.targets[map_.region(index).target], kit::describe(payload),
                payload.is_response_error() ? payload.get_response_string() : "OKAY",
                kit::time_text(end - begin));
}

int DecodingInterconnect::decode(unsigned initiator, tlm::tlm_generic_payload& payload,
                                 const sc_core::sc_time& time) {
  const auto* extension = payload.get_extension<Extension>();
  const int index =
      map_.find(first_byte(payload, extension), kit::touched_bytes(payload), hints_[initiator]);
  if (index == AddressMap::kNone) {
    // Whoever asked knows more, such as the program counter: nobody needs to read it twice.
    const auto& ports = configuration_.initiator_ports;
    const bool told = initiator < ports.size() && ports[initiator].reports_errors;
    if (!told || log_axi.enabled(LogLevel::kDebug))
      log_axi.warning("{} @ {}: {} by {}: nothing is mapped there (DECERR)", name(),
                      kit::time_text(time), kit::describe(payload),
                      configuration_.initiators[initiator]);
    counters_.count_decode_error(initiator);
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return AddressMap::kNone;
  }
  const unsigned length = payload.get_data_length();
  if (extension != nullptr && extension->burst == Burst::kWrapping &&
      ((length & (length - 1)) != 0 ||
       (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() < length))) {
    log_axi.warning(
        "{} @ {}: {} by {}: a wrapping burst needs a length that is a power of two, "
        "and byte enables for all of it",
        name(), kit::time_text(time), kit::describe(payload), configuration_.initiators[initiator]);
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return AddressMap::kNone;
  }
  return index;
}

bool DecodingInterconnect::exclusive_write_fails(unsigned initiator, bool exclusive,
                                                 const Extension* extension,
                                                 const tlm::tlm_generic_payload& payload) {
  if (!payload.is_write()) return false;
  const uint64_t bytes = kit::touched_bytes(payload);
  if (exclusive && !monitor_.holds(initiator, extension->id, payload.get_address(), bytes))
    return true;
  monitor_.written(first_byte(payload, extension), bytes);
  return false;
}

void DecodingInterconnect::finish_exclusive(unsigned initiator, Extension& extension,
                                            const tlm::tlm_generic_payload& payload) {
  if (extension.response != Response::kOkay) return;
  extension.response = Response::kExclusiveOkay;
  if (payload.is_read()) reserve(initiator, extension, payload);
}

unsigned DecodingInterconnect::transport_dbg(int tag, tlm::tlm_generic_payload& payload) {
  const uint64_t address = payload.get_address();
  int hint = hints_[static_cast<unsigned>(tag)];
  const int index = map_.find(address, 1, hint);
  if (index == AddressMap::kNone) return 0;
  const Region& region = map_.region(index);
  const unsigned length = payload.get_data_length();
  const uint64_t offset = address - region.base;
  payload.set_data_length(static_cast<unsigned>(std::min<uint64_t>(length, region.size - offset)));
  payload.set_address(offset + region.offset);
  const unsigned moved = (*targets_[region.target])->transport_dbg(payload);
  payload.set_address(address);
  payload.set_data_length(length);
  return moved;
}

bool DecodingInterconnect::get_direct_mem_ptr(int tag, tlm::tlm_generic_payload& payload,
                                              tlm::tlm_dmi& dmi) {
  const uint64_t address = payload.get_address();
  int hint = hints_[static_cast<unsigned>(tag)];
  const int index = map_.find(address, 1, hint);
  if (index == AddressMap::kNone) return false;
  const Region& region = map_.region(index);
  payload.set_address(address - region.base + region.offset);
  const bool granted = (*targets_[region.target])->get_direct_mem_ptr(payload, dmi);
  if (granted) kit::account_for_direct(payload, direct_[static_cast<unsigned>(tag)]);
  payload.set_address(address);

  // The target speaks of its own addresses; clip to the region and move.
  const uint64_t first = std::max<uint64_t>(dmi.get_start_address(), region.offset);
  const uint64_t last =
      std::min<uint64_t>(dmi.get_end_address(), region.offset + (region.size - 1));
  if (granted) dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (first - dmi.get_start_address()));
  dmi.set_start_address(first - region.offset + region.base);
  dmi.set_end_address(last - region.offset + region.base);
  const sc_core::sc_time bus = request_ + response_ + (region.lite ? lite_ : sc_core::SC_ZERO_TIME);
  dmi.set_read_latency(dmi.get_read_latency() + bus);
  dmi.set_write_latency(dmi.get_write_latency() + bus);
  return granted;
}

void DecodingInterconnect::invalidate_direct_mem_ptr(int target, sc_dt::uint64 start,
                                                     sc_dt::uint64 end) {
  for (const Region& region : map_.regions()) {
    if (region.target != static_cast<unsigned>(target)) continue;
    const uint64_t first = std::max<uint64_t>(start, region.offset);
    const uint64_t last = std::min<uint64_t>(end, region.offset + (region.size - 1));
    if (first > last) continue;
    for (auto& initiator : initiators_)
      (*initiator)
          ->invalidate_direct_mem_ptr(first - region.offset + region.base,
                                      last - region.offset + region.base);
  }
}

}  // namespace gvp::axi
