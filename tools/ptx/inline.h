// SPDX-License-Identifier: Apache-2.0
// Puts the bodies of called functions in the place of the calls, so that a code generator sees
// one function.  Parameters in .param space become registers.  Recursion, functions without a
// body and parameters whose address is taken are refused where they stand.
#pragma once

#include "tools/ptx/module.h"

namespace gvp::ptx {

Function inline_calls(const Module& module, const Function& function);

}  // namespace gvp::ptx
