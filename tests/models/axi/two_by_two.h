// SPDX-License-Identifier: Apache-2.0
// An interconnect of two initiators, a RAM and an AXI4-Lite device, for tests.
#pragma once

#include <cstdint>
#include <numeric>
#include <systemc>
#include <vector>

#include "models/axi/configuration.h"

namespace gvp::axi {

inline sc_core::sc_time ns(double value) { return {value, sc_core::SC_NS}; }

// Data to tell apart: first, first + 1 ...
inline std::vector<uint8_t> counting(size_t bytes, uint8_t first = 1) {
  std::vector<uint8_t> data(bytes);
  std::iota(data.begin(), data.end(), first);
  return data;
}

inline InterconnectConfiguration two_by_two() {
  InterconnectConfiguration configuration;
  configuration.initiators = {"cpu", "gpu"};
  configuration.targets = {"ram", "device"};
  configuration.regions = {{"ram", 0x10000, 0x10000, 0, 0, false},
                           {"device", 0x20000, 0x1000, 1, 0, true}};
  configuration.request_cycles = 2;
  configuration.response_cycles = 3;
  configuration.lite_cycles = 5;
  return configuration;
}

}  // namespace gvp::axi
