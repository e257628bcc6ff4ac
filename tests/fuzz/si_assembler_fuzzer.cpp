// SPDX-License-Identifier: Apache-2.0
// Any text: an error or words; what was assembled must survive listing and assembling again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "models/base/error.h"
#include "models/gpgpu/southern_islands/assembler.h"
#include "models/gpgpu/southern_islands/disassembler.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace gvp::gpgpu::southern_islands;
  Assembly assembly;
  try {
    assembly = assemble({reinterpret_cast<const char*>(data), size}, "input.s");
  } catch (const gvp::Error&) {
    return 0;
  }
  if (assemble(to_listing(assembly.words), "listing.s").words != assembly.words) std::abort();
  return 0;
}
