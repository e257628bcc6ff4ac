// SPDX-License-Identifier: Apache-2.0
// Instructions that set a flag to say whether a number is zero, where what computes the number can
// say it itself; negations of such numbers become those of whoever asks.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

void test_results(Kernel& kernel);

}  // namespace gvp::kcc::g80
