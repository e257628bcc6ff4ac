// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/southern_islands/slots.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/gpgpu/southern_islands/names.h"

namespace gvp::gpgpu::southern_islands {
namespace {

bool is_long_vector(const Instruction& instruction, const OperationInfo& row) {
  return instruction.vop3 || row.format == Format::kVop3;
}

Kind vector_source_kind(const OperationInfo& row, unsigned i, bool vop3) {
  if (i == 0 && row.is(Trait::kVectorFirst)) return Kind::kVector;
  if (i == 0 && row.is(Trait::kScalarFirst)) return Kind::kLane;
  if (i == 1 && row.is(Trait::kScalarSecond)) return Kind::kLane;
  return i == 0 || vop3 ? Kind::kAnySource : Kind::kVector;
}

void add_vector_slots(Slots& slots, const Instruction& instruction, const OperationInfo& row) {
  const bool vop3 = is_long_vector(instruction, row);
  if (row.format == Format::kVopc)
    slots.add(vop3 ? Place::kDestination : Place::kVcc, Kind::kScalar, Type::kB64);
  if (row.destination != Type::kNone)
    slots.add(Place::kDestination,
              row.is(Trait::kScalarDestination) ? Kind::kScalar : Kind::kVector, row.destination);
  if (row.is(Trait::kCarryOut))
    slots.add(vop3 ? Place::kCarryOut : Place::kVcc, Kind::kScalar, Type::kB64);
  for (unsigned i = 0; i < 3; ++i) {
    if (i == 1 && row.is(Trait::kConstantSecond))
      slots.add(Place::kConstant, Kind::kNumber, Type::kF32);
    if (row.source[i] == Type::kNone) continue;
    slots.add(static_cast<Place>(static_cast<unsigned>(Place::kSource0) + i),
              vector_source_kind(row, i, vop3), row.source[i]);
  }
  if (row.is(Trait::kConstantThird)) slots.add(Place::kConstant, Kind::kNumber, Type::kF32);
  if (row.is(Trait::kReadsMask))
    slots.add(vop3 ? Place::kSource2 : Place::kVcc, Kind::kScalar, Type::kB64);
}

void add_buffer_slots(Slots& slots, const Instruction& instruction, const OperationInfo& row) {
  if (!row.is_buffer()) return;
  slots.add(Place::kDestination, Kind::kVector, row.destination);
  const bool both =
      instruction.address64 || (instruction.offset_enable && instruction.index_enable);
  const bool any = both || instruction.offset_enable || instruction.index_enable;
  slots.add(Place::kSource0, Kind::kAddress, Type::kU32, both ? 2 : any ? 1 : 0);
  slots.add(Place::kSource1, Kind::kScalar, Type::kB128);
  slots.add(Place::kSource2, Kind::kBufferOffset, Type::kU32);
}

bool takes_literal(const Instruction& instruction, Kind kind) {
  const OperationInfo& row = info(instruction.operation);
  return row.format < Format::kVop3 && !instruction.vop3 && row.format != Format::kSmrd &&
         (kind == Kind::kScalarSource || kind == Kind::kAnySource);
}

bool is_scalar_range(Code number, unsigned words, bool loaded) {
  if (number >= code::kScalars) return false;
  const unsigned alignment = words == 1 ? 1 : words == 2 ? 2 : 4;
  if (number % alignment != 0) return false;
  const unsigned end = number + words;
  if (end <= code::kScalarRegisters) return true;
  if (number >= code::kTtmp0 && end <= code::kTtmp0 + code::kTtmpCount) return true;
  if (words > 2) return false;
  if (number >= code::kVccLo && end <= code::kTtmp0) return true;
  if (loaded) return false;
  return number >= code::kExecLo || (number == code::kM0 && words == 1);
}

// The scalar values that a vector operation reads; it may read one.
std::string scalar_reads_problem(const Instruction& instruction, const OperationInfo& row) {
  struct Read {
    Code number;
    unsigned words;
  };
  std::array<Read, 6> reads{};
  std::size_t count = 0;
  const auto add = [&](Code number, unsigned words) {
    if (is_vector(number) || is_constant(number)) return;
    for (std::size_t i = 0; i < count; ++i)
      if (reads[i].number == number && reads[i].words == words) return;
    reads[count++] = {number, words};
  };
  for (const Slot& slot : slots_of(instruction))
    if (slot.place >= Place::kSource0 && slot.place <= Place::kSource2)
      add(code_of(instruction, slot.place), slot.words);
  const bool vop3 = is_long_vector(instruction, row);
  if (row.is(Trait::kReadsVcc) || (row.is(Trait::kReadsMask) && !vop3)) add(code::kVccLo, 2);
  if (row.is(Trait::kConstantSecond | Trait::kConstantThird)) add(code::kLiteral, 1);
  if (row.is(Trait::kIndexes)) add(code::kM0, 1);
  if (count <= 1) return "";
  return fmt::format("{} reads {} different scalar values, and one is possible", row.mnemonic,
                     count);
}

std::string fields_problem(const Instruction& instruction, const OperationInfo& row) {
  if (instruction.lds) return "loads from buffers to the local data share are not supported";
  if (instruction.address64 && (instruction.offset_enable || instruction.index_enable))
    return "addr64 goes with neither offen nor idxen";
  const bool memory = row.is_buffer();
  if (memory && instruction.immediate > 0xfff)
    return fmt::format("the offset {} has more than 12 bits", instruction.immediate);
  if (row.format == Format::kSmrd && instruction.immediate_offset && instruction.immediate > 0xff)
    return fmt::format("the offset {} has more than 8 bits", instruction.immediate);
  return "";
}

}  // namespace

Slots slots_of(const Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  Slots slots;
  switch (row.format) {
    case Format::kSop2:
    case Format::kSop1:
    case Format::kSopc:
      if (row.destination != Type::kNone)
        slots.add(Place::kDestination, Kind::kScalar, row.destination);
      if (row.source[0] != Type::kNone)
        slots.add(
            Place::kSource0,
            row.is(Trait::kBranches | Trait::kRegisterFirst) ? Kind::kScalar : Kind::kScalarSource,
            row.source[0]);
      if (row.source[1] != Type::kNone)
        slots.add(Place::kSource1, Kind::kScalarSource, row.source[1]);
      break;
    case Format::kSopk:
      slots.add(Place::kDestination, Kind::kScalar, row.destination);
      slots.add(Place::kImmediate, Kind::kNumber, Type::kI32);
      break;
    case Format::kSopp:
      if (row.is(Trait::kTarget)) slots.add(Place::kTarget, Kind::kNumber, Type::kI32);
      if (row.is(Trait::kWaitCounts)) slots.add(Place::kWaitCounts, Kind::kNumber, Type::kU32);
      if (row.is(Trait::kImmediate)) slots.add(Place::kImmediate, Kind::kNumber, Type::kU32);
      break;
    case Format::kSmrd:
      if (row.destination != Type::kNone)
        slots.add(Place::kDestination, Kind::kLoaded, row.destination);
      if (row.source[0] == Type::kNone) break;
      slots.add(Place::kSource0, Kind::kScalar, row.source[0]);
      slots.add(Place::kWordOffset, instruction.immediate_offset ? Kind::kNumber : Kind::kScalar,
                Type::kU32);
      break;
    case Format::kVop2:
    case Format::kVop1:
    case Format::kVopc:
    case Format::kVop3:
      add_vector_slots(slots, instruction, row);
      break;
    case Format::kDs:
      if (row.destination != Type::kNone)
        slots.add(Place::kDestination, Kind::kVector, row.destination);
      slots.add(Place::kSource0, Kind::kVector, row.source[0]);
      if (row.source[1] != Type::kNone) slots.add(Place::kSource1, Kind::kVector, row.source[1]);
      if (row.source[2] != Type::kNone) slots.add(Place::kSource2, Kind::kVector, row.source[2]);
      break;
    case Format::kMubuf:
    case Format::kMtbuf:
      add_buffer_slots(slots, instruction, row);
      break;
  }
  return slots;
}

Code& code_of(Instruction& instruction, Place place) {
  switch (place) {
    case Place::kDestination:
      return instruction.destination;
    case Place::kSource0:
      return instruction.source[0];
    case Place::kSource1:
    case Place::kWordOffset:
      return instruction.source[1];
    case Place::kSource2:
      return instruction.source[2];
    default:
      return instruction.scalar_destination;
  }
}
Code code_of(const Instruction& instruction, Place place) {
  Instruction copy = instruction;
  return code_of(copy, place);
}

bool takes_output_modifiers(const Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  return is_long_vector(instruction, row) && is_float(row.destination) && !row.is(Trait::kCarryOut);
}

bool takes_negation(const Instruction& instruction, const Slot& slot) {
  return is_long_vector(instruction, info(instruction.operation)) && is_float(slot.type) &&
         slot.place >= Place::kSource0 && slot.place <= Place::kSource2;
}

bool takes_absolute(const Instruction& instruction, const Slot& slot) {
  return takes_negation(instruction, slot) && !info(instruction.operation).is(Trait::kCarryOut);
}

bool fits(const Instruction& instruction, const Slot& slot, Code number) {
  switch (slot.kind) {
    case Kind::kVector:
      return is_vector(number) && number + slot.words <= 2u * code::kVector0;
    case Kind::kAddress:
      return slot.words == 0 ? number == 0
                             : is_vector(number) && number + slot.words <= 2u * code::kVector0;
    case Kind::kScalar:
    case Kind::kLoaded:
      return is_scalar_range(number, slot.words, slot.kind == Kind::kLoaded);
    case Kind::kAnySource:
      if (is_vector(number)) return number + slot.words <= 2u * code::kVector0;
      [[fallthrough]];
    case Kind::kScalarSource:
    case Kind::kBufferOffset:
    case Kind::kLane:
      if (number == code::kLiteral) return takes_literal(instruction, slot.kind);
      if (number == code::kVccz || number == code::kExecz || number == code::kScc)
        return slot.words == 1;
      return is_constant(number) || is_scalar_range(number, slot.words, false);
    case Kind::kNumber:
      return true;
  }
  return false;
}

std::string problem_with(const Instruction& instruction) {
  const OperationInfo& row = info(instruction.operation);
  if (instruction.operation == Operation::kNone) return "no operation";
  for (const Slot& slot : slots_of(instruction)) {
    if (slot.kind == Kind::kNumber || slot.place == Place::kVcc) continue;
    const Code number = code_of(instruction, slot.place);
    if (!fits(instruction, slot, number))
      return fmt::format("{} takes no {} here", row.mnemonic,
                         text_of_operand(number, slot.words, instruction.literal));
  }
  if (row.is_vector())
    if (std::string problem = scalar_reads_problem(instruction, row); !problem.empty())
      return problem;
  return fields_problem(instruction, row);
}

}  // namespace gvp::gpgpu::southern_islands
