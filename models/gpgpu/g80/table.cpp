// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/table.h"

#include <iterator>

#include "models/gpgpu/g80/operations.h"

namespace gvp::gpgpu::g80 {
namespace {

using F = Field;
using T = Type;

// Predicate and predicate register of long control instructions that have none: the hardware
// ignores them, real programs set them.
constexpr Words kIgnoredPredicate = {0, 0x00003f80};
// MOV: "use the special function unit".
constexpr Words kIgnoredUnitShort = {0x00020000, 0};
constexpr Words kIgnoredUnit = {0, 0x02000000};
// R2C writes $c whatever the write enable says.
constexpr Words kIgnoredWriteEnable = {0, 0x00000040};

// The encodings of each operation, as operations.def has them...
#define OPERATION(name, syntax, destination, sources, tail, typing, source, third, unit, cost, \
                  traits, function, ...)                                                       \
  constexpr Encoding kEncodingsOf##name[] = {__VA_ARGS__};
#include "models/gpgpu/g80/operations.def"
#undef OPERATION

// ... and all of them, one after the other.
constexpr std::size_t count_rows() {
  std::size_t count = 0;
#define OPERATION(name, ...) count += std::size(kEncodingsOf##name);
#include "models/gpgpu/g80/operations.def"
#undef OPERATION
  return count;
}
constexpr std::size_t kRowCount = count_rows();

struct Rows {
  std::array<Row, kRowCount> row{};
  std::size_t count = 0;

  template <std::size_t kCount>
  constexpr void add(Operation operation, const Encoding (&encodings)[kCount]) {
    for (const Encoding& encoding : encodings) row[count++] = Row{encoding, operation};
  }
};

constexpr Rows collect() {
  Rows rows;
#define OPERATION(name, ...) rows.add(Operation::k##name, kEncodingsOf##name);
#include "models/gpgpu/g80/operations.def"
#undef OPERATION
  return rows;
}
constexpr Rows kRows = collect();

// A row of operations.def may not contradict itself.  Each check is one sentence of what its
// columns mean; the build stops at a row that is wrong.

constexpr bool has(const Encoding& encoding, Field first, Field last) {
  for (const Field field : encoding.fields)
    if (field >= first && field <= last) return true;
  return false;
}
constexpr bool has(const Encoding& encoding, Field field) { return has(encoding, field, field); }

constexpr bool is_conversion_source(Field field) {
  return field == F::kIntegerSource || field == F::kFloatSource;
}

// How many sources and destinations the fields of an encoding fill.
constexpr unsigned sources(const Encoding& encoding) {
  unsigned count = 0;
  for (const Field field : encoding.fields)
    count += (field >= F::kSrc1 && field <= F::kAddressOffset) || field == F::kConstantFull ||
             field == F::kSharedSource || field == F::kLocalSource || field == F::kGlobalSource ||
             field == F::kAtomicSource || is_conversion_source(field);
  // The register field of a store is its source.
  return count + (has(encoding, F::kLocalDst) || has(encoding, F::kGlobalDst) ||
                          has(encoding, F::kReductionDst)
                      ? 1
                      : 0);
}
constexpr bool has_destination(const Encoding& encoding) {
  return has(encoding, F::kDst, F::kDstCondition) || has(encoding, F::kSharedFull) ||
         has(encoding, F::kIntegerResult, F::kFloatResult);
}

constexpr bool tail_fits(Tail tail, const Encoding& encoding) {
  return (tail == Tail::kTarget) == has(encoding, F::kTarget) &&
         (tail == Tail::kBarrier) == has(encoding, F::kBarrier) &&
         (tail == Tail::kEvent) == has(encoding, F::kEvent) &&
         (tail == Tail::kCompare) == has(encoding, F::kCompare3, F::kCompare4);
}

constexpr bool type_fits(Typing typing, Type type) {
  switch (typing) {
    case Typing::kBits:
      return type == T::kB16 || type == T::kB32;
    case Typing::kInteger:
      return type == T::kU16 || type == T::kU32;
    case Typing::kStore:
      return type == T::kU8 || type == T::kU16 || type == T::kU32;
    case Typing::kWord:
    case Typing::kFactor:
    case Typing::kFactors:
    case Typing::kFloatBits:
      return type == T::kB32;
    case Typing::kHalf:
      return type == T::kB16;
    case Typing::kFloat:
      return type == T::kF32;
    case Typing::kMemory:
    case Typing::kConversion:
    case Typing::kNone:
      return type == T::kNone;
  }
  return false;
}

constexpr bool starts_with(std::string_view text, std::string_view name) {
  return text.substr(0, name.size()) == name;
}

constexpr bool is_consistent(const OperationInfo& operation) {
  bool named = false;
  bool typed = operation.source == Type::kNone;
  unsigned encodings = 0;
  for (const Row& row : kRows.row) {
    if (row.operation != operation.operation) continue;
    ++encodings;
    named |= starts_with(operation.syntax, row.name);
    typed |= row.source_type == operation.source || operation.typing == Typing::kStore ||
             (row.source_type == Type::kNone && operation.sources == 1);
    const bool control = row.form == Form::kLongControl || row.form == Form::kShortControl;
    if (control != (operation.unit == Unit::kControl) || !tail_fits(operation.tail, row) ||
        sources(row) != operation.sources || has_destination(row) != operation.destination ||
        !type_fits(operation.typing, row.type))
      return false;
  }
  const bool third = operation.third == Type::kNone || operation.sources == 3;
  const bool memory = operation.is(Trait::kLoads | Trait::kStores);
  return encodings != 0 && named && typed && third && memory == (operation.unit == Unit::kMemory);
}

// The operation whose row is wrong, or kNone: the compiler shows it.
constexpr Operation inconsistent_operation() {
  for (const OperationInfo& operation : kOperations)
    if (operation.operation != Operation::kNone && !is_consistent(operation))
      return operation.operation;
  return Operation::kNone;
}
template <Operation kOperation>
constexpr bool row_is_consistent() {
  static_assert(kOperation == Operation::kNone, "a row of operations.def contradicts itself");
  return true;
}
static_assert(row_is_consistent<inconsistent_operation()>());

// clang-format off
constexpr RejectedRow kRejected[] = {
{Form::kShort, 0x80000000, 0xf0000000, 0, 0, false, "interpolation (graphics)"},
{Form::kShort, 0xf0000000, 0xf0000000, 0, 0, false, "texture instruction"},
{Form::kShortControl, 0xb0000000, 0xf0000000, 0, 0, true, "breakpoint needs sm_11"},
{Form::kLong, 0x00000000, 0xf0000000, 0x00000000, 0xe0000000, false, "load of vertex attributes (graphics)"},
{Form::kLong, 0x00000000, 0xf0000000, 0x80000000, 0xe0000000, false, "store to o[] (graphics)"},
{Form::kLong, 0x10000000, 0xf0000000, 0x40000000, 0xe0000000, true, "load from s[] (G2R) needs sm_11; use MOV"},
{Form::kLong, 0x10000000, 0xf0000000, 0x60000000, 0xe0000000, true, "vote needs sm_12", true},
{Form::kLong, 0x80000000, 0xf0000000, 0, 0, false, "interpolation (graphics)"},
{Form::kLong, 0xa0000000, 0xf0000000, 0x00400000, 0x00400000, true, "64-bit conversion needs sm_13"},
{Form::kLong, 0xc0000000, 0xf0000000, 0x00100000, 0xe0100000, true, "saturating long FMUL needs sm_12; use FMUL32 or a saturating F2F"},
{Form::kLong, 0xc0000000, 0xf0000000, 0x80000000, 0x80000000, false, "quad operation (graphics)"},
{Form::kLong, 0xd0000000, 0xf0000000, 0xc0000000, 0xe0000000, true, "reduction on global memory needs sm_11", true},
{Form::kLong, 0xd0000000, 0xf0000000, 0xe0000000, 0xe0000000, true, "atomic on global memory needs sm_11", true},
{Form::kLong, 0xe0000000, 0xf0000000, 0x40000000, 0xc0000000, true, "double precision needs sm_13"},
{Form::kLong, 0xe0000000, 0xf0000000, 0x80000000, 0x80000000, true, "double precision needs sm_13"},
{Form::kLong, 0xf0000000, 0xf0000000, 0x00000000, 0x80000000, false, "texture instruction"},
{Form::kLong, 0xf0000000, 0xf0000000, 0x80000000, 0xe0000000, false, "texture instruction"},
{Form::kLong, 0xf0000000, 0xf0000000, 0xc0000000, 0xe0000000, false, "geometry output (graphics)"},
{Form::kLongControl, 0xb0000000, 0xf0000000, 0, 0, true, "breakpoint needs sm_11"},
{Form::kLongControl, 0xc0000000, 0xf0000000, 0, 0, true, "indirect branch needs a later architecture"},
{Form::kLongControl, 0xd0000000, 0xf0000000, 0, 0, true, "preset return needs a later architecture"},
};
// clang-format on

}  // namespace

