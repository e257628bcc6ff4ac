// SPDX-License-Identifier: Apache-2.0
// Expected values are literals worked out from the G80 reference, or come from a formula in
// 64-bit arithmetic that shares nothing with the model's.
#include <gtest/gtest.h>

#include <random>

#include "tests/models/gpgpu/g80/one_warp.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr unsigned kZ = 1, kS = 2, kC = 4, kO = 8;

// d = op(R2, R3, R4), flags in C0.
struct Case {
  const char* text;
  uint32_t a, b, c;
  uint32_t result;
  unsigned flags;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.text << " of " << std::hex << c.a << ", " << c.b << ", " << c.c;
}

class IntegerTest : public testing::TestWithParam<Case> {};

TEST_P(IntegerTest, GivesResultAndFlags) {
  const Case& c = GetParam();
  OneWarp warp;
  warp.fill(1, 0xdeadbeef);
  warp.fill(2, c.a);
  warp.fill(3, c.b);
  warp.fill(4, c.c);
  const Step step = warp.execute(c.text);
  ASSERT_EQ(step.stop, Stop::kNone);
  for (const unsigned lane : {0u, 1u, 15u, 16u, 31u}) {
    EXPECT_EQ(warp.r(1)[lane], c.result) << "lane " << lane;
    EXPECT_EQ(warp.flags(0, lane), c.flags) << "lane " << lane;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Add, IntegerTest,
    testing::Values(Case{"IADD.C0 R1, R2, R3;", 1, 2, 0, 3, 0},
                    Case{"IADD.C0 R1, R2, R3;", 0, 0, 0, 0, kZ},
                    Case{"IADD.C0 R1, R2, R3;", 0xffffffff, 1, 0, 0, kZ | kC},
                    Case{"IADD.C0 R1, R2, R3;", 0x7fffffff, 1, 0, 0x80000000, kS | kO},
                    Case{"IADD.C0 R1, R2, R3;", 0x80000000, 0x80000000, 0, 0, kZ | kC | kO},
                    Case{"IADD.C0 R1, R2, R3;", 0xffffffff, 0xffffffff, 0, 0xfffffffe, kS | kC},
                    // a - b: carry means no borrow
                    Case{"IADD.C0 R1, R2, -R3;", 5, 3, 0, 2, kC},
                    Case{"IADD.C0 R1, R2, -R3;", 3, 5, 0, 0xfffffffe, kS},
                    Case{"IADD.C0 R1, R2, -R3;", 7, 7, 0, 0, kZ | kC},
                    Case{"IADD.C0 R1, R2, -R3;", 0x80000000, 1, 0, 0x7fffffff, kC | kO},
                    Case{"IADD.C0 R1, R2, -R3;", 0, 0x80000000, 0, 0x80000000, kS | kO},
                    Case{"IADD.C0 R1, R2, -R3;", 0, 0, 0, 0, kZ | kC},
                    Case{"IADD.C0 R1, -R2, R3;", 3, 5, 0, 2, kC},
                    Case{"IADD.C0 R1, -R2, R3;", 5, 3, 0, 0xfffffffe, kS},
                    Case{"IADD.S32.SAT.C0 R1, R2, R3;", 0x7fffffff, 1, 0, 0x7fffffff, kO},
                    Case{"IADD.S32.SAT.C0 R1, R2, R3;", 0x80000000, 0xffffffff, 0, 0x80000000,
                         kS | kC | kO},
                    Case{"IADD.S32.SAT.C0 R1, R2, R3;", 10, 20, 0, 30, 0}));

INSTANTIATE_TEST_SUITE_P(
    AddHalves, IntegerTest,
    testing::Values(
        // 16 bits: R1L = R2L + R3H, the upper half of R1 stays
        Case{"IADD.U16.C0 R1L, R2L, R3H;", 0x00000001, 0x00020000, 0, 0xdead0003, 0},
        Case{"IADD.U16.C0 R1L, R2L, R3H;", 0x1234ffff, 0x00015678, 0, 0xdead0000, kZ | kC},
        Case{"IADD.U16.C0 R1L, R2L, R3H;", 0x00007fff, 0x00010000, 0, 0xdead8000, kS | kO},
        Case{"IADD.U16.C0 R1H, R2L, -R3L;", 0x00000005, 0x00000007, 0, 0xfffebeef, kS},
        Case{"IADD.U16.SAT.C0 R1L, R2L, R3L;", 0x00007fff, 0x00000001, 0, 0xdead7fff, kO},
        Case{"IADD.U16.SAT.C0 R1L, R2L, R3L;", 0x00008000, 0x0000ffff, 0, 0xdead8000,
             kS | kC | kO}));

INSTANTIATE_TEST_SUITE_P(
    Compare, IntegerTest,
    testing::Values(Case{"ISET.S32.C0 R1, R2, R3, LT;", 0xffffffff, 0, 0, 0xffffffff, kS},
                    Case{"ISET.C0 R1, R2, R3, LT;", 0xffffffff, 0, 0, 0, kZ},
                    Case{"ISET.S32.C0 R1, R2, R3, GT;", 0x7fffffff, 0x80000000, 0, 0xffffffff, kS},
                    Case{"ISET.C0 R1, R2, R3, GT;", 0x7fffffff, 0x80000000, 0, 0, kZ},
                    Case{"ISET.S32.C0 R1, R2, R3, EQ;", 5, 5, 0, 0xffffffff, kS},
                    Case{"ISET.S32.C0 R1, R2, R3, NE;", 5, 5, 0, 0, kZ},
                    Case{"ISET.S32.C0 R1, R2, R3, LE;", 5, 5, 0, 0xffffffff, kS},
                    Case{"ISET.S32.C0 R1, R2, R3, GE;", 4, 5, 0, 0, kZ},
                    Case{"IMAX.S32.C0 R1, R2, R3;", 0xffffffff, 1, 0, 1, 0},
                    Case{"IMAX.C0 R1, R2, R3;", 0xffffffff, 1, 0, 0xffffffff, kS},
                    Case{"IMIN.S32.C0 R1, R2, R3;", 0x80000000, 1, 0, 0x80000000, kS},
                    Case{"IMIN.C0 R1, R2, R3;", 0x80000000, 0, 0, 0, kZ},
                    Case{"IMIN.S16.C0 R1L, R2L, R3L;", 0x12348000, 0x00000001, 0, 0xdead8000, kS},
                    Case{"IMIN.U16.C0 R1L, R2L, R3L;", 0x12348000, 0x00000001, 0, 0xdead0001, 0},
                    Case{"ISAD.C0 R1, R2, R3, R4;", 3, 10, 100, 107, 0},
                    Case{"ISAD.C0 R1, R2, R3, R4;", 0xffffffff, 0, 2, 1, kC},
                    Case{"ISAD.S32.C0 R1, R2, R3, R4;", 0xffffffff, 1, 0, 2, 0}));

INSTANTIATE_TEST_SUITE_P(
    Shift, IntegerTest,
    testing::Values(Case{"SHL.C0 R1, R2, R3;", 0x80000001, 1, 0, 2, kC | kO},
                    Case{"SHL.C0 R1, R2, R3;", 0x40000000, 1, 0, 0x80000000, kS | kO},
                    Case{"SHL.C0 R1, R2, R3;", 0xc0000000, 1, 0, 0x80000000, kS | kC},
                    Case{"SHL.C0 R1, R2, R3;", 3, 31, 0, 0x80000000, kS | kC},
                    Case{"SHL.C0 R1, R2, R3;", 1, 32, 0, 0, kZ},
                    Case{"SHL.C0 R1, R2, R3;", 1, 0xffffffff, 0, 0, kZ},
                    Case{"SHL.C0 R1, R2, R3;", 0xffffffff, 0, 0, 0xffffffff, kS},
                    Case{"SHR.C0 R1, R2, R3;", 3, 1, 0, 1, kC},
                    Case{"SHR.C0 R1, R2, R3;", 0x80000000, 1, 0, 0x40000000, kO},
                    Case{"SHR.C0 R1, R2, R3;", 0x80000000, 32, 0, 0, kZ},
                    Case{"SHR.S32.C0 R1, R2, R3;", 0x80000000, 4, 0, 0xf8000000, kS},
                    Case{"SHR.S32.C0 R1, R2, R3;", 0x80000000, 32, 0, 0xffffffff, kS},
                    Case{"SHR.S32.C0 R1, R2, R3;", 0x7fffffff, 100, 0, 0, kZ},
                    Case{"SHR.S32.C0 R1, R2, R3;", 0xffffffff, 1, 0, 0xffffffff, kS | kC},
                    Case{"SHL.U16.C0 R1L, R2L, R3L;", 0x0000c001, 1, 0, 0xdead8002, kS | kC},
                    Case{"SHL.U16.C0 R1L, R2L, R3L;", 0x0000ffff, 16, 0, 0xdead0000, kZ},
                    Case{"SHR.S16.C0 R1L, R2L, R3L;", 0x00008000, 20, 0, 0xdeadffff, kS},
                    Case{"SHR.C0 R1, R2, 0x4;", 0x18, 0, 0, 1, kC}));

INSTANTIATE_TEST_SUITE_P(
    Logic, IntegerTest,
    testing::Values(Case{"LOP.AND.C0 R1, R2, R3;", 0xff00ff00, 0x0ff00ff0, 0, 0x0f000f00, 0},
                    Case{"LOP.OR.C0 R1, R2, R3;", 0xff00ff00, 0x0ff00ff0, 0, 0xfff0fff0, kS},
                    Case{"LOP.XOR.C0 R1, R2, R3;", 0xff00ff00, 0xff00ff00, 0, 0, kZ},
                    Case{"LOP.AND.C0 R1, R2, ~R3;", 0xffffffff, 0x0000ffff, 0, 0xffff0000, kS},
                    Case{"LOP.PASS_B.C0 R1, R2, ~R3;", 1, 0xffffffff, 0, 0, kZ},
                    Case{"LOP.XOR.C0 R1, ~R2, R3;", 0, 0, 0, 0xffffffff, kS},
                    Case{"LOP.AND.U16.C0 R1L, R2L, ~R3H;", 0xffff0ff0, 0x00f0ffff, 0, 0xdead0f00,
                         0}));

TEST(IntegerAddTest, CarryComesFromTheConditionRegisterThatTheInstructionNames) {
  OneWarp warp;
  warp.fill(2, 10);
  warp.fill(3, 20);
  warp.set_flags(2, 5, kC);
  warp.execute("IADD.CARRY2 R1, R2, R3;");
  EXPECT_EQ(warp.r(1)[4], 30u);
  EXPECT_EQ(warp.r(1)[5], 31u);
}

TEST(IntegerAddTest, SixtyFourBitAdditionOfTwoInstructions) {
  OneWarp warp;
  std::mt19937_64 random(1);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint64_t a = random(), b = random();
    warp.r(2)[lane] = static_cast<uint32_t>(a);
    warp.r(3)[lane] = static_cast<uint32_t>(a >> 32);
    warp.r(4)[lane] = static_cast<uint32_t>(b);
    warp.r(5)[lane] = static_cast<uint32_t>(b >> 32);
    warp.r(10)[lane] = static_cast<uint32_t>(a + b);
    warp.r(11)[lane] = static_cast<uint32_t>((a + b) >> 32);
  }
  warp.execute("IADD.C1 R6, R2, R4;");
  warp.execute("IADD.CARRY1 R7, R3, R5;");
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(warp.r(6)[lane], warp.r(10)[lane]);
    EXPECT_EQ(warp.r(7)[lane], warp.r(11)[lane]);
  }
}

