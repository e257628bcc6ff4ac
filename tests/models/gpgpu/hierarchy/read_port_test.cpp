// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/read_port.h"

#include <gmock/gmock.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "models/gpgpu/hierarchy/settings.h"
#include "tests/models/cache/reference_cache.h"
#include "tests/models/gpgpu/hierarchy/plain_memory.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::hierarchy {
namespace {

using testing::ElementsAre;

constexpr uint64_t kLatency = 20;

struct Port {
  explicit Port(const cache::Settings& settings)
      : memory(1 << 16, kLatency), port(settings, "gpgpu.instruction_cache", memory) {
    for (size_t i = 0; i < memory.bytes.size(); ++i)
      memory.bytes[i] = static_cast<uint8_t>(i * 7 + i / 256);
  }
  // Cycles beyond one a line, of a read that comes in this cycle.
  uint32_t read(uint32_t address, uint32_t bytes, uint64_t cycle) {
    std::vector<uint8_t> data(bytes);
    port.begin(cycle);
    EXPECT_EQ(port.read(address, data.data(), bytes), FaultCause::kNone);
    for (uint32_t i = 0; i < bytes; ++i) EXPECT_EQ(data[i], memory.bytes[address + i]);
    return port.waited();
  }
  PlainMemory memory;
  ReadPort port;
};

TEST(ReadPort, AHitCostsNothingAMissTheNextLevelsTime) {
  Port port(read_cache(4, 32, 2));
  EXPECT_EQ(port.read(8, 8, 100), kLatency);
  EXPECT_THAT(port.memory.take_asked(), ElementsAre("r0+32@101"));
  EXPECT_EQ(port.read(16, 8, 200), 0u);
  EXPECT_THAT(port.memory.take_asked(), ElementsAre());
}

TEST(ReadPort, TheSecondLineIsAskedForWhenTheFirstIsThere) {
  Port port(read_cache(4, 32, 2));
  EXPECT_EQ(port.read(28, 8, 100), 2 * kLatency);
  EXPECT_THAT(port.memory.take_asked(), ElementsAre("r0+32@101", "r32+32@122"));
  EXPECT_EQ(port.read(28, 8, 300), 0u);
  EXPECT_EQ(port.port.cache().counters().reads, 4u);
}

TEST(ReadPort, LaterHitsAndMissesTakeTheirHitCycles) {
  cache::Settings settings = read_cache(4, 32, 2);
  settings.hit_cycles = 5;
  Port port(settings);
  EXPECT_EQ(port.read(0, 4, 100), 4 + kLatency);
  EXPECT_EQ(port.read(0, 4, 200), 4u);
}

TEST(ReadPort, ReadsSinceTheBeginningComeOneAfterTheOther) {
  Port port(read_cache(4, 32, 2));
  uint32_t word;
  port.port.begin(100);
  for (const uint32_t address : {0u, 4u, 64u})
    EXPECT_EQ(port.port.read(address, &word, 4), FaultCause::kNone);
  EXPECT_EQ(port.port.waited(), 2 * kLatency);
  EXPECT_THAT(port.memory.take_asked(), ElementsAre("r0+32@101", "r64+32@123"));
}

TEST(ReadPort, AKernelFindsItEmpty) {
  Port port(read_cache(4, 32, 2));
  port.read(0, 4, 100);
  port.port.reset();
  EXPECT_EQ(port.port.cache().counters().reads, 0u);
  EXPECT_EQ(port.read(0, 4, 3), kLatency);
}

TEST(ReadPort, WhatTheNextLevelRefusesIsRefused) {
  Port port(read_cache(4, 32, 2));
  uint32_t word;
  port.port.begin(0);
  EXPECT_EQ(port.port.read(1 << 16, &word, 4), FaultCause::kBusError);
}

TEST(ReadPort, HitsAreThoseOfTheReferenceCache) {
  const uint32_t seed = test::seed(2718);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::minstd_rand random(seed);
  for (const char* const replacement : {"lru", "fifo", "random"})
    for (const uint32_t sets : {1u, 4u, 16u})
      for (const uint32_t ways : {1u, 3u}) {
        cache::Settings settings = read_cache(sets, 64, ways);
        settings.replacement = replacement;
        settings.seed = 5;
        Port port(settings);
        test::ReferenceCache reference(sets, ways, 64, replacement, 5);
        uint32_t pc = 0;
        uint64_t reads = 0;
        uint64_t hits = 0;
        for (unsigned n = 0; n < 5000; ++n) {
          if (random() % 5 == 0) pc = random() % 1024 * 4;  // a branch
          const uint32_t bytes = random() % 2 == 0 ? 4 : 8;
          std::array<uint8_t, 8> data;
          port.port.begin(n);
          ASSERT_EQ(port.port.read(pc, data.data(), bytes), FaultCause::kNone);
          for (uint32_t line = pc / 64; line <= (pc + bytes - 1) / 64; ++line) {
            ++reads;
            hits += reference.access(line * 64, true, false).hit ? 1 : 0;
          }
          pc += bytes;
        }
        SCOPED_TRACE(replacement + std::to_string(sets) + "x" + std::to_string(ways));
        EXPECT_EQ(port.port.cache().counters().reads, reads);
        EXPECT_EQ(port.port.cache().counters().read_hits, hits);
      }
}

}  // namespace
}  // namespace gvp::gpgpu::hierarchy
