// SPDX-License-Identifier: Apache-2.0
// Which pins are what, and what is wrong with those that cannot be.
#include "tools/gvp-rtl/roles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "models/base/error.h"

namespace gvp::tools::rtl {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Pin input(const std::string& name, unsigned bits = 1) { return {name, name, bits, true, ""}; }
Pin output(const std::string& name, unsigned bits = 1) { return {name, name, bits, false, ""}; }

// An AXI4-Lite port and, with bursts, an AXI4 one.
std::vector<Pin> port(const std::string& prefix, bool master = false, bool full = false) {
  std::vector<Pin> pins;
  const auto from_master = [&](const char* name, unsigned bits = 1) {
    pins.push_back({prefix + name, "", bits, !master, ""});
  };
  const auto to_master = [&](const char* name, unsigned bits = 1) {
    pins.push_back({prefix + name, "", bits, master, ""});
  };
  from_master("awaddr", 32), from_master("awvalid"), to_master("awready"), from_master("wdata", 32);
  from_master("wstrb", 4), from_master("wvalid"), to_master("wready"), to_master("bresp", 2);
  to_master("bvalid"), from_master("bready"), from_master("araddr", 32), from_master("arvalid");
  to_master("arready"), to_master("rdata", 32), to_master("rresp", 2), to_master("rvalid");
  from_master("rready");
  if (!full) return pins;
  for (const char* channel : {"aw", "ar"}) {
    pins.push_back({prefix + channel + "len", "", 8, !master, ""});
    pins.push_back({prefix + channel + "burst", "", 2, !master, ""});
    pins.push_back({prefix + channel + "id", "", 4, !master, ""});
  }
  from_master("wlast"), to_master("rlast"), to_master("bid", 4), to_master("rid", 4);
  return pins;
}
std::vector<Pin> operator+(std::vector<Pin> pins, const std::vector<Pin>& more) {
  pins.insert(pins.end(), more.begin(), more.end());
  return pins;
}
Pin& named(std::vector<Pin>& pins, const std::string& name) {
  return *std::find_if(pins.begin(), pins.end(), [&](const Pin& pin) { return pin.name == name; });
}
std::string role(std::vector<Pin> pins, const std::string& name, const Mapping& mapping = {}) {
  assign_roles(pins, mapping, "block");
  return named(pins, name).role;
}
std::string error_of(std::vector<Pin> pins, const Mapping& mapping = {}) {
  try {
    assign_roles(pins, mapping, "block");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "accepted";
}
const std::vector<Pin> kClock = {input("clk")};

TEST(RtlRoles, UsualNamesOfPorts) {
  EXPECT_EQ(role(port("s_axi_") + kClock, "s_axi_awaddr"), "slave:s_axi:awaddr");
  EXPECT_EQ(role(port("M00_AXI_", true, true) + kClock, "M00_AXI_rid"), "master:m00_axi:rid");
  EXPECT_EQ(role(port("") + kClock, "wdata"), "slave:s_axi:wdata");
  EXPECT_EQ(role(port("", true) + kClock, "wdata"), "master:m_axi:wdata");
  EXPECT_EQ(role(port("saxi") + kClock, "saxirready"), "slave:saxi:rready");
  auto two = port("s00_axi_") + port("s01_axil_") + port("m_axi_", true, true) + kClock;
  EXPECT_EQ(role(two, "s01_axil_bresp"), "slave:s01_axil:bresp");
  EXPECT_EQ(role(two, "m_axi_awlen"), "master:m_axi:awlen");
}

TEST(RtlRoles, LettersForDirectionsBeforeAndBehind) {
  std::vector<Pin> before = kClock, behind = kClock;
  for (const Pin& pin : port("axi_")) {
    Pin decorated = pin;
    decorated.name = (pin.is_input ? "i_" : "o_") + pin.name;
    before.push_back(decorated);
    decorated.name = pin.name + (pin.is_input ? "_i" : "_o");
    behind.push_back(decorated);
  }
  EXPECT_EQ(role(before, "i_axi_awaddr"), "slave:axi:awaddr");
  EXPECT_EQ(role(before, "o_axi_rdata"), "slave:axi:rdata");
  EXPECT_EQ(role(behind, "axi_rdata_o"), "slave:axi:rdata");
}

// What hardware generators put between a channel and its signal.
TEST(RtlRoles, NamesOfGenerators) {
  for (const std::string between : {"_", "_bits_", "_payload_"}) {
    std::vector<Pin> pins = kClock;
    for (const Pin& pin : port("io_axi_", true, true)) {
      Pin other = pin;
      const std::string signal = pin.name.substr(7);
      const size_t channel = signal[0] == 'a' ? 2 : 1;
      const bool handshake =
          signal.find("valid") != std::string::npos || signal.find("ready") != std::string::npos;
      other.name = "io_axi_" + signal.substr(0, channel) + (handshake ? "_" : between) +
                   signal.substr(channel);
      pins.push_back(other);
    }
    EXPECT_EQ(role(pins, "io_axi_aw" + between + "addr"), "master:io_axi:awaddr");
    EXPECT_EQ(role(pins, "io_axi_r_valid"), "master:io_axi:rvalid");
    EXPECT_EQ(role(pins, "io_axi_w" + between + "last"), "master:io_axi:wlast");
  }
  EXPECT_EQ(role(port("s_axi_") + kClock + std::vector<Pin>{output("draw_addr", 8)}, "draw_addr"),
            "");
}

TEST(RtlRoles, ClocksResetsAndInterrupts) {
  for (const char* name : {"aclk", "CLK", "clock", "s_axi_aclk", "S00_AXI_ACLK", "clk_i", "i_clk",
                           "sys_clk", "mclock"})
    EXPECT_EQ(role(port("s_axi_") + std::vector<Pin>{input(name)}, name), "clock") << name;
  for (const char* name :
       {"aresetn", "rst_n", "RSTN", "reset_n", "s_axi_aresetn", "rst_ni", "i_resetn", "nreset"})
    EXPECT_EQ(role(port("s_axi_") + kClock + std::vector<Pin>{input(name)}, name), "reset_n")
        << name;
  for (const char* name : {"rst", "reset", "i_reset", "rst_i", "axi_rst"})
    EXPECT_EQ(role(port("s_axi_") + kClock + std::vector<Pin>{input(name)}, name), "reset") << name;
  for (const char* name : {"irq", "interrupt", "o_int", "done_irq", "ip2intc_irpt", "irq_o"})
    EXPECT_EQ(role(port("s_axi_") + kClock + std::vector<Pin>{output(name)}, name), "interrupt")
        << name;
  EXPECT_EQ(role(port("s_axi_") + kClock + std::vector<Pin>{input("mode", 3)}, "mode"), "");
  EXPECT_EQ(role(port("s_axi_") + kClock + std::vector<Pin>{input("irq")}, "irq"), "");
}

TEST(RtlRoles, AMappingGoesBeforeNames) {
  Mapping mapping;
  mapping.clocks = {{"tick", {}}};
  mapping.resets = {{"!stop", {}}};
  mapping.interrupts = {{"bell", {}}};
  mapping.others = {{"s_axi_wstrob", {}}};
  mapping.ports["registers"] = {false, "cfg_", {{"awaddr", "where"}}, {}};
  std::vector<Pin> pins =
      port("cfg_") + std::vector<Pin>{input("tick"),  input("clk"),  input("stop"),
                                      output("bell"), output("irq"), input("s_axi_wstrob", 4)};
  named(pins, "cfg_awaddr").name = "where";
  EXPECT_EQ(role(pins, "where", mapping), "slave:registers:awaddr");
  EXPECT_EQ(role(pins, "cfg_wdata", mapping), "slave:registers:wdata");
  EXPECT_EQ(role(pins, "tick", mapping), "clock");
  EXPECT_EQ(role(pins, "clk", mapping), "") << "the mapping has said which it is";
  EXPECT_EQ(role(pins, "stop", mapping), "reset_n");
  EXPECT_EQ(role(pins, "bell", mapping), "interrupt");
  EXPECT_EQ(role(pins, "irq", mapping), "");
}

TEST(RtlRoles, AMissingPinIsNamedWithTheOneThatWasMeant) {
  std::vector<Pin> pins = port("s_axi_") + kClock;
  named(pins, "s_axi_awvalid").name = "s_axi_awvaild";
  const std::string error = error_of(pins);
  EXPECT_THAT(error, StartsWith("RTL block block, AXI port s_axi: it has no AWVALID"));
  EXPECT_THAT(error, HasSubstr("is s_axi_awvaild meant?"));
  EXPECT_THAT(error, HasSubstr("[slaves.s_axi] awvalid = \"s_axi_awvaild\""));
}

TEST(RtlRoles, AMisspeltPinThatMayBeMissingIsNoticed) {
  std::vector<Pin> pins = port("s_axi_") + kClock;
  named(pins, "s_axi_wstrb").name = "s_axi_wstrob";
  EXPECT_THAT(error_of(pins), HasSubstr("s_axi_wstrob is no signal of AXI (is it WSTRB?"));
  pins = port("m_axi_", true, true) + kClock;
  named(pins, "m_axi_awlen").name = "m_axi_alength";
  EXPECT_THAT(error_of(pins), HasSubstr("it has no AWLEN: its other pins make it AXI4"));
}

TEST(RtlRoles, WrongWidthsAndDirectionsAreNamedWithTheRule) {
  struct Case {
    const char* pin;
    unsigned bits;
    const char* error;
  };
  for (const Case& each : {Case{"s_axi_awlen", 4, "this is AXI3"},
                           {"s_axi_rresp", 3, "s_axi_rresp has 3 bits, RRESP has 2"},
                           {"s_axi_wdata", 24, "s_axi_wdata has 24 bits, s_axi_rdata has 32"},
                           {"s_axi_wstrb", 8, "it has one for each byte (IHI 0022 A3.4.3)"},
                           {"s_axi_awvalid", 2, "a mapping gives each its part"},
                           {"s_axi_bid", 5, "s_axi_awid has 4 bits, s_axi_bid has 5"},
                           {"s_axi_awaddr", 31, "they are of one port"}}) {
    std::vector<Pin> pins = port("s_axi_", false, true) + kClock;
    named(pins, each.pin).bits = each.bits;
    EXPECT_THAT(error_of(pins), HasSubstr(each.error)) << each.pin;
  }
  std::vector<Pin> pins = port("s_axi_") + kClock;
  named(pins, "s_axi_wdata").bits = named(pins, "s_axi_rdata").bits = 128;
  EXPECT_THAT(error_of(pins), HasSubstr("AXI4-Lite has 32 or 64 (IHI 0022 B1.1.1)"));
  pins = port("s_axi_") + kClock;
  named(pins, "s_axi_awready").is_input = true;
  EXPECT_THAT(error_of(pins),
              HasSubstr("s_axi_awready is an input; AWREADY of a slave is an output"));
}

TEST(RtlRoles, ALockOfTwoBitsIsAccepted) {
  std::vector<Pin> pins = port("s_axi_", false, true) + kClock;
  pins.push_back(input("s_axi_awlock", 2));
  EXPECT_EQ(role(pins, "s_axi_awlock"), "slave:s_axi:awlock");
}

TEST(RtlRoles, WhatIsNotThereIsRefused) {
  EXPECT_THAT(error_of(port("s_axi_")), HasSubstr("RTL block block has no clock"));
  EXPECT_THAT(error_of(kClock), HasSubstr("RTL block block has no AXI port"));
  Mapping mapping;
  mapping.clocks = {{"clock", {"map.toml", 3, 9}}};
  EXPECT_THAT(error_of(port("s_axi_") + kClock, mapping),
              StartsWith("map.toml:3:9: RTL block block has no port clock"));
  mapping = {};
  mapping.interrupts = {{"clk", {"map.toml", 1, 1}}};
  EXPECT_THAT(error_of(port("s_axi_") + kClock, mapping), HasSubstr("clk cannot be an interrupt"));
  mapping = {};
  mapping.ports["regs"] = {false, "t_axi_", {}, {"map.toml", 2, 1}};
  EXPECT_THAT(error_of(port("s_axi_") + kClock, mapping),
              HasSubstr("no port that begins with t_axi_"));
  mapping.ports["regs"] = {true, "s_axi_", {}, {"map.toml", 2, 1}};
  EXPECT_THAT(error_of(port("s_axi_") + kClock, mapping), HasSubstr("of a master is an output"));
}

TEST(RtlRoles, TheTextNamesPortsAndTies) {
  std::vector<Pin> pins = port("s_axi_") + port("m_axi_", true, true) + kClock +
                          std::vector<Pin>{input("rst_n"), output("irq"), input("mode", 3)};
  assign_roles(pins, {}, "block");
  EXPECT_EQ(roles_text(pins),
            "  master m_axi: AXI4, 32 bits of data, 32 of address\n"
            "  slave s_axi: AXI4-Lite, 32 bits of data, 32 of address\n"
            "  clock: clk\n  interrupt: irq\n  reset: rst_n (active low)\n"
            "  other inputs (bits), zero unless a board ties them: mode (3)\n");
}

TEST(RtlRoles, ResponsesHaveIdsWhereRequestsHave) {
  for (const char* missing : {"s_axi_bid", "s_axi_rid", "s_axi_awid", "s_axi_arid"}) {
    std::vector<Pin> pins = port("s_axi_", false, true) + std::vector<Pin>{input("aclk")};
    pins.erase(std::find_if(pins.begin(), pins.end(),
                            [&](const Pin& pin) { return pin.name == missing; }));
    EXPECT_THAT(error_of(pins), HasSubstr("or neither (IHI 0022 A5.3)")) << missing;
  }
}

TEST(RtlRoles, ASlaveOfAxi4IsAsWideAsItsTransactorTakes) {
  const auto with = [](unsigned bits, bool master) {
    std::vector<Pin> pins = port("x_axi_", master, true) + std::vector<Pin>{input("aclk")};
    named(pins, "x_axi_wdata").bits = named(pins, "x_axi_rdata").bits = bits;
    named(pins, "x_axi_wstrb").bits = bits / 8;
    return pins;
  };
  EXPECT_THAT(error_of(with(16, false)), HasSubstr("has 16 bits; a slave has 32 or more here"));
  EXPECT_EQ(role(with(16, true), "x_axi_wdata"), "master:x_axi:wdata");
  EXPECT_EQ(role(with(32, false), "x_axi_wdata"), "slave:x_axi:wdata");
}

}  // namespace
}  // namespace gvp::tools::rtl
