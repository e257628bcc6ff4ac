// SPDX-License-Identifier: Apache-2.0
// A decoded Southern Islands instruction, and what operands are numbered by.  Sources and
// destinations are numbers as the instruction set has them (CLRX's documentation of GCN 1.0,
// operand encoding; LLVM's assembler agrees): 0..103 scalar registers, 106.. special ones, 128..208
// small integers, 240..247 floats, 255 a literal behind the instruction, 256..511 vector registers.
// A register range goes by its first.
#pragma once

#include <array>
#include <cstdint>

namespace gvp::gpgpu::southern_islands {

enum class Operation : uint16_t {
  kNone,
#define OPERATION(name, ...) k##name,
#include "models/gpgpu/southern_islands/operations.def"
#undef OPERATION
  kCount
};
constexpr std::size_t kOperationCount = static_cast<std::size_t>(Operation::kCount);

// Numbers of operands.
using Code = uint16_t;
namespace code {
constexpr Code kScalarRegisters = 104;  // s0..s103
constexpr Code kVccLo = 106;
constexpr Code kVccHi = 107;
constexpr Code kTbaLo = 108;
constexpr Code kTmaLo = 110;
constexpr Code kTtmp0 = 112;
constexpr Code kTtmpCount = 12;
constexpr Code kM0 = 124;
constexpr Code kExecLo = 126;
constexpr Code kExecHi = 127;
constexpr Code kScalars = 128;  // below: what an instruction may write
constexpr Code kZero = 128;     // 129..192: 1..64
constexpr Code kMinusOne = 193;
constexpr Code kMinus16 = 208;
constexpr Code kHalf = 240;  // 0.5 -0.5 1.0 -1.0 2.0 -2.0 4.0 -4.0
constexpr Code kMinusFour = 247;
constexpr Code kVccz = 251;
constexpr Code kExecz = 252;
constexpr Code kScc = 253;
constexpr Code kLdsDirect = 254;
constexpr Code kLiteral = 255;
constexpr Code kVector0 = 256;  // ..511: v0..v255
}  // namespace code

inline constexpr bool is_vector(Code number) { return number >= code::kVector0; }
inline constexpr bool is_constant(Code number) {
  return (number >= code::kZero && number <= code::kMinus16) ||
         (number >= code::kHalf && number <= code::kMinusFour);
}
// The value of a constant in a 32-bit operand, and in a 64-bit one.
uint32_t constant_word(Code number);
uint64_t constant_double_word(Code number);

// What a float result is multiplied by (VOP3).
enum class OutputModifier : uint8_t { kNone, kTimes2, kTimes4, kHalf };

struct Instruction {
  Operation operation = Operation::kNone;
  bool vop3 = false;  // VOP1, VOP2, VOPC: in the form of VOP3 (_e64)

  Code destination = 0;         // of stores and atomics the data; SOPK: also the source
  Code scalar_destination = 0;  // carries (VOP3B)
  // DS: address, data, data.  SMRD: base, offset.  MUBUF, MTBUF: address, resource, offset.
  std::array<Code, 3> source{};
  uint32_t literal = 0;    // of code::kLiteral, or the constant of v_madmk, v_madak
  uint16_t immediate = 0;  // simm16, offsets of memory

  uint8_t negate = 0;  // bit i: source i
  uint8_t absolute = 0;
  bool clamp = false;
  OutputModifier output = OutputModifier::kNone;

  bool immediate_offset = false;  // SMRD: the offset is `immediate`, in words
  bool offset_enable = false;     // buffers: offen, idxen, addr64
  bool index_enable = false;
  bool address64 = false;
  bool globally_coherent = false;  // glc, slc
  bool system_coherent = false;
  bool texture_fail = false;  // tfe
  bool lds = false;           // buffers: loads go to the local data share
  bool global_share = false;  // DS: gds
  uint8_t data_format = 0;    // MTBUF
  uint8_t number_format = 0;

  bool has_literal() const { return source[0] == code::kLiteral || source[1] == code::kLiteral; }
};

}  // namespace gvp::gpgpu::southern_islands
