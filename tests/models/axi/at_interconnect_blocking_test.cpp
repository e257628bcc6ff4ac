// SPDX-License-Identifier: Apache-2.0
// The approximately timed interconnect under b_transport, alone and against the loosely timed one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>

#include "models/axi/interconnect.h"
#include "models/tlm/memory.h"
#include "tests/models/axi/two_by_two.h"
#include "tests/support/initiator.h"
#include "tests/support/log_capture.h"
#include "tests/support/seed.h"

namespace gvp::axi {
namespace {

struct BlockingBench {
  explicit BlockingBench(const std::string& model)
      : cpu((model + "_cpu").c_str()),
        gpu((model + "_gpu").c_str()),
        ram((model + "_ram").c_str(), memory_of(0x10000)),
        device((model + "_device").c_str(), memory_of(0x800)),
        bus(make_interconnect((model + "_bus").c_str(), model, two_by_two())) {
    cpu.socket.bind(bus->from_initiator(0));
    gpu.socket.bind(bus->from_initiator(1));
    bus->to_target(0).bind(ram.socket);
    bus->to_target(1).bind(device.socket);
  }
  static kit::MemoryConfiguration memory_of(uint64_t size) {
    kit::MemoryConfiguration configuration;
    configuration.size = size;
    configuration.read_latency = ns(100);
    configuration.write_latency = ns(40);
    return configuration;
  }
  test::LogCapture log;
  test::Initiator cpu, gpu;
  kit::Memory ram, device;
  std::unique_ptr<Interconnect> bus;
};

TEST(AtInterconnect, BlockingTransportToABlockingTargetWorks) {
  BlockingBench bench("at");
  bench.cpu.run([&] {
    bench.cpu.write32(0x10004, 0x12345678);
    EXPECT_EQ(sc_core::sc_time_stamp(), ns(20 + 40 + 30));
    EXPECT_EQ(bench.cpu.delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(bench.cpu.read32(0x10004), 0x12345678u);
    uint32_t value = 0;
    EXPECT_EQ(bench.cpu.read(0x3000, value), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.cpu.peek32(0x10004), 0x12345678u);
    tlm::tlm_generic_payload payload;
    tlm::tlm_dmi dmi;
    payload.set_address(0x10000);
    EXPECT_FALSE(bench.cpu.socket->get_direct_mem_ptr(payload, dmi)) << "time must count";
  });
}

TEST(AtInterconnect, DoesWhatTheLooselyTimedOneDoes) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  BlockingBench lt("lt"), at("at");
  at.cpu.run([&] {
    std::mt19937 random(seed);
    for (int i = 0; i < 3000; ++i) {
      uint8_t data[64], same[64];
      for (uint8_t& byte : data) byte = static_cast<uint8_t>(random());
      std::copy(std::begin(data), std::end(data), same);
      const unsigned length = 1 + static_cast<unsigned>(random() % sizeof data);
      uint64_t address = 0xfff0 + random() % 0x10020;  // RAM and the holes around it
      if (random() % 4 == 0) address = 0x20000 + random() % 0x7c0;
      if (random() % 16 == 0) address = 0x20800 + random() % 0x10;  // the device says no
      const auto command = random() % 2 != 0 ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND;
      const auto expected = lt.cpu.access(command, address, same, length);
      ASSERT_EQ(at.cpu.access(command, address, data, length), expected) << address;
      ASSERT_TRUE(std::equal(std::begin(data), std::end(data), same)) << address;
    }
  });
  const auto equal = [](kit::Memory& a, kit::Memory& b) {
    return std::equal(a.storage().data(), a.storage().data() + a.storage().size(),
                      b.storage().data());
  };
  EXPECT_TRUE(equal(lt.ram, at.ram));
  EXPECT_TRUE(equal(lt.device, at.device));
}

}  // namespace
}  // namespace gvp::axi
