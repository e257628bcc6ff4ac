// SPDX-License-Identifier: Apache-2.0
// Pieces of parameters in memory that do not lie where the machine could access them.
#include <algorithm>
#include <utility>

#include "tools/ptx/inliner.h"

namespace gvp::ptx {
namespace {

constexpr unsigned kWord = 4;

}  // namespace

// Clang passes the bytes of bit fields and packed structures in pieces of two, four and eight,
// whatever their place; the machine cannot access those in one.  Whether there was something to do.
bool Inliner::byte_by_byte(const Instruction& access) {
  const bool load = access.opcode == Opcode::kLd;
  const Operand& memory = access.operands[load ? 1 : 0];
  const Operand& data = access.operands[load ? 0 : 1];
  const unsigned size = bytes(access.type);
  if (size == 0 || memory.value % std::min(size, kWord) == 0) return false;
  if (data.kind == Operand::Kind::kVector) {
    one_by_one(access);
    return true;
  }
  const bool whole_register =
      data.is_register() && bytes(result_.registers[data.index].type) == size;
  const bool has_bytes = is_integer(access.type) || access.type == Type::kF32;
  if (!has_bytes || !(whole_register || (!load && data.is_immediate()))) return false;
  if (size > kWord) return word_by_word(access);
  const auto add = [&](Opcode opcode, Type type, std::vector<Operand> operands) {
    Instruction instruction = access;
    instruction.opcode = opcode;
    instruction.type = type;
    if (opcode != Opcode::kLd && opcode != Opcode::kSt) {
      instruction.space = Space::kGeneric;
      instruction.ordered = false;
    }
    instruction.operands = std::move(operands);
    result_.body.push_back(std::move(instruction));
  };
  const auto byte_at = [&](unsigned number) {
    Operand place = memory;
    place.value += number;
    return place;
  };
  const auto distance = [](unsigned number) {
    Operand operand;
    operand.kind = Operand::Kind::kImmediate;
    operand.value = uint64_t{8} * number;
    return operand;
  };
  const Type whole = size == 2 ? Type::kU16 : Type::kU32;
  const Type whole_bits = size == 2 ? Type::kB16 : Type::kB32;
  if (!load) {
    Operand rest = new_register(whole);
    add(Opcode::kMov, whole_bits, {rest, data});
    for (unsigned i = 0; i < size; ++i) {
      Operand part = rest;
      if (i != 0) {
        part = new_register(whole);
        add(Opcode::kShr, whole, {part, rest, distance(i)});
      }
      add(Opcode::kSt, Type::kU8, {byte_at(i), part});
    }
    return true;
  }
  Operand sum = new_register(whole);
  add(Opcode::kLd, Type::kU8, {sum, byte_at(0)});
  for (unsigned i = 1; i < size; ++i) {
    const Operand part = new_register(whole);
    const Operand moved = new_register(whole);
    const Operand both = new_register(whole);
    add(Opcode::kLd, Type::kU8, {part, byte_at(i)});
    add(Opcode::kShl, whole_bits, {moved, part, distance(i)});
    add(Opcode::kOr, whole_bits, {both, sum, moved});
    sum = both;
  }
  add(Opcode::kMov, whole_bits, {data, sum});
  return true;
}

// The elements of a vector.
void Inliner::one_by_one(const Instruction& access) {
  const bool load = access.opcode == Opcode::kLd;
  Instruction single = access;
  single.vector = 1;
  for (const Operand& element : access.operands[load ? 0 : 1].elements) {
    single.operands[load ? 0 : 1] = element;
    const bool is_sink = element.kind == Operand::Kind::kSink;
    if (!is_sink && !byte_by_byte(single)) result_.body.push_back(single);
    single.operands[load ? 1 : 0].value += bytes(access.type);
  }
}

// Eight bytes.  Where addresses have as many, numbers are not in two words.
bool Inliner::word_by_word(const Instruction& access) {
  if (module_.wide_addresses) return false;
  const bool load = access.opcode == Opcode::kLd;
  const Operand& data = access.operands[load ? 0 : 1];
  Operand words;
  words.kind = Operand::Kind::kVector;
  words.position = data.position;
  Instruction convert = access;
  convert.opcode = Opcode::kMov;
  convert.space = Space::kGeneric;
  convert.type = Type::kB64;
  convert.ordered = false;
  if (data.is_immediate()) {
    words.elements = {data, data};
    words.elements[0].value &= UINT32_MAX;
    words.elements[1].value >>= 32U;
    for (Operand& word : words.elements) word.type = Type::kNone;
  } else {
    words.elements = {new_register(Type::kB32), new_register(Type::kB32)};
    convert.operands = {load ? data : words, load ? words : data};
    if (!load) result_.body.push_back(convert);
  }
  Instruction halves = access;
  halves.type = Type::kB32;
  halves.operands[load ? 0 : 1] = words;
  one_by_one(halves);
  if (load) result_.body.push_back(std::move(convert));
  return true;
}

}  // namespace gvp::ptx
