// SPDX-License-Identifier: Apache-2.0
// What of a kernel lies in a device's constant memory, one behind the other: the file's variables
// and textures, the kernel's literals, and the addresses of variables in global memory.
#pragma once

#include "models/gpgpu/g80/module.h"
#include "tools/ptx/module.h"

namespace gvp::kcc::g80 {

// Refuses a kernel for which no device has enough of it, with the sum.  data: the module's
// variables.
void check_constant_memory(const ptx::Module& module, const ptx::Function& entry,
                           const gpgpu::g80::Module& data, const gpgpu::g80::Kernel& kernel);

}  // namespace gvp::kcc::g80
