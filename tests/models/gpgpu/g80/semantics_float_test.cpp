// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "models/gpgpu/g80/floating_point.h"
#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr unsigned kZ = 1, kS = 2;
constexpr uint32_t kNan = 0x7fffffff;
constexpr uint32_t kDenormal = 0x00000001;
constexpr uint32_t kMinusZero = 0x80000000;

struct Case {
  const char* text;
  uint32_t a, b, c;
  uint32_t result;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.text << " of " << std::hex << c.a << ", " << c.b << ", " << c.c;
}

constexpr uint32_t f(float value) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

class FloatTest : public testing::TestWithParam<Case> {};

TEST_P(FloatTest, GivesResult) {
  const Case& c = GetParam();
  OneWarp warp;
  warp.fill(2, c.a);
  warp.fill(3, c.b);
  warp.fill(4, c.c);
  ASSERT_EQ(warp.execute(c.text).stop, Stop::kNone);
  EXPECT_EQ(warp.r(1)[0], c.result);
  EXPECT_EQ(warp.r(1)[31], c.result);
}

INSTANTIATE_TEST_SUITE_P(
    Add, FloatTest,
    testing::Values(Case{"FADD R1, R2, R3;", f(1.5f), f(2.25f), 0, f(3.75f)},
                    Case{"FADD R1, R2, -R3;", f(1.5f), f(2.25f), 0, f(-0.75f)},
                    Case{"FADD R1, -R2, R3;", f(1.5f), f(2.25f), 0, f(0.75f)},
                    Case{"FADD R1, R2, R3;", 0x7f800000, 0xff800000, 0, kNan},
                    Case{"FADD R1, R2, R3;", 0x7fc01234, f(1), 0, kNan},
                    Case{"FADD R1, R2, R3;", kDenormal, kDenormal, 0, 0},
                    Case{"FADD R1, R2, R3;", 0x00800001, 0x80800000, 0, 0},  // denormal result
                    Case{"FADD R1, R2, R3;", f(1), 0x33000000, 0, f(1)},     // 2^-25: tie below
                    Case{"FADD R1, R2, R3;", f(1), 0x33800001, 0, 0x3f800001},
                    Case{"FADD.TRUNC R1, R2, R3;", f(1), 0x33ffffff, 0, f(1)},
                    Case{"FADD.TRUNC R1, R2, R3;", f(1), 0xb0000000, 0, 0x3f7fffff},
                    Case{"FADD.TRUNC R1, R2, R3;", f(1), 0x8f000000, 0, 0x3f7fffff},  // far below
                    Case{"FADD.TRUNC R1, R2, R3;", 0x7f7fffff, 0x7f7fffff, 0, 0x7f7fffff},
                    Case{"FADD.SAT R1, R2, R3;", f(0.75f), f(0.75f), 0, f(1)},
                    Case{"FADD.SAT R1, R2, R3;", f(0.75f), f(-1.75f), 0, 0}));

INSTANTIATE_TEST_SUITE_P(
    Multiply, FloatTest,
    testing::Values(Case{"FMUL R1, R2, R3;", f(1.5f), f(-2.0f), 0, f(-3.0f)},
                    Case{"FMUL R1, -R2, R3;", f(1.5f), f(-2.0f), 0, f(3.0f)},
                    Case{"FMUL R1, R2, R3;", 0x00800000, f(0.5f), 0, 0},  // denormal result
                    Case{"FMUL R1, R2, R3;", 0x7f800000, 0, 0, kNan},
                    Case{"FMUL R1, R2, R3;", 0x3f800001, 0x3f800001, 0, 0x3f800002},
                    Case{"FMUL.TRUNC R1, R2, R3;", 0x3f800003, 0x3f7fffff, 0, 0x3f800002},
                    Case{"FMUL R1, R2, R3;", 0x3f800003, 0x3f7fffff, 0, 0x3f800002},
                    Case{"FMUL.TRUNC R1, R2, R3;", 0x3fffffff, 0x3fffffff, 0, 0x407ffffe},
                    Case{"FMUL.TRUNC R1, R2, R3;", 0x7f000000, f(4), 0, 0x7f7fffff}));

