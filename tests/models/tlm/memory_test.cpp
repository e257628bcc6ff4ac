// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "models/base/error.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"

namespace gvp::kit {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;

struct Bench {
  explicit Bench(MemoryConfiguration configuration) : memory("memory", configuration) {
    initiator.socket.bind(memory.socket);
  }
  test::Initiator initiator{"initiator"};
  Memory memory;
};

MemoryConfiguration small() {
  MemoryConfiguration configuration;
  configuration.size = 4096;
  configuration.read_latency = sc_time(30, SC_NS);
  configuration.write_latency = sc_time(20, SC_NS);
  return configuration;
}

TEST(Memory, HoldsWhatIsWritten) {
  Bench bench(small());
  bench.initiator.run([&] {
    EXPECT_EQ(bench.initiator.read32(0x10), 0u);
    bench.initiator.write32(0x10, 0x12345678);
    EXPECT_EQ(bench.initiator.read32(0x10), 0x12345678u);
    uint32_t byte = 0;
    bench.initiator.read(0x11, byte, 1);
    EXPECT_EQ(byte, 0x56u);
  });
}

TEST(Memory, AddsItsLatencies) {
  Bench bench(small());
  bench.initiator.run([&] {
    bench.initiator.read32(0);
    EXPECT_EQ(bench.initiator.delay, sc_time(30, SC_NS));
    bench.initiator.write32(0, 1);
    EXPECT_EQ(bench.initiator.delay, sc_time(50, SC_NS));
  });
}

TEST(Memory, AccessBeyondTheEndIsAnAddressErrorWithAMessage) {
  Bench bench(small());
  test::LogCapture log;
  bench.initiator.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.initiator.read(4094, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.initiator.write(~uint64_t{0}, 1), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
  EXPECT_THAT(log.text(), testing::HasSubstr("memory @ 0 s: read of 4 bytes at 0xffe is outside"));
}

TEST(Memory, ByteEnablesSelectBytesAndRepeat) {
  Bench bench(small());
  bench.initiator.run([&] {
    uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint8_t enables[2] = {0xff, 0};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(0x20);
    payload.set_data_ptr(data);
    payload.set_data_length(8);
    payload.set_streaming_width(8);
    payload.set_byte_enable_ptr(enables);
    payload.set_byte_enable_length(2);
    sc_time delay;
    bench.initiator.socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.initiator.read32(0x20), 0x00030001u);
    EXPECT_EQ(bench.initiator.read32(0x24), 0x00070005u);
  });
}

TEST(Memory, StreamingWidthRepeatsTheAddress) {
  Bench bench(small());
  bench.initiator.run([&] {
    uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(4092);  // only the streaming width must fit
    payload.set_data_ptr(data);
    payload.set_data_length(8);
    payload.set_streaming_width(4);
    sc_time delay;
    bench.initiator.socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(bench.initiator.read32(4092), 0x08070605u);
  });
}

TEST(Memory, EmptyTransactionIsABurstError) {
  Bench bench(small());
  bench.initiator.run([&] {
    uint32_t value = 0;
    EXPECT_EQ(bench.initiator.access(tlm::TLM_READ_COMMAND, 0, &value, 0),
              tlm::TLM_BURST_ERROR_RESPONSE);
  });
}

TEST(Memory, ReadOnlyMemoryRefusesWritesButNotTheLoader) {
  MemoryConfiguration configuration = small();
  configuration.read_only = true;
  Bench bench(configuration);
  test::LogCapture log;
  bench.initiator.run([&] {
    EXPECT_EQ(bench.initiator.write(0, 5), tlm::TLM_COMMAND_ERROR_RESPONSE);
    bench.memory.storage().data()[0] = 7;
    EXPECT_EQ(bench.initiator.read32(0), 7u);
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    EXPECT_TRUE(bench.initiator.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_FALSE(dmi.is_write_allowed());
  });
}

TEST(Memory, DirectAccessCoversAllAndIsInvalidatedWhenForbidden) {
  Bench bench(small());
  bench.initiator.run([&] {
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.initiator.socket->get_direct_mem_ptr(payload, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0u);
    EXPECT_EQ(dmi.get_end_address(), 4095u);
    EXPECT_TRUE(dmi.is_read_write_allowed());
    dmi.get_dmi_ptr()[8] = 9;
    EXPECT_EQ(bench.initiator.read32(8), 9u);
    bench.memory.allow_dmi(false);
    ASSERT_EQ(bench.initiator.invalidations.size(), 1u);
    EXPECT_EQ(bench.initiator.invalidations[0].end, 4095u);
    EXPECT_FALSE(bench.initiator.socket->get_direct_mem_ptr(payload, dmi));
  });
}

TEST(Memory, DebugAccessIsCutAtTheEnd) {
  Bench bench(small());
  bench.initiator.run([&] {
    EXPECT_EQ(bench.initiator.peek32(4092), 0u);
    EXPECT_EQ(bench.initiator.peek32(4094), std::nullopt);
    EXPECT_EQ(bench.initiator.peek32(5000), std::nullopt);
  });
}

TEST(Storage, UntouchedMemoryCostsNothing) {
  Storage memory(uint64_t{4} << 30);
  memory.data()[uint64_t{3} << 30] = 1;
  EXPECT_EQ(memory.data()[12345], 0);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 300 * 1024) << "KiB resident";
}

TEST(Storage, ContainsDoesNotOverflow) {
  Storage memory(4096);
  EXPECT_TRUE(memory.contains(4096, 0));
  EXPECT_FALSE(memory.contains(4095, ~uint64_t{0}));
  EXPECT_FALSE(memory.contains(~uint64_t{0}, 2));
}

TEST(Storage, ZeroSizeIsBadInput) { EXPECT_THROW(Storage(0), Error); }

}  // namespace
}  // namespace gvp::kit
