// SPDX-License-Identifier: Apache-2.0
// The last passes before register allocation: $a registers for computed addresses, and operands
// that have an encoding where they stand.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Assigns $a1 to $a3, and computes them where needed: once for a block, or with `across_blocks` not
// where all ways to a block have done so.
void assign_address_registers(Kernel& kernel, bool across_blocks);

// Brings operands that an instruction cannot take into registers; constants, with `literals`,
// into constant bank 1, from where most instructions can take them.
void legalise(Kernel& kernel, bool literals);

}  // namespace gvp::kcc::g80
