// SPDX-License-Identifier: Apache-2.0
// The 164 entries, operations in a format, that the published RTL of MIAOW2.0 has units for, as its
// decoder and its units say.  Others it decodes and never finishes, or does not decode.  No
// SystemC.
#pragma once

#include "models/gpgpu/southern_islands/instruction.h"

namespace gvp::gpgpu::miaow {

bool rtl_executes(const southern_islands::Instruction& instruction);

}  // namespace gvp::gpgpu::miaow
