// SPDX-License-Identifier: Apache-2.0
// The board two_gpgpus, built: two GPGPUs that work at the same time, other addresses and interrupt
// lines than ml605's, and devices behind a bridge, at every timing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "models/gpgpu/g80/assembler.h"
#include "platform/configuration/keys.h"
#include "platform/platform.h"

namespace gvp::platform {
namespace {

constexpr uint32_t kStart = 0x50;
constexpr uint32_t kScratch = 0x78800000;
constexpr uint32_t kIntc = 0x70000000;

// A program of loads and stores at absolute addresses.
class Program {
 public:
  void load(unsigned reg, uint32_t address) {
    immediate(address);
    words.push_back(0xe8000000 | reg << 21 | (address & 0xffff));  // lwi
  }
  void store(unsigned reg, uint32_t address) {
    immediate(address);
    words.push_back(0xf8000000 | reg << 21 | (address & 0xffff));  // swi
  }
  void store_value(uint32_t value, uint32_t address) {
    immediate(value);
    words.push_back(0x30a00000 | (value & 0xffff));  // addik r5, r0, value
    store(5, address);
  }
  void end() { words.push_back(0xb8000000); }  // bri 0

  std::vector<uint32_t> words;

 private:
  void immediate(uint32_t value) { words.push_back(0xb0000000 | value >> 16); }
};

Configuration board(const std::string& timing) {
  Configuration configuration(load_board("two_gpgpus"));
  assign(configuration, "uart16550.line=none");
  for (const device::Instance& device : configuration.devices) {
    const auto& models = configuration.board().find(device.name)->type->models;
    if (std::find(models.begin(), models.end(), timing) != models.end())
      assign(configuration, device.name + ".model=" + timing);
  }
  assign(configuration, "axi.check=true");
  assign(configuration, "peripherals.check=true");
  return configuration;
}

struct RunningBoard {
  RunningBoard(const char* name, const std::string& timing, const Program& program)
      : platform(name, board(timing), 0) {
    write(kStart, program.words);
    platform.host().set_start_address(kStart);
    platform.host().set_stop_handler(
        [this](const host::Stop&) { cycles = platform.host().cycles(); });
  }
  void write(uint32_t address, const std::vector<uint32_t>& words) {
    const size_t bytes = 4 * words.size();
    EXPECT_EQ(platform.host().debug_write(address, words.data(), bytes), bytes);
  }
  uint32_t read(uint32_t address) {
    uint32_t word = 0;
    EXPECT_EQ(platform.host().debug_read(address, &word, 4), 4u) << std::hex << address;
    return word;
  }
  Platform platform;
  uint64_t cycles = 0;  // of the whole program
};

class BuiltBoard : public testing::TestWithParam<const char*> {};

void launch(Program& program, uint32_t control, uint32_t parameter) {
  const std::pair<uint32_t, uint32_t> settings[] = {{FLEXGRIP_REGISTERS_PER_THREAD, 8},
                                                    {FLEXGRIP_PARAMETER_COUNT, 1},
                                                    {FLEXGRIP_PARAMETER(0), parameter},
                                                    {FLEXGRIP_BLOCK_X, 32},
                                                    {FLEXGRIP_BLOCK_Y, 1},
                                                    {FLEXGRIP_BLOCK_Z, 1},
                                                    {FLEXGRIP_GRID_X, 4},
                                                    {FLEXGRIP_GRID_Y, 1},
                                                    {FLEXGRIP_SHARED_STATIC_BYTES, 0x14}};
  for (const auto& [offset, value] : settings) program.store_value(value, control + offset);
  program.store_value(FLEXGRIP_CONTROL_START | FLEXGRIP_CONTROL_INTERRUPT_ENABLE,
                      control + FLEXGRIP_CONTROL);
}

TEST_P(BuiltBoard, TwoGpgpusRunAtTheSameTimeAndInterruptOnTheirOwnLines) {
  // Every thread stores the parameter, and the first one also its address.
  const std::vector<uint32_t> code =
      gpgpu::g80::assemble(
          ".kernel store\n.param value\n I2I.U32.U16 R1, R0L\n SHL R1, R1, 2\n MOV R2, s[value]\n"
          " MVI R3, 0x100\n IADD R1, R1, R3\n GST.U32 global14[R1], R2\n RET\n",
          "store.s")
          .kernels.front()
          .code;
  Program program;
  program.store_value(~0u, kIntc + 0x08);  // IER
  program.store_value(3, kIntc + 0x1c);    // MER: both enables
  launch(program, 0x40000000, 1111);
  launch(program, 0x60000000, 2222);
  program.load(6, kIntc);  // ISR, before either has ended
  program.store(6, kScratch);
  program.end();
  RunningBoard board("platform", GetParam(), program);
  board.write(0x41000000, code);
  board.write(0x61000000, code);
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
  for (const uint32_t thread : {0u, 31u}) {
    EXPECT_EQ(board.read(0x42000100 + 4 * thread), 1111u);
    EXPECT_EQ(board.read(0x62000100 + 4 * thread), 2222u);
  }
  EXPECT_EQ(board.read(kIntc) & (1u << 1 | 1u << 4), 1u << 1 | 1u << 4) << "ISR: both have ended";
  const auto statistics = board.platform.statistics();
  for (const char* name : {"gpgpu", "gpgpu1"}) {
    ASSERT_EQ(statistics[name]["kernels"].size(), 1u) << name;
    EXPECT_EQ(statistics[name]["kernels"][0]["cause"], 0) << name;
  }
  EXPECT_GT(statistics["gpgpu"]["kernels"][0]["cycles"].get<uint64_t>(),
            statistics["gpgpu1"]["kernels"][0]["cycles"].get<uint64_t>())
      << "8 SPs against 16";
  EXPECT_EQ(board.platform.gpgpus().size(), 2u);
  EXPECT_EQ(board.platform.protocol_violations(), 0u);
}

TEST_P(BuiltBoard, DevicesBehindABridgeAreAtTheirAddresses) {
  Program program;
  program.store_value(0x12345678, kScratch + 0x104);
  program.load(6, kScratch + 0x104);
  program.store(6, kScratch + 0x108);
  program.load(6, 0x7810101c);  // the UART's scratch register
  program.store_value(0x5a, 0x7810101c);
  program.load(6, 0x7810101c);
  program.store(6, kScratch + 0x10c);
  program.load(6, 0x78500000);  // inside the bridge's window, but nobody is there
  program.end();
  RunningBoard board("platform", GetParam(), program);
  sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
  EXPECT_EQ(board.read(kScratch + 0x108), 0x12345678u);
  EXPECT_EQ(board.read(kScratch + 0x10c), 0x5au);
  const auto statistics = board.platform.statistics();
  EXPECT_EQ(statistics["peripherals"]["initiators"]["bridge_downstream"]["decode_errors"], 1);
  EXPECT_EQ(board.platform.protocol_violations(), 0u);
}

TEST_P(BuiltBoard, AccessesBehindABridgeTakeTheTimeOfBothBuses) {
  Program near, far;
  for (int i = 0; i < 8; ++i) {
    near.load(6, kIntc);
    far.load(6, 0x7810101c);
  }
  near.end();
  far.end();
  RunningBoard here("here", GetParam(), near), there("there", GetParam(), far);
  sc_core::sc_start(sc_core::sc_time(50, sc_core::SC_US));
  // The second bus's request and response latency, two cycles each.
  EXPECT_GE(there.cycles, here.cycles + 8 * 4);
  EXPECT_LE(there.cycles, here.cycles + 8 * 6);
}

std::string error_of(const std::string& more) {
  try {
    const std::string text = R"(name = "tiny"
[clocks]
system = 100_000_000
[devices.host]
type = "microblaze"
clock = "system"
bus = "axi"
windows.lmb = { base = 0 }
[devices.axi]
type = "axi_interconnect"
clock = "system"
)" + more;
    Platform platform(
        "tiny", Configuration(std::make_shared<const Board>(parse_board(text, "b.toml", "b.toml"))),
        0);
  } catch (const Error& error) {
    return error.what();
  }
  return "built";
}

constexpr const char* kTwoBridges = R"([devices.other]
type = "axi_interconnect"
clock = "system"
[devices.there]
type = "axi_bridge"
bus = "axi"
base = 0x8000_0000
masters.downstream = "other"
[devices.back]
type = "axi_bridge"
bus = "other"
base = )";

