// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "models/gpgpu/g80/floating_point.h"
#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::gpgpu::g80 {
namespace {

struct Case {
  const char* text;
  uint32_t source;
  uint32_t result;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.text << " of " << std::hex << c.source;
}

constexpr uint32_t f(float value) {
  uint32_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

class ConvertTest : public testing::TestWithParam<Case> {};

TEST_P(ConvertTest, GivesResult) {
  OneWarp warp;
  warp.fill(1, 0xcccccccc);
  warp.fill(2, GetParam().source);
  ASSERT_EQ(warp.execute(GetParam().text).stop, Stop::kNone);
  EXPECT_EQ(warp.r(1)[0], GetParam().result);
  EXPECT_EQ(warp.r(1)[31], GetParam().result);
}

INSTANTIATE_TEST_SUITE_P(
    Integers, ConvertTest,
    testing::Values(Case{"I2I.U32.U16 R1, R2L;", 0x1234ffff, 0xffff},
                    Case{"I2I.U32.U16 R1, R2H;", 0x1234ffff, 0x1234},
                    Case{"I2I.S32.S16 R1, R2L;", 0x1234ffff, 0xffffffff},
                    Case{"I2I.S32.S16 R1, R2H;", 0x8000ffff, 0xffff8000},
                    Case{"I2I.U32.S16 R1, R2L;", 0x0000ffff, 0},           // clamps at zero
                    Case{"I2I.U16.U32 R1L, R2;", 0x00012345, 0xccccffff},  // clamps at the top
                    Case{"I2I.U16.U32 R1L, R2;", 0x00002345, 0xcccc2345},
                    Case{"I2I.U16.U32 R1H, R2;", 0x00002345, 0x2345cccc},
                    Case{"I2I.S16.S32 R1L, R2;", 0x00008000, 0xcccc7fff},
                    Case{"I2I.S16.S32 R1L, R2;", 0xffff0000, 0xcccc8000},
                    Case{"I2I.S16.S32 R1L, R2;", 0xffffffff, 0xccccffff},
                    Case{"I2I.S32.S32 R1, -R2;", 5, 0xfffffffb},
                    Case{"I2I.S32.S32 R1, -R2;", 0x80000000, 0x7fffffff},
                    Case{"I2I.S32.S32 R1, |R2|;", 0xfffffff0, 16},
                    Case{"I2I.U32.S32 R1, |R2|;", 0x80000000, 0x80000000},
                    Case{"I2I.S32.S32 R1, |R2|;", 0x80000000, 0x7fffffff},
                    Case{"I2I.U32.U16.BEXT R1, R2L;", 0x000012fe, 0xfe}));

INSTANTIATE_TEST_SUITE_P(
    IntegerToFloat, ConvertTest,
    testing::Values(Case{"I2F.F32.S32 R1, R2;", 0, 0}, Case{"I2F.F32.S32 R1, R2;", 1, f(1)},
                    Case{"I2F.F32.S32 R1, R2;", 0xffffffff, f(-1)},
                    Case{"I2F.F32.U32 R1, R2;", 0xffffffff, f(4294967296.0f)},
                    Case{"I2F.F32.U32.TRUNC R1, R2;", 0xffffffff, 0x4f7fffff},
                    Case{"I2F.F32.U32.FLOOR R1, R2;", 0x01000001, f(16777216.0f)},
                    Case{"I2F.F32.U32.CEIL R1, R2;", 0x01000001, f(16777218.0f)},
                    Case{"I2F.F32.U32 R1, R2;", 0x01000001, f(16777216.0f)},  // tie to even
                    Case{"I2F.F32.U32 R1, R2;", 0x01000003, f(16777220.0f)},
                    Case{"I2F.F32.S32.TRUNC R1, R2;", 0xfeffffff, f(-16777216.0f)},
                    Case{"I2F.F32.S32.FLOOR R1, R2;", 0xfeffffff, f(-16777218.0f)},
                    Case{"I2F.F32.S16 R1, R2L;", 0xffff8000, f(-32768.0f)},
                    Case{"I2F.F32.U16 R1, R2H;", 0xffff8000, f(65535.0f)},
                    Case{"I2F.F32.S32 R1, -R2;", 7, f(-7)}));

INSTANTIATE_TEST_SUITE_P(
    FloatToInteger, ConvertTest,
    testing::Values(Case{"F2I.S32.F32.TRUNC R1, R2;", f(2.9f), 2},
                    Case{"F2I.S32.F32.TRUNC R1, R2;", f(-2.9f), 0xfffffffe},
                    Case{"F2I.S32.F32 R1, R2;", f(2.5f), 2},
                    Case{"F2I.S32.F32 R1, R2;", f(3.5f), 4},
                    Case{"F2I.S32.F32 R1, R2;", f(-2.5f), 0xfffffffe},
                    Case{"F2I.S32.F32.FLOOR R1, R2;", f(-2.1f), 0xfffffffd},
                    Case{"F2I.S32.F32.CEIL R1, R2;", f(-2.9f), 0xfffffffe},
                    Case{"F2I.S32.F32.TRUNC R1, R2;", f(3e9f), 0x7fffffff},  // clamps
                    Case{"F2I.S32.F32.TRUNC R1, R2;", f(-3e9f), 0x80000000},
                    Case{"F2I.U32.F32.TRUNC R1, R2;", f(3e9f), 3000000000u},
                    Case{"F2I.U32.F32.TRUNC R1, R2;", f(-1.0f), 0},
                    Case{"F2I.U32.F32.TRUNC R1, R2;", f(5e9f), 0xffffffff},
                    Case{"F2I.S32.F32.TRUNC R1, R2;", 0x7fc00000, 0},  // NaN
                    Case{"F2I.S32.F32.TRUNC R1, R2;", 0x7f800000, 0x7fffffff},
                    Case{"F2I.S32.F32.TRUNC R1, R2;", 0xff800000, 0x80000000},
                    Case{"F2I.S16.F32.TRUNC R1L, R2;", f(40000.0f), 0xcccc7fff}));

INSTANTIATE_TEST_SUITE_P(FloatToFloat, ConvertTest,
                         testing::Values(Case{"F2F.F32.F32 R1, -R2;", f(1.5f), f(-1.5f)},
                                         Case{"F2F.F32.F32 R1, |R2|;", f(-1.5f), f(1.5f)},
                                         Case{"F2F.F32.F32.SAT R1, R2;", f(1.5f), f(1.0f)},
                                         Case{"F2F.F32.F32.SAT R1, R2;", f(-1.5f), 0},
                                         Case{"F2F.F32.F32.SAT R1, R2;", f(0.25f), f(0.25f)},
                                         Case{"F2F.F32.F32.SAT R1, R2;", 0x7fc00000, 0},
                                         Case{"F2F.F32.F32.IR.FLOOR R1, R2;", f(-1.5f), f(-2.0f)},
                                         Case{"F2F.F32.F32.IR.CEIL R1, R2;", f(-1.5f), f(-1.0f)},
                                         Case{"F2F.F32.F32.IR.TRUNC R1, R2;", f(-0.5f), 0x80000000},
                                         Case{"F2F.F32.F32.IR R1, R2;", f(0.5f), 0},
                                         Case{"F2F.F32.F32.IR R1, R2;", f(1.5f), f(2.0f)},
                                         Case{"F2F.F32.F32 R1, R2;", 0x00000001, 0},  // denormal
                                         Case{"F2F.F32.F32 R1, R2;", 0x80000001, 0x80000000},
                                         Case{"F2F.F32.F16 R1, R2L;", 0x3c00, f(1.0f)},
                                         Case{"F2F.F32.F16 R1, R2L;", 0x0001, 0x33800000},  // 2^-24
                                         Case{"F2F.F32.F16 R1, R2L;", 0xfc00, 0xff800000},
                                         Case{"F2F.F16.F32 R1L, R2;", f(65504.0f), 0xcccc7bff},
                                         Case{"F2F.F16.F32 R1L, R2;", f(65520.0f), 0xcccc7c00},
                                         Case{"F2F.F16.F32 R1L, R2;", f(1.0009765f), 0xcccc3c01},
                                         Case{"F2F.F16.F32 R1L, R2;", 0x33800000, 0xcccc0001}));

// Beyond the largest half, 65504, a directed rounding goes there or to infinity.
INSTANTIATE_TEST_SUITE_P(HalfOverflow, ConvertTest,
                         testing::Values(Case{"F2F.F16.F32.TRUNC R1L, R2;", f(1e6f), 0xcccc7bff},
                                         Case{"F2F.F16.F32.TRUNC R1L, R2;", f(-1e6f), 0xccccfbff},
                                         Case{"F2F.F16.F32.FLOOR R1L, R2;", f(1e6f), 0xcccc7bff},
                                         Case{"F2F.F16.F32.FLOOR R1L, R2;", f(-1e6f), 0xccccfc00},
                                         Case{"F2F.F16.F32.CEIL R1L, R2;", f(1e6f), 0xcccc7c00},
                                         Case{"F2F.F16.F32.CEIL R1L, R2;", f(-1e6f), 0xccccfbff},
                                         Case{"F2F.F16.F32 R1L, R2;", f(1e6f), 0xcccc7c00},
                                         Case{"F2F.F16.F32 R1L, R2;", f(-1e6f), 0xccccfc00},
                                         Case{"F2F.F16.F32.TRUNC R1L, R2;", 0x7f800000,
                                              0xcccc7c00}));

struct FlagCase {
  const char* text;
  uint32_t source;
  unsigned flags;  // Z 1, S 2
};

TEST(ConvertFlagsTest, ANanSetsZeroAndSignAndZerosHaveNoSign) {
  for (const FlagCase& c :
       {FlagCase{"F2F.F32.F32.C0 R1, R2;", 0x7fc00000, 3},
        FlagCase{"F2F.F32.F32.C0 R1, R2;", 0xffc00000, 3},
        FlagCase{"F2F.F32.F32.C0 R1, -R2;", 0x7fc00000, 3},
        FlagCase{"F2F.F32.F32.C0 R1, R2;", f(0.0f), 1},
        FlagCase{"F2F.F32.F32.C0 R1, R2;", f(-0.0f), 1},
        FlagCase{"F2F.F32.F32.C0 R1, R2;", f(1.0f), 0},
        FlagCase{"F2F.F32.F32.C0 R1, R2;", f(-1.0f), 2},
        FlagCase{"F2F.F32.F32.C0 R1, R2;", 0xff800000, 2},
        FlagCase{"F2F.F32.F16.C0 R1, R2L;", 0x7fff, 3}, FlagCase{"I2F.F32.S32.C0 R1, R2;", 0, 1},
        FlagCase{"F2I.S32.F32.C0 R1, R2;", 0x7fc00000, 1}}) {
    OneWarp warp;
    warp.fill(2, c.source);
    warp.execute(c.text);
    EXPECT_EQ(warp.flags(0) & 3u, c.flags) << c.text << ' ' << std::hex << c.source;
  }
}

TEST(RoundToFloatTest, EveryDirectionSurroundsTheExactValue) {
  for (const double value : {1.0 + 1e-9, -1.0 - 1e-9, 3.3e38, 1e39, -1e39, 1e-40, -1e-46, 0.1}) {
    const float down = to_float(round_to_float(value, Rounding::kMinusInfinity));
    const float up = to_float(round_to_float(value, Rounding::kPlusInfinity));
    const float zero = to_float(round_to_float(value, Rounding::kZero));
    EXPECT_LE(static_cast<double>(down), value);
    EXPECT_GE(static_cast<double>(up), value);
    EXPECT_LE(std::fabs(static_cast<double>(zero)), std::fabs(value));
    EXPECT_EQ(std::nextafter(down, HUGE_VALF), up);
    EXPECT_EQ(zero, value < 0 ? up : down);
  }
}

TEST(HalfTest, EveryHalfSurvivesTheWayToFloatAndBack) {
  for (uint32_t half = 0; half < 0x10000; ++half) {
    const auto bits = static_cast<uint16_t>(half);
    const float value = from_half(bits);
    if (std::isnan(value)) continue;
    ASSERT_EQ(to_half(value, Rounding::kNearest), bits) << half;
  }
}

}  // namespace
}  // namespace gvp::gpgpu::g80
