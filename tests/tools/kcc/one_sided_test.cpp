// SPDX-License-Identifier: Apache-2.0
// What only one way out of a branch needs is computed there.
#include "tools/kcc/g80/one_sided.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

const char* const kTest = "setp.ge.u32 %p1, %t, 16;\n";

// `front` stands in front of a branch that threads from 16 on take to `other`.  %r1 is 40 and %r2
// the thread before it; %r1 is the result.
std::string arms(const std::string& front, const std::string& other, const std::string& next) {
  return kernel("mov.u32 %r1, 40;\nadd.s32 %r2, %t, 0;\n" + front + kTest +
                "@%p1 bra other;\nbar.sync 0;\n" + next + "bra done;\nother:\nbar.sync 0;\n" +
                other + "done:\nst.global.u32 [%own], %r1;");
}
const char* const kComputed = "xor.b32 %r3, %r2, 13;\n";

// %r1 to %r4 are copies for the block where two ways meet; the other way brings products.
std::string copies(const std::string& front) {
  return kernel("mov.u32 %r4, 0;\n" + front + kTest +
                "@%p1 bra meet;\nbar.sync 0;\nmul.lo.u32 %r1, %t, 3;\nmul.lo.u32 %r2, %t, 5;\n"
                "mul.lo.u32 %r3, %t, 7;\nmeet:\nmul.lo.u32 %r5, %r1, %r2;\n"
                "add.u32 %r5, %r5, %r3;\nst.global.u32 [%own], %r5;");
}

size_t first_branch(const std::string& code) { return code.find("BRA C"); }

TEST(OneSided, IsComputedBehindTheBranch) {
  const std::string text = arms(kComputed, "add.s32 %r1, %r1, %r3;\n", "shl.b32 %r1, %r2, 1;\n");
  const std::string code = code_of(text);
  EXPECT_EQ(count(code, "0xd;"), 1u);
  EXPECT_LT(first_branch(code), code.find("0xd;")) << code;
  const auto found = results(text, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], t < 16 ? 2 * t : 40 + (t ^ 13)) << t;
}

TEST(OneSided, GetsABlockOfItsOwnWhereWaysMeet) {
  const std::string text = copies("mov.u32 %r1, 11;\nmov.u32 %r2, 12;\nmov.u32 %r3, 113;\n");
  const std::string code = code_of(text);
  EXPECT_LT(first_branch(code), code.find("0x71;")) << code;
  const auto found = results(text, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t)
    EXPECT_EQ(found[t], t < 16 ? 15 * t * t + 7 * t : 132 + 113) << t;
}

// A jump out of such a block takes as long as a copy.
TEST(OneSided, StaysWhereAJumpWouldCostMore) {
  const std::string text = kernel(
      std::string("mov.u32 %r1, 113;\n") + kTest +
      "@%p1 bra meet;\nbar.sync 0;\nmul.lo.u32 %r1, %t, 3;\nmeet:\nst.global.u32 [%own], %r1;");
  const std::string code = code_of(text);
  EXPECT_GT(first_branch(code), code.find("0x71;")) << code;
  EXPECT_EQ(count(code, "BRA"), 1u) << code;
}

// Of four numbers that go round the loop, all are needed on the way back alone.
TEST(OneSided, StaysOnTheWayBackOfLoops) {
  const std::string text = kernel(
      "mov.u32 %r1, %t;\nmov.u32 %r2, 1;\nmov.u32 %r3, 2;\nmov.u32 %r4, %n;\nagain:\n"
      "add.u32 %r5, %r1, %r2;\nsetp.eq.s32 %p2, %r4, 99;\n@%p2 bra over;\nbar.sync 0;\nover:\n"
      "st.global.u32 [%own], %r5;\nadd.s32 %r4, %r4, -1;\n"
      "mov.u32 %r1, %r3;\nmov.u32 %r3, %r2;\nmov.u32 %r2, %r5;\nsetp.ne.s32 %p1, %r4, 0;\n"
      "@%p1 bra again;");
  EXPECT_EQ(count(code_of(text), "BRA"), 2u) << code_of(text);
  const auto found = results(text, kThreads, 5);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t a = t;
    uint32_t b = 1;
    uint32_t c = 2;
    uint32_t sum = 0;
    for (int i = 0; i < 5; ++i) {
      sum = a + b;
      a = c;
      c = b;
      b = sum;
    }
    EXPECT_EQ(found[t], sum);
  }
}

