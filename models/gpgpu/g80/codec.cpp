// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/codec.h"

#include <fmt/format.h>

namespace gvp::gpgpu::g80 {
namespace {

using F = Field;
using Kind = Operand::Kind;

constexpr Type kSharedAccess[] = {Type::kU8, Type::kU16, Type::kS16, Type::kB32};
constexpr Type kMemoryAccess[] = {Type::kU8,  Type::kS8,   Type::kU16, Type::kS16,
                                  Type::kB64, Type::kB128, Type::kB32};

template <typename Table>
int index_of(const Table& table, Type type) {
  int index = 0;
  for (const Type entry : table) {
    if (entry == type) return index;
    ++index;
  }
  return -1;
}

bool applies_to_long(Form form) { return form == Form::kLong; }

}  // namespace

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

unsigned type_bytes(Type type) {
  Operand operand;
  operand.access = type;
  return operand.bytes();
}

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
  }
  if (!encoding()) finish_types();
}

// Sources that no field gave a type have the row's.
void Codec::finish_types() {
  for (Operand& operand : i_.sources)
    if (operand.kind != Kind::kNone && operand.type == Type::kNone) operand.type = row_.source_type;
  if (i_.operation == Operation::kFloatSelect) i_.sources[2].type = Type::kF32;
  if (i_.operation == Operation::kMultiplyAdd) i_.sources[2].type = Type::kB32;
  if (i_.operation == Operation::kSumAbsoluteDifference) i_.sources[2].type = Type::kB32;
  if (i_.destination.is_register() || i_.destination.kind == Kind::kOutput)
    i_.destination.type = i_.type;
}

template <typename T>
void Codec::bits(unsigned word, unsigned low, unsigned count, T& value, const char* what) {
  const uint32_t mask = (1u << count) - 1;
  if (encoding()) {
    const uint32_t raw = static_cast<uint32_t>(value);
    if (raw > mask) fail(fmt::format("{} {:#x} does not fit (at most {:#x})", what, raw, mask));
    w_[word] |= (raw & mask) << low;
  } else {
    value = static_cast<T>((w_[word] >> low) & mask);
  }
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
      } else if (field <= F::kGlobalDst) {
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
    fail("a 32-bit register is needed here");
  }
  bits(word, low, count, operand.index, "register");
}

