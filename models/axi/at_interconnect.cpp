// SPDX-License-Identifier: Apache-2.0
// Set-up, time and the TLM interfaces of the approximately timed interconnect.
#include "models/axi/at_interconnect.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::axi {
namespace {

const Log log_axi("axi");
constexpr uint64_t kNever = ~uint64_t{0};

Arbitration parse_arbitration(const std::string& text) {
  if (text == "round-robin") return Arbitration::kRoundRobin;
  if (text == "fixed") return Arbitration::kFixed;
  if (text == "qos") return Arbitration::kQos;
  throw bad_input(fmt::format("unknown AXI arbitration \"{}\"", text), {},
                  "known are round-robin, fixed, qos");
}

PortConfiguration port_of(const std::vector<PortConfiguration>& ports, size_t index,
                          const std::string& name) {
  const PortConfiguration port = index < ports.size() ? ports[index] : PortConfiguration{};
  if (port.data_bytes == 0 || (port.data_bytes & (port.data_bytes - 1)) != 0 ||
      port.data_bytes > 128)
    throw bad_input(fmt::format("AXI port {} is {} bytes wide", name, port.data_bytes), {},
                    "widths are 1, 2, 4 .. 128 bytes");
  if (port.clock_hz != 0 && !(port.clock_hz >= 1e6))
    throw bad_input(fmt::format("AXI port {} has a clock of {} Hz", name, port.clock_hz), {},
                    "clocks are 1000000 Hz or more; 0 is the interconnect's own");
  if (port.outstanding == 0 || port.queue_depth == 0)
    throw bad_input(fmt::format("AXI port {} takes no requests", name), {},
                    "outstanding and queue_depth must be above 0");
  return port;
}

}  // namespace

AtInterconnect::AtInterconnect(const sc_core::sc_module_name& name,
                               const InterconnectConfiguration& configuration)
    : DecodingInterconnect(name, configuration), period_(clock_.period_ps()) {
  const auto set_up = [&](Port& port, const PortConfiguration& settings) {
    port.configuration = settings;
    const bool crosses = settings.clock_hz > 0 && settings.clock_hz != configuration.clock_hz;
    port.period =
        crosses ? kit::Clock(settings.clock_hz, "an AXI port's clock").period_ps() : period_;
    port.latency = settings.register_slices * port.period +
                   (crosses ? configuration.crossing_cycles * port.period : 0);
  };
  for (size_t i = 0; i < configuration.initiators.size(); ++i) {
    set_up(initiator_ports_.emplace_back(),
           port_of(configuration.initiator_ports, i, configuration.initiators[i]));
    initiators_[i]->register_nb_transport_fw(
        this, static_cast<Transport>(&AtInterconnect::nb_transport_fw), static_cast<int>(i));
  }
  const Arbitration policy = parse_arbitration(configuration.arbitration);
  for (size_t t = 0; t < configuration.targets.size(); ++t) {
    Target& target = target_ports_.emplace_back(policy);
    set_up(target, port_of(configuration.target_ports, t, configuration.targets[t]));
    for (auto& queues : target.queues) queues.resize(configuration.initiators.size());
    targets_[t]->register_nb_transport_bw(
        this, static_cast<Transport>(&AtInterconnect::nb_transport_bw), static_cast<int>(t));
  }
  requests_.resize(configuration.initiators.size());
  SC_METHOD(run_due);
  sensitive << wake_event_;
  dont_initialize();
}

AtInterconnect::~AtInterconnect() = default;

void AtInterconnect::end_of_elaboration() {
  for (size_t t = 0; t < target_ports_.size(); ++t) {
    tlm::tlm_fw_transport_if<>* const bound = targets_[t]->operator->();
    target_ports_[t].ahead = dynamic_cast<kit::RunAhead*>(bound);
  }
}

// ---- time ----

void AtInterconnect::at(uint64_t time, const Action& action) {
  queue_.push(time, action);
  wake_at(time);
}

void AtInterconnect::wake_at(uint64_t time) {
  if (time >= wake_time_) return;
  wake_time_ = time;
  wake_event_.notify(sc_core::sc_time::from_value(time > now() ? time - now() : 0));
}

void AtInterconnect::run_due() {
  // Actions must find wake_time_ at this moment, so that what they add for now is not announced.
  Action action;
  const uint64_t time = now();
  wake_time_ = time;
  while (queue_.pop(time, action)) perform(action);
  wake_time_ = kNever;
  if (!queue_.empty()) wake_at(queue_.next_time());
}

void AtInterconnect::perform(const Action& action) {
  switch (action.kind) {
    case Action::kArrive:
      if (arrive(*action.record)) owe_end_request(*action.record);
      break;
    case Action::kEndRequest:
      return end_request(*action.record);
    case Action::kArbitrate:
      if (target_ports_[action.port].wake > now()) return;  // an earlier call has done it
      target_ports_[action.port].wake = kNever;
      return arbitrate(action.port);
    case Action::kTargetEndRequest:
      return target_end_request(action.port, *action.child);
    case Action::kTargetResponse:
      return target_response(*action.child);
    case Action::kDeliver:
      return deliver(*action.record);
    case Action::kEndResponse:
      return end_response(action.port);
  }
}

// ---- TLM interfaces ----

