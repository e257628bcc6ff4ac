// SPDX-License-Identifier: Apache-2.0
// The AXI interconnect and the bridge as devices of a board.
#include "models/device/device_type.h"

#include <nlohmann/json.hpp>

#include "models/axi/bridge.h"
#include "models/axi/bus_settings.h"
#include "models/axi/interconnect.h"

namespace gvp::axi {
namespace {

using namespace device;
using C = Configuration;

template <auto kMember>
Field setting(std::any& settings) {
  return &(std::any_cast<BusSettings&>(settings).configuration.*kMember);
}

std::vector<Key> keys() {
  return {
      {"clock_hz", setting<&C::clock_hz>, range(1e6, 1e9), "Hz",
       "Clock of the interconnect, and of the devices behind it that have none of their own"},
      {"request_cycles", setting<&C::request_cycles>, range(0, 1000), "clock cycles",
       "Latency from initiator to target (assumed)"},
      {"response_cycles", setting<&C::response_cycles>, range(0, 1000), "clock cycles",
       "Latency from target back to initiator (assumed)"},
      {"lite_cycles", setting<&C::lite_cycles>, range(0, 1000), "clock cycles",
       "More latency behind an AXI4-Lite bridge (assumed)"},
      {"data_bytes", setting<&C::data_bytes>, power_of_two(1, 128), "bytes",
       "Width of the data channels (loosely timed only; else each port has its own)"},
      {"arbitration", setting<&C::arbitration>, one_of({"round-robin", "fixed", "qos"}), "",
       "Who goes first: in turn, the lowest port, the highest AxQOS (approximately timed only)"},
      {"crossing_cycles", setting<&C::crossing_cycles>, range(0, 100), "clock cycles",
       "A clock crossing, in cycles of the receiving clock (assumed; approximately timed only)"},
      {"check", field<&BusSettings::check>, anything(), "",
       "A protocol checker on every AXI socket; a violation makes the run fail (exit code 125)"},
  };
}

}  // namespace

DeviceType axi_interconnect_type() {
  DeviceType type;
  type.name = "axi_interconnect";
  type.description = "AXI interconnect";
  type.models = {"lt", "at"};
  type.defaults = BusSettings{};
  type.keys = keys();
  type.device_tree = [](const Instance&) { return TreeNode{"bus", {"simple-bus"}, {}}; };
  type.make_bus = [](const Instance& instance, const InterconnectConfiguration& connections) {
    InterconnectConfiguration configuration = connections;
    static_cast<C&>(configuration) = instance.as<BusSettings>().configuration;
    return make_interconnect(instance.name.c_str(), instance.model, configuration);
  };
  return type;
}

DeviceType axi_bridge_type() {
  DeviceType type;
  type.name = "axi_bridge";
  type.description = "bridge to another bus";
  type.defaults = BridgeConfiguration{};
  type.keys = {{"size", field<&BridgeConfiguration::size>, multiple_of(4096, 4096, 2147483648),
                "bytes", "Size of the window to the other bus"}};
  type.windows = [](const Instance& instance) {
    return std::vector<Window>{
        {"", instance.as<BridgeConfiguration>().size, "bridge to another bus"}};
  };
  type.masters = {{"downstream", 8}};
  type.is_bridge = true;
  type.make = [](const Instance& instance, Surroundings&) {
    auto bridge = std::make_unique<Bridge>(instance.name.c_str(), instance.bases.at(""));
    Parts parts;
    parts.targets = {{"", &bridge->upstream}};
    parts.initiators = {{"downstream", &bridge->downstream}};
    parts.module = std::move(bridge);
    return parts;
  };
  return type;
}

}  // namespace gvp::axi