TEST(BoardWithBridges, BothWaysIsFineWithWindowsApart) {
  EXPECT_EQ(error_of(kTwoBridges + std::string("0x4000_0000\nmasters.downstream = \"axi\"\n")),
            "built");
}

TEST(BoardWithBridges, ThatGoRoundIsRefused) {
  EXPECT_EQ(
      error_of(kTwoBridges + std::string("0x8008_0000\nmasters.downstream = \"axi\"\n")),
      "b.toml:15:1: 0x80080000 to 0x800fffff go round in bridges, from bus axi to itself (make "
      "the bridges' windows apart)");
}

TEST(BoardWithBridges, ADeviceThatNoBridgeShowsIsRefused) {
  const std::string ram =
      "0x4000_0000\nmasters.downstream = \"axi\"\n"
      "[devices.ram]\ntype = \"block_ram\"\nbus = \"other\"\nbase = ";
  EXPECT_EQ(error_of(kTwoBridges + ram + "0x8000_0000\n"), "built");
  EXPECT_EQ(error_of(kTwoBridges + ram + "0x9000_0000\n"),
            "b.toml:28:8: nobody reaches all of ram (0x90000000..0x9000ffff) on bus other: no "
            "bridge shows it (move it into the window of a bridge to its bus, or make that window "
            "larger)");
  // Its last bytes are beyond the bridge's window.
  EXPECT_THAT(error_of(kTwoBridges + ram + "0x800f_f000\n"),
              testing::HasSubstr("nobody reaches all of ram (0x800ff000..0x8010efff)"));
}

