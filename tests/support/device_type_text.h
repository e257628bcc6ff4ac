// SPDX-License-Identifier: Apache-2.0
// What a type of device says of itself, as lines of text, for tests that state it a second time:
// a board takes all of it on trust.  Not in it: what makes the device, and the meanings of keys.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>

#include "models/device/device_type.h"
#include "models/device/value_text.h"

namespace gvp::test {

// "clock_hz = 1e8, 1000000 to 1000000000 Hz" a key.
inline std::string text_of_keys(const device::DeviceType& type) {
  std::string text;
  std::any settings = type.defaults;
  for (const device::Key& key : type.keys) {
    const device::Field field = key.field(settings);
    const std::string value =
        std::visit([](const auto* member) { return device::toml_text(*member); }, field);
    text +=
        fmt::format("{} = {}, {}{}{}\n", key.name, value, device::allowed_text(field, key.allowed),
                    key.unit.empty() ? "" : " ", key.unit);
  }
  return text;
}

inline std::string text_of_ports(const device::DeviceType& type, const device::Instance& instance) {
  std::string text;
  if (type.windows)
    for (const device::Window& window : type.windows(instance))
      text += fmt::format("window '{}' of {:#x} bytes, {} wide{}{}{}: {}\n", window.name,
                          window.size, window.data_bytes, window.width_is_key ? " by key" : "",
                          window.lite ? ", lite" : "", window.local ? ", local" : "",
                          window.description);
  for (const device::Master& master : type.masters)
    text +=
        fmt::format("master '{}' of {} outstanding, {} wide{}{}\n", master.name, master.outstanding,
                    master.data_bytes, master.reads_only ? ", reads only" : "",
                    master.reports_errors ? ", reports errors" : "");
  for (const device::InterruptOutput& each : type.interrupts)
    text += fmt::format("output '{}', {}\n", each.name,
                        each.trigger == device::Trigger::kLevel ? "level" : "pulse");
  if (type.interrupt_inputs) text += fmt::format("{} inputs\n", type.interrupt_inputs(instance));
  return text;
}

inline std::string text_of_tree(const device::DeviceType& type, const device::Instance& instance) {
  if (!type.device_tree) return "";
  const device::TreeNode node = type.device_tree(instance);
  std::string text = "node " + node.name;
  for (const std::string& compatible : node.compatible) text += ' ' + compatible;
  text += '\n';
  for (const auto& [name, value] : node.properties) text += fmt::format("{} = {}\n", name, value);
  return text;
}

inline std::string text_of(const device::DeviceType& type, const device::Instance& instance) {
  std::string text = type.name + ": " + type.description + '\n';
  for (const std::string& model : type.models) text += "model " + model + '\n';
  for (const auto& [is, what] :
       {std::pair(type.may_be_absent, "may be absent"), std::pair(type.is_memory, "memory"),
        std::pair(type.has_reset, "has reset"), std::pair(type.is_bridge, "bridge"),
        std::pair(type.is_processor, "processor"), std::pair(type.is_bus(), "bus")})
    if (is) text += std::string(what) + '\n';
  return text + text_of_keys(type) + text_of_ports(type, instance) + text_of_tree(type, instance);
}

}  // namespace gvp::test
