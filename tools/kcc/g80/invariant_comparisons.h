// SPDX-License-Identifier: Apache-2.0
// Comparisons in loops that say the same in each round, before the loop, as long as there are flags
// registers that nobody in the loop wants: they take neither an instruction of each round nor the
// registers that they compare.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

void compare_before_loops(Kernel& kernel);

}  // namespace gvp::kcc::g80