TEST(IntegerAddTest, RandomFlagsAgreeWithWideArithmetic) {
  const uint32_t seed = test::seed(7);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  OneWarp warp;
  for (int round = 0; round < 200; ++round) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      // Small numbers and extremes meet often.
      warp.r(2)[lane] =
          static_cast<uint32_t>(random() % 4 == 0 ? 0x7ffffffeu + random() % 4 : random());
      warp.r(3)[lane] = static_cast<uint32_t>(random() % 4 == 0 ? random() % 3 : random());
    }
    const bool subtract = round % 2 == 1;
    warp.execute(subtract ? "IADD.C0 R1, R2, -R3;" : "IADD.C0 R1, R2, R3;");
    for (unsigned lane = 0; lane < 32; ++lane) {
      const uint64_t a = warp.r(2)[lane], b = warp.r(3)[lane];
      const int64_t sa = static_cast<int32_t>(a), sb = static_cast<int32_t>(b);
      const int64_t exact = subtract ? sa - sb : sa + sb;
      const bool carry = subtract ? a >= b : a + b > 0xffffffffu;
      const auto result = static_cast<uint32_t>(exact);
      const unsigned flags = (result == 0 ? kZ : 0) | (result >> 31 != 0 ? kS : 0) |
                             (carry ? kC : 0) | (exact != static_cast<int32_t>(result) ? kO : 0);
      ASSERT_EQ(warp.r(1)[lane], result);
      ASSERT_EQ(warp.flags(0, lane), flags) << std::hex << a << (subtract ? " - " : " + ") << b;
    }
  }
}

