// SPDX-License-Identifier: Apache-2.0
// What call-frame information would say, worked out from the code of a function: for assembly and
// for libraries that come without it.
//
// The function is executed with symbols for the values that its registers had at its beginning,
// along all of its branches at once, until nothing new is found (a data-flow analysis).  So what is
// known at an instruction is what holds on every way there: where the stack pointer of the caller
// is, and which registers were saved where.  Prologues may stand anywhere, and several times.
//
// Assumed, as the ABI demands: calls keep r1, r2, r13, r14, r16, r17 and r19 to r31, and what was
// saved in the frame; stores through pointers do not hit saved registers.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/host/frame_rule.h"

namespace gvp::host {

// By instruction of the function.
struct FrameRules {
  std::vector<FrameRule> before;       // it executes
  std::vector<FrameRule> during_call;  // that it makes, and its delay slot has executed
};

// read: the word at an address; false where there is none.  The function's words are those from
// first on, up to (not including) the address end.
FrameRules analyse_frames(uint32_t first, uint32_t end,
                          const std::function<bool(uint32_t address, uint32_t& word)>& read);

}  // namespace gvp::host
