// SPDX-License-Identifier: Apache-2.0
// What both arms of a branch compute, and in which order arms are laid out.
#include "tools/kcc/g80/common_arms.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

// Threads from 16 on take the second arm.  %r1 is 40 and %r2 the thread before them; %r1 is the
// result.
std::string arms(const std::string& first, const std::string& second) {
  return kernel(
      "mov.u32 %r1, 40;\nadd.s32 %r2, %t, 0;\nsetp.ge.u32 %p1, %t, 16;\n@%p1 bra other;\n" + first +
      "bar.sync 0;\nbra done;\nother:\n" + second +
      "bar.sync 0;\ndone:\nst.global.u32 [%own], %r1;");
}
const char* const kCommon = "xor.b32 %r3, %r2, 13;\n";
const char* const kUse = "add.s32 %r1, %r1, %r3;\n";
const char* const kOther = "sub.s32 %r1, %r1, %r3;\n";

TEST(CommonArms, ComputeOnceWhatBothWant) {
  const std::string text =
      arms(std::string(kCommon) + kUse, "shl.b32 %r1, %r1, 1;\n" + std::string(kCommon) + kOther);
  EXPECT_EQ(count(code_of(text), "0xd;"), 1u);
  const auto found = results(text, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t)
    EXPECT_EQ(found[t], t < 16 ? 40 + (t ^ 13) : 80 - (t ^ 13));
}

// Of what it reads, or of its result, something is written or read in front of it in one arm.
TEST(CommonArms, ComputeThemselvesWhatDiffers) {
  struct Case {
    std::string first;
    std::string second;
    uint32_t (*of)(uint32_t t);
  };
  const std::string both = std::string(kCommon) + kUse;
  const Case cases[] = {
      {"add.s32 %r2, %r2, 5;\n" + both, both,
       [](uint32_t t) { return 40 + ((t < 16 ? t + 5 : t) ^ 13); }},
      {both, "mov.u32 %r3, 9;\nadd.s32 %r1, %r1, %r3;\n" + both,
       [](uint32_t t) { return (t < 16 ? 40U : 49U) + (t ^ 13); }},
      {"xor.b32 %r1, %r2, 13;\n", "shl.b32 %r2, %r1, 1;\nxor.b32 %r1, %r2, 13;\n",
       [](uint32_t t) { return (t < 16 ? t : 80) ^ 13; }},
      {"xor.b32 %r1, %r2, 13;\n",
       "add.s32 %r4, %r1, %r2;\nxor.b32 %r1, %r2, 13;\nadd.s32 %r1, %r1, %r4;\n",
       [](uint32_t t) { return (t ^ 13) + (t < 16 ? 0 : 40 + t); }},
      {"@%p2 xor.b32 %r1, %r2, 13;\n", "xor.b32 %r1, %r2, 13;\n",
       [](uint32_t t) { return t < 8 ? 40 : t ^ 13; }},
      {"xor.b32 %r1, %r2, 13;\n", "xor.b32 %r1, %r2, 12;\n",
       [](uint32_t t) { return t ^ (t < 16 ? 13 : 12); }},
  };
  for (const Case& each : cases) {
    std::string text = arms(each.first, each.second);
    text.insert(text.find("setp"), "setp.ge.u32 %p2, %t, 8;\n");
    const auto found = results(text, kThreads);
    for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], each.of(t)) << each.second << t;
  }
}

// Memory that an arm writes first.
TEST(CommonArms, LoadForThemselves) {
  const auto found = results(arms("ld.global.u32 %r1, [%own];\n",
                                  "st.global.u32 [%own], %r2;\nld.global.u32 %r1, [%own];\n"),
                             kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], t < 16 ? 0 : t);
}

// The block behind the arms is another way into one of them.
TEST(CommonArms, StayWhereOthersComeIn) {
  const auto found = results(
      kernel(
          "mov.u32 %r1, 0;\nadd.s32 %r2, %t, 0;\nsetp.ge.u32 %p1, %t, 16;\n@%p1 bra other;\n"
          "add.s32 %r1, %r1, 7;\nbar.sync 0;\nbra done;\nother:\nadd.s32 %r1, %r1, 7;\n"
          "add.s32 %r2, %r2, -6;\nsetp.gt.s32 %p2, %r2, 9;\n@%p2 bra other;\nbar.sync 0;\ndone:\n"
          "st.global.u32 [%own], %r1;"),
      kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 7;
    for (uint32_t x = t; t >= 16 && x > 15; x -= 6) sum += 7;
    EXPECT_EQ(found[t], sum) << t;
  }
}

// An arm that is branched to stands in front of what it leads to, which it need not jump to.
TEST(CommonArms, FallIntoWhatIsBehindThem) {
  const std::string text = kernel(
      "mov.u32 %r1, 40;\nsetp.ge.u32 %p1, %t, 16;\n@%p1 bra arm;\ndone:\n"
      "st.global.u32 [%own], %r1;\nret;\narm:\nbar.sync 0;\nadd.s32 %r1, %r1, %t;\nbra done;");
  EXPECT_EQ(count(code_of(text), "BRA"), 1u) << code_of(text);
  const auto found = results(text, kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], t < 16 ? 40 : 40 + t);
}

}  // namespace
}  // namespace gvp::kcc
