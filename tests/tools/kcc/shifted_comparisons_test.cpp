// SPDX-License-Identifier: Apache-2.0
// Comparisons of what has been shifted right as well: each says what it says of the number itself.
#include "tools/kcc/g80/shifted_comparisons.h"

#include <gtest/gtest.h>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {
namespace {

constexpr uint32_t kThreads = 32;

// Threads compare the numbers around a limit with it: bit 0 is what the comparison says, the rest
// what is shifted.
std::string compares(const std::string& compare, char sign, unsigned shift, uint32_t limit) {
  const std::string type = std::string(1, sign) + "32";
  return kernel("add.s32 %r1, %t, %n;\nshr." + type + " %r2, %r1, " + std::to_string(shift) +
                ";\nbar.sync 0;\nsetp." + compare + "." + type + " %p1, %r1, " +
                std::to_string(static_cast<int32_t>(limit)) +
                ";\nselp.u32 %r3, 1, 0, %p1;\nmad.lo.u32 %r4, %r2, 2, %r3;\n"
                "st.global.u32 [%own], %r4;");
}

bool holds(const std::string& compare, bool is_signed, uint32_t a, uint32_t b) {
  const int64_t x = is_signed ? int64_t{static_cast<int32_t>(a)} : int64_t{a};
  const int64_t y = is_signed ? int64_t{static_cast<int32_t>(b)} : int64_t{b};
  if (compare == "lt") return x < y;
  if (compare == "le") return x <= y;
  if (compare == "gt") return x > y;
  return x >= y;
}

TEST(ShiftedComparisons, SayWhatTheyDidAroundTheirLimits) {
  for (const std::string compare : {"lt", "le", "gt", "ge"}) {
    for (const bool is_signed : {false, true}) {
      for (const unsigned shift : {1U, 3U}) {
        for (const uint32_t limit : {2U, 7U, 8U, 16U, 0x80000000U, 0x7fffffffU, ~0U, 0U - 8U}) {
          const uint32_t first = limit - kThreads / 2;
          const auto found =
              results(compares(compare, is_signed ? 's' : 'u', shift, limit), kThreads, first);
          for (uint32_t t = 0; t < kThreads; ++t) {
            const uint32_t x = first + t;
            const uint32_t shifted = is_signed && x >> 31 != 0 ? ~(~x >> shift) : x >> shift;
            ASSERT_EQ(found[t], shifted * 2 + (holds(compare, is_signed, x, limit) ? 1 : 0))
                << compare << (is_signed ? " signed " : " ") << x << ", " << limit
                << ", shifted by " << shift;
          }
        }
      }
    }
  }
}

// Either of the two is another number when they are compared.
TEST(ShiftedComparisons, StayWhereARegisterIsWrittenInBetween) {
  const std::string shift = "add.s32 %r1, %t, 4;\nshr.u32 %r2, %r1, 1;\n";
  const std::string end =
      "setp.lt.u32 %p1, %r1, 16;\nselp.u32 %r3, %r2, 5, %p1;\nst.global.u32 [%own], %r3;";
  const auto shifted = results(kernel(shift + "add.s32 %r2, %r2, 100;\n" + end), kThreads);
  const auto number = results(kernel(shift + "mov.u32 %r1, %n;\n" + end), kThreads, 15);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(shifted[t], t + 4 < 16 ? (t + 4) / 2 + 100 : 5);
    EXPECT_EQ(number[t], (t + 4) / 2);
  }
}

// What a thread finds with x = %r1 and what has been shifted, %r2, where the second half of them
// takes the way in between: the comparison (of x with 16) in bit 0, the shifted number above.
std::vector<uint32_t> around(const std::string& way, uint32_t n) {
  return results(kernel("add.s32 %r1, %t, 4;\nmov.u32 %r2, 50;\nsetp.lt.u32 %p2, %t, 16;\n" + way +
                        "setp.lt.u32 %p1, %r1, 16;\nselp.u32 %r3, 1, 0, %p1;\n"
                        "mad.lo.u32 %r4, %r2, 2, %r3;\nst.global.u32 [%own], %r4;"),
                 kThreads, n);
}
uint32_t as_found(uint32_t shifted, bool less) { return shifted * 2 + (less ? 1 : 0); }

TEST(ShiftedComparisons, StayWhereOnlySomeWaysShift) {
  const auto arm = around("@%p2 bra past;\nshr.u32 %r2, %r1, 1;\nbar.sync 0;\npast:\n", 0);
  const auto guarded = around("@!%p2 shr.u32 %r2, %r1, 1;\n", 0);
  for (uint32_t t = 0; t < kThreads; ++t) {
    const uint32_t shifted = t < 16 ? 50 : (t + 4) / 2;
    EXPECT_EQ(arm[t], as_found(shifted, t + 4 < 16)) << t;
    EXPECT_EQ(guarded[t], as_found(shifted, t + 4 < 16)) << t;
  }
}

