// SPDX-License-Identifier: Apache-2.0
// The device tree of a board (Devicetree Specification 0.4), with the bindings of Linux's drivers
// for Xilinx's devices (Documentation/devicetree/bindings).  Not in it: the processor's local
// memory, which Linux does not use, and interrupt lines that end at the processor.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "platform/configuration/placement.h"
#include "platform/generate/generate.h"

namespace gvp::platform {
namespace {

// Interrupt types of the Linux kernel (dt-bindings/interrupt-controller/irq.h).
constexpr unsigned kRisingEdge = 1;
constexpr unsigned kLevelHigh = 4;

class Writer {
 public:
  explicit Writer(const Configuration& configuration)
      : configuration_(configuration), board_(configuration.board()) {
    for (const device::Instance& each : configuration.devices) {
      instances_.push_back(each);
      instances_.back().clock_hz = clock_of(configuration, each);
    }
    find_bridges();
  }

  std::string write() {
    line("/dts-v1/;");
    line("");
    open("/");
    property("#address-cells", "<1>");
    property("#size-cells", "<1>");
    property("model", quoted(board_.description.empty() ? board_.name : board_.description));
    property("compatible", quoted("gpgpu-vp," + board_.name) + ", \"xlnx,microblaze\"");
    write_aliases();
    write_clocks();
    write_processors();
    for (const device::Instance& instance : instances_)
      if (is_memory(instance)) write_device(instance, first_bus(instance));
    for (const device::Instance& instance : instances_)
      if (type(instance).is_bus() && bridge_to(instance.name) == nullptr)
        write_bus(instance, "bus");
    close();
    return text_;
  }

 private:
  static std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result + '"';
  }
  void line(const std::string& text) {
    text_ += text.empty() ? "\n" : std::string(depth_, '\t') + text + '\n';
  }
  void open(const std::string& node) {
    line(node + " {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("};");
  }
  void property(const std::string& name, const std::string& value) {
    line(value.empty() ? name + ';' : fmt::format("{} = {};", name, value));
  }

  const BoardDevice& board(const device::Instance& instance) const {
    return *board_.find(instance.name);
  }
  const device::DeviceType& type(const device::Instance& instance) const {
    return *board(instance).type;
  }
  // Main memory stands at the top, where an operating system looks for it.
  bool is_memory(const device::Instance& instance) const {
    const device::DeviceType& kind = type(instance);
    return kind.device_tree && kind.device_tree(instance).name == "memory";
  }
  std::string first_bus(const device::Instance& instance) const {
    const BoardDevice& device = board(instance);
    return device.places.empty() ? "" : device.places.front().bus;
  }
  // Bridges may lead both ways: a bus stands where the processor, or whoever is first, comes to it.
  void find_bridges() {
    std::vector<std::string> reached;
    const auto follow = [&](const std::string& start) {
      if (std::find(reached.begin(), reached.end(), start) != reached.end()) return;
      reached.push_back(start);
      for (size_t i = reached.size() - 1; i < reached.size(); ++i)
        for (const device::Instance& bridge : instances_) {
          if (!type(bridge).is_bridge || first_bus(bridge) != reached[i]) continue;
          for (const auto& [port, bus] : board(bridge).masters) {
            if (std::find(reached.begin(), reached.end(), bus) != reached.end()) continue;
            reached.push_back(bus);
            bridges_[bus] = &bridge;
          }
        }
    };
    for (const bool processors : {true, false})
      for (const BoardDevice& device : board_.devices)
        if (device.type->is_processor == processors && !device.type->is_bridge)
          for (const auto& [port, bus] : device.masters) follow(bus);
  }
  // The device that leads from another bus to this one; null where it stands by itself.
  const device::Instance* bridge_to(const std::string& bus) const {
    const auto found = bridges_.find(bus);
    return found == bridges_.end() ? nullptr : found->second;
  }

  void write_aliases() {
    std::vector<std::string> consoles;
    for (const device::Instance& instance : instances_)
      if (type(instance).device_tree && type(instance).device_tree(instance).name == "serial")
        consoles.push_back(instance.name);
    if (consoles.empty()) return;
    open("aliases");
    for (size_t i = 0; i < consoles.size(); ++i)
      property(fmt::format("serial{}", i), '&' + consoles[i]);
    close();
    open("chosen");
    property("stdout-path", "&" + consoles.front());
    close();
  }

  void write_clocks() {
    for (const BoardClock& clock : board_.clocks) {
      open(fmt::format("clock_{}: clock-{}", clock.name, clock.name));
      property("compatible", "\"fixed-clock\"");
      property("#clock-cells", "<0>");
      property("clock-frequency", fmt::format("<{:.0f}>", clock.hz));
      close();
    }
  }

