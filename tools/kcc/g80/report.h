// SPDX-License-Identifier: Apache-2.0
// What kcc -v prints: the resources of each kernel and the occupancy that they lead to on an SM
// with the limits of FlexGrip thesis table 5 (formulas of its section 4.1.2).
#pragma once

#include <string>

#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc::g80 {

std::string describe(const Result& result);

}  // namespace gvp::kcc::g80
