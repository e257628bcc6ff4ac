// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "models/base/nearest.h"
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

// A paragraph below its heading: lines of at most 80 columns that begin with so many blanks, the
// first one behind `begin`: a label, then blanks up to the others, or blanks alone, as they are.
std::string paragraph(std::string_view text, size_t indent, std::string_view begin = {}) {
  constexpr size_t kColumns = 80;
  std::string result, line(begin);
  if (begin.empty() || begin.back() != ' ') line.resize(std::max(indent, line.size()), ' ');
  bool empty = true;  // the line has no word yet
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (!empty && line.size() + 1 + (end - at) > kColumns) {
      result += line + '\n';
      line.assign(indent, ' ');
      empty = true;
    }
    if (!empty) line += ' ';
    line += text.substr(at, end - at);
    empty = false;
    at = end + 1;
  }
  return result + line + '\n';
}

std::string type_text(const device::DeviceType& type) {
  std::string text = fmt::format("{}\n    {}\n", type.name, type.description);
  device::Instance instance = example(type);
  if (!type.models.empty()) text += fmt::format("    models      {}\n", joined(type.models));
  if (type.windows)
    for (const device::Window& window : type.windows(instance))
      text += paragraph(fmt::format("{}{:#x} bytes, {}{}",
                                    window.name.empty() ? "" : window.name + ", ", window.size,
                                    window.local  ? "local"
                                    : window.lite ? "AXI4-Lite"
                                                  : "AXI4",
                                    window.description.empty() ? "" : ": " + window.description),
                        16, "    window");
  for (const device::Master& master : type.masters)
    text += fmt::format("    bus master  {}\n", master.name.empty() ? "one port" : master.name);
  for (const device::InterruptOutput& output : type.interrupts)
    text += fmt::format(
        "    interrupt   {}{}\n", type.interrupts.size() == 1 ? "" : output.name + ", ",
        output.trigger == device::Trigger::kPulse ? "a rising edge" : "level, active high");
  if (type.has_reset) text += "    reset       by a line of the board\n";
  if (type.interrupt_inputs)
    text += fmt::format("    takes       {} interrupt{}\n", type.interrupt_inputs(instance),
                        type.interrupt_inputs(instance) == 1 ? "" : "s");
  if (type.device_tree && !type.device_tree(instance).compatible.empty())
    text += fmt::format("    compatible  {}\n", joined(type.device_tree(instance).compatible));
  for (const device::Key& key : type.keys) {
    const device::Field field = key.field(instance.settings);
    text += paragraph(
        fmt::format("{} = {}{} ({})", key.name,
                    std::visit([](auto* value) { return device::toml_text(*value); }, field),
                    key.unit.empty() ? "" : ' ' + key.unit,
                    device::allowed_text(field, key.allowed)),
        8, "    ");
    text += paragraph(key.meaning, 8);
  }
  return text;
}

// "[0..15] +8": of several registers alike.
std::string array_text(const device::RegisterRow& row) {
  if (row.count == 1) return "";
  std::string text = fmt::format("[0..{}]", row.count - 1);
  if (row.stride != 4) text += fmt::format(", {} bytes apart", row.stride);
  return text;
}

std::string registers_text(const device::DeviceType& type) {
  const device::RegisterMap map = type.registers(example(type));
  std::string text = fmt::format("    registers{}, with the default keys:\n",
                                 map.window.empty() ? "" : " in window " + map.window);
  for (const device::RegisterRow& row : map.rows)
    text += fmt::format("    {:#06x}  {}{}\n        {}; reset {:#x}\n", row.offset, row.name,
                        array_text(row), device::access_text(row.access), row.reset) +
            paragraph(row.meaning, 8);
  return text;
}

}  // namespace

std::string device_type_list(const std::string& name) {
  register_built_in_device_types();
  std::string text;
  std::vector<std::string> known;
  for (const device::DeviceType* type : device::device_types()) {
    known.push_back(type->name);
    if (!name.empty() && type->name != name) continue;
    text += (text.empty() ? "" : "\n") + type_text(*type);
    if (!name.empty() && type->registers) text += registers_text(*type);
  }
  if (!text.empty()) return text;
  const std::string meant = nearest(name, known);
  throw bad_input(
      fmt::format("there is no device type \"{}\"", name), {"--list-devices"},
      meant.empty() ? "there are: " + joined(known) : fmt::format("did you mean \"{}\"?", meant));
}

std::string register_page() {
  register_built_in_device_types();
  std::string text = R"(# Registers

Every register of every type of device, as the models declare them. Made by `gpgpu-vp --dump-registers`; do not edit.
Offsets are bytes from the beginning of the window; reset values are those with the default keys. What bits mean that
need more than a line is in the page of the device.
)";
  for (const device::DeviceType* type : device::device_types()) {
    if (!type->registers) continue;
    const device::RegisterMap map = type->registers(example(*type));
    text += fmt::format(
        "\n## {}\n\n{}{}.\n\n| offset | register | access | reset | |\n|---|---|---|---|---|\n",
        type->name, type->description, map.window.empty() ? "" : "; window `" + map.window + '`');
    for (const device::RegisterRow& row : map.rows)
      text += fmt::format("| {:#05x} | {}{} | {} | {:#x} | {} |\n", row.offset, row.name,
                          array_text(row), device::access_text(row.access), row.reset, row.meaning);
  }
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
