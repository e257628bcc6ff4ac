// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that meet in shared memory without a barrier.
#pragma once

#include <string>

namespace gvp::kcc {

// Kernels for the first devices let the threads of a warp exchange values without a barrier
// between, as they execute each instruction together, and without `volatile`, which compilers
// needed later:
//   if (t < 32) { s[t] += s[t + 32]; s[t] += s[t + 16]; ... }
// LLVM knows that s[t] is not s[t + 16], so it stores the last sum only.  Where a store to shared
// memory may be followed by a load without a barrier between, this puts something behind it in
// LLVM's intermediate code that may look at all memory.  The text is to be optimised as far as that
// pointers are no longer kept in local variables.
std::string with_stores_before_loads(const std::string& text);

// A thread that has taken a lock gives it back in the loop in which others of its warp try to take
// it:
//   while (!done) if (atomicCAS(lock, 0, 1) == 0) { ...; done = true; atomicExch(lock, 0); }
// LLVM sees that `done` ends the loop and moves what stands there behind it, where the warp's
// threads meet first, so that all wait forever.  Before each branch of such a loop, this puts what
// LLVM moves no thread around.  The text is what clang made before any optimisation.
std::string with_locks_in_their_loops(const std::string& text);

}  // namespace gvp::kcc
