// SPDX-License-Identifier: Apache-2.0
// Any file: an error or a module, from the text and the ELF reader.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
#include "models/gpgpu/g80/listing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace gvp::gpgpu::g80;
  try {
    const Module module = parse_cubin({reinterpret_cast<const char*>(data), size}, "input.cubin");
    if (to_listing(module).empty() && !module.kernels.empty()) std::abort();
    const Module again = parse_text_cubin(to_text_cubin(module), "again.cubin");
    if (again.kernels.size() != module.kernels.size()) std::abort();
  } catch (const gvp::Error&) {
  }
  return 0;
}
