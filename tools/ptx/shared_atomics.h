// SPDX-License-Identifier: Apache-2.0
// Atomic operations on shared memory, for machines that have none as one instruction, but loads
// that lock a word and stores that unlock it: each becomes a loop, which a thread leaves when it
// was its turn.  Threads of a warp that want one word take turns in the order of their numbers.
#pragma once

#include "tools/ptx/module.h"

namespace gvp::ptx {

// After generic addresses are resolved.  The two halves are an atom and a red with `locked`: the
// atom's second destination says whether the word was free, and its guard keeps the red from
// storing where it was not.  Operations on other types than words of 32 bits stay.
void expand_shared_atomics(Function& function);

}  // namespace gvp::ptx
