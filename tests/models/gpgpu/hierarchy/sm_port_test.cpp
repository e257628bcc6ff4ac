// SPDX-License-Identifier: Apache-2.0
// Which requests of memory the lanes of an instruction become, by rule, and what they get.
#include "models/gpgpu/hierarchy/sm_port.h"

#include <gmock/gmock.h>

#include <functional>
#include <memory>

#include "tests/models/gpgpu/hierarchy/plain_memory.h"

namespace gvp::gpgpu::hierarchy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr uint32_t kAll = ~0u;

class SmPortTest : public testing::Test {
 protected:
  SmPortTest() {
    for (uint32_t i = 0; i < memory.bytes.size(); ++i)
      memory.bytes[i] = static_cast<uint8_t>(i * 7 + i / 256);
  }
  // Without an L1; several requests at a time.
  void make(const std::string& rule, bool l1 = false) {
    Settings settings;
    settings.coalescing = rule;
    settings.request_bytes = request_bytes;
    settings.l1.enabled = l1;  // only its line counts
    settings.sm_requests = sm_requests;
    settings.l1.ports = ports;
    settings.texture_cache.miss_registers = texture_registers;
    settings.texture_cache.line_bytes = settings.texture_cache.sector_bytes = 64;
    if (has_textures)
      texture = std::make_unique<CacheLevel>(settings.texture_cache, "gpgpu.texture_cache", memory);
    port = std::make_unique<SmPort>(current, memory, true, settings, texture.get());
  }
  static WarpAccesses access(const std::function<uint32_t(uint32_t)>& address_of, uint32_t lanes,
                             unsigned bytes, bool write) {
    WarpAccesses access;
    access.lanes = lanes;
    access.bytes = bytes;
    access.write = write;
    for (uint32_t lane = 0; lane < 32; ++lane) access.addresses[lane] = address_of(lane);
    return access;
  }
  // Every lane gets what memory has; the requests.
  std::vector<std::string> load(const std::function<uint32_t(uint32_t)>& address_of,
                                uint32_t lanes = kAll, unsigned bytes = 4) {
    port->begin(100);
    if (port->coalesces()) port->announce(access(address_of, lanes, bytes, false));
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if ((lanes >> lane & 1) == 0) continue;
      uint8_t data[16] = {};
      const FaultCause cause = port->read(address_of(lane), data, bytes);
      if (cause != FaultCause::kNone) {
        faulted = lane;
        break;
      }
      EXPECT_EQ(std::memcmp(data, &memory.bytes[address_of(lane)], bytes), 0) << "lane " << lane;
    }
    return memory.take_asked();
  }
  // Lane k stores bytes of 0x80 + k; memory then is as if lanes had stored one after the other.
  std::vector<std::string> store(const std::function<uint32_t(uint32_t)>& address_of,
                                 uint32_t lanes = kAll, unsigned bytes = 4) {
    std::vector<uint8_t> expected = memory.bytes;
    WarpAccesses all = access(address_of, lanes, bytes, true);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      all.stored[lane].fill(static_cast<uint8_t>(0x80 + lane));
      if ((lanes >> lane & 1) != 0)
        std::memcpy(&expected[address_of(lane)], all.stored[lane].data(), bytes);
    }
    port->begin(100);
    if (port->coalesces()) port->announce(all);
    for (uint32_t lane = 0; lane < 32; ++lane)
      if ((lanes >> lane & 1) != 0) {
        EXPECT_EQ(port->write(address_of(lane), all.stored[lane].data(), bytes), FaultCause::kNone);
      }
    EXPECT_EQ(memory.bytes, expected);
    return memory.take_asked();
  }

  static uint32_t words(uint32_t lane) { return 0x400 + 4 * lane; }
  static uint32_t swapped(uint32_t lane) { return 0x400 + 4 * (lane ^ 1); }
  static uint32_t misaligned(uint32_t lane) { return 0x404 + 4 * lane; }
  static uint32_t every_other(uint32_t lane) { return 0x400 + 8 * lane; }
  static uint32_t same(uint32_t) { return 0x440; }

  PlainMemory memory{4096};
  SmPort* current = nullptr;
  bool has_textures = false;
  uint32_t texture_registers = 128;
  std::unique_ptr<CacheLevel> texture;
  std::unique_ptr<SmPort> port;
  uint32_t request_bytes = 0;
  uint32_t sm_requests = 0;
  uint32_t ports = 1;
  uint32_t faulted = 32;
};

