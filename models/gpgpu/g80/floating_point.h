// SPDX-License-Identifier: Apache-2.0
// Single-precision arithmetic in the roundings and with the denormals of sm_10, on bit patterns.
// Results depend on nothing but the operands: no mode of the host's floating-point unit, no
// mathematical library.
#pragma once

#include <cstdint>
#include <cstring>

#include "models/gpgpu/g80/instruction.h"

namespace gvp::gpgpu::g80 {

constexpr uint32_t kSignBit = 0x80000000u;
constexpr uint32_t kInfinity = 0x7f800000u;
constexpr uint32_t kNotANumber = 0x7fffffffu;  // what operations of sm_10 produce
constexpr uint32_t kOne = 0x3f800000u;

inline float to_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline uint32_t to_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline uint64_t to_bits(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}
inline double to_double(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline bool is_nan(uint32_t bits) { return (bits & ~kSignBit) > kInfinity; }
// Denormal numbers become zero of the same sign.
inline uint32_t flushed(uint32_t bits) { return (bits & kInfinity) == 0 ? bits & kSignBit : bits; }
inline uint32_t with_canonical_nan(uint32_t bits) { return is_nan(bits) ? kNotANumber : bits; }
// Clamped to [0, 1]; a NaN becomes 0.
inline uint32_t saturated(uint32_t bits) {
  if (is_nan(bits) || (bits & kSignBit) != 0) return 0;
  return bits > kOne ? kOne : bits;
}

// The float next to an exactly known value.
uint32_t round_to_float(double value, Rounding rounding);
// a + b rounded once; the sum need not fit a double.
uint32_t add_rounded(float a, float b, Rounding rounding);
// The whole number next to a value, as a double.
double round_to_integer(double value, Rounding rounding);

// Half precision is a storage format only.
float from_half(uint16_t half);
uint16_t to_half(float value, Rounding rounding);

}  // namespace gvp::gpgpu::g80
