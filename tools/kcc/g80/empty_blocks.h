// SPDX-License-Identifier: Apache-2.0
// Blocks that nothing is left of when registers are known, because their copies have the same
// register on both sides.
#pragma once

#include <vector>

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Whether the instruction copies a register to itself.  numbers: the hardware register of each
// virtual one.
bool copies_to_itself(const Instruction& instruction, const std::vector<uint32_t>& numbers);

// Lets branches go on to where such blocks lead, and takes them out.  Nothing may ask for virtual
// registers any more.
void remove_empty_blocks(Kernel& kernel, const std::vector<uint32_t>& numbers);

}  // namespace gvp::kcc::g80
