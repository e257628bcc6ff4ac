// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "models/base/error.h"
#include "tools/gvp-rtl/axi_ports.h"
#include "tools/gvp-rtl/roles.h"

namespace gvp::tools::rtl {
namespace {

// Bits of a pin, and the pin of their own that they get.
struct Part {
  unsigned low = 0, bits = 0;
  std::string pin;
};

// "name[7:4]", "name[3]"
struct Bits {
  std::string name;
  unsigned high = 0, low = 0;
};
std::optional<Bits> bits_of(const std::string& text) {
  static const std::regex form(R"(^(.+)\[([0-9]{1,5})(?::([0-9]{1,5}))?\]$)");
  std::smatch found;
  if (!std::regex_match(text, found, form)) return std::nullopt;
  const auto high = static_cast<unsigned>(std::stoul(found[2]));
  return Bits{found[1], high,
              found[3].matched ? static_cast<unsigned>(std::stoul(found[3])) : high};
}

bool is_simple(const std::string& name) {
  return !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}
// An escaped identifier ends with a blank (IEEE 1364 3.7.1).
std::string verilog(const std::string& name) { return is_simple(name) ? name : '\\' + name + ' '; }

std::string range(unsigned bits) { return bits == 1 ? "" : fmt::format("[{}:0] ", bits - 1); }

class Splitter {
 public:
  Splitter(const Description& description, std::vector<Pin> pins)
      : description_(description), pins_(std::move(pins)), mapping_(description.mapping) {
    for (const Pin& pin : pins_) names_.insert(pin.name);
  }

  Split result(bool parameters) {
    for (auto& [name, port] : mapping_.ports) take_port(name, port);
    for (NamedPin& interrupt : mapping_.interrupts)
      if (const auto bits = bits_of(interrupt.name)) {
        need_exact(*bits, interrupt.where);
        interrupt.name = part(*bits, fmt::format("{}_{}", bits->name, bits->low), interrupt.where);
      }
    Split split;
    split.top = description_.name + "_pins";
    split.text = module_text(split.top, parameters);
    split.mapping = mapping_;
    return split;
  }

 private:
  void take_port(const std::string& name, PortMapping& port) {
    std::map<std::string, std::string> signals;
    for (const auto& [signal, pin] : port.signals) {
      const auto bits = names_.count(pin) == 0 ? bits_of(pin) : std::nullopt;
      if (bits)
        signals[signal] = part(*bits, fmt::format("{}_{}", name, signal), port.where);
      else if (port.count > 1)
        signals[signal] =
            share(pin_named(pins_, pin, port.where, description_.name), name, signal, port);
      else
        signals[signal] = pin;
    }
    if (port.count > 1 && !port.prefix.empty()) {
      for (const std::string& signal : signal_names()) {
        if (signals.count(signal) != 0) continue;
        const std::string wanted = lower(port.prefix) + signal;
        const auto pin = std::find_if(pins_.begin(), pins_.end(),
                                      [&](const Pin& each) { return lower(each.name) == wanted; });
        if (pin != pins_.end()) signals[signal] = share(*pin, name, signal, port);
      }
      if (signals.empty())
        throw bad_input(fmt::format("RTL block {} has no port that begins with {}",
                                    description_.name, port.prefix),
                        port.where, "the prefix is all that stands before awaddr");
      port.prefix.clear();
    }
    port.signals = std::move(signals);
    port.count = 1;
    port.index = 0;
  }

  // The port's share of a pin that holds one part for each of `count` ports.
  std::string share(const Pin& pin, const std::string& port, const std::string& signal,
                    const PortMapping& mapped) {
    if (pin.bits % mapped.count != 0)
      throw bad_input(
          fmt::format("RTL block {}: {} has {} bits, which are not {} equal parts",
                      description_.name, pin.name, pin.bits, mapped.count),
          mapped.where,
          fmt::format("name the bits of this port: {} = \"{}[HIGH:LOW]\"", signal, pin.name));
    const unsigned width = pin.bits / mapped.count;
    const unsigned low = mapped.index * width;
    return part({pin.name, low + width - 1, low}, port + '_' + signal, mapped.where);
  }

  void need_exact(const Bits& bits, const SourceLocation& where) const {
    if (bits.high != bits.low)
      throw bad_input(fmt::format("{}[{}:{}] is no interrupt: it has {} bits", bits.name, bits.high,
                                  bits.low, bits.high - bits.low + 1),
                      where, fmt::format("name each of them: \"{}[{}]\"", bits.name, bits.low));
  }

