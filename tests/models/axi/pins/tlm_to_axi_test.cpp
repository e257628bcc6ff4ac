// SPDX-License-Identifier: Apache-2.0
// TLM-2.0 to AXI4 pins, against a memory that answers in every order that IHI 0022 allows, and in
// some that it does not.
#include "models/axi/pins/tlm_to_axi.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "models/axi/pins/checker.h"
#include "models/base/error.h"
#include "tests/models/axi/pins/random_traffic.h"
#include "tests/support/at_initiator.h"
#include "tests/support/fake_axi_slave.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"

namespace gvp::axi::pins {
namespace {

using test::FakeAxiSlave;
using testing::HasSubstr;

constexpr unsigned kThreads = 5;
constexpr size_t kMemory = size_t{kThreads} * RandomTraffic::kRange;

struct Bench {
  explicit Bench(unsigned data_bits, uint32_t seed = 1, uint64_t time_out = 1000)
      : slave(data_bits, kMemory, seed),
        block("block", slave.table(), {}),
        port(find_port(block, "s_axi_", false)),
        to_axi("to_axi", block, port),
        checker(block, port, {time_out}) {
    slave.bytes.resize(kMemory);
    std::iota(slave.bytes.begin(), slave.bytes.end(), uint8_t{0});
  }
  test::LogCapture log;
  FakeAxiSlave slave;
  rtl::Block block;
  Port port;
  TlmToAxi to_axi;
  Checker checker;
};

struct InitiatorBench : Bench {
  explicit InitiatorBench(unsigned data_bits) : Bench(data_bits) {
    initiator.socket.bind(to_axi.socket);
  }
  test::AtInitiator initiator{"initiator"};
};

class TlmToAxiWidths : public testing::TestWithParam<unsigned> {};

TEST_P(TlmToAxiWidths, AnswersOutOfOrderAndInterleavedAreMatched) {
  const uint32_t seed = test::seed(11);
  SCOPED_TRACE(test::text_of_seed(seed));
  Bench bench(GetParam(), seed);
  std::fill(bench.slave.bytes.begin(), bench.slave.bytes.end(), uint8_t{0});
  RandomTraffic traffic("traffic", seed, kThreads, accesses_of_a_thread(150, kThreads),
                        GetParam() / 8, true);
  traffic.socket.bind(bench.to_axi.socket);
  sc_core::sc_start();
  EXPECT_EQ(traffic.done, kThreads);
  EXPECT_EQ(bench.checker.violation_count(), 0u) << bench.log.text();
  EXPECT_GT(bench.slave.interleaved, 0u);
  EXPECT_GT(bench.slave.overtaken, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, TlmToAxiWidths, testing::Values(32, 64, 128, 256, 512));

using Seen = std::vector<FakeAxiSlave::Request>;
std::string text(const Seen& seen) {
  std::string all;
  for (const auto& each : seen)
    all += std::to_string(each.address) + ":" + std::to_string(each.length + 1) + "x" +
           std::to_string(1 << each.size) + " FIW"[each.burst + 1] + ' ';
  return all;
}

// What a transaction without the extension becomes.
TEST(TlmToAxi, CutsWhatIsNoBurst) {
  InitiatorBench bench(32);
  const auto bursts = [&](uint64_t address, unsigned bytes, unsigned streaming) {
    bench.slave.reads_seen.clear();
    auto& read = bench.initiator.read(address, bytes);
    read.payload.set_streaming_width(streaming);
    read.axi.beats = 0;
    sc_core::sc_start();
    EXPECT_TRUE(read.payload.is_response_ok());
    return text(bench.slave.reads_seen);
  };
  EXPECT_EQ(bursts(0x100, 4, 4), "256:1x4I ");
  EXPECT_EQ(bursts(0x101, 1, 1), "257:1x1I ");
  EXPECT_EQ(bursts(0x102, 2, 2), "258:1x2I ");
  EXPECT_EQ(bursts(0x101, 2, 2), "257:1x4I ") << "lanes 1 and 2 of a full beat";
  EXPECT_EQ(bursts(0x103, 2, 2), "259:2x4I ");
  EXPECT_EQ(bursts(0xffc, 8, 8), "4092:1x4I 4096:1x4I ") << "4 KiB";
  EXPECT_EQ(bursts(0x1000, 2048, 2048), "4096:256x4I 5120:256x4I ") << "256 beats";
  EXPECT_EQ(bursts(0x100, 12, 4), "256:3x4F ");
  EXPECT_EQ(bursts(0x100, 80, 4), "256:16x4F 256:4x4F ");
  EXPECT_EQ(bursts(0x100, 5, 2), "256:2x2F 256:1x1I ");
  EXPECT_EQ(bursts(0x100, 12, 6), "256:2x4I 256:2x4I ");
}

TEST(TlmToAxi, DoesWhatTheExtensionDescribes) {
  InitiatorBench bench(32);
  const auto burst = [&](uint64_t address, unsigned bytes, unsigned streaming, unsigned beats,
                         unsigned log2, Burst type) {
    bench.slave.reads_seen.clear();
    auto& read = bench.initiator.read(address, bytes);
    read.payload.set_streaming_width(streaming);
    read.axi.beats = static_cast<uint16_t>(beats);
    read.axi.beat_bytes_log2 = static_cast<uint8_t>(log2);
    read.axi.burst = type;
    sc_core::sc_start();
    EXPECT_TRUE(read.payload.is_response_ok());
    return text(bench.slave.reads_seen);
  };
  EXPECT_EQ(burst(0x101, 7, 7, 4, 1, Burst::kIncrementing), "257:4x2I ") << "narrow, unaligned";
  EXPECT_EQ(burst(0x108, 16, 16, 4, 2, Burst::kWrapping), "264:4x4W ");
  EXPECT_EQ(burst(0x108, 32, 32, 4, 3, Burst::kWrapping), "264:6x4I 256:2x4I ")
      << "wider than the port";
  EXPECT_EQ(burst(0x100, 16, 8, 2, 3, Burst::kFixed), "256:2x4I 256:2x4I ");
  EXPECT_EQ(burst(0xffc, 8, 8, 2, 2, Burst::kIncrementing), "4092:1x4I 4096:1x4I ");
}

TEST(TlmToAxi, AWrappingBurstReadsItsBlockFromTheMiddle) {
  InitiatorBench bench(32);
  auto& read = bench.initiator.read(0x108, 16);
  read.axi.beats = 4;
  read.axi.burst = Burst::kWrapping;
  sc_core::sc_start();
  EXPECT_THAT(read.data,
              testing::ElementsAre(8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
}

// IHI 0022 gives AWID and ARID no common width; a port of one ID may do without (A9.3).
struct IdWidths {
  unsigned write, read;
};
class TlmToAxiIds : public testing::TestWithParam<IdWidths> {};

TEST_P(TlmToAxiIds, WidthsOfWritesAndReadsAreTheirOwn) {
  const test::LogCapture log;
  FakeAxiSlave slave(32, kMemory, 1, GetParam().write, GetParam().read);
  rtl::Block block("block", slave.table(), {});
  const Port port = find_port(block, "s_axi_", false);
  TlmToAxi to_axi("to_axi", block, port);
  Checker checker(block, port, {1000});
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(to_axi.socket);
  const std::vector<uint32_t> ids = {3, 0x13, 0x2b, 0, 0x13};
  for (size_t i = 0; i < ids.size(); ++i)
    initiator.write(0x100 + 4 * i, {1, 2, 3, static_cast<uint8_t>(ids[i])}, ids[i]);
  sc_core::sc_start(20, sc_core::SC_US);
  ASSERT_EQ(initiator.unfinished(), 0u) << "writes";
  std::vector<test::AtInitiator::Transfer*> reads;
  for (size_t i = 0; i < ids.size(); ++i)
    reads.push_back(&initiator.read(0x100 + 4 * i, 4, ids[i]));
  sc_core::sc_start(20, sc_core::SC_US);
  ASSERT_EQ(initiator.unfinished(), 0u) << "reads";
  for (size_t i = 0; i < ids.size(); ++i) {
    EXPECT_THAT(reads[i]->data, testing::ElementsAre(1, 2, 3, ids[i]));
    const auto seen = [&](unsigned bits) { return ids[i] & ((1u << bits) - 1); };
    EXPECT_EQ(slave.writes_seen[i].id, seen(GetParam().write));
    EXPECT_EQ(slave.reads_seen[i].id, seen(GetParam().read));
  }
  EXPECT_EQ(checker.violation_count(), 0u) << log.text();
}

INSTANTIATE_TEST_SUITE_P(All, TlmToAxiIds,
                         testing::Values(IdWidths{4, 6}, IdWidths{6, 4}, IdWidths{0, 6},
                                         IdWidths{4, 0}, IdWidths{0, 0}));

TEST(TlmToAxi, CountsEachRequestThatHadToWaitOnce) {
  InitiatorBench bench(32);
  for (uint64_t i = 0; i < 8; ++i) bench.initiator.read(0x100 + 4 * i, 4);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  sc_core::sc_start();
  EXPECT_EQ(bench.to_axi.stalled_requests(), 7u) << "all but the first";
  auto& pages = bench.initiator.read(0xffc, 8);
  pages.axi.beats = 0;
  sc_core::sc_start();
  EXPECT_EQ(bench.to_axi.stalled_requests(), 8u) << "the second of two bursts";
}

// Faults of the block: the transaction ends or the checker's time-out does; nothing crashes.
TEST(TlmToAxiFaults, LastDataThatComeTooEarlyAreAnError) {
  InitiatorBench bench(32);
  bench.slave.early_last = true;
  auto& read = bench.initiator.read(0x100, 16);
  sc_core::sc_start();
  EXPECT_EQ(read.payload.get_response_status(), tlm::TLM_GENERIC_ERROR_RESPONSE);
  ASSERT_FALSE(bench.checker.violations().empty());
  EXPECT_EQ(bench.checker.violations()[0].rule, "PIN_LAST");
}

TEST(TlmToAxiFaults, AResponseBeforeTheDataIsNone) {
  InitiatorBench bench(32);
  bench.slave.early_response = true;
  bench.slave.eagerness = 16;
  bench.initiator.write(0x100, std::vector<uint8_t>(64));
  try {
    sc_core::sc_start();
    FAIL() << "the response came before its data";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("no response to the write of 16 x 4 bytes at 0x100"));
  }
  EXPECT_EQ(bench.checker.violations()[0].rule, "PIN_RESPONSE_EARLY");
}

TEST(TlmToAxiFaults, ABlockThatDoesNotAnswerIsGivenUp) {
  InitiatorBench bench(32);
  bench.slave.answers = false;
  bench.initiator.read(0x100, 4);
  try {
    sc_core::sc_start();
    FAIL() << "a silent hang";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("no data for the read of 1 x 4 bytes at 0x100"));
    EXPECT_THAT(error.what(), HasSubstr("s_axi_rvalid"));
    EXPECT_THAT(error.what(), HasSubstr("--wave"));
  }
}

TEST(TlmToAxiFaults, APortOfAxi4LiteIsRefused) {
  test::FakeRtl lite("lite");
  lite.axi_port("s_axi_", false, 32, 4, true);
  rtl::Block block("block", lite.table(), {});
  EXPECT_THROW(TlmToAxi("to_axi", block, find_port(block, "s_axi_", false)), Error);
}

TEST(TlmToAxiDebug, ReadsThroughTheBlocksBackDoor) {
  test::FakeRtl fake("debug");
  fake.axi_port("s_axi_", false, 32, 4);
  fake.input("debug_address", 32);
  fake.output("debug_data", 32);
  fake.on_eval = [&](bool) {
    fake["debug_data"] = 0x03020100 + 0x04040404 * (fake["debug_address"] / 4);
  };
  rtl::Block block("block", fake.table(), {});
  TlmToAxi to_axi("to_axi", block, find_port(block, "s_axi_", false));
  test::AtInitiator initiator("initiator");
  initiator.socket.bind(to_axi.socket);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::vector<uint8_t> data(6);
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(3);
  payload.set_data_ptr(data.data());
  payload.set_data_length(6);
  payload.set_streaming_width(6);
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 6u);
  EXPECT_THAT(data, testing::ElementsAre(3, 4, 5, 6, 7, 8));
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  EXPECT_EQ(initiator.socket->transport_dbg(payload), 0u) << "reads only";
}

}  // namespace
}  // namespace gvp::axi::pins
