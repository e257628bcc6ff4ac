// SPDX-License-Identifier: Apache-2.0
// Against the host's mathematical library in double precision: the nearest float, or its
// neighbour.
#include "models/gpgpu/g80/special_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "models/gpgpu/g80/floating_point.h"
#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr uint32_t f(float value) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Distance in units of the last place of the nearest float.
double ulps(uint32_t got, double exact) {
  const float nearest = static_cast<float>(exact);
  const float next = std::nextafter(nearest, HUGE_VALF);
  const double unit = static_cast<double>(next) - static_cast<double>(nearest);
  return std::fabs(static_cast<double>(to_float(got)) - exact) / unit;
}

uint32_t random_positive(std::mt19937& random) {
  return (static_cast<uint32_t>(random()) % 0x7e000000u) + 0x00800000u;
}

TEST(SpecialFunctionsTest, ReciprocalIsTheNearestFloat) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint32_t x = random_positive(random);
    const double exact = 1.0 / static_cast<double>(to_float(x));
    if (exact < 0x1p-126) continue;  // flushed
    ASSERT_LE(ulps(reciprocal(x), exact), 0.5) << std::hex << x;
  }
}

TEST(SpecialFunctionsTest, ReciprocalOfSpecialValues) {
  EXPECT_EQ(reciprocal(0), kInfinity);
  EXPECT_EQ(reciprocal(kSignBit), kSignBit | kInfinity);
  EXPECT_EQ(reciprocal(kInfinity), 0u);
  EXPECT_EQ(reciprocal(0x7f000000), 0u) << "2^-127 is denormal";
  EXPECT_EQ(reciprocal(0x00000005), kInfinity) << "denormal operand";
  EXPECT_EQ(reciprocal(0x7fc00000), kNotANumber);
}

TEST(SpecialFunctionsTest, InverseSquareRootIsWithinOneUlp) {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    const uint32_t x = random_positive(random);
    ASSERT_LE(ulps(reciprocal_sqrt(x), 1.0 / std::sqrt(static_cast<double>(to_float(x)))), 0.51);
  }
  EXPECT_EQ(reciprocal_sqrt(0), kInfinity);
  EXPECT_EQ(reciprocal_sqrt(f(-1)), kNotANumber);
}

TEST(SpecialFunctionsTest, LogarithmIsWithinOneUlp) {
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    const uint32_t x = i % 2 == 0 ? random_positive(random) : 0x3f700000u + random() % 0x200000u;
    if (x == f(1)) continue;
    ASSERT_LE(ulps(log2(x), std::log2(static_cast<double>(to_float(x)))), 0.51) << std::hex << x;
  }
  EXPECT_EQ(log2(f(1)), 0u);
  EXPECT_EQ(log2(f(8)), f(3));
  EXPECT_EQ(log2(0), kSignBit | kInfinity);
  EXPECT_EQ(log2(f(-2)), kNotANumber);
  EXPECT_EQ(log2(kInfinity), kInfinity);
}

TEST(SpecialFunctionsTest, ReductionForExp2IsFixedPoint) {
  EXPECT_EQ(reduce_for_exp2(f(1.5f)), 0x00c00000u);
  EXPECT_EQ(reduce_for_exp2(f(-1.5f)), 0x80c00000u);
  EXPECT_EQ(reduce_for_exp2(f(127.0f)), 127u << 23);
  EXPECT_EQ(reduce_for_exp2(f(128.0f)), 0x40800000u);
  EXPECT_EQ(reduce_for_exp2(f(-1e20f)), 0xc0800000u);
  EXPECT_EQ(reduce_for_exp2(0x7fc00000), 0x40000000u);
  EXPECT_EQ(reduce_for_exp2(0x00000001), 0u);
}

TEST(SpecialFunctionsTest, Exp2BehindItsReduction) {
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) {
    const float x = static_cast<float>(random() % 252000) / 1000.0f - 126.0f;
    const double exact = std::exp2(static_cast<double>(x));
    // The reduction rounds the operand to 23 bits of fraction.
    ASSERT_LT(ulps(exp2(reduce_for_exp2(f(x))), exact), 1.5) << x;
  }
  EXPECT_EQ(exp2(reduce_for_exp2(f(10))), f(1024));
  EXPECT_EQ(exp2(0x40800000), kInfinity);
  EXPECT_EQ(exp2(0xc0800000), 0u);
  EXPECT_EQ(exp2(0x40000000), kNotANumber);
  EXPECT_EQ(exp2(reduce_for_exp2(f(-127))), 0u) << "denormal result";
}

TEST(SpecialFunctionsTest, ReductionForSineCountsQuarterTurns) {
  EXPECT_EQ(reduce_for_sine(0), 0u);
  EXPECT_EQ(reduce_for_sine(f(1.57079633f)), 1u << 23);
  EXPECT_EQ(reduce_for_sine(f(-1.57079633f)), kSignBit | 1u << 23);
  EXPECT_LT(reduce_for_sine(f(6.2831855f)), 4u) << "a whole turn is almost none";
  EXPECT_EQ(reduce_for_sine(kInfinity), 0x40800000u);
}

