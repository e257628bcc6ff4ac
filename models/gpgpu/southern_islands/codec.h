// SPDX-License-Identifier: Apache-2.0
// Between instruction words and instructions.  One description of each format's fields serves both
// directions (codec.cpp).  Decoding never throws: what is wrong with the words is in the result.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/gpgpu/southern_islands/instruction.h"

namespace gvp::gpgpu::southern_islands {

using Words = std::array<uint32_t, 2>;

enum class DecodeStatus : uint8_t {
  kOk,
  kIgnoredBits,  // executable, but bits are set that this instruction does not look at
  kTruncated,    // the second word is missing
  kUnknownOperation,
  kNotAllowed  // an operand that may not stand there
};

struct Decoded {
  DecodeStatus status = DecodeStatus::kUnknownOperation;
  Instruction instruction;  // complete if executable()
  Words words{};            // as given; the second is 0 for short instructions
  Words ignored{};          // kIgnoredBits: which
  unsigned count = 1;       // words that belong to it
  std::string reason;       // empty when kOk

  bool executable() const { return status <= DecodeStatus::kIgnoredBits; }
};

// Decodes the first instruction of `count` words.
Decoded decode(const uint32_t* words, std::size_t count);

struct Encoded {
  Words words{};
  unsigned count = 1;
};
// Any instruction whose operands are numbers that its fields hold; those that problem_with()
// finds nothing wrong with always are.
Encoded encode(const Instruction& instruction);

// How many words it has.
unsigned word_count(const Instruction& instruction);

}  // namespace gvp::gpgpu::southern_islands
