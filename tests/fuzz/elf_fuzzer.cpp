// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>

#include "models/base/error.h"
#include "platform/elf/elf_file.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto nothing = [](uint32_t, const void*, size_t) -> size_t { return 0; };
    const auto file = gvp::platform::parse_elf({data, data + size}, "input");
    gvp::platform::load(file, {[](uint32_t, void*, size_t) -> size_t { return 0; }, nothing, {}});
  } catch (const gvp::Error&) {
  }
  return 0;
}