TEST(ShiftedComparisons, StayWhereSomeWaysWriteARegister) {
  const std::string shift = "shr.u32 %r2, %r1, 1;\n";
  const auto shifted = around(shift + "@!%p2 bra past;\nadd.s32 %r2, %r2, 40;\npast:\n", 0);
  const auto number = around(shift + "@%p2 bra past;\nmov.u32 %r1, %n;\npast:\n", 3);
  for (uint32_t t = 0; t < kThreads; ++t) {
    const uint32_t half = (t + 4) / 2;
    EXPECT_EQ(shifted[t], as_found(half + (t < 16 ? 40 : 0), t + 4 < 16)) << t;
    EXPECT_EQ(number[t], as_found(half, t >= 16 || t + 4 < 16)) << t;
  }
}

// The comparison of a later round, of another number.
TEST(ShiftedComparisons, StayInLoopsBehindTheShift) {
  const std::string end = "add.s32 %r6, %r6, 1;\nsetp.lt.s32 %p3, %r6, 2;\n@%p3 bra again;\n";
  const std::string count =
      "setp.lt.u32 %p1, %r1, 16;\nselp.u32 %r3, 1, 0, %p1;\nadd.s32 %r5, %r5, %r3;\n";
  const auto found =
      results(kernel("add.s32 %r1, %t, 4;\nmov.u32 %r5, 0;\nmov.u32 %r6, 0;\nshr.u32 %r2, %r1, 1;\n"
                     "again:\n" +
                     count + "mov.u32 %r1, %n;\n" + end + "mad.lo.u32 %r4, %r2, 4, %r5;\n" +
                     "st.global.u32 [%own], %r4;"),
              kThreads, 9);
  for (uint32_t t = 0; t < kThreads; ++t)
    EXPECT_EQ(found[t], (t + 4) / 2 * 4 + 1 + (t + 4 < 16 ? 1 : 0)) << t;
}

TEST(ShiftedComparisons, StayWhereSignsDiffer) {
  for (const bool signed_shift : {false, true}) {
    const std::string shift = signed_shift ? "s32" : "u32";
    const std::string compared = signed_shift ? "u32" : "s32";
    const auto found = results(
        kernel("add.s32 %r1, %t, -16;\nshr." + shift + " %r2, %r1, 1;\nsetp.lt." + compared +
               " %p1, %r1, 8;\nselp.u32 %r3, %r2, 5, %p1;\n"
               "st.global.u32 [%own], %r3;"),
        kThreads);
    for (uint32_t t = 0; t < kThreads; ++t) {
      const uint32_t x = t - 16;
      const uint32_t half = signed_shift && t < 16 ? ~(~x >> 1) : x >> 1;
      EXPECT_EQ(found[t], holds("lt", !signed_shift, x, 8) ? half : 5) << t;
    }
  }
}

// Fewer registers are what it is for: the number is not kept beside its half.
TEST(ShiftedComparisons, KeepOneOfTheTwo) {
  const std::string body =
      "add.s32 %r1, %t, %n;\nmov.u32 %r5, 0;\nagain:\nmov.u32 %r2, %r1;\nshr.u32 %r1, %r2, 1;\n"
      "add.s32 %r5, %r5, %r1;\n";
  const std::string end = "@%p1 bra again;\nst.global.u32 [%own], %r5;";
  const auto registers = [&](const char* limit) {
    const std::string text = kernel(body + "setp.gt.u32 %p1, %r2, " + limit + ";\n" + end);
    return g80::compile("k.ptx", text, {}).kernels.front().registers;
  };
  EXPECT_LT(registers("3"), registers("2"));
}

// The number of the last round, as loops that halve have it.
TEST(ShiftedComparisons, EndLoops) {
  const auto found =
      results(kernel("add.s32 %r1, %t, %n;\nmov.u32 %r5, 0;\n"
                     "again:\nmov.u32 %r2, %r1;\nshr.u32 %r1, %r2, 1;\nadd.s32 %r5, %r5, %r1;\n"
                     "setp.gt.u32 %p1, %r2, 3;\n@%p1 bra again;\nst.global.u32 [%own], %r5;"),
              kThreads, 40);
  for (uint32_t t = 0; t < kThreads; ++t) {
    uint32_t sum = 0;
    for (uint32_t x = t + 40, old = 4; old > 3;) {
      old = x;
      x /= 2;
      sum += x;
    }
    EXPECT_EQ(found[t], sum);
  }
}

}  // namespace
}  // namespace gvp::kcc
