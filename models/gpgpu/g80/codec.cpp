// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/codec.h"

#include <fmt/format.h>

#include "models/gpgpu/g80/operations.h"

namespace gvp::gpgpu::g80 {
namespace {

using F = Field;
using Kind = Operand::Kind;

// Why an operand cannot stand where the encoding wants a register.
const char* misplaced(const Operand& operand, const char* register_wanted) {
  switch (operand.kind) {
    case Kind::kShared:
      return "s[] (g[]) can be the first source only";
    case Kind::kConstant:
      return "c[] cannot stand here: the second source can, or the third";
    case Kind::kImmediate:
      return "no immediate can stand here: use MVI or a c[] operand";
    case Kind::kLocal:
      return "l[] is reached with LLD and LST only";
    case Kind::kGlobal:
      return "global memory is reached with GLD and GST only";
    default:
      return register_wanted;
  }
}

bool applies_to_long(Form form) { return form == Form::kLong; }

}  // namespace

Codec::Codec(Direction direction, const Row& row, Words& words, Instruction& instruction)
    : direction_(direction), row_(row), w_(words), i_(instruction) {}

void Codec::run() {
  if (!encoding()) {
    i_.operation = row_.operation;
    i_.form = row_.form;
    i_.type = row_.type;
    i_.high = row_.high;
    i_.saturate = row_.saturate;
  }
  if (applies_to_long(row_.form)) bits(1, 0, 2, i_.marker, "marker");
  for (const Field field : row_.fields) {
    if (field == F::kEnd) break;
    transfer(field);
    if (problem_.empty()) ++progress_;
  }
  if (!encoding()) finish_types();
}

// Sources that no field gave a type have the row's.
void Codec::finish_types() {
  for (Operand& operand : i_.sources)
    if (operand.kind != Kind::kNone && operand.type == Type::kNone) operand.type = row_.source_type;
  const Type third = info(i_.operation).third;
  if (third != Type::kNone) i_.sources[2].type = third;
  if (i_.destination.is_register() || i_.destination.kind == Kind::kOutput)
    i_.destination.type = i_.type;
}

void Codec::fail_range(const char* what, uint32_t value, uint32_t maximum) {
  fail(fmt::format("{} {:#x} does not fit (at most {:#x})", what, value, maximum));
}

void Codec::flag(unsigned word, unsigned bit, bool& value) { bits(word, bit, 1, value, "flag"); }

// A bit that turns an unsigned type into the signed one of the same width.
void Codec::signed_type(unsigned word, unsigned bit, Type& type) {
  bool is_set = is_signed(type);
  flag(word, bit, is_set);
  if (!encoding()) type = is_set ? signed_variant(type) : unsigned_variant(type);
}

void Codec::transfer(Field field) {
  switch (field) {
    case F::kEnd:
      break;
    case F::kPredicate:
      bits(1, 7, 5, i_.predicate, "condition");
      bits(1, 12, 2, i_.condition_register, "$c register");
      break;
    case F::kConditionWrite:
      if (encoding() && (row_.bits1 >> 6 & 1) != 0 && !i_.writes_condition)
        fail("the $c register that tells the outcome is missing");
      flag(1, 6, i_.writes_condition);
      bits(1, 4, 2, i_.condition_destination, "$c register");
      break;
    case F::kTarget: {
      uint32_t low = (i_.target >> 2) & 0xffff;
      uint32_t high = i_.target >> 18;
      if (encoding() && (i_.target & 3) != 0) fail("branch target is not a multiple of 4");
      bits(0, 11, 16, low, "branch target");
      bits(1, 14, 6, high, "branch target");
      i_.target = high << 18 | low << 2;
      break;
    }
    default:
      if (field <= F::kDstCondition) {
        transfer_destination(field);
      } else if (field <= F::kAddressOffset) {
        transfer_source(field);
      } else if (field <= F::kReductionDst) {
        transfer_memory(field);
      } else {
        transfer_modifier(field);
      }
  }
}

void Codec::word_register(Operand& operand, unsigned word, unsigned low, unsigned count) {
  if (!encoding()) {
    operand.kind = Kind::kRegister;
    operand.words = 1;
  } else if (operand.kind != Kind::kRegister || operand.words != 1) {
    fail(misplaced(operand, "a 32-bit register is needed here"));
  }
  bits(word, low, count, operand.index, "register");
}

void Codec::half_register(Operand& operand, unsigned word, unsigned low, unsigned count) {
  if (!encoding()) {
    operand.kind = Kind::kHalfRegister;
  } else if (operand.kind != Kind::kHalfRegister) {
    fail(misplaced(operand, "a register half (R0L, R0H) is needed here"));
  }
  flag(word, low, operand.high);
  bits(word, low + 1, count - 1, operand.index, "register");
}

void Codec::any_register(Operand& operand, bool half, unsigned word, unsigned low, unsigned count) {
  if (half) {
    half_register(operand, word, low, count);
  } else {
    word_register(operand, word, low, count);
  }
}

void Codec::destination(bool half, bool may_be_output) {
  Operand& d = i_.destination;
  if (may_be_output) {
    bool output = d.kind == Kind::kOutput;
    flag(1, 3, output);
    if (output) {
      d.kind = Kind::kOutput;
      bits(0, 2, 7, d.index, "o[] number");
      return;
    }
  }
  any_register(d, half, 0, 2, 7);
}

void Codec::transfer_destination(Field field) {
  Operand& d = i_.destination;
  switch (field) {
    case F::kDst:
      destination(false, true);
      break;
    case F::kDstHalf:
      destination(true, true);
      break;
    case F::kDstRegister:
      destination(false, false);
      break;
    case F::kDstRegisterHalf:
      destination(true, false);
      break;
    case F::kDstMemory:
      // Loads and stores have the data register in the same field.
      memory_registers(info(row_.operation).is(Trait::kLoads) ? d : i_.sources[0]);
      break;
    case F::kDstShort:
      word_register(d, 0, 2, 6);
      break;
    case F::kDstShortHalf:
      half_register(d, 0, 2, 6);
      break;
    case F::kDstAddress:
      if (encoding() && d.kind != Kind::kAddress) fail("an address register is needed here");
      d.kind = Kind::kAddress;
      bits(0, 2, 3, d.index, "address register");
      break;
    case F::kDstCondition:
      if (encoding() && d.kind != Kind::kCondition) fail("a $c register is needed here");
      d.kind = Kind::kCondition;
      bits(1, 4, 2, d.index, "$c register");
      break;
    default:
      break;
  }
}

void Codec::memory_registers(Operand& operand) {
  const unsigned words = i_.type == Type::kB128 ? 4 : i_.type == Type::kB64 ? 2 : 1;
  if (!encoding()) {
    operand.kind = Kind::kRegister;
    operand.words = static_cast<uint8_t>(words);
    operand.type = i_.type;
  } else if (operand.kind != Kind::kRegister || operand.words != words) {
    fail(fmt::format("{} 32-bit register(s) are needed here", words));
  }
  bits(0, 2, 7, operand.index, "register");
}

void Codec::source1(bool half, bool is_short) {
  Operand& s = i_.sources[0];
  bool in_memory = s.kind == Kind::kShared;
  flag(is_short ? 0 : 1, is_short ? 24 : 21, in_memory);
  if (in_memory) {
    if (is_short) {
      shared(s, 13, 4);
    } else {
      shared(s, 14, 5);
    }
  } else {
    any_register(s, half, 0, 9, is_short ? 6 : 7);
  }
}

void Codec::source2(bool half, bool is_short) {
  Operand& s = i_.sources[1];
  bool in_memory = s.kind == Kind::kConstant;
  flag(0, 23, in_memory);
  if (!in_memory) {
    any_register(s, half, 0, 16, is_short ? 6 : 7);
    return;
  }
  if (is_short && i_.sources[0].kind == Kind::kShared)
    fail("a short instruction reads s[] or c[], not both");
  if (is_short) {
    constant(s, half, 0, 16, 5);
    bits(0, 21, 1, s.index, "constant bank of a short instruction");
  } else {
    constant(s, half, 0, 16, 7);
    bank(s);
  }
}

void Codec::source3(Operand& operand, bool half) {
  bool in_memory = operand.kind == Kind::kConstant;
  flag(0, 24, in_memory);
  if (!in_memory) {
    any_register(operand, half, 1, 14, 7);
    return;
  }
  if (&operand != &i_.sources[1] && i_.sources[1].kind == Kind::kConstant)
    fail("one c[] operand at most");
  constant(operand, half, 1, 14, 7);
  bank(operand);
}

void Codec::transfer_source(Field field) {
  auto& s = i_.sources;
  switch (field) {
    case F::kSrc1:
      source1(false, false);
      break;
    case F::kSrc1Half:
      source1(true, false);
      break;
    case F::kSrc1Register:
      word_register(s[0], 0, 9, 7);
      break;
    case F::kSrc1Short:
      source1(false, true);
      break;
    case F::kSrc1ShortHalf:
      source1(true, true);
      break;
    case F::kSrc1ShortRegister:
      word_register(s[0], 0, 9, 6);
      break;
    case F::kSrc1ShortRegisterHalf:
      half_register(s[0], 0, 9, 6);
      break;
    case F::kSrc2:
      source2(false, false);
      break;
    case F::kSrc2Half:
      source2(true, false);
      break;
    case F::kSrc2Short:
      source2(false, true);
      break;
    case F::kSrc2ShortHalf:
      source2(true, true);
      break;
    case F::kSrc2ShortRegister:
      word_register(s[1], 0, 16, 6);
      break;
    case F::kSrc2ShortRegisterHalf:
      half_register(s[1], 0, 16, 6);
      break;
    case F::kSrc3:
      source3(s[2], false);
      break;
    case F::kSrc3AsSecond:
      source3(s[1], false);
      break;
    case F::kSrc3AsSecondHalf:
      source3(s[1], true);
      break;
    case F::kSrc3IsDst:
      if (encoding() && (!s[2].is_register() || s[2].index != i_.destination.index))
        fail("the third source of a 32-bit instruction is its destination register");
      if (!encoding()) {
        s[2].kind = i_.destination.kind;
        s[2].index = i_.destination.index;
      }
      break;
    case F::kSrc2OrCount:
    case F::kSrc2OrCountHalf: {
      bool count = s[1].kind == Kind::kImmediate;
      flag(1, 20, count);
      if (count) {
        s[1].kind = Kind::kImmediate;
        bits(0, 16, 7, s[1].value, "shift count");
      } else {
        source2(field == F::kSrc2OrCountHalf, false);
      }
      break;
    }
    case F::kSrc2Register:
      word_register(s[1], 0, 16, 7);
      break;
    case F::kSrc3Register:
      word_register(s[2], 1, 14, 7);
      break;
    case F::kImmediate:
      immediate(s[1]);
      break;
    case F::kImmediateMove:
      immediate(s[0]);
      break;
    case F::kStoreSource: {
      bool word = s[0].kind == Kind::kRegister;
      flag(1, 21, word);
      any_register(s[0], !word, 1, 14, 7);
      s[0].type = word ? Type::kB32 : Type::kB16;
      break;
    }
    case F::kSourceAddress: {
      if (encoding() && s[0].kind != Kind::kAddress) fail("an address register is needed here");
      s[0].kind = Kind::kAddress;
      uint32_t low = s[0].index & 3u;
      uint32_t high = s[0].index >> 2;
      bits(0, 26, 2, low, "address register");
      bits(1, 2, 1, high, "address register");
      s[0].index = static_cast<uint8_t>(high << 2 | low);
      break;
    }
    case F::kSourceCondition:
      if (encoding() && (s[0].kind != Kind::kCondition || s[0].index != i_.condition_register))
        fail("C2R reads the same $c register as its predicate");
      s[0].kind = Kind::kCondition;
      s[0].index = i_.condition_register;
      break;
    case F::kSourceSpecial:
      if (encoding() && s[0].kind != Kind::kSpecial) fail("a special register is needed here");
      s[0].kind = Kind::kSpecial;
      bits(1, 14, 4, s[0].index, "special register");
      break;
    case F::kAddressShift:
    case F::kAddressOffset:
      if (encoding() && s[1].kind != Kind::kImmediate) fail("an immediate is needed here");
      s[1].kind = Kind::kImmediate;
      if (field == F::kAddressShift) {
        bits(0, 16, 4, s[1].value, "shift count");
      } else {
        bits(0, 9, 16, s[1].value, "offset");
      }
      break;
    default:
      break;
  }
}

void Codec::immediate(Operand& operand) {
  if (encoding() && operand.kind != Kind::kImmediate) fail("an immediate is needed here");
  operand.kind = Kind::kImmediate;
  const uint32_t value = static_cast<uint32_t>(operand.value);
  uint32_t low = value & 0x3f;
  uint32_t high = value >> 6;
  bits(0, 16, 6, low, "immediate");
  bits(1, 2, 26, high, "immediate");
  operand.value = static_cast<int32_t>(high << 6 | low);
}

}  // namespace gvp::gpgpu::g80
