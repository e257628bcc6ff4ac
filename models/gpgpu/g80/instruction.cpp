// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/instruction.h"

#include <algorithm>
#include <cstddef>
#include <tuple>

#include "models/gpgpu/g80/operations.h"

namespace gvp::gpgpu::g80 {
namespace {

auto fields(const Operand& o) {
  return std::tie(o.kind, o.type, o.access, o.index, o.words, o.high, o.indexed, o.negate,
                  o.absolute, o.invert, o.value);
}

auto fields(const Instruction& i) {
  return std::tie(i.operation, i.form, i.marker, i.type, i.combine, i.compare, i.rounding,
                  i.saturate, i.high, i.round_to_integer, i.predicate, i.condition_register,
                  i.writes_condition, i.condition_destination, i.address_register, i.post_increment,
                  i.destination, i.sources, i.target, i.limited, i.barrier, i.barrier_threads,
                  i.barrier_arrive, i.barrier_wait, i.lane_mask, i.event, i.extra);
}

void add(RegisterList& list, unsigned number) {
  if (number > 127 || list.contains(static_cast<uint8_t>(number))) return;
  list.number[list.count++] = static_cast<uint8_t>(number);
}

void add(RegisterList& list, const Operand& operand) {
  for (unsigned word = 0; word < operand.words; ++word) add(list, operand.index + word);
}

}  // namespace

bool Operand::operator==(const Operand& other) const { return fields(*this) == fields(other); }

bool Instruction::operator==(const Instruction& other) const {
  return fields(*this) == fields(other);
}

unsigned Operand::bytes() const {
  if (kind == Kind::kHalfRegister) return 2;
  if (kind == Kind::kRegister) return 4u * words;
  return type_bytes(access);
}

Type signed_variant(Type type) {
  switch (type) {
    case Type::kU8:
      return Type::kS8;
    case Type::kU16:
      return Type::kS16;
    case Type::kU24:
      return Type::kS24;
    case Type::kU32:
      return Type::kS32;
    default:
      return type;
  }
}

Type unsigned_variant(Type type) {
  switch (type) {
    case Type::kS8:
      return Type::kU8;
    case Type::kS16:
      return Type::kU16;
    case Type::kS24:
      return Type::kU24;
    case Type::kS32:
      return Type::kU32;
    default:
      return type;
  }
}

bool is_signed(Type type) { return unsigned_variant(type) != type; }

unsigned byte_length(Form form) {
  return form == Form::kShort || form == Form::kShortControl ? 4 : 8;
}

bool is_control(Operation operation) { return info(operation).unit == Unit::kControl; }

bool is_predicated(const Instruction& instruction) {
  return instruction.predicate != Condition::kAlways;
}

bool has_target(Operation operation) { return info(operation).tail == Tail::kTarget; }

bool is_float(Operation operation) { return info(operation).is_float(); }

bool uses_multiplier(const Instruction& instruction) {
  return info(instruction.operation).unit == Unit::kMultiplier;
}

bool accesses_global(const Instruction& instruction) {
  return info(instruction.operation).is(Trait::kGlobal);
}

bool accesses_local(const Instruction& instruction) {
  return info(instruction.operation).is(Trait::kLocal);
}

bool is_atomic(const Instruction& instruction) {
  const OperationInfo& operation = info(instruction.operation);
  return operation.is(Trait::kLater) && operation.is(Trait::kGlobal);
}

bool is_locked(const Instruction& instruction) {
  return info(instruction.operation).is(Trait::kLocks);
}

bool RegisterList::contains(uint8_t register_number) const {
  return std::find(begin(), end(), register_number) != end();
}

RegisterList registers_read(const Instruction& instruction) {
  RegisterList list;
  const bool second_only = info(instruction.operation).is(Trait::kSecondOnly);
  for (std::size_t i = second_only ? 1 : 0; i < instruction.sources.size(); ++i) {
    const Operand& operand = instruction.sources[i];
    if (operand.is_register()) add(list, operand);
    if (operand.kind == Operand::Kind::kGlobal) add(list, static_cast<unsigned>(operand.value));
  }
  if (instruction.destination.kind == Operand::Kind::kGlobal)
    add(list, static_cast<unsigned>(instruction.destination.value));
  return list;
}

RegisterList registers_written(const Instruction& instruction) {
  RegisterList list;
  if (instruction.destination.is_register()) add(list, instruction.destination);
  return list;
}

}  // namespace gvp::gpgpu::g80
