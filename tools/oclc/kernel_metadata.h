// SPDX-License-Identifier: Apache-2.0
// What clang says of kernels' arguments in the text of its intermediate code: metadata of OpenCL
// ("!kernel_arg_base_type" and the like; LLVM 14).
#pragma once

#include <string>
#include <vector>

#include "models/gpgpu/southern_islands/kernel_arguments.h"

namespace gvp::oclc {

// In the order of the file; without offsets.  Throws Error (model error) naming the kernel for
// metadata that are not there or do not agree.
std::vector<gpgpu::southern_islands::KernelArguments> kernel_arguments(const std::string& code);

}  // namespace gvp::oclc
