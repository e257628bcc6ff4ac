// SPDX-License-Identifier: Apache-2.0
// Instruction text as cuobjdump prints it for sm_10 ("ISET.S32.C0 o[0x7f], R1, R124, NE;"),
// extended where that text loses information: .END for the exit marker, {raw=...} for bits that
// no field represents, .word for words that are no instruction.  Everything printed here
// assembles back to the same words.  The syntax is described in docs/g80.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/g80/instruction.h"

namespace gvp::gpgpu::g80 {

// Without the final semicolon.
std::string to_text(const Instruction& instruction);

struct DisassembledLine {
  uint32_t address = 0;  // bytes from the start of the code
  unsigned words = 1;
  std::string text;    // instruction or .word directive, with its semicolon
  std::string remark;  // why it is not executable, or which unknown bits it has; mostly empty
};
std::vector<DisassembledLine> disassemble(const uint32_t* words, std::size_t count);

}  // namespace gvp::gpgpu::g80
