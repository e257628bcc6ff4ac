// SPDX-License-Identifier: Apache-2.0
// .target ..., map_f64_to_f32 (PTX ISA 1.x): double precision is computed in single precision.  It
// is how CUDA's compiler gave a double constant in the source to machines without doubles.  Done
// here: registers, instructions and literals.  Refused: doubles in memory, which keep their eight
// bytes, and reading a double's bits.
#pragma once

#include "tools/ptx/module.h"

namespace gvp::ptx {

// Whether the module asks for it.
bool maps_doubles(const Module& module);

void demote_doubles(Module& module);

}  // namespace gvp::ptx
