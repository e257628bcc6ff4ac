// SPDX-License-Identifier: Apache-2.0
// Comparisons that say the same in each round of a loop.
#include "tools/kcc/g80/invariant_comparisons.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

// %n rounds, %r21 counts them, and %r20 is the result.
std::string loop(const std::string& before, const std::string& round) {
  return kernel("mov.u32 %r20, 0;\nmov.u32 %r21, 0;\n" + before + "again:\n" + round +
                "add.s32 %r21, %r21, 1;\nsetp.lt.s32 %p1, %r21, %n;\n@%p1 bra again;\n"
                "st.global.u32 [%own], %r20;");
}
size_t comparisons_of_a_round(const std::string& text) { return count(round_of(text), "SET."); }

TEST(InvariantComparisons, TakeNoInstructionOfARound) {
  const std::string add = "@%p2 add.s32 %r20, %r20, %r21;\n";
  const std::string fixed = loop("", "setp.lt.u32 %p2, %t, 20;\n" + add);
  const std::string changing = loop("", "setp.lt.u32 %p2, %r21, 3;\n" + add);
  EXPECT_EQ(comparisons_of_a_round(fixed), 1u);
  EXPECT_EQ(comparisons_of_a_round(changing), 2u);
  const auto found = results(fixed, kThreads, 5);
  const auto other = results(changing, kThreads, 5);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(found[t], t < 20 ? 10u : 0u);
    EXPECT_EQ(other[t], 3u);
  }
}

// What is compared is free in the loop then.
TEST(InvariantComparisons, SaveRegisters) {
  const auto registers = [](const std::string& round) {
    const std::string text =
        loop("xor.b32 %r2, %t, 5;\nxor.b32 %r3, %t, 6;\nxor.b32 %r4, %t, 7;\n", round);
    return g80::compile("k.ptx", text, {}).kernels.front().registers;
  };
  const std::string add = "@%p2 add.s32 %r20, %r20, %r3;\nxor.b32 %r20, %r20, %r4;\n";
  EXPECT_LT(registers("setp.lt.u32 %p2, %r2, 99;\n" + add),
            registers("setp.lt.u32 %p2, %r2, %r21;\n" + add));
}

// Each of two loops around it, and the way out of them, knows the flag.
TEST(InvariantComparisons, LeaveNestedLoops) {
  const std::string round =
      "mov.u32 %r22, 0;\nmul.lo.u32 %r5, %r21, 3;\ninner:\nsetp.lt.u32 %p2, %t, 20;\n"
      "setp.gt.u32 %p3, %r5, %t;\n@%p2 add.s32 %r20, %r20, 1;\n@%p3 add.s32 %r20, %r20, 100;\n"
      "add.s32 %r22, %r22, 1;\nsetp.lt.s32 %p4, %r22, 4;\n@%p4 bra inner;\n";
  const std::string text = loop("", round);
  const auto found = results(text, kThreads, 3);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 3; ++i) sum += 4 * ((t < 20 ? 1 : 0) + (3 * i > t ? 100 : 0));
    EXPECT_EQ(found[t], sum) << t;
  }
}

TEST(InvariantComparisons, StayWhereWhatTheyCompareIsWritten) {
  const auto written = results(loop("mov.u32 %r2, %t;\n",
                                    "setp.lt.u32 %p2, %r2, 20;\n@%p2 add.s32 %r20, %r20, 1;\n"
                                    "add.s32 %r2, %r2, 5;\n"),
                               kThreads, 4);
  const auto shared = results(
      kernel("shr.u32 %r5, %t, 5;\nmov.u32 %r20, 0;\nmov.u32 %r21, 0;\nst.shared.u32 [a], "
             "%r20;\nbar.sync 0;\nagain:\n"
             "ld.shared.u32 %r2, [a];\nsetp.gt.u32 %p2, %r2, %r5;\n@%p2 add.s32 %r20, %r20, 1;\n"
             "bar.sync 0;\nadd.s32 %r21, %r21, 1;\nst.shared.u32 [a], %r21;\nbar.sync 0;\n"
             "setp.lt.s32 %p1, %r21, %n;\n@%p1 bra again;\nst.global.u32 [%own], %r20;",
             ".shared .align 4 .u32 a;\n"),
      kThreads, 5);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 0;
    for (uint32_t x = t; x < t + 20; x += 5) sum += x < 20 ? 1 : 0;
    EXPECT_EQ(written[t], sum) << t;
    EXPECT_EQ(shared[t], 4u);
  }
}

// A predicate that has another value before the loop keeps it for the first round.
TEST(InvariantComparisons, StayWhereTheirFlagIsReadBefore) {
  const auto found = results(
      loop("setp.gt.u32 %p2, %t, 9;\n", "@%p2 add.s32 %r20, %r20, 1;\nsetp.lt.u32 %p2, %t, 20;\n"),
      kThreads, 3);
  for (uint32_t t = 0; t < kThreads; ++t)
    EXPECT_EQ(found[t], (t > 9 ? 1u : 0u) + (t < 20 ? 2u : 0u)) << t;
}

