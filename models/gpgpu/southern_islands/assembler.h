// SPDX-License-Identifier: Apache-2.0
// The assembler: LLVM's syntax for tahiti, as clang -S writes and llvm-mc reads it
// (docs/southern-islands.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/gpgpu/southern_islands/instruction.h"

namespace gvp::gpgpu::southern_islands {

struct Label {
  std::string name;
  uint32_t offset = 0;  // bytes
};

struct Assembly {
  std::vector<uint32_t> words;  // of .text
  std::vector<Label> labels;    // in the order of the source, without local ones (.L...)
};

// Throws gvp::Error (bad input) at file:line:column for what is no instruction or directive.
Assembly assemble(std::string_view text, const std::string& file);

// One instruction without labels; throws as assemble() does, with the file "instruction".
Instruction assemble_instruction(std::string_view text);

}  // namespace gvp::gpgpu::southern_islands
