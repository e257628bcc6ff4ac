// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "platform/configuration/keys.h"

namespace gvp::platform {
namespace {

// The clock key's default is the board's clock.
void set_clock(const Board& board, const BoardDevice& device, device::Instance& instance) {
  for (const device::Key& key : device.type->keys)
    if (key.name == "clock_hz")
      *std::get<double*>(key.field(instance.settings)) = board.find_clock(device.clock)->hz;
}

device::Instance instance_of(const Board& board, const BoardDevice& device) {
  device::Instance instance;
  instance.name = device.name;
  if (!device.type->models.empty()) instance.model = device.type->models.front();
  instance.settings = device.type->defaults;
  set_clock(board, device, instance);
  for (const Place& place : device.places) instance.bases[place.window] = place.base;
  for (const BoardDevice& source : board.devices)
    for (const InterruptLink& link : source.interrupts)
      if (link.controller == device.name && source.trigger_of(link) == device::Trigger::kPulse)
        instance.pulse_inputs |= 1u << link.line;
  return instance;
}

std::string port_name(const std::string& device, const std::string& part) {
  return part.empty() ? device : device + '_' + part;
}

// Of a window as the type's defaults have it: what width it has does not depend on keys.
device::Window window_of(const device::DeviceType& type, const std::string& name) {
  device::Instance any;
  any.settings = type.defaults;
  for (device::Window& window : type.windows(any))
    if (window.name == name) return std::move(window);
  return {};
}

// Up to the next place on the same bus, or the end of the address space.
uint64_t room_at(const Board& board, const Place& place) {
  if (place.size != 0) return place.size;
  uint64_t end = uint64_t{1} << 32;
  for (const BoardDevice& device : board.devices)
    for (const Place& other : device.places)
      if (other.bus == place.bus && other.base > place.base) end = std::min(end, other.base);
  return end - place.base;
}

}  // namespace

const BusPort* Bus::find(std::string_view device, std::string_view part, bool is_initiator) const {
  for (const BusPort& port : ports)
    if (port.is_initiator == is_initiator && port.device == device && port.part == part)
      return &port;
  return nullptr;
}

Configuration::Configuration() {
  static const Configuration defaults(default_board());
  *this = defaults;
}

Configuration::Configuration(std::shared_ptr<const Board> board) : board_(std::move(board)) {
  for (const BoardDevice& device : board_->devices) {
    devices.push_back(instance_of(*board_, device));
    if (device.type->is_bus()) buses.push_back({device.name, {}});
  }
  for (const BoardDevice& device : board_->devices) add_ports(device);
  ask_who_is_behind_bridges();
  for (Bus& bus : buses)
    std::stable_partition(bus.ports.begin(), bus.ports.end(),
                          [](const BusPort& port) { return port.is_initiator; });
  keys_ = std::make_shared<const std::vector<Key>>(keys_of(*this));
  for (const BoardDevice& device : board_->devices)
    for (const BoardSetting& setting : device.settings) {
      const std::string name = device.name + '.' + setting.key;
      const Key* key = find_key(*this, name);
      if (key == nullptr) refuse_unknown_key(*this, name, setting.where);
      assign(*this, *key, setting.value, setting.where);
    }
}

// Who uses a bridge reports errors, or does not.
void Configuration::ask_who_is_behind_bridges() {
  const auto bus_of = [&](const std::string& name) {
    return std::find_if(buses.begin(), buses.end(), [&](const Bus& b) { return b.name == name; });
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const BoardDevice& device : board_->devices) {
      if (!device.type->is_bridge) continue;
      const std::vector<BusPort>& users = bus_of(device.places.front().bus)->ports;
      if (std::all_of(users.begin(), users.end(), [](const BusPort& port) {
            return !port.is_initiator || port.configuration.reports_errors;
          }))
        continue;
      for (Bus& bus : buses)
        for (BusPort& port : bus.ports) {
          if (!port.is_initiator || port.device != device.name) continue;
          changed = changed || port.configuration.reports_errors;
          port.configuration.reports_errors = false;
        }
    }
  }
}

