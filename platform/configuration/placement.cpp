// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/placement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace gvp::platform {
namespace {

constexpr uint64_t kLastAddress = 0xffff'ffff;

struct Range {
  uint64_t first, last;
};

// A window as it is placed, and whose it is.
struct Placed {
  const BoardDevice* device;
  PlacedWindow window;
  Range range() const {
    return {window.place->base, window.place->base + (window.window.size - 1)};
  }
  std::string text() const {
    return fmt::format("{}{}{} ({:#x}..{:#x})", device->name, window.window.name.empty() ? "" : " ",
                       window.window.name, range().first, range().last);
  }
};

std::vector<Placed> all_placed(const Configuration& configuration) {
  std::vector<Placed> all;
  for (const device::Instance& instance : configuration.devices)
    for (const PlacedWindow& window : placed_windows(configuration, instance))
      all.push_back({configuration.board().find(instance.name), window});
  return all;
}

// A processor's local memory hides what its buses have there.  Other overlaps are refused with the
// board: places on one bus have room up to the next.
void refuse_hidden(const std::vector<Placed>& all) {
  for (const Placed& local : all) {
    if (!local.window.place->bus.empty()) continue;
    for (const Placed& other : all) {
      const bool on_its_bus =
          std::any_of(local.device->masters.begin(), local.device->masters.end(),
                      [&](const auto& port) { return port.second == other.window.place->bus; });
      if (!on_its_bus || other.range().first > local.range().last ||
          local.range().first > other.range().last)
        continue;
      throw bad_input(fmt::format("{} overlaps {}", other.text(), local.text()),
                      other.window.place->where, "move one of them, or make it smaller");
    }
  }
}

struct Bridge {
  const BoardDevice* device;
  std::string from, to;
  Range range;
};

std::vector<Bridge> bridges_of(const std::vector<Placed>& all) {
  std::vector<Bridge> bridges;
  for (const Placed& placed : all)
    if (placed.device->type->is_bridge)
      for (const auto& [port, bus] : placed.device->masters)
        bridges.push_back({placed.device, placed.window.place->bus, bus, placed.range()});
  return bridges;
}

struct Reached {
  std::string bus;
  Range range;
};

// Where addresses come to through bridges, until nothing new is reached.
std::vector<Reached> follow(const std::vector<Bridge>& bridges, std::vector<Reached> reached) {
  for (size_t i = 0; i < reached.size(); ++i) {
    const Reached at = reached[i];
    for (const Bridge& next : bridges) {
      if (next.from != at.bus || next.range.first > at.range.last ||
          at.range.first > next.range.last)
        continue;
      const Reached step{
          next.to,
          {std::max(at.range.first, next.range.first), std::min(at.range.last, next.range.last)}};
      const bool known = std::any_of(reached.begin(), reached.end(), [&](const Reached& each) {
        return each.bus == step.bus && each.range.first <= step.range.first &&
               step.range.last <= each.range.last;
      });
      if (!known) reached.push_back(step);
    }
  }
  return reached;
}

// What goes round in bridges never arrives.
void refuse_circle(const std::vector<Bridge>& bridges, const Bridge& start) {
  for (const Reached& at : follow(bridges, {{start.to, start.range}}))
    if (at.bus == start.from)
      throw bad_input(fmt::format("{:#x} to {:#x} go round in bridges, from bus {} to itself",
                                  at.range.first, at.range.last, at.bus),
                      start.device->where, "make the bridges' windows apart");
}

// What the masters of all buses reach: all of their own, and what bridges show them of others.
std::map<std::string, std::vector<Range>> reach(const Board& board,
                                                const std::vector<Bridge>& bridges) {
  std::vector<Reached> own;
  for (const BoardDevice& device : board.devices)
    if (!device.type->is_bridge)
      for (const auto& [port, bus] : device.masters) own.push_back({bus, {0, kLastAddress}});
  std::map<std::string, std::vector<Range>> all;
  for (const Reached& each : follow(bridges, own)) all[each.bus].push_back(each.range);
  for (auto& [bus, ranges] : all)
    std::sort(ranges.begin(), ranges.end(),
              [](const Range& a, const Range& b) { return a.first < b.first; });
  return all;
}

// ranges: in the order of their first addresses.
bool covers(const std::vector<Range>& ranges, const Range& wanted) {
  uint64_t next = wanted.first;
  for (const Range& each : ranges)
    if (each.first <= next) next = std::max(next, each.last + 1);
  return next > wanted.last;
}

void refuse_unreachable(const Board& board, const std::vector<Placed>& all,
                        const std::vector<Bridge>& bridges) {
  const auto reached = reach(board, bridges);
  for (const Placed& placed : all) {
    const std::string& bus = placed.window.place->bus;
    if (bus.empty() || placed.device->type->is_bridge) continue;  // one may lead nobody anywhere
    const auto found = reached.find(bus);
    if (found != reached.end() && covers(found->second, placed.range())) continue;
    throw bad_input(
        fmt::format("nobody reaches all of {} on bus {}: no bridge shows it", placed.text(), bus),
        placed.window.place->where,
        "move it into the window of a bridge to its bus, or make that window larger");
  }
}

// "code and constants of gpgpu (0x6ff80000..0x6ffc1fff)"
std::string text_of(const device::KeptMemory& kept) {
  return fmt::format("{} ({:#x}..{:#x})", kept.what, kept.base, kept.base + (kept.bytes - 1));
}

void require_memory(const Configuration& configuration, const device::Instance& instance,
                    const device::KeptMemory& kept) {
  std::string known;
  for (const device::MemoryRange& memory : reached_memories(configuration, instance)) {
    if (kept.base >= memory.base && kept.base + kept.bytes <= memory.base + memory.bytes) return;
    known += fmt::format("{}{} ({:#x}..{:#x})", known.empty() ? "" : ", ", memory.device,
                         memory.base, memory.base + (memory.bytes - 1));
  }
  throw bad_input(fmt::format("{} = {:#x} is not possible: {} would not be in a memory", kept.key,
                              kept.base, text_of(kept)),
                  {}, fmt::format("memories on its bus: {}", known.empty() ? "none" : known));
}

// What devices keep in memory is in memory, and each has its own.
void check_kept(const Configuration& configuration) {
  for (const device::Instance& instance : configuration.devices) {
    const device::DeviceType& type = *configuration.board().find(instance.name)->type;
    if (!type.keeps_memory) continue;
    for (const device::KeptMemory& kept : type.keeps_memory(instance))
      require_memory(configuration, instance, kept);
  }
  const std::vector<device::KeptMemory> all = kept_memories(configuration);
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t k = i + 1; k < all.size(); ++k)
      if (all[i].base < all[k].base + all[k].bytes && all[k].base < all[i].base + all[i].bytes)
        throw bad_input(fmt::format("{} overlaps {}", text_of(all[k]), text_of(all[i])), {},
                        fmt::format("move one of them: {} or {}", all[i].key, all[k].key));
}

}  // namespace

void check_placement(const Configuration& configuration) {
  const std::vector<Placed> all = all_placed(configuration);
  refuse_hidden(all);
  const std::vector<Bridge> bridges = bridges_of(all);
  for (const Bridge& bridge : bridges) refuse_circle(bridges, bridge);
  refuse_unreachable(configuration.board(), all, bridges);
  check_kept(configuration);
}

}  // namespace gvp::platform
