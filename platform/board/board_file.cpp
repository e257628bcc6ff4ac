// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>

#include "models/base/nearest.h"
#include "platform/board/board.h"
#include "platform/board/plugins.h"

namespace gvp::platform {
namespace {

constexpr uint64_t kAddressSpace = uint64_t{1} << 32;
constexpr int64_t kMostInterruptLines = 32;
using Words = std::initializer_list<const char*>;

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
  const std::string meant = nearest(name, known);
  return meant.empty() ? "there are: " + joined(known) : fmt::format("did you mean \"{}\"?", meant);
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file, const std::string& source) : file_(file) {
    board_.source = source;
    try {
      root_ = toml::parse(text, file);
    } catch (const toml::parse_error& error) {
      throw bad_input(std::string(error.description()), place(error.source()));
    }
  }

  Board read() {
    allow_only(root_, "", {"name", "description", "plugins", "clocks", "resets", "devices"});
    board_.name = text(root_, "name", {file_}, "a board needs a name: name = \"my_board\"");
    if (root_.contains("description")) board_.description = text(root_, "description", {file_}, "");
    if (const auto* node = root_.get("plugins")) load_plugins(*node);
    if (const auto* node = root_.get("clocks")) read_clocks(table(*node, "clocks"));
    if (const auto* node = root_.get("resets")) read_resets(table(*node, "resets"));
    const auto* devices = root_.get("devices");
    if (devices == nullptr)
      throw bad_input("a board without devices", {file_}, "write [devices.NAME] for each of them");
    for (const auto& [name, node] : in_order(table(*devices, "devices")))
      read_device(name, table(*node, "devices." + name));
    return std::move(board_);
  }

 private:
  SourceLocation place(const toml::source_region& region) const {
    return {file_, static_cast<uint32_t>(region.begin.line),
            static_cast<uint32_t>(region.begin.column)};
  }
  SourceLocation place(const toml::node& node) const { return place(node.source()); }

  const toml::table& table(const toml::node& node, const std::string& what) const {
    if (const auto* found = node.as_table()) return *found;
    throw bad_input(fmt::format("{} is not a table", what), place(node),
                    fmt::format("write [{}] or {} = {{ ... }}", what, what));
  }

