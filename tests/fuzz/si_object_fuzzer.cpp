// SPDX-License-Identifier: Apache-2.0
// Any file: an error, or an object whose kernels lie in its code.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "models/base/error.h"
#include "models/gpgpu/southern_islands/code_object.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
  using namespace gvp::gpgpu::southern_islands;
  try {
    const CodeObject object =
        read_code_object({reinterpret_cast<const char*>(data), size}, "input.o");
    for (const ObjectKernel& kernel : object.kernels)
      if (kernel.bytes == 0 || kernel.entry / 4 + kernel.bytes / 4 > object.code.size())
        std::abort();
  } catch (const gvp::Error&) {
  }
  return 0;
}
