// SPDX-License-Identifier: Apache-2.0
// The DDR3 controller that is RTL: against the approximately timed one, transaction by transaction
// and command by command; its data; what watches it.
#include "models/ddr3/rtl/rtl_memory.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "models/base/error.h"
#include "models/ddr3/at_memory.h"
#include "models/rtl/block_table.h"
#include "tests/support/at_initiator.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"
#include "tests/support/temporary_file.h"

namespace gvp::ddr3 {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using testing::HasSubstr;

sc_time ns(double value) { return {value, SC_NS}; }

struct LoggedCommand {
  uint64_t cycle;
  Command command;
  unsigned bank;
  uint32_t row;
};

struct CommandList : CommandObserver {
  void on_command(uint64_t cycle, Command command, unsigned bank, uint32_t row) override {
    const bool all = command == Command::kPrechargeAll || command == Command::kRefresh;
    list.push_back(
        {cycle, command, all ? 0 : bank, all || command == Command::kPrecharge ? 0 : row});
  }
  std::vector<LoggedCommand> list;
};

struct Access {
  uint64_t cycle;  // when it begins
  bool write;
  uint64_t address;
  unsigned bytes;
};

// One memory, and an initiator that makes the accesses at their times, one after the other.
template <typename Memory>
struct Side : sc_core::sc_module {
  template <typename... Args>
  Side(const sc_core::sc_module_name& name, const std::vector<Access>& accesses,
       const kit::Clock& clock, Args&&... args)
      : sc_module(name),
        accesses_(accesses),
        clock_(clock),
        memory("memory", std::forward<Args>(args)...) {
    SC_HAS_PROCESS(Side);
    initiator.socket.bind(memory.socket());
    memory.observe(commands);
    SC_THREAD(run);
  }
  void run() {
    std::vector<uint8_t> data(4096);
    for (const Access& access : accesses_) {
      const sc_time now = sc_core::sc_time_stamp();
      if (clock_.at(access.cycle) > now) sc_core::wait(clock_.at(access.cycle) - now);
      const sc_time begun = sc_core::sc_time_stamp();
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(byte + 1);
      EXPECT_EQ(initiator.access(access.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND,
                                 access.address, data.data(), access.bytes),
                tlm::TLM_OK_RESPONSE);
      latencies.push_back(sc_core::sc_time_stamp() + initiator.delay - begun);
      initiator.advance();
    }
  }

