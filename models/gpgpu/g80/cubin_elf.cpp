// SPDX-License-Identifier: Apache-2.0
#include "models/base/error.h"
#include "models/gpgpu/g80/cubin.h"
namespace gvp::gpgpu::g80 {
Module parse_elf_cubin(std::string_view, const std::string& file) {
  throw bad_input("ELF cubins are not read yet", {file, 0, 0});
}
std::vector<uint8_t> to_elf_cubin(const Module&) {
  throw bad_input("ELF cubins are not written yet");
}
}  // namespace gvp::gpgpu::g80
