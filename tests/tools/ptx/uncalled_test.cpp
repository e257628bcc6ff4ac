// SPDX-License-Identifier: Apache-2.0
#include "tools/ptx/uncalled.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/ptx/parser.h"

namespace gvp::ptx {
namespace {

std::vector<std::string> left_in(const std::string& text) {
  Module module = parse(Source("k.ptx", ".version 1.4\n.target sm_10\n" + text));
  leave_out_uncalled(module);
  std::vector<std::string> names;
  for (const Function& function : module.functions) names.push_back(function.name);
  return names;
}

TEST(Uncalled, FunctionsAreLeftOutAndOthersStayInTheirOrder) {
  EXPECT_THAT(left_in(".func idle_with_a_long_name() { ret; }\n"
                      ".func last_with_a_long_name() { ret; }\n"
                      ".func first_with_a_long_name() { call last_with_a_long_name; ret; }\n"
                      ".func calls_itself() { call calls_itself; ret; }\n"
                      ".entry one_with_a_long_name() { call first_with_a_long_name; exit; }\n"
                      ".entry two_with_a_long_name() { call first_with_a_long_name; exit; }\n"),
              testing::ElementsAre("last_with_a_long_name", "first_with_a_long_name",
                                   "one_with_a_long_name", "two_with_a_long_name"));
}

}  // namespace
}  // namespace gvp::ptx
