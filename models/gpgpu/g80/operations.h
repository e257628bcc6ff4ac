// SPDX-License-Identifier: Apache-2.0
// What is known of each operation beside its encodings (table.h) and its function (lowering.cpp),
// from the rows of operations.def: how it is written, what types it takes, which unit executes it
// and what class of cost it has.  Timing models know instructions by their cost class only, never
// by name, so that an operation that is added has a cost without any of them being touched.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "models/gpgpu/g80/instruction.h"

namespace gvp::gpgpu::g80 {

// What stands after the operands in the text.
enum class Tail : uint8_t { kNone, kCompare, kTarget, kBarrier, kEvent, kReduction };

// Which types the text of an operation carries, and what they mean.
enum class Typing : uint8_t {
  kNone,        // no types
  kBits,        // 32 bits unless said otherwise; sign irrelevant: LOP.AND, LOP.AND.U16
  kInteger,     // U32 unless said otherwise: IMAX.S32
  kWord,        // always 32 bits, never written
  kHalf,        // always 16 bits, never written
  kStore,       // type of the register, type of the memory: R2G.U32.U8
  kMemory,      // type of the access: GLD.S64
  kFactor,      // type of both factors: IMAD.U16
  kFactors,     // type of each factor: IMUL.U16.S16
  kConversion,  // type of the result, of the source: I2F.F32.S32
  kFloat,       // F32, which need not be written
  kFloatBits    // the same, but the result is a pattern of bits
};

// The unit that executes it; a trimmed device may lack some (Machine).
enum class Unit : uint8_t {
  kMove,
  kMemory,
  kInteger,
  kMultiplier,
  kConversion,
  kFloat,
  kSpecial,
  kControl
};

// What a pipeline distinguishes.  Which stage takes how long for which class is the timing
// model's affair.
enum class CostClass : uint8_t {
  kNothing,      // no effect
  kMove,         // registers, c[], l[], g[]
  kSharedStore,  // to s[]
  kAddressShift,
  kAddressAdd,
  kInteger,
  kAdd,      // the adder, with its carry
  kCompare,  // to flags or a mask
  kMinMax,
  kMultiply,
  kMultiplyAdd,
  kConversion,
  kFloatAdd,
  kFloatMultiply,
  kFloatMultiplyAdd,
  kFloatCompare,  // also minimum, maximum and selection
  kSpecial,       // special function unit
  kBranch,
  kPush,  // puts an entry on the reconvergence stack
  kReturn,
  kBreak,
  kBarrier,
  kControl  // other control
};

struct Trait {
  enum : uint16_t {
    kNone = 0,
    kUnguarded = 1 << 0,     // ignores its predicate (docs/g80.md, "Control flow")
    kShiftsHalves = 1 << 1,  // takes half registers as a word and a shift
    kWholeWords = 1 << 2,    // writes 32 bits whatever its type
    kLoads = 1 << 3,
    kStores = 1 << 4,
    kLocal = 1 << 5,   // memory: l[]
    kGlobal = 1 << 6,  // memory: g[]
    kLeaves = 1 << 7,  // without predicate, no thread goes on behind it
    kCommutes = 1 << 8,
    kSecondOnly = 1 << 9,   // the result does not depend on the first source
    kSideEffect = 1 << 10,  // does more than computing a result, or has another one each time
    kLater = 1 << 11,       // of compute capability 1.1 or 1.2: only with device extensions
    kVotes = 1 << 12,       // its predicate is what it looks at, and no guard
    kLocks = 1 << 13,       // locks or unlocks the word of s[] that it reads or writes
  };
};

struct OperationInfo {
  Operation operation = Operation::kNone;
  std::string_view syntax;
  bool destination = false;
  uint8_t sources = 0;
  Tail tail = Tail::kNone;
  Typing typing = Typing::kNone;
  Type source = Type::kNone;  // of the sources of a 32-bit operation; kNone: the instruction says
  Type third = Type::kNone;   // of the third source, where it differs
  Unit unit = Unit::kMove;
  CostClass cost = CostClass::kNothing;
  uint16_t traits = Trait::kNone;

  constexpr bool is(unsigned trait) const { return (traits & trait) != 0; }
  constexpr bool is_float() const {
    return typing == Typing::kFloat || typing == Typing::kFloatBits;
  }
};

// By Operation; the first stands for kNone.
inline constexpr std::array<OperationInfo, kOperationCount> kOperations = {{
    {},
#define OPERATION(name, syntax, destination, sources, tail, typing, source, third, unit, cost, \
                  traits, ...)                                                                 \
  {Operation::k##name,                                                                         \
   syntax,                                                                                     \
   destination,                                                                                \
   sources,                                                                                    \
   tail,                                                                                       \
   typing,                                                                                     \
   source,                                                                                     \
   third,                                                                                      \
   unit,                                                                                       \
   cost,                                                                                       \
   traits},
#include "models/gpgpu/g80/operations.def"
#undef OPERATION
}};

inline constexpr const OperationInfo& info(Operation operation) {
  return kOperations[static_cast<std::size_t>(operation)];
}
inline constexpr CostClass cost_class(const Instruction& instruction) {
  return info(instruction.operation).cost;
}

}  // namespace gvp::gpgpu::g80