void Codec::half_register(Operand& operand, unsigned word, unsigned low, unsigned count) {
  if (!encoding()) {
    operand.kind = Kind::kHalfRegister;
  } else if (operand.kind != Kind::kHalfRegister) {
    fail("a register half (R0L, R0H) is needed here");
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
      memory_registers(row_.operation == Operation::kLoadLocal ||
                               row_.operation == Operation::kLoadGlobal
                           ? d
                           : i_.sources[0]);
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

void Codec::indexing(Operand& operand) {
  if (indexing_done_) {
    if (encoding() && operand.indexed)
      fail("an address register applies to s[] when an instruction reads s[] and c[]");
    return;
  }
  indexing_done_ = true;
  uint32_t low = i_.address_register & 3u;
  uint32_t high = i_.address_register >> 2;
  const bool is_long = row_.form == Form::kLong;
  bool post = i_.post_increment;
  bits(0, 26, 2, low, "address register");
  if (is_long) {
    bits(1, 2, 1, high, "address register");
  } else if (encoding() && high != 0) {
    fail("this form reaches A1 to A3 only");
  }
  flag(0, 25, post);
  if (!encoding()) {
    i_.address_register = static_cast<uint8_t>((is_long ? high << 2 : 0) | low);
    i_.post_increment = post;
    operand.indexed = i_.address_register != 0 || post;
  }
}

// An offset in units of the access; signed as an increment, unsigned otherwise.
void Codec::offset(Operand& operand, unsigned word, unsigned low, unsigned count) {
  const int size = static_cast<int>(type_bytes(operand.access));
  const bool increment = operand.indexed && i_.post_increment;
  const int range = 1 << count;
  if (encoding()) {
    const int units = operand.value / size;
    const int minimum = increment ? -range / 2 : 0;
    const int maximum = increment ? range / 2 - 1 : range - 1;
    if (operand.value % size != 0)
      fail(
          fmt::format("offset {:#x} is not a multiple of the access size {}", operand.value, size));
    if (units < minimum || units > maximum)
      fail(fmt::format("offset {:#x} does not fit ({} to {})", operand.value, minimum * size,
                       maximum * size));
    w_[word] |= (static_cast<uint32_t>(units) & static_cast<uint32_t>(range - 1)) << low;
    return;
  }
  int units = 0;
  bits(word, low, count, units, "offset");
  if (increment && units >= range / 2) units -= range;
  operand.value = units * size;
}

void Codec::shared(Operand& operand, unsigned size_low, unsigned offset_bits) {
  operand.kind = Kind::kShared;
  indexing(operand);
  int access = index_of(kSharedAccess, operand.access);
  if (encoding() && access < 0) fail("s[] is read as U8, U16, S16 or 32 bits");
  bits(0, size_low, 2, access, "size of the s[] access");
  if (!encoding()) operand.access = kSharedAccess[access];
  if (problem_.empty()) offset(operand, 0, 9, offset_bits);
}

void Codec::constant(Operand& operand, bool half, unsigned word, unsigned low, unsigned count) {
  operand.kind = Kind::kConstant;
  indexing(operand);
  const Type access = half ? Type::kB16 : Type::kB32;
  if (encoding() && operand.access != access)
    fail(fmt::format("c[] is read as {} bits here", half ? 16 : 32));
  operand.access = access;
  offset(operand, word, low, count);
}

void Codec::bank(Operand& operand) { bits(1, 22, 4, operand.index, "constant bank"); }

void Codec::full_offset(Operand& operand, Type access) {
  const unsigned size = type_bytes(access);
  const unsigned shift = size == 4 ? 2 : size == 2 ? 1 : 0;
  if (encoding() && operand.access != access) fail("access size does not match");
  operand.access = access;
  indexing(operand);
  // The field has 16 bits; the address wraps at 2^16, so signed and unsigned are the same.
  if (encoding()) {
    const int limit = 1 << 16;
    if (operand.value % static_cast<int>(size) != 0)
      fail(
          fmt::format("offset {:#x} is not a multiple of the access size {}", operand.value, size));
    if (operand.value < 0 || operand.value >= limit)
      fail(fmt::format("offset {:#x} does not fit (0 to 0xffff)", operand.value));
    w_[0] |= ((static_cast<uint32_t>(operand.value) & 0xffffu) >> shift) << 9;
  } else {
    operand.value = static_cast<int32_t>(((w_[0] >> 9) & (0xffffu >> shift)) << shift);
  }
}

void Codec::access_type(Operand& operand) {
  int type = index_of(kMemoryAccess, encoding() ? operand.access : Type::kB32);
  if (encoding() && (type < 0 || i_.type != operand.access)) {
    fail("the access is U8, S8, U16, S16, U32, S64 or S128");
    return;
  }
  bits(1, 21, 3, type, "type of the access");
  if (encoding()) return;
  if (type > 6) {
    fail("reserved type of a memory access");
    type = 6;
  }
  operand.access = kMemoryAccess[type];
  i_.type = operand.access;
}

void Codec::transfer_memory(Field field) {
  const bool is_store = field == F::kSharedFull || field == F::kLocalDst || field == F::kGlobalDst;
  Operand& m = is_store ? i_.destination : i_.sources[0];
  const Kind kind = field == F::kSharedFull                             ? Kind::kShared
                    : field == F::kConstantFull                         ? Kind::kConstant
                    : field == F::kLocalSource || field == F::kLocalDst ? Kind::kLocal
                                                                        : Kind::kGlobal;
  if (encoding() && m.kind != kind) {
    fail("another memory operand is needed here");
    return;
  }
  m.kind = kind;
  if (field == F::kSharedFull) {
    full_offset(m, row_.type == Type::kU32 ? Type::kB32 : row_.type);
  } else if (field == F::kConstantFull) {
    int access = index_of(kSharedAccess, m.access);
    if (encoding() && access < 0) fail("MVC reads U8, U16, S16 or 32 bits");
    bits(1, 14, 2, access, "size of the c[] access");
    if (problem_.empty()) full_offset(m, kSharedAccess[access]);
    bank(m);
  } else if (kind == Kind::kLocal) {
    access_type(m);
    // Offsets in l[] count bytes, whatever the access.
    const Type access = m.access;
    m.access = Type::kU8;
    full_offset(m, Type::kU8);
    m.access = access;
  } else {
    access_type(m);
    bits(0, 9, 7, m.value, "address register");
    bits(0, 16, 4, m.index, "global space");
  }
  m.type = i_.type;
}

void Codec::transfer_modifier(Field field) {
  auto& s = i_.sources;
  switch (field) {
    case F::kCombine:
    case F::kCombineLong: {
      // In short and add forms the two bits lie apart.
      const uint32_t combine = static_cast<uint32_t>(i_.combine);
      uint32_t low = combine & 1;
      uint32_t high = combine >> 1;
      const bool apart = field == F::kCombine;
      bits(apart ? 0 : 1, apart ? 22 : 26, 1, low, "combination");
      bits(apart ? 0 : 1, apart ? 28 : 27, 1, high, "combination");
      i_.combine = static_cast<Combine>(high << 1 | low);
      break;
    }
    case F::kSaturate8:
      flag(0, 8, i_.saturate);
      break;
    case F::kSaturate19:
      flag(1, 19, i_.saturate);
      break;
    case F::kSaturate27:
      flag(1, 27, i_.saturate);
      break;
    case F::kSaturate29:
      flag(1, 29, i_.saturate);
      break;
    case F::kSigned8:
      signed_type(0, 8, i_.type);
      break;
    case F::kSigned27:
      signed_type(1, 27, i_.type);
      break;
    case F::kMultiplySignsShort:
    case F::kMultiplySigns: {
      const bool is_short = field == F::kMultiplySignsShort;
      if (!encoding()) s[0].type = s[1].type = Type::kU16;
      signed_type(is_short ? 0 : 1, 15, s[0].type);
      signed_type(is_short ? 0 : 1, is_short ? 8 : 14, s[1].type);
      break;
    }
    case F::kMultiply24Short:
    case F::kMultiply24: {
      const bool is_short = field == F::kMultiply24Short;
      if (!encoding()) s[0].type = Type::kU24;
      signed_type(is_short ? 0 : 1, 15, s[0].type);
      flag(is_short ? 0 : 1, is_short ? 8 : 14, i_.high);
      if (!encoding()) s[1].type = s[0].type;
      break;
    }
    case F::kCompare3:
      bits(1, 14, 3, i_.compare, "comparison");
      break;
    case F::kCompare4:
      bits(1, 14, 4, i_.compare, "comparison");
      break;
    case F::kNegate1Short:
      flag(0, 15, s[0].negate);
      break;
    case F::kNegate2Short:
      flag(0, 22, s[1].negate);
      break;
    case F::kNegate3Short:
      flag(0, 22, s[2].negate);
      break;
    case F::kAbsolute1Short:
      flag(0, 15, s[0].absolute);
      break;
    case F::kNegate1ByM3:
      flag(0, 22, s[0].negate);
      break;
    case F::kNegate1:
      flag(1, 26, s[0].negate);
      break;
    case F::kNegate2:
      flag(1, 27, s[1].negate);
      break;
    case F::kNegate3:
      flag(1, 27, s[2].negate);
      break;
    case F::kNegate3By29:
      flag(1, 29, s[2].negate);
      break;
    case F::kAbsolute1:
      flag(1, 20, s[0].absolute);
      break;
    case F::kAbsolute2:
      flag(1, 19, s[1].absolute);
      break;
    case F::kInvert1Short:
      flag(0, 22, s[0].invert);
      break;
    case F::kInvert1:
      flag(1, 16, s[0].invert);
      break;
    case F::kInvert2:
      flag(1, 17, s[1].invert);
      break;
    case F::kRoundingAdd:
    case F::kRoundingMultiply: {
      const bool add = field == F::kRoundingAdd;
      bits(add ? 0 : 1, add ? 16 : 14, 2, i_.rounding, "rounding");
      if (i_.rounding == Rounding::kMinusInfinity || i_.rounding == Rounding::kPlusInfinity)
        fail("this instruction rounds to nearest or to zero (TRUNC) only");
      break;
    }
    case F::kLanes:
      bits(1, 14, 4, i_.lane_mask, "lane mask");
      break;
    case F::kLimited:
      flag(1, 6, i_.limited);
      break;
    case F::kBarrier:
      bits(0, 21, 4, i_.barrier, "barrier number");
      bits(0, 9, 12, i_.barrier_threads, "thread count of the barrier");
      flag(0, 25, i_.barrier_arrive);
      flag(0, 26, i_.barrier_wait);
      flag(1, 14, i_.barrier_all);
      break;
    case F::kEvent:
      bits(0, 10, 4, i_.event, "event");
      break;
    default:
      transfer_conversion(field);
      break;
  }
}

void Codec::transfer_conversion(Field field) {
  Operand& s = i_.sources[0];
  switch (field) {
    case F::kRoundingConvert:
      bits(1, 17, 2, i_.rounding, "rounding");
      break;
    case F::kRoundToInteger:
      flag(1, 27, i_.round_to_integer);
      break;
    case F::kConvertSource:
      flag(1, 29, s.negate);
      flag(1, 20, s.absolute);
      break;
    case F::kIntegerResult:
    case F::kIntegerResultOfFloat: {
      // The 32-bit flag chooses the destination register, the 8-bit flag the range of values.
      bool word = encoding() ? i_.destination.kind == Kind::kRegister ||
                                   (i_.destination.kind == Kind::kOutput &&
                                    unsigned_variant(i_.destination.type) == Type::kU32)
                             : false;
      bool byte = unsigned_variant(i_.type) == Type::kU8;
      flag(1, 26, word);
      if (field == F::kIntegerResult) flag(1, 19, byte);
      if (!encoding()) i_.type = byte ? Type::kU8 : word ? Type::kU32 : Type::kU16;
      signed_type(1, 27, i_.type);
      destination(!word, true);
      break;
    }
    case F::kFloatResult: {
      bool word = i_.type == Type::kF32;
      flag(1, 26, word);
      if (!encoding()) i_.type = word ? Type::kF32 : Type::kF16;
      destination(!word, true);
      break;
    }
    case F::kIntegerSource: {
      const bool in_memory = encoding() ? s.kind == Kind::kShared : ((w_[1] >> 21) & 1) != 0;
      bool byte = unsigned_variant(s.type) == Type::kU8;
      bool word = encoding() &&
                  (unsigned_variant(s.type) == Type::kU32 || (byte && s.kind == Kind::kRegister));
      flag(1, 15, byte);
      flag(1, 14, word);
      if (!encoding()) s.type = byte ? Type::kU8 : word ? Type::kU32 : Type::kU16;
      signed_type(1, 16, s.type);
      source1(in_memory ? false : !word, false);
      break;
    }
    case F::kFloatSource: {
      bool word = s.type == Type::kF32;
      flag(1, 14, word);
      if (!encoding()) s.type = word ? Type::kF32 : Type::kF16;
      source1(!word, false);
      break;
    }
    default:
      fail("field without a codec");
      break;
  }
}

}  // namespace gvp::gpgpu::g80
