// SPDX-License-Identifier: Apache-2.0
// Comparisons of sums with what they were made of.
#include "tools/kcc/g80/wrapped_sums.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

bool holds(const std::string& compare, uint32_t a, uint32_t b) {
  if (compare == "lt") return a < b;
  if (compare == "le") return a <= b;
  if (compare == "gt") return a > b;
  if (compare == "ge") return a >= b;
  return compare == "eq" ? a == b : a != b;
}

// Threads add to the numbers around zero, %n and what comes behind.
std::string compares(const std::string& compare, uint32_t number, bool sum_first,
                     const std::string& between = "") {
  return kernel("add.u32 %r1, %t, %n;\nadd.u32 %r2, %r1, " +
                std::to_string(static_cast<int32_t>(number)) + ";\n" + between + "setp." + compare +
                ".u32 %p1, " + (sum_first ? "%r2, %r1" : "%r1, %r2") +
                ";\nselp.u32 %r3, 1, 0, %p1;\nst.global.u32 [%own], %r3;");
}

TEST(WrappedSums, SayWhatTheyDid) {
  for (const std::string compare : {"lt", "le", "gt", "ge", "eq", "ne"}) {
    for (const uint32_t number : {1U, 2U, ~0U, 0U - 5, 0x80000000U, 0U}) {
      for (const uint32_t first : {0U - 16, 0x80000000U - 16}) {
        for (const bool sum_first : {true, false}) {
          const auto found = results(compares(compare, number, sum_first), kThreads, first);
          for (uint32_t t = 0; t < kThreads; ++t) {
            const uint32_t term = first + t;
            const uint32_t sum = term + number;
            const bool expected = sum_first ? holds(compare, sum, term) : holds(compare, term, sum);
            ASSERT_EQ(found[t], expected ? 1u : 0u)
                << term << " + " << number << " " << compare << sum_first;
          }
        }
      }
    }
  }
}

// Either of the two is another number when they are compared.
TEST(WrappedSums, AreComparedThemselvesWhereOneIsWrittenInBetween) {
  const auto other_term = results(compares("lt", 1, true, "xor.b32 %r1, %r1, 16;\n"), kThreads, 0);
  const auto other_sum = results(compares("lt", 1, true, "xor.b32 %r2, %r2, 16;\n"), kThreads, 0);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(other_term[t], t + 1 < (t ^ 16) ? 1u : 0u) << t;
    EXPECT_EQ(other_sum[t], ((t + 1) ^ 16) < t ? 1u : 0u) << t;
  }
}

// The sum says itself whether it is zero, and takes the place of the number.
TEST(WrappedSums, CountAsPlainCountersDo) {
  const std::string text = kernel(
      "neg.s32 %r1, %n;\nmov.u32 %r3, %t;\nagain:\nst.global.u32 [%own], %r3;\nbar.sync 0;\n"
      "add.u32 %r3, %r3, 4;\nadd.u32 %r2, %r1, 1;\nsetp.ge.u32 %p1, %r2, %r1;\n"
      "mov.u32 %r1, %r2;\n@%p1 bra again;");
  const std::string round = round_of(text);
  EXPECT_EQ(count(round, "ISET"), 0u) << round;
  EXPECT_EQ(count(round, "MOV"), 0u) << round;
  const auto found = results(text, kThreads, 9);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], t + 32) << t;
}

// Signed sums are less than their terms where they have wrapped the other way, too.
TEST(WrappedSums, OfSignedNumbersAreComparedAsTheyAre) {
  const auto found = results(kernel("add.s32 %r1, %t, %n;\nadd.s32 %r2, %r1, 5;\n"
                                    "setp.lt.s32 %p1, %r2, %r1;\nselp.u32 %r3, 1, 0, %p1;\n"
                                    "st.global.u32 [%own], %r3;"),
                             kThreads, 0U - 16);
  for (uint32_t t = 0; t < kThreads; ++t) EXPECT_EQ(found[t], 0u) << t;
}

}  // namespace
}  // namespace gvp::kcc
