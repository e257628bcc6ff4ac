// SPDX-License-Identifier: Apache-2.0
// A decoded G80 (compute capability 1.0, "sm_10") instruction: what decoder, encoder, assembler,
// disassembler, the executing semantics, the timing models and the kernel compiler exchange.
// Encodings: docs/g80.md.  All addresses, offsets and targets are in bytes.  Nothing is lost:
// bits of the words that no field below represents are kept in `extra`, so that encoding a
// decoded instruction gives the same words again.  Not represented because no soft GPGPU has
// them: texture, interpolation, geometry output and the opcodes of sm_11 and later (the decoder
// says so by name).
#pragma once

#include <array>
#include <cstdint>

namespace gvp::gpgpu::g80 {

// One per semantic operation; variants of width, sign, rounding... are fields of Instruction.
// The rows of operations.def, in their order, say what each of them is.
enum class Operation : uint8_t {
  kNone,  // not an instruction (default constructed)
#define OPERATION(name, ...) k##name,
#include "models/gpgpu/g80/operations.def"
#undef OPERATION
};
inline constexpr Operation kOperationNumbers[] = {
    Operation::kNone,
#define OPERATION(name, ...) Operation::k##name,
#include "models/gpgpu/g80/operations.def"
#undef OPERATION
};
inline constexpr unsigned kOperationCount = sizeof(kOperationNumbers) / sizeof(Operation);

// g80.md, "Length and class".  Short and short control are 4 bytes long, the others 8.
enum class Form : uint8_t { kShort, kShortControl, kLong, kLongImmediate, kLongControl };

// Modifier of long instructions.  Marker::kExit ends the threads, kJoin pops the reconvergence
// stack, after the instruction.  Both act even where the predicate is kNever.
enum class Marker : uint8_t { kNone, kExit, kJoin };

// How an operation or a memory access takes a value.  B..: bits, sign irrelevant.
enum class Type : uint8_t {
  kNone,
  kU8,
  kS8,
  kU16,
  kS16,
  kB16,
  kU24,
  kS24,
  kU32,
  kS32,
  kB32,
  kB64,
  kB128,
  kF16,
  kF32
};

// The 32 condition codes of predicates; g80.md has the truth table.  The first sixteen are also
// the comparisons of FSET, the first eight those of ISET (kOrdered means always there).
enum class Condition : uint8_t {
  kNever = 0,
  kLess,
  kEqual,
  kLessEqual,
  kGreater,
  kNotEqual,
  kGreaterEqual,
  kOrdered,
  kUnordered,
  kLessUnordered,
  kEqualUnordered,
  kLessEqualUnordered,
  kGreaterUnordered,
  kNotEqualUnordered,
  kGreaterEqualUnordered,
  kAlways,
  kOverflow,
  kCarry,
  kAbove,
  kSign,  // 0x14-0x1b: reserved, never true
  kNotSign = 0x1c,
  kNotAbove,
  kNotCarry,
  kNotOverflow
};

// In the order of the encoding.  The 2-bit field of FADD and FMUL knows kNearest and kZero only.
enum class Rounding : uint8_t { kNearest, kMinusInfinity, kPlusInfinity, kZero };

// How kAdd joins s0 and s1, and kMultiplyAdd joins s0*s1 and s2.
enum class Combine : uint8_t {
  kAdd,              // a + b
  kSubtract,         // a - b
  kReverseSubtract,  // b - a
  kAddCarry          // a + b + carry of $c[condition_register]  (short forms: of $c0)
};

enum class SpecialRegister : uint8_t { kPhysicalId = 0, kClock = 1, kPm0 = 4, kPm1, kPm2, kPm3 };

struct Operand {
  enum class Kind : uint8_t {
    kNone,
    kRegister,      // index: first $r; words 1, 2 or 4
    kHalfRegister,  // index: $r; high: which half
    kOutput,        // o[index] of graphics; a destination only.  0x7f is the bit bucket that
                    // compares use; compute code may treat every o[] as one
    kImmediate,     // value
    kShared,        // s[]: value = byte offset, access = size and sign
    kConstant,      // c[index][]: value = byte offset, access = size and sign
    kLocal,         // l[]: value = byte offset, access
    kGlobal,        // g[index][$r value]: value = number of the address register, access
    kAddress,       // $a index; $a0 reads zero and ignores writes
    kCondition,     // $c index
    kSpecial,       // index: SpecialRegister
  };

