// SPDX-License-Identifier: Apache-2.0
// Whether a sum has wrapped around, LLVM asks by comparing it with what it was made of, also where
// the source asks whether a counter has come to zero: `n + 1 < n` for `n + 1 == 0`.  Both are kept
// for that through a loop, and copied.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Compares the sum with the constant that was added instead, which says the same.
void compare_wrapped(Kernel& kernel);

}  // namespace gvp::kcc::g80
