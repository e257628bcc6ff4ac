// SPDX-License-Identifier: Apache-2.0
// Blocks with memories behind their ports, masters of their own, several transactions under way.
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "models/axi/extension.h"
#include "tests/platform/rtl_blocks/board.h"
#include "tests/support/seed.h"

namespace gvp::platform {
namespace {

std::string timing_of(const testing::TestParamInfo<const char*>& each) {
  constexpr const char* kNames[] = {"LooselyTimed", "ApproximatelyTimed", "Rtl"};
  return kNames[each.index];
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
// At the RTL crossbar's ports IDs are more than 0, and wider than the blocks'.
INSTANTIATE_TEST_SUITE_P(Timings, CopyEngine,
                         testing::Values("axi.check=true", "axi.model=at", "axi.model=rtl"),
                         timing_of);

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

}  // namespace
}  // namespace gvp::platform