TEST(BuiltBoardErrors, ADeviceThatGrowsIntoLocalMemoryIsRefused) {
  const std::string text = "[devices.ram]\ntype = \"block_ram\"\nbus = \"axi\"\nbase = ";
  EXPECT_EQ(error_of(text + "0x10_0000\n"), "built");
  EXPECT_THAT(error_of(text + "0x1_0000\n"),
              testing::HasSubstr("ram (0x10000..0x1ffff) overlaps host lmb (0x0..0x1ffff)"));
}

TEST(BuiltBoardErrors, AnInterruptLineThatIsNotThereIsRefused) {
  EXPECT_EQ(
      error_of("[devices.t]\ntype = \"axi_timer\"\nbus = \"axi\"\nbase = 0x9000_0000\n"
               "interrupt = { controller = \"host\", line = 1 }\n"),
      "b.toml:16:13: t is on line 1 of host, which has lines 0 to 0 (take a free line, or give "
      "the controller more of them by its keys)");
}

TEST(BuiltBoardErrors, TwoPortsOfOneNameAreRefused) {
  EXPECT_EQ(
      error_of("[devices.g]\ntype = \"flexgrip\"\nclock = \"system\"\nbus = \"axi\"\n"
               "windows.control = { base = 0x4000_0000 }\n"
               "[devices.g_control]\ntype = \"axi_timer\"\nbus = \"axi\"\n"
               "base = 0x9000_0000\n"),
      "b.toml:20:8: bus axi would have two ports called g_control: of g and of g_control (give "
      "one of these devices another name)");
}

TEST(BuiltBoardErrors, AProcessorWithoutLocalMemoryIsRefused) {
  const std::string text = R"(name = "tiny"
[clocks]
system = 100_000_000
[devices.host]
type = "microblaze"
clock = "system"
bus = "axi"
[devices.axi]
type = "axi_interconnect"
clock = "system"
)";
  const Configuration configuration(
      std::make_shared<const Board>(parse_board(text, "b.toml", "b.toml")));
  try {
    Platform platform("tiny", configuration, 0);
    ADD_FAILURE() << "built";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "b.toml:4:1: host's lmb window has no place on board tiny (write windows.lmb = { "
                 "base = ... })");
  }
}

TEST(BuiltBoardErrors, AHostWithoutInterruptControllerIsFine) { EXPECT_EQ(error_of(""), "built"); }

INSTANTIATE_TEST_SUITE_P(Timings, BuiltBoard, testing::Values("lt", "at"),
                         [](const auto& param_info) { return std::string(param_info.param); });

}  // namespace
}  // namespace gvp::platform
