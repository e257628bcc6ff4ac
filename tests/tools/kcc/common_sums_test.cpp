// SPDX-License-Identifier: Apache-2.0
// Addresses that differ by a number: computed once, with the rest in the operands' offsets.
#include "tools/kcc/g80/common_sums.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;
const char* const kArrays =
    ".shared .align 4 .b8 a[512];\n.shared .align 4 .b8 b[512];\n.shared .align 4 .b8 c[512];\n";

// %r1 and %r2: 4 t and, as the compiler does not know, 64 (n is 16).
const char* const kParts = "shl.b32 %r1, %t, 2;\nshl.b32 %r2, %n, 2;\n";

// %to = (%x + array) + %y, as LLVM writes array[x][y], in registers of its own.
std::string address(const std::string& to, const std::string& array, const std::string& x = "%r1",
                    const std::string& y = "%r2") {
  const std::string base = "%r8" + to.substr(3);
  const std::string sum = "%r9" + to.substr(3);
  return "mov.u32 " + base + ", " + array + ";\nadd.s32 " + sum + ", " + x + ", " + base +
         ";\nadd.s32 " + to + ", " + sum + ", " + y + ";\n";
}
const char* const kStore =
    "add.s32 %r20, %t, 100;\nadd.s32 %r21, %t, 200;\nadd.s32 %r22, %t, 300;\n"
    "st.shared.u32 [%r10], %r20;\nst.shared.u32 [%r11], %r21;\nst.shared.u32 [%r12], %r22;\n"
    "bar.sync 0;\n";
// What stands at the three addresses, as one number: 100 + t, 200 + t and 300 + t in 10 bits each.
const char* const kLoad =
    "ld.shared.u32 %r20, [%r10];\nld.shared.u32 %r21, [%r11];\nld.shared.u32 %r22, [%r12];\n"
    "shl.b32 %r21, %r21, 10;\nshl.b32 %r22, %r22, 20;\nor.b32 %r20, %r20, %r21;\n"
    "or.b32 %r20, %r20, %r22;\nst.global.u32 [%own], %r20;";
uint32_t all(uint32_t t) { return (100 + t) | (200 + t) << 10 | (300 + t) << 20; }

void expect_all(const std::string& text) {
  g80::Options plain;
  plain.optimise = 0;
  for (const auto& options : {g80::Options(), plain}) {
    const auto found = results(text, kThreads, 16, options);
    for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], all(t)) << t;
  }
}

TEST(CommonSums, AreComputedOnce) {
  const std::string orders[] = {
      address("%r10", "a") + address("%r11", "b") + address("%r12", "c"),
      address("%r10", "a") + address("%r11", "b", "%r2", "%r1") + address("%r12", "c")};
  for (const std::string& order : orders) {
    const std::string text = kernel(kParts + order + kStore + kLoad, kArrays);
    EXPECT_EQ(count(code_of(text), "R2A"), 1u) << code_of(text);
    expect_all(text);
  }
}

// The first that is computed is not the lowest, so the lowest is not known there.
TEST(CommonSums, AreComputedOnceFromWhereTheLowestIsKnown) {
  const std::string text = kernel(
      kParts + address("%r12", "c") + address("%r10", "a") + address("%r11", "b") + kStore + kLoad,
      kArrays);
  EXPECT_EQ(count(code_of(text), "R2A"), 2u) << code_of(text);
  expect_all(text);
}

// Differences count as what addresses are, numbers of 16 bits, on both sides of zero.
TEST(CommonSums, MayHaveNegativeNumbers) {
  const std::string text =
      kernel(kParts +
                 std::string("mov.u32 %r90, a;\nadd.s32 %r3, %r2, %r90;\nmul.lo.u32 %r4, %t, %n;\n"
                             "add.s32 %r91, %r4, -60;\nadd.s32 %r10, %r91, %r3;\n"
                             "add.s32 %r92, %r4, -24;\nadd.s32 %r11, %r92, %r3;\n"
                             "add.s32 %r93, %r4, 12;\nadd.s32 %r12, %r93, %r3;\n") +
                 kStore + kLoad,
             kArrays);
  expect_all(text);
}

// %to = a + 4 ((t + number) + n)
std::string element(const std::string& to, uint32_t number) {
  const std::string end = to.substr(3);
  return "add.s32 %r4" + end + ", %t, " + std::to_string(number) + ";\nadd.s32 %r5" + end +
         ", %r4" + end + ", %n;\nshl.b32 %r6" + end + ", %r5" + end + ", 2;\nadd.s32 " + to +
         ", %r6" + end + ", %r90;\n";
}

// Indices of words: the number is shifted with them.
TEST(CommonSums, MayBeShifted) {
  const std::string text = kernel("mov.u32 %r90, a;\n" + element("%r10", 8) + element("%r11", 40) +
                                      element("%r12", 72) + kStore + kLoad,
                                  kArrays);
  EXPECT_EQ(count(code_of(text), "R2A"), 1u) << code_of(text);
  expect_all(text);
}

