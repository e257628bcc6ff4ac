// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/special_functions.h"

#include "models/gpgpu/g80/floating_point.h"
#include "models/gpgpu/g80/special_function_tables.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr uint32_t kReducedSpecial = 0x40000000u;
constexpr uint32_t kReducedNan = 0x40000000u;
constexpr uint32_t kReducedInfinity = 0x40800000u;
constexpr uint32_t kMagnitude = 0x3fffffffu;
constexpr unsigned kFractionBits = 23;  // of floats and reduced operands
constexpr uint32_t kFraction = (1u << kFractionBits) - 1;
constexpr int kBias = 127;

// Of floats that are zero or normal.
int exponent_of(uint32_t bits) { return static_cast<int>(bits >> kFractionBits & 0xffu) - kBias; }
uint32_t significand_of(uint32_t bits) { return (bits & kFraction) | 1u << kFractionBits; }

// magnitude * 2^power, below 2^128, as the nearest float (ties to even); what has no normal float
// is zero.
uint32_t nearest_float(uint64_t magnitude, int power) {
  if (magnitude == 0) return 0;
  int lead = 63 - __builtin_clzll(magnitude);
  // Denormal results are rounded as such: one may become the least normal number.
  const int least = -126 - power;
  if (lead < least) {
    if (lead < least - 1) return 0;
    lead = least;
  }
  const int shift = lead - static_cast<int>(kFractionBits);
  uint64_t kept = magnitude;
  if (shift > 0) {
    kept = magnitude >> shift;
    const uint64_t half = uint64_t{1} << (shift - 1);
    const uint64_t lost = magnitude & (2 * half - 1);
    if (lost > half || (lost == half && (kept & 1) != 0)) ++kept;
  } else {
    kept = magnitude << -shift;
  }
  // A carry moves into the exponent by itself.
  const auto exponent = static_cast<uint32_t>(lead + power + kBias);
  return flushed(((exponent - 1) << kFractionBits) + static_cast<uint32_t>(kept));
}

// At place / 2^bits of an interval.  No product is beyond 63 bits.
uint64_t evaluate(const Polynomial& c, uint32_t place, unsigned bits) {
  int64_t sum = c[kPolynomialDegree];
  for (unsigned n = kPolynomialDegree; n-- > 0;) sum = c[n] + (sum * int64_t{place} >> bits);
  return static_cast<uint64_t>(sum);
}

// factor * value / 2^14, without the bits below; of 24 and 53 bits.
constexpr int kProductShift = 14;
uint64_t product(uint32_t factor, uint64_t value) {
  constexpr unsigned kLow = 26;
  return ((factor * (value >> kLow)) << (kLow - kProductShift)) +
         (factor * (value & ((uint64_t{1} << kLow) - 1)) >> kProductShift);
}

// `turns` are quarter turns with 23 fraction bits.
uint32_t sine_of_turns(uint32_t turns, uint32_t sign) {
  constexpr unsigned kPlaceBits = 16;  // 128 intervals of a quarter turn
  const uint32_t fraction = turns & kFraction;
  const bool falls = (turns >> kFractionBits & 1u) != 0;
  const uint32_t x = falls ? (1u << kFractionBits) - fraction : fraction;
  if (x == 0) return sign;  // in the middle of a turn, too: no negative zero but by the sign
  if ((turns >> kFractionBits & 2u) != 0) sign ^= kSignBit;
  if (x >> kFractionBits != 0) return sign | kOne;
  const uint64_t ratio =
      evaluate(kSineTable.polynomials[x >> kPlaceBits], x & ((1u << kPlaceBits) - 1), kPlaceBits);
  constexpr int kPower = kProductShift - static_cast<int>(kPolynomialFractionBits + kFractionBits);
  return sign | nearest_float(product(x, ratio), kPower);
}

// Bits 103:0 of 2/pi * 2^102 * 2^(exponent - 23), the upper 64 and the lower 40.
struct Window {
  uint64_t upper, lower;
};
Window two_over_pi(int exponent) {
  constexpr int kWords = static_cast<int>(kTwoOverPi.size());
  const auto word = [](int n) { return n < kWords ? kTwoOverPi[static_cast<size_t>(n)] : 0; };
  // 64 bits from there on
  const auto bits = [&](int first) {
    const int n = first / 64;
    const int shift = first % 64;
    return shift == 0 ? word(n) : word(n) >> shift | word(n + 1) << (64 - shift);
  };
  const int first = kBias - exponent;
  return {bits(first + 40), bits(first) & ((uint64_t{1} << 40) - 1)};
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
  if (x == kInfinity) return 0;
  constexpr unsigned kPlaceBits = 16;
  const int exponent = exponent_of(x);
  const bool odd = (exponent & 1) != 0;
  const uint32_t fraction = x & kFraction;
  const uint32_t interval = (odd ? 128u : 0u) + (fraction >> kPlaceBits);
  const uint64_t root =
      evaluate(kRsqrtTable.polynomials[interval], fraction & ((1u << kPlaceBits) - 1), kPlaceBits);
  const int half = (exponent - (odd ? 1 : 0)) / 2;
  return nearest_float(root, -half - static_cast<int>(kPolynomialFractionBits));
}

