// SPDX-License-Identifier: Apache-2.0
#include "tools/gvp-rtl/pins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"

namespace gvp::tools::rtl {
namespace {

using testing::HasSubstr;

TEST(RtlPins, HaveTheNamesWidthsAndDirectionsOfTheRtl) {
  const std::vector<Pin> pins = read_pins(
      "class Vt {\n"
      "    VL_IN8(&aclk,0,0);\n"
      "    VL_IN8(&__SYM__class,3,0);\n"
      "    VL_OUT16(&part,15,4);\n"
      "    VL_IN(&address,31,0);\n"
      "    VL_OUT64(&odd__02ename,63,0);\n"
      "    VL_INW(&d___05Fin,511,0,16);\n",
      "t");
  ASSERT_EQ(pins.size(), 6u);
  EXPECT_EQ(pins[0].name, "aclk");
  EXPECT_TRUE(pins[0].is_input);
  EXPECT_EQ(pins[0].bits, 1u);
  EXPECT_EQ(pins[1].name, "class");
  EXPECT_EQ(pins[1].member, "__SYM__class");
  EXPECT_EQ(pins[2].bits, 12u);
  EXPECT_FALSE(pins[2].is_input);
  EXPECT_EQ(pins[4].name, "odd.name");
  EXPECT_EQ(pins[5].name, "d__in");
  EXPECT_EQ(pins[5].bits, 512u);
}

std::string error_of(const std::string& header) {
  try {
    read_pins(header, "t");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RtlPins, WhatIsNoVectorOfBitsIsRefusedByName) {
  EXPECT_THAT(error_of("    VL_INOUT8(&pad,0,0);\n"), HasSubstr("port pad is an inout"));
  EXPECT_THAT(error_of("    VL_IN8((&lanes)[4],7,0);\n"),
              HasSubstr("port lanes is an unpacked array"));
  EXPECT_THAT(error_of("    double &level;\n"), HasSubstr("port level is a real number"));
  EXPECT_THAT(error_of("    std::string &text;\n"), HasSubstr("port text is a string"));
  EXPECT_THAT(error_of("class Vt {};\n"), HasSubstr("its top module has no ports"));
}

}  // namespace
}  // namespace gvp::tools::rtl
