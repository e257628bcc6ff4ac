// SPDX-License-Identifier: Apache-2.0
// The floating-point unit's own rules (UG984 instruction pages fadd ... fsqrt), bit patterns.
#include "models/host/fpu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "tests/support/seed.h"

namespace gvp::host::test {
namespace {

constexpr uint32_t kNan = 0xffc00000;
constexpr uint32_t kQuiet = 0x7fc12345;
constexpr uint32_t kSignalling = 0x7f812345;
constexpr uint32_t kInf = 0x7f800000;
constexpr uint32_t kMinusInf = 0xff800000;
constexpr uint32_t kDenormal = 0x00000001;
constexpr uint32_t kOne = 0x3f800000;
constexpr uint32_t kTwo = 0x40000000;
constexpr uint32_t kMinusOne = 0xbf800000;
constexpr uint32_t kMax = 0x7f7fffff;
constexpr uint32_t kMin = 0x00800000;  // smallest normal number
constexpr uint32_t kMinusZero = 0x80000000;

struct Case {
  Operation operation;
  uint32_t a, b, value, flags;
};
constexpr Case kCases[] = {
    {Operation::kFadd, kOne, kTwo, 0x40400000, 0},
    {Operation::kFadd, kDenormal, kOne, kNan, fsr::kDenormal},
    {Operation::kFadd, kOne, kDenormal, kNan, fsr::kDenormal},
    {Operation::kFadd, kSignalling, kOne, kNan, fsr::kInvalid},
    {Operation::kFadd, kQuiet, kOne, kNan, 0},
    {Operation::kFadd, kInf, kMinusInf, kNan, fsr::kInvalid},
    {Operation::kFadd, kInf, kInf, kInf, 0},
    {Operation::kFadd, kMax, kMax, kInf, fsr::kOverflow},
    {Operation::kFadd, kMin, 0x80800001, kMinusZero, fsr::kUnderflow},  // -2^-149
    {Operation::kFrsub, kOne, kTwo, kOne, 0},                           // rB - rA
    {Operation::kFrsub, kInf, kInf, kNan, fsr::kInvalid},
    {Operation::kFmul, kTwo, kTwo, 0x40800000, 0},
    {Operation::kFmul, kInf, 0, kNan, fsr::kInvalid},
    {Operation::kFmul, kMinusZero, kInf, kNan, fsr::kInvalid},
    {Operation::kFmul, kMin, 0x3f000000, 0, fsr::kUnderflow},
    {Operation::kFmul, 0x80800000, kMin, kMinusZero, fsr::kUnderflow},
    {Operation::kFmul, kMax, 0xc0000000, kMinusInf, fsr::kOverflow},
    {Operation::kFdiv, kTwo, kOne, 0x3f000000, 0},  // rB / rA
    {Operation::kFdiv, 0, kOne, kInf, fsr::kDivideByZero},
    {Operation::kFdiv, kMinusZero, kOne, kMinusInf, fsr::kDivideByZero},
    {Operation::kFdiv, 0, 0, kNan, fsr::kInvalid},
    {Operation::kFdiv, kInf, kInf, kNan, fsr::kInvalid},
    {Operation::kFdiv, 0, kInf, kInf, 0},
    {Operation::kFdiv, kInf, kOne, 0, 0},
    {Operation::kFdiv, kTwo, kMin, 0, fsr::kUnderflow},
    {Operation::kFdiv, kMin, kMax, kInf, fsr::kOverflow},
    {Operation::kFlt, 0xffffffff, 0, kMinusOne, 0},
    {Operation::kFlt, 0x01000001, 0, 0x4b800000, 0},  // ties to even
    {Operation::kFlt, 0x7fffffff, 0, 0x4f000000, 0},
    {Operation::kFint, 0x40200000, 0, 2, 0},                       // 2.5
    {Operation::kFint, 0xc0200000, 0, 0xfffffffe, 0},              // -2.5 towards zero
    {Operation::kFint, 0x4f000000, 0, 0x80000000, fsr::kInvalid},  // 2^31
    {Operation::kFint, 0xcf000000, 0, 0x80000000, 0},              // -2^31 fits
    {Operation::kFint, kInf, 0, 0x80000000, fsr::kInvalid},
    {Operation::kFint, kQuiet, 0, kNan, fsr::kInvalid},
    {Operation::kFint, kDenormal, 0, kNan, fsr::kDenormal},
    {Operation::kFsqrt, 0x40800000, 0, kTwo, 0},
    {Operation::kFsqrt, kMinusOne, 0, kNan, fsr::kInvalid},
    {Operation::kFsqrt, kMinusZero, 0, kMinusZero, 0},
    {Operation::kFsqrt, kInf, 0, kInf, 0},
    {Operation::kFsqrt, kQuiet, 0, kNan, 0},
    {Operation::kFsqrt, kSignalling, 0, kNan, fsr::kInvalid},
    {Operation::kFsqrt, kDenormal, 0, kNan, fsr::kDenormal},
};

TEST(FpuTest, ResultsAndFlagsAreAsTheManualSays) {
  for (const Case& c : kCases) {
    const FpuResult result = fpu_execute(c.operation, c.a, c.b);
    EXPECT_EQ(result.value, c.value) << info(c.operation).mnemonic << std::hex << " " << c.a << " "
                                     << c.b << ": " << result.value;
    EXPECT_EQ(result.flags, c.flags)
        << info(c.operation).mnemonic << std::hex << " " << c.a << " " << c.b;
  }
}

// UG984 "fcmp", table: result for rB > rA, rB < rA, rB = rA, and with a quiet NaN its flag.
struct Comparison {
  Operation operation;
  bool greater, less, equal, quiet;
  bool quiet_is_invalid;
};
constexpr Comparison kComparisons[] = {
    {Operation::kFcmpUn, false, false, false, true, false},
    {Operation::kFcmpLt, false, true, false, false, true},
    {Operation::kFcmpEq, false, false, true, false, false},
    {Operation::kFcmpLe, false, true, true, false, true},
    {Operation::kFcmpGt, true, false, false, false, true},
    {Operation::kFcmpNe, true, true, false, true, false},
    {Operation::kFcmpGe, true, false, true, false, true},
};

TEST(FpuTest, ComparisonsRelateRbToRa) {
  for (const Comparison& c : kComparisons) {
    const auto value = [&](uint32_t a, uint32_t b) {
      return fpu_execute(c.operation, a, b).value != 0;
    };
    const std::string_view name = info(c.operation).mnemonic;
    EXPECT_EQ(value(kOne, kTwo), c.greater) << name;
    EXPECT_EQ(value(kTwo, kOne), c.less) << name;
    EXPECT_EQ(value(kOne, kOne), c.equal) << name;
    EXPECT_EQ(value(0, kMinusZero), c.equal) << name;
    EXPECT_EQ(value(kQuiet, kOne), c.quiet) << name;
    EXPECT_EQ(fpu_execute(c.operation, kOne, kQuiet).flags, c.quiet_is_invalid ? fsr::kInvalid : 0u)
        << name;
    EXPECT_EQ(fpu_execute(c.operation, kOne, kSignalling).flags, fsr::kInvalid) << name;
    EXPECT_EQ(fpu_execute(c.operation, kOne, kDenormal).flags, fsr::kDenormal) << name;
    EXPECT_FALSE(value(kOne, kDenormal)) << name;
  }
}

// Sums and products of two floats are exact, or rounded once, in double precision.
TEST(FpuTest, RandomResultsAreCorrectlyRounded) {
  const uint32_t seed = gvp::test::seed(20261121);
  RecordProperty("seed", static_cast<int>(seed));
  std::mt19937 random(seed);
  for (int i = 0; i < 100000; ++i) {
    const auto a = static_cast<uint32_t>((random() & 0x807fffff) | (100 + random() % 50) << 23);
    const auto b = static_cast<uint32_t>((random() & 0x807fffff) | (100 + random() % 50) << 23);
    float x = 0;
    float y = 0;
    std::memcpy(&x, &a, 4);
    std::memcpy(&y, &b, 4);
    const auto expect = [&](Operation operation, double exact) {
      const auto rounded = static_cast<float>(exact);
      uint32_t bits = 0;
      std::memcpy(&bits, &rounded, 4);
      ASSERT_EQ(fpu_execute(operation, a, b).value, bits) << std::hex << a << " " << b;
    };
    expect(Operation::kFmul, double{x} * double{y});
    expect(Operation::kFadd, double{x} + double{y});
    expect(Operation::kFdiv, double{y} / double{x});
  }
}

}  // namespace
}  // namespace gvp::host::test
