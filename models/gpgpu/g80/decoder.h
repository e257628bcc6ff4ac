// SPDX-License-Identifier: Apache-2.0
// From instruction words to the decoded instruction.  Follows docs/g80.md.  Never throws: what
// is wrong with the words is in the result, for the caller to turn into a fault or a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "models/gpgpu/g80/instruction.h"
#include "models/gpgpu/g80/table.h"

namespace gvp::gpgpu::g80 {

enum class DecodeStatus : uint8_t {
  kOk,
  kUnknownBits,  // executable, but bits are set that no document gives a meaning
  kTruncated,    // the second word of a long instruction is missing
  kIllegalOpcode,
  kReservedValue,      // a field of a known instruction has a value that is not defined
  kLaterArchitecture,  // sm_11 or later
  kGraphics,           // texture, interpolation, geometry output...
};

struct Decoded {
  DecodeStatus status = DecodeStatus::kIllegalOpcode;
  // Complete if executable(); otherwise only its form is meaningful.
  Instruction instruction;
  Words words{};       // as given; the second is 0 for short forms
  Words unknown{};     // kUnknownBits: which
  std::string reason;  // empty when kOk

  bool executable() const { return status <= DecodeStatus::kUnknownBits; }
  unsigned bytes() const { return byte_length(instruction.form); }
};

Decoded decode(const Words& words);
// Decodes the first instruction of `count` words.
Decoded decode(const uint32_t* words, std::size_t count);

}  // namespace gvp::gpgpu::g80
