// SPDX-License-Identifier: Apache-2.0
// What only one of the two ways out of a branch needs: copies for the values that meet where it
// leads, and what LLVM has computed early.  In front of the branch all warps pay for it.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Computes it behind the branch: in the block there, or, where others lead to that, in one of its
// own if warps that do not come there save more than the others lose by the jump out of it.
void compute_behind_branches(Kernel& kernel);

}  // namespace gvp::kcc::g80
