// SPDX-License-Identifier: Apache-2.0
// Loops that end where a counter reaches a number, `i != n`, reach us with the number as what the
// counter is behind them, where they have another way out; then the counter is copied in each round
// for that other way, and the number is kept for this one.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Copies the counter instead of the number, so that both ways bring the same register.
void copy_what_is_equal(Kernel& kernel);

}  // namespace gvp::kcc::g80
