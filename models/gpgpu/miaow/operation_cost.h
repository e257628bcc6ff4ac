// SPDX-License-Identifier: Apache-2.0
// What an instruction occupies of a compute unit: which unit, for how long, and which registers it
// reads and writes, as far as the scoreboard of MIAOW2.0 looks at them.  No SystemC.
#pragma once

#include <cstdint>
#include <vector>

#include "models/gpgpu/miaow/timing.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/program.h"

namespace gvp::gpgpu::miaow {

// Registers by the number of operands (southern_islands::Code), and SCC among them.
constexpr southern_islands::Code kSccRegister = southern_islands::code::kScc;
constexpr unsigned kRegisterNumbers = 512;

struct OperationCost {
  southern_islands::Unit unit = southern_islands::Unit::kIssue;
  bool branches = false;
  bool ends = false;            // the wavefront; all it takes is in Timing::launch
  bool is_store = false;        // memory
  bool is_vector = false;       // memory: an access in each active lane
  uint32_t cycles = 0;          // in its unit; branches: where they are not taken
  uint32_t access_words = 0;    // memory: words of an access
  uint32_t fixed_cycles = 0;    // memory: besides the words
  std::vector<uint16_t> reads;  // registers that must be up to date
  std::vector<uint16_t> writes;

  bool is_memory() const { return unit == southern_islands::Unit::kMemory; }
  // Whether results come later than the unit is free.
  bool is_late() const {
    return unit == southern_islands::Unit::kInteger || unit == southern_islands::Unit::kFloat;
  }
};

OperationCost cost_of(const southern_islands::Op& op, const Timing& timing);

}  // namespace gvp::gpgpu::miaow
