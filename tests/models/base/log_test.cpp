// SPDX-License-Identifier: Apache-2.0
#include "models/base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/base/error.h"

namespace gvp {
namespace {

Log one("one");
Log two("two");

class LogTest : public testing::Test {
 protected:
  void SetUp() override {
    Log::configure("warning");
    Log::set_sink([this](LogLevel, const std::string& line) { lines_.push_back(line); });
  }
  void TearDown() override { Log::set_sink({}); }
  std::vector<std::string> lines_;
};

TEST_F(LogTest, OnlyTheNamedModuleChangesItsLevel) {
  Log::configure("debug:one");
  one.debug("value {}", 7);
  two.debug("value {}", 8);
  EXPECT_THAT(lines_, testing::ElementsAre("debug: one: value 7"));
}

TEST_F(LogTest, OffSilencesErrorsToo) {
  Log::configure("off");
  one.error("lost");
  EXPECT_TRUE(lines_.empty());
}

TEST_F(LogTest, UnknownLevelsAndModulesAreRefusedWithTheKnownOnes) {
  EXPECT_THROW(Log::configure("loud"), Error);
  try {
    Log::configure("info:three");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.remedy(), testing::HasSubstr("one, two"));
  }
}

TEST_F(LogTest, AThousandWarningsOfAModuleAreWrittenAndAllOfThemWhereLogNamesIt) {
  static const Log endless("endless");
  for (int i = 0; i < 1002; ++i) endless.warning("bus error {}", i);
  ASSERT_EQ(lines_.size(), 1000U);
  EXPECT_EQ(lines_[998], "warning: endless: bus error 998");
  EXPECT_THAT(lines_[999],
              testing::HasSubstr("the next ones are not shown; --log warning:endless"));
  Log::configure("warning:endless");
  endless.warning("bus error again");
  EXPECT_EQ(lines_.back(), "warning: endless: bus error again");
}

}  // namespace
}  // namespace gvp
