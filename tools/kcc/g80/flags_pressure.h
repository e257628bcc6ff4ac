// SPDX-License-Identifier: Apache-2.0
// How many flags registers are live at a time: there are four, and what finds none moves to a
// general register, which takes an instruction for each time it is asked.
#pragma once

#include <vector>

#include "tools/compiler/liveness.h"
#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

inline constexpr uint32_t kFlagsRegisters = 4;

// How many are live before each instruction of a block, and behind the last; one that is written
// counts behind its instruction, even if nobody reads it.
std::vector<uint32_t> live_flags(const Kernel& kernel, const compiler::Liveness& live,
                                 uint32_t block);

}  // namespace gvp::kcc::g80
