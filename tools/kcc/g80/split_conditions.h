// SPDX-License-Identifier: Apache-2.0
// Branches on several comparisons that clang has combined into one number.  A branch takes less
// time than the instruction that combines two of them, and a warp none of whose threads passes the
// first need not make the second.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Branches after each comparison, where what any of them leads past comes behind the rest, so that
// no thread has to wait for others twice.
void split_conditions(Kernel& kernel);

}  // namespace gvp::kcc::g80
