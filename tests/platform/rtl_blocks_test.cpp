// SPDX-License-Identifier: Apache-2.0
// Blocks of RTL that somebody has written (tests/rtl_blocks) on a board: memory tests over their
// ports, several instances, interrupts, ties, what is uninitialised, and what is wrong with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "models/axi/extension.h"
#include "platform/configuration/keys.h"
#include "platform/platform.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"
#include "tests/support/temporary_file.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;
constexpr uint64_t kOne = 0x10000000, kTwo = 0x20000000, kThree = 0x30000000;

// The board's master, and where interrupts lead.
test::Initiator* master = nullptr;
std::map<unsigned, sc_core::sc_signal<bool>*> lines;

device::DeviceType tester_type() {
  device::DeviceType type;
  type.name = "tester";
  type.description = "the test";
  type.masters = {{"", 8}};
  type.interrupt_inputs = [](const device::Instance&) { return 8; };
  type.make = [](const device::Instance& instance, device::Surroundings&) {
    auto tester = std::make_unique<test::Initiator>(instance.name.c_str());
    master = tester.get();
    device::Parts parts;
    parts.initiators = {{"", &tester->socket}};
    parts.connect_input = [](unsigned line, sc_core::sc_signal<bool>& signal) {
      lines[line] = &signal;
    };
    parts.module = std::move(tester);
    return parts;
  };
  return type;
}

std::string plugin(const std::string& block) {
  return std::string(GVP_BINARY_DIR) + "/tests/rtl_blocks/" + block + ".so";
}

std::string board_text(const std::vector<std::string>& blocks, const std::string& devices) {
  register_built_in_device_types();
  if (device::find_device_type("tester") == nullptr) device::register_device_type(tester_type());
  std::string plugins;
  for (const std::string& block : blocks) plugins += '"' + plugin(block) + "\", ";
  return "name = \"own_rtl\"\nplugins = [" + plugins + R"(]
[clocks]
system = 100_000_000
slow = 30_000_000
[resets]
button = "a push button"
[devices.tester]
type = "tester"
bus = "axi"
[devices.axi]
type = "axi_interconnect"
clock = "system"
[devices.memory]
type = "block_ram"
bus = "axi"
base = 0x4000_0000
)" + devices;
}

