// SPDX-License-Identifier: Apache-2.0
// 32-bit floats as Southern Islands computes with them when MODE is what compilers expect: round to
// nearest even, denormals are zero (with their sign) as operands and results.  Which NaN comes out
// AMD does not say; here it is the first operand that is one, made quiet, and 0xffc00000 where none
// is.  Internal to the Southern Islands library.
#pragma once

#include <cstdint>
#include <cstring>

namespace gvp::gpgpu::southern_islands {

constexpr uint32_t kSignBit = 0x80000000;
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kQuietBit = 0x00400000;
constexpr uint32_t kInvalid = 0xffc00000;  // of an operation without a result

inline float as_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint32_t as_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline bool is_nan(uint32_t bits) { return (bits & ~kSignBit) > kInfinity; }
inline bool is_signalling(uint32_t bits) { return is_nan(bits) && (bits & kQuietBit) == 0; }
inline uint32_t flushed(uint32_t bits) { return (bits & kInfinity) == 0 ? bits & kSignBit : bits; }
inline uint32_t quieted(uint32_t bits) { return bits | kQuietBit; }

// A float that arithmetic takes: denormals are gone.
inline float operand(uint32_t bits) { return as_float(flushed(bits)); }

}  // namespace gvp::gpgpu::southern_islands
