// SPDX-License-Identifier: Apache-2.0
// Reads one instruction: guard, name with modifiers, operands.  Internal to the g80 library.
#pragma once

#include <cstddef>
#include <string>

#include "models/gpgpu/g80/instruction.h"
#include "models/gpgpu/g80/operand_parser.h"
#include "models/gpgpu/g80/scanner.h"

namespace gvp::gpgpu::g80 {

struct ParsedInstruction {
  Instruction instruction;
  std::string label;            // branch target still to be resolved; empty if none
  bool numeric_target = false;  // the target was written as a number
  std::size_t column = 0;
  std::size_t label_column = 0;
};

// The scanner stands at the beginning of the instruction; reads to the end of its text.
ParsedInstruction parse_instruction(Scanner& scanner, const Symbols& symbols);

}  // namespace gvp::gpgpu::g80