  std::string part(const Bits& bits, std::string name, const SourceLocation& where) {
    const Pin& pin = pin_named(pins_, bits.name, where, description_.name);
    if (bits.high < bits.low || bits.high >= pin.bits)
      throw bad_input(fmt::format("RTL block {}: {} has no bits [{}:{}]", description_.name,
                                  pin.name, bits.high, bits.low),
                      where,
                      fmt::format("it has {} bits, [{}:0]; the higher one comes first", pin.bits,
                                  pin.bits - 1));
    std::vector<Part>& parts = parts_[pin.name];
    for (const Part& other : parts)
      if (pin.is_input && bits.low < other.low + other.bits && other.low <= bits.high)
        throw bad_input(fmt::format("RTL block {}: two ports drive bits of {}[{}:{}]",
                                    description_.name, pin.name, bits.high, bits.low),
                        where, "give each port an index, or bits, of its own");
    while (!names_.insert(name).second) name += "_part";
    parts.push_back({bits.low, bits.high - bits.low + 1, name});
    return name;
  }

  std::string module_text(const std::string& top, bool parameters) const {
    std::string ports, wires, connections;
    const auto add = [](std::string& list, const std::string& entry) {
      list += (list.empty() ? "    " : ",\n    ") + entry;
    };
    for (const Pin& pin : pins_) {
      const char* direction = pin.is_input ? "input" : "output";
      const auto parts = parts_.find(pin.name);
      if (parts == parts_.end()) {
        add(ports, fmt::format("{} {}{}", direction, range(pin.bits), verilog(pin.name)));
        add(connections, fmt::format(".{}({})", verilog(pin.name), verilog(pin.name)));
        continue;
      }
      for (const Part& part : parts->second)
        add(ports, fmt::format("{} {}{}", direction, range(part.bits), verilog(part.pin)));
      if (pin.is_input) {
        add(connections, fmt::format(".{}({})", verilog(pin.name), assembled(pin, parts->second)));
        continue;
      }
      const std::string wire = verilog(pin.name + "_all");
      wires += fmt::format("  wire {}{};\n", range(pin.bits), wire);
      for (const Part& part : parts->second)
        wires += fmt::format(
            "  assign {} = {}{};\n", verilog(part.pin), wire,
            pin.bits == 1 ? "" : fmt::format("[{}:{}]", part.low + part.bits - 1, part.low));
      add(connections, fmt::format(".{}({})", verilog(pin.name), wire));
    }
    std::string values;
    if (parameters)
      for (const Parameter& parameter : description_.parameters)
        add(values, fmt::format(".{}({})", parameter.name, parameter.verilog));
    return fmt::format(
        "// Generated by gvp-rtl: {} with a pin for each part.\nmodule {} (\n{});\n{}  {} {}block "
        "(\n{});\n"
        "endmodule\n",
        description_.top, top, ports, wires, verilog(description_.top),
        values.empty() ? "" : "#(\n" + values + ") ", connections);
  }

  // All bits of an input, those of nobody zero.
  static std::string assembled(const Pin& pin, std::vector<Part> parts) {
    std::sort(parts.begin(), parts.end(),
              [](const Part& a, const Part& b) { return a.low > b.low; });
    std::string list;
    unsigned above = pin.bits;  // all from here on are there
    const auto add = [&list](const std::string& entry) {
      list += (list.empty() ? "" : ", ") + entry;
    };
    const auto fill = [&](unsigned down_to) {
      if (above > down_to) add(fmt::format("{}'d0", above - down_to));
    };
    for (const Part& part : parts) {
      fill(part.low + part.bits);
      add(verilog(part.pin));
      above = part.low;
    }
    fill(0);
    return '{' + list + '}';
  }

  const Description& description_;
  std::vector<Pin> pins_;
  Mapping mapping_;
  std::set<std::string> names_;
  std::map<std::string, std::vector<Part>> parts_;  // by pins
};

}  // namespace

bool has_parts(const Mapping& mapping) {
  for (const auto& [name, port] : mapping.ports) {
    if (port.count > 1) return true;
    for (const auto& [signal, pin] : port.signals)
      if (bits_of(pin)) return true;
  }
  return std::any_of(mapping.interrupts.begin(), mapping.interrupts.end(),
                     [](const NamedPin& each) { return bits_of(each.name).has_value(); });
}

Split split(const Description& description, const std::vector<Pin>& pins, bool parameters) {
  return Splitter(description, pins).result(parameters);
}

}  // namespace gvp::tools::rtl
