// SPDX-License-Identifier: Apache-2.0
// Predicates: all 32 condition codes on all 16 flag values, against formulas in the flags.
#include <gtest/gtest.h>

#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::gpgpu::g80 {
namespace {

// What the codes that name flags mean.
bool holds(unsigned code, bool zero, bool sign, bool carry, bool overflow) {
  switch (code) {
    case 0x00:
      return false;
    case 0x0f:
      return true;
    case 0x10:
      return overflow;
    case 0x11:
      return carry;
    case 0x12:
      return carry && !zero;
    case 0x13:
      return sign;
    case 0x1c:
      return !sign;
    case 0x1d:
      return !(carry && !zero);
    case 0x1e:
      return !carry;
    default:
      return !overflow;  // 0x1f
  }
}

// The table measured on hardware (docs/g80.md), typed in once more as text: one row per code.
constexpr const char* kMeasured[32] = {
    "0000", "bb44", "2222", "3366", "4411", "5555", "cc33", "7777", "8888", "33cc", "aaaa",
    "bbee", "cc99", "dddd", "44bb", "ffff", "ff00", "f0f0", "5050", "cccc", "0000", "0000",
    "0000", "0000", "0000", "0000", "0000", "0000", "3333", "afaf", "0f0f", "00ff"};

TEST(ConditionTest, EveryCodeOnEveryFlagValueIsAsMeasured) {
  OneWarp warp;
  for (unsigned code = 0; code < 32; ++code) {
    const unsigned long expected = std::stoul(kMeasured[code], nullptr, 16);
    Instruction move = assemble_instruction("MOV R1, R2;");
    move.predicate = static_cast<Condition>(code);
    move.condition_register = 3;
    for (unsigned lane = 0; lane < 32; ++lane) warp.set_flags(3, lane, lane % 16);
    warp.fill(1, 0);
    warp.fill(2, 1);
    warp.execute(move);
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(warp.r(1)[lane], expected >> (lane % 16) & 1u)
          << "code " << code << " flags " << lane % 16;
  }
}

TEST(ConditionTest, CodesThatNameFlagsAreThoseFlags) {
  for (const unsigned code : {0x00u, 0x0fu, 0x10u, 0x11u, 0x12u, 0x13u, 0x1cu, 0x1du, 0x1eu, 0x1fu})
    for (unsigned v = 0; v < 16; ++v)
      EXPECT_EQ((truth_table(static_cast<Condition>(code)) >> v & 1u) != 0,
                holds(code, v & 1u, v & 2u, v & 4u, v & 8u))
          << code << ' ' << v;
}

// After a - b the signed codes are the comparison of a and b.
TEST(ConditionTest, SignedCodesCompareAfterASubtraction) {
  OneWarp warp;
  const int32_t values[] = {0, 1, -1, 5, -5, 0x7fffffff, -0x7fffffff - 1};
  for (const int32_t a : values)
    for (const int32_t b : values) {
      warp.fill(2, static_cast<uint32_t>(a));
      warp.fill(3, static_cast<uint32_t>(b));
      warp.execute("IADD.C0 R4, R2, -R3;");
      const ConditionRegister& flags = warp.warp.condition[0];
      const auto is = [&](Condition c) { return (evaluate(flags, truth_table(c)) & 1u) != 0; };
      EXPECT_EQ(is(Condition::kEqual), a == b) << a << ' ' << b;
      EXPECT_EQ(is(Condition::kNotEqual) || is(Condition::kNotEqualUnordered), a != b);
      EXPECT_EQ(is(Condition::kCarry), static_cast<uint32_t>(a) >= static_cast<uint32_t>(b));
      EXPECT_EQ(is(Condition::kAbove), static_cast<uint32_t>(a) > static_cast<uint32_t>(b));
      if (a == b) continue;
      EXPECT_EQ(is(Condition::kLess), a < b) << a << ' ' << b;
      EXPECT_EQ(is(Condition::kGreater), a > b) << a << ' ' << b;
    }
}

TEST(ConditionTest, FlagsMoveToRegistersAndBack) {
  OneWarp warp;
  for (unsigned lane = 0; lane < 32; ++lane) warp.set_flags(1, lane, lane % 16);
  warp.execute("C2R R1, C1;");
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(warp.r(1)[lane], lane % 16);
  warp.execute("R2C C3, R1;");
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(warp.flags(3, lane), lane % 16);
}

}  // namespace
}  // namespace gvp::gpgpu::g80