TEST(CommonSums, StayWhereTheyAreNumbersToo) {
  const std::string text = kernel(kParts + address("%r10", "a") + address("%r11", "b") +
                                      "sub.s32 %r30, %r11, %r10;\nst.shared.u32 [%r10], %t;\n"
                                      "st.shared.u32 [%r11], %r30;\nbar.sync 0;\n"
                                      "ld.shared.u32 %r31, [%r10];\nld.shared.u32 %r32, [%r11];\n"
                                      "mad.lo.s32 %r31, %r31, 1000, %r32;\n"
                                      "st.global.u32 [%own], %r31;",
                                  kArrays);
  const auto found = results(text, kThreads, 16);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], 1000 * t + 512) << t;
}

// Of both arrays, b's address is computed behind a change of one part.
TEST(CommonSums, StayWhereAPartHasChanged) {
  for (const char* part : {"%r1", "%r2"}) {
    const std::string text =
        kernel(kParts + address("%r10", "a") + "add.s32 " + part + ", " + part + ", 128;\n" +
                   address("%r11", "b") + address("%r12", "c") + kStore + "ld.shared.u32 %r41, [" +
                   "%r11];\nld.shared.u32 %r40, [%r10];\n" +
                   // What is 128 bytes below b's and c's elements belongs to no thread here.
                   "st.shared.u32 [%r11+-128], 7;\nst.shared.u32 [%r12+-128], 7;\n"
                   "bar.sync 0;\n" +
                   kLoad,
               kArrays);
    expect_all(text);
  }
}

// Whether it is zero is said of this sum and of no other.
TEST(CommonSums, StayWhereTheyAreTested) {
  const std::string text =
      kernel("shl.b32 %r1, %t, 2;\nsub.s32 %r2, %n, 572;\n" +  // n is 16
                 address("%r10", "a") + address("%r11", "b") +
                 "setp.eq.s32 %p1, %r11, 0;\nst.shared.u32 [%r10+600], 5;\n"
                 "st.shared.u32 [%r11+600], 7;\nbar.sync 0;\nld.shared.u32 %r30, [%r10+600];\n"
                 "@%p1 add.s32 %r30, %r30, 100;\nst.global.u32 [%own], %r30;",
             kArrays);
  const auto found = results(text, kThreads, 16);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], t == 5 ? 105u : 5u) << t;
}

// Operands in global memory have no offset.
TEST(CommonSums, StayWhereTheyLeadToGlobalMemory) {
  const std::string text = kernel(
      "shl.b32 %r1, %n, 2;\nadd.s32 %r3, %own, 0;\nadd.s32 %r91, %r1, -68;\n"
      "add.s32 %r10, %r91, %r3;\nadd.s32 %r92, %r1, -64;\nadd.s32 %r11, %r92, %r3;\n"
      "st.global.u32 [%r10], 99;\nst.global.u32 [%r11], %t;");
  const auto found = results(text, kThreads, 16);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], t);
}

// What a function is given is the address itself.
TEST(CommonSums, StayWhereAFunctionIsGivenThem) {
  const std::string function =
      ".func (.param .b32 q) f(.param .b32 a) .noinline\n{ .reg .b32 %x<9>;\n"
      "ld.param.u32 %x1, [a]; add.u32 %x2, %x1, 0; st.param.b32 [q], %x2; ret; }\n";
  const std::string text =
      kernel(kParts + address("%r10", "a") + address("%r11", "b") +
                 "st.shared.u32 [%r10], 5;\nst.shared.u32 [%r11], 7;\n"
                 "{ .param .b32 x; .param .b32 q; st.param.b32 [x], %r11;\n"
                 "call.uni (q), f, (x); ld.param.b32 %r30, [q]; }\n"
                 "ld.shared.u32 %r31, [%r11];\nsub.u32 %r30, %r30, %r2;\n"
                 "sub.u32 %r30, %r30, %r1;\nmov.u32 %r32, b;\nsub.u32 %r30, %r30, %r32;\n"
                 "mad.lo.u32 %r30, %r30, 10, %r31;\nst.global.u32 [%own], %r30;",
             function + kArrays);
  EXPECT_EQ(count(code_of(text), "CAL"), 1u);
  for (const uint32_t found : results(text, kThreads, 16)) EXPECT_EQ(found, 7u);
}

// In between one part has become another number.
TEST(CommonSums, StayWhereAPartChanges) {
  const std::string text =
      kernel(kParts + address("%r10", "a") + address("%r11", "b") +
                 "st.shared.u32 [%r10], %t;\nst.shared.u32 [%r10+4], 1;\nst.shared.u32 [%r11], 5;\n"
                 "bar.sync 0;\nmov.u32 %r40, 0;\nmov.u32 %r41, 0;\nagain:\n" +
                 address("%r10", "a") + "ld.shared.u32 %r20, [%r10];\nadd.s32 %r2, %r2, 128;\n" +
                 address("%r11", "a", "%r2", "%r1") +
                 "st.shared.u32 [%r11], 7;\nadd.s32 %r40, %r40, %r20;\n"
                 "add.s32 %r41, %r41, 1;\nsetp.lt.s32 %p1, %r41, 2;\n@%p1 bra again;\n"
                 "st.global.u32 [%own], %r40;",
             kArrays);
  const auto found = results(text, 1, 16);
  EXPECT_EQ(found[0], 7u);
}

}  // namespace
}  // namespace gvp::kcc
