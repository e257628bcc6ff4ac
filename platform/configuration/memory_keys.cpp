// SPDX-License-Identifier: Apache-2.0
#include "platform/configuration/rows.h"

namespace gvp::platform::rows {

std::vector<Key> memory_keys() {
  return {
      {"ddr3.model", [](Configuration& c) -> Field { return &c.models.ddr3; }, model_name(), "",
       "Variant of the DDR3 memory and its controller: loosely timed, approximately timed, or RTL"},
      {"ddr3.size", [](Configuration& c) -> Field { return &c.ddr3.size; },
       power_of_two(1 << 20, 512 << 20), "bytes", "Size of the DDR3 memory"},
      {"ddr3.clock_hz", [](Configuration& c) -> Field { return &c.ddr3.clock_hz; },
       range(300e6, 800e6), "Hz", "Clock of the SDRAM, half its data rate"},
      {"ddr3.device", [](Configuration& c) -> Field { return &c.ddr3.device; }, anything(), "",
       "SDRAM device: the name of a built-in one or the path of a device file"},
      {"ddr3.front_end_ns", [](Configuration& c) -> Field { return &c.ddr3.front_end_ns; },
       range(0, 10000), "ns",
       "Port, command queue and PHY, both ways together (assumed: 20 cycles of 400 MHz)"},
      // The rest matters to the approximately timed controller only.
      {"ddr3.mapping", [](Configuration& c) -> Field { return &c.ddr3.mapping; },
       one_of({"row-bank-column", "bank-row-column"}), "",
       "How an address is split, most significant part first (approximately timed only)"},
      {"ddr3.scheduler", [](Configuration& c) -> Field { return &c.ddr3.scheduler; },
       one_of({"fr-fcfs", "in-order"}), "",
       "Which request goes next: one whose row is open, else the oldest; or always the oldest "
       "(approximately timed only)"},
      {"ddr3.page_policy", [](Configuration& c) -> Field { return &c.ddr3.page_policy; },
       one_of({"open", "closed"}), "",
       "Rows stay open, or are precharged after every burst (approximately timed only)"},
      {"ddr3.queue_depth", [](Configuration& c) -> Field { return &c.ddr3.queue_depth; },
       range(1, 1024), "requests", "Waiting for each bank (approximately timed only)"},
      {"ddr3.starvation_limit", [](Configuration& c) -> Field { return &c.ddr3.starvation_limit; },
       range(1, 1 << 20), "requests",
       "Younger requests that may overtake one request (approximately timed only)"},
      {"ddr3.refresh", [](Configuration& c) -> Field { return &c.ddr3.refresh; }, anything(), "",
       "Refresh takes its time (approximately timed only)"},
  };
}

}  // namespace gvp::platform::rows
