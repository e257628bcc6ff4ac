// SPDX-License-Identifier: Apache-2.0
// Doubles that a kernel only moves from memory to memory.
#pragma once

#include "tools/ptx/module.h"

namespace gvp::kcc::g80 {

// Registers that are loaded from memory and stored there, and are in no computation, become 64 bits
// without a meaning: nothing is lost of them, and nothing is to be demoted.
void copy_doubles_as_words(ptx::Function& function);

}  // namespace gvp::kcc::g80
