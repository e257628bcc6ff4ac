// SPDX-License-Identifier: Apache-2.0
// Branches on several comparisons at a time.
#include "tools/kcc/g80/split_conditions.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

const char* const kComparisons =
    "xor.b32 %r2, %t, 5;\nsetp.gt.u32 %p1, %t, 7;\nsetp.lt.u32 %p2, %r2, 20;\n"
    "setp.ne.u32 %p3, %t, 11;\n";
bool first(uint32_t t) { return t > 7; }
bool second(uint32_t t) { return (t ^ 5) < 20; }
bool third(uint32_t t) { return t != 11; }

// Threads for which %p4 holds take the arm.
std::string arm(const std::string& combined) {
  return kernel("mov.u32 %r1, %t;\n" + std::string(kComparisons) + combined +
                "@!%p4 bra done;\nbar.sync 0;\nmad.lo.u32 %r1, %r1, 3, 100;\ndone:\n"
                "st.global.u32 [%own], %r1;");
}
void expect(const std::string& text, bool (*taken)(uint32_t t)) {
  const auto found = results(text, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], taken(t) ? 3 * t + 100 : t) << t;
}

TEST(SplitConditions, BranchAfterEachOfAConjunction) {
  const std::string text = arm("and.pred %p5, %p1, %p2;\nand.pred %p4, %p5, %p3;\n");
  EXPECT_EQ(count(code_of(text), "BRA"), 3u) << code_of(text);
  EXPECT_EQ(count(code_of(text), "LOP.AND"), 0u) << code_of(text);
  expect(text, [](uint32_t t) { return first(t) && second(t) && third(t); });
}

TEST(SplitConditions, BranchPastTheArmAfterEachOfADisjunction) {
  const std::string text = kernel(
      "mov.u32 %r1, %t;\n" + std::string(kComparisons) +
      "or.pred %p4, %p1, %p2;\n@%p4 bra done;\nbar.sync 0;\nmad.lo.u32 %r1, %r1, 3, 100;\ndone:\n"
      "st.global.u32 [%own], %r1;");
  EXPECT_EQ(count(code_of(text), "BRA"), 2u) << code_of(text);
  EXPECT_EQ(count(code_of(text), "LOP.OR"), 0u) << code_of(text);
  expect(text, [](uint32_t t) { return !first(t) && !second(t); });
}

// Those of either comparison would take the arm by themselves.
TEST(SplitConditions, StayWhereTheArmWouldBeExecutedTwice) {
  const std::string text = arm("or.pred %p4, %p1, %p2;\n");
  EXPECT_EQ(count(code_of(text), "BRA"), 1u) << code_of(text);
  expect(text, [](uint32_t t) { return first(t) || second(t); });
}

// What others read as well, numbers that are no masks, and what is compared is written behind.
TEST(SplitConditions, StayWhereTheyAreWantedTogether) {
  // The predicate of an instruction behind the arm.
  const std::string later =
      kernel("mov.u32 %r1, %t;\n" + std::string(kComparisons) +
             "and.pred %p4, %p1, %p2;\n@!%p4 bra done;\nbar.sync 0;\nmad.lo.u32 %r1, %r1, 3, 100;\n"
             "done:\n@%p4 xor.b32 %r1, %r1, 1;\nst.global.u32 [%own], %r1;");
  const auto found = results(later, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t)
    EXPECT_EQ(found[t], first(t) && second(t) ? (3 * t + 100) ^ 1 : t) << t;
  expect(arm("and.pred %p4, %p1, %p2;\nadd.u32 %r2, %r2, 40;\nst.global.u32 [%own], %r2;\n"),
         [](uint32_t t) { return first(t) && second(t); });
  const std::string bits =
      "and.b32 %r3, %t, 3;\nand.b32 %r4, %r2, 6;\nand.b32 %r5, %r3, %r4;\n"
      "setp.ne.u32 %p4, %r5, 0;\n";
  expect(arm(bits), [](uint32_t t) { return (t & 3 & ((t ^ 5) & 6)) != 0; });
  // Any bit of either.
  const std::string either =
      "and.b32 %r3, %t, 3;\nand.b32 %r4, %r2, 6;\nor.b32 %r5, %r3, %r4;\n"
      "setp.eq.u32 %p4, %r5, 0;\n";
  expect(arm(either), [](uint32_t t) { return ((t & 3) | ((t ^ 5) & 6)) == 0; });
}

// The flag of another branch, and comparisons that are numbers elsewhere.
TEST(SplitConditions, StayWhereOthersReadTheirParts) {
  const std::string twice =
      kernel("mov.u32 %r1, %t;\n" + std::string(kComparisons) +
             "and.pred %p4, %p1, %p2;\n@!%p4 bra done;\nbar.sync 0;\nmad.lo.u32 %r1, %r1, 3, 100;\n"
             "done:\nst.global.u32 [%own], %r1;\nsetp.lt.u32 %p5, %r1, 120;\n@!%p5 bra over;\n"
             "bar.sync 0;\nadd.u32 %r1, %r1, 1000;\nover:\n@!%p4 bra end;\nbar.sync 0;\n"
             "add.u32 %r1, %r1, 7;\nend:\nst.global.u32 [%own], %r1;");
  const auto both = results(twice, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t)
    EXPECT_EQ(both[t], (first(t) && second(t) ? 3 * t + (t < 7 ? 1107 : 107) : t + 1000)) << t;
  const std::string number = kernel(
      "mov.u32 %r1, %t;\nxor.b32 %r2, %t, 5;\nset.gt.u32.u32 %r3, %t, 7;\n"
      "set.lt.u32.u32 %r4, %r2, 20;\nand.b32 %r5, %r3, %r4;\nsetp.ne.u32 %p4, %r5, 0;\n"
      "@!%p4 bra done;\nbar.sync 0;\nmad.lo.u32 %r1, %r1, 3, 100;\ndone:\n"
      "and.b32 %r6, %r3, 1000;\nadd.u32 %r1, %r1, %r6;\nst.global.u32 [%own], %r1;");
  const auto sums = results(number, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t)
    EXPECT_EQ(sums[t], (first(t) && second(t) ? 3 * t + 100 : t) + (first(t) ? 1000 : 0)) << t;
}

// The way back of a loop stays one branch.
TEST(SplitConditions, StayAtTheEndOfLoops) {
  const std::string text = kernel(
      "mov.u32 %r1, 0;\nagain:\nadd.u32 %r1, %r1, 1;\nst.global.u32 [%own], %r1;\n"
      "setp.lt.u32 %p1, %r1, %t;\nsetp.lt.u32 %p2, %r1, 9;\nand.pred %p4, %p1, %p2;\n"
      "@%p4 bra again;\nadd.u32 %r1, %r1, 5;\nst.global.u32 [%own], %r1;");
  EXPECT_EQ(count(code_of(text), "BRA"), 1u) << code_of(text);
  const auto found = results(text, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], (t < 1 ? 1 : t < 9 ? t : 9) + 5);
}

}  // namespace
}  // namespace gvp::kcc
