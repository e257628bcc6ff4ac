// SPDX-License-Identifier: Apache-2.0
// Copies of structures in LLVM's intermediate code, as clang writes them.
#pragma once

#include <string>

namespace gvp::kcc {

// Words of a structure that belong to no member are not copied: nothing was written there, and
// `gpgpu-run --check` would say so.  Clang says where the members are (!tbaa.struct).
std::string without_holes(const std::string& text);

}  // namespace gvp::kcc