TEST(IntegerTest, InactiveLanesKeepRegistersAndFlags) {
  OneWarp warp;
  warp.start(0x0000ff00);
  warp.fill(1, 0x11111111);
  warp.fill(2, 1);
  warp.fill(3, 2);
  for (unsigned lane = 0; lane < 32; ++lane) warp.set_flags(0, lane, 15);
  warp.execute("IADD.C0 R1, R2, R3;");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const bool active = lane >= 8 && lane < 16;
    EXPECT_EQ(warp.r(1)[lane], active ? 3u : 0x11111111u) << lane;
    EXPECT_EQ(warp.flags(0, lane), active ? 0u : 15u) << lane;
  }
}

TEST(IntegerTest, RegistersBeyondTheAllocationReadZeroAndIgnoreWrites) {
  OneWarp warp(4);
  warp.fill(1, 77);
  warp.fill(2, 5);
  warp.execute("IADD R1, R2, R4;");
  EXPECT_EQ(warp.r(1)[0], 5u);
  warp.execute("IADD R100, R2, R2;");
  warp.execute("IADD R1, R2, R100;");
  EXPECT_EQ(warp.r(1)[0], 5u);
  warp.execute("IADD R1, R124, R124;");
  EXPECT_EQ(warp.r(1)[0], 0u);
}

TEST(IntegerTest, TheBitBucketLeavesOnlyFlags) {
  OneWarp warp;
  warp.fill(2, 3);
  warp.execute("ISET.S32.C1 o[0x7f], R2, R124, NE;");
  EXPECT_EQ(warp.flags(1), kS);
  EXPECT_EQ(warp.flags(0), 0u);
}

}  // namespace
}  // namespace gvp::gpgpu::g80