class RtlBlocks : public testing::Test {
 protected:
  // Skips the test where a block has not been built.
  bool there(const std::vector<std::string>& blocks, const char* tool = "Verilator") {
    for (const std::string& block : blocks)
      if (!std::filesystem::exists(plugin(block))) {
        [&] { GTEST_SKIP() << "built without " << tool; }();
        return false;
      }
    return true;
  }
  void build(const std::vector<std::string>& blocks, const std::string& devices, uint32_t seed = 0,
             const std::string& setting = "axi.check=true") {
    Configuration configuration(std::make_shared<const Board>(
        parse_board(board_text(blocks, devices), "b.toml", "b.toml")));
    assign(configuration, setting);
    platform_ =
        std::make_unique<Platform>("platform", configuration, 0, nullptr, HostRole::kRuns, seed);
  }
  std::string error_of(const std::vector<std::string>& blocks, const std::string& devices) {
    try {
      build(blocks, devices);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }
  // Nothing that the checkers, at the pins and on the bus, have to complain of.
  void expect_no_violations() { EXPECT_EQ(platform_->protocol_violations(), 0u); }

  std::unique_ptr<Platform> platform_;
};

// Random reads and writes of any length at any address, beside a copy in this test.
void memory_test(uint64_t base, unsigned bytes, unsigned accesses, unsigned longest) {
  std::mt19937 random(test::seed(1));
  std::vector<uint8_t> copy(bytes);
  for (unsigned at = 0; at < bytes; at += longest) {  // what is there is known
    for (unsigned i = 0; i < longest; ++i) copy[at + i] = static_cast<uint8_t>(random());
    ASSERT_EQ(master->access(tlm::TLM_WRITE_COMMAND, base + at, &copy[at], longest),
              tlm::TLM_OK_RESPONSE);
  }
  for (unsigned i = 0; i < accesses; ++i) {
    const unsigned length = 1 + static_cast<unsigned>(random()) % longest;
    const unsigned at = static_cast<unsigned>(random()) % (bytes - length + 1);
    std::vector<uint8_t> data(length);
    if (random() % 2 == 0) {
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
      std::copy(data.begin(), data.end(), copy.begin() + at);
      ASSERT_EQ(master->access(tlm::TLM_WRITE_COMMAND, base + at, data.data(), length),
                tlm::TLM_OK_RESPONSE);
    } else {
      ASSERT_EQ(master->access(tlm::TLM_READ_COMMAND, base + at, data.data(), length),
                tlm::TLM_OK_RESPONSE);
      ASSERT_TRUE(std::equal(data.begin(), data.end(), copy.begin() + at))
          << length << " bytes at " << at;
    }
  }
}

constexpr const char* kRegisterFile =
    "[devices.one]\ntype = \"rtl:register_file\"\nbus = \"axi\"\nbase = 0x1000_0000\n"
    "interrupt = { controller = \"tester\", line = 1 }\nkeys = { pins.mode = 5 }\n"
    "reset = \"button\"\n";

TEST_F(RtlBlocks, RegistersInVerilog2001) {
  if (!there({"register_file"})) return;
  build({"register_file"}, kRegisterFile);
  master->run([&] {
    EXPECT_EQ(master->read32(kOne), 0x600d0000u + 5 + 'A') << "parameters and a tie";
    memory_test(kOne + 8, 56, 200, 4);
    uint32_t word = 0;
    EXPECT_EQ(master->read(kOne + 64, word), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_EQ(master->write(kOne + 64, word), tlm::TLM_GENERIC_ERROR_RESPONSE);
    EXPECT_FALSE(lines[1]->read());
    master->write32(kOne + 4, 1);
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_TRUE(lines[1]->read());
    platform_->reset("button");
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_FALSE(lines[1]->read()) << "the board's reset";
  });
  expect_no_violations();
  const nlohmann::json statistics = platform_->statistics()["one"]["rtl"];
  EXPECT_EQ(statistics["block"], "register_file");
  EXPECT_GT(statistics["ports"]["s_axi"]["transactions"].get<int>(), 200);
  EXPECT_GT(statistics["cycles"].get<int>(), statistics["evaluated_cycles"].get<int>());
}

TEST_F(RtlBlocks, SeveralInstancesAtClocksOfTheirOwn) {
  if (!there({"register_file"})) return;
  build({"register_file"},
        std::string(kRegisterFile) +
            "[devices.two]\ntype = \"rtl:register_file\"\nbus = \"axi\"\nbase = 0x2000_0000\n"
            "clock = \"slow\"\n");
  master->run([&] {
    for (uint32_t i = 2; i < 16; ++i) {
      master->write32(kOne + 4 * i, i);
      master->write32(kTwo + 4 * i, ~i);
    }
    for (uint32_t i = 2; i < 16; ++i) {
      EXPECT_EQ(master->read32(kOne + 4 * i), i);
      EXPECT_EQ(master->read32(kTwo + 4 * i), ~i);
    }
    EXPECT_EQ(master->read32(kTwo), 0x600d0000u + 'A') << "not tied: 0";
  });
  expect_no_violations();
  const nlohmann::json statistics = platform_->statistics();
  EXPECT_NEAR(statistics["two"]["rtl"]["clock_hz"].get<double>(), 30e6, 1e4);
}

constexpr const char* kOddNames =
    "[devices.odd]\ntype = \"rtl:odd_names\"\nbus = \"axi\"\n"
    "windows.configuration = { base = 0x1000_0000 }\nwindows.look = { base = 0x2000_0000 }\n"
    "interrupt = { controller = \"tester\", line = 0 }\n"
    "keys = { size.look = 0x1000, pins.auto = 0xff }\n";

// Variables of $unit are no part of Verilator's class of the block: its clock may not stop for all
// that does not change there.
TEST_F(RtlBlocks, StateOutsideOfTheModuleKeepsTheClockGoing) {
  if (!there({"odd_names"})) return;
  build({"odd_names"}, kOddNames);
  master->run([&] {
    const uint32_t before = master->read32(kOne + 0x8000);
    master->advance(sc_core::sc_time(1, sc_core::SC_MS));
    const uint32_t cycles = master->read32(kOne + 0x8000) - before;
    EXPECT_GE(cycles, 100000u);
    EXPECT_LT(cycles, 100100u);
  });
}

TEST_F(RtlBlocks, AnIncludedFileIsAmongWhatAPlugInDependsOn) {
  if (!there({"odd_names"})) return;
  std::ifstream stream(plugin("odd_names") + ".d");
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  for (const char* file : {"include/odd_names_sizes.svh", "odd_names.sv", "verilated_block.h"})
    EXPECT_THAT(text, HasSubstr(file));
}

TEST_F(RtlBlocks, NamesThatAMappingExplains) {
  if (!there({"odd_names"})) return;
  build({"odd_names"}, kOddNames);
  master->run([&] {
    memory_test(kOne, 256, 300, 8);
    master->write32(kOne + 8, 0x12345678);
    EXPECT_EQ(master->read32(kTwo + 8), 0x12345678u ^ 0xff) << "the second port sees the same";
    uint32_t word = 0;
    EXPECT_EQ(master->write(kTwo, word), tlm::TLM_COMMAND_ERROR_RESPONSE) << "it only reads";
    master->write32(kOne + 4, 0x80000000);
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_TRUE(lines[0]->read());
  });
  expect_no_violations();
}

// One pin for a signal of all ports, AXI3's AxLOCK, user signals, an included header, parameters.
class PackedSwitch : public RtlBlocks, public testing::WithParamInterface<const char*> {};
TEST_P(PackedSwitch, PortsThatShareTheirPinsVectors) {
  if (!there({"packed_switch"})) return;
  build({"packed_switch"},
        "[devices.switch]\ntype = \"rtl:packed_switch\"\nwindows.s0 = { base = 0x1000_0000 }\n"
        "windows.s1 = { base = 0x2000_0000 }\nbus = \"axi\"\nreset = \"button\"\n"
        "interrupts.written_0 = { controller = \"tester\", line = 4 }\n"
        "interrupts.written_1 = { controller = \"tester\", line = 5 }\n",
        0, GetParam());
  master->run([&] {
    memory_test(kOne, 1024, 100, 64);
    EXPECT_TRUE(lines[4]->read());
    EXPECT_FALSE(lines[5]->read()) << "nothing has gone through the other";
    master->write32(kTwo + 8, 0xabcd);
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_TRUE(lines[5]->read());
    EXPECT_EQ(master->read32(kOne + 8), 0xabcdu) << "both lead to the memory";
    EXPECT_EQ(master->read32(0x40000008), 0xabcdu);
    platform_->reset("button");
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
    EXPECT_FALSE(lines[4]->read()) << "its reset is active high";
  });
  expect_no_violations();
  EXPECT_EQ(platform_->statistics()["switch"]["rtl"]["ports"]["m1"]["transactions"], 1);
}
INSTANTIATE_TEST_SUITE_P(Timings, PackedSwitch, testing::Values("axi.check=true", "axi.model=at"),
                         [](const auto& each) {
                           return std::string(each.index == 0 ? "LooselyTimed"
                                                              : "ApproximatelyTimed");
                         });

constexpr const char* kRam =
    "[devices.ram]\ntype = \"rtl:axi_ram\"\nbus = \"axi\"\n"
    "windows.s00_axi = { base = 0x1000_0000 }\nwindows.s01_axi = { base = 0x2000_0000 }\n";

TEST_F(RtlBlocks, ARamOf512BitsWithTwoPorts) {
  if (!there({"axi_ram"})) return;
  build({"axi_ram"}, kRam);
  master->run([&] {
    memory_test(kOne, 4096, 500, 256);
    master->write32(kOne + 0xfffc, 0xabcd);
    EXPECT_EQ(master->read32(kTwo + 0xfffc), 0xabcdu) << "the other port sees the same";
    memory_test(kTwo, 4096, 200, 64);
  });
  expect_no_violations();
}

TEST_F(RtlBlocks, ARamOverAnApproximatelyTimedBus) {
  if (!there({"axi_ram"})) return;
  build({"axi_ram"}, kRam, 0, "axi.model=at");
  master->run([&] { memory_test(kOne, 4096, 200, 256); });
  expect_no_violations();
}

// Two masters of the block fetch and send; one slave starts it, its interrupt says that it is done.
void copy(uint32_t from, uint32_t to, uint32_t words) {
  const std::array<uint32_t, 4> registers = {from, to, words, 1};
  for (unsigned i = 0; i < registers.size(); ++i) master->write32(kThree + 4 * i, registers[i]);
  for (unsigned i = 0; i < 1000 && !lines[2]->read(); ++i)
    master->advance(sc_core::sc_time(1, sc_core::SC_US));
}

class CopyEngine : public RtlBlocks, public testing::WithParamInterface<const char*> {};

TEST_P(CopyEngine, CopiesBetweenMemoriesOfAnyKind) {
  if (!there({"axi_ram", "copy_engine"})) return;
  build({"axi_ram", "copy_engine"},
        std::string(kRam) +
            "[devices.dma]\ntype = \"rtl:copy_engine\"\nbus = \"axi\"\nbase = 0x3000_0000\n"
            "clock = \"slow\"\ninterrupt = { controller = \"tester\", line = 2 }\n",
        0, GetParam());
  master->run([&] {
    constexpr unsigned kWords = 100;
    constexpr uint32_t kMemory = 0x40000f40;  // bursts end at 4 KiB
    for (uint32_t i = 0; i < kWords; ++i) master->write32(kMemory + 4 * i, i * 0x01010101);
    copy(kMemory, kOne + 0x28, kWords);
    EXPECT_EQ(master->read32(kThree), 2u) << "done, not failed";
    EXPECT_FALSE(lines[2]->read()) << "reading takes it back";
    copy(kOne + 0x28, kMemory + 0x1004, kWords);
    for (uint32_t i = 0; i < kWords; ++i)
      EXPECT_EQ(master->read32(kMemory + 0x1004 + 4 * i), i * 0x01010101);
    EXPECT_EQ(master->read32(kThree), 2u);
    copy(0x70000000, kOne, 1);
    EXPECT_EQ(master->read32(kThree), 6u) << "nobody is there: failed";
  });
  expect_no_violations();
  const nlohmann::json ports = platform_->statistics()["dma"]["rtl"]["ports"];
  EXPECT_GT(ports["m00_axi"]["transactions"].get<int>(), 10);
  EXPECT_EQ(ports["m00_axi"]["transactions"], ports["m01_axi"]["transactions"]);
}
std::string timing_of(const testing::TestParamInfo<const char*>& each) {
  constexpr const char* kNames[] = {"LooselyTimed", "ApproximatelyTimed", "Rtl"};
  return kNames[each.index];
}
// At the RTL crossbar's ports IDs are more than 0, and wider than the blocks'.
INSTANTIATE_TEST_SUITE_P(Timings, CopyEngine,
                         testing::Values("axi.check=true", "axi.model=at", "axi.model=rtl"),
                         timing_of);

// What nobody has written differs from seed to seed, and not from run to run.
uint32_t unwritten_word(uint32_t seed) {
  Configuration configuration(std::make_shared<const Board>(
      parse_board(board_text({"odd_names"}, kOddNames), "b.toml", "b.toml")));
  Platform platform("platform", configuration, 0, nullptr, HostRole::kRuns, seed);
  uint32_t word = 0;
  master->run([&] { word = master->read32(kOne + 24); });
  return word;
}
TEST_F(RtlBlocks, WhatIsUninitialisedFollowsTheSeed) {
  if (!there({"odd_names"})) return;
  const std::string file = test::TemporaryFile("word").path();
  std::array<uint32_t, 4> words{};
  const std::array<uint32_t, 4> seeds = {0, 5, 5, 6};
  for (size_t i = 0; i < seeds.size(); ++i) {  // a process elaborates once
    const pid_t child = fork();
    if (child == 0) {
      const uint32_t word = unwritten_word(seeds[i]);
      std::ofstream(file) << word;
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    std::ifstream(file) >> words[i];
    std::filesystem::remove(file);
  }
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], words[2]);
  EXPECT_NE(words[1], words[0]);
  EXPECT_NE(words[1], words[3]);
}

TEST_F(RtlBlocks, VhdlThroughGhdlsSynthesis) {
  if (!there({"vhdl_counter"}, "GHDL")) return;
  build({"vhdl_counter"},
        "[devices.one]\ntype = \"rtl:vhdl_counter\"\nbus = \"axi\"\nbase = 0x1000_0000\n"
        "interrupt = { controller = \"tester\", line = 3 }\n");
  master->run([&] {
    EXPECT_EQ(master->read32(kOne + 16), 7u) << "a text, a boolean and a number as generics";
    master->write32(kOne, 0);
    master->write32(kOne + 8, 50);
    master->write32(kOne + 4, 1);
    master->advance(sc_core::sc_time(300, sc_core::SC_NS));
    EXPECT_FALSE(lines[3]->read());
    master->advance(sc_core::sc_time(300, sc_core::SC_NS));
    EXPECT_TRUE(lines[3]->read()) << "50 cycles of 10 ns later";
    const uint32_t count = master->read32(kOne);
    EXPECT_GT(count, 50u);
    EXPECT_LT(count, 100u);
    master->write32(kOne + 4, 0);  // a counter that runs never stands still
  });
  expect_no_violations();
}

// ---- several at once ----

// Reads and writes of several processes, each with an ID and a part of the memory of its own.
void concurrent_memory_test(uint64_t base, unsigned processes, unsigned accesses) {
  constexpr unsigned kPart = 512, kLongest = 64;
  unsigned left = processes;
  sc_core::sc_event done;
  const auto process = [&](unsigned id) {
    std::mt19937 random(test::seed(1) + id);
    std::vector<uint8_t> copy(kPart);
    for (unsigned i = 0; i < accesses + kPart / kLongest; ++i) {
      const bool fills = i < kPart / kLongest;  // what is there is known
      const bool write = fills || random() % 2 == 0;
      const unsigned words = fills ? kLongest / 4 : 1 + static_cast<unsigned>(random()) % 16;
      const unsigned at =
          fills ? i * kLongest : 4 * (static_cast<unsigned>(random()) % (kPart / 4 - words + 1));
      std::vector<uint8_t> data(words * 4);
      if (write)
        for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
      tlm::tlm_generic_payload payload;
      axi::Extension axi;
      axi.id = id;
      axi.beats = static_cast<uint16_t>(words);
      axi.beat_bytes_log2 = 2;
      payload.set_extension(&axi);
      payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      payload.set_address(base + uint64_t{id} * kPart + at);
      payload.set_data_ptr(data.data());
      payload.set_data_length(words * 4);
      payload.set_streaming_width(words * 4);
      sc_core::sc_time delay;
      master->socket->b_transport(payload, delay);
      sc_core::wait(delay);
      payload.clear_extension(&axi);
      EXPECT_TRUE(payload.is_response_ok());
      if (write)
        std::copy(data.begin(), data.end(), copy.begin() + at);
      else
        EXPECT_TRUE(std::equal(data.begin(), data.end(), copy.begin() + at)) << "ID " << id;
    }
    if (--left == 0) done.notify();
  };
  for (unsigned id = 0; id < processes; ++id) sc_core::sc_spawn([&process, id] { process(id); });
  sc_core::wait(done);
}

// In the style of a generator; answers of other IDs overtake.
class GeneratedRam : public RtlBlocks, public testing::WithParamInterface<const char*> {};
TEST_P(GeneratedRam, SeveralTransactionsOfSeveralIdsAreUnderWay) {
  if (!there({"generated_ram", "axi_ram"})) return;
  build({"generated_ram", "axi_ram"},
        std::string(kRam) +
            "[devices.generated]\ntype = \"rtl:generated_ram\"\nbus = \"axi\"\n"
            "base = 0x3000_0000\n",
        0, GetParam());
  master->run([&] {
    memory_test(kThree, 1024, 100, 64);
    concurrent_memory_test(kThree, 6, 60);
    concurrent_memory_test(kOne, 6, 60);
  });
  expect_no_violations();
}

// In the style of a vendor's packaged IP, with 64 bits of data on a bus of 32.
class VendorDma : public RtlBlocks, public testing::WithParamInterface<const char*> {};
TEST_P(VendorDma, CopiesWithAMasterWiderThanTheBus) {
  if (!there({"vendor_dma"})) return;
  build({"vendor_dma"},
        "[devices.dma]\ntype = \"rtl:vendor_dma\"\nbus = \"axi\"\nbase = 0x3000_0000\n"
        "interrupt = { controller = \"tester\", line = 2 }\n",
        0, GetParam());
  master->run([&] {
    constexpr uint32_t kMemory = 0x40000f40, kBytes = 400;  // bursts end at 4 KiB
    for (uint32_t i = 0; i < kBytes; i += 4) master->write32(kMemory + i, i * 0x01010101);
    copy(kMemory, kMemory + 0x2000, kBytes);
    EXPECT_EQ(master->read32(kThree + 12), 2u) << "done, not failed";
    for (uint32_t i = 0; i < kBytes; i += 4)
      EXPECT_EQ(master->read32(kMemory + 0x2000 + i), i * 0x01010101) << i;
  });
  expect_no_violations();
}
INSTANTIATE_TEST_SUITE_P(Timings, GeneratedRam,
                         testing::Values("axi.check=true", "axi.model=at", "axi.model=rtl"),
                         timing_of);
INSTANTIATE_TEST_SUITE_P(Timings, VendorDma,
                         testing::Values("axi.check=true", "axi.model=at", "axi.model=rtl"),
                         timing_of);

// ---- what is wrong ----

std::string model_error_of(const std::function<void()>& body) {
  try {
    master->run(body);
  } catch (const std::exception& error) {  // SystemC makes a report of it
    return error.what();
  }
  return "no error";
}

// By the numbers of tests/rtl_blocks/faulty.sv: what the log or the end of the run says.
struct Wrong {
  unsigned fault;
  const char* name;
  std::vector<const char*> texts;
};

class FaultyBlock : public RtlBlocks, public testing::WithParamInterface<Wrong> {};

TEST_P(FaultyBlock, IsNamedWithSignalAndRule) {
  if (!there({"faulty"})) return;
  const test::LogCapture log;
  build({"faulty"},
        "[devices.bad]\ntype = \"rtl:faulty\"\nbus = \"axi\"\nbase = 0x1000_0000\n"
        "keys = { time_out = 100, pins.fault = " +
            std::to_string(GetParam().fault) + " }\n");
  std::string text = model_error_of([&] {
    std::array<uint8_t, 16> data{};
    master->access(tlm::TLM_WRITE_COMMAND, kOne, data.data(), data.size());
    master->access(tlm::TLM_READ_COMMAND, kOne, data.data(), data.size());
    master->advance(sc_core::sc_time(2, sc_core::SC_US));
  });
  text += log.text();
  for (const char* each : GetParam().texts) EXPECT_THAT(text, HasSubstr(each));
  EXPECT_LT(sc_core::sc_time_stamp(), sc_core::sc_time(10, sc_core::SC_US));
  if (GetParam().fault == 0) expect_no_violations();
}

INSTANTIATE_TEST_SUITE_P(
    All, FaultyBlock,
    testing::Values(
        Wrong{0, "None", {"no error"}},
        Wrong{1, "NoAwready", {"the bus hangs", "s_axi_awready has not come"}},
        Wrong{2, "NoWready", {"the bus hangs", "s_axi_wready has not come"}},
        Wrong{3, "NoArready", {"the bus hangs", "s_axi_arready has not come"}},
        Wrong{4, "NoBvalid", {"the bus hangs", "no response to the write of 4 x 4 bytes"}},
        Wrong{5, "NoRvalid", {"the bus hangs", "no data for the read of 4 x 4 bytes"}},
        Wrong{6, "WrongBid", {"s_axi_bid", "PIN_ID, IHI 0022 A5.3"}},
        Wrong{7, "WrongRid", {"s_axi_rid", "PIN_ID, IHI 0022 A5.3"}},
        Wrong{8, "EarlyRlast", {"s_axi_rlast", "PIN_LAST, IHI 0022 A3.4.1"}},
        Wrong{9, "NoRlast", {"s_axi_rlast", "PIN_LAST, IHI 0022 A3.4.1"}},
        Wrong{10, "SecondB", {"s_axi_bvalid", "PIN_RESPONSE, IHI 0022"}},
        Wrong{11, "EarlyB", {"s_axi_bvalid", "PIN_RESPONSE_EARLY, IHI 0022"}},
        Wrong{12, "UnaskedR", {"s_axi_rvalid", "PIN_RESPONSE, IHI 0022"}},
        Wrong{13, "BInReset", {"s_axi_bvalid", "PIN_RESET, IHI 0022"}},
        Wrong{14, "ExokayB", {"s_axi_bresp", "PIN_EXOKAY, IHI 0022 A7.2.3"}},
        Wrong{15, "ExokayR", {"s_axi_rresp", "PIN_EXOKAY, IHI 0022 A7.2.3"}},
        Wrong{16, "Fatal", {"RTL block faulty", "this block gives up", "faulty.sv:"}},
        Wrong{17,
              "Assertion",
              {"RTL block faulty", "this block asserts that nobody writes", "faulty.sv:"}},
        Wrong{18, "Finish", {"RTL block faulty", "$finish", "faulty.sv:"}},
        Wrong{19, "EndlessR", {"s_axi_rlast", "PIN_LAST, IHI 0022 A3.4.1"}}),
    [](const auto& each) { return std::string(each.param.name); });

constexpr const char* kLoop =
    "[devices.bad]\ntype = \"rtl:loop\"\nbus = \"axi\"\nbase = 0x1000_0000\n"
    "keys = { time_out = 100 }\n";

TEST_F(RtlBlocks, ACombinationalLoopIsAnErrorThatNamesTheBlock) {
  if (!there({"loop"})) return;
  build({"loop"}, kLoop);
  const std::string error = model_error_of([&] { master->write32(kOne, 1); });
  EXPECT_THAT(error, HasSubstr("did not converge"));
  EXPECT_THAT(error, HasSubstr("RTL block loop"));
  EXPECT_THAT(error, HasSubstr("UNOPTFLAT"));
}

TEST_F(RtlBlocks, AResponseThatNeverComesEndsTheRunWithinTheTimeOut) {
  if (!there({"loop"})) return;
  test::LogCapture log;
  build({"loop"}, kLoop);
  uint32_t word = 0;
  const std::string error = model_error_of([&] {
    master->write32(kOne, 2);
    master->read(kOne, word);
  });
  EXPECT_THAT(error, HasSubstr("the bus hangs"));
  EXPECT_THAT(error, HasSubstr("s_axi_rvalid"));
  EXPECT_LT(sc_core::sc_time_stamp(), sc_core::sc_time(2, sc_core::SC_US));
}

TEST_F(RtlBlocks, AResponseThatNobodyAskedForIsAViolation) {
  if (!there({"loop"})) return;
  test::LogCapture log;
  build({"loop"}, kLoop);
  master->run([&] {
    master->write32(kOne, 4);
    master->advance(sc_core::sc_time(100, sc_core::SC_NS));
  });
  EXPECT_GT(platform_->protocol_violations(), 0u);
  EXPECT_THAT(platform_->statistics()["bad"]["rtl"]["ports"]["s_axi"].dump(),
              HasSubstr("PIN_RESPONSE"));
}

TEST_F(RtlBlocks, ABoardThatDoesNotFitIsRefused) {
  if (!there({"register_file", "odd_names"})) return;
  const std::string at = "bus = \"axi\"\nbase = 0x1000_0000\n";
  EXPECT_THAT(error_of({"register_file"}, "[devices.a]\ntype = \"rtl:regster_file\"\n" + at),
              HasSubstr("did you mean \"rtl:register_file\"?"));
  EXPECT_THAT(error_of({"register_file"}, "[devices.a]\ntype = \"rtl:register_file\"\n" + at +
                                              "keys = { pins.mode = 8 }\n"),
              HasSubstr("a.pins.mode = 8 is not possible (allowed: 0 to 7)"));
  EXPECT_THAT(error_of({"register_file"}, "[devices.a]\ntype = \"rtl:register_file\"\n" + at +
                                              "keys = { pins.mod = 1 }\n"),
              HasSubstr("did you mean \"a.pins.mode\"?"));
  EXPECT_THAT(error_of({"odd_names"}, "[devices.a]\ntype = \"rtl:odd_names\"\n" + at),
              HasSubstr("names: configuration, look"));
  EXPECT_THAT(error_of({"register_file"}, "[devices.a]\ntype = \"rtl:register_file\"\n" + at +
                                              "interrupts.bell = { controller = \"tester\", line "
                                              "= 1 }\n"),
              HasSubstr("no interrupt \"bell\" (there are: int_o)"));
}

TEST_F(RtlBlocks, TwoBlocksOfOneNameAreRefused) {
  if (!there({"register_file"})) return;
  const test::TemporaryFile copy("copy.so");
  std::filesystem::copy(plugin("register_file"), copy.path());
  const std::string text = board_text({"register_file"}, kRegisterFile);
  parse_board(text, "b.toml", "b.toml");
  try {
    parse_board("plugins = [\"" + copy.path() + "\"]\n" + text.substr(0, text.find("plugins")) +
                    text.substr(text.find("[clocks]")),
                "b.toml", "b.toml");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("there is an RTL block register_file already"));
  }
}

}  // namespace
}  // namespace gvp::platform