// Against 2/pi with 600 bits.
TEST(SpecialFunctionsTest, ReductionForSineIsExactForLargeOperands) {
  constexpr uint32_t kReduced[][2] = {{0x46a1766b, 0x0093b24f},
                                      {0x4f000001, 0x011052bc},
                                      {0x60123456, 0x003ae386},
                                      {0x71800000, 0x01a9a6ee},
                                      {0x7f7fffff, 0x01d3426a}};
  for (const auto& [operand, reduced] : kReduced) {
    EXPECT_EQ(reduce_for_sine(operand), reduced) << std::hex << operand;
    EXPECT_EQ(reduce_for_sine(operand | kSignBit), reduced | kSignBit) << std::hex << operand;
  }
}

// A polynomial is of one interval only: each interval is met at 128 places.
TEST(SpecialFunctionsTest, EveryPolynomialIsAccurate) {
  constexpr double kNearest = 0.5 + 1e-6;
  std::mt19937 random(7);
  for (uint32_t n = 0; n < 1u << 14; ++n) {
    const uint32_t fraction = n << 9 | (static_cast<uint32_t>(random()) & 0x1ffu);
    const double place = static_cast<double>(fraction) / 0x1p23;
    ASSERT_LE(ulps(exp2(fraction), std::exp2(place)), kNearest) << std::hex << fraction;
    if (fraction != 0) {
      ASSERT_LE(ulps(sine(fraction), std::sin(place * 1.57079632679489661923)), kNearest)
          << std::hex << fraction;
      const uint32_t x = kOne | fraction;
      ASSERT_LE(ulps(log2(x), std::log1p(place) * 1.44269504088896340736), kNearest)
          << std::hex << x;
    }
    for (const uint32_t x : {kOne | fraction, 0x40000000u | fraction})
      ASSERT_LE(ulps(reciprocal_sqrt(x), 1.0 / std::sqrt(static_cast<double>(to_float(x)))),
                kNearest)
          << std::hex << x;
  }
}

TEST(SpecialFunctionsTest, SineAndCosineBehindTheirReduction) {
  std::mt19937 random(5);
  for (int i = 0; i < 20000; ++i) {
    const float x = (static_cast<float>(random() % 2000000) - 1000000.0f) / 10000.0f;
    const uint32_t reduced = reduce_for_sine(f(x));
    // One unit of the reduced operand is 2^-23 quarter turns: 1.9e-7.
    ASSERT_NEAR(to_float(sine(reduced)), std::sin(static_cast<double>(x)), 1.6e-7) << x;
    ASSERT_NEAR(to_float(cosine(reduced)), std::cos(static_cast<double>(x)), 1.6e-7) << x;
  }
  EXPECT_EQ(sine(0), 0u);
  EXPECT_EQ(cosine(0), f(1));
  EXPECT_EQ(sine(1u << 23), f(1));
  EXPECT_EQ(sine(kSignBit | 1u << 23), f(-1));
  EXPECT_EQ(cosine(2u << 23), f(-1));
  EXPECT_EQ(sine(0x40800000), kNotANumber);
}

TEST(SpecialFunctionsTest, InstructionsTakeThem) {
  OneWarp warp;
  warp.fill(2, f(-4));
  warp.execute("RCP R1, R2;");
  EXPECT_EQ(warp.r(1)[7], f(-0.25f));
  warp.execute("RSQ R1, |R2|;");
  EXPECT_EQ(warp.r(1)[7], f(0.5f));
  warp.execute("LG2 R1, |R2|;");
  EXPECT_EQ(warp.r(1)[7], f(2));
  warp.execute("RRO R3, R2, EX2;");
  warp.execute("EX2 R1, R3;");
  EXPECT_EQ(warp.r(1)[7], f(0.0625f));
  warp.fill(2, f(1.57079633f));
  warp.execute("RRO R3, R2, SIN;");
  warp.execute("SIN R1, R3;");
  EXPECT_EQ(warp.r(1)[7], f(1));
  warp.execute("COS R1, R3;");
  EXPECT_EQ(warp.r(1)[7], 0u);
}

// The division routine of NVIDIA's compiler (docs/g80.md) relies on the reciprocal's accuracy.
TEST(SpecialFunctionsTest, UnsignedDivisionByReciprocalIsExact) {
  std::mt19937 random(6);
  for (int i = 0; i < 20000; ++i) {
    const uint32_t a = static_cast<uint32_t>(random()) >> random() % 32;
    const uint32_t b = (static_cast<uint32_t>(random()) >> random() % 32) | 1u;
    const auto to_uint = [](uint32_t bits) { return static_cast<uint32_t>(to_float(bits)); };
    const auto times = [](uint32_t x, uint32_t y) {
      return round_to_float(static_cast<double>(to_float(x)) * static_cast<double>(to_float(y)),
                            Rounding::kZero);
    };
    const uint32_t r = reciprocal(round_to_float(b, Rounding::kNearest)) - 2;
    uint32_t q = to_uint(times(round_to_float(a, Rounding::kZero), r));
    uint32_t rest = a - q * b;
    q += to_uint(times(round_to_float(rest, Rounding::kZero), r));
    rest = a - q * b;
    q += b <= rest ? 1 : 0;
    ASSERT_EQ(q, a / b) << a << " / " << b;
  }
}

}  // namespace
}  // namespace gvp::gpgpu::g80
