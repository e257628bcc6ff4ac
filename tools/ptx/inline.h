// SPDX-License-Identifier: Apache-2.0
// Puts the bodies of called functions in the place of the calls, so that a code generator sees
// one function, or one more for each that is to stay one.  Parameters in .param space become
// registers, or local variables where they are read in other pieces than they were written in, or
// by address.  Recursion and functions without a body are refused where they stand.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tools/ptx/module.h"

namespace gvp::ptx {

// Says what is wrong with a call of a function without a body, if there is more to say than that:
// a text and its remedy.
struct MissingBody {
  std::string what;
  std::string remedy;
};
using ExplainMissing = std::function<MissingBody(const std::string& function)>;

struct CallOptions {
  std::set<std::string> kept;  // functions that are called, and not inlined
  uint32_t most_words = 8;     // of parameters in registers
  ExplainMissing explain;
};

// The kernel comes last, functions that are kept before it, each behind those that it calls.  Their
// parameters and results, and those of calls of them (Instruction::direct), are registers.  The
// module gets the local variables.
std::vector<Function> inline_calls(Module& module, const Function& kernel,
                                   const CallOptions& options = {});

[[noreturn]] void refuse_recursion(const Module& module, const Instruction& call);

}  // namespace gvp::ptx
