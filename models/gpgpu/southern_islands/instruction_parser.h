// SPDX-License-Identifier: Apache-2.0
// One instruction's text to an Instruction.  Internal to the Southern Islands library.
#pragma once

#include <cstddef>
#include <string>

#include "models/gpgpu/southern_islands/instruction.h"
#include "models/gpgpu/southern_islands/scanner.h"

namespace gvp::gpgpu::southern_islands {

struct ParsedInstruction {
  Instruction instruction;
  std::string target;  // a branch's label, to be resolved by the caller; "": none
  std::size_t target_position = 0;
};

// Reads to the end of the line.  mnemonic: what has been read already, at that position.
ParsedInstruction parse_instruction(Scanner& scanner, std::string_view mnemonic,
                                    std::size_t position);

}  // namespace gvp::gpgpu::southern_islands
