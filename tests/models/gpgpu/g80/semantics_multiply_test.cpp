// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::gpgpu::g80 {
namespace {

constexpr unsigned kZ = 1, kS = 2, kC = 4, kO = 8;

struct Case {
  const char* text;
  uint32_t a, b, c;
  uint32_t result;
  unsigned flags;
};

std::ostream& operator<<(std::ostream& out, const Case& c) {
  return out << c.text << " of " << std::hex << c.a << ", " << c.b << ", " << c.c;
}

class MultiplyTest : public testing::TestWithParam<Case> {};

TEST_P(MultiplyTest, GivesResultAndFlags) {
  const Case& c = GetParam();
  OneWarp warp;
  warp.fill(2, c.a);
  warp.fill(3, c.b);
  warp.fill(4, c.c);
  warp.set_flags(1, 31, kC);
  ASSERT_EQ(warp.execute(c.text).stop, Stop::kNone);
  EXPECT_EQ(warp.r(1)[0], c.result);
  EXPECT_EQ(warp.r(1)[17], c.result);
  EXPECT_EQ(warp.flags(0, 17), c.flags);
}

INSTANTIATE_TEST_SUITE_P(
    Halves, MultiplyTest,
    testing::Values(
        Case{"IMUL.U16.U16.C0 R1, R2L, R3L;", 0xabcdffff, 0x1234ffff, 0, 0xfffe0001, kS},
        Case{"IMUL.U16.U16.C0 R1, R2L, R3H;", 0x00000003, 0x00050000, 0, 15, 0},
        Case{"IMUL.S16.S16.C0 R1, R2L, R3L;", 0x0000ffff, 0x00000002, 0, 0xfffffffe, kS},
        Case{"IMUL.S16.S16.C0 R1, R2L, R3L;", 0x00008000, 0x00008000, 0, 0x40000000, 0},
        Case{"IMUL.S16.U16.C0 R1, R2L, R3L;", 0x0000ffff, 0x0000ffff, 0, 0xffff0001, kS},
        Case{"IMUL.U16.S16.C0 R1, R2H, R3H;", 0x00020000, 0xffff0000, 0, 0xfffffffe, kS},
        Case{"IMUL.U16.U16.C0 R1, R2L, R3L;", 0xffff0000, 0x0000ffff, 0, 0, kZ},
        Case{"IMAD.U16.C0 R1, R2L, R3L, R4;", 3, 4, 5, 17, 0},
        Case{"IMAD.U16.C0 R1, R2L, R3L, R4;", 0xffff, 0xffff, 0x0001ffff, 0, kZ | kC},
        Case{"IMAD.S16.C0 R1, R2L, R3L, R4;", 0xffff, 1, 0, 0xffffffff, kS},
        Case{"IMAD.S16.C0 R1, R2L, R3L, R4;", 0x8000, 0x8000, 0x40000000, 0x80000000, kS | kO},
        Case{"IMAD.S16.SAT.C0 R1, R2L, R3L, R4;", 0x8000, 0x8000, 0x40000000, 0x7fffffff, kO}));

INSTANTIATE_TEST_SUITE_P(
    TwentyFourBits, MultiplyTest,
    testing::Values(
        Case{"IMUL.U24.U24.C0 R1, R2, R3;", 0xff000003, 0xaa000004, 0, 12, 0},
        Case{"IMUL.U24.U24.C0 R1, R2, R3;", 0x00ffffff, 0x00ffffff, 0, 0xfe000001, kS},
        Case{"IMUL.S24.S24.C0 R1, R2, R3;", 0x00ffffff, 0x00000005, 0, 0xfffffffb, kS},
        Case{"IMUL.S24.S24.C0 R1, R2, R3;", 0x007fffff, 0x00000002, 0, 0x00fffffe, 0},
        Case{"IMUL.U24.U24.HI.C0 R1, R2, R3;", 0x00ffffff, 0x00ffffff, 0, 0xfffffe00, kS},
        Case{"IMUL.U24.U24.HI.C0 R1, R2, R3;", 0xff123456, 0xaaabcdef, 0, 0xc379a59, 0},
        Case{"IMUL.U24.U24.HI.C0 R1, R2, R3;", 0x00000100, 0x00000100, 0, 1, 0},
        Case{"IMUL.U24.U24.HI.C0 R1, R2, R3;", 0x000000ff, 0x00000100, 0, 0, kZ},
        Case{"IMUL.S24.S24.HI.C0 R1, R2, R3;", 0x00123456, 0x00abcdef, 0, 0xfa034459, kS},
        Case{"IMUL.S24.S24.HI.C0 R1, R2, R3;", 0x00800000, 0x00800000, 0, 0x40000000, 0},
        Case{"IMUL.S24.S24.HI.C0 R1, R2, R3;", 0x00ffffff, 0x00000001, 0, 0xffffffff, kS},
        Case{"IMAD.U24.C0 R1, R2, R3, R4;", 1000, 1000, 1, 1000001, 0},
        Case{"IMAD.S24.C0 R1, R2, R3, R4;", 0x00ffffff, 3, 3, 0, kZ | kC},
        Case{"IMAD.U24.HI.C0 R1, R2, R3, R4;", 0x00ffffff, 0x00ffffff, 0x00000200, 0, kZ | kC},
        Case{"IMAD.S24.SAT.C0 R1, R2, R3, R4;", 0x007fffff, 0x00000100, 0x7fffffff, 0x7fffffff,
             kO}));

TEST(MultiplyAddTest, SubtractsTheAddendOrTheProduct) {
  OneWarp warp;
  warp.fill(2, 6);
  warp.fill(3, 7);
  warp.fill(4, 2);
  Instruction mad = assemble_instruction("IMAD.U16.C0 R1, R2L, R3L, R4;");
  mad.combine = Combine::kSubtract;
  warp.execute(mad);
  EXPECT_EQ(warp.r(1)[0], 40u);
  EXPECT_EQ(warp.flags(0), kC);
  mad.combine = Combine::kReverseSubtract;
  warp.execute(mad);
  EXPECT_EQ(warp.r(1)[0], 0u - 40u);
  EXPECT_EQ(warp.flags(0), kS);
}

TEST(MultiplyAddTest, AddsTheCarryOfItsConditionRegister) {
  OneWarp warp;
  warp.fill(2, 6);
  warp.fill(3, 7);
  warp.fill(4, 2);
  warp.set_flags(1, 9, kC);
  warp.execute("IMAD.U16.CARRY1 R1, R2L, R3L, R4;");
  EXPECT_EQ(warp.r(1)[8], 44u);
  EXPECT_EQ(warp.r(1)[9], 45u);
}

// As NVIDIA's compiler multiplies 32-bit numbers (docs/g80.md).
TEST(MultiplyAddTest, FourInstructionsMultiplyThirtyTwoBits) {
  OneWarp warp;
  std::mt19937 random(3);
  for (unsigned lane = 0; lane < 32; ++lane) {
    warp.r(2)[lane] = static_cast<uint32_t>(random());
    warp.r(3)[lane] = static_cast<uint32_t>(random());
  }
  warp.execute("IMUL.U16.U16 R5, R2L, R3H;");
  warp.execute("IMAD.U16 R5, R2H, R3L, R5;");
  warp.execute("SHL R5, R5, 0x10;");
  warp.execute("IMAD.U16 R5, R2L, R3L, R5;");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(warp.r(5)[lane], warp.r(2)[lane] * warp.r(3)[lane]);
}

TEST(MultiplyTest, ADeviceWithoutMultiplierStopsTheKernel) {
  OneWarp warp;
  warp.machine.multiplier = false;
  EXPECT_EQ(warp.execute("IMUL.U16.U16 R1, R2L, R3L;").stop, Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kUnsupportedInstruction);
}

TEST(MultiplyTest, ADeviceWithTwoOperandsHasNoMultiplyAdd) {
  OneWarp warp;
  warp.machine.three_operands = false;
  EXPECT_EQ(warp.execute("IMUL.U16.U16 R1, R2L, R3L;").stop, Stop::kNone);
  EXPECT_EQ(warp.execute("IMAD.U16 R1, R2L, R3L, R4;").stop, Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kUnsupportedInstruction);
}

}  // namespace
}  // namespace gvp::gpgpu::g80
