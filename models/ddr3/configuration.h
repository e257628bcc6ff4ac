// SPDX-License-Identifier: Apache-2.0
// Configuration of the DDR3 memory.  Device timings are data files (platform/configs/ddr3/),
// never code.
#pragma once

#include <cstdint>
#include <string>

namespace gvp::ddr3 {

struct Configuration {
  uint64_t size = 512ull << 20;  // bytes
  double clock_hz = 400e6;       // SDRAM clock (tCK = 2.5 ns)
};

}  // namespace gvp::ddr3
