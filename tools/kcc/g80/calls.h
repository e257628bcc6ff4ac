// SPDX-License-Identifier: Apache-2.0
// A kernel and the functions that it calls (CAL, RET): each has been given registers before its
// callers are, which then know what it reads and writes.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// Moves around calls between virtual registers and those that the functions want.  The last step
// before registers are allocated: what these hold must not be kept longer.
void bind_calls(Kernel& kernel);

// What callers have to know of a function whose registers are allocated.
Callee describe_called(const Kernel& function, const std::vector<uint32_t>& numbers);

// Entries of a warp's stack that a call takes, with those of the function.
uint32_t entries_of_call(const Kernel& kernel, const Instruction& call);

// Entries of a warp's stack that nested branches and calls take: two for a region whose branch
// diverges, one for a call.
uint32_t stack_entries(const Kernel& kernel);

// A function and the hardware registers of its virtual ones.
struct Placed {
  Kernel code;
  std::vector<uint32_t> numbers;
};

// The kernel with the functions behind it, in the order of Kernel::callees, and with all their
// registers in numbers.
void append_functions(Placed& kernel, std::vector<Placed> functions);

}  // namespace gvp::kcc::g80
