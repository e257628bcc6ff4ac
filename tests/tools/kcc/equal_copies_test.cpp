// SPDX-License-Identifier: Apache-2.0
// Loops that end where a counter reaches a number, and bring the number to where they end.
#include "tools/kcc/g80/equal_copies.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

// %r1 counts rounds, up to a number of them or until a thread has its fill; %r2 is how many there
// were, as clang's optimiser writes it: copied in each round for the way out in the middle, and the
// number in the end.
std::string search(const std::string& number, const std::string& compare,
                   const std::string& between = "", const std::string& before = "") {
  return kernel("mov.u32 %r1, 0;\nmov.u32 %r3, 0;\n" + before +
                "again:\nadd.s32 %r3, %r3, 3;\nsetp.gt.u32 %p1, %r3, %t;\nmov.u32 %r2, %r1;\n"
                "@%p1 bra done;\nadd.s32 %r1, %r1, 1;\n" +
                compare + "\n" + between + "mov.u32 %r2, " + number +
                ";\n@%p2 bra again;\ndone:\nst.global.u32 [%own], %r2;");
}
uint32_t rounds(uint32_t t, uint32_t n) { return std::min(t / 3, n); }

// A round is as short as where the counter is copied in both places.
TEST(EqualCopies, LeaveOneRegister) {
  const std::string compares[] = {"setp.ne.s32 %p2, %r1, %n;", "setp.ne.s32 %p2, %n, %r1;",
                                  "setp.eq.s32 %p2, %r1, %n;"};
  for (const std::string& compare : compares) {
    std::string text = search("%n", compare);
    std::string counter = search("%r1", compare);
    if (compare.find("eq") != std::string::npos) {
      for (std::string* each : {&text, &counter}) each->replace(each->find("@%p2"), 4, "@!%p2");
    }
    EXPECT_EQ(count(round_of(text), ";"), count(round_of(counter), ";")) << compare;
    EXPECT_EQ(count(round_of(text), "MOV"), 0u) << round_of(text);
    const auto found = results(text, kThreads, 7);
    for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], rounds(t, 7)) << t;
  }
  const std::string constant = search("5", "setp.ne.s32 %p2, %r1, 5;");
  EXPECT_EQ(count(round_of(constant), "MV"), 0u) << round_of(constant);
  const auto found = results(constant, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], rounds(t, 5)) << t;
}

// It is another number, or one that is not equal to the counter.
TEST(EqualCopies, StayWhereNothingSaysThatTheyAreEqual) {
  const auto other = results(search("6", "setp.ne.s32 %p2, %r1, 5;"), kThreads);
  const auto less =
      results(search("%n", "add.s32 %r1, %r1, 1;\nsetp.lt.s32 %p2, %r1, %n;"), kThreads, 7);
  const auto counter =
      results(search("%n", "setp.ne.s32 %p2, %r1, %n;", "add.s32 %r1, %r1, 1;\n"), kThreads, 7);
  const auto number = results(search("%r5", "setp.ne.s32 %p2, %r1, %r5;", "add.s32 %r5, %r5, -1;\n",
                                     "add.s32 %r5, %n, 0;\n"),
                              kThreads, 7);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(other[t], t / 3 < 5 ? t / 3 : 6) << t;
    EXPECT_EQ(less[t], t < 12 ? 2 * (t / 3) : 7) << t;
    EXPECT_EQ(counter[t], t < 12 ? 2 * (t / 3) : 7) << t;  // it is 8 then
    EXPECT_EQ(number[t], t < 12 ? t / 3 : 3) << t;         // both meet at 4
  }
}

// The copy is of the number before it changes, and the counter reaches the number behind it.
TEST(EqualCopies, StayWhereTheNumberIsWrittenBehindThem) {
  const auto found = results(
      kernel("mov.u32 %r1, 0;\nmov.u32 %r3, 0;\nadd.s32 %r5, %n, 0;\nagain:\nadd.s32 %r3, %r3, 3;\n"
             "setp.gt.u32 %p1, %r3, %t;\nmov.u32 %r2, %r1;\n@%p1 bra done;\nadd.s32 %r1, %r1, 1;\n"
             "mov.u32 %r2, %r5;\nxor.b32 %r5, %r5, 1;\nsetp.ne.s32 %p2, %r1, %r5;\n"
             "@%p2 bra again;\ndone:\nst.global.u32 [%own], %r2;"),
      kThreads, 4);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t number = 4;
    uint32_t result = 0;
    for (uint32_t i = 0, sum = 0; i != number;) {
      sum += 3;
      result = i;
      if (sum > t) break;
      ++i;
      result = number;
      number ^= 1;
      if (i == number) break;
    }
    EXPECT_EQ(found[t], result) << t;
  }
}

// Where the loop goes on, the register is read before it is written: it is the number there.
TEST(EqualCopies, StayWhereTheLoopReadsThem) {
  const auto found = results(
      kernel("mov.u32 %r1, 0;\nmov.u32 %r3, 0;\nmov.u32 %r2, 100;\nagain:\nadd.s32 %r3, %r3, %r2;\n"
             "setp.gt.u32 %p1, %r1, %t;\nmov.u32 %r2, %r1;\n@%p1 bra done;\nadd.s32 %r1, %r1, 1;\n"
             "mov.u32 %r2, %n;\nsetp.ne.s32 %p2, %r1, %n;\n@%p2 bra again;\ndone:\n"
             "mad.lo.u32 %r2, %r3, 32, %r2;\nst.global.u32 [%own], %r2;"),
      kThreads, 5);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 0;
    uint32_t r2 = 100;
    for (uint32_t i = 0; i != 5;) {
      sum += r2;
      r2 = i;
      if (i > t) break;
      ++i;
      r2 = 5;
    }
    EXPECT_EQ(found[t], sum * 32 + r2) << t;
  }
}

}  // namespace
}  // namespace gvp::kcc
