// SPDX-License-Identifier: Apache-2.0
// A module of G80 kernels, as assembler and compiler make it and as cubin files carry it.  Sizes
// and offsets are in bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpgpu/line_table.h"

namespace gvp::gpgpu::g80 {

// s[] begins with 16 bytes that the hardware fills (block and grid dimensions, block number);
// the parameters follow.
inline constexpr uint32_t kSharedHeaderBytes = 16;

// A piece of a constant bank.
struct ConstantSegment {
  std::string name;  // of a __constant__ variable; empty for the literals of a kernel
  unsigned bank = 0;
  uint32_t offset = 0;
  uint32_t bytes = 0;
  std::vector<uint32_t> words;  // initial contents; empty: zero.  Otherwise covers `bytes`

  bool operator==(const ConstantSegment& o) const {
    return name == o.name && bank == o.bank && offset == o.offset && bytes == o.bytes &&
           words == o.words;
  }
};

// A module-scope variable in global memory: the loader allocates `bytes` and writes the address
// into the word at `offset` of constant bank `bank` (14 in what NVIDIA's compiler emits).
struct Relocation {
  std::string name;
  unsigned bank = 14;
  uint32_t offset = 0;
  uint32_t bytes = 0;
  std::vector<uint32_t> words;  // initial contents; empty: zero

  bool operator==(const Relocation& o) const {
    return name == o.name && bank == o.bank && offset == o.offset && bytes == o.bytes &&
           words == o.words;
  }
};

struct Kernel {
  std::string name;
  unsigned registers = 0;     // per thread
  uint32_t shared_bytes = 0;  // static: header, parameters and variables, as in "smem ="
  uint32_t local_bytes = 0;   // per thread
  unsigned barriers = 0;
  // Text cubins of CUDA and assembly without .param do not say; then the parameters are somewhere
  // within shared_bytes, if there are any.  0: the kernel takes none.
  std::optional<uint32_t> parameter_bytes;
  std::vector<uint32_t> code;
  std::vector<ConstantSegment> constants;  // of this kernel alone (bank 1)
  LineTable lines;                         // empty: the compiler was not asked for it

  // Static shared memory that is neither header nor (known) parameters.
  uint32_t static_shared_bytes() const;
};

struct Module {
  std::string architecture = "sm_10";
  unsigned abi_version = 1;
  std::string name = "cubin";
  std::vector<Kernel> kernels;
  std::vector<ConstantSegment> constants;  // module scope (bank 0)
  std::vector<Relocation> relocations;

  // Nullptr if there is none of that name.
  const Kernel* find(std::string_view kernel) const;
  // Throws gvp::Error (bad input) naming the kernels there are.  An empty name means the only one.
  const Kernel& kernel(std::string_view wanted, const std::string& file) const;
};

}  // namespace gvp::gpgpu::g80
