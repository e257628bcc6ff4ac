// SPDX-License-Identifier: Apache-2.0
// The operands of an instruction as its text lists them: where each goes, what may stand there.
// Assembler, disassembler and the check of encodings all read the same list.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/gpgpu/southern_islands/instruction.h"
#include "models/gpgpu/southern_islands/operations.h"

namespace gvp::gpgpu::southern_islands {

// Which part of an Instruction an operand is.
enum class Place : uint8_t {
  kDestination,
  kCarryOut,  // scalar_destination
  kSource0,   // and the two after it
  kSource1,
  kSource2,
  kVcc,        // written, but no field: always VCC
  kConstant,   // literal, of v_madmk and v_madak
  kImmediate,  // simm16
  kTarget,
  kWaitCounts,
  kWordOffset  // SMRD: a number or a scalar register
};

// What may stand there.
enum class Kind : uint8_t {
  kVector,        // vector registers
  kScalar,        // scalar registers, but for M0 and EXEC where memory writes them
  kLoaded,        // the same, without M0 and EXEC
  kScalarSource,  // scalar registers, constants, a literal where the form has one
  kBufferOffset,  // the same, without a literal
  kLane,          // the same, without 64-bit special registers: of v_readlane, v_writelane
  kAnySource,     // kScalarSource and vector registers
  kAddress,       // of buffers: vector registers or none
  kNumber         // no register
};

struct Slot {
  Place place = Place::kDestination;
  Kind kind = Kind::kNumber;
  Type type = Type::kNone;
  unsigned words = 0;  // registers
};

class Slots {
 public:
  void add(Place place, Kind kind, Type type) { add(place, kind, type, words_of(type)); }
  void add(Place place, Kind kind, Type type, unsigned words) {
    slots_[count_++] = {place, kind, type, words};
  }
  const Slot* begin() const { return slots_.data(); }
  const Slot* end() const { return slots_.data() + count_; }
  std::size_t size() const { return count_; }
  const Slot& operator[](std::size_t i) const { return slots_[i]; }

 private:
  std::array<Slot, 6> slots_{};
  std::size_t count_ = 0;
};

// The operands of an instruction; for buffers, its flags say how many registers the address has
// and the data have.
Slots slots_of(const Instruction& instruction);

// The number that an operand goes by.
Code& code_of(Instruction& instruction, Place place);
Code code_of(const Instruction& instruction, Place place);

// Whether this form has clamp and output modifiers.
bool takes_output_modifiers(const Instruction& instruction);
// Whether this operand takes -x and |x|.
bool takes_negation(const Instruction& instruction, const Slot& slot);
bool takes_absolute(const Instruction& instruction, const Slot& slot);

// Whether a number may stand in an operand: kind, alignment and range of registers.
bool fits(const Instruction& instruction, const Slot& slot, Code number);

// Why no program may contain this instruction (an operand that may not stand there, two literals,
// several scalar registers read by a vector operation), or "".
std::string problem_with(const Instruction& instruction);

}  // namespace gvp::gpgpu::southern_islands
