// SPDX-License-Identifier: Apache-2.0
// $a registers: computed once where all ways bring the same, again where some do not.
#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;
const char* const kArray = ".shared .align 4 .b8 a[1024];\n";

// Each thread has a[thread + 32 k] = 100 k + thread, and its address in %r1; %r20 is the sum that
// is stored in the end.
std::string with_array(const std::string& body) {
  std::string text = "shl.b32 %r1, %t, 2;\nmov.u32 %r2, a;\nadd.s32 %r1, %r1, %r2;\n";
  for (int k = 0; k < 4; ++k) {
    text += "add.s32 %r3, %t, " + std::to_string(100 * k) + ";\nst.shared.u32 [%r1+" +
            std::to_string(128 * k) + "], %r3;\n";
  }
  return kernel(text + "bar.sync 0;\nmov.u32 %r20, 0;\nmov.u32 %r21, 0;\n" + body +
                    "st.global.u32 [%own], %r20;",
                kArray);
}
const char* const kAdd = "ld.shared.u32 %r4, [%r1];\nadd.s32 %r20, %r20, %r4;\n";
const char* const kAgain = "add.s32 %r21, %r21, 1;\nsetp.lt.s32 %p1, %r21, %n;\n@%p1 bra again;\n";

// a[index] of an index that the compiler knows nothing about, added to the sum.
std::string add_element(const std::string& index) {
  return "and.b32 %r5, " + index +
         ", 255;\nshl.b32 %r5, %r5, 2;\nmov.u32 %r6, a;\n"
         "add.s32 %r5, %r5, %r6;\nld.shared.u32 %r4, [%r5];\nadd.s32 %r20, %r20, %r4;\n";
}

TEST(AddressRegisters, AreKeptAcrossBlocks) {
  const std::string text = with_array(std::string("again:\n") + kAdd + "bar.sync 0;\n" + kAgain);
  EXPECT_EQ(count(code_of(text), "R2A"), 1u);
  g80::Options plain;
  plain.optimise = 0;
  EXPECT_GT(count(code_of(text, plain), "R2A"), 1u);
  for (const auto& options : {g80::Options(), plain}) {
    const auto found = results(text, kThreads, 5, options);
    for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], 5 * t);
  }
}

// In front of the loop nobody wants the address; each round does.
TEST(AddressRegisters, AreComputedBeforeLoops) {
  const std::string loop =
      "xor.b32 %r7, %t, 1;\nshl.b32 %r7, %r7, 2;\nmov.u32 %r6, a;\nadd.s32 %r7, %r7, %r6;\n"
      "again:\nld.shared.u32 %r4, [%r7];\nadd.s32 %r20, %r20, %r4;\n" +
      std::string(kAgain);
  EXPECT_EQ(count(code_of(with_array(loop)), "R2A"), 2u);
  EXPECT_EQ(count(round_of(with_array(loop)), "R2A"), 0u);
  const auto found = results(with_array(loop), kThreads, 3);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], 3 * (t ^ 1));
}

// One arm needs all the registers there are, so that what was in them before is lost there.
std::string arm() {
  return "@%p2 bra past;\n" + add_element("%r20") + add_element("%r4") + add_element("%r20") +
         add_element("%r4") + "bar.sync 0;\npast:\n";
}
uint32_t after_arm(uint32_t sum) {
  const auto a = [](uint32_t index) {
    index &= 255;
    return index < 128 ? 100 * (index / 32) + index % 32 : 0;
  };
  uint32_t element = a(sum);
  sum += element;
  element = a(element);
  sum += element;
  element = a(sum);
  sum += element;
  return sum + a(element);
}

TEST(AddressRegisters, AreComputedAgainBehindArmsThatLoseThem) {
  const auto found =
      results(with_array("setp.lt.u32 %p2, %t, 16;\n" + (kAdd + arm()) + kAdd), kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], (t < 16 ? t : after_arm(t)) + t) << t;
}

// The back edge brings other contents than the way into the loop does.
TEST(AddressRegisters, AreComputedAgainInLoopsThatLoseThem) {
  const auto found =
      results(with_array(std::string("setp.lt.u32 %p2, %t, 16;\nagain:\n") + kAdd + arm() + kAgain),
              kThreads, 4);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 0;
    for (unsigned round = 0; round < 4; ++round) sum = t < 16 ? sum + t : after_arm(sum + t);
    EXPECT_EQ(found[t], sum) << t;
  }
}