// What leaves a loop is computed once, behind it.
TEST(OneSided, LeavesTheLoopThatItIsComputedIn) {
  const std::string text = kernel(
      "mov.u32 %r1, %t;\nmov.u32 %r4, %n;\nagain:\nadd.u32 %r1, %r1, %r4;\n"
      "xor.b32 %r3, %r1, 113;\nbar.sync 0;\nadd.s32 %r4, %r4, -1;\nsetp.ne.s32 %p1, %r4, 0;\n"
      "@%p1 bra again;\nst.global.u32 [%own], %r3;");
  const std::string code = code_of(text);
  EXPECT_LT(first_branch(code), code.find("0x71;")) << code;
  const auto found = results(text, kThreads, 5);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], (t + 15) ^ 113);
}

// What it reads is written behind it, its result is read there or by the other side, or it reads
// memory that others may write.
TEST(OneSided, StaysWhereItWouldComputeSomethingElse) {
  struct Case {
    std::string front;
    std::string other;
    std::string next;
    uint32_t (*of)(uint32_t t);
  };
  const std::string use = "add.s32 %r1, %r1, %r3;\n";
  const Case cases[] = {
      {std::string(kComputed) + "add.s32 %r2, %r2, 5;\nst.global.u32 [%own], %r2;\n", use,
       "mov.u32 %r1, %r2;\n", [](uint32_t t) { return t < 16 ? t + 5 : 40 + (t ^ 13); }},
      {std::string(kComputed) + "add.s32 %r3, %r3, 5;\n", use,
       "xor.b32 %r4, %r2, 13;\nmov.u32 %r1, %r4;\n",
       [](uint32_t t) { return t < 16 ? t ^ 13 : 45 + (t ^ 13); }},
      {std::string(kComputed) + "add.s32 %r4, %r3, 5;\n", "add.s32 %r1, %r1, %r4;\n",
       "mov.u32 %r1, %r3;\n", [](uint32_t t) { return t < 16 ? t ^ 13 : 45 + (t ^ 13); }},
      {std::string(kComputed) + "st.global.u32 [%own], %r3;\n", use, "ld.global.u32 %r1, [%own];\n",
       [](uint32_t t) { return (t < 16 ? 0 : 40) + (t ^ 13); }},
      {kComputed, use, "mov.u32 %r1, %r3;\n",
       [](uint32_t t) { return (t < 16 ? 0 : 40) + (t ^ 13); }},
      {"st.global.u32 [%own], %r2;\nld.global.u32 %r3, [%own];\nst.global.u32 [%own], %r1;\n", use,
       "mov.u32 %r1, 5;\n", [](uint32_t t) { return t < 16 ? 5 : 40 + t; }},
      {std::string(kComputed) + "mov.u32 %r4, %r3;\nmov.u32 %r3, %r2;\n",
       use + "add.s32 %r1, %r1, %r4;\n", "mov.u32 %r1, %r4;\n",
       [](uint32_t t) { return t < 16 ? t ^ 13 : 40 + t + (t ^ 13); }},
      {"mov.u32 %r3, 9;\nsetp.ge.u32 %p2, %t, 8;\n@%p2 xor.b32 %r3, %r2, 13;\n", use,
       "mov.u32 %r1, 5;\n", [](uint32_t t) { return t < 16 ? 5 : 40 + (t ^ 13); }},
  };
  for (const Case& each : cases) {
    const auto found = results(arms(each.front, each.other, each.next), kThreads);
    for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], each.of(t)) << each.front << t;
  }
}

// Copies that registers make unnecessary on their way leave no block, and no jump, behind.
TEST(OneSided, LeavesNoJumpsAroundNothing) {
  const std::string text = kernel(
      "mov.u32 %r1, 0;\nmov.u32 %r5, 0;\nagain:\nadd.s32 %r2, %r1, 3;\nmov.u32 %r3, %r2;\n"
      "xor.b32 %r4, %r2, %t;\nsetp.gt.u32 %p1, %r4, 25;\n@%p1 bra leave;\nbar.sync 0;\n"
      "add.s32 %r1, %r2, 2;\nmov.u32 %r3, %r1;\nsetp.lt.s32 %p2, %r1, 100;\n@%p2 bra again;\n"
      "leave:\nst.global.u32 [%own], %r3;");
  EXPECT_EQ(count(code_of(text), "BRA"), 2u) << code_of(text);
  const auto found = results(text, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < 100;) {
      at = i + 3;
      if ((at ^ t) > 25) break;
      at = i = i + 5;
    }
    EXPECT_EQ(found[t], at) << t;
  }
}

}  // namespace
}  // namespace gvp::kcc
