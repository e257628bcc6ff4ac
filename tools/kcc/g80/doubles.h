// SPDX-License-Identifier: Apache-2.0
// Double precision in code that a compiler made from CUDA C: the machine has none, so doubles in
// registers, constants and parameters are floats.  In memory they keep their eight bytes, and
// loads and stores convert, with routines of the library: shared and local memory are the kernel's
// own affair; doubles in global and constant memory, which the host shares, have to be asked for.
#pragma once

#include <string>
#include <vector>

#include "tools/ptx/module.h"

namespace gvp::kcc::g80 {

// Before calls of the library are inlined.  arrays: whether doubles in global and constant memory
// are accessed; they stay as they are, else, and are refused where a kernel needs them.
// Gives a warning for each function, "k.cu:3:5: warning: ...".
std::vector<std::string> demote_doubles(ptx::Module& module, bool arrays);

// A kernel whose calls are inlined: a pointer that a function was given may point to the kernel's
// own memory, which is known here.  Whether there are calls of the library to inline now.
bool demote_own_memory(ptx::Module& module, ptx::Function& kernel);

}  // namespace gvp::kcc::g80
