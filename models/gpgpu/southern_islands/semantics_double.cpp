// SPDX-License-Identifier: Apache-2.0
// Vector operations on 64-bit floats, conversions from and to them included.  What the hardware
// approximates (reciprocals, roots) is the exact result, rounded.
#include <array>
#include <cmath>
#include <limits>

#include "models/gpgpu/southern_islands/float_to_integer.h"
#include "models/gpgpu/southern_islands/vector_execution.h"

namespace gvp::gpgpu::southern_islands {
namespace {

constexpr int kScale = 128;  // of v_div_scale, as a power of two
constexpr double kMaximum = std::numeric_limits<double>::max();
constexpr double kMinimum = std::numeric_limits<double>::min();  // that is normal

inline int exponent_of(double value) { return static_cast<int>(as_bits(value) >> 52 & 0x7ff); }
// Also of what is too small for a denormal, which a long double still holds.
inline bool is_denormal(long double value) {
  return value != 0.0L && std::fabs(value) < static_cast<long double>(kMinimum);
}
inline double clamped_infinity(double value) {
  return std::isinf(value) ? std::copysign(kMaximum, value) : value;
}
inline double reciprocal_root(double a) {
  return static_cast<double>(1.0L / std::sqrt(static_cast<long double>(a)));
}
inline uint64_t with_sign_of(uint64_t bits, double a, double b) {
  return bits | ((as_bits(a) ^ as_bits(b)) & sign_of<uint64_t>());
}

// A NaN keeps its sign and the highest bits of its fraction.
inline uint32_t to_float(uint64_t bits) {
  if (is_nan(bits))
    return quieted(static_cast<uint32_t>(bits >> 32 & kSignBit) | kInfinity |
                   (static_cast<uint32_t>(bits >> 29) & 0x7fffff));
  return flushed(as_bits(static_cast<float>(as_double(bits))));
}
inline uint64_t from_float(uint32_t bits) {
  if (is_nan(bits))
    return quieted(uint64_t{bits & kSignBit} << 32 | infinity_of<uint64_t>() |
                   uint64_t{bits & 0x7fffff} << 29);
  return as_bits(static_cast<double>(operand(bits)));
}

// The first 1201 binary digits of 2 / pi behind its point, and zeros behind them.
constexpr unsigned kTwoOverPiBits = 1201;
constexpr std::array<uint64_t, 19> kTwoOverPi = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};

// 53 of them from the first one on, as an integer.
inline uint64_t two_over_pi(unsigned first) {
  uint64_t value = 0;
  for (unsigned bit = first; bit < first + 53; ++bit)
    value = value << 1 | (bit < kTwoOverPiBits ? kTwoOverPi[bit / 64] >> (63 - bit % 64) & 1 : 0);
  return value;
}

}  // namespace

FUNCTION(VAddF64, double a, double b) { return a + b; }
FUNCTION(VMulF64, double a, double b) { return a * b; }
FUNCTION(VFmaF64, double a, double b, double c) { return std::fma(a, b, c); }
FUNCTION(VMinF64, uint64_t a, uint64_t b) { return minimum(a, b); }
FUNCTION(VMaxF64, uint64_t a, uint64_t b) { return maximum(a, b); }
FUNCTION(VLdexpF64, double a, int32_t b) { return std::ldexp(a, b); }

FUNCTION(VCvtF64I32, int32_t a) { return static_cast<double>(a); }
FUNCTION(VCvtF64U32, uint32_t a) { return static_cast<double>(a); }
FUNCTION(VCvtI32F64, double a) { return to_signed(a); }
FUNCTION(VCvtU32F64, double a) { return to_unsigned(a); }
FUNCTION(VCvtF32F64, uint64_t a) { return to_float(a); }
FUNCTION(VCvtF64F32, uint32_t a) { return from_float(a); }