void Configuration::add_ports(const BoardDevice& device) {
  const auto bus_of = [&](const std::string& name) -> Bus& {
    return *std::find_if(buses.begin(), buses.end(),
                         [&](const Bus& each) { return each.name == name; });
  };
  const bool own_clock = device.type->has_clock_key();
  // A device on another clock than its bus's is behind a crossing.
  const auto clock_on = [&](const Bus& bus) {
    if (device.clock.empty() || own_clock) return 0.0;
    const BoardDevice& on = *board_->find(bus.name);
    return on.clock == device.clock ? 0.0 : board_->find_clock(device.clock)->hz;
  };
  // Keys and statistics call ports by name.
  const auto add = [&](Bus& bus, BusPort port, const SourceLocation& where) {
    for (const device::Key& key : board_->find(bus.name)->type->keys)
      if (key.name == port.name || key.name.rfind(port.name + '.', 0) == 0)
        throw bad_input(fmt::format("bus {} would have a port called {}, and has a key {}.{}",
                                    bus.name, port.name, bus.name, key.name),
                        where, "give this device another name");
    for (const BusPort& other : bus.ports)
      if (other.name == port.name)
        throw bad_input(fmt::format("bus {} would have two ports called {}: of {} and of {}",
                                    bus.name, port.name, other.device, device.name),
                        where, "give one of these devices another name");
    bus.ports.push_back(std::move(port));
  };
  for (const device::Master& master : device.type->masters) {
    Bus& bus = bus_of(device.masters.at(master.name));
    // "dma" is the only window of a device called so; its only port of its own is "dma_master".
    const bool taken =
        master.name.empty() && std::any_of(device.places.begin(), device.places.end(),
                                           [](const Place& each) { return each.window.empty(); });
    BusPort port{taken ? device.name + "_master" : port_name(device.name, master.name),
                 device.name,
                 master.name,
                 true,
                 true,
                 {}};
    port.configuration.data_bytes = master.data_bytes;
    port.configuration.clock_hz = clock_on(bus);
    port.configuration.reports_errors = master.reports_errors || device.type->is_bridge;
    add(bus, std::move(port), device.where);
  }
  for (const Place& place : device.places) {
    if (place.bus.empty()) continue;
    Bus& bus = bus_of(place.bus);
    const device::Window window = window_of(*device.type, place.window);
    BusPort port{port_name(device.name, place.window),
                 device.name,
                 place.window,
                 false,
                 window.width_is_key,
                 {}};
    port.configuration.data_bytes = window.data_bytes;
    port.configuration.clock_hz = clock_on(bus);
    add(bus, std::move(port), place.where);
  }
}

device::Instance* Configuration::find(std::string_view name) {
  return const_cast<device::Instance*>(std::as_const(*this).find(name));
}

const device::Instance* Configuration::find(std::string_view name) const {
  for (const device::Instance& each : devices)
    if (each.name == name) return &each;
  return nullptr;
}

const Bus* Configuration::find_bus(std::string_view name) const {
  for (const Bus& each : buses)
    if (each.name == name) return &each;
  return nullptr;
}

const device::Instance* Configuration::processor() const {
  for (const BoardDevice& device : board_->devices)
    if (device.type->is_processor) return find(device.name);
  return nullptr;
}

double clock_of(const Configuration& configuration, const device::Instance& instance) {
  const BoardDevice& device = *configuration.board().find(instance.name);
  device::Instance copy = instance;
  for (const device::Key& key : device.type->keys)
    if (key.name == "clock_hz") return *std::get<double*>(key.field(copy.settings));
  for (const Place& place : device.places) {
    const Bus* bus = configuration.find_bus(place.bus);
    if (bus == nullptr) continue;
    const BusPort* port = bus->find(instance.name, place.window, false);
    if (port->configuration.clock_hz > 0) return port->configuration.clock_hz;
    return clock_of(configuration, *configuration.find(bus->name));
  }
  // A master alone: its own port's.
  for (const auto& [master, bus] : device.masters) {
    const BusPort* port = configuration.find_bus(bus)->find(instance.name, master, true);
    if (port->configuration.clock_hz > 0) return port->configuration.clock_hz;
    return clock_of(configuration, *configuration.find(bus));
  }
  return 0;
}

std::vector<PlacedWindow> placed_windows(const Configuration& configuration,
                                         const device::Instance& instance) {
  const BoardDevice& device = *configuration.board().find(instance.name);
  std::vector<PlacedWindow> placed;
  if (!device.type->windows) return placed;
  for (const device::Window& window : device.type->windows(instance)) {
    if (window.size == 0) continue;
    const auto place = std::find_if(device.places.begin(), device.places.end(),
                                    [&](const Place& each) { return each.window == window.name; });
    const std::string what = window.name.empty()
                                 ? instance.name
                                 : fmt::format("{}'s {} window", instance.name, window.name);
    if (place == device.places.end())
      throw bad_input(fmt::format("{} has no place on board {}", what, configuration.board().name),
                      device.where,
                      window.name.empty()
                          ? "write base = ..."
                          : fmt::format("write windows.{} = {{ base = ... }}", window.name));
    const uint64_t room = room_at(configuration.board(), *place);
    if (window.size > room)
      throw bad_input(fmt::format("{} has {:#x} bytes, its place at {:#x} has room for {:#x}", what,
                                  window.size, place->base, room),
                      place->where,
                      "make the window smaller by its key, or move what is in the way");
    placed.push_back({window, &*place});
  }
  return placed;
}

std::vector<device::MemoryRange> reached_memories(const Configuration& configuration,
                                                  const device::Instance& instance) {
  std::vector<device::MemoryRange> memories;
  const auto& masters = configuration.board().find(instance.name)->masters;
  for (const device::Instance& each : configuration.devices) {
    if (&each == &instance || !configuration.board().find(each.name)->type->is_memory) continue;
    for (const PlacedWindow& placed : placed_windows(configuration, each))
      if (std::any_of(masters.begin(), masters.end(),
                      [&](const auto& port) { return port.second == placed.place->bus; }))
        memories.push_back({each.name, placed.place->base, placed.window.size});
  }
  return memories;
}

std::vector<device::KeptMemory> kept_memories(const Configuration& configuration) {
  std::vector<device::KeptMemory> all;
  for (const device::Instance& instance : configuration.devices) {
    const device::DeviceType& type = *configuration.board().find(instance.name)->type;
    if (!type.keeps_memory) continue;
    for (device::KeptMemory& kept : type.keeps_memory(instance)) all.push_back(std::move(kept));
  }
  return all;
}

}  // namespace gvp::platform
