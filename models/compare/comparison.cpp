// SPDX-License-Identifier: Apache-2.0
#include "models/compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/base/error.h"
#include "models/tlm/clock.h"
#include "models/tlm/payload.h"

namespace gvp::compare {
namespace {

constexpr double kUsualClock = 100e6;

Error not_possible(const device::Instance& instance, const std::string& why,
                   const std::string& remedy = "") {
  return bad_input(fmt::format("{} cannot be compared: {}", instance.name, why), {"--compare"},
                   remedy);
}

Choice checked_choice(const device::DeviceType& type, const device::Instance& instance) {
  const auto choice = choice_of(instance.model);
  if (!choice)
    throw not_possible(instance, fmt::format("\"{}\" is no pair of models", instance.model),
                       fmt::format("write --compare {}=at,rtl or --compare {}=at,rtl,cycles",
                                   instance.name, instance.name));
  if (type.is_bus() || type.is_processor || type.is_bridge)
    throw not_possible(instance,
                       type.is_processor ? "it is a processor" : "it carries others' transactions");
  for (const std::string& model : choice->models) {
    const std::string family = model.substr(0, model.find(':'));
    if (std::find(type.models.begin(), type.models.end(), family) == type.models.end())
      throw not_possible(instance, fmt::format("{} has no model \"{}\"", type.name, model),
                         fmt::format("models of it: {}", fmt::join(type.models, ", ")));
  }
  return *choice;
}

}  // namespace

Comparison::Comparison(const sc_core::sc_module_name& name, const device::DeviceType& type,
                       const device::Instance& instance, const Choice& choice,
                       device::Surroundings& surroundings)
    : sc_module(name),
      type_name_(type.name),
      choice_(choice),
      cycle_(kit::Clock(instance.clock_hz > 0 ? instance.clock_hz : kUsualClock).period()) {
  device::Surroundings own = surroundings;
  own.serial_line = [](const device::Instance& each,
                       const std::string&) -> peripherals::CharacterChannel* {
    throw not_possible(each, "it has a serial line, and there is one far end");
  };
  for (const Side side : {kSteering, kFollowing}) make_device(side, type, instance, choice, own);
  const auto& windows = devices_[kSteering].parts.targets;
  for (size_t i = 0; i < windows.size(); ++i) {
    targets_.push_back(std::make_unique<Target>(sc_core::sc_gen_unique_name("window")));
    targets_.back()->register_b_transport(this, &Comparison::b_transport, static_cast<int>(i));
    targets_.back()->register_transport_dbg(this, &Comparison::transport_dbg, static_cast<int>(i));
  }
  inside_ = make_inside(
      type.name, {devices_[kSteering].instance,
                  choice.models,
                  {devices_[0].parts.module.get(), devices_[1].parts.module.get()},
                  choice.cycles,
                  [this](const Mismatch& mismatch) { differ(mismatch); },
                  [this](Side side, const std::string& window, uint64_t offset, uint8_t* data,
                         uint64_t bytes) { return peek(side, window, offset, data, bytes); },
                  all_ports()});
  if (choice.cycles && !inside_)
    throw not_possible(instance, fmt::format("nobody knows the times inside of {}", type.name),
                       "leave out cycles");
  SC_THREAD(follow);
  SC_METHOD(count_edges);
  dont_initialize();
  for (const Side side : {kSteering, kFollowing}) {
    for (const device::Parts::Interrupt& interrupt : devices_[side].parts.interrupts)
      sensitive << *interrupt.line;
    levels_[side].resize(devices_[side].parts.interrupts.size());
    edges_[side].resize(levels_[side].size());
  }
}

void Comparison::make_device(Side side, const device::DeviceType& type,
                             const device::Instance& instance, const Choice& choice,
                             device::Surroundings& surroundings) {
  Device& device = devices_[side];
  device.instance = instance;
  device.instance.model = choice.models[side];
  if (side == kFollowing)
    device.instance.name += '_' + (choice.models[0] == choice.models[1]
                                       ? "2"
                                       : choice.models[1].substr(0, choice.models[1].find(':')));
  device.parts = type.make(device.instance, surroundings);
  if (device.parts.module == nullptr) throw not_possible(instance, "there is nothing to compare");
  if (!device.parts.initiators.empty() && !has_inside(type.name))
    throw not_possible(
        instance, fmt::format("as {} it has a port of its own on the bus", choice.models[side]));
  for (const device::Parts::Target& target : devices_[kSteering].parts.targets) {
    const auto same = std::find_if(device.parts.targets.begin(), device.parts.targets.end(),
                                   [&](const auto& each) { return each.window == target.window; });
    if (same == device.parts.targets.end())
      throw not_possible(
          instance, fmt::format("{} has no window \"{}\"", choice.models[side], target.window));
    device.windows.push_back(std::make_unique<Initiator>(sc_core::sc_gen_unique_name("to_window")));
    device.windows.back()->bind(*same->socket);
  }
  for (const device::Parts::Initiator& initiator : device.parts.initiators)
    port_named(initiator.master).bind(side, *initiator.socket);
  if (side == kSteering) return;
  for (const device::Parts::Interrupt& interrupt : device.parts.interrupts) {
    lines_.push_back(std::make_unique<sc_core::sc_signal<bool>>(
        sc_core::sc_gen_unique_name("following_interrupt")));
    (*interrupt.line)(*lines_.back());
  }
}

PortComparison& Comparison::port_named(const std::string& master) {
  std::unique_ptr<PortComparison>& port = ports_[master];
  if (!port) port = std::make_unique<PortComparison>(sc_core::sc_gen_unique_name("port"));
  return *port;
}

std::vector<PortComparison*> Comparison::all_ports() const {
  std::vector<PortComparison*> ports;
  for (const auto& [master, port] : ports_) ports.push_back(port.get());
  return ports;
}

device::Parts Comparison::parts() {
  device::Parts& first = devices_[kSteering].parts;
  device::Parts& second = devices_[kFollowing].parts;
  device::Parts parts;
  for (size_t i = 0; i < targets_.size(); ++i)
    parts.targets.push_back({first.targets[i].window, targets_[i].get()});
  for (const auto& [master, port] : ports_) parts.initiators.push_back({master, &port->bus});
  parts.interrupts = first.interrupts;
  if (first.connect_input)
    parts.connect_input = [&first, &second](unsigned line, sc_core::sc_signal<bool>& signal) {
      first.connect_input(line, signal);
      second.connect_input(line, signal);
    };
  parts.statistics = [this] { return statistics(); };
  if (first.reset)
    parts.reset = [this] {
      Access access;
      access.kind = Access::Kind::kReset;
      devices_[kSteering].parts.reset();
      push(std::move(access));
    };
  for (device::Parts* each : {&second, &first}) {
    if (each->protocol_violations) parts.protocol_violations = each->protocol_violations;
    if (each->open_wave) parts.open_wave = each->open_wave;
  }
  return parts;
}

// ---- What comes to the windows ----

void Comparison::count_edges() {
  for (const Side side : {kSteering, kFollowing})
    for (size_t i = 0; i < levels_[side].size(); ++i) {
      const bool level = devices_[side].parts.interrupts[i].line->read();
      if (level != levels_[side][i] && sc_core::sc_time_stamp() >= counts_from_) ++edges_[side][i];
      levels_[side][i] = level;
    }
}

void Comparison::push(Access access) {
  access.ended = ended(kSteering);
  waiting_.push_back(std::move(access));
  arrived_.notify(sc_core::SC_ZERO_TIME);
}

void Comparison::b_transport(int window, tlm::tlm_generic_payload& payload,
                             sc_core::sc_time& delay) {
  Access access;
  access.window = static_cast<unsigned>(window);
  access.command = payload.get_command();
  access.address = payload.get_address();
  access.streaming_width = payload.get_streaming_width();
  if (const uint8_t* enables = payload.get_byte_enable_ptr(); enables != nullptr)
    access.enables.assign(enables, enables + payload.get_byte_enable_length());
  const uint8_t* const data = payload.get_data_ptr();
  if (payload.is_write()) access.data.assign(data, data + payload.get_data_length());
  const bool before = busy(kSteering);
  const uint64_t jobs = ended(kSteering);
  (*devices_[kSteering].windows[access.window])->b_transport(payload, delay);
  access.busy = before || busy(kSteering);
  access.throughout = before && busy(kSteering) && jobs == ended(kSteering);
  access.ok = payload.is_response_ok();
  if (!payload.is_write()) access.data.assign(data, data + payload.get_data_length());
  access.edges = edges_[kSteering];
  push(std::move(access));
}

unsigned Comparison::transport_dbg(int window, tlm::tlm_generic_payload& payload) {
  const auto index = static_cast<unsigned>(window);
  const unsigned done = (*devices_[kSteering].windows[index])->transport_dbg(payload);
  if (!payload.is_write() || done == 0) return done;
  Access access;
  access.kind = Access::Kind::kDebugWrite;
  access.window = index;
  access.command = payload.get_command();
  access.address = payload.get_address();
  access.data.assign(payload.get_data_ptr(), payload.get_data_ptr() + done);
  if (waiting_.empty() && !repeating_)
    repeat(access);
  else
    push(std::move(access));
  return done;
}

bool Comparison::peek(Side side, const std::string& window, uint64_t offset, uint8_t* data,
                      uint64_t bytes) {
  const auto& targets = devices_[kSteering].parts.targets;
  for (size_t i = 0; i < targets.size(); ++i) {
    if (targets[i].window != window) continue;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(offset);
    payload.set_data_ptr(data);
    payload.set_data_length(static_cast<unsigned>(bytes));
    payload.set_streaming_width(static_cast<unsigned>(bytes));
    return (*devices_[side].windows[i])->transport_dbg(payload) == bytes;
  }
  return false;
}

// ---- Reports ----

std::string Comparison::describe(const Access& access) const {
  const std::string& window = devices_[kSteering].parts.targets[access.window].window;
  const std::string name = inside_ ? inside_->name_of(window, access.address) : "";
  return fmt::format("{} of {} bytes at {:#x}{}{}{}",
                     access.command == tlm::TLM_WRITE_COMMAND ? "the write" : "the read",
                     access.data.size(), access.address, window.empty() ? "" : " of ", window,
                     name.empty() ? "" : " (" + name + ")");
}

std::string Comparison::text_of(const Mismatch& mismatch) const {
  return fmt::format("{} as {} and as {} differ: {}: {} {}, {} {}{}{}; transaction {}",
                     devices_[kSteering].instance.name, choice_.models[0], choice_.models[1],
                     mismatch.what, choice_.models[0], mismatch.values[0], choice_.models[1],
                     mismatch.values[1], mismatch.place.empty() ? "" : "; ", mismatch.place,
                     transactions_);
}

void Comparison::differ(const Mismatch& mismatch) {
  ++mismatches_;
  if (handler_) return handler_(mismatch);
  throw model_error(text_of(mismatch),
                    fmt::format("{} @ {}", name(), kit::time_text(sc_core::sc_time_stamp())));
}

nlohmann::ordered_json Comparison::statistics() const {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (devices_[kSteering].parts.statistics) json = devices_[kSteering].parts.statistics();
  nlohmann::ordered_json& own = json["comparison"];
  own["with"] = choice_.models[1];
  own["transactions"] = transactions_;
  own["compared_reads"] = compared_reads_;
  own["other_reads"] = other_reads_;
  own["mismatches"] = mismatches_;
  own["level"] = is_level();
  if (inside_) own.update(inside_->statistics());
  if (devices_[kFollowing].parts.statistics) {
    nlohmann::ordered_json other = devices_[kFollowing].parts.statistics();
    if (other.contains("rtl")) json["rtl"] = other["rtl"];
  }
  return json;
}

device::Parts make_comparison(const device::DeviceType& type, const device::Instance& instance,
                              device::Surroundings& surroundings) {
  auto comparison =
      std::make_unique<Comparison>((instance.name + "_compared").c_str(), type, instance,
                                   checked_choice(type, instance), surroundings);
  device::Parts parts = comparison->parts();
  parts.module = std::move(comparison);
  return parts;
}

}  // namespace gvp::compare
