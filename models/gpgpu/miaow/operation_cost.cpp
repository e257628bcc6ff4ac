// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/miaow/operation_cost.h"

#include <algorithm>
#include <string_view>

#include "models/gpgpu/southern_islands/memory_access.h"
#include "models/gpgpu/southern_islands/operations.h"
#include "models/gpgpu/southern_islands/slots.h"

namespace gvp::gpgpu::miaow {
namespace {

using namespace southern_islands;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Cycles of a beat, by the families that the RTL has units for.
uint32_t integer_beat(std::string_view mnemonic, const Timing& t) {
  const bool multiplies = contains(mnemonic, "_mul_") || contains(mnemonic, "_mad_");
  return multiplies ? t.integer_multiply_beat : t.integer_beat;
}
uint32_t float_beat(const OperationInfo& row, const Timing& t) {
  const std::string_view mnemonic = row.mnemonic;
  if (row.format == Format::kVopc) return t.float_compare_beat;
  for (const char* each : {"v_min", "v_max", "v_med3"})
    if (mnemonic.rfind(each, 0) == 0) return t.float_compare_beat;
  for (const char* each : {"v_rcp", "v_rsq", "v_sqrt", "v_exp", "v_log", "v_sin", "v_cos", "v_div"})
    if (mnemonic.rfind(each, 0) == 0) return t.reciprocal_beat;
  // A product and then a sum.
  for (const char* each : {"v_mac", "v_mad", "v_fma"})
    if (mnemonic.rfind(each, 0) == 0) return t.float_multiply_beat + t.float_add_beat;
  for (const char* each : {"v_add", "v_sub"})
    if (mnemonic.rfind(each, 0) == 0) return t.float_add_beat;
  return contains(mnemonic, "_mul") ? t.float_multiply_beat : t.convert_beat;
}

void add(std::vector<uint16_t>& list, Code first, unsigned words) {
  for (unsigned i = 0; i < words; ++i) {
    const auto number = static_cast<uint16_t>(first + i);
    if (number < code::kScalars || number == kSccRegister ||
        (number >= code::kVector0 && number < kRegisterNumbers))
      list.push_back(number);
  }
}

void add_operands(OperationCost& cost, const Instruction& instruction, const OperationInfo& row) {
  for (const Slot& slot : slots_of(instruction)) {
    if (slot.kind == Kind::kNumber) continue;
    if (slot.place == Place::kVcc) {
      const bool written = row.format == Format::kVopc || row.is(Trait::kCarryOut);
      if (written) add(cost.writes, code::kVccLo, 2);
      if (row.is(Trait::kReadsMask)) add(cost.reads, code::kVccLo, 2);
      continue;
    }
    const Code first = code_of(instruction, slot.place);
    const bool is_result = slot.place == Place::kDestination || slot.place == Place::kCarryOut;
    const bool only_read = row.is(Trait::kOnlyReadsDestination) ||
                           (row.unit == Unit::kMemory && !row.is(Trait::kLoads));
    if (is_result && !only_read) add(cost.writes, first, slot.words);
    if (!is_result || only_read || row.is(Trait::kReadsDestination | Trait::kStores))
      add(cost.reads, first, slot.words);
  }
}

// Those that no operand names.
void add_implied(OperationCost& cost, const OperationInfo& row) {
  if (row.is(Trait::kReadsScc)) add(cost.reads, kSccRegister, 1);
  if (row.is(Trait::kWritesScc)) add(cost.writes, kSccRegister, 1);
  if (row.is(Trait::kReadsVcc)) add(cost.reads, code::kVccLo, 2);
  if (row.is(Trait::kIndexes)) add(cost.reads, code::kM0, 1);
  if (row.is(Trait::kWritesExec)) add(cost.writes, code::kExecLo, 2);
  const bool under_exec = row.is_vector() || row.format == Format::kDs || row.is_buffer();
  if (under_exec || row.is(Trait::kWritesExec)) add(cost.reads, code::kExecLo, 2);
  switch (row.operation) {
    case Operation::kSCbranchScc0:
    case Operation::kSCbranchScc1:
      return add(cost.reads, kSccRegister, 1);
    case Operation::kSCbranchVccz:
    case Operation::kSCbranchVccnz:
      return add(cost.reads, code::kVccLo, 2);
    case Operation::kSCbranchExecz:
    case Operation::kSCbranchExecnz:
      return add(cost.reads, code::kExecLo, 2);
    default:
      return;
  }
}

// Words that an access moves; typed ones move those of their format alone.
uint32_t access_words(const Instruction& instruction, const OperationInfo& row) {
  const Type data = row.destination != Type::kNone ? row.destination : row.source[1];
  const uint32_t registers = words_of(data);
  if (row.format == Format::kMtbuf) {
    const ElementFormat format = element_format(instruction.data_format);
    const bool whole_words = format.bits[0] == 32;
    return std::min(registers, whole_words ? format.components : (format.bytes() + 3) / 4);
  }
  // Two ranges of registers, of which the row names one.
  return row.is(Trait::kTwoOffsets) && !row.is(Trait::kLoads) ? 2 * registers : registers;
}

void add_memory(OperationCost& cost, const Instruction& instruction, const OperationInfo& row,
                const Timing& t) {
  if (!row.is(Trait::kLoads | Trait::kStores)) {
    cost.unit = Unit::kIssue;  // of caches that are not there
    return;
  }
  cost.is_vector = row.format != Format::kSmrd;
  cost.is_store = !row.is(Trait::kLoads);
  cost.access_words = access_words(instruction, row);
  cost.fixed_cycles = cost.is_store ? t.memory_store : t.memory_load;
  if (cost.is_vector && !cost.is_store)
    cost.fixed_cycles += t.memory_register * (words_of(row.destination) - 1);
}

}  // namespace

OperationCost cost_of(const Op& op, const Timing& t) {
  OperationCost cost;
  const OperationInfo& row = info(op.instruction.operation);
  if (row.operation == Operation::kNone) return cost;
  cost.unit = row.unit;
  cost.branches = row.is(Trait::kBranches);
  cost.ends = row.is(Trait::kEnds);
  add_operands(cost, op.instruction, row);
  add_implied(cost, row);
  switch (row.unit) {
    case Unit::kIssue:
      break;
    case Unit::kScalar:
      cost.cycles = cost.branches ? t.branch_not_taken : t.scalar;
      break;
    case Unit::kInteger:
      cost.cycles = t.vector_base + 4 * integer_beat(row.mnemonic, t);
      break;
    case Unit::kFloat:
      cost.cycles = t.vector_base + 4 * float_beat(row, t);
      break;
    case Unit::kMemory:
      add_memory(cost, op.instruction, row, t);
      break;
  }
  return cost;
}

}  // namespace gvp::gpgpu::miaow
