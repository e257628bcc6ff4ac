// SPDX-License-Identifier: Apache-2.0
// The arithmetic is the host computer's: IEEE 754 single precision with denormals, which C++ gives
// on every machine we run on (no -ffast-math, no contraction).  Around it stand the rules by which
// the MicroBlaze differs.
#include "models/host/fpu.h"

#include <cmath>
#include <cstring>

namespace gvp::host {
namespace {

constexpr uint32_t kNan = 0xffc00000;
constexpr uint32_t kSign = 0x80000000;
constexpr uint32_t kInfinity = 0x7f800000;
constexpr uint32_t kQuiet = 0x00400000;

uint32_t magnitude(uint32_t x) { return x & ~kSign; }
bool is_zero(uint32_t x) { return magnitude(x) == 0; }
bool is_infinite(uint32_t x) { return magnitude(x) == kInfinity; }
bool is_nan(uint32_t x) { return magnitude(x) > kInfinity; }
bool is_signalling(uint32_t x) { return is_nan(x) && (x & kQuiet) == 0; }
bool is_denormal(uint32_t x) { return magnitude(x) != 0 && magnitude(x) < 0x00800000; }

float to_float(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

uint32_t to_bits(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// vanished: the exact result is not zero although the rounded one is.
FpuResult rounded(uint32_t bits, bool operands_finite, bool vanished) {
  if (is_denormal(bits) || vanished) return {bits & kSign, fsr::kUnderflow};
  if (is_infinite(bits) && operands_finite) return {bits, fsr::kOverflow};
  return {bits, 0};
}

FpuResult arithmetic(Operation operation, uint32_t a, uint32_t b) {
  const bool finite = !is_infinite(a) && !is_infinite(b);
  const uint32_t sign = (a ^ b) & kSign;
  switch (operation) {
    case Operation::kFrsub:
      a ^= kSign;
      [[fallthrough]];
    case Operation::kFadd:
      if (is_infinite(a) && is_infinite(b) && a != b) return {kNan, fsr::kInvalid};
      return rounded(to_bits(to_float(a) + to_float(b)), finite, false);
    case Operation::kFmul: {
      if ((is_infinite(a) && is_zero(b)) || (is_zero(a) && is_infinite(b)))
        return {kNan, fsr::kInvalid};
      const uint32_t bits = to_bits(to_float(a) * to_float(b));
      return rounded(bits, finite, is_zero(bits) && !is_zero(a) && !is_zero(b));
    }
    default: {  // kFdiv: rB / rA
      if ((is_infinite(a) && is_infinite(b)) || (is_zero(a) && is_zero(b)))
        return {kNan, fsr::kInvalid};
      if (is_zero(a) && !is_infinite(b)) return {sign | kInfinity, fsr::kDivideByZero};
      const uint32_t bits = to_bits(to_float(b) / to_float(a));
      return rounded(bits, finite && !is_zero(a), is_zero(bits) && !is_zero(b) && finite);
    }
  }
}

// UG984 "fcmp", table "Floating-Point Comparison Operation": relations of rB to rA.
FpuResult compare(Operation operation, uint32_t a, uint32_t b) {
  if (is_denormal(a) || is_denormal(b)) return {0, fsr::kDenormal};
  const bool unordered = is_nan(a) || is_nan(b);
  const bool signalling = is_signalling(a) || is_signalling(b);
  const uint32_t invalid_if_signalling = signalling ? fsr::kInvalid : 0;
  const uint32_t invalid_if_unordered = unordered ? fsr::kInvalid : 0;
  const float x = to_float(b);
  const float y = to_float(a);
  switch (operation) {
    case Operation::kFcmpUn:
      return {unordered, invalid_if_signalling};
    case Operation::kFcmpEq:
      return {x == y, invalid_if_signalling};
    case Operation::kFcmpNe:
      return {!(x == y), invalid_if_signalling};
    case Operation::kFcmpLt:
      return {x < y, invalid_if_unordered};
    case Operation::kFcmpLe:
      return {x <= y, invalid_if_unordered};
    case Operation::kFcmpGt:
      return {x > y, invalid_if_unordered};
    default:
      return {x >= y, invalid_if_unordered};  // kFcmpGe
  }
}

FpuResult to_integer(uint32_t a) {
  if (is_denormal(a)) return {kNan, fsr::kDenormal};
  if (is_nan(a)) return {kNan, fsr::kInvalid};
  const float value = to_float(a);
  if (!(value >= -2147483648.0f && value < 2147483648.0f)) return {0x80000000, fsr::kInvalid};
  return {static_cast<uint32_t>(static_cast<int32_t>(value)), 0};  // truncates
}

FpuResult square_root(uint32_t a) {
  if (is_denormal(a)) return {kNan, fsr::kDenormal};
  if (is_signalling(a)) return {kNan, fsr::kInvalid};
  if (is_nan(a)) return {kNan, 0};
  if (is_zero(a)) return {a, 0};
  if ((a & kSign) != 0) return {kNan, fsr::kInvalid};
  return {to_bits(std::sqrt(to_float(a))), 0};
}

}  // namespace

FpuResult fpu_execute(Operation operation, uint32_t a, uint32_t b) {
  switch (operation) {
    case Operation::kFlt:
      return {to_bits(static_cast<float>(static_cast<int32_t>(a))), 0};
    case Operation::kFint:
      return to_integer(a);
    case Operation::kFsqrt:
      return square_root(a);
    case Operation::kFadd:
    case Operation::kFrsub:
    case Operation::kFmul:
    case Operation::kFdiv:
      break;
    default:
      return compare(operation, a, b);
  }
  if (is_denormal(a) || is_denormal(b)) return {kNan, fsr::kDenormal};
  if (is_signalling(a) || is_signalling(b)) return {kNan, fsr::kInvalid};
  if (is_nan(a) || is_nan(b)) return {kNan, 0};
  return arithmetic(operation, a, b);
}

}  // namespace gvp::host