FUNCTION(VFractF64, double a) { return a - std::floor(a); }
FUNCTION(VRcpF64, double a) { return 1.0 / a; }
FUNCTION(VRcpClampF64, double a) { return clamped_infinity(1.0 / a); }
FUNCTION(VRsqF64, double a) { return reciprocal_root(a); }
FUNCTION(VRsqClampF64, double a) { return clamped_infinity(reciprocal_root(a)); }
FUNCTION(VSqrtF64, double a) { return std::sqrt(a); }
FUNCTION(VFrexpExpI32F64, double a) {
  if (!std::isfinite(a)) return -1;
  int exponent = 0;
  std::frexp(a, &exponent);
  return exponent;
}
FUNCTION(VFrexpMantF64, double a) {
  if (!std::isfinite(a)) return as_double(kInvalidDouble);
  int exponent = 0;
  return std::frexp(a, &exponent);
}

// The three steps of a division that is rounded correctly, as those of 32-bit floats
// (semantics_float.cpp).
FUNCTION(VDivScaleF64, double a, double denominator, double numerator) {
  const auto scaled = [&](bool scale, int power, bool flag) {
    return DoubleWithCarry{as_bits(scale ? std::ldexp(a, power) : a), flag};
  };
  if (a != a) return DoubleWithCarry{quieted(as_bits(a)), false};
  if (numerator == 0.0 || denominator == 0.0) return DoubleWithCarry{kInvalidDouble, false};
  if (exponent_of(numerator) - exponent_of(denominator) >= 768)
    return scaled(a == denominator, kScale, true);
  if (is_denormal(static_cast<long double>(denominator))) return scaled(true, kScale, false);
  const bool tiny_inverse = is_denormal(1.0L / static_cast<long double>(denominator));
  const bool tiny_quotient =
      is_denormal(static_cast<long double>(numerator) / static_cast<long double>(denominator));
  if (tiny_inverse && tiny_quotient) return scaled(a == denominator, -kScale, true);
  if (tiny_inverse) return scaled(true, -kScale, false);
  if (tiny_quotient) return scaled(a == numerator, kScale, true);
  return scaled(exponent_of(numerator) <= 53, kScale, false);
}
FUNCTION(VDivFmasF64, double a, double b, double c, bool scale) {
  const double sum = std::fma(a, b, c);
  if (!scale) return sum;
  return std::ldexp(sum, std::fabs(c) >= 2.0 ? kScale : -kScale);
}
FUNCTION(VDivFixupF64, uint64_t quotient, double denominator, double numerator) {
  if (numerator != numerator) return quieted(as_bits(numerator));
  if (denominator != denominator) return quieted(as_bits(denominator));
  if ((denominator == 0.0 && numerator == 0.0) ||
      (std::isinf(denominator) && std::isinf(numerator)))
    return kInvalidDouble;
  if (denominator == 0.0 || std::isinf(numerator))
    return with_sign_of(infinity_of<uint64_t>(), denominator, numerator);
  if (std::isinf(denominator) || numerator == 0.0) return with_sign_of(0, denominator, numerator);
  if (is_nan(quotient)) return with_sign_of(infinity_of<uint64_t>(), denominator, numerator);
  return with_sign_of(quotient & ~sign_of<uint64_t>(), denominator, numerator);
}

// A segment of 53 bits of 2 / pi, for the reduction of large angles: what of it a factor of this
// exponent leaves below a whole number of turns (pseudo-code: AMD's "Vega Instruction Set
// Architecture").
FUNCTION(VTrigPreopF64, double a, uint32_t segment) {
  if (a != a) return a;
  const int exponent = exponent_of(a);
  const unsigned shift =
      (segment & 31) * 53 + (exponent > 1077 ? static_cast<unsigned>(exponent - 1077) : 0);
  const int scale = -53 - static_cast<int>(shift) + (exponent >= 1968 ? 128 : 0);
  return std::ldexp(static_cast<double>(two_over_pi(shift)), scale);
}

Execute double_function(Operation operation) {
  static constexpr FunctionsOf<Group::kDouble, VectorOperation> kFunctions;
  return kFunctions[operation];
}

}  // namespace gvp::gpgpu::southern_islands
