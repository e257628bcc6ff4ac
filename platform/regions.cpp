// SPDX-License-Identifier: Apache-2.0
#include "platform/regions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/base/error.h"
#include "platform/memory_map.h"

namespace gvp::platform {
namespace {

struct WindowPlace {
  const char* name;
  uint64_t base;
  uint64_t largest;
  bool lite;
  axi::PortConfiguration AxiPorts::*port;
};

constexpr WindowPlace kWindowPlaces[] = {
    {"control", GVP_GPGPU_CONTROL_BASE, GVP_GPGPU_CONTROL_SIZE, true, &AxiPorts::gpgpu_control},
    {"code", GVP_GPGPU_CODE_BASE, GVP_GPGPU_CODE_SIZE, false, &AxiPorts::gpgpu_code},
    {"global", GVP_GPGPU_GLOBAL_BASE, GVP_GPGPU_GLOBAL_MAX_SIZE, false, &AxiPorts::gpgpu_global},
};

const WindowPlace& place_of(const gpgpu::Window& window) {
  for (const WindowPlace& place : kWindowPlaces)
    if (window.name == place.name) return place;
  throw model_error(
      fmt::format("the memory map has no place for the GPGPU's window \"{}\"", window.name));
}

axi::Region region_of(const gpgpu::Window& window, unsigned target) {
  const WindowPlace& place = place_of(window);
  if (window.size > place.largest)
    throw bad_input(
        fmt::format("the GPGPU's {} window has {} bytes, the memory map has room for {}",
                    window.name, window.size, place.largest));
  return {"gpgpu_" + window.name, place.base, window.size, target, 0, place.lite};
}

unsigned index(Target target) { return static_cast<unsigned>(target); }

}  // namespace

bool is_lite(const gpgpu::Window& window) { return place_of(window).lite; }

const axi::PortConfiguration& port_of(const gpgpu::Window& window, const AxiPorts& ports) {
  return ports.*place_of(window).port;
}

axi::InterconnectConfiguration memory_map(const axi::Configuration& choices, const AxiPorts& ports,
                                          uint64_t ddr3_bytes,
                                          const std::vector<gpgpu::Window>& windows) {
  axi::InterconnectConfiguration map;
  static_cast<axi::Configuration&>(map) = choices;
  map.initiators = {"host_instruction", "host_data", "gpgpu"};
  map.initiator_ports = {ports.host_instruction, ports.host_data, ports.gpgpu};
  map.target_ports = {ports.ddr3, ports.intc, ports.timer, ports.uart16550, ports.uartlite};
  map.target_ports[0].runs_ahead = true;
  map.targets = {"ddr3", "intc", "timer", "uart16550", "uartlite"};
  map.regions = {
      {"ddr3", GVP_DDR3_BASE, ddr3_bytes, index(Target::kDdr3), 0, false},
      {"intc", GVP_INTC_BASE, GVP_INTC_SIZE, index(Target::kInterruptController), 0, true},
      {"timer", GVP_TIMER_BASE, GVP_TIMER_SIZE, index(Target::kTimer), 0, true},
      {"uart16550", GVP_UART16550_BASE, GVP_UART16550_SIZE, index(Target::kUart16550), 0, true},
      {"uartlite", GVP_UARTLITE_BASE, GVP_UARTLITE_SIZE, index(Target::kUartLite), 0, true},
  };
  for (const gpgpu::Window& window : windows) {
    if (window.size == 0) continue;
    map.regions.push_back(region_of(window, static_cast<unsigned>(map.targets.size())));
    map.targets.push_back("gpgpu_" + window.name);
    map.target_ports.push_back(port_of(window, ports));
  }
  return map;
}

}  // namespace gvp::platform
