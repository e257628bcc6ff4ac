// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "models/gpgpu/g80/codec.h"

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

}  // namespace

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
  const bool is_store = field == F::kSharedFull || field == F::kLocalDst ||
                        field == F::kGlobalDst || field == F::kReductionDst;
  Operand& m = is_store ? i_.destination : i_.sources[0];
  const Kind kind = field == F::kSharedFull || field == F::kSharedSource ? Kind::kShared
                    : field == F::kConstantFull                          ? Kind::kConstant
                    : field == F::kLocalSource || field == F::kLocalDst  ? Kind::kLocal
                                                                         : Kind::kGlobal;
  if (encoding() && m.kind != kind) {
    fail("another memory operand is needed here");
    return;
  }
  m.kind = kind;
  if (field == F::kSharedFull) {
    full_offset(m, row_.type == Type::kU32 ? Type::kB32 : row_.type);
  } else if (field == F::kSharedSource) {
    full_offset(m, Type::kB32);
  } else if (field == F::kConstantFull) {
    int access = index_of(kSharedAccess, m.access);
    if (encoding() && access < 0) fail("MVC reads U8, U16, S16 or 32 bits");
    bits(1, 14, 2, access, "size of the c[] access");
    if (problem_.empty()) full_offset(m, kSharedAccess[access]);
    bank(m);
  } else if (field == F::kAtomicSource || field == F::kReductionDst) {
    if (encoding() && m.access != Type::kB32) fail("atomic operations have 32 bits");
    m.access = Type::kB32;
    bits(0, 9, 7, m.value, "address register");
    bits(0, field == F::kAtomicSource ? 23 : 16, 4, m.index, "global space");
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
  // What lies there has no sign.
  const bool atomic = field == F::kAtomicSource || field == F::kReductionDst;
  m.type = atomic ? row_.source_type : i_.type;
}

}  // namespace gvp::gpgpu::g80
