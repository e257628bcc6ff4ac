// SPDX-License-Identifier: Apache-2.0
// Line tables as ELF files carry them: the section .debug_line (DWARF 2, section 6.2), one unit for
// each kernel, which a relocation ties to the kernel's code.  Internal to the g80 library.
// Not read: units of DWARF 5, directories of files whose names have one already.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpgpu/line_table.h"

namespace gvp::gpgpu::g80 {

// Appends a unit to the section; returns where in the section the address of the kernel's code
// stands, which is to be relocated.
std::size_t append_line_program(const LineTable& lines, uint32_t code_bytes,
                                std::vector<uint8_t>& section);

// One run of ascending addresses.
struct LineSequence {
  std::size_t address_at = 0;  // where in the section its first address stands
  LineTable lines;
};
// Of all units.  On damage *problem says which, and what has been read so far is returned.
std::vector<LineSequence> read_line_programs(std::string_view section, std::string* problem);

}  // namespace gvp::gpgpu::g80
