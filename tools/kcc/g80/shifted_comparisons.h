// SPDX-License-Identifier: Apache-2.0
// Loops that halve a number, `for (; n > 0; n >>= 1)`, reach us with the test on the number before
// the shift, `old > 1`, so that both are kept through the loop, and copied.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Compares what has been shifted instead of what is shifted, where nothing else wants the latter.
void compare_shifted(Kernel& kernel);

}  // namespace gvp::kcc::g80
