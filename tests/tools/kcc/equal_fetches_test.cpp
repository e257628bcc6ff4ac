// SPDX-License-Identifier: Apache-2.0
// Words that several ways fetch for a use behind them: operands of that use.
#include "tools/kcc/g80/equal_fetches.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;
const char* const kTable = ".const .align 4 .b32 table[2] = {40, 90};\n";

// Threads of two kinds, each with work of its own that no predicate is to do; one has another
// branch before it fetches, so that it is not in front of both that the word is fetched.
std::string both_ways(const std::string& first, const std::string& second,
                      const std::string& behind) {
  const std::string work =
      "mul.lo.u32 %r2, %r2, %t;\nmul.lo.u32 %r2, %r2, %n;\nst.global.u32 [%own], %r2;\n";
  return kernel(
      "and.b32 %r1, %t, 1;\nsetp.eq.s32 %p1, %r1, 0;\nmov.u32 %r2, %t;\n"
      "@%p1 bra even;\nsetp.lt.s32 %p2, %t, 16;\n@%p2 bra odd;\n" +
          work + "odd:\n" + first + work + "bra.uni both;\neven:\nadd.s32 %r2, %r2, 3;\n" + second +
          work + "both:\n" + behind + "st.global.u32 [%own], %r4;",
      kTable);
}

std::vector<uint32_t> each(uint32_t odd, uint32_t even) {
  std::vector<uint32_t> all;
  for (uint32_t t = 0; t < kThreads; ++t) all.push_back(t + (t % 2 != 0 ? odd : even));
  return all;
}

// Loads of constant memory that are instructions of their own.
size_t fetches(const std::string& text) { return count(code_of(text), "MVC"); }

TEST(EqualFetches, BecomeOperands) {
  const std::string load = "ld.const.u32 %r3, [table];\n";
  const std::string text = both_ways(load, load, "add.s32 %r4, %r3, %t;\n");
  EXPECT_EQ(fetches(text), 0u) << code_of(text);
  EXPECT_EQ(results(text, kThreads), each(40, 40));
}

TEST(EqualFetches, BecomeOperandsThroughCopies) {
  const std::string load = "ld.const.u32 %r3, [table];\n";
  const std::string copied = "ld.const.u32 %r5, [table];\nmov.u32 %r3, %r5;\n";
  const std::string text = both_ways(load, copied, "add.s32 %r4, %r3, %t;\n");
  EXPECT_EQ(fetches(text), 0u) << code_of(text);
  EXPECT_EQ(results(text, kThreads), each(40, 40));
}

TEST(EqualFetches, AreOfTheSameWord) {
  const std::string text = both_ways("ld.const.u32 %r3, [table];\n",
                                     "ld.const.u32 %r3, [table+4];\n", "add.s32 %r4, %r3, %t;\n");
  EXPECT_EQ(results(text, kThreads), each(40, 90));
}

TEST(EqualFetches, AreNotWhatIsComputedElsewhere) {
  const std::string text =
      both_ways("ld.const.u32 %r3, [table];\n", "add.s32 %r3, %n, 1;\n", "add.s32 %r4, %r3, %t;\n");
  EXPECT_EQ(results(text, kThreads), each(40, 8));
}

// Only the threads of one way fetch anew; what the others have is from before.
TEST(EqualFetches, AreNotThoseUnderAPredicate) {
  const std::string text = both_ways("ld.const.u32 %r3, [table];\n",
                                     "add.s32 %r3, %n, 1;\nsetp.gt.s32 %p2, %t, 15;\n"
                                     "@%p2 ld.const.u32 %r3, [table];\n",
                                     "add.s32 %r4, %r3, %t;\n");
  std::vector<uint32_t> expected = each(40, 40);
  for (uint32_t t = 0; t < 16; t += 2) expected[t] = t + 8;
  EXPECT_EQ(results(text, kThreads), expected);
}

// Memory that threads write has another word on each way.
TEST(EqualFetches, AreNotOfMemoryThatIsWritten) {
  const std::string load = "ld.global.u32 %r3, [%own];\n";
  const std::string text = both_ways(load, load, "add.s32 %r4, %r3, %t;\n");
  g80::Options plain;
  plain.optimise = 0;
  EXPECT_EQ(results(text, kThreads), results(text, kThreads, 7, plain));
}

TEST(EqualFetches, AreNotOfSharedMemoryThatIsWritten) {
  const std::string load = "st.shared.u32 [word], %n;\nld.shared.u32 %r3, [word];\n";
  std::string text = both_ways(load, load, "st.shared.u32 [word], %r2;\nadd.s32 %r4, %r3, %t;\n");
  text.insert(text.find(kTable), ".shared .align 4 .b32 word;\n");
  EXPECT_EQ(results(text, kThreads), each(7, 7));
}

// What no instruction has as an operand is fetched once, not in each round.
TEST(EqualFetches, StayInFrontOfLoops) {
  const std::string load = "ld.const.u32 %r3, [table];\n";
  const std::string text =
      both_ways(load, load,
                "add.s32 %r4, %t, 40;\nmov.u32 %r6, 0;\nagain:\nst.global.u32 [%own], %r3;\n"
                "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p3, %r6, %n;\n@%p3 bra again;\n");
  const std::string round = round_of(text);
  EXPECT_EQ(count(round.substr(0, round.find("BRA")), "MVC"), 0u) << round;
  EXPECT_EQ(results(text, kThreads), each(40, 40));
}

}  // namespace
}  // namespace gvp::kcc
