// SPDX-License-Identifier: Apache-2.0
// A MicroBlaze executable: ELF (System V ABI, Tool Interface Standard 1.2), 32 bit, either
// endianness.  Every offset and size of the file is checked before it is used; what does not fit
// is refused with the file's name and the part at fault.  Not read: relocatable objects, dynamic
// linking, debug information but call frames.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "platform/elf/symbol_table.h"

namespace gvp::platform {

// One PT_LOAD program header.
struct Segment {
  unsigned index = 0;    // in the program header table
  uint32_t address = 0;  // p_paddr: where it is loaded
  uint32_t file_offset = 0;
  uint32_t file_bytes = 0;
  uint32_t memory_bytes = 0;  // the rest is zero
};

// .debug_frame or .eh_frame: how functions' callers are found.
struct CallFrameSection {
  std::vector<uint8_t> bytes;
  uint32_t address = 0;
  bool is_exception = false;  // .eh_frame
};

struct ElfFile {
  std::string name;
  std::vector<uint8_t> image;  // the whole file
  bool big_endian = false;
  uint32_t entry = 0;
  std::vector<Segment> segments;  // those with memory, by address, not overlapping
  SymbolTable symbols;
  std::vector<CallFrameSection> call_frames;
};

// Throw Error (bad input) naming the file.
ElfFile read_elf(const std::string& path);
ElfFile parse_elf(std::vector<uint8_t> image, const std::string& name);

// Memory as the loader sees it; both return how many bytes were transferred.
struct LoaderMemory {
  std::function<size_t(uint32_t address, void* data, size_t size)> read;
  std::function<size_t(uint32_t address, const void* data, size_t size)> write;
  std::string remedy;  // for what lies outside
};

// Puts the segments into memory.  Zeros are written only where memory is not zero already, so
// that a large .bss costs no host memory.  Throws Error (bad input) for a segment that lies where
// there is no memory.
void load(const ElfFile& file, const LoaderMemory& memory);

}  // namespace gvp::platform