  // As the file has them: toml++ sorts by name.
  std::vector<std::pair<std::string, const toml::node*>> in_order(const toml::table& from) const {
    std::vector<std::pair<std::string, const toml::node*>> all;
    std::vector<std::pair<toml::source_position, size_t>> order;
    for (auto&& [key, node] : from) {
      order.emplace_back(key.source().begin, all.size());
      all.emplace_back(std::string(key.str()), &node);
    }
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
      return a.first < b.first || (a.first == b.first && a.second < b.second);
    });
    std::vector<std::pair<std::string, const toml::node*>> sorted;
    sorted.reserve(all.size());
    for (const auto& each : order) sorted.push_back(all[each.second]);
    return sorted;
  }

  void allow_only(const toml::table& from, const std::string& prefix,
                  const std::vector<std::string>& words) const {
    for (auto&& [key, node] : from) {
      const std::string word(key.str());
      if (std::find(words.begin(), words.end(), word) == words.end())
        throw bad_input(fmt::format("unknown word \"{}{}\" in a board", prefix, word),
                        place(key.source()), did_you_mean(word, words));
    }
  }

  std::string text(const toml::table& from, const char* word, const SourceLocation& otherwise,
                   const std::string& remedy) const {
    const toml::node* node = from.get(word);
    if (node == nullptr) throw bad_input(fmt::format("no {} given", word), otherwise, remedy);
    if (const auto* found = node->as_string()) return found->get();
    throw bad_input(fmt::format("{} is not a text", word), place(*node),
                    fmt::format("write {} = \"...\"", word));
  }

  uint64_t number(const toml::node& node, const char* word, uint64_t below) const {
    const auto* found = node.as_integer();
    if (found == nullptr)
      throw bad_input(fmt::format("{} is not a whole number", word), place(node),
                      fmt::format("write {} = 0x8000_0000, or whatever it is", word));
    if (found->get() < 0 || static_cast<uint64_t>(found->get()) >= below)
      throw bad_input(fmt::format("{} = {} is not possible", word, found->get()), place(node),
                      fmt::format("from 0 to {:#x}", below - 1));
    return static_cast<uint64_t>(found->get());
  }

  // Their types are those of the devices that follow.  A path is relative to the board's file.
  void load_plugins(const toml::node& node) const {
    const auto* files = node.as_array();
    for (size_t i = 0; files != nullptr && i < files->size(); ++i)
      if (!(*files)[i].is_string()) files = nullptr;
    if (files == nullptr)
      throw bad_input("plugins is not a list of files", place(node),
                      "write plugins = [\"my_devices.so\"]");
    for (const toml::node& file : *files) load_plugin(*file.value<std::string>(), place(file));
  }

  void read_clocks(const toml::table& clocks) {
    for (const auto& [name, node] : in_order(clocks)) {
      const auto hz = node->value<double>();
      if (!hz || !node->is_number() || !(*hz >= 1e6 && *hz <= 1e9))
        throw bad_input(fmt::format("clock {} is no frequency from 1 MHz to 1 GHz", name),
                        place(*node), fmt::format("write {} = 100_000_000, in Hz", name));
      board_.clocks.push_back({name, *hz, place(*node)});
    }
  }

  void read_resets(const toml::table& resets) {
    for (const auto& [name, node] : in_order(resets))
      board_.resets.push_back({name, text(resets, name.c_str(), place(*node), ""), place(*node)});
  }

  void read_device(const std::string& name, const toml::table& from) {
    const std::string prefix = "devices." + name + ".";
    allow_only(from, prefix,
               {"type", "model", "clock", "base", "bus", "size", "windows", "masters", "interrupt",
                "interrupts", "reset", "keys"});
    BoardDevice device;
    device.name = name;
    device.where = place(from);
    const std::string type =
        text(from, "type", device.where, "write type = \"...\"; --list-devices lists them");
    device.type = device::find_device_type(type);
    if (device.type == nullptr) {
      std::vector<std::string> known;
      for (const auto* each : device::device_types()) known.push_back(each->name);
      throw bad_input(fmt::format("unknown device type \"{}\"", type), place(*from.get("type")),
                      did_you_mean(type, known));
    }
    if (from.contains("clock")) device.clock = text(from, "clock", device.where, "");
    if (const auto* model = from.get("model"))
      device.settings.push_back({"model", text(from, "model", device.where, ""), place(*model)});
    const std::string bus = from.contains("bus") ? text(from, "bus", device.where, "") : "";
    read_places(device, from, bus);
    read_masters(device, from, bus);
    if (const auto* reset = from.get("reset")) {
      device.reset = text(from, "reset", device.where, "");
      if (device.reset.empty())
        throw bad_input("reset is empty", place(*reset), "leave it out, or name one of [resets]");
    }
    read_interrupts(device, from);
    if (const auto* keys = from.get("keys")) read_keys(device, table(*keys, prefix + "keys"), "");
    board_.devices.push_back(std::move(device));
  }

  // What windows a type has at all does not depend on an instance's keys.
  static std::vector<device::Window> windows_of(const device::DeviceType& type) {
    if (!type.windows) return {};
    device::Instance any;
    any.model = type.models.empty() ? "" : type.models.front();
    any.settings = type.defaults;
    return type.windows(any);
  }

  void read_places(BoardDevice& device, const toml::table& from, const std::string& bus) {
    const std::vector<device::Window> windows = windows_of(*device.type);
    const toml::node* several = from.get("windows");
    if (from.contains("base") || from.contains("size")) {
      if (windows.size() != 1 || !windows.front().name.empty() || several != nullptr)
        throw bad_input(
            windows.empty()
                ? fmt::format("a {} answers at no address", device.type->name)
                : fmt::format("a {} has several windows, or named ones", device.type->name),
            place(from.contains("base") ? *from.get("base") : *from.get("size")),
            windows.empty() ? "leave base and size out"
                            : fmt::format("write windows.NAME = {{ base = ... }}; names: {}",
                                          names_of(windows)));
      device.places.push_back(read_place(device, from, windows.front(), bus));
    }
    if (several == nullptr) return;
    for (const auto& [name, node] : in_order(table(*several, "windows"))) {
      const auto window = std::find_if(windows.begin(), windows.end(),
                                       [&, n = name](const auto& each) { return each.name == n; });
      if (window == windows.end())
        throw bad_input(fmt::format("a {} has no window \"{}\"", device.type->name, name),
                        place(*node), "its windows: " + names_of(windows));
      const toml::table& entry = table(*node, "windows." + name);
      allow_only(entry, "windows." + name + ".", {"base", "size", "bus"});
      device.places.push_back(read_place(device, entry, *window, bus));
    }
  }

  static std::string names_of(const std::vector<device::Window>& windows) {
    std::vector<std::string> names;
    names.reserve(windows.size());
    for (const device::Window& window : windows)
      names.push_back(window.name.empty() ? "(the only one: write base = ...)" : window.name);
    return names.empty() ? "none" : joined(names);
  }

  Place read_place(const BoardDevice& device, const toml::table& from, const device::Window& window,
                   const std::string& bus) const {
    Place result;
    result.window = window.name;
    result.where = place(from);
    const toml::node* base = from.get("base");
    if (base == nullptr)
      throw bad_input(fmt::format("{} has no base", device.name), result.where,
                      "write base = 0x8000_0000, or where it is");
    result.where = place(*base);
    result.base = number(*base, "base", kAddressSpace);
    if (const auto* size = from.get("size")) {
      result.size = number(*size, "size", kAddressSpace + 1);
      if (result.size == 0)
        throw bad_input("size = 0 is not possible", place(*size), "leave it out, or give it room");
    }
    if (!window.local)
      result.bus = from.contains("bus") ? text(from, "bus", result.where, "") : bus;
    return result;
  }

  void read_masters(BoardDevice& device, const toml::table& from, const std::string& bus) {
    for (const device::Master& master : device.type->masters) device.masters[master.name] = bus;
    const toml::node* node = from.get("masters");
    if (node == nullptr) return;
    for (const auto& [name, value] : in_order(table(*node, "masters"))) {
      if (device.masters.count(name) == 0) {
        std::vector<std::string> known;
        for (const device::Master& master : device.type->masters)
          if (!master.name.empty()) known.push_back(master.name);
        throw bad_input(
            fmt::format("a {} has no port \"{}\"", device.type->name, name), place(*value),
            known.empty() ? "its bus = \"...\" is all there is" : did_you_mean(name, known));
      }
      device.masters[name] = text(*node->as_table(), name.c_str(), device.where, "");
    }
  }

  void read_interrupts(BoardDevice& device, const toml::table& from) {
    const std::vector<device::InterruptOutput>& outputs = device.type->interrupts;
    if (const auto* one = from.get("interrupt")) {
      if (outputs.size() > 1)
        throw bad_input(
            fmt::format("a {} has several interrupts", device.type->name), place(*one),
            fmt::format("write interrupts.NAME = {{ ... }}; names: {}", joined(names_of(outputs))));
      device.interrupts.push_back(
          read_interrupt(outputs.empty() ? "" : outputs.front().name, *one));
    }
    const auto* several = from.get("interrupts");
    if (several == nullptr) return;
    for (const auto& [name, node] : in_order(table(*several, "interrupts"))) {
      const std::vector<std::string> known = names_of(outputs);
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw bad_input(
            fmt::format("a {} has no interrupt \"{}\"", device.type->name, name), place(*node),
            known.empty() ? "it has none: leave interrupts out" : did_you_mean(name, known));
      device.interrupts.push_back(read_interrupt(name, *node));
    }
    for (size_t i = 1; i < device.interrupts.size(); ++i)
      if (device.interrupts[i].output == device.interrupts.front().output)
        throw bad_input(
            fmt::format("{}'s {} is given twice", device.name, device.interrupts.front().output),
            device.interrupts[i].where, "leave one of them out");
  }

  static std::vector<std::string> names_of(const std::vector<device::InterruptOutput>& outputs) {
    std::vector<std::string> names;
    names.reserve(outputs.size());
    for (const device::InterruptOutput& output : outputs) names.push_back(output.name);
    return names;
  }

  InterruptLink read_interrupt(const std::string& output, const toml::node& node) const {
    const char* remedy = "write interrupt = { controller = \"intc\", line = 3 }";
    const auto* entry = node.as_table();
    if (entry == nullptr) throw bad_input("interrupt is not a table", place(node), remedy);
    allow_only(*entry, "interrupt.", {"controller", "line"});
    InterruptLink link;
    link.output = output;
    link.where = place(node);
    link.controller = text(*entry, "controller", link.where, remedy);
    const toml::node* line = entry->get("line");
    if (line == nullptr) throw bad_input("no line given", link.where, remedy);
    link.line = static_cast<unsigned>(number(*line, "line", kMostInterruptLines));
    return link;
  }

  // Subtables are groups: keys.timing.poll is the key "timing.poll".
  void read_keys(BoardDevice& device, const toml::table& from, const std::string& prefix) {
    for (const auto& [name, node] : in_order(from)) {
      if (const auto* group = node->as_table()) {
        read_keys(device, *group, prefix + name + ".");
        continue;
      }
      BoardSetting setting{prefix + name, false, place(*node)};
      if (const auto* truth = node->as_boolean())
        setting.value = truth->get();
      else if (const auto* whole = node->as_integer())
        setting.value = whole->get();
      else if (const auto* real = node->as_floating_point())
        setting.value = real->get();
      else if (const auto* words = node->as_string())
        setting.value = words->get();
      else
        throw bad_input(fmt::format("{}.{} is no single value", device.name, setting.key),
                        setting.where, "a number, a text, true or false");
      device.settings.push_back(std::move(setting));
    }
  }

  std::string file_;
  toml::table root_;
  Board board_;
};

}  // namespace

device::Trigger BoardDevice::trigger_of(const InterruptLink& link) const {
  for (const device::InterruptOutput& output : type->interrupts)
    if (output.name == link.output) return output.trigger;
  return device::Trigger::kLevel;
}

const BoardDevice* Board::find(std::string_view device) const {
  for (const BoardDevice& each : devices)
    if (each.name == device) return &each;
  return nullptr;
}

const BoardReset* Board::find_reset(std::string_view reset) const {
  for (const BoardReset& each : resets)
    if (each.name == reset) return &each;
  return nullptr;
}

const BoardClock* Board::find_clock(std::string_view clock) const {
  for (const BoardClock& each : clocks)
    if (each.name == clock) return &each;
  return nullptr;
}

Board parse_board(std::string_view text, const std::string& file, const std::string& source) {
  register_built_in_device_types();
  Board board = Reader(text, file, source).read();
  check_board(board);
  return board;
}

}  // namespace gvp::platform
