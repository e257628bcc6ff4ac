// SPDX-License-Identifier: Apache-2.0
// Cleaning up after the lowering: copies, repeated computations, dead code, and operands that an
// instruction can take from memory or negate by itself.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// All of them, until nothing changes.
void optimise(Kernel& kernel);

void remove_dead_code(Kernel& kernel);

}  // namespace gvp::kcc::g80
