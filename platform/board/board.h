// SPDX-License-Identifier: Apache-2.0
// A board: which devices there are, of what type and model, at which addresses of which bus, on
// which interrupt line, with which clock and reset.  Comes from a TOML file (docs/boards.md says
// what stands in one); what is built from it is platform.h's.  Addresses and sizes are bytes,
// clocks Hz.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/error.h"
#include "models/device/device_type.h"

namespace gvp::platform {

struct BoardClock {
  std::string name;
  double hz = 0;
  SourceLocation where;
};

// Where a device's window is.
struct Place {
  std::string window;  // "" where the device has only one
  std::string bus;     // "" for a local window
  uint64_t base = 0;
  uint64_t size = 0;  // room that the window may fill; 0: as much as it needs
  SourceLocation where;
};

struct BoardReset {
  std::string name;
  std::string description;  // what pulls it: "push button SW10"
  SourceLocation where;
};

// An interrupt output of a device and the input it leads to.
struct InterruptLink {
  std::string output;      // a name of DeviceType::interrupts
  std::string controller;  // a device with interrupt inputs
  unsigned line = 0;
  SourceLocation where;
};

struct BoardSetting {
  std::string key;  // relative to the device
  device::Value value;
  SourceLocation where;
};

struct BoardDevice {
  std::string name;
  const device::DeviceType* type = nullptr;
  std::string clock;  // a name; "": that of its bus
  std::vector<Place> places;
  std::map<std::string, std::string> masters;  // ports of its own: the bus that each is on
  std::vector<InterruptLink> interrupts;
  std::string reset;                   // a name; "": at power-on alone
  std::vector<BoardSetting> settings;  // its model ("model") and keys
  SourceLocation where;

  device::Trigger trigger_of(const InterruptLink& link) const;
};

struct Board {
  std::string name;
  std::string description;
  std::string source;  // as the user would name it: "ml605", or a path
  std::vector<BoardClock> clocks;
  std::vector<BoardReset> resets;
  std::vector<BoardDevice> devices;  // in the file's order

  const BoardDevice* find(std::string_view device) const;
  const BoardClock* find_clock(std::string_view clock) const;
  const BoardReset* find_reset(std::string_view reset) const;
};

// Reads a board and checks all that does not depend on keys: throws Error (bad input) with file,
// line and remedy.  source: what Board::source becomes.
Board parse_board(std::string_view text, const std::string& file, const std::string& source);
// The checks alone; parse_board() has done them.
void check_board(const Board& board);

// A built-in board by name, or a file by path.  Shared: a board does not change.
std::shared_ptr<const Board> load_board(const std::string& name_or_path);
std::shared_ptr<const Board> default_board();  // ml605
struct BuiltInBoard {
  std::string_view name;
  std::string_view text;
};
const std::vector<BuiltInBoard>& built_in_boards();

// Registers the types of this repository, once; whoever asks for types calls it first.
void register_built_in_device_types();

}  // namespace gvp::platform
