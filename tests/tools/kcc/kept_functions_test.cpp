// SPDX-License-Identifier: Apache-2.0
// Functions of PTX that are called (CAL, RET) and not inlined: what they may do, what they leave
// alone, and which are inlined in spite of what they say.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tools/kcc/kept_function.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

TEST(KeptFunctions, AreCalledFromWhereverTheyAreUsed) {
  const std::string text =
      kernel(std::string(kTwice) + kStore, function("mad.lo.s32 %x3, %x1, 10, %x2;"));
  expect_calls(text, 2, [](uint32_t t) { return t * 10 + 7 - (70 + t); });
  EXPECT_EQ(count(code_of(text), "RET"), 1u);
  const auto plain =
      kernel(std::string(kTwice) + kStore, function("mad.lo.s32 %x3, %x1, 10, %x2;", ""));
  EXPECT_EQ(count(code_of(plain), "CAL"), 0u);
}

TEST(KeptFunctions, ThePragmaOfAFunctionKeepsIt) {
  const std::string text = kernel(std::string(kTwice) + kStore,
                                  function(".pragma \"noinline\"; sub.u32 %x3, %x1, %x2;", ""));
  expect_calls(text, 2, [](uint32_t t) { return 2 * (t - 7); });
}

// What a call writes is nothing that is kept over it: values, predicates, addresses.
TEST(KeptFunctions, LeaveAloneWhatTheirCallersKeep) {
  std::string busy = "mov.u32 %x3, %x1;\n";
  for (unsigned i = 4; i < 20; ++i)
    busy += "mad.lo.s32 %x" + std::to_string(i) + ", %x2, " + std::to_string(i) + ", %x1;\n";
  for (unsigned i = 4; i < 20; ++i) {
    busy += "setp.lt.s32 %p" + std::to_string(i % 4) + ", %x" + std::to_string(i) + ", 60;\n@%p" +
            std::to_string(i % 4) + " add.s32 %x3, %x3, %x" + std::to_string(i) + ";\n";
  }
  std::string body = "mov.u32 %r50, 0; mov.u32 %r60, cells; mad.lo.s32 %r60, %t, 4, %r60;\n";
  for (unsigned i = 0; i < 12; ++i)
    body += "mad.lo.s32 %r" + std::to_string(20 + i) + ", %t, " + std::to_string(i * 31) + ", 5;\n";
  body +=
      "setp.gt.u32 %p1, %t, 9; setp.lt.u32 %p2, %t, 20; st.shared.u32 [%r60], %t;\n"
      "st.shared.u32 [%r60+128], %n;\n" +
      std::string(kTwice) + "ld.shared.u32 %r61, [%r60]; ld.shared.u32 %r62, [%r60+128];\n";
  for (unsigned i = 0; i < 12; ++i)
    body += "add.s32 %r50, %r50, %r" + std::to_string(20 + i) + ";\n";
  body +=
      "@%p1 add.s32 %r50, %r50, 1000; @%p2 add.s32 %r50, %r50, 3000;\n"
      "add.s32 %r50, %r50, %r1; mad.lo.s32 %r50, %r2, 3, %r50;\n"
      "mad.lo.s32 %r50, %r61, 7, %r50; add.s32 %r50, %r50, %r62; st.global.u32 [%own], %r50;";
  const auto f = [](uint32_t a, uint32_t b) {
    uint32_t sum = a;
    for (uint32_t i = 4; i < 20; ++i)
      if (b * i + a < 60) sum += b * i + a;
    return sum;
  };
  expect_calls(kernel(body, ".shared .align 4 .b8 cells[256];\n" + function(busy)), 2,
               [&](uint32_t t) {
                 uint32_t sum = (t > 9 ? 1000 : 0) + (t < 20 ? 3000 : 0);
                 for (uint32_t i = 0; i < 12; ++i) sum += t * i * 31 + 5;
                 return sum + f(t, 7) + 3 * f(7, t) + 7 * t + 7;
               });
}

