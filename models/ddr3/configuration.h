// SPDX-License-Identifier: Apache-2.0
// Configuration of the DDR3 memory.  Device timings are data files (platform/configs/ddr3/),
// never code.
#pragma once

#include <cstdint>
#include <string>

namespace gvp::ddr3 {

struct Configuration {
  uint64_t size = 512ull << 20;             // bytes; at most what the device has
  double clock_hz = 400e6;                  // SDRAM clock (tCK = 2.5 ns)
  std::string device = "mt4jsf6464hy-1g1";  // compiled-in device, or path of a device file
  // Everything between the AXI port and the SDRAM's pins that is not the SDRAM: port, command
  // queue and PHY, both ways together.  Assumed: 20 clock cycles of 400 MHz.
  double front_end_ns = 50.0;

  // From here on: the approximately timed controller only.
  std::string mapping = "row-bank-column";  // or "bank-row-column", most significant first
  std::string scheduler = "fr-fcfs";        // or "in-order"
  std::string page_policy = "open";         // or "closed": precharge after every burst
  unsigned queue_depth = 8;                 // requests waiting for each bank
  unsigned starvation_limit = 64;           // younger requests that may overtake one request
  bool refresh = true;
};

}  // namespace gvp::ddr3
