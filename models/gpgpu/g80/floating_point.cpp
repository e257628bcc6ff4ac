// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/floating_point.h"

#include <cmath>

namespace gvp::gpgpu::g80 {
namespace {

// One step away from or towards zero, across powers of two, into infinity and out of it.
uint32_t away_from_zero(uint32_t bits) { return bits + 1; }
uint32_t towards_zero(uint32_t bits) { return bits - 1; }

// Corrects `rounded`, the nearest float to value, for a directed rounding.
uint32_t directed(uint32_t rounded, double value, Rounding rounding) {
  const double got = static_cast<double>(to_float(rounded));
  if (got == value || std::isnan(value)) return rounded;
  const bool too_high = got > value;
  const bool negative = (rounded & kSignBit) != 0;
  const bool wants_low =
      rounding == Rounding::kMinusInfinity || (rounding == Rounding::kZero && !negative);
  if (too_high == !wants_low) return rounded;
  if (too_high) {
    if ((rounded & ~kSignBit) == 0) return kSignBit | 1u;
    return negative ? away_from_zero(rounded) : towards_zero(rounded);
  }
  if ((rounded & ~kSignBit) == 0) return 1u;
  return negative ? towards_zero(rounded) : away_from_zero(rounded);
}

}  // namespace

uint32_t round_to_float(double value, Rounding rounding) {
  const uint32_t nearest = to_bits(static_cast<float>(value));
  return rounding == Rounding::kNearest ? nearest : directed(nearest, value, rounding);
}

uint32_t add_rounded(float a, float b, Rounding rounding) {
  if (rounding == Rounding::kNearest) return to_bits(a + b);
  const double x = static_cast<double>(a);
  const double y = static_cast<double>(b);
  double sum = x + y;
  // What the double sum has lost (Knuth's two-sum).  Marking a loss in the last bit of the sum
  // ("rounding to odd") keeps the second rounding exact.
  const double back = sum - x;
  const double lost = (x - (sum - back)) + (y - back);
  if (lost != 0 && !std::isinf(sum)) {
    uint64_t bits = to_bits(sum);
    if ((bits & 1u) == 0) bits += (lost > 0) == (sum > 0) ? 1u : ~uint64_t{0};
    sum = to_double(bits);
  }
  return round_to_float(sum, rounding);
}

double round_to_integer(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::kMinusInfinity:
      return std::floor(value);
    case Rounding::kPlusInfinity:
      return std::ceil(value);
    case Rounding::kZero:
      return std::trunc(value);
    case Rounding::kNearest:
      break;
  }
  const double floor = std::floor(value);
  const double rest = value - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return std::fmod(floor, 2.0) == 0 ? floor : floor + 1;
}

float from_half(uint16_t half) {
  const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
  const uint32_t exponent = half >> 10 & 0x1fu;
  const uint32_t fraction = half & 0x3ffu;
  if (exponent == 0x1f) return to_float(sign | kInfinity | fraction << 13);
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -magnitude : magnitude;
  }
  return to_float(sign | (exponent + 112) << 23 | fraction << 13);
}

uint16_t to_half(float value, Rounding rounding) {
  const uint32_t bits = to_bits(value);
  const uint16_t sign = static_cast<uint16_t>(bits >> 16 & 0x8000u);
  if (is_nan(bits)) return 0x7fff;
  // In units of the last place of the result, which is 2^-24 for the denormals.
  const double magnitude = std::fabs(static_cast<double>(value));
  if (std::isinf(magnitude)) return static_cast<uint16_t>(sign | 0x7c00);
  int exponent = magnitude > 0 ? std::ilogb(magnitude) : -15;
  if (exponent < -14) exponent = -14;
  const double scaled = std::ldexp(sign != 0 ? -magnitude : magnitude, 10 - exponent);
  const auto units = static_cast<uint32_t>(std::fabs(round_to_integer(scaled, rounding)));
  // A carry out of the fraction moves into the exponent by itself.
  const uint32_t encoded = (static_cast<uint32_t>(exponent + 14) << 10) + units;
  if (encoded < 0x7c00) return static_cast<uint16_t>(sign | encoded);
  const bool to_infinity =
      rounding == Rounding::kNearest ||
      (sign != 0 ? rounding == Rounding::kMinusInfinity : rounding == Rounding::kPlusInfinity);
  return static_cast<uint16_t>(sign | (to_infinity ? 0x7c00u : 0x7bffu));
}

}  // namespace gvp::gpgpu::g80
