// SPDX-License-Identifier: Apache-2.0
// The ports of the board's interconnect, from configuration to the processor's time; and lwx and
// swx as exclusive accesses on the board's bus.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/host/configuration.h"
#include "platform/configuration/keys.h"
#include "platform/memory_map.h"
#include "platform/platform.h"
#include "tests/support/log_capture.h"

namespace gvp::platform {
namespace {

constexpr uint32_t kStart = 0x50;
constexpr uint32_t kBranchToSelf = 0xb8000000;  // bri 0

Configuration all_at() {
  Configuration configuration;
  assign(configuration, "uart16550.line=none");
  configuration.model("host") = configuration.model("axi") = configuration.model("ddr3") = "at";
  assign(configuration, "axi.check=true");
  return configuration;
}

// A board with a program of a few words in its local memory.
struct Board {
  Board(const std::string& name, const Configuration& configuration,
        const std::vector<uint32_t>& program)
      : platform(name.c_str(), configuration, 0) {
    uint32_t address = kStart;
    for (const uint32_t word : program) {
      write(address, word);
      address += 4;
    }
    write(address, kBranchToSelf);
    platform.host().set_start_address(kStart);
    platform.host().set_stop_handler([](const host::Stop&) {});
  }
  void write(uint32_t address, uint32_t word) {
    EXPECT_EQ(platform.host().debug_write(address, &word, 4), 4u);
  }
  uint32_t read(uint32_t address) {
    uint32_t word = 0;
    EXPECT_EQ(platform.host().debug_read(address, &word, 4), 4u);
    return word;
  }
  Platform platform;
};

// imm, then lwi r5 or swi r5 at an absolute address.
std::vector<uint32_t> loads(uint32_t address, unsigned count) {
  std::vector<uint32_t> program;
  for (unsigned i = 0; i < count; ++i) {
    program.push_back(0xb0000000 | address >> 16);
    program.push_back(0xe8a00000 | (address & 0xffff));
  }
  return program;
}

struct Port {
  const char* name;
  uint32_t address;  // of a register or a byte behind it that may be read at any time
};
constexpr Port kPorts[] = {{"ddr3", GVP_DDR3_BASE},
                           {"intc", GVP_INTC_BASE},
                           {"timer", GVP_TIMER_BASE},
                           {"uart16550", GVP_UART16550_BASE + 0x1014},
                           {"uartlite", GVP_UARTLITE_BASE + 8},
                           {"gpgpu_control", GVP_GPGPU_CONTROL_BASE},
                           {"gpgpu_code", GVP_GPGPU_CODE_BASE},
                           {"gpgpu_global", GVP_GPGPU_GLOBAL_BASE}};

class AxiPort : public testing::TestWithParam<Port> {};

TEST_P(AxiPort, RegisterSlicesAndClockOfTheTargetsPortCostTheirCycles) {
  const std::string prefix = std::string("axi.") + GetParam().name + '.';
  constexpr unsigned kLoads = 8;
  const auto program = loads(GetParam().address, kLoads);
  Configuration plain = all_at();
  assign(plain, "ddr3.refresh=false");
  Configuration sliced = plain, slow = plain, elsewhere = plain;
  assign(sliced, prefix + "register_slices=3");
  assign(slow, prefix + "clock_hz=50e6");
  for (const Port& other : kPorts)
    if (std::string(other.name) != GetParam().name)
      assign(elsewhere, std::string("axi.") + other.name + ".register_slices=3");
  Board a("plain", plain, program), b("sliced", sliced, program), c("slow", slow, program),
      d("elsewhere", elsewhere, program);
  sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
  const uint64_t cycles = a.platform.host().cycles();
  EXPECT_EQ(b.platform.host().cycles() - cycles, kLoads * 2 * 3)
      << "three slices, a cycle each way";
  // Two cycles of 20 ns each way (axi.crossing_cycles), and up to one to the slow clock's edge.
  const uint64_t crossing = c.platform.host().cycles() - cycles;
  EXPECT_GE(crossing, kLoads * 8);
  EXPECT_LE(crossing, kLoads * 9);
  EXPECT_EQ(d.platform.host().cycles(), cycles) << "other ports' slices";
  for (Board* each : {&a, &b, &c, &d}) EXPECT_EQ(each->platform.protocol_violations(), 0u);
}

INSTANTIATE_TEST_SUITE_P(Targets, AxiPort, testing::ValuesIn(kPorts),
                         [](const auto& param_info) { return std::string(param_info.param.name); });

TEST(AxiPorts, ANarrowMasterTakesABeatAByte) {
  Configuration wide = all_at(), narrow = wide;
  assign(narrow, "axi.host_data.data_bytes=1");
  const auto program = loads(GVP_DDR3_BASE, 4);
  Board a("wide", wide, program), b("narrow", narrow, program);
  sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
  EXPECT_EQ(b.platform.host().cycles() - a.platform.host().cycles(), 4u * 3);
}

TEST(AxiPorts, TheDdr3PortIsAsWideAsTheModulesDataBusTheOthersAreNot) {
  const Configuration configuration;
  const std::vector<BusPort>& ports = configuration.find_bus("axi")->ports;
  EXPECT_EQ(ports.size(), 3 + std::size(kPorts));
  for (const BusPort& port : ports)
    EXPECT_EQ(port.configuration.data_bytes, port.name == "ddr3" ? 8u : 4u) << port.name;
}

TEST(AxiPorts, EachKeySetsItsOwnTargetsPort) {
  for (const Port& port : kPorts) {
    Configuration configuration;
    assign(configuration, std::string("axi.") + port.name + ".register_slices=7");
    for (const BusPort& each : configuration.find_bus("axi")->ports)
      EXPECT_EQ(each.configuration.register_slices, each.name == port.name ? 7u : 0u)
          << port.name << ": " << each.name;
  }
}

// ---- host.m_axi_dp_exclusive_access

// lwx r5, swx r6 at r4; the carry after each goes to r7 and r8, which end up behind the word.
std::vector<uint32_t> exclusive_pair(uint32_t address) {
  return {0xb0000000 | address >> 16,
          0x30800000 | (address & 0xffff),  // addik r4, r0, address
          0x30c00063,                       // addik r6, r0, 99
          0xc8a40400,                       // lwx r5, r4, r0
          0x08e00000,                       // addc r7, r0, r0
          0xd8c40400,                       // swx r6, r4, r0
          0x09000000,                       // addc r8, r0, r0
          0xf8e01000,                       // swi r7, r0, 0x1000
          0xf9001004,                       // swi r8, r0, 0x1004
          0xf8a01008};                      // swi r5, r0, 0x1008
}

class ExclusiveAccess : public testing::TestWithParam<const char*> {};

TEST_P(ExclusiveAccess, OfTheProcessorReachesMemoryAndIsGranted) {
  Configuration configuration = all_at();
  configuration.model("host") = configuration.model("axi") = configuration.model("ddr3") =
      GetParam();
  configuration.settings<host::Configuration>("host").m_axi_dp_exclusive_access = true;
  Board board("board", configuration, exclusive_pair(GVP_DDR3_BASE + 0x40));
  board.write(GVP_DDR3_BASE + 0x40, 5);
  sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
  EXPECT_EQ(board.read(0x1008), 5u);
  EXPECT_EQ(board.read(0x1000), 0u) << "EXOKAY";
  EXPECT_EQ(board.read(0x1004), 0u) << "stored";
  EXPECT_EQ(board.read(GVP_DDR3_BASE + 0x40), 99u);
  EXPECT_EQ(board.platform.protocol_violations(), 0u);
  const auto axi = board.platform.statistics()["axi"]["initiators"]["host_data"];
  EXPECT_EQ(axi["reads"], 1) << "over the bus, not by a direct pointer";
  EXPECT_EQ(axi["writes"], 1);
}

TEST_P(ExclusiveAccess, BehindAnAxi4LiteBridgeIsAnsweredOkay) {
  test::LogCapture log;
  Configuration configuration = all_at();
  configuration.model("host") = configuration.model("axi") = configuration.model("ddr3") =
      GetParam();
  configuration.settings<host::Configuration>("host").m_axi_dp_exclusive_access = true;
  Board board("board", configuration, exclusive_pair(GVP_UART16550_BASE + 0x101c));  // scratch
  sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
  EXPECT_EQ(board.read(0x1000), 1u) << "OKAY, not EXOKAY";
  EXPECT_EQ(board.read(0x1004), 1u);
  EXPECT_NE(log.text().find("knows exclusive accesses"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Timings, ExclusiveAccess, testing::Values("lt", "at"),
                         [](const auto& param_info) { return std::string(param_info.param); });

}  // namespace
}  // namespace gvp::platform