// Threads of a warp call one after the other, return at different places, and call on.
TEST(KeptFunctions, ReturnToEachThreadOfADivergedWarp) {
  const std::string before =
      ".func (.param .b32 q) g(.param .b32 a) .noinline\n{ .reg .b32 %x<9>; .reg .pred %p<3>;\n"
      "ld.param.u32 %x1, [a]; and.b32 %x2, %x1, 3; setp.eq.u32 %p1, %x2, 0; @%p1 bra ZERO;\n"
      "setp.eq.u32 %p2, %x2, 1; @%p2 bra ONE; st.param.b32 [q], 100; ret;\n"
      "ZERO: st.param.b32 [q], 200; ret;\nONE: add.u32 %x3, %x1, 300; st.param.b32 [q], %x3; ret; "
      "}\n" +
      function(
          "setp.gt.u32 %p1, %x1, 10; mov.u32 %x3, 1; @!%p1 bra OUT;\n"
          "{ .param .b32 v; .param .b32 w; st.param.b32 [v], %x1; call.uni (w), g, (v);\n"
          "ld.param.b32 %x3, [w]; }\nOUT:");
  const std::string text = kernel(
      "and.b32 %r9, %t, 1; setp.eq.u32 %p1, %r9, 0; mov.u32 %r1, 5; mov.u32 %r2, 2;\n"
      "@%p1 bra SKIP;\n" +
          std::string(kTwice) + "SKIP: " + kStore,
      before);
  const auto g = [](uint32_t a) { return a % 4 == 0 ? 200 : a % 4 == 1 ? a + 300 : 100; };
  const auto f = [&](uint32_t a) { return a > 10 ? g(a) : 1; };
  expect_calls(text, 3, [&](uint32_t t) { return t % 2 == 0 ? 3 : f(t) - f(7); });
}

// Arrays of caller and called function lie beside each other.
TEST(KeptFunctions, HaveLocalMemoryOfTheirOwn) {
  const std::string text = kernel(
      ".local .align 4 .b8 mine[16];\n"
      "st.local.u32 [mine], %t; st.local.u32 [mine+12], %n;\n" +
          std::string(kTwice) +
          "ld.local.u32 %r4, [mine]; ld.local.u32 %r5, [mine+12]; add.u32 %r1, %r1, %r4;\n"
          "mad.lo.u32 %r1, %r5, 100, %r1;" +
          kStore,
      function(".local .align 4 .b8 own[16];\n"
               "st.local.u32 [own], %x2; st.local.u32 [own+12], %x1; and.b32 %x4, %x1, 3;\n"
               "shl.b32 %x4, %x4, 2; mov.u32 %x5, own; add.u32 %x5, %x5, %x4;\n"
               "st.local.u32 [%x5], 9; ld.local.u32 %x3, [own];"));
  expect_calls(text, 2, [](uint32_t t) {
    const auto f = [](uint32_t a, uint32_t b) { return a % 4 == 0 ? 9 : b; };
    return f(t, 7) + t + 700 - f(7, t);
  });
}

// The place of the thread's index is left to it, also where the kernel needs it no more.
TEST(KeptFunctions, KnowTheirThread) {
  const std::string text = kernel(
      "mov.u32 %r1, 0; mov.u32 %r2, %n;\nLOOP: mad.lo.s32 %r1, %r1, 3, %r2; sub.u32 %r2, %r2, 1;\n"
      "setp.ne.u32 %p1, %r2, 0; @%p1 bra LOOP;\n" +
          std::string(kTwice) + kStore,
      function("mov.u32 %x4, %tid.x; mad.lo.s32 %x3, %x4, %x1, %x2;"));
  expect_calls(text, 2, [](uint32_t t) { return t * t + 7 - (t * 7 + t); });
}

TEST(KeptFunctions, WriteMemoryThatTheirCallersRead) {
  const std::string text = kernel(
      "mov.u32 %r10, cells; mad.lo.s32 %r10, %t, 4, %r10; st.shared.u32 [%r10], %n;\n"
      "ld.shared.u32 %r11, [%r10];\n" +
          std::string(kTwice) +
          "ld.shared.u32 %r12, [%r10]; sub.u32 %r3, %r12, %r11;\n"
          "add.u32 %r3, %r3, %r1; st.global.u32 [%own], %r3;",
      ".shared .align 4 .b8 cells[128];\n" +
          function("mov.u32 %x5, %tid.x; mov.u32 %x4, cells; mad.lo.s32 %x4, %x5, 4, %x4;\n"
                   "add.u32 %x6, %x1, %x2; st.shared.u32 [%x4], %x6; mov.u32 %x3, 4;"));
  expect_calls(text, 2, [](uint32_t t) { return t + 7 - 7 + 4; });
}

