// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/operations.h"

#include <algorithm>
#include <vector>

namespace gvp::gpgpu::southern_islands {
namespace {

// The columns of a row must agree; the build stops at one that does not.
constexpr bool is_consistent(const OperationInfo& row) {
  const bool source = row.source[0] != Type::kNone;
  const bool gap = (row.source[1] != Type::kNone || row.source[2] != Type::kNone) && !source;
  switch (row.format) {
    case Format::kSop2:
      return row.unit == Unit::kScalar && row.destination != Type::kNone && source &&
             row.source[1] != Type::kNone && row.source[2] == Type::kNone;
    case Format::kSopk:
      return row.unit == Unit::kScalar && words_of(row.destination) == 1 && !source && !gap;
    case Format::kSop1:
      return row.unit == Unit::kScalar && row.source[1] == Type::kNone && !gap;
    case Format::kSopc:
      return row.destination == Type::kNone && row.source[1] != Type::kNone && source &&
             row.is(Trait::kWritesScc);
    case Format::kSopp:
      return row.destination == Type::kNone && !source && !gap;
    case Format::kSmrd:
      return row.unit == Unit::kMemory && source == row.is(Trait::kLoads) && !gap;
    case Format::kVop2:
      return (row.unit == Unit::kInteger || row.unit == Unit::kFloat) && source &&
             row.source[1] != Type::kNone && row.opcode < 0x40;
    case Format::kVop1:
      return row.source[1] == Type::kNone && source == (row.destination != Type::kNone);
    case Format::kVopc:
      return row.destination == Type::kNone && source && row.source[0] != Type::kNone &&
             row.opcode < 0x100;
    case Format::kVop3:
      return row.destination != Type::kNone && source && row.source[1] != Type::kNone &&
             row.opcode >= 0x140;
    case Format::kDs:
      return row.unit == Unit::kMemory && row.source[0] == Type::kU32 &&
             (row.destination != Type::kNone || row.is(Trait::kStores)) &&
             row.is(Trait::kLoads | Trait::kStores);
    case Format::kMubuf:
    case Format::kMtbuf:
      return row.unit == Unit::kMemory && !source && !gap &&
             (row.destination != Type::kNone) == row.is(Trait::kLoads | Trait::kStores);
  }
  return false;
}

constexpr bool all_consistent() {
  for (const OperationInfo& row : kOperations)
    if (row.operation != Operation::kNone && !is_consistent(row)) return false;
  return true;
}
static_assert(all_consistent(), "a row of operations.def contradicts itself");

constexpr bool opcodes_differ() {
  for (std::size_t i = 1; i < kOperationCount; ++i)
    for (std::size_t j = i + 1;
         j < kOperationCount && kOperations[i].format == kOperations[j].format; ++j)
      if (kOperations[i].opcode == kOperations[j].opcode) return false;
  return true;
}
static_assert(opcodes_differ(), "two rows of operations.def have one encoding");

constexpr std::size_t kOpcodes = 512;
struct ByOpcode {
  std::array<std::array<Operation, kOpcodes>, kFormatCount> operation{};
};
constexpr ByOpcode by_opcode() {
  ByOpcode table;
  for (const OperationInfo& row : kOperations)
    if (row.operation != Operation::kNone)
      table.operation[static_cast<std::size_t>(row.format)][row.opcode] = row.operation;
  return table;
}
constexpr ByOpcode kByOpcode = by_opcode();

std::vector<const OperationInfo*> by_mnemonic() {
  std::vector<const OperationInfo*> rows;
  for (std::size_t i = 1; i < kOperationCount; ++i) rows.push_back(&kOperations[i]);
  std::sort(rows.begin(), rows.end(),
            [](const auto* a, const auto* b) { return a->mnemonic < b->mnemonic; });
  return rows;
}

}  // namespace

const char* name_of(Format format) {
  constexpr const char* kNames[kFormatCount] = {"SOP2", "SOPK",  "SOP1", "SOPC", "SOPP",
                                                "SMRD", "VOP2",  "VOP1", "VOPC", "VOP3",
                                                "DS",   "MUBUF", "MTBUF"};
  return kNames[static_cast<std::size_t>(format)];
}

Operation find_operation(Format format, unsigned opcode) {
  return opcode < kOpcodes ? kByOpcode.operation[static_cast<std::size_t>(format)][opcode]
                           : Operation::kNone;
}

Operation find_operation(std::string_view mnemonic) {
  static const std::vector<const OperationInfo*> rows = by_mnemonic();
  const auto found =
      std::lower_bound(rows.begin(), rows.end(), mnemonic,
                       [](const auto* row, std::string_view name) { return row->mnemonic < name; });
  return found != rows.end() && (*found)->mnemonic == mnemonic ? (*found)->operation
                                                               : Operation::kNone;
}

}  // namespace gvp::gpgpu::southern_islands
