// SPDX-License-Identifier: Apache-2.0
// .hex files and whole files.
#include "models/base/files.h"
#include "models/gpgpu/g80/cubin.h"

namespace gvp::gpgpu::g80 {

std::vector<uint32_t> read_hex(const std::string& path) { return parse_hex(read_file(path), path); }

std::string read_file(const std::string& path) {
  constexpr FileKind kKernels{"a file with kernels", 64u << 20};
  return read_whole_file(path, kKernels);
}

Module read_cubin(const std::string& path) { return parse_cubin(read_file(path), path); }

Module parse_cubin(std::string_view contents, const std::string& file) {
  if (contents.substr(0, 4) ==
      "\x7f"
      "ELF")
    return parse_elf_cubin(contents, file);
  return parse_text_cubin(contents, file);
}

}  // namespace gvp::gpgpu::g80