// Threads that a branch has parted meet before a barrier: what is called does not know who calls.
TEST(KeptFunctions, JoinThreadsBeforeTheirBarriers) {
  const std::string cells = ".shared .align 4 .b8 cells[256];\n";
  const std::string exchange =
      "mov.u32 %x9, %tid.x; mov.u32 %x10, cells; mad.lo.s32 %x11, %x9, 4, %x10;\n"
      "setp.gt.u32 %p1, %x1, 12; @%p1 bra HIGH; st.shared.u32 [%x11], %x9;\n"
      "st.shared.u32 [%x11+128], 5; bra JOIN;\n"
      "HIGH: add.u32 %x12, %x9, 50; st.shared.u32 [%x11], %x12; st.shared.u32 [%x11+128], 6;\n"
      "JOIN: bar.sync 0; sub.u32 %x9, 31, %x9; mad.lo.s32 %x11, %x9, 4, %x10;\n"
      "ld.shared.u32 %x12, [%x11]; ld.shared.u32 %x13, [%x11+128]; mad.lo.u32 %x3, %x12, 10, "
      "%x13; bar.sync 0;";
  const auto value = [](uint32_t t) { return t > 12 ? (t + 50) * 10 + 6 : t * 10 + 5; };
  const std::string text =
      kernel(std::string(kTwice) + "st.global.u32 [%own], %r1;", cells + function(exchange));
  expect_calls(text, 2, [&](uint32_t t) { return value(31 - t); });
  EXPECT_EQ(g80::compile("k.ptx", text, {}).module.kernels.front().barriers, 1u);
  // The same with a result.
  expect_calls(kernel(".reg .b32 %x<20>;\n" + std::string(kTwice) + "mov.u32 %x1, %r1;\n" +
                          exchange + "st.global.u32 [%own], %x3;",
                      cells + function("mov.u32 %x3, %x1;")),
               2, [&](uint32_t t) { return value(31 - t); });
  expect_calls(
      kernel(".reg .b32 %x<20>; .local .align 4 .b8 mine[4]; st.local.u32 [mine], %t;\n"
             "{ .param .b32 a; .param .b32 b; .param .b32 q; .reg .b32 %m; mov.u32 %m, mine;\n"
             "cvta.local.u32 %m, %m; st.param.b32 [a], %m; st.param.b32 [b], %n;\n"
             "call.uni (q), f, (a, b); ld.param.b32 %x1, [q]; }\n" +
                 exchange + "st.global.u32 [%own], %x3;",
             cells + function("ld.u32 %x3, [%x1];")),
      1, [&](uint32_t t) { return value(31 - t); });
}

// A comparison that is the same in each round has no register for its flag, where a call writes
// all.
TEST(KeptFunctions, LeaveNoFlagsToLoopsAroundThem) {
  std::string flags = "mov.u32 %x3, 0;\n";
  for (unsigned i = 1; i <= 4; ++i)
    flags += "setp.lt.u32 %p" + std::to_string(i) + ", %x1, " + std::to_string(5 * i) + ";\n";
  flags += "bar.sync 0;\n";
  for (unsigned i = 1; i <= 4; ++i)
    flags += "@%p" + std::to_string(i) + " add.u32 %x3, %x3, " + std::to_string(1 << i) + ";\n";
  const std::string text = kernel(
      "mov.u32 %r5, 0; mov.u32 %r6, 0;\n"
      "LOOP: setp.lt.u32 %p1, %t, 20; setp.lt.u32 %p2, %r5, 3; xor.pred %p3, %p1, %p2;\n"
      "@%p3 add.u32 %r6, %r6, 1000;\n" +
          std::string(kTwice) +
          "add.u32 %r6, %r6, %r1; add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, %n; @%p4 bra LOOP;\n"
          "st.global.u32 [%own], %r6;",
      function(flags));
  expect_calls(text, 2, [](uint32_t t) {
    uint32_t f = 0;
    for (uint32_t i = 1; i <= 4; ++i) f += t < 5 * i ? 1U << i : 0;
    return 7 * f + 1000 * (t < 20 ? 4 : 3);
  });
}