  Kind kind = Kind::kNone;
  Type type = Type::kNone;    // how the operation takes the value (B16, S32, F32, ...)
  Type access = Type::kNone;  // memory: what is fetched or stored, and how it is extended
  uint8_t index = 0;          // register number, memory bank...; 124 and 127 have no special
                              // meaning here: registers at or above the kernel's allocation read
                              // zero and ignore writes
  uint8_t words = 1;          // registers: 32-bit words from index on
  bool high = false;
  bool indexed = false;  // memory: Instruction::address_register applies to this operand
  bool negate = false;   // order: absolute, negate
  bool absolute = false;
  bool invert = false;  // one's complement (logic operations)
  int32_t value = 0;    // immediate bits, byte offset, address register number

  bool operator==(const Operand& other) const;
  bool operator!=(const Operand& other) const { return !(*this == other); }

  bool is_register() const { return kind == Kind::kRegister || kind == Kind::kHalfRegister; }
  bool is_memory() const { return kind >= Kind::kShared && kind <= Kind::kGlobal; }
  // Bytes a memory access moves, or a register operand covers.
  unsigned bytes() const;
};

struct Instruction {
  Operation operation = Operation::kNone;
  Form form = Form::kLong;
  Marker marker = Marker::kNone;
  Type type = Type::kNone;  // the operation works in; conversions: of the result; memory
                            // operations: what is moved
  Combine combine = Combine::kAdd;
  Condition compare = Condition::kNever;  // kSet, kFloatSet
  Rounding rounding = Rounding::kNearest;
  bool saturate = false;
  bool high = false;              // kMultiply, kMultiplyAdd: bits 47:16 of the 48-bit product
  bool round_to_integer = false;  // kConvert F2F

  // Predicate and the one $c register the instruction reads: predicate, ADDC, C2R.
  Condition predicate = Condition::kAlways;
  uint8_t condition_register = 0;
  // $c written with the flags of the result.
  bool writes_condition = false;
  uint8_t condition_destination = 0;

  // $a used by the one operand that has `indexed` set; 0 = none.  The address is taken modulo
  // 2^16.  With post-increment the address is $a alone and $a += value of that operand.
  uint8_t address_register = 0;
  bool post_increment = false;

  Operand destination;
  std::array<Operand, 3> sources;

  // Control
  uint32_t target = 0;           // BRA CAL PBK SSY
  bool limited = false;          // CAL without NOINC: bit "limited"
  uint8_t barrier = 0;           // BAR
  uint16_t barrier_threads = 0;  // the 12-bit field; 0xfff, as ptxas writes it: all threads
  bool barrier_all = false;      // BAR: the count is ignored
  bool barrier_arrive = false;
  bool barrier_wait = false;
  uint8_t lane_mask = 0xf;  // kMove long: lanes of a quad that are written; 0xf = all
  uint8_t event = 0;        // kPerformanceEvent

  // Bits in which the words differ from the canonical encoding of the fields above: bits that
  // the hardware ignores, and bits that nobody has documented.
  std::array<uint32_t, 2> extra{};

  bool operator==(const Instruction& other) const;
  bool operator!=(const Instruction& other) const { return !(*this == other); }
};

// U16 <-> S16 and so on; other types are their own variants.
Type signed_variant(Type type);
Type unsigned_variant(Type type);
bool is_signed(Type type);

// How much memory an access of this type reads or writes.
constexpr unsigned type_bytes(Type access) {
  switch (access) {
    case Type::kU8:
    case Type::kS8:
      return 1;
    case Type::kU16:
    case Type::kS16:
    case Type::kB16:
      return 2;
    case Type::kB64:
      return 8;
    case Type::kB128:
      return 16;
    default:
      return 4;
  }
}

unsigned byte_length(Form form);
inline unsigned byte_length(const Instruction& instruction) {
  return byte_length(instruction.form);
}

// Changes or may change the PC, the active mask or the stack other than by its marker.
bool is_control(Operation operation);
bool is_predicated(const Instruction& instruction);  // predicate is not kAlways
bool has_target(Operation operation);                // BRA CAL PBK SSY
bool is_float(Operation operation);
bool uses_multiplier(const Instruction& instruction);  // integer multiplier (thesis 4.1)

// The memory the instruction reads or writes.
bool accesses_global(const Instruction& instruction);
bool accesses_local(const Instruction& instruction);
// Reads global memory and writes it in one step.
bool is_atomic(const Instruction& instruction);
// Is the load or the store of an atomic operation on shared memory.
bool is_locked(const Instruction& instruction);

// The 32-bit registers read or written, each once, in operand order, 64- and 128-bit groups
// spelled out; for schedulers, register allocators and checkers.
struct RegisterList {
  std::array<uint8_t, 12> number{};
  uint8_t count = 0;
  const uint8_t* begin() const { return number.data(); }
  const uint8_t* end() const { return number.data() + count; }
  bool contains(uint8_t register_number) const;
};
RegisterList registers_read(const Instruction& instruction);
RegisterList registers_written(const Instruction& instruction);

}  // namespace gvp::gpgpu::g80
