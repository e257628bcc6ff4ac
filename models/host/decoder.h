// SPDX-License-Identifier: Apache-2.0
// Takes one instruction word apart, by the table in isa.h.  Undefined words have no info; a word
// whose unit the processor lacks decodes, and is_legal() says that it is illegal there.
// Stricter than hardware: UG984 ("Exception Causes") says that bits 6 to 31 of an instruction are
// not checked; here a word that is no row of the table is an illegal opcode.
#pragma once

#include <cstdint>

#include "models/host/isa.h"

namespace gvp::host {

struct Instruction {
  const InstructionInfo* info = nullptr;  // null: undefined
  uint32_t word = 0;
  uint8_t rd = 0;
  uint8_t ra = 0;
  uint8_t rb = 0;
  uint16_t imm = 0;

  Operation operation() const { return info->operation; }
  bool is(Operation operation) const { return info != nullptr && info->operation == operation; }
  bool has(Attribute attribute) const {
    return info != nullptr && (info->attributes & attribute) != 0;
  }
};

Instruction decode(uint32_t word);
bool is_legal(const Instruction& instruction, const Configuration& configuration);

// Formats with a 16-bit immediate, which an imm prefix extends.
bool takes_imm_prefix(Format format);
// The register an instruction writes (never 0), or -1.
int written_register(const Instruction& instruction);
// True if the instruction reads general purpose register r.
bool reads_register(const Instruction& instruction, int r);

}  // namespace gvp::host
