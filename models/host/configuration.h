// SPDX-License-Identifier: Apache-2.0
// Configuration of the MicroBlaze, named after the hardware's parameters (UG984, C_* generics).
#pragma once

#include <cstdint>

namespace gvp::host {

struct Configuration {
  double clock_hz = 100e6;
  uint32_t lmb_base = 0;             // local memory, byte address
  uint32_t lmb_size = 128u << 10;    // bytes; 0: none
  uint64_t max_instructions = 0;     // stop after this many; 0: no limit
};

}  // namespace gvp::host
