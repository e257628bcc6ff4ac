// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/base/nearest.h"
#include "models/compare/choice.h"
#include "models/device/value_text.h"

namespace gvp::platform {
namespace {

using device::power_of_two;
using device::range;
using device::text_form;

constexpr const char* kApproximately = " (approximately timed only)";

bool is_model_name(const std::string& text) {
  if (compare::choice_of(text)) return true;
  if (text == "lt" || text == "at" || text == "rtl") return true;
  return text.rfind("rtl:", 0) == 0 && text.size() > 4;
}

// Of devices whose registers have no timing of their own.
bool is_lt_or_rtl(const std::string& text) { return text != "at" && is_model_name(text); }

bool is_model_name_or_none(const std::string& text) {
  return text == "none" || is_model_name(text);
}

Key model_key(const BoardDevice& device, size_t index) {
  const device::DeviceType& type = *device.type;
  const bool has_at = std::find(type.models.begin(), type.models.end(), "at") != type.models.end();
  if (!has_at)
    return {device.name + ".model",
            [index](Configuration& c) -> Field { return &c.devices[index].model; },
            text_form(is_lt_or_rtl, "lt or rtl[:NAME]"), "",
            fmt::format("Variant of the {}: loosely timed, or RTL", type.description)};
  return {device.name + ".model",
          [index](Configuration& c) -> Field { return &c.devices[index].model; },
          type.may_be_absent ? text_form(is_model_name_or_none, "lt, at, rtl[:NAME] or none")
                             : text_form(is_model_name, "lt, at or rtl[:NAME]"),
          "",
          fmt::format("Variant of the {}: loosely timed, approximately timed, or RTL{}",
                      type.description, type.may_be_absent ? ", or a board without it" : "")};
}

template <typename T>
Key port_key(const std::string& prefix, size_t bus, size_t port, const char* leaf,
             T axi::PortConfiguration::*member, Allowed allowed, const char* unit,
             const std::string& meaning) {
  return {prefix + leaf,
          [bus, port, member](Configuration& c) -> Field {
            return &(c.buses[bus].ports[port].configuration.*member);
          },
          std::move(allowed), unit, meaning + kApproximately};
}

// The ports matter to the approximately timed interconnect only.  How many transactions may be in
// flight (outstanding, queue_depth) is no key: that is the masters' own.
void add_port_keys(const Configuration& configuration, size_t bus, std::vector<Key>& all) {
  using P = axi::PortConfiguration;
  const Bus& b = configuration.buses[bus];
  for (size_t i = 0; i < b.ports.size(); ++i) {
    const BusPort& port = b.ports[i];
    const std::string prefix = b.name + '.' + port.name + '.';
    const std::string what = "port " + port.name;
    if (port.width_is_key)
      all.push_back(port_key(prefix, bus, i, "data_bytes", &P::data_bytes, power_of_two(1, 128),
                             "bytes", "Width of the data channels of " + what));
    const bool clocks_device =
        !port.is_initiator && !configuration.board().find(port.device)->type->has_clock_key();
    all.push_back(port_key(prefix, bus, i, "clock_hz", &P::clock_hz, range(0, 1e9), "Hz",
                           fmt::format("Clock of {}{}; 0: the interconnect's own, no crossing",
                                       what, clocks_device ? " and of the device behind it" : "")));
    all.push_back(port_key(prefix, bus, i, "register_slices", &P::register_slices, range(0, 16),
                           "clock cycles",
                           fmt::format("Register slices of {}, a cycle each way", what)));
    if (port.is_initiator)
      all.push_back(
          port_key(prefix, bus, i, "qos", &P::qos, range(0, 15), "",
                   fmt::format("AxQOS of {}, 15 is most urgent; for {}.arbitration = \"qos\"", what,
                               b.name)));
  }
}

// What the keys of a section are called with: the part before the last dot.
std::string group_of(const std::string& name) {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

}  // namespace

std::string Key::section() const { return group_of(name); }

std::string Key::leaf() const {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? name : name.substr(dot + 1);
}

std::vector<Key> keys_of(const Configuration& configuration) {
  std::vector<Key> all = {
      {"quantum_ns", [](Configuration& c) -> Field { return &c.quantum_ns; }, range(1, 1e9), "ns",
       "How far a loosely timed initiator may run ahead of simulated time before the others get "
       "their turn: larger is faster, smaller delivers interrupts earlier"}};
  const Board& board = configuration.board();
  size_t bus = 0;
  for (size_t i = 0; i < board.devices.size(); ++i) {
    const BoardDevice& device = board.devices[i];
    if (!device.type->models.empty()) all.push_back(model_key(device, i));
    for (const device::Key& key : device.type->keys)
      all.push_back({device.name + '.' + key.name,
                     [i, field = key.field](Configuration& c) -> Field {
                       return field(c.devices[i].settings);
                     },
                     key.allowed, key.unit, key.meaning});
    if (device.type->is_bus()) add_port_keys(configuration, bus++, all);
  }
  return all;
}

const Key* find_key(const Configuration& configuration, std::string_view name) {
  for (const Key& key : configuration.keys())
    if (key.name == name) return &key;
  return nullptr;
}

void refuse_unknown_key(const Configuration& configuration, const std::string& name,
                        const SourceLocation& where) {
  std::vector<std::string> names;
  for (const Key& key : configuration.keys()) names.push_back(key.name);
  const std::string meant = nearest(name, names);
  throw bad_input(fmt::format("unknown key \"{}\"", name), where,
                  meant.empty() ? "gpgpu-vp --help-config lists the keys"
                                : fmt::format("did you mean \"{}\"?", meant));
}

void assign(Configuration& configuration, const Key& key, const Value& value,
            const SourceLocation& where) {
  device::assign(key.field(configuration), key.allowed, key.name, value, where);
}

void assign(Configuration& configuration, const std::string& key_is_value) {
  const SourceLocation where{fmt::format("--set {}", key_is_value)};
  const size_t equals = key_is_value.find('=');
  if (equals == std::string::npos || equals == 0)
    throw bad_input(equals == 0 ? "no key given" : "no value given", where,
                    "write --set KEY=VALUE, such as --set gpgpu.sps=16");
  const std::string name = key_is_value.substr(0, equals);
  const Key* key = find_key(configuration, name);
  if (key == nullptr) refuse_unknown_key(configuration, name, where);
  const std::string text = key_is_value.substr(equals + 1);
  const bool is_text = std::holds_alternative<std::string*>(key->field(configuration));
  assign(configuration, *key, is_text ? Value(device::unquoted(text)) : device::parse_value(text),
         where);
}

std::string value_text(const Configuration& configuration, const Key& key) {
  Configuration copy = configuration;
  return std::visit([](auto* field) { return device::toml_text(*field); }, key.field(copy));
}

std::string allowed_text(const Configuration& configuration, const Key& key) {
  Configuration copy = configuration;
  return device::allowed_text(key.field(copy), key.allowed);
}

}  // namespace gvp::platform