uint32_t log2(uint32_t bits) {
  const uint32_t x = flushed(bits);
  if ((x & ~kSignBit) == 0) return kSignBit | kInfinity;
  if (is_nan(x) || (x & kSignBit) != 0) return kNotANumber;
  if (x == kInfinity) return kInfinity;
  // x = 2^exponent * (1 + u / 2^24), with 1 + u between sqrt(1/2) and sqrt(2)
  constexpr uint32_t kSqrt2 = 0xb504f3;
  constexpr unsigned kPlaceBits = 17;
  const uint32_t significand = significand_of(x);
  const bool upper = significand > kSqrt2;
  const int exponent = exponent_of(x) + (upper ? 1 : 0);
  const uint32_t u = upper ? (1u << 24) - significand : (significand - (1u << 23)) << 1;
  const uint32_t place = upper ? (1u << 23) - u : (1u << 23) + u;  // from u = -1/2 on
  const uint64_t ratio = evaluate(kLog2Table.polynomials[(place >> kPlaceBits) - kLog2Table.first],
                                  place & ((1u << kPlaceBits) - 1), kPlaceBits);
  const uint64_t logarithm = product(u, ratio);  // multiples of 2^-62
  if (exponent == 0) return (upper ? kSignBit : 0) | nearest_float(logarithm, -62);
  // Multiples of 2^-55: the logarithm of a significand is smaller than 1.
  const int64_t whole = int64_t{exponent} * (int64_t{1} << 55);
  const auto rest = static_cast<int64_t>(logarithm >> 7);
  const int64_t sum = upper ? whole - rest : whole + rest;
  return (sum < 0 ? kSignBit : 0) | nearest_float(static_cast<uint64_t>(sum < 0 ? -sum : sum), -55);
}

uint32_t reduce_for_sine(uint32_t bits) {
  const uint32_t sign = bits & kSignBit;
  const uint32_t x = flushed(bits) & ~kSignBit;
  if (x > kInfinity) return kReducedNan;
  if (x == kInfinity) return sign | kReducedInfinity;
  if (x == 0) return sign;
  // x * 2/pi modulo 4, with 62 fraction bits; of 2/pi only what is worth less than 4 turns and more
  // than nothing takes part (Payne and Hanek, 1983).
  const uint64_t significand = significand_of(x);
  const Window window = two_over_pi(exponent_of(x));
  const uint64_t turns = significand * window.upper + (significand * window.lower >> 40);
  constexpr unsigned kShift = 62 - kFractionBits;
  return sign | (static_cast<uint32_t>((turns + (uint64_t{1} << (kShift - 1))) >> kShift) &
                 ((4u << 23) - 1));
}

uint32_t reduce_for_exp2(uint32_t bits) {
  const uint32_t sign = bits & kSignBit;
  const uint32_t x = flushed(bits) & ~kSignBit;
  if (x > kInfinity) return kReducedNan;
  const int exponent = exponent_of(x);
  if (exponent >= 7) return sign | kReducedInfinity;
  if (exponent >= 0) return sign | significand_of(x) << exponent;
  const int shift = -exponent;
  if (x == 0 || shift > 24) return sign;
  const uint32_t significand = significand_of(x);
  const uint32_t half = 1u << (shift - 1);
  const uint32_t lost = significand & (2 * half - 1);
  const uint32_t kept = significand >> shift;
  return sign | (lost > half || (lost == half && (kept & 1) != 0) ? kept + 1 : kept);
}

uint32_t sine(uint32_t reduced) {
  if ((reduced & kReducedSpecial) != 0) return kNotANumber;
  return sine_of_turns(reduced & kMagnitude, reduced & kSignBit);
}

uint32_t cosine(uint32_t reduced) {
  if ((reduced & kReducedSpecial) != 0) return kNotANumber;
  return sine_of_turns((reduced & kMagnitude) + (1u << kFractionBits), 0);
}

uint32_t exp2(uint32_t reduced) {
  const bool negative = (reduced & kSignBit) != 0;
  if ((reduced & kReducedSpecial) != 0) {
    if ((reduced & ~kSignBit) < kReducedInfinity) return kNotANumber;
    return negative ? 0 : kInfinity;
  }
  constexpr unsigned kPlaceBits = 16;
  const auto magnitude = static_cast<int32_t>(reduced & kMagnitude);
  const int32_t exponent = negative ? -magnitude : magnitude;
  const uint32_t fraction = static_cast<uint32_t>(exponent) & kFraction;
  const uint64_t power = evaluate(kExp2Table.polynomials[fraction >> kPlaceBits],
                                  fraction & ((1u << kPlaceBits) - 1), kPlaceBits);
  return nearest_float(power,
                       (exponent >> kFractionBits) - static_cast<int>(kPolynomialFractionBits));
}

}  // namespace gvp::gpgpu::g80
