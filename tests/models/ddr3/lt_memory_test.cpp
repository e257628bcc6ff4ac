// SPDX-License-Identifier: Apache-2.0
#include "models/ddr3/lt_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::ddr3 {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct Bench {
  explicit Bench(const Configuration& configuration = {})
      : memory(make_memory_controller("ddr3", "lt", configuration)) {
    initiator.socket.bind(memory->socket());
  }
  sc_time time_of_read(uint64_t address, unsigned bytes = 4) {
    uint8_t data[256];
    initiator.delay = sc_core::SC_ZERO_TIME;
    EXPECT_EQ(initiator.access(tlm::TLM_READ_COMMAND, address, data, bytes), tlm::TLM_OK_RESPONSE);
    return initiator.delay;
  }
  test::Initiator initiator{"initiator"};
  std::unique_ptr<MemoryController> memory;
};

TEST(LtMemory, IdleLatenciesAreTheReferencePlusTheFrontEnd) {
  Bench bench;
  bench.initiator.run([&] {
    EXPECT_EQ(bench.time_of_read(0), sc_time(50 + 42.5, SC_NS)) << "closed: 17 tCK";
    EXPECT_EQ(bench.time_of_read(64), sc_time(50 + 27.5, SC_NS)) << "row hit: 11 tCK";
    EXPECT_EQ(bench.time_of_read(64 << 10), sc_time(50 + 57.5, SC_NS)) << "conflict: 23 tCK";
    EXPECT_EQ(bench.time_of_read(8 << 10), sc_time(50 + 42.5, SC_NS)) << "another bank";
    bench.initiator.delay = sc_core::SC_ZERO_TIME;
    bench.initiator.write32(8 << 10, 1);
    EXPECT_EQ(bench.initiator.delay, sc_time(50 + 25, SC_NS)) << "write hit: 10 tCK";
  });
  const auto statistics = bench.memory->statistics();
  EXPECT_EQ(statistics["row_hits"], 2);
  EXPECT_EQ(statistics["row_misses"], 2);
  EXPECT_EQ(statistics["row_conflicts"], 1);
  EXPECT_EQ(statistics["bytes"], 20);
}

TEST(LtMemory, FurtherBurstsTakeFourClocksEach) {
  Bench bench;
  bench.initiator.run([&] {
    bench.time_of_read(0);
    EXPECT_EQ(bench.time_of_read(0, 256), sc_time(50 + 27.5 + 3 * 10, SC_NS));
    EXPECT_EQ(bench.time_of_read(62, 4), sc_time(50 + 27.5 + 10, SC_NS)) << "two bursts touched";
  });
}

TEST(LtMemory, HoldsDataUpToTheLastByte) {
  Bench bench;
  bench.initiator.run([&] {
    bench.initiator.write32((512u << 20) - 4, 0xcafe);
    EXPECT_EQ(bench.initiator.read32((512u << 20) - 4), 0xcafeu);
    EXPECT_EQ(bench.initiator.peek32((512u << 20) - 4), 0xcafeu);
  });
}

TEST(LtMemory, AccessBeyondTheEndIsAnAddressError) {
  Bench bench;
  test::LogCapture log;
  bench.initiator.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.initiator.read(512u << 20, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  EXPECT_THAT(log.text(), testing::HasSubstr("ddr3 @ 0 s: read of 4 bytes at 0x20000000"));
}

TEST(LtMemory, DirectMemoryCarriesTheRowHitLatency) {
  Bench bench;
  bench.initiator.run([&] {
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.initiator.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_EQ(dmi.get_end_address(), (512ull << 20) - 1);
    EXPECT_EQ(dmi.get_read_latency(), sc_time(50 + 27.5, SC_NS));
    EXPECT_EQ(dmi.get_write_latency(), sc_time(50 + 25, SC_NS));
    EXPECT_TRUE(dmi.is_read_write_allowed());
  });
}

TEST(MakeMemoryController, RefusesWhatItDoesNotHave) {
  Configuration too_big;
  too_big.size = 1ull << 30;
  EXPECT_THROW(make_memory_controller("a", "lt", too_big), Error);
  EXPECT_THROW(make_memory_controller("b", "magic", {}), Error);
}

}  // namespace
}  // namespace gvp::ddr3