TEST_F(SmPortTest, WithoutARuleEachLaneAsksForItself) {
  make("none");
  for (const auto pattern : {words, swapped, misaligned, every_other, same}) {
    EXPECT_THAT(load(pattern), SizeIs(32));
    EXPECT_THAT(store(pattern), SizeIs(32));
  }
  EXPECT_EQ(load(words)[31], "r1148+4@131");
}

TEST_F(SmPortTest, Compute20ServesTheLanesOfASegmentOf32BytesAtOnce) {
  make("compute-2.0");
  EXPECT_THAT(load(words),
              ElementsAre("r1024+32@100", "r1056+32@101", "r1088+32@102", "r1120+32@103"));
  EXPECT_THAT(load(swapped), SizeIs(4));
  EXPECT_THAT(load(misaligned), SizeIs(5));
  EXPECT_THAT(load(every_other), SizeIs(8));
  EXPECT_THAT(load(same), ElementsAre("r1088+32@100"));
  EXPECT_THAT(load(words, 0xff00), ElementsAre("r1056+32@100"));
  EXPECT_THAT(load([](uint32_t lane) { return 0x400 + 64 * lane; }), SizeIs(32));
}

TEST_F(SmPortTest, Compute20ServesTheLanesOfALineOfTheL1AtOnce) {
  make("compute-2.0", true);
  EXPECT_THAT(load(words), ElementsAre("r1024+128@100"));
  EXPECT_THAT(load(misaligned), ElementsAre("r1024+128@100", "r1152+128@101"));
  EXPECT_THAT(load(every_other), SizeIs(2));
  EXPECT_THAT(load([](uint32_t lane) { return 0x400 + 16 * lane; }, kAll, 16), SizeIs(4));
}

TEST_F(SmPortTest, Compute10NeedsSuccessiveWordsOfAHalfWarp) {
  make("compute-1.0");
  EXPECT_THAT(load(words), ElementsAre("r1024+64@100", "r1088+64@101"));
  EXPECT_THAT(load(words, 0x10001), SizeIs(2));
  for (const auto pattern : {swapped, misaligned, every_other, same})
    EXPECT_THAT(load(pattern), SizeIs(32));
  // Two of 128 bytes for each half-warp, though no lane of the second is active.
  EXPECT_THAT(load([](uint32_t lane) { return 0x400 + 16 * lane; }, 0xff, 16),
              ElementsAre("r1024+128@100", "r1152+128@101"));
}

TEST_F(SmPortTest, Compute12ServesTheSegmentsOfAHalfWarpAndShrinksThem) {
  make("compute-1.2");
  EXPECT_THAT(load(words), ElementsAre("r1024+64@100", "r1088+64@101"));
  EXPECT_THAT(load(swapped), SizeIs(2));
  EXPECT_THAT(load(misaligned), ElementsAre("r1024+128@100", "r1088+64@101", "r1152+32@102"));
  EXPECT_THAT(load(every_other), SizeIs(2));
  EXPECT_THAT(load(same), ElementsAre("r1088+32@100", "r1088+32@101"));
}

TEST_F(SmPortTest, StoresWriteTheBytesOfTheirLanesAndNoOthers) {
  make("compute-2.0");
  EXPECT_THAT(store(words),
              ElementsAre("w1024+32@100", "w1056+32@101", "w1088+32@102", "w1120+32@103"));
  EXPECT_THAT(store(every_other), SizeIs(8));
  EXPECT_THAT(store(every_other, 3), ElementsAre("w1024+12@100 111100001111"));
  EXPECT_THAT(store(words, 0x0ff0), ElementsAre("w1040+16@100", "w1056+16@101"));
  EXPECT_THAT(store([](uint32_t lane) { return 0x401 + lane; }, 7, 1),
              ElementsAre("w1024+4@100 0111"));
  EXPECT_THAT(store([](uint32_t lane) { return 0x402 + lane; }, 3, 1), ElementsAre("w1026+2@100"));
}

TEST_F(SmPortTest, TheHighestOfLanesThatStoreAtAnAddressStays) {
  for (const char* const rule : {"none", "compute-1.0", "compute-1.2", "compute-2.0"}) {
    make(rule);
    EXPECT_THAT(store(same), testing::Not(IsEmpty())) << rule;
    EXPECT_EQ(memory.bytes[0x440], 0x80 + 31) << rule;
  }
}

