// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>

#include "models/base/error.h"
#include "tools/gvp-rtl/axi_ports.h"

namespace gvp::tools::rtl {
namespace {

constexpr const char* kClock = "clock";
constexpr const char* kReset = "reset";
constexpr const char* kResetLow = "reset_n";
constexpr const char* kInterrupt = "interrupt";
constexpr const char* kOther = "other";  // a mapping says so; none afterwards

// A name ends with one of these words, or is one: "clk", "s_axi_clk", "i_clk", "clk_i".
bool has_word(const Pin& pin, std::initializer_list<const char*> words) {
  std::string name = lower(pin.name);
  const std::string direction = pin.is_input ? "_i" : "_o";
  if (name.size() > 2 && name.compare(name.size() - 2, 2, direction) == 0)
    name.resize(name.size() - 2);
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    if (name == word) return true;
    const std::string end = '_' + word;
    return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
  });
}

bool contains(const Pin& pin, const char* text) {
  return lower(pin.name).find(text) != std::string::npos;
}

const char* usual_role(const Pin& pin) {
  if (pin.bits != 1) return "";
  if (pin.is_input) {
    if (has_word(pin, {"aclk", "clk", "clock", "sysclk"})) return kClock;
    if (has_word(pin, {"aresetn", "resetn", "reset_n", "rst_n", "rstn", "rst_ni", "nrst", "nreset",
                       "n_rst", "arst_n", "arstn"}))
      return kResetLow;
    if (has_word(pin, {"rst", "reset", "areset", "arst", "srst"})) return kReset;
    return "";
  }
  if (has_word(pin, {"irq", "intr", "int", "interrupt", "introut", "irpt"})) return kInterrupt;
  return "";
}

// What the mapping names: of one bit, and an input or an output.
void map_pin(std::vector<Pin>& pins, const NamedPin& named, bool is_input, const char* role,
             const std::string& block) {
  Pin& pin = pin_named(pins, named.name, named.where, block);
  if (pin.bits != 1 || pin.is_input != is_input)
    throw bad_input(
        fmt::format("RTL block {}: {} cannot be {} {}", block, pin.name, is_input ? "a" : "an",
                    is_input ? role : "interrupt"),
        named.where,
        fmt::format("it is an {} of {} bits, not an {} of one", pin.is_input ? "input" : "output",
                    pin.bits, is_input ? "input" : "output"));
  pin.role = role;
}

void map_pins(std::vector<Pin>& pins, const Mapping& mapping, const std::string& block) {
  for (const NamedPin& each : mapping.others)
    pin_named(pins, each.name, each.where, block).role = kOther;
  for (const NamedPin& each : mapping.clocks) map_pin(pins, each, true, kClock, block);
  for (const NamedPin& each : mapping.resets) {
    const bool low = !each.name.empty() && each.name[0] == '!';
    map_pin(pins, {each.name.substr(low ? 1 : 0), each.where}, true, low ? kResetLow : kReset,
            block);
  }
  for (const NamedPin& each : mapping.interrupts) map_pin(pins, each, false, kInterrupt, block);
}

// Those of the usual names, unless the mapping has said which they are.
void find_usual(std::vector<Pin>& pins, const Mapping& mapping) {
  for (Pin& pin : pins) {
    if (!pin.role.empty()) continue;
    const std::string role = usual_role(pin);
    const bool said = role == kClock       ? !mapping.clocks.empty()
                      : role == kInterrupt ? !mapping.interrupts.empty()
                                           : !mapping.resets.empty();
    if (!said) pin.role = role;
  }
}

void need_clock(std::vector<Pin>& pins, const std::string& block) {
  std::vector<Pin*> likely;
  for (Pin& pin : pins) {
    if (pin.role == kClock) return;
    if (pin.is_input && pin.bits == 1 && pin.role.empty() &&
        (contains(pin, "clk") || contains(pin, "clock")))
      likely.push_back(&pin);
  }
  if (likely.size() == 1) {
    likely.front()->role = kClock;
    return;
  }
  throw bad_input(fmt::format("RTL block {} has no clock", block), {},
                  "call the input aclk, clk or clock, or name it in the mapping: clock = \"...\"");
}

void forget_others(std::vector<Pin>& pins) {
  for (Pin& pin : pins)
    if (pin.role == kOther) pin.role.clear();
}

}  // namespace

void assign_roles(std::vector<Pin>& pins, const Mapping& mapping, const std::string& block) {
  map_pins(pins, mapping, block);
  find_usual(pins, mapping);
  assign_ports(pins, mapping, block);
  need_clock(pins, block);
  forget_others(pins);
  if (std::none_of(pins.begin(), pins.end(), [](const Pin& pin) {
        return pin.role.rfind("slave:", 0) == 0 || pin.role.rfind("master:", 0) == 0;
      }))
    throw bad_input(fmt::format("RTL block {} has no AXI port", block), {},
                    "its pins are not called s_axi_awaddr or the like: name them in the mapping, "
                    "[slaves.s_axi] prefix = \"...\"");
}

void assign_clocks(std::vector<Pin>& pins, const Mapping& mapping, const std::string& block) {
  map_pins(pins, mapping, block);
  find_usual(pins, mapping);
  need_clock(pins, block);
  forget_others(pins);
}

std::string roles_text(const std::vector<Pin>& pins) {
  struct Port {
    unsigned data = 0, address = 0;
    bool full = false, reads = false, writes = false;
  };
  std::map<std::string, Port> ports;
  std::map<std::string, std::string> single;
  std::string ties;
  for (const Pin& pin : pins) {
    const size_t first = pin.role.find(':'), last = pin.role.rfind(':');
    if (first != std::string::npos) {
      Port& port =
          ports[pin.role.substr(0, first) + ' ' + pin.role.substr(first + 1, last - first - 1)];
      const std::string signal = pin.role.substr(last + 1);
      if (signal == "wdata" || signal == "rdata") port.data = pin.bits;
      if (signal == "awaddr" || signal == "araddr") port.address = pin.bits;
      port.full = port.full || signal == "awlen" || signal == "arlen";
      port.writes = port.writes || signal == "awaddr";
      port.reads = port.reads || signal == "araddr";
    } else if (!pin.role.empty()) {
      const bool low = pin.role == kResetLow;
      std::string& text = single[low ? kReset : pin.role];
      text += (text.empty() ? "" : ", ") + pin.name + (low ? " (active low)" : "");
    } else if (pin.is_input) {
      ties += (ties.empty() ? "" : ", ") + fmt::format("{} ({})", pin.name, pin.bits);
    }
  }
  std::string text;
  for (const auto& [name, port] : ports)
    text += fmt::format("  {}: {}, {} bits of data, {} of address{}\n", name,
                        port.full ? "AXI4" : "AXI4-Lite", port.data, port.address,
                        port.reads && port.writes ? ""
                        : port.reads              ? ", reads"
                                                  : ", writes");
  for (const auto& [role, names] : single) text += fmt::format("  {}: {}\n", role, names);
  if (!ties.empty())
    text += fmt::format("  other inputs (bits), zero unless a board ties them: {}\n", ties);
  return text;
}

}  // namespace gvp::tools::rtl
