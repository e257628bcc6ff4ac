// SPDX-License-Identifier: Apache-2.0
// Rewrites 64-bit address arithmetic to 32 bits, for machines whose addresses have 32 bits: the
// low half of a sum, product or left shift depends on the low halves of the operands only.  What
// needs the upper half (comparisons, right shifts, divisions, 64-bit data) is refused where it
// stands.  Afterwards the function has no 64-bit register.
#pragma once

#include "tools/ptx/module.h"

namespace gvp::ptx {

void narrow_addresses(const Module& module, Function& function);

}  // namespace gvp::ptx
