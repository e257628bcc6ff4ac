// SPDX-License-Identifier: Apache-2.0
// Vector operations on integers and bits.
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

inline int32_t signed24(int32_t value) {
  return static_cast<int32_t>(static_cast<uint32_t>(value) << 8) >> 8;
}
inline uint32_t unsigned24(uint32_t value) { return value & 0xffffff; }
inline uint32_t bits_set(uint32_t value) {
  value -= value >> 1 & 0x55555555;
  value = (value & 0x33333333) + (value >> 2 & 0x33333333);
  return ((value + (value >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}
inline uint32_t reversed(uint32_t value) {
  value = (value >> 1 & 0x55555555) | (value & 0x55555555) << 1;
  value = (value >> 2 & 0x33333333) | (value & 0x33333333) << 2;
  value = (value >> 4 & 0x0f0f0f0f) | (value & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(value);
}
inline uint32_t leading_zeros(uint32_t value) {
  return value == 0 ? ~0u : static_cast<uint32_t>(__builtin_clz(value));
}
template <typename Value>
inline Value lower(Value a, Value b) {
  return a < b ? a : b;
}
template <typename Value>
inline Value higher(Value a, Value b) {
  return a > b ? a : b;
}
template <typename Value>
inline Value middle(Value a, Value b, Value c) {
  return higher(lower(a, b), lower(higher(a, b), c));
}
inline WithCarry add(uint32_t a, uint32_t b, uint32_t carry) {
  const uint64_t sum = uint64_t{a} + b + carry;
  return {static_cast<uint32_t>(sum), sum >> 32 != 0};
}
inline WithCarry subtract(uint32_t a, uint32_t b, uint32_t borrow) {
  const uint64_t difference = uint64_t{a} - b - borrow;
  return {static_cast<uint32_t>(difference), difference >> 32 != 0};
}
inline uint32_t difference(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }
inline uint32_t byte_differences(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (unsigned shift = 0; shift < 32; shift += 8)
    sum += difference(a >> shift & 0xff, b >> shift & 0xff);
  return sum;
}

}  // namespace

FUNCTION(VMovB32, uint32_t a) { return a; }
FUNCTION(VNotB32, uint32_t a) { return ~a; }
FUNCTION(VBfrevB32, uint32_t a) { return reversed(a); }
FUNCTION(VFfbhU32, uint32_t a) { return leading_zeros(a); }
FUNCTION(VFfblB32, uint32_t a) { return a == 0 ? ~0u : static_cast<uint32_t>(__builtin_ctz(a)); }
FUNCTION(VFfbhI32, uint32_t a) { return leading_zeros((a & 0x80000000) != 0 ? ~a : a); }

FUNCTION(VCndmaskB32, uint32_t a, uint32_t b, bool second) { return second ? b : a; }
FUNCTION(VMulI32I24, int32_t a, int32_t b) {
  return static_cast<uint32_t>(int64_t{signed24(a)} * signed24(b));
}
FUNCTION(VMulHiI32I24, int32_t a, int32_t b) {
  return static_cast<uint32_t>(int64_t{signed24(a)} * signed24(b) >> 32);
}
FUNCTION(VMulU32U24, uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(uint64_t{unsigned24(a)} * unsigned24(b));
}
FUNCTION(VMulHiU32U24, uint32_t a, uint32_t b) {
  return static_cast<uint32_t>(uint64_t{unsigned24(a)} * unsigned24(b) >> 32);
}
FUNCTION(VMinI32, int32_t a, int32_t b) { return lower(a, b); }
FUNCTION(VMaxI32, int32_t a, int32_t b) { return higher(a, b); }
FUNCTION(VMinU32, uint32_t a, uint32_t b) { return lower(a, b); }
FUNCTION(VMaxU32, uint32_t a, uint32_t b) { return higher(a, b); }
FUNCTION(VLshrB32, uint32_t a, uint32_t b) { return a >> (b & 31); }
FUNCTION(VLshrrevB32, uint32_t a, uint32_t b) { return b >> (a & 31); }
FUNCTION(VAshrI32, int32_t a, uint32_t b) { return a >> (b & 31); }
FUNCTION(VAshrrevI32, uint32_t a, int32_t b) { return b >> (a & 31); }
FUNCTION(VLshlB32, uint32_t a, uint32_t b) { return a << (b & 31); }
FUNCTION(VLshlrevB32, uint32_t a, uint32_t b) { return b << (a & 31); }
FUNCTION(VAndB32, uint32_t a, uint32_t b) { return a & b; }
FUNCTION(VOrB32, uint32_t a, uint32_t b) { return a | b; }
FUNCTION(VXorB32, uint32_t a, uint32_t b) { return a ^ b; }
FUNCTION(VBfmB32, uint32_t a, uint32_t b) { return ((1u << (a & 31)) - 1) << (b & 31); }
FUNCTION(VBcntU32B32, uint32_t a, uint32_t b) { return b + bits_set(a); }
// The lanes below this one, of the lower or the upper half of the wavefront.
FUNCTION(VMbcntLoU32B32, uint32_t a, uint32_t b, unsigned lane) {
  return b + bits_set(lane >= 32 ? a : a & ((1u << lane) - 1));
}
FUNCTION(VMbcntHiU32B32, uint32_t a, uint32_t b, unsigned lane) {
  return b + bits_set(lane < 32 ? 0 : a & ((1u << (lane - 32)) - 1));
}
FUNCTION(VAddI32, uint32_t a, uint32_t b) { return add(a, b, 0); }
FUNCTION(VSubI32, uint32_t a, uint32_t b) { return subtract(a, b, 0); }
FUNCTION(VSubrevI32, uint32_t a, uint32_t b) { return subtract(b, a, 0); }
FUNCTION(VAddcU32, uint32_t a, uint32_t b, bool carry) { return add(a, b, carry ? 1 : 0); }
FUNCTION(VSubbU32, uint32_t a, uint32_t b, bool borrow) { return subtract(a, b, borrow ? 1 : 0); }
FUNCTION(VSubbrevU32, uint32_t a, uint32_t b, bool borrow) {
  return subtract(b, a, borrow ? 1 : 0);
}
FUNCTION(VCvtPkU16U32, uint32_t a, uint32_t b) {
  return lower(a, 0xffffu) | lower(b, 0xffffu) << 16;
}
FUNCTION(VCvtPkI16I32, int32_t a, int32_t b) {
  const auto clamped = [](int32_t value) {
    return static_cast<uint32_t>(higher(lower(value, 0x7fff), -0x8000)) & 0xffff;
  };
  return clamped(a) | clamped(b) << 16;
}

FUNCTION(VMadI32I24, int32_t a, int32_t b, uint32_t c) {
  return static_cast<uint32_t>(int64_t{signed24(a)} * signed24(b)) + c;
}
FUNCTION(VMadU32U24, uint32_t a, uint32_t b, uint32_t c) {
  return static_cast<uint32_t>(uint64_t{unsigned24(a)} * unsigned24(b)) + c;
}
FUNCTION(VBfeU32, uint32_t a, uint32_t b, uint32_t c) {
  return a >> (b & 31) & ((1u << (c & 31)) - 1);
}
FUNCTION(VBfeI32, int32_t a, uint32_t b, uint32_t c) {
  const uint32_t shift = b & 31;
  const uint32_t length = c & 31;
  // A length of 0 is masked, because its shift would be as wide as the word.
  const uint32_t above = shift + length < 32 ? (32 - shift - length) & 31 : 0;
  const auto top = static_cast<int32_t>(static_cast<uint32_t>(a) << above);
  return length == 0 ? 0 : top >> (shift + above);
}
FUNCTION(VBfiB32, uint32_t a, uint32_t b, uint32_t c) { return (a & b) | (~a & c); }
FUNCTION(VAlignbitB32, uint32_t a, uint32_t b, uint32_t c) {
  return static_cast<uint32_t>((uint64_t{a} << 32 | b) >> (c & 31));
}
FUNCTION(VAlignbyteB32, uint32_t a, uint32_t b, uint32_t c) {
  return static_cast<uint32_t>((uint64_t{a} << 32 | b) >> 8 * (c & 3));
}
FUNCTION(VMin3I32, int32_t a, int32_t b, int32_t c) { return lower(lower(a, b), c); }
FUNCTION(VMin3U32, uint32_t a, uint32_t b, uint32_t c) { return lower(lower(a, b), c); }
FUNCTION(VMax3I32, int32_t a, int32_t b, int32_t c) { return higher(higher(a, b), c); }
FUNCTION(VMax3U32, uint32_t a, uint32_t b, uint32_t c) { return higher(higher(a, b), c); }
FUNCTION(VMed3I32, int32_t a, int32_t b, int32_t c) { return middle(a, b, c); }
FUNCTION(VMed3U32, uint32_t a, uint32_t b, uint32_t c) { return middle(a, b, c); }
FUNCTION(VSadU8, uint32_t a, uint32_t b, uint32_t c) { return byte_differences(a, b) + c; }
FUNCTION(VSadHiU8, uint32_t a, uint32_t b, uint32_t c) {
  return (byte_differences(a, b) << 16) + c;
}
FUNCTION(VSadU16, uint32_t a, uint32_t b, uint32_t c) {
  return difference(a & 0xffff, b & 0xffff) + difference(a >> 16, b >> 16) + c;
}
FUNCTION(VSadU32, uint32_t a, uint32_t b, uint32_t c) { return difference(a, b) + c; }
FUNCTION(VLshlB64, uint64_t a, uint32_t b) { return a << (b & 63); }
FUNCTION(VLshrB64, uint64_t a, uint32_t b) { return a >> (b & 63); }
FUNCTION(VAshrI64, int64_t a, uint32_t b) { return a >> (b & 63); }
FUNCTION(VMulLoU32, uint32_t a, uint32_t b) { return a * b; }
FUNCTION(VMulHiU32, uint32_t a, uint32_t b) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); }
FUNCTION(VMulLoI32, uint32_t a, uint32_t b) { return a * b; }
FUNCTION(VMulHiI32, int32_t a, int32_t b) { return static_cast<uint32_t>(int64_t{a} * b >> 32); }

Execute integer_function(Operation operation) {
  static constexpr FunctionsOf<Group::kInteger, VectorOperation> kFunctions;
  return kFunctions[operation];
}

}  // namespace gvp::gpgpu::southern_islands
