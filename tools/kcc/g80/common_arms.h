// SPDX-License-Identifier: Apache-2.0
// What both arms of a branch compute, a warp whose threads part computes twice: clang puts it there
// where each arm has a use of its own for it.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Computes it in front of the branch.
void compute_before_branches(Kernel& kernel);

}  // namespace gvp::kcc::g80
