// SPDX-License-Identifier: Apache-2.0
// Hardware registers for virtual ones: $r0... and $c0 to $c3.  What finds no register is computed
// again where it is needed if that is one instruction, and otherwise kept in local memory.
#pragma once

#include <set>
#include <vector>

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

struct Registers {
  std::vector<uint32_t> number;  // by virtual register
  uint32_t count = 0;            // general registers of a thread
  uint32_t spilled = 0;
  // Predicates that found no flags register: not empty means the kernel must be lowered again
  // with these in general registers.
  std::set<uint32_t> predicates;
};

// limit: general registers a thread may have.  comfortable: what to stay within if that takes no
// local memory.
Registers allocate_registers(Kernel& kernel, uint32_t limit, uint32_t comfortable);

}  // namespace gvp::kcc::g80