  void write_processors() {
    open("cpus");
    property("#address-cells", "<1>");
    property("#size-cells", "<0>");
    for (const device::Instance& instance : instances_) {
      if (!type(instance).is_processor) continue;
      const device::TreeNode node = type(instance).device_tree(instance);
      open(fmt::format("{}: {}@0", instance.name, node.name));
      property("reg", "<0>");
      write_properties(instance, node);
      close();
    }
    close();
  }

  void write_properties(const device::Instance& instance, const device::TreeNode& node) {
    std::string compatible;
    for (const std::string& each : node.compatible)
      compatible += (compatible.empty() ? "" : ", ") + quoted(each);
    if (!compatible.empty()) property("compatible", compatible);
    for (const auto& [name, value] : node.properties) property(name, value);
    if (!board(instance).clock.empty())
      property("clocks", fmt::format("<&clock_{}>", board(instance).clock));
  }

  void write_device(const device::Instance& instance, const std::string& bus) {
    const device::TreeNode node = type(instance).device_tree(instance);
    std::string registers, names;
    uint64_t first = 0;
    for (const PlacedWindow& placed : placed_windows(configuration_, instance)) {
      if (placed.place->bus != bus) continue;
      if (registers.empty()) first = placed.place->base;
      registers += fmt::format("{}<{:#010x} {:#x}>", registers.empty() ? "" : ", ",
                               placed.place->base, placed.window.size);
      if (!placed.window.name.empty())
        names += (names.empty() ? "" : ", ") + quoted(placed.window.name);
    }
    if (registers.empty()) return;  // left out by its model or keys
    open(fmt::format("{}: {}@{:x}", instance.name, node.name, first));
    write_properties(instance, node);
    property("reg", registers);
    if (!names.empty()) property("reg-names", names);
    write_interrupts(instance);
    close();
  }

  // Where all of a device's lines lead to one controller, as nearly always, it is named once.
  void write_interrupts(const device::Instance& instance) {
    const BoardDevice& device = board(instance);
    std::set<std::string> controllers;
    std::string cells, extended, names;
    for (const InterruptLink& link : device.interrupts) {
      if (board_.find(link.controller)->type->is_processor) continue;
      const bool pulse = device.trigger_of(link) == device::Trigger::kPulse;
      const unsigned trigger = pulse ? kRisingEdge : kLevelHigh;
      const char* comma = cells.empty() ? "" : ", ";
      cells += fmt::format("{}<{} {}>", comma, link.line, trigger);
      extended += fmt::format("{}<&{} {} {}>", comma, link.controller, link.line, trigger);
      names += comma + quoted(link.output);
      controllers.insert(link.controller);
    }
    if (controllers.empty()) return;
    if (controllers.size() == 1) property("interrupt-parent", "<&" + *controllers.begin() + '>');
    controllers.size() == 1 ? property("interrupts", cells)
                            : property("interrupts-extended", extended);
    if (device.type->interrupts.size() > 1) property("interrupt-names", names);
  }

  // node: how the bus is called where it stands; a bus behind a bridge is in the bridge's window.
  void write_bus(const device::Instance& bus, const std::string& node,
                 const std::string& ranges = "") {
    open(fmt::format("{}: {}", bus.name, node));
    property("compatible", "\"simple-bus\"");
    property("#address-cells", "<1>");
    property("#size-cells", "<1>");
    property("ranges", ranges);
    for (const device::Instance& instance : instances_)
      if (type(instance).device_tree && !type(instance).is_bus() && !type(instance).is_processor &&
          !is_memory(instance) && first_bus(instance) == bus.name)
        write_device(instance, bus.name);
    for (const device::Instance& other : instances_) {
      const device::Instance* bridge = type(other).is_bus() ? bridge_to(other.name) : nullptr;
      if (bridge == nullptr || first_bus(*bridge) != bus.name) continue;
      const PlacedWindow window = placed_windows(configuration_, *bridge).front();
      write_bus(
          other, fmt::format("bus@{:x}", window.place->base),
          fmt::format("<{0:#010x} {0:#010x} {1:#x}>", window.place->base, window.window.size));
    }
    close();
  }

  const Configuration& configuration_;
  const Board& board_;
  std::vector<device::Instance> instances_;
  std::map<std::string, const device::Instance*> bridges_;  // by the bus that each leads to
  std::string text_;
  size_t depth_ = 0;
};

}  // namespace

std::string device_tree(const Configuration& configuration) {
  check_placement(configuration);
  return Writer(configuration).write();
}

}  // namespace gvp::platform
