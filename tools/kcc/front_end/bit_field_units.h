// SPDX-License-Identifier: Apache-2.0
// Structures with bit fields that functions take and give by value, in LLVM's intermediate code as
// clang writes it.
#pragma once

#include <string>

namespace gvp::kcc {

// Clang keeps bit fields of 17 to 24 bits in an i24, and longer ones in an i40, i48 or i56, and so
// on: LLVM 14 passes none of these.  As they take as much memory as an i32, i64 or i128, and are
// aligned as these are, structures that are passed by value get those in their places.
std::string with_whole_units(const std::string& text);

}  // namespace gvp::kcc