  const std::vector<Access>& accesses_;
  kit::Clock clock_;
  test::Initiator initiator{"initiator"};
  Memory memory;
  CommandList commands;
  std::vector<sc_time> latencies;
};

class RtlMemoryTest : public testing::Test {
 protected:
  void SetUp() override {
    if (rtl::built_in_blocks().empty()) GTEST_SKIP() << "built without Verilator";
    sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  }
  test::LogCapture log;
};

// ---- against the approximately timed controller ----

struct Mode {
  const char* name;
  Configuration configuration;
};

std::vector<Mode> modes() {
  std::vector<Mode> all = {{"default", {}}};
  Configuration other;
  other.page_policy = "closed";
  all.push_back({"closed", other});
  other = {};
  other.mapping = "bank-row-column";
  other.scheduler = "in-order";
  all.push_back({"in_order_bank_first", other});
  other = {};
  other.device = "ddr3-1333";
  other.clock_hz = 666e6;
  other.front_end_ns = 34 * 1.502;  // whole cycles: the RTL knows no others
  all.push_back({"ddr3_1333", other});
  other = {};
  other.device = "ddr3-1066";
  other.clock_hz = 533e6;
  other.front_end_ns = 16 * 1.876;
  all.push_back({"ddr3_1066", other});
  return all;
}

class AgainstAt : public testing::TestWithParam<size_t> {
 protected:
  void SetUp() override {
    if (rtl::built_in_blocks().empty()) GTEST_SKIP() << "built without Verilator";
  }
};

// One at a time, so that neither has something to choose: rows that are open, closed and others,
// transactions of several bursts, refreshes before, in the middle and after.
TEST_P(AgainstAt, EveryTransactionAndCommandComesInTheSameCycle) {
  const Mode mode = modes()[GetParam()];
  const uint32_t seed = test::seed(static_cast<uint32_t>(11 + GetParam()));
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  std::vector<Access> accesses;
  const kit::Clock clock(mode.configuration.clock_hz);
  uint64_t cycle = 5;
  for (int i = 0; i < 3000; ++i) {
    const uint64_t row = random() % 3, bank = random() % 3, column = random() % 8000;
    const auto bytes =
        static_cast<unsigned>(1 + (random() % 3 == 0 ? random() % 190 : random() % 60));
    accesses.push_back({cycle, random() % 2 == 0, row * 65536 + bank * 8192 + column, bytes});
    // Some come after so long that refreshes have been left out.
    const uint64_t pause = random() % 100 == 0 ? 50000 : random() % 20 == 0 ? 9000 : 40;
    cycle += 300 + random() % pause;
  }
  Side<AtMemory> at("at", accesses, clock, mode.configuration);
  Side<RtlMemory> rtl("rtl", accesses, clock, "axi_ddr3", mode.configuration, seed & 0x7fffffff);
  test::LogCapture log;
  sc_core::sc_start(clock.at(cycle + 1000));
  ASSERT_EQ(at.latencies.size(), accesses.size());
  ASSERT_EQ(rtl.latencies.size(), accesses.size());
  for (size_t i = 0; i < accesses.size(); ++i)
    ASSERT_EQ(at.latencies[i], rtl.latencies[i])
        << mode.name << ", access " << i << ": " << (accesses[i].write ? "write" : "read") << " of "
        << accesses[i].bytes << " bytes at " << std::hex << accesses[i].address << " in cycle "
        << std::dec << accesses[i].cycle;
  // What refreshes came after the last access, the other model has not looked.
  ASSERT_GE(rtl.commands.list.size(), at.commands.list.size());
  ASSERT_GT(at.commands.list.size(), 3000u);
  for (size_t i = 0; i < at.commands.list.size(); ++i) {
    const LoggedCommand& a = at.commands.list[i];
    const LoggedCommand& b = rtl.commands.list[i];
    ASSERT_TRUE(a.cycle == b.cycle && a.command == b.command && a.bank == b.bank && a.row == b.row)
        << mode.name << ", command " << i << ": " << int(a.command) << " in cycle " << a.cycle
        << ", RTL " << int(b.command) << " in cycle " << b.cycle;
  }
  const auto model = at.memory.statistics(), block = rtl.memory.statistics();
  for (const char* key :
       {"reads", "writes", "row_hits", "row_misses", "row_conflicts", "bytes", "banks"})
    EXPECT_EQ(model[key], block[key]) << key;
  for (const char* part : {"read", "write"})
    for (const char* key : {"transactions", "bytes", "beats", "errors"})
      EXPECT_EQ(model[part][key], block[part][key]) << part << ' ' << key;
  ASSERT_EQ(model.contains("energy_mj"), block.contains("energy_mj"));
  if (model.contains("energy_mj")) {  // its device file has currents
    for (const char* part : {"activate", "read", "write"})
      EXPECT_EQ(model["energy_mj"][part], block["energy_mj"][part]) << part;
  }
  for (const auto& [key, value] : block["latency_ns"].items())
    EXPECT_EQ(model["latency_ns"][key], value) << key;
  EXPECT_EQ(rtl.memory.violations(), 0u);
  EXPECT_EQ(log.text(), "");
}

INSTANTIATE_TEST_SUITE_P(Modes, AgainstAt, testing::Range(size_t{0}, modes().size()));

// ---- data ----

struct Bench {
  explicit Bench(const Configuration& configuration = {}, uint32_t seed = 0)
      : memory("ddr3", "axi_ddr3", configuration, seed) {
    initiator.socket.bind(memory.socket());
  }
  void run() {
    for (int i = 0; i < 40000 && initiator.unfinished() > 0; ++i) sc_core::sc_start(ns(250));
    EXPECT_EQ(initiator.unfinished(), 0u);
  }
  test::AtInitiator initiator{"initiator"};
  RtlMemory memory;
};

TEST_F(RtlMemoryTest, ManyTransactionsAtOnceHoldTheirData) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  Configuration configuration;
  configuration.starvation_limit = 5;
  configuration.queue_depth = 3;
  Bench bench(configuration, seed & 0x7fffffff);
  std::vector<uint8_t> model(1 << 20);
  // Reads and writes do not wait for each other: they are done in turns.
  for (int turn = 0; turn < 40; ++turn) {
    std::vector<std::pair<test::AtInitiator::Transfer*, std::vector<uint8_t>>> reads;
    for (int i = 0; i < 40; ++i) {
      const auto length = static_cast<unsigned>(1 + random() % (random() % 8 == 0 ? 3000 : 200));
      const uint64_t address = random() % (model.size() - length);
      const auto at = model.begin() + static_cast<std::ptrdiff_t>(address);
      if (turn % 2 == 0) {
        std::vector<uint8_t> data(length);
        for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
        std::copy(data.begin(), data.end(), at);
        bench.initiator.write(address, data);  // one ID: in order
      } else {
        reads.emplace_back(
            &bench.initiator.read(address, length, static_cast<uint32_t>(random() % 5)),
            std::vector<uint8_t>(at, at + length));
      }
    }
    bench.run();
    for (const auto& [transfer, expected] : reads) EXPECT_EQ(transfer->data, expected);
  }
  EXPECT_EQ(bench.memory.violations(), 0u);
  EXPECT_EQ(log.text(), "");
}

