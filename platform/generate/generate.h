// SPDX-License-Identifier: Apache-2.0
// What is made from a board: everything else that knows addresses, interrupt lines or clocks takes
// them from here.  All of it follows the effective configuration: a larger window, another clock.
#pragma once

#include <string>
#include <vector>

#include "platform/configuration/configuration.h"

namespace gvp::platform {

// A window of a board with its device, for tables.
struct MapEntry {
  const BoardDevice* device;
  device::Window window;  // size 0: not there as the keys are
  const Place* place;
};
// All places of a board, by address.
std::vector<MapEntry> memory_map(const Configuration& configuration);

// C, for firmware: GVP_GPGPU1_CONTROL_BASE, GVP_IRQ_GPGPU1, GVP_SYSTEM_CLOCK_HZ...
std::string c_header(const Configuration& configuration);
// Device tree source for dtc, with the bindings that Linux's drivers know.
std::string device_tree(const Configuration& configuration);
// Markdown: memory map and interrupts.
std::string memory_map_tables(const Configuration& configuration);

// All registered types with windows and keys; or, of one type, its registers too.  Throws Error
// (bad input) for a name that is none.
std::string device_type_list(const std::string& type);
std::string register_page();  // Markdown: the registers of all types
std::string board_list();     // the built-in boards

}  // namespace gvp::platform
