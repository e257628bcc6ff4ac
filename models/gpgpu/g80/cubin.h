// SPDX-License-Identifier: Apache-2.0
// Files with G80 code: cubins in the text form of CUDA 1.x and 2.x and in the ELF form that
// replaced it, and .hex files (one 32-bit word per line).  Readers never trust a size or an
// offset; what is wrong is reported with file and line (text) or file and section (ELF).
// Not read: textures and their samplers (skipped), device functions that are called across
// modules, debug information other than line tables.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/hex_words.h"
#include "models/gpgpu/g80/module.h"

namespace gvp::gpgpu::g80 {

// Reads a cubin of either form, told apart by their first bytes.  Throws gvp::Error (bad input).
Module read_cubin(const std::string& path);
// The same from memory.
Module parse_cubin(std::string_view contents, const std::string& file);

Module parse_text_cubin(std::string_view text, const std::string& file);
std::string to_text_cubin(const Module& module);

Module parse_elf_cubin(std::string_view contents, const std::string& file);
std::vector<uint8_t> to_elf_cubin(const Module& module);

// .hex files: the same for every instruction set.
using gvp::parse_hex;
using gvp::to_hex;
std::vector<uint32_t> read_hex(const std::string& path);

// The whole file.  Throws gvp::Error if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace gvp::gpgpu::g80
