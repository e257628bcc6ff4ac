// SPDX-License-Identifier: Apache-2.0
// LLVM fetches a constant or a parameter on each of several ways that lead to its use, and has one
// register for them from there.  That register has several definitions, of which nothing is known,
// and is kept although what it has could be an operand.
#pragma once

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// What all ways fetch from the same word that never changes is fetched in front of what uses it,
// once in a block, where this takes no more instructions, loops counted ten times.
void fetch_where_used(Kernel& kernel);

}  // namespace gvp::kcc::g80
