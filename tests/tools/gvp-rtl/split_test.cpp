// SPDX-License-Identifier: Apache-2.0
// Ports that share the vectors of their pins: the module that takes them apart.
#include "tools/gvp-rtl/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"

namespace gvp::tools::rtl {
namespace {

using testing::HasSubstr;

const std::vector<Pin> kPins = {{"clk", "", 1, true, ""},
                                {"s_axi_awaddr", "", 64, true, ""},
                                {"s_axi_awready", "", 2, false, ""},
                                {"odd.name", "", 8, true, ""},
                                {"irq", "", 3, false, ""}};

Description description() {
  Description result;
  result.name = "b";
  result.top = "inner";
  result.parameters = {{"N", "2", "2"}};
  return result;
}
PortMapping shared(unsigned index, unsigned count) {
  PortMapping port;
  port.prefix = "S_AXI_";
  port.index = index;
  port.count = count;
  port.where = {"map.toml", 4, 1};
  return port;
}
std::string error_of(const Description& of) {
  try {
    split(of, kPins, true);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "accepted";
}

TEST(RtlSplit, EachPortGetsItsShareOfEveryVector) {
  Description of = description();
  EXPECT_FALSE(has_parts(of.mapping));
  of.mapping.ports["s0"] = shared(0, 2);
  of.mapping.ports["s1"] = shared(1, 2);
  EXPECT_TRUE(has_parts(of.mapping));
  const Split parts = split(of, kPins, true);
  EXPECT_EQ(parts.top, "b_pins");
  EXPECT_THAT(parts.text, HasSubstr("input [31:0] s0_awaddr"));
  EXPECT_THAT(parts.text, HasSubstr("output s1_awready"));
  EXPECT_THAT(parts.text, HasSubstr(".s_axi_awaddr({s1_awaddr, s0_awaddr})"));
  EXPECT_THAT(parts.text, HasSubstr("assign s1_awready = s_axi_awready_all[1:1];"));
  EXPECT_THAT(parts.text, HasSubstr(".N(2)"));
  EXPECT_THAT(parts.text, HasSubstr("input [7:0] \\odd.name "));
  EXPECT_EQ(parts.mapping.ports.at("s1").signals.at("awaddr"), "s1_awaddr");
  EXPECT_EQ(parts.mapping.ports.at("s1").prefix, "");
  EXPECT_THAT(split(of, kPins, false).text, testing::Not(HasSubstr(".N(2)")));
}

TEST(RtlSplit, SingleBitsAndWhatNobodyDrivesIsZero) {
  Description of = description();
  of.mapping.interrupts = {{"irq[2]", {}}};
  of.mapping.ports["p"].signals["awaddr"] = "s_axi_awaddr[47:16]";
  of.mapping.ports["p"].signals["awready"] = "s_axi_awready[0]";
  const Split parts = split(of, kPins, true);
  EXPECT_THAT(parts.text, HasSubstr(".s_axi_awaddr({16'd0, p_awaddr, 16'd0})"));
  EXPECT_THAT(parts.text, HasSubstr("assign irq_2 = irq_all[2:2];"));
  EXPECT_EQ(parts.mapping.interrupts.front().name, "irq_2");
}

TEST(RtlSplit, PartsThatThereAreNotAreRefused) {
  Description of = description();
  of.mapping.ports["s0"] = shared(0, 3);
  EXPECT_THAT(error_of(of), HasSubstr("s_axi_awaddr has 64 bits, which are not 3 equal parts"));
  EXPECT_THAT(error_of(of), HasSubstr("map.toml:4"));
  of = description();
  of.mapping.ports["p"].signals["awaddr"] = "s_axi_awaddr[64:33]";
  EXPECT_THAT(error_of(of), HasSubstr("s_axi_awaddr has no bits [64:33]"));
  of.mapping.ports["p"].signals["awaddr"] = "s_axi_adr[31:0]";
  EXPECT_THAT(error_of(of), HasSubstr("did you mean s_axi_awaddr?"));
  of = description();
  of.mapping.ports["s0"] = shared(0, 2);
  of.mapping.ports["s1"] = shared(0, 2);
  EXPECT_THAT(error_of(of), HasSubstr("two ports drive bits of s_axi_awaddr[31:0]"));
  of = description();
  of.mapping.interrupts = {{"irq[1:0]", {}}};
  EXPECT_THAT(error_of(of), HasSubstr("is no interrupt: it has 2 bits"));
  of = description();
  of.mapping.ports["s0"] = shared(0, 2);
  of.mapping.ports["s0"].prefix = "t_axi_";
  EXPECT_THAT(error_of(of), HasSubstr("no port that begins with t_axi_"));
}

}  // namespace
}  // namespace gvp::tools::rtl
