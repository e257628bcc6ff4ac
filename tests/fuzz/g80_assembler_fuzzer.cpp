// SPDX-License-Identifier: Apache-2.0
// Any text: an error or a module; what was assembled must survive listing and assembling again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "models/base/error.h"
#include "models/gpgpu/g80/assembler.h"
#include "models/gpgpu/g80/listing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace gvp::gpgpu::g80;
  Module module;
  try {
    module = assemble({reinterpret_cast<const char*>(data), size}, "input.s");
  } catch (const gvp::Error&) {
    return 0;
  }
  const Module again = assemble(to_listing(module), "listing.s");  // must not throw
  if (again.kernels.size() != module.kernels.size()) std::abort();
  for (std::size_t n = 0; n < module.kernels.size(); ++n)
    if (again.kernels[n].code != module.kernels[n].code) std::abort();
  if (again.constants != module.constants || again.relocations != module.relocations) std::abort();
  return 0;
}
