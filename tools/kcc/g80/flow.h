// SPDX-License-Identifier: Apache-2.0
// Passes over the control flow of machine code: tidying blocks, turning short branches into
// predicated instructions, and placing the pushes and joins of the reconvergence stack.
#pragma once

#include <vector>

#include "tools/compiler/ways_to_end.h"
#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Removes empty and unreachable blocks and joins those that follow each other.
void simplify_flow(Kernel& kernel);
void remove_unreachable(Kernel& kernel);

// Short arms of branches, executed under the branch's condition where that pays (branch_costs.h).
void convert_branches(Kernel& kernel);

// By block: whether threads of a warp may take its branch differently.
std::vector<bool> divergent_branches(const Kernel& kernel, const compiler::Graph& graph);

// Blocks from which threads come to a barrier, a vote, or what they exchange without either.
compiler::Meets before_barriers(const Kernel& kernel, const compiler::Graph& graph);

// Whether threads access memory that others may access from the begin of a block on.
bool access_memory_from(const Kernel& kernel, const compiler::Graph& graph, uint32_t block);

// In kernels with barriers or votes: an end of their own for threads that leave others on their way
// to one, where these can be made to meet then, or where the end accesses memory.
void give_own_ends(Kernel& kernel);

// In kernels with barriers: one way back to the begin of loops that threads leave by ending.
void unify_ways_back(Kernel& kernel);

// SSY and join for all branches that threads of a warp may take differently.
void synchronise(Kernel& kernel);

// After that: branches in loops whose staying threads would go first, and fill the stack; and such
// where others would come to a barrier before those that end access memory.
void let_leaving_threads_go_first(Kernel& kernel);

}  // namespace gvp::kcc::g80
