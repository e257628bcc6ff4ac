// SPDX-License-Identifier: Apache-2.0
// The arguments of an OpenCL kernel: their types, and where they lie in the segment that a kernel
// of clang's target amdgcn-- reads them from.  An object has none of this; oclc puts it there as
// text, in a section of its own.
//
// The segment: 32-bit words 0..2 the number of work-groups in x, y, z, 3..5 the global size, 6..8
// the local size; then the arguments, from byte 36 on, each aligned to its size counted from there;
// then, on the next multiple of 4, the words get_work_dim() and get_global_offset() in x, y, z
// (verified on clang 14's code, which reads them there).  All is little-endian.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gvp::gpgpu::southern_islands {

constexpr uint32_t kFirstArgument = 36;  // bytes
constexpr uint32_t kHiddenArguments = 16;

struct KernelArgument {
  enum class Kind : uint8_t {
    kGlobal,  // an address in global or constant memory, 8 bytes
    kLocal,   // an offset in the local data share, 4 bytes
    kValue,   // a number or a vector of numbers
    kUnknown  // a structure, an image...: nothing here can pass it
  };
  enum class Number : uint8_t { kNone, kSigned, kUnsigned, kFloat };

  std::string type;  // as in the source: "float4*"
  std::string name;
  Kind kind = Kind::kUnknown;
  Number number = Number::kNone;  // of values
  uint32_t element_bytes = 0;     // of values: 1, 2, 4 or 8
  uint32_t elements = 1;          // of values: 1, 2, 3, 4, 8 or 16
  uint32_t offset = 0;            // in the segment; of unknown ones and what follows them 0

  uint32_t bytes() const;  // in the segment; 0: unknown
};

struct KernelArguments {
  std::string kernel;
  std::vector<KernelArgument> arguments;

  bool complete() const;           // nothing unknown
  uint32_t hidden_offset() const;  // of get_work_dim(); only where complete
};

// How clang's metadata name an argument: address space (0 value, 1 global, 2 constant, 3 local) and
// type ("uint", "float __attribute__((ext_vector_type(4)))*").
KernelArgument argument_of(unsigned address_space, std::string_view type, std::string_view name);
// Fills in the offsets.
void lay_out(KernelArguments& kernel);

// The section's name and text: a line "kernel NAME", then a line for each argument, its address
// space, its name and its type between blanks.
inline constexpr std::string_view kArgumentSection = ".gvp.kernel_arguments";
std::string to_text(const std::vector<KernelArguments>& kernels);
// Throws Error (bad input) naming the file for what to_text() does not write.
std::vector<KernelArguments> parse_arguments(std::string_view text, const std::string& file);

}  // namespace gvp::gpgpu::southern_islands
