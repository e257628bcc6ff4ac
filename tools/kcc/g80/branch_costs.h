// SPDX-License-Identifier: Apache-2.0
// Whether a branch's short arms are better executed by all threads of a warp under a predicate.
// A warp none of whose threads takes an arm skips it only with a branch; with a predicate it goes
// through the pipeline like any other.
#pragma once

#include <vector>

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Registers whose values come from memory that programs write, directly or not, and from places
// that are not the same for all threads: threads of a warp seldom agree on a condition that depends
// on one.  Conditions that depend on the index of the thread alone often leave whole warps without
// a thread, and those that all threads read at one place always do, or none.
std::vector<bool> registers_with_data(const Kernel& kernel);

// arms: one or two blocks behind a branch that threads of a warp may take differently
bool predicates_pay(const std::vector<const Block*>& arms, bool condition_is_data);

// How many warps have threads that go one of the two ways out of a branch.
enum class Way : uint8_t { kRare, kEven, kUsual };

// Whether these are better executed on that way alone, by the warps that go it, which take a jump
// more then.
bool jump_pays(const std::vector<const Instruction*>& instructions, Way way);

}  // namespace gvp::kcc::g80
