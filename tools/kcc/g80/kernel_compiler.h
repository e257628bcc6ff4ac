// SPDX-License-Identifier: Apache-2.0
// One kernel of a PTX module, with the functions that it calls, to G80 code.
#pragma once

#include <cstdint>

#include "tools/kcc/g80/compiler.h"
#include "tools/ptx/kept_functions.h"
#include "tools/ptx/module.h"

namespace gvp::kcc::g80 {

struct CompiledKernel {
  gpgpu::g80::Kernel kernel;
  KernelReport report;
  uint32_t stack_entries = 0;  // that nested branches and calls take (calls.h)
  bool has_calls = false;
};

// kept: the functions that are called, and not inlined.  The module gets local variables.
CompiledKernel compile_kernel(ptx::Module& module, const ptx::Function& entry,
                              const Options& options, const ptx::KeptFunctions& kept);

}  // namespace gvp::kcc::g80
