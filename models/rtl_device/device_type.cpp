// SPDX-License-Identifier: Apache-2.0
#include "models/rtl_device/device_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "models/axi/pins/axi_to_tlm.h"
#include "models/base/error.h"
#include "models/rtl_device/rtl_device.h"

namespace gvp::rtl_device {
namespace {

using namespace device;

constexpr size_t kMostPorts = 32, kMostTies = 128;
constexpr unsigned kPageBits = 12;     // IHI 0022 A3.4.1
constexpr unsigned kMostBits = 28;     // of a window whose size the address pins say
constexpr uint64_t kUsual = 64 << 10;  // bytes, of one with more
constexpr unsigned kMostTieBits = 63;  // of a value in a board
constexpr double kMostCycles = 1e12;

struct Settings {
  std::array<uint64_t, kMostPorts> sizes{};  // by the order of the block's slaves
  std::array<uint64_t, kMostTies> ties{};    // by the order of its inputs without a role
  uint64_t time_out = axi::pins::CheckerSettings{}.time_out;
};

// A key's field is a function without a closure: one for each place in the arrays.
using FieldOf = Field (*)(std::any&);
template <size_t kIndex>
Field size_field(std::any& settings) {
  return &std::any_cast<Settings&>(settings).sizes[kIndex];
}
template <size_t kIndex>
Field tie_field(std::any& settings) {
  return &std::any_cast<Settings&>(settings).ties[kIndex];
}
template <size_t... kIndex>
constexpr std::array<FieldOf, sizeof...(kIndex)> size_fields(std::index_sequence<kIndex...>) {
  return {size_field<kIndex>...};
}
template <size_t... kIndex>
constexpr std::array<FieldOf, sizeof...(kIndex)> tie_fields(std::index_sequence<kIndex...>) {
  return {tie_field<kIndex>...};
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Ports of one kind, with their names on the board.
struct Named {
  PortRole role;
  std::string name;  // "" for the only one
};
std::vector<Named> ports_of(const gvp_rtl_block& block, bool masters) {
  std::vector<Named> ports;
  for (const PortRole& role : port_roles(block))
    if (role.is_master == masters) ports.push_back({role, role.name});
  if (ports.size() == 1) ports.front().name.clear();
  return ports;
}

// Inputs that a board can tie, in the block's order.
std::vector<const gvp_rtl_pin*> ties_of(const gvp_rtl_block& block) {
  std::vector<const gvp_rtl_pin*> pins;
  for (size_t i = 0; i < block.pin_count; ++i) {
    const gvp_rtl_pin& pin = block.pins[i];
    if (pin.is_input != 0 && (pin.role == nullptr || *pin.role == '\0') && pin.bits <= kMostTieBits)
      pins.push_back(&pin);
  }
  return pins;
}

std::vector<const gvp_rtl_pin*> pins_of_role(const gvp_rtl_block& block, const std::string& role) {
  std::vector<const gvp_rtl_pin*> pins;
  for (size_t i = 0; i < block.pin_count; ++i)
    if (block.pins[i].role != nullptr && role == block.pins[i].role) pins.push_back(&block.pins[i]);
  return pins;
}

uint64_t size_of(const PortRole& role) {
  return role.address_bits > kMostBits ? kUsual
                                       : uint64_t{1} << std::max(role.address_bits, kPageBits);
}

std::vector<Key> keys_of(const gvp_rtl_block& block) {
  static constexpr auto kSizes = size_fields(std::make_index_sequence<kMostPorts>());
  static constexpr auto kTies = tie_fields(std::make_index_sequence<kMostTies>());
  constexpr uint32_t kPage = 1u << kPageBits;
  std::vector<Key> keys;
  const std::vector<Named> slaves = ports_of(block, false);
  for (size_t i = 0; i < slaves.size(); ++i)
    keys.push_back({slaves[i].name.empty() ? "size" : "size." + slaves[i].name, kSizes[i],
                    multiple_of(kPage, kPage, std::exp2(32)), "bytes",
                    fmt::format("Of the window of port {}", slaves[i].role.name)});
  const std::vector<const gvp_rtl_pin*> ties = ties_of(block);
  for (size_t i = 0; i < ties.size(); ++i)
    keys.push_back({fmt::format("pins.{}", ties[i]->name), kTies[i],
                    range(0, std::exp2(ties[i]->bits) - 1), "",
                    fmt::format("What input {} is tied to; {} bit{}", ties[i]->name, ties[i]->bits,
                                ties[i]->bits == 1 ? "" : "s")});
  keys.push_back({"time_out", field<&Settings::time_out>, range(0, kMostCycles), "cycles",
                  "How long a handshake or a response may take at the block's pins before the run "
                  "ends with an error; 0: for ever"});
  return keys;
}

Configuration configuration_of(const gvp_rtl_block& block, const Instance& instance,
                               const Surroundings& surroundings) {
  const auto& settings = instance.as<Settings>();
  Configuration configuration;
  configuration.block.clock_hz = instance.clock_hz;
  configuration.block.seed = surroundings.seed;
  configuration.time_out = settings.time_out;
  for (const Named& slave : ports_of(block, false))
    if (const auto base = instance.bases.find(slave.name); base != instance.bases.end())
      configuration.bases[slave.role.name] = base->second;
  if (surroundings.on_timed_bus)
    for (const Named& master : ports_of(block, true))
      if (surroundings.on_timed_bus(instance, master.name))
        configuration.non_blocking.insert(master.role.name);
  const std::vector<const gvp_rtl_pin*> ties = ties_of(block);
  for (size_t i = 0; i < ties.size(); ++i) configuration.ties[ties[i]->name] = settings.ties[i];
  return configuration;
}

Parts make(const gvp_rtl_block& block, const Instance& instance, const Surroundings& surroundings) {
  auto device = std::make_unique<RtlDevice>(instance.name.c_str(), block,
                                            configuration_of(block, instance, surroundings));
  RtlDevice& d = *device;
  const auto board_name = [&](const PortRole& role) {
    for (const Named& each : ports_of(block, role.is_master))
      if (each.role.name == role.name) return each.name;
    return role.name;
  };
  Parts parts;
  for (const RtlDevice::Port& port : d.ports()) {
    if (port.target != nullptr) parts.targets.push_back({board_name(port.role), port.target});
    if (port.initiator != nullptr)
      parts.initiators.push_back({board_name(port.role), port.initiator});
  }
  for (const RtlDevice::Interrupt& interrupt : d.interrupts())
    parts.interrupts.push_back({lower(interrupt.pin), interrupt.line.get()});
  parts.reset = [&d] { d.reset(); };
  parts.statistics = [&d] { return d.statistics(); };
  parts.protocol_violations = [&d] { return d.protocol_violations(); };
  parts.open_wave = [&d](const std::string& file) { d.block().open_wave(file); };
  parts.module = std::move(device);
  return parts;
}

}  // namespace

DeviceType type_of(const gvp_rtl_block& block) {
  const std::vector<Named> slaves = ports_of(block, false);
  if (slaves.size() > kMostPorts || ties_of(block).size() > kMostTies)
    throw bad_input(fmt::format("RTL block {} has {} slaves and {} other inputs", block.name,
                                slaves.size(), ties_of(block).size()),
                    {},
                    fmt::format("a board takes {} and {}: write a module around it that ties "
                                "the others",
                                kMostPorts, kMostTies));
  DeviceType type;
  type.name = fmt::format("rtl:{}", block.name);
  type.description =
      fmt::format("RTL block {}, from a plug-in ({})", block.name, block.compiled_with);
  Settings defaults;
  for (size_t i = 0; i < slaves.size(); ++i) defaults.sizes[i] = size_of(slaves[i].role);
  type.defaults = defaults;
  type.keys = keys_of(block);
  if (!slaves.empty())
    type.windows = [slaves](const Instance& instance) {
      std::vector<Window> windows;
      for (size_t i = 0; i < slaves.size(); ++i) {
        const PortRole& role = slaves[i].role;
        Window window{
            slaves[i].name, instance.as<Settings>().sizes[i],
            fmt::format("{} port {} of RTL", role.lite ? "AXI4-Lite" : "AXI4", role.name)};
        window.lite = role.lite;
        window.data_bytes = role.data_bytes;
        windows.push_back(window);
      }
      return windows;
    };
  const unsigned outstanding = axi::pins::AxiToTlmSettings{}.outstanding;
  for (const Named& master : ports_of(block, true))
    type.masters.push_back(
        {master.name, outstanding, !master.role.writes, false, master.role.data_bytes});
  for (const gvp_rtl_pin* pin : pins_of_role(block, "interrupt"))
    type.interrupts.push_back({lower(pin->name), Trigger::kLevel});
  type.has_reset = !pins_of_role(block, "reset").empty() || !pins_of_role(block, "reset_n").empty();
  type.make = [&block](const Instance& instance, Surroundings& surroundings) {
    return make(block, instance, surroundings);
  };
  return type;
}

}  // namespace gvp::rtl_device