INSTANTIATE_TEST_SUITE_P(CompareAndSelect, FloatTest,
                         testing::Values(Case{"FMAX R1, R2, R3;", f(1), f(2), 0, f(2)},
                                         Case{"FMAX R1, R2, R3;", kNan, f(-2), 0, f(-2)},
                                         Case{"FMIN R1, R2, R3;", f(-2), 0x7fc00000, 0, f(-2)},
                                         Case{"FMIN R1, R2, R3;", kNan, kNan, 0, kNan},
                                         Case{"FMIN R1, |R2|, R3;", f(-2), f(3), 0, f(2)},
                                         Case{"FMAX R1, R2, -R3;", f(1), f(-5), 0, f(5)},
                                         Case{"FSET R1, R2, R3, LT;", f(1), f(2), 0, 0xffffffff},
                                         Case{"FSET R1, R2, R3, LT;", f(1), kNan, 0, 0},
                                         Case{"FSET R1, R2, R3, LTU;", f(1), kNan, 0, 0xffffffff},
                                         Case{"FSET R1, R2, R3, NE;", f(1), kNan, 0, 0},
                                         Case{"FSET R1, R2, R3, NEU;", f(1), kNan, 0, 0xffffffff},
                                         Case{"FSET R1, R2, R3, EQ;", 0, kMinusZero, 0, 0xffffffff},
                                         Case{"FSET R1, R2, R3, EQ;", kDenormal, 0, 0, 0xffffffff},
                                         Case{"FCMP R1, R2, R3, R4;", 11, 22, f(0.5f), 11},
                                         Case{"FCMP R1, R2, R3, R4;", 11, 22, kMinusZero, 11},
                                         Case{"FCMP R1, R2, R3, R4;", 11, 22, f(-0.5f), 22},
                                         Case{"FCMP R1, R2, R3, R4;", 11, 22, kNan, 22}));

TEST(FloatAddTest, SurvivesRandomComparisonWithTheHost) {
  std::mt19937 random(11);
  OneWarp warp;
  for (int round = 0; round < 300; ++round) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      // Exponents near each other, so that every alignment and cancellation occurs.
      warp.r(2)[lane] = (static_cast<uint32_t>(random()) & 0x83ffffffu) | 0x3c000000u;
      warp.r(3)[lane] = (static_cast<uint32_t>(random()) & 0x83ffffffu) | 0x3c000000u;
    }
    warp.execute("FADD R1, R2, R3;");
    for (unsigned lane = 0; lane < 32; ++lane)
      ASSERT_EQ(warp.r(1)[lane], f(to_float(warp.r(2)[lane]) + to_float(warp.r(3)[lane])));
    warp.execute("FADD.TRUNC R1, R2, R3;");
    for (unsigned lane = 0; lane < 32; ++lane) {
      // Of two floats this near the exact sum fits a double.
      const double exact = static_cast<double>(to_float(warp.r(2)[lane])) +
                           static_cast<double>(to_float(warp.r(3)[lane]));
      const double got = static_cast<double>(to_float(warp.r(1)[lane]));
      ASSERT_LE(std::fabs(got), std::fabs(exact));
      ASSERT_LT(std::fabs(exact - got), std::fabs(exact) * 1.2e-7 + 1e-37);
    }
  }
}

TEST(FloatMultiplyAddTest, RoundsTheProductByDefault) {
  OneWarp warp;
  warp.fill(2, 0x3f800001);  // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46
  warp.fill(3, 0x3f800001);
  warp.fill(4, 0xbf800002);  // -(1 + 2^-22)
  warp.execute("FMAD R1, R2, R3, R4;");
  EXPECT_EQ(warp.r(1)[0], 0u) << "a fused multiply-add would leave 2^-46";
}

