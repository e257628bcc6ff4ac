// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/device/value_text.h"
#include "platform/generate/generate.h"

namespace gvp::platform {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

device::Instance example(const device::DeviceType& type) {
  device::Instance instance;
  instance.name = type.name;
  if (!type.models.empty()) instance.model = type.models.front();
  instance.settings = type.defaults;
  return instance;
}

std::string type_text(const device::DeviceType& type) {
  std::string text = fmt::format("{}\n    {}\n", type.name, type.description);
  device::Instance instance = example(type);
  if (!type.models.empty()) text += fmt::format("    models      {}\n", joined(type.models));
  if (type.windows)
    for (const device::Window& window : type.windows(instance))
      text += fmt::format("    window      {}{:#x} bytes, {}{}\n",
                          window.name.empty() ? "" : window.name + ", ", window.size,
                          window.local  ? "local"
                          : window.lite ? "AXI4-Lite"
                                        : "AXI4",
                          window.description.empty() ? "" : ": " + window.description);
  for (const device::Master& master : type.masters)
    text += fmt::format("    bus master  {}\n", master.name.empty() ? "one port" : master.name);
  if (type.interrupt != device::InterruptOutput::kNone)
    text += fmt::format("    interrupt   {}\n", type.interrupt == device::InterruptOutput::kPulse
                                                    ? "a rising edge"
                                                    : "level, active high");
  if (type.interrupt_inputs)
    text += fmt::format("    takes       {} interrupt{}\n", type.interrupt_inputs(instance),
                        type.interrupt_inputs(instance) == 1 ? "" : "s");
  if (type.device_tree && !type.device_tree(instance).compatible.empty())
    text += fmt::format("    compatible  {}\n", joined(type.device_tree(instance).compatible));
  for (const device::Key& key : type.keys) {
    const device::Field field = key.field(instance.settings);
    text += fmt::format("    {} = {}{} ({})\n        {}\n", key.name,
                        std::visit([](auto* value) { return device::toml_text(*value); }, field),
                        key.unit.empty() ? "" : ' ' + key.unit,
                        device::allowed_text(field, key.allowed), key.meaning);
  }
  return text;
}

}  // namespace

std::string device_type_list() {
  register_built_in_device_types();
  std::string text;
  for (const device::DeviceType* type : device::device_types())
    text += (text.empty() ? "" : "\n") + type_text(*type);
  return text;
}

std::string board_list() {
  std::string text;
  for (const BuiltInBoard& each : built_in_boards()) {
    const auto board = load_board(std::string(each.name));
    text += fmt::format("{:<12} {}\n", each.name, board->description);
  }
  return text;
}

}  // namespace gvp::platform
