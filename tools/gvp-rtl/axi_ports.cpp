// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/axi_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

#include "models/axi/pins/signals.h"
#include "models/base/error.h"
#include "models/base/nearest.h"
#include "tools/gvp-rtl/roles.h"

namespace gvp::tools::rtl {
namespace {

using axi::pins::kSignals;
using axi::pins::Signal;
using axi::pins::signal_named;

constexpr std::array kAnchors = {"awaddr", "araddr", "awvalid", "arvalid", "awready", "arready"};
constexpr size_t kFewest = 4;             // pins that make a port; fewer are somebody else's
constexpr unsigned kNarrowestSlave = 32;  // bits: of axi::pins::TlmToAxi

bool is_user(const Signal& signal) {
  return std::string_view(signal.name).find("user") != std::string_view::npos;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

// "axi_aw_addr", Chisel's "axi_aw_bits_addr" and SpinalHDL's "axi_aw_payload_addr" are
// "axi_awaddr".
std::optional<std::string> without_separator(const std::string& name) {
  for (const Signal& signal : kSignals) {
    const std::string text = signal.name;
    const size_t letters = text[0] == 'a' ? 2 : 1;  // of the channel
    for (const char* between : {"_", "_bits_", "_payload_"}) {
      const std::string end = text.substr(0, letters) + between + text.substr(letters);
      if (!ends_with(name, end)) continue;
      const std::string prefix = name.substr(0, name.size() - end.size());
      if (prefix.empty() || prefix.back() == '_') return prefix + text;
    }
  }
  return std::nullopt;
}

// "i_axi_awaddr", "axi_awaddr_i" and "axi_awaddr" are the same of a port.
std::vector<std::string> readings(const Pin& pin) {
  const std::string name = lower(pin.name);
  const char direction = pin.is_input ? 'i' : 'o';
  std::vector<std::string> all{name};
  if (name.size() > 2 && name[0] == direction && name[1] == '_') all.push_back(name.substr(2));
  if (name.size() > 2 && name[name.size() - 1] == direction && name[name.size() - 2] == '_')
    all.push_back(name.substr(0, name.size() - 2));
  for (size_t i = 0, plain = all.size(); i < plain; ++i)
    if (auto closed = without_separator(all[i])) all.push_back(std::move(*closed));
  return all;
}

class Port {
 public:
  Port(std::string name, const std::string& block) : name_(std::move(name)), block_(block) {}

  std::map<std::string, Pin*> pins;  // by signal
  std::string prefix;                // in lower case; what its pins begin with, "" for none
  std::optional<bool> said_master;   // by a mapping
  SourceLocation where;

  const std::string& name() const { return name_; }
  void rename(std::string name) { name_ = std::move(name); }
  bool has(const std::string& signal) const { return pins.count(signal) != 0; }

  bool is_master() const {
    size_t master = 0, slave = 0;
    for (const auto& [signal, pin] : pins)
      ++(signal_named(signal).from_master != pin->is_input ? master : slave);
    return said_master.value_or(master > slave);
  }

  void check(const std::vector<Pin>& all) const {
    check_directions();
    check_missing(all);
    check_misspelt(all);
    check_widths();
  }

 private:
  bool is_taken(const Pin& pin) const {
    return std::any_of(pins.begin(), pins.end(),
                       [&](const auto& each) { return each.second == &pin; });
  }
  bool is_full() const {
    for (const auto& [signal, pin] : pins)
      if (!signal_named(signal).lite && !is_user(signal_named(signal))) return true;
    return false;
  }
  bool has_channels(char direction) const {  // 'w': AW, W, B; 'r': AR, R
    for (const auto& [signal, pin] : pins)
      if (direction_of(signal) == direction) return true;
    return false;
  }
  static char direction_of(const std::string& signal) {
    return signal[0] == 'r' || signal.rfind("ar", 0) == 0 ? 'r' : 'w';
  }

  void check_directions() const {
    const bool master = is_master();
    for (const auto& [signal, pin] : pins) {
      const bool input = signal_named(signal).from_master != master;
      if (pin->is_input == input) continue;
      refuse(fmt::format("{} is an {}; {} of a {} is an {} (IHI 0022 A2)", pin->name,
                         pin->is_input ? "input" : "output", upper(signal),
                         master ? "master" : "slave", input ? "input" : "output"),
             "turn it round");
    }
  }

  void check_missing(const std::vector<Pin>& all) const {
    for (const Signal& signal : kSignals)
      if (signal.needed && has_channels(direction_of(signal.name)) && !has(signal.name))
        refuse_missing(signal.name, all, "an AXI port must have it");
    if (!is_full()) return;
    for (const char* length : {"awlen", "arlen"})
      if (has_channels(direction_of(length)) && !has(length))
        refuse_missing(length, all, "its other pins make it AXI4, which has bursts");
    const std::pair<const char*, const char*> ids[] = {{"awid", "bid"}, {"arid", "rid"}};
    for (const auto& [request, response] : ids)
      if (has(request) != has(response))
        refuse_missing(has(request) ? response : request, all,
                       "requests and responses have their ID, or neither (IHI 0022 A5.3)");
  }
  [[noreturn]] void refuse_missing(const std::string& signal, const std::vector<Pin>& all,
                                   const char* why) const {
    std::vector<std::string> names;
    for (const Pin& pin : all)  // none that is a signal of this port already
      if (pin.role.empty() && !is_taken(pin)) names.push_back(lower(pin.name));
    const std::string meant = nearest(prefix + signal, names);
    for (const Pin& pin : all)
      if (!meant.empty() && lower(pin.name) == meant)
        refuse(fmt::format("it has no {}: {}", upper(signal), why),
               fmt::format("is {} meant? Correct it in the RTL, or map it: [{}.{}] {} = \"{}\"",
                           pin.name, is_master() ? "masters" : "slaves", name_, signal, pin.name));
    refuse(fmt::format("it has no {}: {}", upper(signal), why),
           fmt::format("add it to the RTL, or map it: [{}.{}] {} = \"...\"",
                       is_master() ? "masters" : "slaves", name_, signal));
  }

  // A signal that may be missing is missing because nobody knows its name?
  void check_misspelt(const std::vector<Pin>& all) const {
    if (prefix.empty()) return;
    std::vector<std::string> missing;
    for (const Signal& signal : kSignals)
      if (!has(signal.name)) missing.emplace_back(signal.name);
    for (const Pin& pin : all) {
      const std::string name = lower(pin.name);
      if (is_taken(pin) || !pin.role.empty() || name.rfind(prefix, 0) != 0) continue;
      const std::string meant = nearest(name.substr(prefix.size()), missing);
      if (!meant.empty())
        refuse(fmt::format("{} is no signal of AXI", pin.name),
               fmt::format("is it {}? Correct it in the RTL, or map it: [{}.{}] {} = \"{}\"; if it "
                           "is none, others = [\"{}\"]",
                           upper(meant), is_master() ? "masters" : "slaves", name_, meant, pin.name,
                           pin.name));
    }
  }

  void check_widths() const {
    for (const auto& [signal, pin] : pins) {
      const unsigned bits = signal_named(signal).bits;
      if (bits == 0 || pin->bits == bits) continue;
      // AXI3's second bit, which many AXI4 blocks still have, is for what AXI4 has no more (A7.4).
      if (ends_with(signal, "lock") && pin->bits == 2) continue;
      const bool axi3 = ends_with(signal, "len") && pin->bits == 4;
      refuse(fmt::format("{} has {} bits, {} has {}", pin->name, pin->bits, upper(signal), bits),
             axi3 ? "this is AXI3: put a converter to AXI4 around it, in a module of its own"
             : bits == 1
                 ? "where it is of several ports, a mapping gives each its part: prefix = \"...\", "
                   "index = 0, count = 2"
                 : "correct the RTL, or the parameter that it comes from");
    }
    if (has("awaddr") && has("araddr")) same_width("awaddr", "araddr");
    if (has("wdata") && has("rdata")) same_width("wdata", "rdata");
    if (has("awid") && has("bid")) same_width("awid", "bid");
    if (has("arid") && has("rid")) same_width("arid", "rid");
    const Pin& data = *pins.at(has("wdata") ? "wdata" : "rdata");
    const bool power = data.bits >= 8 && data.bits <= 1024 && (data.bits & (data.bits - 1)) == 0;
    if (!power || (!is_full() && data.bits != 32 && data.bits != 64))
      refuse(fmt::format("{} has {} bits", data.name, data.bits),
             is_full() ? "AXI4 has a power of two from 8 to 1024 (IHI 0022 A1.3)"
                       : "AXI4-Lite has 32 or 64 (IHI 0022 B1.1.1)");
    if (is_full() && !is_master() && data.bits < kNarrowestSlave)
      refuse(fmt::format("{} has {} bits; a slave has {} or more here", data.name, data.bits,
                         kNarrowestSlave),
             "put a width converter before it, in a module of its own");
    if (has("wstrb") && pins.at("wstrb")->bits * 8 != data.bits)
      refuse(fmt::format("{} has {} bits for {} bits of data", pins.at("wstrb")->name,
                         pins.at("wstrb")->bits, data.bits),
             "it has one for each byte (IHI 0022 A3.4.3)");
    for (const char* address : {"awaddr", "araddr"})
      if (has(address) && pins.at(address)->bits > 64)
        refuse(fmt::format("{} has {} bits", pins.at(address)->name, pins.at(address)->bits),
               "an address has 64 at most (IHI 0022 A2.2)");
  }
  void same_width(const char* one, const char* other) const {
    const Pin& a = *pins.at(one);
    const Pin& b = *pins.at(other);
    if (a.bits != b.bits)
      refuse(fmt::format("{} has {} bits, {} has {}", a.name, a.bits, b.name, b.bits),
             "they are of one port and have the same width");
  }

  static std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
  }
  [[noreturn]] void refuse(const std::string& trouble, const std::string& remedy) const {
    throw bad_input(fmt::format("RTL block {}, AXI port {}: {}", block_, name_, trouble), where,
                    remedy);
  }

  std::string name_;
  const std::string& block_;
};

// The pins that are the signals of a port with this prefix.
void find_signals(std::vector<Pin>& pins, Port& port) {
  for (Pin& pin : pins) {
    if (!pin.role.empty()) continue;
    for (const std::string& name : readings(pin))
      for (const Signal& signal : kSignals)
        if (name == port.prefix + signal.name && !port.has(signal.name))
          port.pins[signal.name] = &pin;
  }
}

// What stands before the pins of each port: of several readings of a pin the one that finds most.
std::vector<std::string> likely_prefixes(std::vector<Pin>& pins, const std::string& block) {
  std::vector<std::pair<size_t, std::string>> found;
  for (const Pin& pin : pins)
    for (const std::string& name : readings(pin))
      for (const char* anchor : kAnchors) {
        if (!pin.role.empty() || !ends_with(name, anchor)) continue;
        Port port("", block);
        port.prefix = name.substr(0, name.size() - std::string_view(anchor).size());
        find_signals(pins, port);
        const std::pair<size_t, std::string> entry{port.pins.size(), port.prefix};
        if (std::find(found.begin(), found.end(), entry) == found.end()) found.push_back(entry);
      }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> prefixes;
  prefixes.reserve(found.size());
  for (auto& [count, prefix] : found) prefixes.push_back(std::move(prefix));
  return prefixes;
}

void take(Port& port, std::vector<Pin>& pins) {
  port.check(pins);
  for (const auto& [signal, pin] : port.pins)
    pin->role = fmt::format("{}:{}:{}", port.is_master() ? "master" : "slave", port.name(), signal);
}

// "M00_AXI_" is called m00_axi on the board; one without a name after what it is.
std::string board_name(const std::string& prefix) {
  std::string name;
  for (const char c : prefix) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  name.erase(name.find_last_not_of('_') + 1);
  name.erase(0, name.find_first_not_of('_'));
  if (!name.empty() && std::isalpha(static_cast<unsigned char>(name[0])) == 0) name = "axi" + name;
  return name;
}

}  // namespace

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const std::vector<std::string>& signal_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Signal& signal : kSignals) all.emplace_back(signal.name);
    return all;
  }();
  return names;
}

