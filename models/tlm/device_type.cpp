// SPDX-License-Identifier: Apache-2.0
// A block RAM and an external master as devices of a board.
#include "models/device/device_type.h"

#include <nlohmann/json.hpp>

#include "models/tlm/clock.h"
#include "models/tlm/external_master.h"
#include "models/tlm/memory.h"

namespace gvp::kit {
namespace {

using namespace device;

struct BlockRamSettings {
  uint64_t size = 64 << 10;
};

}  // namespace

DeviceType block_ram_type() {
  DeviceType type;
  type.name = "block_ram";
  type.description = "AXI block RAM";
  type.is_memory = true;
  type.defaults = BlockRamSettings{};
  type.keys = {{"size", field<&BlockRamSettings::size>, multiple_of(4096, 4096, 64 << 20), "bytes",
                "Size of the block RAM"}};
  type.windows = [](const Instance& instance) {
    return std::vector<Window>{{"", instance.as<BlockRamSettings>().size, "block RAM"}};
  };
  type.device_tree = [](const Instance&) { return TreeNode{"sram", {"mmio-sram"}, {}}; };
  // One cycle of the bus for each access: PG078 gives the controller more, in its AXI pipeline,
  // which the interconnect's latencies stand for.
  type.make = [](const Instance& instance, Surroundings&) {
    const sc_core::sc_time cycle = Clock(instance.clock_hz, "the block RAM's clock").period();
    auto memory = std::make_unique<Memory>(
        instance.name.c_str(),
        MemoryConfiguration{instance.as<BlockRamSettings>().size, cycle, cycle});
    Parts parts;
    parts.targets = {{"", &memory->socket}};
    parts.module = std::move(memory);
    return parts;
  };
  return type;
}

DeviceType external_master_type() {
  DeviceType type;
  type.name = "external_master";
  type.description = "bus master that a program outside drives (gpgpu-run), as JTAG to AXI (PG174)";
  type.masters = {{"", 1}};
  type.make = [](const Instance& instance, Surroundings&) {
    auto master = std::make_unique<ExternalMaster>(instance.name.c_str());
    Parts parts;
    parts.initiators = {{"", &master->socket}};
    parts.module = std::move(master);
    return parts;
  };
  return type;
}

}  // namespace gvp::kit
