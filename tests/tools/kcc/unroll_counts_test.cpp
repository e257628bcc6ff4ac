// SPDX-License-Identifier: Apache-2.0
#include "tools/kcc/front_end/unroll_counts.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gvp::kcc {
namespace {

TEST(UnrollCounts, MacrosAreExpandedAsTheyAreDefinedThere) {
  EXPECT_EQ(with_unroll_counts("#define N 4\n"
                               "#define TWICE (2 * N)\n"
                               "#pragma unroll N\n"
                               "#pragma unroll TWICE\n"
                               "#undef N\n"
                               "#pragma unroll N\n"
                               "#define N 8\n"
                               "#pragma unroll N\n"
                               "#pragma unroll\n"
                               "int N = M;"),
            "\n\n"
            "#pragma unroll (4)\n"
            "#pragma unroll ((2 * (4)))\n"
            "\n"
            "#pragma unroll N\n"
            "\n"
            "#pragma unroll (8)\n"
            "#pragma unroll\n"
            "int N = M;");
}

TEST(UnrollCounts, WhatHasParametersOrNamesItselfEnds) {
  EXPECT_EQ(with_unroll_counts("#define F(x) x\n#pragma unroll F(4)\n"), "\n#pragma unroll F(4)\n");
  std::string text = "#define N0 N0 N0\n#pragma unroll N0\n";
  const std::string expanded = with_unroll_counts(text);
  EXPECT_LT(expanded.size(), 20000U);
  EXPECT_EQ(std::count(expanded.begin(), expanded.end(), '\n'), 2);
}

}  // namespace
}  // namespace gvp::kcc