TEST(KeptFunctions, ThatCallThemselvesAreRefused) {
  EXPECT_THAT(error_of(".func f() .noinline { call.uni f; ret; }\n.entry k() { call.uni f; ret; }"),
              HasSubstr("recursion is not supported (\"f\" calls itself)"));
  EXPECT_THAT(error_of(".func g();\n.func f() .noinline { call.uni g; ret; }\n"
                       ".func g() .noinline { call.uni f; ret; }\n.entry k() { call.uni g; ret; }"),
              HasSubstr("recursion is not supported"));
  EXPECT_THAT(error_of(".func g();\n.func f() .noinline { call.uni g; ret; }\n"
                       ".func g() { call.uni f; ret; }\n.entry k() { call.uni g; ret; }"),
              HasSubstr("recursion is not supported"));
}

// f0 calls f1, which calls f2..., each in an arm of a branch.
std::string chain(unsigned length) {
  std::string before;
  for (unsigned i = length; i-- > 0;) {
    before += ".func (.param .b32 q) f" + std::to_string(i) +
              "(.param .b32 a) .noinline\n{ .reg .b32 %x<4>; .reg .pred %p;\n"
              "ld.param.u32 %x1, [a]; setp.lt.u32 %p, %x1, " +
              std::to_string(i) + "; @%p bra OUT; add.u32 %x1, %x1, 1;\n";
    if (i + 1 < length) {
      before += "{ .param .b32 v; .param .b32 w; st.param.b32 [v], %x1; call.uni (w), f" +
                std::to_string(i + 1) + ", (v); ld.param.b32 %x1, [w]; }\n";
    }
    before += "OUT: st.param.b32 [q], %x1; ret; }\n";
  }
  return kernel(
      "{ .param .b32 v; .param .b32 w; st.param.b32 [v], %t; call.uni (w), f0, (v);\n"
      "ld.param.b32 %r1, [w]; }\nst.global.u32 [%own], %r1;",
      before);
}

TEST(KeptFunctions, MayBeNestedAsDeeplyAsTheStackIs) {
  expect_calls(chain(8), 8, [](uint32_t t) { return t + 8; });
  // Deeper ones are inlined...
  expect_calls(chain(12), 0, [](uint32_t t) { return t + 12; });
  // ...unless the code would be too large.
  g80::Options options;
  options.call_from = 12;
  EXPECT_EQ(error_of(chain(8), options), "");
  EXPECT_THAT(error_of(chain(12), options),
              HasSubstr("kernel \"k\": calls and branches are nested so deeply that they take "));
}

TEST(KeptFunctions, AreThoseThatMakeCodeTooLarge) {
  std::string large;
  for (unsigned i = 0; i < 400; ++i)
    large += "mad.lo.s32 %x1, %x1, %x2, " + std::to_string(i) + "; xor.b32 %x2, %x2, %x1;\n";
  std::string body = "mov.u32 %r5, 0;\n";
  for (unsigned i = 0; i < 70; ++i) body += std::string(kTwice) + "add.u32 %r5, %r5, %r1;\n";
  const std::string text =
      kernel(body + "st.global.u32 [%own], %r5;", function(large + "mov.u32 %x3, %x1;", ""));
  EXPECT_EQ(count(code_of(text), "CAL"), 140u);
  const auto found = results(text);
  for (uint32_t t = 0; t < 32; ++t) {
    uint32_t a = t;
    uint32_t b = 7;
    for (uint32_t i = 0; i < 400; ++i) {
      a = a * b + i;
      b ^= a;
    }
    EXPECT_EQ(found[t], 70 * a);
  }
}

}  // namespace
}  // namespace gvp::kcc