Pin& pin_named(std::vector<Pin>& pins, const std::string& name, const SourceLocation& where,
               const std::string& block) {
  std::vector<std::string> names;
  for (Pin& pin : pins) {
    if (pin.name == name) return pin;
    names.push_back(pin.name);
  }
  const std::string meant = nearest(name, names);
  throw bad_input(fmt::format("RTL block {} has no port {}", block, name), where,
                  meant.empty() ? fmt::format("it has: {}", fmt::join(names, ", "))
                                : fmt::format("did you mean {}?", meant));
}

void assign_ports(std::vector<Pin>& pins, const Mapping& mapping, const std::string& block) {
  std::vector<std::string> names;
  for (const auto& [name, mapped] : mapping.ports) {
    Port port(name, block);
    port.prefix = lower(mapped.prefix);
    port.said_master = mapped.is_master;
    port.where = mapped.where;
    for (const auto& [signal, pin] : mapped.signals)
      port.pins[signal] = &pin_named(pins, pin, mapped.where, block);
    if (!mapped.prefix.empty()) find_signals(pins, port);
    if (port.pins.empty())
      throw bad_input(
          fmt::format("RTL block {} has no port that begins with {}", block, mapped.prefix),
          mapped.where, "the prefix is all that stands before awaddr");
    take(port, pins);
    names.push_back(name);
  }
  for (const std::string& prefix : likely_prefixes(pins, block)) {
    Port port(board_name(prefix), block);
    port.prefix = prefix;
    find_signals(pins, port);
    if (port.pins.size() < kFewest) continue;
    if (port.name().empty()) port.rename(port.is_master() ? "m_axi" : "s_axi");
    if (std::find(names.begin(), names.end(), port.name()) != names.end())
      throw bad_input(fmt::format("RTL block {} has two ports called {}", block, port.name()), {},
                      fmt::format("name one of them: [{}.other_name] prefix = \"{}\"",
                                  port.is_master() ? "masters" : "slaves", prefix));
    take(port, pins);
    names.push_back(port.name());
  }
}

}  // namespace gvp::tools::rtl
