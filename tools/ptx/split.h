// SPDX-License-Identifier: Apache-2.0
// 64-bit integers for machines whose registers have 32 bits: each register becomes two, each
// operation some of 32 bits.  For code with 32-bit addresses, after calls are inlined; code with
// 64-bit addresses is narrowed instead (narrow.h).  Division, conversions from and to floats and
// products' upper halves are routines of the code generator and not met here.  Packing of
// 16-bit halves into words is taken apart, too.
#pragma once

#include "tools/ptx/module.h"

namespace gvp::ptx {

// Throws gvp::Error that points to an operation on 64 bits that has no counterpart.
void split_wide(const Module& module, Function& function);

}  // namespace gvp::ptx
