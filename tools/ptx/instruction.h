// SPDX-License-Identifier: Apache-2.0
// One PTX instruction as parsed: root opcode, the modifiers spelled out as fields, operands with
// destinations first.  Opcodes that our machines lack (atomics, textures, shuffles) are parsed
// too, so that a code generator can refuse them where they stand.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/ptx/source.h"
#include "tools/ptx/types.h"

namespace gvp::ptx {

inline constexpr uint32_t kNoIndex = ~uint32_t{0};

enum class Opcode : uint8_t {
  kLabel,  // not an instruction: the place that operands[0] names
  kAbs,
  kAdd,
  kAddc,
  kAnd,
  kAtom,
  kBar,
  kBfe,
  kBfi,
  kBra,
  kBrev,
  kBrx,
  kCall,
  kClz,
  kCnot,
  kCopysign,
  kCos,
  kCvt,
  kCvta,
  kDiv,
  kEx2,
  kExit,
  kFma,
  kFns,
  kIsspacep,
  kLd,
  kLdu,
  kLg2,
  kMad,
  kMax,
  kMembar,
  kMin,
  kMov,
  kMul,
  kMul24,
  kMad24,
  kNeg,
  kNot,
  kOr,
  kPopc,
  kPrefetch,
  kPrmt,
  kRcp,
  kRed,
  kRem,
  kRet,
  kRsqrt,
  kSad,
  kSelp,
  kSet,
  kSetp,
  kShf,
  kShfl,
  kShl,
  kShr,
  kSin,
  kSlct,
  kSqrt,
  kSt,
  kSub,
  kSubc,
  kSuld,
  kSust,
  kTanh,
  kTestp,
  kTex,
  kTrap,
  kVote,
  kXor,
};

enum class Compare : uint8_t {
  kNone,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kLo,  // lo ls hi hs: unsigned spellings
  kLs,
  kHi,
  kHs,
  kEqu,  // true also where an operand is NaN
  kNeu,
  kLtu,
  kLeu,
  kGtu,
  kGeu,
  kNum,
  kNan,
};

enum class Rounding : uint8_t { kDefault, kNearest, kZero, kDown, kUp };  // rn rz rm rp
enum class Half : uint8_t { kNone, kLow, kHigh, kWide };                  // mul.lo .hi .wide
enum class Combine : uint8_t { kNone, kAnd, kOr, kXor };                  // setp.lt.and

enum class Special : uint8_t {
  kTid,
  kNtid,
  kCtaid,
  kNctaid,
  kLaneId,
  kWarpId,
  kNwarpId,
  kWarpSize,
  kClock,
};

struct Operand {
  enum class Kind : uint8_t {
    kNone,
    kRegister,   // index: of Function::registers
    kImmediate,  // value: the bits; type kNone for integers, else kF32 or kF64
    kSymbol,     // index: of Module::symbols; its address + value
    kMemory,     // [base + value]; base is the register `index` or the symbol `symbol`, or none
    kLabel,      // index: of Function::labels
    kVector,     // elements
    kSpecial,    // special, dimension
    kSink,       // _
    kFunction,   // the address of one, which no machine of ours has a use for
  };
  Kind kind = Kind::kNone;
  uint32_t index = kNoIndex;
  uint32_t symbol = kNoIndex;
  uint64_t value = 0;
  Type type = Type::kNone;
  bool negated = false;  // !%p
  Special special = Special::kTid;
  uint8_t dimension = 0;  // 0 x, 1 y, 2 z
  std::vector<Operand> elements;
  Position position;

  bool is_register() const { return kind == Kind::kRegister; }
  bool is_immediate() const { return kind == Kind::kImmediate; }
  bool is_symbol() const { return kind == Kind::kSymbol; }
  bool is_memory() const { return kind == Kind::kMemory; }
};

// Where an instruction comes from in the source of the language above PTX (.loc).
struct SourceLine {
  uint32_t file = 0;  // number of a .file directive
  uint32_t line = 0;  // 0: unknown
  uint32_t column = 0;
};

struct Instruction {
  Opcode opcode = Opcode::kLabel;
  Type type = Type::kNone;         // first type: of the result
  Type source_type = Type::kNone;  // second type of cvt, set, slct
  Compare compare = Compare::kNone;
  Combine combine = Combine::kNone;
  Rounding rounding = Rounding::kDefault;
  Half half = Half::kNone;
  Space space = Space::kGeneric;
  bool to_integer = false;  // rni rzi rmi rpi
  bool saturate = false;
  bool approximate = false;  // approx
  bool full = false;         // div.full
  bool uniform = false;      // bra.uni, call.uni
  bool carry = false;        // add.cc
  bool to_space = false;     // cvta.to
  bool locked = false;       // half of an atomic operation on shared memory (shared_atomics.h)
  bool direct = false;       // call of a function that stays one, with registers alone
  bool ordered = false;      // volatile, relaxed, acquire: memory that others write meanwhile
  uint8_t vector = 1;        // v2, v4
  std::string modifier;      // the first of those that only some instructions have: "sync", "wrap"

  // @%p or @!%p
  uint32_t guard = kNoIndex;
  bool guard_negated = false;

  std::vector<Operand> operands;
  // Second destination of setp p|q, or kNone.
  Operand second_destination;
  // call; the name is empty where a register says which function it is
  std::string callee;
  std::vector<Operand> call_results;
  std::vector<Operand> call_arguments;

  Position position;
  SourceLine source;
};

// What an opcode's operand list looks like: one letter an operand.
//   d destination register, v the same or a vector, a source value, w source or vector,
//   s source of the predicate type, m memory, l label, b barrier number, ? those that follow may
//   be left out, * anything goes (refused later)
struct OpcodeInfo {
  Opcode opcode;
  std::string_view name;
  std::string_view shape;
};
const OpcodeInfo* opcode_from_name(std::string_view name);
const OpcodeInfo& info(Opcode opcode);
std::optional<Compare> compare_from_name(std::string_view text);
// "setp.lt.s32" without the modifiers that do not matter to a reader.
std::string mnemonic(const Instruction& instruction);

}  // namespace gvp::ptx
