// SPDX-License-Identifier: Apache-2.0
// Addresses of arrays in shared, constant or local memory that differ by a number only: tiles that
// are indexed alike are x + y + 36 and x + y + 1060, and reach us as (x + 36) + y, (x + 1060) + y.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Computes such addresses of a block as one sum, the lowest one, and leaves the difference to the
// operands' offsets; later passes remove what is computed twice then.  Whether something changed.
bool share_sums(Kernel& kernel);

}  // namespace gvp::kcc::g80