// Six of them, and four flags registers of which the loop wants some itself.
TEST(InvariantComparisons, LeaveFlagsRegistersToTheLoop) {
  std::string round;
  for (int i = 2; i < 8; ++i) {
    const std::string p = "%p" + std::to_string(i);
    round += "setp.gt.u32 " + p + ", %t, " + std::to_string(4 * i) + ";\n@" + p +
             " add.s32 %r20, %r20, " + std::to_string(i) + ";\n";
  }
  round +=
      "setp.eq.u32 %p8, %r21, 1;\n@%p8 add.s32 %r20, %r20, 1000;\nset.gt.u32.u32 %r2, %t, 9;\n"
      "set.lt.u32.s32 %r3, %r21, 1;\nxor.b32 %r4, %r2, %r3;\nsetp.ne.s32 %p0, %r4, 0;\n"
      "@%p0 add.s32 %r20, %r20, 5000;\n";
  const std::string text = loop("", round);
  EXPECT_EQ(g80::compile("k.ptx", text, {}).kernels.front().spilled, 0u);
  EXPECT_EQ(count(code_of(text), "LOP.AND.C"), 0u);  // no predicate in a general register
  const auto found = results(text, kThreads, 2);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 6000;
    for (uint32_t i = 2; i < 8; ++i) sum += t > 4 * i ? 2 * i : 0;
    EXPECT_EQ(found[t], sum) << t;
  }
}

// One of two comparisons is the same in each round: where they differ, and where they agree.
TEST(InvariantComparisons, SplitThoseThatAreCombined) {
  for (const std::string negation : {"", "!"}) {
    const std::string text =
        loop("", "setp.gt.u32 %p2, %t, 9;\nsetp.lt.s32 %p3, %r21, 2;\nxor.pred %p4, %p2, %p3;\n@" +
                     negation + "%p4 add.s32 %r20, %r20, 1;\nmad.lo.s32 %r20, %r20, 2, 0;\n");
    EXPECT_EQ(count(code_of(text), "LOP.XOR"), 0u);
    const auto found = results(text, kThreads, 4);
    for (uint32_t t = 0; t < kThreads; ++t) {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < 4; ++i)
        sum = (sum + (((t > 9) != (i < 2)) == negation.empty() ? 1 : 0)) * 2;
      EXPECT_EQ(found[t], sum) << t;
    }
  }
}

// The opposite of a comparison of floats holds for what is no number.
TEST(InvariantComparisons, SplitThoseOfFloats) {
  const std::string before =
      "cvt.rn.f32.u32 %f1, %t;\nsetp.gt.u32 %p2, %t, 9;\n@%p2 mov.f32 %f1, 0f7FFFFFFF;\n";
  const std::string round =
      "setp.lt.u32 %p3, %t, 20;\ncvt.rn.f32.s32 %f2, %r21;\nsetp.lt.f32 %p4, %f1, %f2;\n"
      "xor.pred %p5, %p3, %p4;\n@%p5 add.s32 %r20, %r20, 1;\n";
  const std::string text = loop(before, round);
  EXPECT_EQ(count(code_of(text), "LOP.XOR"), 0u);
  const auto found = results(text, kThreads, 5);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 5; ++i) sum += (t < 20) != (t <= 9 && t < i) ? 1 : 0;
    EXPECT_EQ(found[t], sum) << t;
  }
}

// The mask of either is wanted, or what the other compares is written in between.
TEST(InvariantComparisons, StayCombinedWhereTheirMasksAreWanted) {
  const auto wanted = results(
      loop("",
           "set.gt.u32.u32 %r2, %t, 9;\nset.lt.u32.s32 %r3, %r21, 2;\nxor.b32 %r4, %r2, %r3;\n"
           "setp.ne.s32 %p4, %r4, 0;\n@%p4 add.s32 %r20, %r20, 1;\nsub.s32 %r20, %r20, %r3;\n"),
      kThreads, 4);
  const auto written = results(
      loop("mov.u32 %r5, 0;\n",
           "set.gt.u32.u32 %r2, %t, 9;\nset.lt.u32.s32 %r3, %r5, 2;\nadd.s32 %r5, %r5, 1;\n"
           "xor.b32 %r4, %r2, %r3;\nsetp.ne.s32 %p4, %r4, 0;\n@%p4 add.s32 %r20, %r20, 1;\n"),
      kThreads, 4);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 4; ++i) sum += (t > 9) != (i < 2) ? 1 : 0;
    EXPECT_EQ(wanted[t], sum + 2) << t;
    EXPECT_EQ(written[t], sum) << t;
  }
}

}  // namespace
}  // namespace gvp::kcc
