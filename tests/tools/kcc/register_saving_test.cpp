// SPDX-License-Identifier: Apache-2.0
// What is computed again where it is used, so that kernels take fewer registers.
#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;
constexpr uint32_t kSums = 12;

// %r40 is of one instruction and no registers; a loop of three rounds with twelve sums stands
// between it and `uses`.
std::string with_loop(const std::string& uses, const std::string& inside = "",
                      const std::string& before = "shl.b32 %r40, %n, 5;\n") {
  std::string text = before;
  for (uint32_t k = 0; k < kSums; ++k)
    text += "xor.b32 %r" + std::to_string(10 + k) + ", %t, " + std::to_string(k) + ";\n";
  text += "mov.u32 %r30, %t;\nmov.u32 %r31, 0;\nagain:\n" + inside;
  for (uint32_t k = 0; k < kSums; ++k)
    text += "mad.lo.u32 %r30, %r30, 5, %r" + std::to_string(10 + k) + ";\nadd.s32 %r" +
            std::to_string(10 + k) + ", %r" + std::to_string(10 + k) + ", %r30;\n";
  text += "add.s32 %r31, %r31, 1;\nsetp.lt.s32 %p1, %r31, 3;\n@%p1 bra again;\n";
  for (uint32_t k = 0; k < kSums; ++k)
    text += "xor.b32 %r30, %r30, %r" + std::to_string(10 + k) + ";\n";
  return kernel(text + uses + "st.global.u32 [%own], %r30;", ".shared .align 4 .b32 word;\n");
}

std::vector<uint32_t> expected(uint32_t added, uint32_t in_round = 0) {
  std::vector<uint32_t> all;
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sums[kSums];
    for (uint32_t k = 0; k < kSums; ++k) sums[k] = t ^ k;
    uint32_t value = t;
    for (uint32_t i = 0; i < 3; ++i) {
      value += in_round;
      for (uint32_t& sum : sums) {
        value = value * 5 + sum;
        sum += value;
      }
    }
    for (const uint32_t sum : sums) value ^= sum;
    all.push_back(value + added);
  }
  return all;
}

uint32_t registers_of(const std::string& text) {
  return g80::compile("k.ptx", text, {}).kernels.front().registers;
}

const char* const kNothing = "";
const char* const kOnce = "add.s32 %r30, %r30, %r40;\n";
const char* const kTwice = "add.s32 %r30, %r30, %r40;\nadd.s32 %r30, %r30, %r40;\n";

TEST(RegisterSaving, ComputesAgainBehindLoops) {
  EXPECT_EQ(registers_of(with_loop(kOnce)), registers_of(with_loop(kNothing)));
  EXPECT_EQ(results(with_loop(kOnce), kThreads, 7), expected(7 << 5));
}

// A second instruction outside of a loop is worth a register as long as not all warps fit.
TEST(RegisterSaving, PaysInstructionsOutsideOfLoops) {
  EXPECT_GT(registers_of(with_loop(kNothing)), 10u);
  EXPECT_EQ(registers_of(with_loop(kTwice)), registers_of(with_loop(kNothing)));
  EXPECT_EQ(results(with_loop(kTwice), kThreads, 7), expected(2 * (7 << 5)));
}

TEST(RegisterSaving, PaysNoInstructionsInLoops) {
  const std::string inside = "add.s32 %r30, %r30, %r40;\n";
  const std::string text = with_loop(kNothing, inside);
  EXPECT_EQ(count(round_of(text), "SHL"), count(round_of(with_loop(kNothing)), "SHL"))
      << round_of(text);
  EXPECT_EQ(results(text, kThreads, 7), expected(0, 7 << 5));
}

// What is in memory may be another word by then.
TEST(RegisterSaving, KeepsWhatOthersMayWrite) {
  const std::string text = with_loop(
      "st.shared.u32 [word], 1;\n" + std::string(kOnce), "",
      "st.shared.u32 [word], 9;\nbar.sync 0;\nld.shared.u32 %r40, [word];\nbar.sync 0;\n");
  EXPECT_EQ(results(text, kThreads, 7), expected(9));
}

// The number is computed again, and whether it was zero is asked of the first.
TEST(RegisterSaving, KeepsWhatSetsFlags) {
  const std::string text = with_loop("@%p3 add.s32 %r30, %r30, 1000;\n" + std::string(kOnce), "",
                                     "sub.s32 %r40, %n, 7;\nsetp.eq.s32 %p3, %r40, 0;\n");
  EXPECT_EQ(results(text, kThreads, 7), expected(1000));
  EXPECT_EQ(results(text, kThreads, 8), expected(1));
}

}  // namespace
}  // namespace gvp::kcc
