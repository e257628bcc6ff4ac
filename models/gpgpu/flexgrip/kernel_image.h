// SPDX-License-Identifier: Apache-2.0
// A kernel ready for the device: code, resources, and where its constant banks lie in the
// device's one constant memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/device/device_type.h"
#include "models/device/launcher.h"
#include "models/gpgpu/line_table.h"

namespace gvp::gpgpu::flexgrip {

struct BankPlace {
  uint32_t base = 0;
  uint32_t bytes = 0;
};

struct KernelImage {
  std::string name;
  std::vector<uint32_t> code;
  LineTable lines;  // empty: the file says nothing of them
  uint32_t registers = 0;
  uint32_t static_shared_bytes = 0;  // beyond header and parameters
  std::array<BankPlace, 16> banks;
  std::vector<uint8_t> constants;           // contents of constant memory
  std::vector<device::Variable> variables;  // of the module
};

// Reads the file that the request names; throws Error (bad input) for what the device cannot hold.
KernelImage make_kernel_image(const device::LaunchRequest& request,
                              const device::Instance& instance, const device::GlobalMemory& global);

}  // namespace gvp::gpgpu::flexgrip
