// SPDX-License-Identifier: Apache-2.0
// The last step: puts the blocks of a kernel in order, chooses short forms where two fit into
// one 8-byte slot, resolves branches and encodes.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/kcc/g80/machine_code.h"

namespace gvp::kcc::g80 {

// What the code from an address on, up to the next one, was made from.
struct CodeLine {
  uint32_t address = 0;  // bytes
  ptx::SourceLine source;
};

struct Code {
  std::vector<uint32_t> words;
  uint32_t instructions = 0;
  uint32_t short_instructions = 0;
  std::vector<CodeLine> lines;  // of instructions that come from somewhere
};

// numbers: the hardware register of each virtual one.  short_forms: use them.
Code emit_code(const Kernel& kernel, const std::vector<uint32_t>& numbers, bool short_forms);

}  // namespace gvp::kcc::g80
