// SPDX-License-Identifier: Apache-2.0
// Where the variables and parameters of a kernel lie: parameters from s[0x10] in slots of four
// bytes, static shared variables behind them, dynamic ones last; __constant__ variables in bank 0;
// local variables from l[0]; the addresses of __device__ variables in bank 14, which the loader
// fills.  Sizes and addresses are bytes.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/gpgpu/g80/module.h"
#include "tools/ptx/module.h"

namespace gvp::kcc::g80 {

// Local memory of a thread, in bytes: what a 16-bit address reaches.
inline constexpr uint32_t kLocalLimit = 65536;

struct Layout {
  std::vector<uint32_t> address_of;  // by symbol; __device__ variables: offset in bank 14
  uint32_t parameter_bytes = 0;
  uint32_t shared_bytes = 0;  // static, with header and parameters
  uint32_t local_bytes = 0;
};

// functions: the kernel, last, and those that it calls, with all variables they use.  All but local
// memory.
Layout lay_out(const ptx::Module& module, const std::vector<ptx::Function>& functions);

// The same with local variables of one of the functions, from an address on.  passed: where others
// have what is passed to them there, by symbol; this one's is added.
Layout lay_out_local(const ptx::Module& module, const ptx::Function& function, Layout layout,
                     uint32_t first, std::map<uint32_t, uint32_t>& passed);

// The module-wide constants and relocations that go with every layout.
void add_module_data(const ptx::Module& module, gpgpu::g80::Module& out);

}  // namespace gvp::kcc::g80
