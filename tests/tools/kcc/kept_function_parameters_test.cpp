// SPDX-License-Identifier: Apache-2.0
// What functions of PTX that are not inlined take and give: numbers, structures and addresses, in
// registers and in memory; and which are inlined for what they take.
#include <gtest/gtest.h>

#include "tests/tools/kcc/kept_function.h"

namespace gvp::kcc {
namespace {

TEST(KeptFunctionParameters, TakeNumbersOfAllSizes) {
  const std::string before =
      ".func (.param .b64 q) f(.param .b32 c, .param .b64 w, .param .b32 h) .noinline\n"
      "{ .reg .b64 %w<4>; .reg .b16 %s<4>; ld.param.s8 %s1, [c]; ld.param.u64 %w1, [w];\n"
      "ld.param.u16 %s2, [h]; cvt.s64.s16 %w2, %s1; cvt.u64.u16 %w3, %s2;\n"
      "mad.lo.s64 %w1, %w1, %w2, %w3; st.param.b64 [q], %w1; ret; }\n";
  const std::string text = kernel(
      ".reg .b64 %l<9>; sub.u32 %r1, %t, 20; mov.b64 %l1, {%r1, %n}; add.u32 %r2, %t, 0x1fff0;\n"
      "{ .param .b32 c; .param .b64 w; .param .b32 h; .param .b64 q; st.param.b32 [c], %r1;\n"
      "st.param.b64 [w], %l1; st.param.b32 [h], %r2; call.uni (q), f, (c, w, h);\n"
      "ld.param.b64 %l2, [q]; }\nmov.b64 {%r3, %r4}, %l2; xor.b32 %r3, %r3, %r4;\n"
      "st.global.u32 [%own], %r3;",
      before);
  expect_calls(text, 1, [](uint32_t t) {
    const auto c = static_cast<int32_t>(t) - 20;
    const uint64_t w = uint64_t{7} << 32 | static_cast<uint32_t>(c);
    const uint64_t q = w * static_cast<uint64_t>(int64_t{c}) + ((t + 0x1fff0) & 0xffff);
    return static_cast<uint32_t>(q) ^ static_cast<uint32_t>(q >> 32);
  });
}

TEST(KeptFunctionParameters, MayHaveRegistersForParameters) {
  const std::string text = kernel(
      ".reg .b64 %l<9>; mov.b64 %l1, {%t, %n};\ncall.uni (%l2, %r2), f, (%l1, %t, 3);\n"
      "mov.b64 {%r3, %r4}, %l2; sub.u32 %r3, %r3, %r4; add.u32 %r3, %r3, %r2;\n"
      "st.global.u32 [%own], %r3;",
      ".func (.reg .b64 %q, .reg .b32 %x) f(.reg .b64 %w, .reg .b32 %a, .reg .b32 %b) .noinline\n"
      "{ add.u64 %q, %w, 0x100000005; mul.lo.u32 %x, %a, %b; ret; }\n");
  expect_calls(text, 1, [](uint32_t t) { return t + 5 - 8 + 3 * t; });
}

// Few words go in registers, the rest in the function's memory.
TEST(KeptFunctionParameters, TakeAndGiveStructures) {
  for (const unsigned words : {2u, 12u}) {
    const std::string size = std::to_string(4 * words);
    const std::string last = std::to_string(4 * words - 4);
    const std::string text =
        kernel("{ .param .align 4 .b8 p[" + size + "]; .param .align 4 .b8 q[" + size +
                   "]; st.param.b32 [p], %t; st.param.b32 [p+" + last +
                   "], %n; call.uni (q), f, (p);\nld.param.b32 %r1, [q]; ld.param.b32 %r2, [q+" +
                   last + "]; }\n" + kStore,
               ".func (.param .align 4 .b8 q[" + size + "]) f(.param .align 4 .b8 p[" + size +
                   "]) .noinline\n{ .reg .b32 %x<9>; ld.param.b32 %x1, [p]; ld.param.b32 %x2, [p+" +
                   last + "];\nst.param.b32 [q], %x2; mul.lo.u32 %x1, %x1, 5; st.param.b32 [q+" +
                   last + "], %x1; ret; }\n");
    expect_calls(text, 1, [](uint32_t t) { return 7 - 5 * t; });
  }
}

// The function is told which memory an address is of, where that is not always the same.
TEST(KeptFunctionParameters, TakeAddressesOfAnyMemory) {
  const auto call = [](const char* address, const char* result) {
    return "{ .param .b32 a; .param .b32 b; .param .b32 q; st.param.b32 [a], " +
           std::string(address) + "; st.param.b32 [b], %t;\ncall.uni (q), f, (a, b);\n" +
           "ld.param.b32 " + result + ", [q]; }\n";
  };
  const std::string body =
      "mov.u32 %r10, cells; mad.lo.s32 %r10, %t, 4, %r10; add.u32 %r11, %t, 50;\n"
      "st.shared.u32 [%r10], %r11; cvta.shared.u32 %r12, %r10; st.global.u32 [%own], %n;\n" +
      call("%r12", "%r1");
  const std::string before = ".shared .align 4 .b8 cells[128];\n" +
                             function("ld.u32 %x3, [%x1]; add.u32 %x4, %x3, 1; st.u32 [%x1], %x4;");
  const std::string shared = kernel(body +
                                        "ld.shared.u32 %r2, [%r10]; mad.lo.u32 %r3, %r2, 2, %r1;\n"
                                        "st.global.u32 [%own], %r3;",
                                    before);
  expect_calls(shared, 1, [](uint32_t t) { return 2 * (t + 51) + t + 50; });
  EXPECT_EQ(count(code_of(shared), "GLD"), 0u);  // there is no other
  expect_calls(kernel(body + call("%own", "%r2") +
                          "ld.global.u32 %r4, [%own]; ld.shared.u32 %r5, [%r10];\n"
                          "mad.lo.u32 %r3, %r4, 10, %r1; mad.lo.u32 %r3, %r2, 1000, %r3;\n"
                          "add.u32 %r3, %r3, %r5; st.global.u32 [%own], %r3;",
                      before),
               2, [](uint32_t t) { return 80 + t + 50 + 7000 + t + 51; });
}

// Of a parameter nothing is known: neither that it is the constant that another way brings, nor
// that it is as small.
TEST(KeptFunctionParameters, TakeAnyNumber) {
  const std::string large = "shl.b32 %t, %t, 20;\n";
  expect_calls(kernel(large + kTwice + kStore,
                      function("mov.u32 %x3, 5; setp.gt.u32 %p1, %x1, 10; @%p1 bra MORE; bra OUT;\n"
                               "MORE: mov.u32 %x3, %x1;\nOUT:")),
               2, [](uint32_t t) { return (t == 0 ? 5 : t << 20) - 5; });
  expect_calls(kernel(large + kTwice + kStore,
                      function("and.b32 %x5, %x2, 1; setp.gt.u32 %p1, %x1, 10; @%p1 bra MORE;\n"
                               "bra OUT;\nMORE: mov.u32 %x5, %x1;\n"
                               "OUT: add.u32 %x4, %x5, 1; mul.lo.u32 %x3, %x5, %x4;")),
               2, [](uint32_t t) { return t == 0 ? 2 : (t << 20) * ((t << 20) + 1); });
}

TEST(KeptFunctionParameters, GiveAddressesOfAnyMemory) {
  expect_calls(
      kernel("mov.u32 %r10, cells; mad.lo.s32 %r10, %t, 4, %r10; st.shared.u32 [%r10], %t;\n"
             "st.global.u32 [%own], 100; cvta.shared.u32 %r12, %r10;\n"
             "setp.gt.u32 %p1, %t, 9; @%p1 bra SHARED;\n"
             "{ .param .b32 a; .param .b32 b; .param .b32 q; st.param.b32 [a], %own;\n"
             "st.param.b32 [b], %t; call.uni (q), f, (a, b); ld.param.b32 %r12, [q]; }\n"
             "SHARED: ld.u32 %r13, [%r12]; st.global.u32 [%own], %r13;",
             ".shared .align 4 .b8 cells[128];\n" + function("mov.u32 %x3, %x1;")),
      1, [](uint32_t t) { return t > 9 ? t : 100; });
}

TEST(KeptFunctionParameters, MayKeepTheirParametersInMemory) {
  std::string hungry = "mov.u32 %x30, %tid.x; mov.u32 %q, 0;\n";
  for (unsigned i = 0; i < 12; ++i)
    hungry +=
        "mad.lo.s32 %x" + std::to_string(i) + ", %x30, " + std::to_string(i * 771) + ", %x30;\n";
  hungry += "bar.sync 0;\n";
  for (unsigned i = 0; i < 12; ++i)
    hungry += "xor.b32 %q, %q, %x" + std::to_string(i) + "; mul.lo.s32 %q, %q, 3;\n";
  hungry +=
      "mad.lo.u32 %q, %a, 5, %q; mad.lo.u32 %q, %b, 7, %q; mad.lo.u32 %q, %c, 11, %q; ret; }\n";
  expect_calls(kernel("call.uni (%r1), f, (%t, %n, 3); st.global.u32 [%own], %r1;",
                      ".func (.reg .b32 %q) f(.reg .b32 %a, .reg .b32 %b, .reg .b32 %c) .noinline\n"
                      "{ .reg .b32 %x<40>;\n" +
                          hungry),
               1, [](uint32_t t) {
                 uint32_t q = 0;
                 for (uint32_t i = 0; i < 12; ++i) q = (q ^ (t * i * 771 + t)) * 3;
                 return q + 5 * t + 49 + 33;
               });
}

TEST(KeptFunctionParameters, ThatEndThreadsOrTakePredicatesAreInlined) {
  expect_calls(kernel(std::string(kTwice) + kStore,
                      function("mov.u32 %x3, %x1; setp.gt.u32 %p1, %x1, 20; @%p1 exit;")),
               0, [](uint32_t t) { return t > 20 ? 0 : t - 7; });
  expect_calls(kernel("setp.gt.u32 %p1, %t, 3; call.uni (%r1), f, (%p1);\n"
                      "st.global.u32 [%own], %r1;",
                      ".func (.reg .b32 %q) f(.reg .pred %a) .noinline\n"
                      "{ selp.u32 %q, 5, 6, %a; ret; }\n"),
               0, [](uint32_t t) { return t > 3 ? 5 : 6; });
}

// Words of structures that memory does not take where they are are taken in registers alone.
TEST(KeptFunctionParameters, ThatTakeWordsThatAreNotAlignedAreInlined) {
  expect_calls(kernel("{ .param .align 1 .b8 p[4]; .param .b32 q; .reg .b16 %s<3>;\n"
                      "cvt.u16.u32 %s1, %t; cvt.u16.u32 %s2, %n;\n"
                      "st.param.b8 [p], %s2; st.param.b16 [p+1], %s1; call.uni (q), f, (p);\n"
                      "ld.param.b32 %r1, [q]; }\nst.global.u32 [%own], %r1;",
                      ".func (.param .b32 q) f(.param .align 1 .b8 p[4]) .noinline\n"
                      "{ .reg .b32 %x<3>; ld.param.u8 %x1, [p]; ld.param.u16 %x2, [p+1];\n"
                      "mad.lo.u32 %x1, %x1, 100, %x2; st.param.b32 [q], %x1; ret; }\n"),
               0, [](uint32_t t) { return 700 + t; });
}

}  // namespace
}  // namespace gvp::kcc