TEST_F(SmPortTest, RequestsAreNoSmallerThanTheKeySays) {
  request_bytes = 128;
  make("compute-2.0");
  EXPECT_THAT(load(words), ElementsAre("r1024+128@100"));
  make("compute-1.0");
  EXPECT_THAT(load(words), ElementsAre("r1024+128@100", "r1024+128@101"));
  EXPECT_THAT(store(words), ElementsAre("w1024+64@100", "w1088+64@101"));
}

// The lanes that come with another one's request take no time of their own.
TEST_F(SmPortTest, ALaneTakesTheTimeOfItsRequest) {
  make("compute-2.0");
  load(words);
  std::vector<uint32_t> expected(32, 0);
  expected[0] = 20;
  expected[8] = expected[16] = expected[24] = 1;
  EXPECT_EQ(port->accesses(), expected);
  EXPECT_EQ(port->taken(), 23u);
}

// The instruction takes a cycle for each request, its data come with the last answer.
TEST_F(SmPortTest, RequestsOnTheirWayHoldNobody) {
  sm_requests = 64;
  make("none");
  EXPECT_EQ(load(words)[31], "r1148+4@131");
  EXPECT_EQ(port->accesses(), std::vector<uint32_t>(32, 1));
  EXPECT_EQ(port->taken(), 32u);
  EXPECT_EQ(port->data_cycle(), 151u);
  store(words);
  EXPECT_EQ(port->taken(), 32u);
  EXPECT_LE(port->data_cycle(), 100u);  // nobody waits for stores...
  EXPECT_GE(port->over(), 151u);        // ...but the end of the kernel
  port->reset();
  EXPECT_EQ(port->over(), 0u);
}

// Of three, which take 20 cycles each, the fourth goes out when the first is answered.
TEST_F(SmPortTest, NoMoreRequestsAreOnTheirWayThanTheKeySays) {
  sm_requests = 3;
  make("none");
  EXPECT_THAT(load(words, 0x1f), ElementsAre("r1024+4@100", "r1028+4@101", "r1032+4@102",
                                             "r1036+4@120", "r1040+4@121"));
  EXPECT_THAT(port->accesses(), ElementsAre(1, 1, 1, 18, 1));
  EXPECT_EQ(port->data_cycle(), 141u);
  // Of the next instruction, too, at cycle 100 again: it finds those of the one before.
  EXPECT_THAT(load(words, 0x1), ElementsAre("r1024+4@122"));
}

// Of an L1's two ports; without an L1 there is the one way to memory.
TEST_F(SmPortTest, RequestsGoOutSeveralACycleWhereTheL1HasPorts) {
  ports = 2;
  for (const uint32_t requests : {0u, 64u}) {
    sm_requests = requests;
    make("none", true);
    EXPECT_THAT(load(words, 0x7), ElementsAre("r1024+4@100", "r1028+4@100", "r1032+4@101"));
    EXPECT_EQ(port->taken(), requests == 0 ? 21u : 2u);
    make("none", false);
    EXPECT_EQ(load(words, 0x7)[2], "r1032+4@102");
  }
}

TEST_F(SmPortTest, ARequestThatIsNotTakenYetHoldsThoseBehindIt) {
  for (const uint32_t requests : {0u, 64u}) {
    sm_requests = requests;
    make("none");
    memory.accepted_at = 110;
    EXPECT_THAT(load(words, 0x7), ElementsAre("r1024+4@100", "r1028+4@111", "r1032+4@112"));
    EXPECT_EQ(port->counters().requests, 3u);
    EXPECT_EQ(port->counters().stall_cycles, 12u);
    EXPECT_EQ(port->taken(), requests == 0 ? 32u : 13u);
    memory.accepted_at = 0;
    load(words, 0x1);
    EXPECT_EQ(port->counters().stall_cycles, 12u) << "a request that goes out at once";
    load(words);
    EXPECT_EQ(port->counters().stall_cycles, 12u + 31);
    EXPECT_EQ(port->counters().requests, 36u);
    port->reset();
    EXPECT_EQ(port->counters().requests, 0u);
  }
}

