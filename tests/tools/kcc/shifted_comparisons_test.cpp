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
  const auto shifted = results(
      kernel("add.s32 %r1, %t, 0;\nshr.u32 %r2, %r1, 1;\nadd.s32 %r2, %r2, 100;\n"
             "setp.lt.u32 %p1, %r1, 16;\nselp.u32 %r3, %r2, 5, %p1;\nst.global.u32 [%own], %r3;"),
      kThreads);
  const auto number = results(
      kernel("add.s32 %r1, %t, 0;\nshr.u32 %r2, %r1, 1;\nmov.u32 %r1, %n;\nsetp.lt.u32 %p1, %r1, "
             "16;\nselp.u32 %r3, %r2, 5, %p1;\nst.global.u32 [%own], %r3;"),
      kThreads, 15);
  for (uint32_t t = 0; t < kThreads; ++t) {
    EXPECT_EQ(shifted[t], t < 16 ? t / 2 + 100 : 5);
    EXPECT_EQ(number[t], t / 2);
  }
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
