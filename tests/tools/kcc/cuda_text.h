// SPDX-License-Identifier: Apache-2.0
// Kernels in CUDA C that tests write as text: compiled at a level, run on the machine, loosely and
// approximately timed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/g80/module.h"
#include "tools/kcc/front_end.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {

// What is compiled with what; the level counts for both parts.
struct CudaOptions {
  unsigned optimise = 2;
  FrontEndOptions front_end;
  g80::Options back_end;
};

g80::Result compile_text(const std::string& text, CudaOptions options);
gpgpu::g80::Module compiled(const std::string& text, unsigned optimise);

// Runs kernel k(in, out, n) of one block; the words at `out`, which has as many as `in`.  Both
// timings must agree.
std::vector<uint32_t> results(const gpgpu::g80::Module& module, uint32_t threads,
                              const std::vector<uint32_t>& in, uint32_t n,
                              uint32_t dynamic_shared = 0);
// With more words, or fewer, behind the two addresses.
std::vector<uint32_t> results_with(const gpgpu::g80::Module& module, uint32_t threads,
                                   const std::vector<uint32_t>& in,
                                   const std::vector<uint32_t>& rest, uint32_t dynamic_shared = 0);

// The message with which kcc refuses the text; empty if it does not.  What clang has to say goes to
// stderr.
std::string refusal(const std::string& text, CudaOptions options = {});

}  // namespace gvp::kcc