TEST(FloatMultiplyAddTest, RoundsUpWhereTruncationWouldNot) {
  OneWarp rounding;
  OneWarp truncating;
  truncating.machine.truncate_products = true;
  for (OneWarp* warp : {&rounding, &truncating}) {
    warp->fill(2, 0x3fffffff);  // (2 - 2^-23)^2 = 4 - 2^-21 + 2^-46
    warp->fill(3, 0x3fc00001);  // product with 1.5 + 2^-23 is not a float
    warp->fill(4, f(1e-3f));
    warp->execute("FMAD R1, R2, R3, R4;");
  }
  const double product =
      static_cast<double>(to_float(0x3fffffff)) * static_cast<double>(to_float(0x3fc00001));
  const float nearest = static_cast<float>(product);
  EXPECT_EQ(rounding.r(1)[0], f(nearest + 1e-3f));
  const float chopped =
      static_cast<double>(nearest) > product ? std::nextafter(nearest, 0.0f) : nearest;
  EXPECT_EQ(truncating.r(1)[0], f(chopped + 1e-3f));
}

TEST(FloatMultiplyAddTest, TruncationKeepsTheExponentRange) {
  OneWarp warp;
  warp.machine.truncate_products = true;
  warp.fill(2, 0x7f000000);  // 2^127 * 4 - 2^127 * 2 would overflow in between
  warp.fill(3, f(2.0f));
  warp.fill(4, 0xff000000);
  warp.execute("FMAD R1, R2, R3, R4;");
  EXPECT_EQ(warp.r(1)[0], 0x7f000000u);
}

TEST(FloatMultiplyAddTest, NegatesProductAndAddend) {
  OneWarp warp;
  warp.fill(2, f(2));
  warp.fill(3, f(3));
  warp.fill(4, f(10));
  warp.execute("FMAD R1, -R2, R3, R4;");
  EXPECT_EQ(warp.r(1)[0], f(4));
  warp.execute("FMAD R1, R2, R3, -R4;");
  EXPECT_EQ(warp.r(1)[0], f(-4));
}

TEST(FloatTest, DenormalsAreKeptOnRequest) {
  OneWarp warp;
  warp.machine.flush_denormals = false;
  warp.fill(2, kDenormal);
  warp.fill(3, kDenormal);
  warp.execute("FADD R1, R2, R3;");
  EXPECT_EQ(warp.r(1)[0], 2u);
}

TEST(FloatTest, FlagsTellZeroNegativeAndUnordered) {
  OneWarp warp;
  const struct {
    uint32_t a, b;
    unsigned flags;
  } cases[] = {{f(1), f(2), 0},
               {f(1), f(-1), kZ},
               {f(-3), f(1), kS},
               {kNan, f(1), kZ | kS},
               {kMinusZero, kMinusZero, kZ}};
  for (const auto& c : cases) {
    warp.fill(2, c.a);
    warp.fill(3, c.b);
    warp.execute("FADD.C0 R1, R2, R3;");
    EXPECT_EQ(warp.flags(0), c.flags) << std::hex << c.a << ' ' << c.b;
  }
}

TEST(FloatTest, ADeviceWithoutFloatStopsTheKernel) {
  OneWarp warp;
  warp.machine.floating_point = false;
  for (const char* text : {"FADD R1, R2, R3;", "I2F.F32.S32 R1, R2;", "RCP R1, R2;"}) {
    EXPECT_EQ(warp.execute(text).stop, Stop::kFault) << text;
    EXPECT_EQ(warp.warp.fault.cause, FaultCause::kUnsupportedInstruction);
    warp.start();
  }
  EXPECT_EQ(warp.execute("I2I.U32.U16 R1, R2L;").stop, Stop::kNone);
}

}  // namespace
}  // namespace gvp::gpgpu::g80
