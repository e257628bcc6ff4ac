// SPDX-License-Identifier: Apache-2.0
// Everything a platform file, --set and the command line can configure of a board: the settings of
// each of its devices, and of each port of its buses.  Which key sets what is in keys.h; how a file
// becomes a Configuration in toml.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/axi/configuration.h"
#include "models/device/device_type.h"
#include "models/device/launcher.h"
#include "platform/board/board.h"

namespace gvp::platform {

struct Key;

// A port of a bus: to a window of a device, or from a port of a device's own.
struct BusPort {
  std::string name;  // "host_data", "timer": of the device, and of what there is of it
  std::string device;
  std::string part;  // name of the window or the master
  bool is_initiator = false;
  bool width_is_key = false;
  axi::PortConfiguration configuration;
};

struct Bus {
  std::string name;
  std::vector<BusPort> ports;  // initiators, then targets, in the board's order

  const BusPort* find(std::string_view device, std::string_view part, bool is_initiator) const;
};

// A trace file that the platform file asks for, as --trace has it.
struct TraceText {
  std::string text;
  SourceLocation where;
};

class Configuration {
 public:
  Configuration();  // of the default board
  // With the keys that the board sets.  Throws Error (bad input) for one that is not possible.
  explicit Configuration(std::shared_ptr<const Board> board);

  std::vector<TraceText> traces;
  double quantum_ns = 10000;              // how far a loosely timed initiator may run ahead
  std::vector<device::Instance> devices;  // in the board's order
  std::vector<Bus> buses;

  const Board& board() const { return *board_; }
  // Null where there is none.
  device::Instance* find(std::string_view name);
  const device::Instance* find(std::string_view name) const;
  const Bus* find_bus(std::string_view name) const;
  // The host processor; null on a board without.
  const device::Instance* processor() const;

  // The settings and model of a device that is there and of that type.
  template <typename T>
  T& settings(std::string_view name) {
    return find(name)->as<T>();
  }
  template <typename T>
  const T& settings(std::string_view name) const {
    return find(name)->as<T>();
  }
  std::string& model(std::string_view name) { return find(name)->model; }
  const std::string& model(std::string_view name) const { return find(name)->model; }

  // Section by section; see keys.h.
  const std::vector<Key>& keys() const { return *keys_; }

 private:
  void add_ports(const BoardDevice& device);
  void ask_who_is_behind_bridges();

  std::shared_ptr<const Board> board_;
  std::shared_ptr<const std::vector<Key>> keys_;
};

// The clock that a device runs with: its own key, or that of its bus port, or of its bus.
double clock_of(const Configuration& configuration, const device::Instance& instance);

// A window with its place, as the keys make it.
struct PlacedWindow {
  device::Window window;
  const Place* place;
};
// Windows that have bytes.  Throws Error (bad input) for one that has no place on the board, or a
// place with too little room.
std::vector<PlacedWindow> placed_windows(const Configuration& configuration,
                                         const device::Instance& instance);

// The memories of the board that the ports of this device reach on their own buses, in the board's
// order.
std::vector<device::MemoryRange> reached_memories(const Configuration& configuration,
                                                  const device::Instance& instance);

// What the devices of the board keep in memory.
std::vector<device::KeptMemory> kept_memories(const Configuration& configuration);

}  // namespace gvp::platform
