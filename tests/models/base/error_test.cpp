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

// A message quotes input; a NUL would cut it short, an escape would move the terminal's cursor.
TEST(Error, ControlCharactersAreShownNotSent) {
  EXPECT_STREQ(bad_input(std::string("no word: \0\x1b[2J\x7f\n\tline", 18)).what(),
               "no word: \\x00\\x1b[2J\\x7f\n\tl");
  EXPECT_STREQ(bad_input("Grüße").what(), "Grüße");
}

}  // namespace
}  // namespace gvp