TEST_F(SmPortTest, OfAnL1WithPortsRequestsStandBehindOneThatIsNotTakenYet) {
  ports = 2;
  sm_requests = 64;
  make("none", true);
  memory.accepted_at = 105;
  EXPECT_THAT(load(words, 0xf),
              ElementsAre("r1024+4@100", "r1028+4@105", "r1032+4@106", "r1036+4@106"));
}

TEST_F(SmPortTest, WhatThePipelineHoldsForHasNoDataCycle) {
  make("none");
  load(words);
  EXPECT_EQ(port->data_cycle(), 0u);
  EXPECT_EQ(port->over(), 0u);
}

TEST_F(SmPortTest, LoadsOfTexturesAreRequestsOfTheirCacheForEachOfItsSectors) {
  has_textures = true;
  for (const char* const rule : {"none", "compute-2.0"}) {
    make(rule);
    port->set_textures({{0x400, 64}, {0x480, 0x80}});
    // 0x440 to 0x47f are no texture's.
    const auto others = rule == std::string("none") ? 16u : 2u;
    EXPECT_THAT(load(words), SizeIs(1 + others)) << rule;
    EXPECT_THAT(load([](uint32_t lane) { return 0x480 + 4 * lane; }),
                ElementsAre("r1152+64@102", "r1216+64@103"));
    EXPECT_EQ(texture->counters().reads, 3u);
    EXPECT_THAT(load([](uint32_t lane) { return 0x4fc - 4 * lane; }), IsEmpty());
    EXPECT_EQ(texture->counters().read_hits, 2u);
    load([](uint32_t) { return 0x500; });
    EXPECT_EQ(texture->counters().reads, 5u) << "behind its end";
    port->set_textures({});
    load(words);
    EXPECT_EQ(texture->counters().reads, 5u);
  }
}

TEST_F(SmPortTest, LoadsOfTexturesFindWhatTheirSmHasStored) {
  has_textures = true;
  for (const char* const rule : {"none", "compute-2.0"}) {
    make(rule);
    port->set_textures({{0x400, 0x200}});
    load(words);
    store(words, 0x0ff0);
    load(words);
    EXPECT_EQ(texture->counters().reads, 4u);
    EXPECT_EQ(texture->counters().read_hits, 1u) << rule;  // of the line without a store
  }
}

TEST_F(SmPortTest, TextureWhoseLastSectorIsNotAllMemoryIsReadLaneByLaneThere) {
  has_textures = true;
  memory.bytes.resize(0x420);
  make("none");
  port->set_textures({{0x400, 64}});
  load([](uint32_t lane) { return 0x400 + 4 * lane; }, 0xff);
  EXPECT_EQ(faulted, 32u);
  load([](uint32_t lane) { return 0x400 + 4 * lane; }, 0x1ff);
  EXPECT_EQ(faulted, 8u);
}

TEST_F(SmPortTest, RequestsOfTexturesAreAmongThoseThatWarpsWaitFor) {
  has_textures = true;
  sm_requests = 64;
  make("none");
  port->set_textures({{0x400, 0x200}});
  load(words);
  EXPECT_EQ(port->taken(), 2u);
  EXPECT_EQ(port->data_cycle(), 101u + 1 + 20);
}

TEST_F(SmPortTest, ATextureRequestThatItsCacheDoesNotTakeHoldsThoseBehindIt) {
  has_textures = true;
  texture_registers = 1;
  sm_requests = 64;
  make("none");
  port->set_textures({{0x400, 0x200}});
  load(words);
  EXPECT_EQ(port->taken(), 21u + 1 + 1);
}

// Memory ends at 4096: a request of 128 bytes beyond its end is refused, its lanes are not.
TEST_F(SmPortTest, TheLanesOfARequestThatIsRefusedComeOneByOne) {
  request_bytes = 128;
  memory.bytes.resize(4096 - 96);
  make("compute-2.0");
  EXPECT_THAT(load([](uint32_t lane) { return 3968 + 4 * lane; }, 0xff), SizeIs(1 + 8));
  EXPECT_EQ(faulted, 32u);
  load([](uint32_t lane) { return 3968 + 4 * lane; });
  EXPECT_EQ(faulted, 8u);
  memory.read_only = true;
  port->begin(100);
  port->announce(access(words, kAll, 4, true));
  EXPECT_EQ(port->write(words(0), "abcd", 4), FaultCause::kBusError);
}

}  // namespace
}  // namespace gvp::gpgpu::hierarchy
