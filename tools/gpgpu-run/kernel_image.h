// SPDX-License-Identifier: Apache-2.0
// A kernel ready for the device: code, resources, and where its constant banks lie in the
// device's one constant memory.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/g80/module.h"
#include "tools/gpgpu-run/request.h"

namespace gvp::tools {

struct BankPlace {
  uint32_t base = 0;
  uint32_t bytes = 0;
};

// Initial contents of global memory that the module, not the user, asks for.
struct Preload {
  std::string name;
  uint32_t address;
  uint32_t bytes;
  std::vector<uint32_t> words;
};

struct KernelImage {
  std::string name;
  std::vector<uint32_t> code;
  uint32_t registers = 0;
  uint32_t static_shared_bytes = 0;  // beyond header and parameters
  std::array<BankPlace, 16> banks;
  std::vector<uint8_t> constants;  // contents of constant memory
  std::vector<Preload> globals;    // variables of the module
};

// Reads the files that the request names; throws Error (bad input) for what the device of its
// configuration cannot hold.
KernelImage make_kernel_image(const Request& request);

}  // namespace gvp::tools
