// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "platform/configuration/placement.h"
#include "platform/generate/generate.h"

namespace gvp::platform {
namespace {

std::string size_text(uint64_t bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes % (1 << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} bytes", bytes);
}

std::string size_cell(const MapEntry& entry) {
  const bool there = entry.window.size != 0;
  const bool room = entry.place->size > entry.window.size;
  if (!there) return "up to " + size_text(entry.place->size);
  return size_text(entry.window.size) + (room ? ", up to " + size_text(entry.place->size) : "");
}

std::string bus_cell(const MapEntry& entry) {
  if (entry.place->bus.empty()) return "local";
  return entry.place->bus + (entry.window.lite ? ", AXI4-Lite" : ", AXI4");
}

std::string device_cell(const MapEntry& entry) {
  return entry.window.name.empty() ? fmt::format("`{}`", entry.device->name)
                                   : fmt::format("`{}` {}", entry.device->name, entry.window.name);
}

}  // namespace

std::vector<MapEntry> memory_map(const Configuration& configuration) {
  std::vector<MapEntry> map;
  for (const device::Instance& instance : configuration.devices) {
    const BoardDevice& device = *configuration.board().find(instance.name);
    const std::vector<PlacedWindow> placed = placed_windows(configuration, instance);
    for (const Place& place : device.places) {
      const auto there = std::find_if(placed.begin(), placed.end(), [&](const PlacedWindow& each) {
        return each.place == &place;
      });
      device::Window window;
      window.name = place.window;
      map.push_back({&device, there == placed.end() ? window : there->window, &place});
    }
  }
  std::stable_sort(map.begin(), map.end(), [](const MapEntry& a, const MapEntry& b) {
    return a.place->base < b.place->base;
  });
  return map;
}

std::string memory_map_tables(const Configuration& configuration) {
  check_placement(configuration);
  std::string text = "| base | size | device | what | bus |\n|---|---|---|---|---|\n";
  for (const MapEntry& entry : memory_map(configuration))
    text += fmt::format("| 0x{:08X} | {} | {} | {} | {} |\n", entry.place->base, size_cell(entry),
                        device_cell(entry), entry.window.description, bus_cell(entry));
  text += "\n| controller | line | source | kind |\n|---|---|---|---|\n";
  std::vector<std::pair<const BoardDevice*, const InterruptLink*>> sources;
  for (const BoardDevice& device : configuration.board().devices)
    for (const InterruptLink& link : device.interrupts) sources.emplace_back(&device, &link);
  std::stable_sort(sources.begin(), sources.end(), [](const auto& a, const auto& b) {
    return std::tie(a.second->controller, a.second->line) <
           std::tie(b.second->controller, b.second->line);
  });
  for (const auto& [device, link] : sources)
    text +=
        fmt::format("| `{}` | {} | `{}`{} | {} |\n", link->controller, link->line, device->name,
                    device->type->interrupts.size() == 1 ? "" : ' ' + link->output,
                    device->trigger_of(*link) == device::Trigger::kPulse ? "rising edge" : "level");
  return text;
}

}  // namespace gvp::platform
