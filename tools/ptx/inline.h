// SPDX-License-Identifier: Apache-2.0
// Puts the bodies of called functions in the place of the calls, so that a code generator sees
// one function.  Parameters in .param space become registers, or local variables where they are
// read in other pieces than they were written in, or by address.  Recursion and functions without a
// body are refused where they stand.
#pragma once

#include <functional>
#include <string>

#include "tools/ptx/module.h"

namespace gvp::ptx {

// Says what is wrong with a call of a function without a body, if there is more to say than that:
// a text and its remedy.
struct MissingBody {
  std::string what;
  std::string remedy;
};
using ExplainMissing = std::function<MissingBody(const std::string& function)>;

// The module gets the local variables.
Function inline_calls(Module& module, const Function& function, const ExplainMissing& explain = {});

}  // namespace gvp::ptx
