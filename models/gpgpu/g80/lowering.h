// SPDX-License-Identifier: Apache-2.0
// Turns one decoded instruction into the Op that executes it: operands become rows of the warp's
// register storage or loads into operand rows, and the function that does the work is chosen.
// Links between ops (next, target) are left to the program.
#pragma once

#include "models/gpgpu/g80/program.h"

namespace gvp::gpgpu::g80 {

// The instruction must be executable and must outlive the op.
Op lower(const Instruction& instruction, uint32_t pc, unsigned registers, const Machine& machine);
// An op that stops the warp with a fault.
Op faulting_op(const Instruction& instruction, uint32_t pc, FaultCause cause);

}  // namespace gvp::gpgpu::g80
