// SPDX-License-Identifier: Apache-2.0
#include "models/base/error.h"

#include <gtest/gtest.h>

namespace gvp {
namespace {

TEST(Error, TextNamesPlaceThenMessageThenRemedy) {
  const Error error = bad_input("unknown key \"spss\"", {"a.toml", 3, 7}, "did you mean \"sps\"?");
  EXPECT_STREQ(error.what(), "a.toml:3:7: unknown key \"spss\" (did you mean \"sps\"?)");
  EXPECT_EQ(error.code(), ExitCode::kBadInput);
}

TEST(Error, UnknownPartsOfThePlaceAreLeftOut) {
  EXPECT_EQ(to_string(SourceLocation{"k.s", 12, 0}), "k.s:12");
  EXPECT_EQ(to_string(SourceLocation{"k.s", 0, 4}), "k.s");
  EXPECT_STREQ(model_error("lost").what(), "lost");
}

}  // namespace
}  // namespace gvp
