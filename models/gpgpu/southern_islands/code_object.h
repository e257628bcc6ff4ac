// SPDX-License-Identifier: Apache-2.0
// Objects with kernels for Southern Islands, as clang 14 writes them for its target amdgcn--:
// ELF64, machine AMDGPU.  The code of all kernels is one section, .text; a kernel is a function
// symbol there. .AMDGPU.config has, kernel by kernel in the order of their code, pairs of words: a
// register and its value (LLVM's "User Guide for AMDGPU Backend"; registers from AMD's "Southern
// Islands 3D Registers"). Offsets and sizes are bytes.
//
// Tables that kernels read (sections .rodata and .data.rel.ro) lie in global memory, wherever the
// loader puts them; the code names them by distances from itself, directly or through a pointer,
// which place() fills in.  Not read: other relocations (code that needs them is refused), debug
// information, data that can be written.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpgpu/southern_islands/kernel_arguments.h"

namespace gvp::gpgpu::southern_islands {

struct ObjectKernel {
  std::string name;
  uint32_t entry = 0;  // in the code
  uint32_t bytes = 0;
  // COMPUTE_PGM_RSRC1 and 2: what a wavefront gets, and what it finds in its registers.
  uint32_t vector_registers = 0;
  uint32_t scalar_registers = 0;
  uint32_t share_bytes = 0;                  // of the local data share, static
  unsigned user_scalars = 0;                 // 2: s[0:1] is the address of the arguments; 0: none
  std::array<bool, 3> group_numbers{};       // which are in the scalar registers behind those
  unsigned local_dimensions = 1;             // local numbers in v0, v1, v2
  std::optional<KernelArguments> arguments;  // of objects by oclc
};

// A word of the code with half of the address of something in the tables.
struct Relocation {
  uint32_t offset = 0;   // in the code
  int64_t target = 0;    // in the tables, and what the compiler has added
  bool relative = true;  // a distance from the word
  bool high = false;     // bits 32 to 63
};

// 8 bytes of the tables with the address of something there.
struct TablePointer {
  uint32_t offset = 0;
  int64_t target = 0;
};

struct CodeObject {
  std::vector<uint32_t> code;
  std::vector<uint8_t> tables;
  std::vector<Relocation> relocations;
  std::vector<TablePointer> pointers;
  std::vector<ObjectKernel> kernels;  // by entry

  // The kernel of this name; "": the only one.  Throws Error (bad input) naming file and kernels.
  const ObjectKernel& kernel(const std::string& name, const std::string& file) const;
  // Fills in addresses: of tables at this one (a multiple of 256), as code that begins at 0 needs
  // them.
  void place(uint32_t tables_address);
};

// Whether these are the first bytes of an ELF file.
bool is_elf(std::string_view contents);
// Throws Error (bad input) naming the file, and the section where it is one.
CodeObject read_code_object(std::string_view contents, const std::string& file);

}  // namespace gvp::gpgpu::southern_islands
