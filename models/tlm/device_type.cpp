// SPDX-License-Identifier: Apache-2.0
// The external master as a device of a board.
#include "models/device/device_type.h"

#include "models/tlm/external_master.h"

namespace gvp::kit {

using namespace device;

DeviceType external_master_type() {
  DeviceType type;
  type.name = "external_master";
  type.description = "bus master that a program outside drives (gpgpu-run), as JTAG to AXI (PG174)";
  type.masters = {{"", 1, false, true}};
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
