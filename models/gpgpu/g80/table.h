// SPDX-License-Identifier: Apache-2.0
// The encodings of the G80 (sm_10) instruction set as one table: a row per encoding, with its fixed
// bits and the fields that fill the rest, collected from the operations' rows (operations.def).
// Decoder, encoder, disassembler, assembler and their tests are all driven by it.  Encodings as
// documented in docs/g80.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "models/gpgpu/g80/instruction.h"

namespace gvp::gpgpu::g80 {

using Words = std::array<uint32_t, 2>;

// What fills a part of an encoding.  "Short" fields are those of short and immediate forms.  A
// "half" operand is 16 bits wide: register halves, and memory accessed as 16 bits.
enum class Field : uint8_t {
  kEnd = 0,
  // Long forms
  kPredicate,       // w1[11:7] condition, [13:12] $c
  kConditionWrite,  // w1[6] enable, [5:4] $c
  kTarget,          // w0[26:11], w1[19:14]: word address
  // Destinations
  kDst,  // w0[8:2], or o[] with w1[3]
  kDstHalf,
  kDstRegister,  // w0[8:2], never o[]
  kDstRegisterHalf,
  kDstMemory,  // w0[8:2]: 1, 2 or 4 registers, depending on the type of the access
  kDstShort,   // w0[7:2]
  kDstShortHalf,
  kDstAddress,    // w0[4:2]: $a
  kDstCondition,  // w1[5:4]: $c
  // Sources: registers, or memory where a flag says so
  kSrc1,  // w0[15:9], s[] with w1[21]
  kSrc1Half,
  kSrc1Register,  // w0[15:9]
  kSrc1Short,     // w0[14:9], s[] with w0[24]
  kSrc1ShortHalf,
  kSrc1ShortRegister,
  kSrc1ShortRegisterHalf,
  kSrc2,  // w0[22:16], c[] with w0[23]
  kSrc2Half,
  kSrc2Short,  // w0[21:16], c[] with w0[23]
  kSrc2ShortHalf,
  kSrc2ShortRegister,
  kSrc2ShortRegisterHalf,
  kSrc3,          // w1[20:14], c[] with w0[24]
  kSrc3AsSecond,  // the same, but the operation's second source (IADD, FADD)
  kSrc3AsSecondHalf,
  kSrc3IsDst,    // short forms: the third source is the destination register
  kSrc2OrCount,  // shifts: w1[20]: immediate w0[22:16], else kSrc2
  kSrc2OrCountHalf,
  kSrc2Register,     // w0[22:16], never memory
  kSrc3Register,     // w1[20:14], never memory
  kImmediate,        // second source: w0[21:16], w1[27:2]
  kImmediateMove,    // the same, first source
  kStoreSource,      // R2G: w1[20:14], w1[21] = 32-bit register, else a half
  kSourceAddress,    // $a: w0[27:26], w1[2]
  kSourceCondition,  // $c: w1[13:12]
  kSourceSpecial,    // w1[17:14]
  kAddressShift,     // w0[19:16]: second source of R2A
  kAddressOffset,    // w0[24:9]: second source of ADA
  // Memory operands that fill a field of their own
  kSharedFull,    // destination of R2G: w0[24:9], access of the row
  kSharedSource,  // of G2R: w0[24:9], 32 bits
  kConstantFull,  // MVC: w0[24:9], bank w1[25:22], access w1[15:14]
  kLocalSource,   // w0[24:9], type w1[23:21]
  kLocalDst,
  kGlobalSource,  // w0[15:9] register, w0[19:16] bank, type w1[23:21]
  kGlobalDst,
  kAtomicSource,  // w0[15:9] register, w0[26:23] bank, 32 bits
  kReductionDst,  // w0[15:9] register, w0[19:16] bank, 32 bits
  // Modifiers
  kCombine,      // w0[22] and w0[28]
  kCombineLong,  // w1[27:26]
  kSaturate8,    // w0[8]
  kSaturate19,   // w1[19] ...
  kSaturate27,
  kSaturate29,
  kSigned8,               // w0[8]: the signed variant of the row's type
  kSigned21,              // w1[21]
  kSigned27,              // w1[27]
  kMultiplySignsShort,    // w0[15] first source, w0[8] second source signed
  kMultiplySigns,         // w1[15], w1[14]
  kMultiply24Short,       // w0[15] signed, w0[8] high
  kMultiply24,            // w1[15] signed, w1[14] high
  kCompare3,              // w1[16:14]
  kCompare4,              // w1[17:14]
  kNegate1Short,          // w0[15]
  kNegate2Short,          // w0[22]
  kNegate3Short,          // w0[22]
  kAbsolute1Short,        // w0[15]
  kNegate1ByM3,           // w0[22]: RCP32
  kNegate1,               // w1[26]
  kNegate2,               // w1[27]
  kNegate3,               // w1[27]
  kNegate3By29,           // w1[29]: FCMP
  kAbsolute1,             // w1[20]
  kAbsolute2,             // w1[19]
  kInvert1Short,          // w0[22]
  kInvert1,               // w1[16]
  kInvert2,               // w1[17]
  kRoundingAdd,           // w0[17:16]
  kRoundingMultiply,      // w1[15:14]
  kRoundingConvert,       // w1[18:17]
  kLanes,                 // w1[17:14]
  kIntegerSource,         // conversions from integer: w1[16:14] and w0[15:9]
  kFloatSource,           // conversions from float: w1[14] and w0[15:9]
  kIntegerResult,         // I2I: w1[27] signed, [26] 32-bit, [19] 8-bit and w0[8:2]
  kIntegerResultOfFloat,  // F2I: the same without [19]
  kFloatResult,           // I2F, F2F: w1[26] 32-bit and w0[8:2]
  kConvertSource,         // modifiers of the source: w1[29] negate, [20] absolute
  kRoundToInteger,        // w1[27]: F2F
  kLimited,               // w1[6]: CAL
  kBarrier,               // w0[24:21] id, [20:9] threads, [25] arrive, [26] wait, w1[14] all
  kEvent,                 // w0[13:10]
};
inline constexpr std::size_t kMaxFields = 11;

struct Encoding {
  std::string_view name;  // what cuobjdump calls it, without modifiers
  Form form;
  uint32_t bits0, mask0, bits1, mask1;  // fixed bits, beyond those that select the form
  Type type;                            // of the operation
  Type source_type;                     // of its sources
  std::array<Field, kMaxFields> fields;
  Words ignored{};        // bits that real programs set and the hardware ignores
  bool high = false;      // IMAD: upper bits of the product
  bool saturate = false;  // IMAD: this row saturates
};

struct Row : Encoding {
  Operation operation = Operation::kNone;
};

// Encodings that are known and not executable on sm_10; they come before the rows of the table.
struct RejectedRow {
  Form form;
  uint32_t bits0, mask0, bits1, mask1;
  bool later;  // true: needs a later architecture; false: belongs to graphics
  std::string_view reason;
  bool extension = false;  // rows of the table have it, for devices that are configured with it
};

struct RowRange {
  const Row* first;
  std::size_t count;
  const Row* begin() const { return first; }
  const Row* end() const { return first + count; }
};
RowRange rows();

struct RejectedRange {
  const RejectedRow* first;
  std::size_t count;
  const RejectedRow* begin() const { return first; }
  const RejectedRow* end() const { return first + count; }
};
RejectedRange rejected_rows();

// The form that a first word (and, for immediates, the second) selects.
Form form_of(const Words& words);
// Short forms are complete with the first word.
inline bool is_short(uint32_t word) { return (word & 1) == 0; }
// MOV: the bit "in the special function unit", which changes no result (.SFU in text).
Words special_unit_bit(Form form);
// The bits of the words that say which form it is.
Words form_bits(Form form);
Words form_mask(Form form);

template <typename Entry>
bool matches(const Entry& row, const Words& words) {
  return (words[0] & row.mask0) == row.bits0 && (words[1] & row.mask1) == row.bits1;
}

// Nullptr when no row of the table fits.
const Row* find_row(const Words& words);

}  // namespace gvp::gpgpu::g80
