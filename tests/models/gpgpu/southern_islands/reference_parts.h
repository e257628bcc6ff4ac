// SPDX-License-Identifier: Apache-2.0
// What the reference is made of: its operations by mnemonic, and the numbers that they share.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>

#include "tests/models/gpgpu/southern_islands/reference.h"

namespace gvp::test {

using In = ReferenceInput;
using Out = ReferenceOutput;
using Table = std::map<std::string, std::function<Out(const In&)>>;

void add_scalar(Table& t);
void add_integer(Table& t);
void add_float(Table& t);
void add_double(Table& t);

inline uint32_t u(uint64_t x) { return static_cast<uint32_t>(x); }
inline int64_t s(uint64_t x) { return static_cast<int32_t>(static_cast<uint32_t>(x)); }
inline Out value(uint64_t x) { return {true, x, -1}; }
inline Out value(uint64_t x, bool flag) { return {true, x, flag ? 1 : 0}; }
inline Out nonzero(uint64_t x) { return {true, x, x != 0 ? 1 : 0}; }
inline Out nonzero32(uint64_t x) { return nonzero(u(x)); }
inline Out condition(bool holds) { return {true, 0, holds ? 1 : 0}; }

inline float number(uint64_t x) {
  const uint32_t bits = u(x);
  float result;
  std::memcpy(&result, &bits, 4);
  return result;
}
inline uint32_t pattern(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return bits;
}
// Denormals are zero of the same sign.
inline float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}
inline float input(uint64_t x) { return flush(number(x)); }

// The first NaN among the operands comes out quiet; without one, the negative quiet NaN.
inline Out real(float result, std::initializer_list<uint64_t> operands) {
  if (!std::isnan(result)) return value(pattern(flush(result)));
  for (const uint64_t x : operands)
    if (std::isnan(number(x))) return value(u(x) | 0x400000);
  return value(0xffc00000);
}
inline Out real(double result, std::initializer_list<uint64_t> operands) {
  return real(static_cast<float>(result), operands);
}
inline bool signalling(uint64_t x) { return std::isnan(number(x)) && (x & 0x400000) == 0; }

inline double double_number(uint64_t bits) {
  double result;
  std::memcpy(&result, &bits, 8);
  return result;
}
inline uint64_t double_pattern(double x) {
  uint64_t bits;
  std::memcpy(&bits, &x, 8);
  return bits;
}
template <typename T>
T clamp(T x, T least, T most) {
  return x < least ? least : x > most ? most : x;
}

// Of 32-bit integers.
constexpr double kLeast = -2147483648.0, kMost = 2147483647.0;
inline uint64_t to_integer(double x, double least, double most) {
  if (std::isnan(x)) return 0;
  return static_cast<uint64_t>(static_cast<int64_t>(clamp(std::trunc(x), least, most)));
}

}  // namespace gvp::test
