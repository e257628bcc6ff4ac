// SPDX-License-Identifier: Apache-2.0
// What makes a board impossible, whatever its keys: one rule a function.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "models/base/nearest.h"
#include "platform/board/board.h"

namespace gvp::platform {
namespace {

constexpr uint64_t kPage = 4096;  // IHI 0022 A3.4.1: no burst crosses it, so no region may split it
constexpr uint64_t kAddressSpace = uint64_t{1} << 32;

// What else stands at the top of a platform file or of the statistics.
constexpr std::array kReserved = {"board",    "config",     "end",     "exit_code",
                                  "firmware", "quantum_ns", "plugins", "sim_time_ns",
                                  "tool",     "version",    "wall",    "wall_s"};

std::string names(const Board& board, bool (*wanted)(const BoardDevice&)) {
  std::string text;
  for (const BoardDevice& device : board.devices)
    if (wanted(device)) text += (text.empty() ? "" : ", ") + device.name;
  return text.empty() ? "none" : text;
}

bool is_bus(const BoardDevice& device) { return device.type->is_bus(); }
bool has_inputs(const BoardDevice& device) {
  return static_cast<bool>(device.type->interrupt_inputs);
}

constexpr const char* kIdentifier = "abcdefghijklmnopqrstuvwxyz0123456789_";
constexpr const char* kWord = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+";

// What keys, macros of the C header and labels of the device tree can be made of.
bool is_identifier(const std::string& name) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name[0])) != 0 &&
         name.find_first_not_of(kIdentifier) == std::string::npos;
}

// They stand in the C header and in the device tree.
void check_texts(const Board& board) {
  if (board.name.empty() || board.name.find_first_not_of(kWord) != std::string::npos)
    throw bad_input(fmt::format("\"{}\" is no name for a board", board.name), {board.source},
                    "letters, digits, _, -, . and +");
  if (std::any_of(board.description.begin(), board.description.end(),
                  [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }))
    throw bad_input("the description has control characters in it", {board.source},
                    "write one line of text");
  for (const BoardClock& clock : board.clocks)
    if (!is_identifier(clock.name))
      throw bad_input(fmt::format("\"{}\" is no name for a clock", clock.name), clock.where,
                      "a lower-case letter, then lower-case letters, digits and _");
}

void check_name(const Board& board, const BoardDevice& device) {
  const std::string& name = device.name;
  if (!is_identifier(name))
    throw bad_input(fmt::format("\"{}\" is no name for a device", name), device.where,
                    "a lower-case letter, then lower-case letters, digits and _");
  for (const BoardClock& clock : board.clocks)
    if (name == "clock_" + clock.name)
      throw bad_input(fmt::format("a device cannot be called \"{}\"", name), device.where,
                      fmt::format("the device tree calls clock {} so", clock.name));
  if (std::find(kReserved.begin(), kReserved.end(), name) != kReserved.end())
    throw bad_input(fmt::format("a device cannot be called \"{}\"", name), device.where,
                    "statistics and platform files use this word for something else");
}

void check_clock(const Board& board, const BoardDevice& device) {
  if (device.clock.empty() && device.type->has_clock_key())
    throw bad_input(fmt::format("{} has no clock", device.name), device.where,
                    "write clock = \"...\", the name of one of [clocks]");
  if (device.clock.empty() || board.find_clock(device.clock) != nullptr) return;
  std::vector<std::string> known;
  for (const BoardClock& clock : board.clocks) known.push_back(clock.name);
  const std::string meant = nearest(device.clock, known);
  throw bad_input(
      fmt::format("{} has clock \"{}\", which is not in [clocks]", device.name, device.clock),
      device.where,
      meant.empty() ? fmt::format("add it there: {} = 100_000_000", device.clock)
                    : fmt::format("did you mean \"{}\"?", meant));
}

void check_bus(const Board& board, const BoardDevice& device, const std::string& bus,
               const SourceLocation& where) {
  if (bus.empty())
    throw bad_input(fmt::format("{} is on no bus", device.name), where,
                    "write bus = \"...\"; buses: " + names(board, is_bus));
  const BoardDevice* found = board.find(bus);
  if (found != nullptr && is_bus(*found)) return;
  throw bad_input(
      found == nullptr
          ? fmt::format("{} is on bus \"{}\", which this board does not have", device.name, bus)
          : fmt::format("{} is on \"{}\", a {} and no bus", device.name, bus, found->type->name),
      where, "buses: " + names(board, is_bus));
}

bool is_local(const BoardDevice& device, const Place& place) {
  return place.bus.empty() && device.type->is_processor;
}

void check_places(const Board& board, const BoardDevice& device) {
  for (const Place& place : device.places) {
    if (!is_local(device, place)) check_bus(board, device, place.bus, place.where);
    if (place.base % kPage != 0 || place.size % kPage != 0)
      throw bad_input(
          fmt::format("{}: base {:#x}, size {:#x}", device.name, place.base, place.size),
          place.where, "both are multiples of 4 KiB (0x1000) on an AXI bus");
    if (place.base + place.size > kAddressSpace)
      throw bad_input(fmt::format("{}: {:#x} bytes at {:#x} go beyond the 32-bit address space",
                                  device.name, place.size, place.base),
                      place.where, "move it down, or make it smaller");
  }
  for (const auto& [port, bus] : device.masters) check_bus(board, device, bus, device.where);
}

