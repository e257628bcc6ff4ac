// SPDX-License-Identifier: Apache-2.0
// The AXI interconnect, the bridge and the block RAM as devices of a board.
#include <nlohmann/json.hpp>

#include "models/axi/bridge.h"
#include "models/axi/bus_settings.h"
#include "models/axi/devices/rtl_block_ram.h"
#include "models/axi/devices/rtl_bridge.h"
#include "models/axi/devices/rtl_interconnect.h"
#include "models/axi/interconnect.h"
#include "models/device/device_type.h"
#include "models/rtl/model_name.h"
#include "models/tlm/clock.h"
#include "models/tlm/memory.h"

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

rtl::BlockConfiguration block_configuration(const Instance& instance,
                                            const Surroundings& surroundings) {
  rtl::BlockConfiguration configuration;
  configuration.clock_hz = instance.clock_hz;
  configuration.seed = surroundings.seed;
  return configuration;
}

constexpr unsigned kBridgeOutstanding = 8;  // what the other bus's port takes

struct BlockRamSettings {
  uint64_t size = 64 << 10;
};

// One cycle of the bus for each access: PG078 gives the controller more, in its AXI pipeline, which
// the interconnect's latencies stand for.
Parts make_block_ram(const Instance& instance, Surroundings& surroundings) {
  const uint64_t size = instance.as<BlockRamSettings>().size;
  Parts parts;
  if (rtl::is_rtl(instance.model)) {
    auto ram = std::make_unique<RtlBlockRam>(instance.name.c_str(),
                                             rtl::block_of(instance.model, "axi_bram_controller"),
                                             block_configuration(instance, surroundings), size);
    RtlBlockRam& r = *ram;
    parts.targets = {{"", &r.socket()}};
    parts.statistics = [&r] { return r.statistics(); };
    parts.protocol_violations = [&r] { return r.checker().violation_count(); };
    parts.open_wave = [&r](const std::string& file) { r.block().open_wave(file); };
    parts.module = std::move(ram);
    return parts;
  }
  const sc_core::sc_time cycle = kit::Clock(instance.clock_hz, "the block RAM's clock").period();
  auto memory = std::make_unique<kit::Memory>(instance.name.c_str(),
                                              kit::MemoryConfiguration{size, cycle, cycle});
  parts.targets = {{"", &memory->socket}};
  parts.module = std::move(memory);
  return parts;
}

Parts make_bridge(const Instance& instance, Surroundings& surroundings) {
  const uint64_t base = instance.bases.at("");
  Parts parts;
  if (rtl::is_rtl(instance.model)) {
    auto bridge = std::make_unique<RtlBridge>(instance.name.c_str(),
                                              rtl::block_of(instance.model, "axi_lite_bridge"),
                                              block_configuration(instance, surroundings), base);
    RtlBridge& b = *bridge;
    parts.targets = {{"", &b.upstream()}};
    parts.initiators = {{"downstream", &b.downstream()}};
    parts.statistics = [&b] { return b.statistics(); };
    parts.protocol_violations = [&b] { return b.protocol_violations(); };
    parts.open_wave = [&b](const std::string& file) { b.block().open_wave(file); };
    parts.module = std::move(bridge);
    return parts;
  }
  auto bridge = std::make_unique<Bridge>(instance.name.c_str(), base,
                                         instance.as<BridgeConfiguration>().outstanding);
  parts.targets = {{"", &bridge->upstream}};
  parts.initiators = {{"downstream", &bridge->downstream}};
  parts.module = std::move(bridge);
  return parts;
}

}  // namespace

DeviceType axi_interconnect_type() {
  DeviceType type;
  type.name = "axi_interconnect";
  type.description = "AXI interconnect";
  type.models = {"lt", "at", "rtl"};
  type.defaults = BusSettings{};
  type.keys = keys();
  type.device_tree = [](const Instance&) { return TreeNode{"bus", {"simple-bus"}, {}}; };
  type.make_bus =
      [](const Instance& instance,
         const InterconnectConfiguration& connections) -> std::unique_ptr<Interconnect> {
    InterconnectConfiguration configuration = connections;
    static_cast<C&>(configuration) = instance.as<BusSettings>().configuration;
    if (rtl::is_rtl(instance.model))
      return std::make_unique<RtlInterconnect>(
          instance.name.c_str(), rtl::block_of(instance.model, "axi_interconnect"), configuration);
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
                "bytes", "Size of the window to the other bus"},
               {"outstanding", field<&BridgeConfiguration::outstanding>,
                range(1, kBridgeOutstanding), "transactions",
                "Under way across the bridge at most, per direction (RTL: one after the other)"}};
  type.windows = [](const Instance& instance) {
    return std::vector<Window>{
        {"", instance.as<BridgeConfiguration>().size, "bridge to another bus"}};
  };
  type.masters = {{"downstream", kBridgeOutstanding}};
  type.is_bridge = true;
  type.models = {"lt", "rtl"};
  type.make = make_bridge;
  return type;
}

DeviceType block_ram_type() {
  DeviceType type;
  type.name = "block_ram";
  type.description = "AXI block RAM";
  type.models = {"lt", "rtl"};
  type.is_memory = true;
  type.defaults = BlockRamSettings{};
  type.keys = {{"size", field<&BlockRamSettings::size>, multiple_of(4096, 4096, 64 << 20), "bytes",
                "Size of the block RAM"}};
  type.windows = [](const Instance& instance) {
    return std::vector<Window>{{"", instance.as<BlockRamSettings>().size, "block RAM"}};
  };
  type.device_tree = [](const Instance&) { return TreeNode{"sram", {"mmio-sram"}, {}}; };
  type.make = make_block_ram;
  return type;
}

}  // namespace gvp::axi