TEST_F(RtlMemoryTest, ResponsesOfOneIdAndDirectionStayInOrder) {
  Bench bench;
  bench.initiator.read(0, 64);     // opens row 0 of bank 0
  bench.initiator.read(8192, 64);  // and of bank 1
  bench.run();
  auto& slow = bench.initiator.read(65536, 64, 7);  // another row of bank 0
  auto& fast = bench.initiator.read(8192 + 64, 64, 7);
  auto& other_id = bench.initiator.read(8192 + 128, 64, 8);
  bench.run();
  EXPECT_LT(other_id.responded, slow.responded);
  EXPECT_GE(fast.responded, slow.responded);
  EXPECT_EQ(bench.initiator.responses()[3], &slow);
}

// Bursts of any kind at the block's own port, one after the other.
TEST_F(RtlMemoryTest, NarrowWrappingAndFixedBurstsMoveTheRightBytes) {
  const uint32_t seed = test::seed(3);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  constexpr bool kAsDescribed = false;
  test::Initiator initiator("initiator");
  RtlMemory memory("ddr3", "axi_ddr3", {}, seed & 0x7fffffff, kAsDescribed);
  initiator.socket.bind(memory.socket());
  std::vector<uint8_t> model(8192);
  initiator.run([&] {
    for (int i = 0; i < 4000; ++i) {
      axi::Extension axi;
      axi.beat_bytes_log2 = static_cast<uint8_t>(random() % 7);
      axi.burst = static_cast<axi::Burst>(random() % 3);
      const bool wraps = axi.burst == axi::Burst::kWrapping;
      const bool fixed = axi.burst == axi::Burst::kFixed;
      axi.beats = static_cast<uint16_t>(wraps ? 2u << random() % 4 : 1 + random() % 16);
      const unsigned beat = 1u << axi.beat_bytes_log2, length = beat * axi.beats;
      const uint64_t span = fixed ? beat : length;
      const uint64_t window = random() % 2 * 4096;
      const uint64_t address = window + random() % (4096 / beat) * beat;
      if (!wraps && address + span > window + 4096) continue;
      std::vector<uint64_t> places;
      for (unsigned b = 0; b < length; ++b)
        places.push_back(fixed   ? address + b % beat
                         : wraps ? address / length * length + (address + b) % length
                                 : address + b);
      std::vector<uint8_t> data(length), expected(length);
      const bool write = random() % 2 == 0;
      for (unsigned b = 0; b < length; ++b) {
        data[b] = static_cast<uint8_t>(random());
        if (write) model[places[b]] = data[b];
        expected[b] = model[places[b]];
      }
      tlm::tlm_generic_payload payload;
      payload.set_extension(&axi);
      payload.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      payload.set_address(address);
      payload.set_data_ptr(data.data());
      payload.set_data_length(length);
      payload.set_streaming_width(fixed ? beat : length);
      initiator.socket->b_transport(payload, initiator.delay);
      payload.clear_extension(&axi);
      ASSERT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
      if (!write) {
        ASSERT_EQ(data, expected) << "burst type " << int(axi.burst) << ", " << axi.beats << " x "
                                  << beat << " bytes at " << address;
      }
    }
  });
  EXPECT_EQ(memory.violations(), 0u);
  EXPECT_EQ(log.text(), "");
}

TEST_F(RtlMemoryTest, DebugAccessesSeeTheSdram) {
  test::Initiator initiator("initiator");
  RtlMemory memory("ddr3", "axi_ddr3", {});
  initiator.socket.bind(memory.socket());
  initiator.run([&] {
    initiator.write32(0x12345678, 77);
    EXPECT_EQ(initiator.peek32(0x12345678), 77u);
    uint32_t value = 99;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(0x1000);
    payload.set_data_ptr(reinterpret_cast<uint8_t*>(&value));
    payload.set_data_length(4);
    EXPECT_EQ(initiator.socket->transport_dbg(payload), 4u);
    EXPECT_EQ(initiator.read32(0x1000), 99u);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(initiator.socket->get_direct_mem_ptr(payload, dmi));
  });
}

