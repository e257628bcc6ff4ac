// SPDX-License-Identifier: Apache-2.0
// Structures that functions take and give have holes, and clang copies these with the rest: from
// registers that nobody writes.  The machine has something there, at which nobody looks; but
// `gpgpu-run --check` would report that it is stored.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Registers that have no definition are zero where they are read.
void define_as_zero(Kernel& kernel);

}  // namespace gvp::kcc::g80
