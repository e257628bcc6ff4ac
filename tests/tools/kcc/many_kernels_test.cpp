// SPDX-License-Identifier: Apache-2.0
// Files with so many kernels that they are compiled at the same time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "models/base/error.h"
#include "tools/kcc/g80/compiler.h"

namespace gvp::kcc {
namespace {

using ::testing::HasSubstr;

constexpr unsigned kKernels = 75;

// Kernel number n has n multiplications, or an instruction that the machine lacks.
std::string file(const std::vector<unsigned>& wrong = {}) {
  std::string text = ".version 1.4\n.target sm_10\n";
  for (unsigned n = 0; n < kKernels; ++n) {
    text += ".entry k" + std::to_string(n) + " (.param .u32 p)\n{\n.reg .u32 %r<4>;\n";
    text += ".local .u32 own;\nld.param.u32 %r0, [p];\nst.local.u32 [own], %r0;\n";
    for (unsigned i = 0; i < n; ++i) text += "mul24.lo.u32 %r0, %r0, %r0;\n";
    if (std::find(wrong.begin(), wrong.end(), n) != wrong.end())
      text += "atom.global.add.u32 %r1, [%r0], 1;\n";
    text += "st.global.u32 [%r0], %r0;\nexit;\n}\n";
  }
  return text;
}

TEST(ManyKernels, StandInTheirOrder) {
  const g80::Result result = g80::compile("k.ptx", file(), {});
  ASSERT_EQ(result.module.kernels.size(), kKernels);
  for (unsigned n = 0; n < kKernels; ++n) {
    EXPECT_EQ(result.module.kernels[n].name, "k" + std::to_string(n));
    EXPECT_EQ(result.kernels[n].name, "k" + std::to_string(n));
    if (n == 0) continue;
    EXPECT_GT(result.kernels[n].instructions, result.kernels[n - 1].instructions);
  }
}

TEST(ManyKernels, AreRefusedByTheFirstThatIsWrong) {
  const std::string text = file({40, 41, 70});
  const auto line =
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("atom.")),
                     '\n');
  try {
    g80::compile("k.ptx", text, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("k.ptx:" + std::to_string(line) + ":"));
  }
  g80::Options options;
  options.keep_going = true;
  const g80::Result result = g80::compile("k.ptx", text, options);
  EXPECT_EQ(result.errors.size(), 3u);
  EXPECT_EQ(result.module.kernels.size(), kKernels - 3);
  EXPECT_EQ(result.module.kernels[40].name, "k42");
}

}  // namespace
}  // namespace gvp::kcc
