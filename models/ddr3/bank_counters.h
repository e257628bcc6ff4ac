// SPDX-License-Identifier: Apache-2.0
// What is counted for each bank of a DDR3 memory: bursts, by the state in which they found it, and
// activate commands.  No SystemC.
#pragma once

#include <cstdint>

namespace gvp::ddr3 {

struct BankCounters {
  uint64_t hits = 0;
  uint64_t misses = 0;     // the bank was closed
  uint64_t conflicts = 0;  // another row was open
  uint64_t activates = 0;
};

}  // namespace gvp::ddr3