TEST(AddressRegisters, AreComputedAgainWhereTheNumberChanges) {
  const std::string end = "add.s32 %r1, %r1, 128;\n";
  const auto loop = results(with_array(std::string("again:\n") + kAdd + end + kAgain), kThreads, 4);
  const auto arm = results(with_array("setp.lt.u32 %p2, %t, 16;\n" + std::string(kAdd) +
                                      "@%p2 bra past;\n" + end + "bar.sync 0;\npast:\n" + kAdd),
                           kThreads);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(loop[t], 4 * t + 600);
    EXPECT_EQ(arm[t], 2 * t + (t < 16 ? 0 : 100));
  }
}

// Another loop within wants two that change in each of its rounds: one register does for them.
TEST(AddressRegisters, AreComputedBeforeLoopsAroundOthers) {
  std::string body;
  for (const char* r : {"%r7", "%r8"})
    body += std::string("xor.b32 ") + r + ", %t, " + (r[2] == '7' ? "1" : "2") + ";\nshl.b32 " + r +
            ", " + r + ", 2;\nmov.u32 %r6, a;\nadd.s32 " + r + ", " + r + ", %r6;\n";
  body +=
      "again:\nld.shared.u32 %r4, [%r7];\nadd.s32 %r20, %r20, %r4;\nld.shared.u32 %r4, [%r8];\n"
      "add.s32 %r20, %r20, %r4;\nmov.u32 %r22, 0;\nadd.s32 %r9, %r1, 0;\nadd.s32 %r10, %r1, 256;\n"
      "inner:\nld.shared.u32 %r4, [%r9];\nadd.s32 %r20, %r20, %r4;\nld.shared.u32 %r4, [%r10];\n"
      "add.s32 %r20, %r20, %r4;\nadd.s32 %r9, %r9, 128;\nxor.b32 %r10, %r10, 4;\n"
      "add.s32 %r22, %r22, 1;\nsetp.lt.s32 %p2, %r22, 3;\n@%p2 bra inner;\n";
  const std::string text = with_array(body + kAgain);
  EXPECT_EQ(count(round_of(text), "R2A"), 2u) << round_of(text);
  const auto found = results(text, kThreads, 4);
  for (uint32_t t = 0; t < kThreads; ++t) {
    const uint32_t inner = 3 * t + 300 + 2 * (200 + t) + (200 + (t ^ 1));
    EXPECT_EQ(found[t], 4 * ((t ^ 1) + (t ^ 2) + inner)) << t;
  }
}

// More addresses than registers, all of them wanted in each round.
TEST(AddressRegisters, AreSharedOutInLoopsThatWantMore) {
  std::string loop;
  for (int k = 0; k < 5; ++k)
    loop += "xor.b32 %r" + std::to_string(10 + k) + ", %t, " + std::to_string(k) + ";\n";
  loop += "again:\n";
  for (int k = 0; k < 5; ++k) loop += add_element("%r" + std::to_string(10 + k));
  const auto found = results(with_array(loop + kAgain), kThreads, 3);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(found[t], 3 * (t + (t ^ 1) + (t ^ 2) + (t ^ 3) + (t ^ 4))) << t;
  }
}

// One address is read again and again, beside rows beyond the reach of each other's operands: those
// go, not the one that stays.
TEST(AddressRegisters, AreKeptBesideThoseThatMoveOn) {
  std::string body =
      "xor.b32 %r7, %t, 1;\nshl.b32 %r7, %r7, 2;\nmov.u32 %r6, a;\n"
      "add.s32 %r7, %r7, %r6;\n";
  for (int row = 0; row < 7; ++row) {
    const std::string k = std::to_string(row);
    body += "ld.shared.u32 %r4, [%r7+" + std::to_string(4 * (row % 2)) +
            "];\nld.shared.u32 %r5, [%r1+" + std::to_string(128 * row) +
            "];\nmad.lo.s32 %r20, %r4, 3, %r20;\nxor.b32 %r20, %r20, %r5;\n";
  }
  EXPECT_EQ(count(code_of(with_array(body)), "R2A"), 2u);
}

}  // namespace
}  // namespace gvp::kcc