TEST_F(RtlMemoryTest, AccessBeyondTheEndIsAnAddressError) {
  Configuration configuration;
  configuration.size = 1 << 20;
  Bench bench(configuration);
  auto& read = bench.initiator.read(1 << 20, 200);
  auto& write = bench.initiator.write(1 << 20, std::vector<uint8_t>(200));
  auto& good = bench.initiator.read((1 << 20) - 64, 64);
  bench.run();
  EXPECT_EQ(read.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(write.payload.get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(good.payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_THAT(log.text(), HasSubstr("read of 200 bytes at 0x100000 is outside"));
}

// ---- what watches it ----

TEST_F(RtlMemoryTest, AControllerThatIsTooFastIsFound) {
  Bench bench;
  for (const char* pin : {"t_rcd", "t_rp", "t_wr"}) bench.memory.block().input_pin(pin, 0).set(2);
  for (uint64_t i = 0; i < 20; ++i) {
    bench.initiator.write(65536 * i, std::vector<uint8_t>(64));
    bench.initiator.read(65536 * i + 64, 64);
  }
  bench.run();
  for (const char* rule : {"tRCD @", "tRP @", "tWR @"})
    EXPECT_THAT(log.text(), HasSubstr(std::string("breaks a rule of JESD79-3: ") + rule));
  EXPECT_GT(bench.memory.violations(), 20u);
  EXPECT_EQ(bench.memory.statistics()["rtl"]["command_check"]["violations"],
            bench.memory.violations());
}

TEST_F(RtlMemoryTest, AControllerThatGoesBeyondTheMemoryIsFound) {
  Configuration configuration;
  configuration.size = 1 << 20;
  Bench bench(configuration);
  bench.memory.block().input_pin("size", 0).set(2 << 20);  // so it believes
  bench.initiator.write(1 << 20, std::vector<uint8_t>(64));
  bench.initiator.read(1 << 20, 64);
  bench.run();
  EXPECT_EQ(bench.memory.violations(), 2u);
  const nlohmann::json check = bench.memory.statistics()["rtl"]["command_check"];
  EXPECT_EQ(check["violations"], 2);
  EXPECT_THAT(check["list"][0].get<std::string>(), HasSubstr("outside of the memory @"));
  EXPECT_THAT(log.text(), HasSubstr("breaks a rule of JESD79-3: outside of the memory @"));
}

TEST_F(RtlMemoryTest, WhatTheBlockCannotDoIsRefused) {
  Configuration configuration;
  configuration.queue_depth = 9;
  EXPECT_THROW(RtlMemory("a", "axi_ddr3", configuration), Error);
  configuration = {};
  configuration.size = 1ull << 30;
  EXPECT_THROW(RtlMemory("b", "axi_ddr3", configuration), Error);
  EXPECT_THROW(RtlMemory("c", "axi_timer", {}), Error);
}

// The widths of the block's pins, with the greatest that each can be told.
TEST_F(RtlMemoryTest, ADeviceMayBeAsLargeAndAsSlowAsTheBlockCanCount) {
  std::ifstream stream(std::string(GVP_SOURCE_DIR) + "/platform/configs/ddr3/ddr3-800d.toml");
  std::ostringstream text;
  text << stream.rdbuf();
  int made = 0;
  const auto complaint = [&](const std::vector<std::pair<std::string, std::string>>& changes) {
    std::string device = text.str();
    for (const auto& [key, value] : changes) {
      const size_t at = device.find("\n" + key + " = ") + 1;
      EXPECT_NE(at, 0u) << key;
      device.replace(at, device.find('\n', at) - at, fmt::format("{} = {}", key, value));
    }
    const test::TemporaryFile file("device.toml", device);
    Configuration configuration;
    configuration.device = file.path();
    configuration.size = 1 << 20;
    try {
      RtlMemory(("memory" + std::to_string(++made)).c_str(), "axi_ddr3", configuration);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint({{"rows", "65536"}, {"columns", "2048"}}), "");
  EXPECT_THAT(complaint({{"rows", "131072"}}), HasSubstr("8, 65536 and 2048 at most"));
  EXPECT_THAT(complaint({{"columns", "4096"}}), HasSubstr("8 banks of 8192 rows of 4096 columns"));
  EXPECT_THAT(complaint({{"banks", "16"}}), HasSubstr("module ddr3-800d has 16 banks"));
  EXPECT_THAT(complaint({{"data_bits", "32"}}), HasSubstr("has 32 data bits (the controller is"));
  const auto ns = [](int cycles) {
    return std::to_string(cycles * 5 / 2) + (cycles % 2 != 0 ? ".5" : ".0");
  };
  EXPECT_EQ(complaint({{"trcd", ns(255)}, {"trfc", ns(1023)}}), "");
  EXPECT_THAT(complaint({{"trcd", ns(256)}}), HasSubstr("t_rcd of module ddr3-800d is 256 clock"));
  EXPECT_THAT(complaint({{"trfc", ns(1024)}}),
              HasSubstr("t_rfc of module ddr3-800d is 1024 clock"));
  EXPECT_THAT(complaint({{"trc", ns(300)}, {"trfc", ns(300)}}), HasSubstr("t_rc of module"))
      << "also where it is as long as a refresh";
}

}  // namespace
}  // namespace gvp::ddr3
