// SPDX-License-Identifier: Apache-2.0
// Operations that take the machine a routine: integer and float division, counting and moving
// bits (popc, clz, brev, bfi, prmt, bfe of a field that is not known).  The routines are written
// in PTX; calls of them take the place of the instructions, and are inlined with all other calls.
#pragma once

#include "tools/ptx/module.h"

namespace gvp::kcc::g80 {

// Adds the routines.
void add_library(ptx::Module& module);

// Replaces what needs a routine by calls.
void call_library(ptx::Function& function);

}  // namespace gvp::kcc::g80
