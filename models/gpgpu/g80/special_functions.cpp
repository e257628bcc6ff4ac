// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/special_functions.h"

#include <cmath>

#include "models/gpgpu/g80/floating_point.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr uint32_t kReducedSpecial = 0x40000000u;
constexpr uint32_t kReducedNan = 0x40000000u;
constexpr uint32_t kReducedInfinity = 0x40800000u;
constexpr uint32_t kMagnitude = 0x3fffffffu;
constexpr double kOneReduced = 8388608.0;  // 2^23

uint32_t to_result(double value) {
  return with_canonical_nan(flushed(to_bits(static_cast<float>(value))));
}

// sin(turn * pi/2) for 0 <= turn <= 1: Taylor series, error below 1e-13.
double sine_of_quarter(double turn) {
  const double x = turn * 1.57079632679489661923;
  const double square = x * x;
  double term = x;
  double sum = x;
  for (int n = 3; n <= 19; n += 2) {
    term *= -square / (n * (n - 1));
    sum += term;
  }
  return sum;
}

// 2^fraction for 0 <= fraction < 1: Taylor series of the exponential, error below 1e-14.
double exp2_of_fraction(double fraction) {
  const double x = fraction * 0.69314718055994530942;
  double term = 1;
  double sum = 1;
  for (int n = 1; n <= 15; ++n) {
    term *= x / n;
    sum += term;
  }
  return sum;
}

// log2(mantissa) for sqrt(1/2) <= mantissa < sqrt(2): inverse hyperbolic tangent series.
double log2_of_mantissa(double mantissa) {
  const double s = (mantissa - 1) / (mantissa + 1);
  const double square = s * s;
  double power = s;
  double sum = 0;
  for (int n = 1; n <= 21; n += 2) {
    sum += power / n;
    power *= square;
  }
  return sum * 2.88539008177792681472;  // 2 / ln 2
}

// sin of `quarters` quarter turns and a fraction.
double sine_of_turns(uint32_t quarters, double fraction) {
  const double magnitude = sine_of_quarter((quarters & 1u) != 0 ? 1 - fraction : fraction);
  return ((quarters & 2u) != 0 ? -magnitude : magnitude) + 0.0;  // no negative zero
}

}  // namespace

uint32_t reciprocal(uint32_t bits) {
  const uint32_t x = flushed(bits);
  if (is_nan(x)) return kNotANumber;
  return flushed(to_bits(1.0f / to_float(x)));
}

uint32_t reciprocal_sqrt(uint32_t bits) {
  const uint32_t x = flushed(bits);
  if ((x & ~kSignBit) == 0) return (x & kSignBit) | kInfinity;
  if (is_nan(x) || (x & kSignBit) != 0) return kNotANumber;
  return to_result(1.0 / std::sqrt(static_cast<double>(to_float(x))));
}

uint32_t log2(uint32_t bits) {
  const uint32_t x = flushed(bits);
  if ((x & ~kSignBit) == 0) return kSignBit | kInfinity;
  if (is_nan(x) || (x & kSignBit) != 0) return kNotANumber;
  if (x == kInfinity) return kInfinity;
  int exponent = static_cast<int>(x >> 23) - 127;
  double mantissa = static_cast<double>(to_float((x & 0x007fffffu) | kOne));
  if (mantissa >= 1.41421356237309504880) {
    mantissa /= 2;
    ++exponent;
  }
  return to_result(exponent + log2_of_mantissa(mantissa));
}

uint32_t reduce_for_sine(uint32_t bits) {
  const uint32_t sign = bits & kSignBit;
  const uint32_t magnitude = flushed(bits) & ~kSignBit;
  if (magnitude > kInfinity) return kReducedNan;
  if (magnitude == kInfinity) return sign | kReducedInfinity;
  // fmod is exact, so the error is that of a double 2*pi: it grows with the operand, as
  // everybody's reduction without a long pi does.
  constexpr double kTurn = 6.28318530717958647693;
  const double rest = std::fmod(static_cast<double>(to_float(magnitude)), kTurn);
  const double quarters = rest * (4 / kTurn) * kOneReduced;
  return sign |
         (static_cast<uint32_t>(round_to_integer(quarters, Rounding::kNearest)) & ((4u << 23) - 1));
}

uint32_t reduce_for_exp2(uint32_t bits) {
  const uint32_t sign = bits & kSignBit;
  const uint32_t magnitude = flushed(bits) & ~kSignBit;
  if (magnitude > kInfinity) return kReducedNan;
  const double scaled = static_cast<double>(to_float(magnitude)) * kOneReduced;
  if (!(scaled < 128 * kOneReduced)) return sign | kReducedInfinity;
  const auto reduced = static_cast<uint32_t>(round_to_integer(scaled, Rounding::kNearest));
  return sign | (reduced > kMagnitude ? kReducedInfinity : reduced);
}

uint32_t sine(uint32_t reduced) {
  if ((reduced & kReducedSpecial) != 0) return kNotANumber;
  const uint32_t magnitude = reduced & kMagnitude;
  const double value =
      sine_of_turns(magnitude >> 23, static_cast<double>(magnitude & 0x7fffffu) / kOneReduced);
  return to_result((reduced & kSignBit) != 0 ? -value : value);
}

uint32_t cosine(uint32_t reduced) {
  if ((reduced & kReducedSpecial) != 0) return kNotANumber;
  const uint32_t magnitude = reduced & kMagnitude;
  return to_result(sine_of_turns((magnitude >> 23) + 1,
                                 static_cast<double>(magnitude & 0x7fffffu) / kOneReduced));
}

uint32_t exp2(uint32_t reduced) {
  const bool negative = (reduced & kSignBit) != 0;
  if ((reduced & kReducedSpecial) != 0) {
    if ((reduced & ~kSignBit) < kReducedInfinity) return kNotANumber;
    return negative ? 0 : kInfinity;
  }
  const double magnitude = static_cast<double>(reduced & kMagnitude) / kOneReduced;
  const double exponent = negative ? -magnitude : magnitude;
  const double floor = std::floor(exponent);
  return to_result(std::ldexp(exp2_of_fraction(exponent - floor), static_cast<int>(floor)));
}

}  // namespace gvp::gpgpu::g80
