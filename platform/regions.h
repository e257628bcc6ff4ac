// SPDX-License-Identifier: Apache-2.0
// The memory map as the interconnect sees it: memory_map.h as a table.
#pragma once

#include <vector>

#include "models/axi/configuration.h"
#include "models/gpgpu/device.h"
#include "platform/configuration/configuration.h"

namespace gvp::platform {

// Ports of the interconnect.
enum class Initiator : unsigned { kHostInstruction, kHostData, kGpgpu };
enum class Target : unsigned {
  kDdr3,
  kInterruptController,
  kTimer,
  kUart16550,
  kUartLite,
  kGpgpuWindows  // the first of them; the GPGPU's other windows follow
};

// Whether a window of the GPGPU is behind an AXI4-Lite bridge.
bool is_lite(const gpgpu::Window& window);
// The interconnect's port to a window of the GPGPU.
const axi::PortConfiguration& port_of(const gpgpu::Window& window, const AxiPorts& ports);

// Ports and regions of the default platform.  A window of the GPGPU that has no bytes gets
// neither; its socket is then not bound.
axi::InterconnectConfiguration memory_map(const axi::Configuration& choices, const AxiPorts& ports,
                                          uint64_t ddr3_bytes,
                                          const std::vector<gpgpu::Window>& windows);

}  // namespace gvp::platform
