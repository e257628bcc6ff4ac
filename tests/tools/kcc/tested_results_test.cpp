// SPDX-License-Identifier: Apache-2.0
// Flags that say whether a number is zero, set by what computes the number.
#include "tools/kcc/g80/tested_results.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

// 1 where the test of %r1 holds, else 2.
std::string tests_result(const std::string& compute, const std::string& compare,
                         const std::string& rest = "") {
  return kernel("mov.u32 %r1, 77;\n" + compute + "\nsetp." + compare +
                " %p1, %r1, 0;\nselp.u32 %r3, 1, 2, %p1;\n" + rest + "st.global.u32 [%own], %r3;");
}
size_t instructions(const std::string& text) {
  return g80::compile("k.ptx", text, {}).kernels.front().instructions;
}
// What does not depend on the comparison with zero alone.
size_t instructions_of_a_comparison(const std::string& compute) {
  return instructions(tests_result(compute, "lt.s32"));
}

TEST(TestedResults, TakeNoComparison) {
  struct Case {
    const char* compute;
    uint32_t (*of)(uint32_t t, uint32_t n);
  };
  const Case cases[] = {
      {"and.b32 %r1, %t, %n;", [](uint32_t t, uint32_t n) { return t & n; }},
      {"or.b32 %r1, %t, %n;", [](uint32_t t, uint32_t n) { return t | n; }},
      {"xor.b32 %r1, %t, %n;", [](uint32_t t, uint32_t n) { return t ^ n; }},
      {"add.s32 %r1, %t, %n;", [](uint32_t t, uint32_t n) { return t + n; }},
      {"sub.s32 %r1, %t, %n;", [](uint32_t t, uint32_t n) { return t - n; }},
      {"sub.s32 %r1, %n, %t;", [](uint32_t t, uint32_t n) { return n - t; }},
      {"and.b32 %r1, %t, 24;", [](uint32_t t, uint32_t) { return t & 24; }},
      {"add.s32 %r1, %t, -5;", [](uint32_t t, uint32_t) { return t - 5; }},
      {"set.lt.u32.u32 %r1, %t, %n;", [](uint32_t t, uint32_t n) { return t < n ? ~0U : 0; }},
  };
  for (const Case& each : cases) {
    for (const bool equal : {false, true}) {
      const std::string text = tests_result(each.compute, equal ? "eq.s32" : "ne.s32");
      EXPECT_LT(instructions(text), instructions_of_a_comparison(each.compute)) << each.compute;
      for (const uint32_t n : {0U, 7U, 0x80000000U, 0U - 9U}) {
        const auto found = results(text, kThreads, n);
        for (uint32_t t = 0; t < kThreads; ++t)
          EXPECT_EQ(found[t], (each.of(t, n) == 0) == equal ? 1u : 2u) << each.compute << " " << t;
      }
    }
  }
}

TEST(TestedResults, AreKeptForOthers) {
  const std::string rest = "mad.lo.u32 %r3, %r1, 4, %r3;\n";
  const auto found = results(tests_result("add.s32 %r1, %t, -5;", "eq.s32", rest), kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], (t - 5) * 4 + (t == 5 ? 1 : 2));
}

// The number is another one where it is tested.
TEST(TestedResults, AreTestedWhereTheyAreWrittenLast) {
  const auto guarded = results(
      tests_result("setp.lt.u32 %p2, %t, 16;\nand.b32 %r1, %t, 8;\n@%p2 and.b32 %r1, %t, %n;",
                   "eq.s32"),
      kThreads, 0);
  const auto loaded =
      results(tests_result("and.b32 %r1, %t, 8;\nst.global.u32 [%own], %r1;\nshr.u32 %r1, %t, 4;",
                           "eq.s32"),
              kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(guarded[t], t < 16 || (t & 8) == 0 ? 1u : 2u) << t;
    EXPECT_EQ(loaded[t], t < 16 ? 1u : 2u) << t;
  }
}

// The sum has its flags from what it adds, saturated or not.
TEST(TestedResults, StaySaturated) {
  const auto found = results(
      tests_result("add.s32 %r4, %t, -16;\nadd.sat.s32 %r1, %r4, %n;", "eq.s32"), kThreads, 16);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], t == 0 ? 1u : 2u) << t;
}

// Counting down to zero takes no comparison: a round is three instructions.
TEST(TestedResults, EndLoops) {
  const std::string text = kernel(
      "add.s32 %r1, %t, %n;\nmov.u32 %r2, 0;\nagain:\nadd.s32 %r2, %r2, %r1;\n"
      "add.s32 %r1, %r1, -1;\nsetp.ne.s32 %p1, %r1, 0;\n@%p1 bra again;\n"
      "st.global.u32 [%own], %r2;");
  EXPECT_EQ(count(code_of(text), "ISET"), 0u);
  const auto found = results(text, kThreads, 3);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], (t + 3) * (t + 4) / 2);
}

TEST(TestedResults, TurnNegationsAround) {
  const std::string logic =
      "setp.lt.u32 %p1, %t, 20;\nsetp.gt.u32 %p2, %t, %n;\nxor.pred %p3, %p1, %p2;\n"
      "not.pred %p4, %p3;\n";
  const std::string end =
      "bra past;\nmov.u32 %r3, 9;\nbar.sync 0;\npast:\nst.global.u32 [%own], %r3;";
  const std::string text = kernel("mov.u32 %r3, 4;\n" + logic + "@%p4 " + end);
  EXPECT_EQ(count(code_of(text), "LOP"), 2u);  // one for the thread's index
  EXPECT_EQ(code_of(text).find("0xffffffff"), std::string::npos);
  const auto found = results(text, kThreads, 7);
  const auto other = results(kernel("mov.u32 %r3, 4;\n" + logic + "@!%p4 " + end), kThreads, 7);
  for (uint32_t t = 0; t < kThreads; ++t) {
    const bool differ = (t < 20) != (t > 7);
    EXPECT_EQ(found[t], differ ? 9u : 4u) << t;
    EXPECT_EQ(other[t], differ ? 4u : 9u) << t;
  }
}

// ~x is not zero for most numbers, whatever x is.
TEST(TestedResults, KeepNegationsOfNumbers) {
  const auto found = results(tests_result("add.s32 %r4, %t, %n;\nxor.b32 %r1, %r4, -1;", "eq.s32"),
                             kThreads, 0U - 4U);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], t == 3 ? 1u : 2u) << t;
}

// There are four flags registers, all of them wanted between a number and its test.
TEST(TestedResults, WaitForAFlagsRegister) {
  std::string body = "and.b32 %r1, %t, 12;\n";
  for (int i = 1; i < 5; ++i)
    body += "setp.gt.u32 %p" + std::to_string(i) + ", %t, " + std::to_string(6 * i) + ";\n";
  body += "mov.u32 %r3, 0;\n";
  for (int i = 1; i < 5; ++i)
    body += "@%p" + std::to_string(i) + " add.s32 %r3, %r3, " + std::to_string(i) + ";\n";
  const auto found = results(kernel(body + "setp.eq.s32 %p5, %r1, 0;\n@%p5 add.s32 %r3, %r3, 100;\n"
                                           "st.global.u32 [%own], %r3;"),
                             kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = (t & 12) == 0 ? 100 : 0;
    for (uint32_t i = 1; i < 5; ++i) sum += t > 6 * i ? i : 0;
    EXPECT_EQ(found[t], sum) << t;
  }
}

}  // namespace
}  // namespace gvp::kcc
