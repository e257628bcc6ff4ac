// SPDX-License-Identifier: Apache-2.0
// 64-bit floats beside the 32-bit ones of float_value.h.  Compilers set MODE so that denormals stay
// as they are.  Which NaN comes out is chosen as there.  Internal to the Southern Islands library.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "models/gpgpu/southern_islands/float_value.h"

namespace gvp::gpgpu::southern_islands {

constexpr uint64_t kInvalidDouble = 0xfff8'0000'0000'0000;  // of an operation without a result

// Sign, infinity and quiet bit of a float that lies in a Word: uint32_t or uint64_t.
template <typename Word>
constexpr Word sign_of() {
  return std::is_same_v<Word, uint64_t> ? Word{1} << (8 * sizeof(Word) - 1) : Word{kSignBit};
}
template <typename Word>
constexpr Word infinity_of() {
  return static_cast<Word>(std::is_same_v<Word, uint64_t> ? 0x7ff0'0000'0000'0000 : kInfinity);
}
template <typename Word>
constexpr Word quiet_bit_of() {
  return static_cast<Word>(std::is_same_v<Word, uint64_t> ? 0x0008'0000'0000'0000 : kQuietBit);
}

inline double as_double(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint64_t as_bits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline bool is_nan(uint64_t bits) {
  return (bits & ~sign_of<uint64_t>()) > infinity_of<uint64_t>();
}
inline bool is_signalling(uint64_t bits) {
  return is_nan(bits) && (bits & quiet_bit_of<uint64_t>()) == 0;
}
inline uint64_t quieted(uint64_t bits) { return bits | quiet_bit_of<uint64_t>(); }

// IEEE's minimum and maximum numbers: a NaN loses, a signalling one comes out quiet; +0 is more
// than -0.  Denormals stay.
template <typename Word>
inline Word ordered(Word bits) {
  return (bits & sign_of<Word>()) != 0 ? ~bits : bits | sign_of<Word>();
}
template <typename Word>
inline Word minimum(Word a, Word b) {
  if (is_signalling(a)) return quieted(a);
  if (is_signalling(b)) return quieted(b);
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  return ordered(a) < ordered(b) ? a : b;
}
template <typename Word>
inline Word maximum(Word a, Word b) {
  if (is_signalling(a)) return quieted(a);
  if (is_signalling(b)) return quieted(b);
  if (is_nan(a)) return b;
  if (is_nan(b)) return a;
  return ordered(a) > ordered(b) ? a : b;
}

}  // namespace gvp::gpgpu::southern_islands
