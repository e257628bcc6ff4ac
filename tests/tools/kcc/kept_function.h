// SPDX-License-Identifier: Apache-2.0
// Kernels that call a function f, and that they call it as often as they should.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/tools/kcc/compiled_kernel.h"

namespace gvp::kcc {

inline g80::Options level(unsigned optimise, uint32_t most_registers = 0) {
  g80::Options options;
  options.optimise = optimise;
  options.max_registers = most_registers;
  return options;
}

// At every level, with many and with few registers: so many calls, and these results.
inline void expect_calls(const std::string& text, size_t calls,
                         const std::function<uint32_t(uint32_t)>& expected) {
  for (const g80::Options& options : {level(0), level(1), level(2), level(0, 8), level(2, 8)}) {
    const std::string code = code_of(text, options);
    EXPECT_EQ(count(code, "CAL.NOINC"), calls) << code;
    const auto found = results(text, 32, 7, options);
    for (uint32_t t = 0; t < 32; ++t)
      ASSERT_EQ(found[t], expected(t)) << "-O" << options.optimise << ", thread " << t << "\n"
                                       << code;
  }
}

// The result of f(%t, %n) at %r1, of f(%n, %t) at %r2.
inline constexpr const char* kTwice =
    "{ .param .b32 a; .param .b32 b; .param .b32 q; st.param.b32 [a], %t; st.param.b32 [b], %n;\n"
    "call.uni (q), f, (a, b); ld.param.b32 %r1, [q]; }\n"
    "{ .param .b32 a; .param .b32 b; .param .b32 q; st.param.b32 [a], %n; st.param.b32 [b], %t;\n"
    "call.uni (q), f, (a, b); ld.param.b32 %r2, [q]; }\n";
inline constexpr const char* kStore = "sub.u32 %r3, %r1, %r2; st.global.u32 [%own], %r3;";

inline std::string function(const std::string& body, const std::string& attribute = ".noinline") {
  return ".func (.param .b32 q) f(.param .b32 a, .param .b32 b) " + attribute +
         "\n{ .reg .b32 %x<40>; .reg .pred %p<9>;\n"
         "ld.param.u32 %x1, [a]; ld.param.u32 %x2, [b];\n" +
         body + "\nst.param.b32 [q], %x3; ret; }\n";
}

}  // namespace gvp::kcc
