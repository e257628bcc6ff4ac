// SPDX-License-Identifier: Apache-2.0
// What is known of each operation, from the rows of operations.def.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/gpgpu/southern_islands/instruction.h"

namespace gvp::gpgpu::southern_islands {

// How an operation is encoded in its shortest form.  VOP1, VOP2 and VOPC have a second one in VOP3.
enum class Format : uint8_t {
  kSop2,
  kSopk,
  kSop1,
  kSopc,
  kSopp,
  kSmrd,
  kVop2,
  kVop1,
  kVopc,
  kVop3,
  kDs,
  kMubuf,
  kMtbuf
};
constexpr unsigned kFormatCount = 13;
const char* name_of(Format format);  // "SOP2"

// What an operand holds.
enum class Type : uint8_t {
  kNone,
  kB32,
  kI32,
  kU32,
  kF32,
  kF16,  // in the low half of a register
  kB64,
  kI64,
  kU64,
  kF64,
  kB96,
  kB128,
  kB256,
  kB512
};
constexpr unsigned words_of(Type type) {
  switch (type) {
    case Type::kNone:
      return 0;
    case Type::kB64:
    case Type::kI64:
    case Type::kU64:
    case Type::kF64:
      return 2;
    case Type::kB96:
      return 3;
    case Type::kB128:
      return 4;
    case Type::kB256:
      return 8;
    case Type::kB512:
      return 16;
    default:
      return 1;
  }
}
constexpr bool is_float(Type type) {
  return type == Type::kF32 || type == Type::kF16 || type == Type::kF64;
}

// The unit that executes it, as MIAOW divides them: scalar ALU, vector integers (SIMD), vector
// floats (SIMF), load-store unit, the issue stage itself.
enum class Unit : uint8_t { kScalar, kInteger, kFloat, kMemory, kIssue };

struct Trait {
  enum : uint32_t {
    kPlain = 0,
    // Scalar operations.
    kReadsScc = 1u << 0,
    kWritesScc = 1u << 1,
    kWritesExec = 1u << 2,
    kReadsDestination = 1u << 3,
    kOnlyReadsDestination = 1u << 4,  // comparisons with a constant
    kBranches = 1u << 5,
    kTarget = 1u << 6,      // simm16: words from the next instruction
    kWaitCounts = 1u << 7,  // simm16: what to wait for
    kImmediate = 1u << 8,   // simm16: a number
    kEnds = 1u << 9,
    kIndexes = 1u << 10,  // adds M0 to the number of a register
    // Vector operations: where operands are not what the format lets expect.
    kScalarDestination = 1u << 11,
    kVectorFirst = 1u << 12,  // the first source must be a vector register
    kScalarFirst = 1u << 13,  // a source must be scalar
    kScalarSecond = 1u << 14,
    kConstantSecond = 1u << 15,  // behind the instruction
    kConstantThird = 1u << 16,
    kOnlyShort = 1u << 17,  // has no VOP3 form
    kCarryOut = 1u << 18,   // to VCC; VOP3: to any pair of scalar registers
    kReadsMask = 1u << 19,  // VCC; VOP3: any pair of scalar registers, the third source
    kReadsVcc = 1u << 20,   // in VOP3, too
    kKnowsLane = 1u << 21,  // the result depends on the lane's number
    kIgnoresExec = 1u << 22,
    // Memory.
    kLoads = 1u << 23,
    kStores = 1u << 24,
    kTwoOffsets = 1u << 25,    // DS: of 8 bits each, in units of the data
    kFormatted = 1u << 26,     // data are converted between memory and registers
    kRegisterFirst = 1u << 27  // scalar: the source must be a register
  };
};

struct OperationInfo {
  Operation operation = Operation::kNone;
  std::string_view mnemonic;
  Format format = Format::kSop2;
  uint16_t opcode = 0;
  Type destination = Type::kNone;
  std::array<Type, 3> source{};
  Unit unit = Unit::kScalar;
  uint32_t traits = Trait::kPlain;

  constexpr bool is(uint32_t trait) const { return (traits & trait) != 0; }
  // VOP1, VOP2 and VOPC that can also be written as VOP3.
  constexpr bool has_long_form() const {
    return (format == Format::kVop1 || format == Format::kVop2 || format == Format::kVopc) &&
           !is(Trait::kOnlyShort);
  }
  constexpr bool is_vector() const { return format >= Format::kVop2 && format <= Format::kVop3; }
  constexpr bool is_buffer() const {
    return (format == Format::kMubuf || format == Format::kMtbuf) && destination != Type::kNone;
  }
};

// By Operation; the first stands for kNone.
inline constexpr std::array<OperationInfo, kOperationCount> kOperations = {{
    {},
#define T Type
#define OPERATION(name, mnemonic, format, opcode, destination, first, second, third, unit, traits) \
  {Operation::k##name, mnemonic, format, opcode, destination, {first, second, third}, unit, traits},
#include "models/gpgpu/southern_islands/operations.def"
#undef OPERATION
#undef T
}};

inline constexpr const OperationInfo& info(Operation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}

// By format and opcode of the shortest form; kNone: there is none.
Operation find_operation(Format format, unsigned opcode);
// By mnemonic, without _e32 or _e64; kNone: there is none.
Operation find_operation(std::string_view mnemonic);

}  // namespace gvp::gpgpu::southern_islands