RowRange rows() { return {kRows.row.data(), kRows.row.size()}; }

RejectedRange rejected_rows() { return {kRejected, std::size(kRejected)}; }

Form form_of(const Words& words) {
  switch (words[0] & 3) {
    case 0:
      return Form::kShort;
    case 2:
      return Form::kShortControl;
    case 3:
      return Form::kLongControl;
    default:
      return (words[1] & 3) == 3 ? Form::kLongImmediate : Form::kLong;
  }
}

Words special_unit_bit(Form form) {
  if (form == Form::kShort) return kIgnoredUnitShort;
  return form == Form::kLong ? kIgnoredUnit : Words{};
}

Words form_bits(Form form) {
  switch (form) {
    case Form::kShort:
      return {0, 0};
    case Form::kShortControl:
      return {2, 0};
    case Form::kLong:
      return {1, 0};  // the marker is in word 1
    case Form::kLongImmediate:
      return {1, 3};
    case Form::kLongControl:
      return {3, 0};
  }
  return {0, 0};
}

Words form_mask(Form form) {
  const bool second = form == Form::kLong || form == Form::kLongImmediate;
  // Only bit 0 distinguishes short from long; bit 1 the control instructions.
  return {3, second ? 3u : 0u};
}

const Row* find_row(const Words& words) {
  const Form form = form_of(words);
  for (const Row& row : rows())
    if (row.form == form && matches(row, words)) return &row;
  return nullptr;
}

}  // namespace gvp::gpgpu::g80