void check_reset(const Board& board, const BoardDevice& device) {
  if (device.reset.empty()) return;
  if (!device.type->has_reset)
    throw bad_input(fmt::format("a {} has no reset", device.type->name), device.where,
                    "leave reset out");
  if (board.find_reset(device.reset) != nullptr) return;
  std::vector<std::string> known;
  for (const BoardReset& reset : board.resets) known.push_back(reset.name);
  const std::string meant = nearest(device.reset, known);
  throw bad_input(
      fmt::format("{} has reset \"{}\", which is not in [resets]", device.name, device.reset),
      device.where,
      meant.empty() ? fmt::format("add it there: {} = \"what pulls it\"", device.reset)
                    : fmt::format("did you mean \"{}\"?", meant));
}

// A line that a device before this one is on already.
const BoardDevice* taken(const Board& board, const InterruptLink& link) {
  for (const BoardDevice& other : board.devices)
    for (const InterruptLink& each : other.interrupts) {
      if (&each == &link) return nullptr;
      if (each.controller == link.controller && each.line == link.line) return &other;
    }
  return nullptr;
}

void check_interrupts(const Board& board, const BoardDevice& device) {
  // A controller that nobody listens to is a slip of the pen.
  if (device.interrupts.empty() && has_inputs(device) && !device.type->interrupts.empty())
    throw bad_input(fmt::format("{} interrupts nobody", device.name), device.where,
                    "write interrupt = { controller = \"host\", line = 0 }");
  for (const InterruptLink& link : device.interrupts) {
    if (device.type->interrupts.empty())
      throw bad_input(fmt::format("a {} has no interrupt", device.type->name), link.where,
                      "leave interrupt out");
    const BoardDevice* controller = board.find(link.controller);
    if (controller == nullptr || !has_inputs(*controller) || controller == &device)
      throw bad_input(fmt::format("{} interrupts \"{}\", which takes no interrupts from it",
                                  device.name, link.controller),
                      link.where, "controllers: " + names(board, has_inputs));
    if (const BoardDevice* other = taken(board, link))
      throw bad_input(fmt::format("{} and {} are both on line {} of {}", other->name, device.name,
                                  link.line, link.controller),
                      link.where, "give one of them a line of its own");
  }
}

// What a processor sees at an address of a bus that its ports are on: the bus, and its own local
// memory before that.
bool share_addresses(const BoardDevice& a, const Place& at, const BoardDevice& b, const Place& bt) {
  if (at.bus == bt.bus) return !at.bus.empty() || &a == &b;
  const BoardDevice& local = at.bus.empty() ? a : b;
  const std::string& bus = at.bus.empty() ? bt.bus : at.bus;
  if (!at.bus.empty() && !bt.bus.empty()) return false;
  return std::any_of(local.masters.begin(), local.masters.end(),
                     [&](const auto& port) { return port.second == bus; });
}

std::string describe(const BoardDevice& device, const Place& place) {
  return fmt::format("{}{}{} ({:#x}..{:#x})", device.name, place.window.empty() ? "" : " ",
                     place.window, place.base, place.base + (place.size == 0 ? 1 : place.size) - 1);
}

void check_overlaps(const Board& board) {
  struct Entry {
    const BoardDevice* device;
    const Place* place;
  };
  std::vector<Entry> seen;
  for (const BoardDevice& device : board.devices)
    for (const Place& place : device.places) {
      for (const Entry& other : seen) {
        const Place& low = place.base < other.place->base ? place : *other.place;
        const Place& high = place.base < other.place->base ? *other.place : place;
        const bool overlap = low.base == high.base || low.base + low.size > high.base;
        if (overlap && share_addresses(device, place, *other.device, *other.place))
          throw bad_input(fmt::format("{} overlaps {}", describe(device, place),
                                      describe(*other.device, *other.place)),
                          place.where, "move one of them, or make it smaller");
      }
      seen.push_back({&device, &place});
    }
}

// A bus that no master reaches is dead weight.
void check_masters(const Board& board) {
  for (const BoardDevice& bus : board.devices) {
    if (!is_bus(bus)) continue;
    const bool mastered =
        std::any_of(board.devices.begin(), board.devices.end(), [&](const BoardDevice& device) {
          return std::any_of(device.masters.begin(), device.masters.end(),
                             [&](const auto& port) { return port.second == bus.name; });
        });
    if (!mastered)
      throw bad_input(
          fmt::format("nobody is a master on bus {}", bus.name), bus.where,
          "put a device with a port of its own on it, or a bridge: masters.downstream = "
          "\"" +
              bus.name + "\"");
  }
}

// Controllers that interrupt each other in a circle interrupt nobody.
void check_interrupt_chain(const Board& board, const BoardDevice& device) {
  std::vector<const BoardDevice*> passed;
  for (const BoardDevice* at = &device; at != nullptr && !at->interrupts.empty();) {
    if (std::find(passed.begin(), passed.end(), at) != passed.end())
      throw bad_input(
          fmt::format("the interrupts of {} come back to it, and to no processor", device.name),
          device.interrupts.front().where, "let the last controller interrupt the processor");
    passed.push_back(at);
    at = board.find(at->interrupts.front().controller);
  }
}

void check_processors(const Board& board) {
  const BoardDevice* first = nullptr;
  for (const BoardDevice& device : board.devices) {
    if (!device.type->is_processor) continue;
    if (first != nullptr)
      throw bad_input(fmt::format("{} and {} are both host processors", first->name, device.name),
                      device.where, "this version runs one");
    first = &device;
  }
}

}  // namespace

void check_board(const Board& board) {
  check_texts(board);
  for (const BoardDevice& device : board.devices) {
    check_name(board, device);
    check_clock(board, device);
    check_places(board, device);
    check_reset(board, device);
    check_interrupts(board, device);
  }
  for (const BoardDevice& device : board.devices)
    if (has_inputs(device)) check_interrupt_chain(board, device);
  check_processors(board);
  check_overlaps(board);
  check_masters(board);
}

}  // namespace gvp::platform
