// SPDX-License-Identifier: Apache-2.0
// Kernels as a C header, for firmware that brings its kernels along: the code's words, and of each
// kernel what its launcher has to know.
#pragma once

#include <string>

#include "models/gpgpu/southern_islands/code_object.h"

namespace gvp::oclc {

// name: what all names in the header begin with, an identifier.
std::string to_c_header(const gpgpu::southern_islands::CodeObject& object, const std::string& name,
                        const std::string& source);
// "my-kernels.cl" -> "my_kernels".
std::string identifier_of(const std::string& file);

}  // namespace gvp::oclc
