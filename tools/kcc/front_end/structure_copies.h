// SPDX-License-Identifier: Apache-2.0
// Copies of structures in LLVM's intermediate code, as clang writes them.
#pragma once

#include <string>

namespace gvp::kcc {

// Words of a structure that belong to no member are not copied: nothing was written there, and
// `gpgpu-run --check` would say so.  Clang says where the members are (!tbaa.struct).
std::string without_holes(const std::string& text);

// Optimised code: bytes that belong to no member are copied all the same, within a word or where
// fields of bits keep clang from telling, and are variables of their own where the structure is in
// registers; on ways on which nothing was copied to them nobody wrote them.  There they are zero.
// (So are members, and narrow variables of the source's, that are not set on some way, of which
// --check then does not tell either.)
std::string with_holes_as_zero(const std::string& text);

}  // namespace gvp::kcc