bool AtInterconnect::get_direct_mem_ptr(int tag, tlm::tlm_generic_payload& payload,
                                        tlm::tlm_dmi& dmi) {
  DecodingInterconnect::get_direct_mem_ptr(tag, payload, dmi);
  dmi.allow_none();
  return false;
}

void AtInterconnect::b_transport(int tag, tlm::tlm_generic_payload& payload,
                                 sc_core::sc_time& delay) {
  if (run_ahead(static_cast<unsigned>(tag), payload, delay)) return;
  sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  if (!kit::check_attributes(payload)) return;
  Initiator& port = initiator_ports_[static_cast<unsigned>(tag)];
  Record& record = open(static_cast<unsigned>(tag), payload, now());
  if (events_.empty()) events_.push_back(std::make_unique<sc_core::sc_event>());
  std::unique_ptr<sc_core::sc_event> done = std::move(events_.back());
  events_.pop_back();
  record.waiter = done.get();
  if (usable(record)) {
    ++port.waiting;
    while (!has_room(port, record)) sc_core::wait(port.room);
    --port.waiting;
    admit(record, now());
  }
  sc_core::wait(*done);
  events_.push_back(std::move(done));
}

tlm::tlm_sync_enum AtInterconnect::nb_transport_fw(int tag, tlm::tlm_generic_payload& payload,
                                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto initiator = static_cast<unsigned>(tag);
  Initiator& port = initiator_ports_[initiator];
  if (phase == tlm::END_RESP) {
    if (port.responding == nullptr || port.responding->payload != &payload ||
        port.end_response_due) {
      log_axi.error("{}: END_RESP by {} without a response", name(),
                    configuration_.initiators[initiator]);
      return tlm::TLM_COMPLETED;
    }
    owe_end_response(initiator, delay);
    return tlm::TLM_COMPLETED;
  }
  const bool out_of_turn = phase != tlm::BEGIN_REQ || port.requesting != nullptr ||
                           now() + delay.value() < port.request_free;
  if (out_of_turn || !kit::check_attributes(payload)) {
    if (out_of_turn) {
      log_axi.error("{}: {} by {} {}", name(), kit::describe(payload),
                    configuration_.initiators[initiator],
                    phase == tlm::BEGIN_REQ ? "begins before the last request has ended"
                                            : "comes in an unexpected phase");
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    }
    return tlm::TLM_COMPLETED;
  }
  if (payload.has_mm()) payload.acquire();
  Record& record = open(initiator, payload, now() + delay.value());
  const bool certain = port.outstanding[kRead] == 0 && port.outstanding[kWrite] == 0;
  if (delay != sc_core::SC_ZERO_TIME && !certain) {  // is there room then?
    port.requesting = &record;
    at(now() + delay.value(), {Action::kArrive, initiator, record});
    return tlm::TLM_ACCEPTED;
  }
  if (!arrive(record)) {
    port.requesting = &record;
    return tlm::TLM_ACCEPTED;
  }
  port.request_free = record.accepted;
  phase = tlm::END_REQ;
  delay = sc_core::sc_time::from_value(record.accepted - now());
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum AtInterconnect::nb_transport_bw(int tag, tlm::tlm_generic_payload& payload,
                                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const auto index = static_cast<unsigned>(tag);
  Child* child = Child::find(payload);
  if (child == nullptr || child->target != index || child->responded ||
      (phase != tlm::BEGIN_RESP && (phase != tlm::END_REQ || child->request_ended))) {
    complain(index, "answers in an unexpected phase");
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  const uint64_t time = now() + delay.value();
  if (!child->request_ended) {  // by END_REQ, or implied by the response
    child->request_ended = true;
    child->request_end = time;
    at(time, {Action::kTargetEndRequest, index, *child});
  }
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  take_response(*child, time);
  if (has_room_for_responses(initiator_ports_[child->record->initiator])) return tlm::TLM_COMPLETED;
  child->held = true;  // back-pressure: END_RESP comes when there is room
  return tlm::TLM_ACCEPTED;
}

void AtInterconnect::complain(unsigned target, const char* what) const {
  log_axi.error("{}: {} {}", name(), configuration_.targets[target], what);
}

nlohmann::ordered_json AtInterconnect::arbitration_json(const Port& port, Direction direction) {
  const auto granted = static_cast<double>(port.granted[direction]);
  return {
      {"arbitration_wait_ns",
       {{"mean", granted > 0 ? static_cast<double>(port.waited[direction]) / 1000 / granted : 0},
        {"max", static_cast<double>(port.longest_wait[direction]) / 1000}}},
      {"arbitration_losses", port.lost[direction]}};
}

nlohmann::ordered_json AtInterconnect::statistics() const {
  nlohmann::ordered_json json = DecodingInterconnect::statistics();
  for (size_t i = 0; i < initiator_ports_.size(); ++i) {
    const Initiator& port = initiator_ports_[i];
    nlohmann::ordered_json& entry = json["initiators"][configuration_.initiators[i]];
    entry["stalled_requests"] = port.stalls;
    for (const Direction direction : {kRead, kWrite})
      entry[direction == kRead ? "read" : "write"].update(arbitration_json(port, direction));
  }
  for (size_t t = 0; t < target_ports_.size(); ++t)
    for (const Direction direction : {kRead, kWrite})
      json["targets"][configuration_.targets[t]][direction == kRead ? "read" : "write"].update(
          arbitration_json(target_ports_[t], direction));
  return json;
}

}  // namespace gvp::axi
