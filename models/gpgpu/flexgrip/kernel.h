// SPDX-License-Identifier: Apache-2.0
// One kernel launch as the control registers describe it, and whether this device can run it
// (thesis 4.1.2).  Sizes are bytes.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/gpgpu/admission.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/simt/occupancy.h"

namespace gvp::gpgpu::flexgrip {

struct Kernel {
  uint32_t blocks_per_core = 0;  // 0: as many as fit
  uint32_t registers_per_thread = 0;
  uint32_t shared_static_bytes = 0;
  uint32_t shared_dynamic_bytes = 0;
  uint32_t block_x = 0, block_y = 0, block_z = 0;
  uint32_t grid_x = 0, grid_y = 0;
  uint32_t parameter_count = 0;
  std::vector<uint32_t> parameters;  // reach the kernel from s[0x10] on

  std::array<uint32_t, 3> grid() const { return {grid_x, grid_y, 1}; }
  uint32_t threads() const { return block_x * block_y * block_z; }
  uint32_t warps_per_block() const { return simt::warps_of(threads()); }
  // What one block is allocated: header, parameters, static and dynamic shared memory, in steps
  // of 256 bytes as the published RTL does.
  uint64_t shared_bytes() const;
};

// Reads a register of the control window by its offset.
using ReadRegister = std::function<uint32_t(uint32_t offset)>;

Kernel described_kernel(const ReadRegister& registers);
// What the driver calls it; a kernel without a name goes by its code.
std::string kernel_name(const ReadRegister& registers, const std::vector<uint32_t>& code);
// What is wrong with the constant banks, or "".
std::string bank_problem(const ReadRegister& registers, const Configuration& configuration);

// Whether and how a device runs a kernel.
Admission admit(const Kernel& kernel, const Configuration& configuration);

}  // namespace gvp::gpgpu::flexgrip
