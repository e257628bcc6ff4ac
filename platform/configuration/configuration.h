// SPDX-License-Identifier: Apache-2.0
// Everything a platform file, --set and the command line can configure: one plain structure per
// block.  Which key sets which field, what it means and what it accepts is in keys.h; how a file
// becomes a Configuration in toml.h.  No SystemC, so that tools without a platform can read the
// same files.
#pragma once

#include <string>

#include "models/axi/configuration.h"
#include "models/ddr3/configuration.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/host/configuration.h"

namespace gvp::platform {

// Which variant of each block to build: "lt", "at" or "rtl:<name>".  The factories refuse what
// this build does not have.
struct Models {
  std::string host = "lt";
  std::string gpgpu = "lt";
  std::string axi = "lt";
  std::string ddr3 = "lt";
};

// What is at the other end of each serial line: "none", "stdio", "tcp:PORT" or "file:PATH".
struct SerialLines {
  std::string uart16550 = "stdio";  // the console of the firmware
  std::string uartlite = "none";
};

// Ports of the approximately timed interconnect; their clocks also count in the devices behind
// them.
struct AxiPorts {
  axi::PortConfiguration host_instruction;
  axi::PortConfiguration host_data;
  axi::PortConfiguration gpgpu;
  axi::PortConfiguration ddr3{8};  // as wide as the module's data bus
  axi::PortConfiguration intc;
  axi::PortConfiguration timer;
  axi::PortConfiguration uart16550;
  axi::PortConfiguration uartlite;
  axi::PortConfiguration gpgpu_control;
  axi::PortConfiguration gpgpu_code;
  axi::PortConfiguration gpgpu_global;
};

struct Configuration {
  double quantum_ns = 10000;  // how far a loosely timed initiator may run ahead
  Models models;
  SerialLines serial;
  host::Configuration host;
  gpgpu::flexgrip::Configuration gpgpu;
  axi::Configuration axi;
  AxiPorts axi_ports;
  bool axi_check = false;  // a protocol checker on every AXI socket
  ddr3::Configuration ddr3;
};

}  // namespace gvp::platform
