// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/hierarchy/cache_level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/gpgpu/hierarchy/plain_memory.h"

namespace gvp::gpgpu::hierarchy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CacheLevelTest : public testing::Test {
 protected:
  static constexpr uint64_t kLatency = 20;

  CacheLevelTest() {
    settings.sets = 4;
    settings.ways = 2;
    for (uint32_t i = 0; i < memory.bytes.size(); ++i)
      memory.bytes[i] = static_cast<uint8_t>(i * 7 + i / 256);
  }
  void make() {
    level = std::make_unique<CacheLevel>(settings, "gpgpu.l1", memory);
    level->begin();
  }
  // When the answer is there.
  uint64_t read(uint32_t address, uint64_t cycle, uint32_t bytes = 4) {
    uint8_t data[256] = {};
    cause = level->read(address, data, bytes, cycle);
    if (cause == FaultCause::kNone) std::memcpy(&word, data, 4);
    return cycle;
  }
  uint64_t write(uint32_t address, uint32_t value, uint64_t cycle) {
    uint8_t data[4];
    std::memcpy(data, &value, 4);
    cause = level->write(address, data, 4, cycle);
    return cycle;
  }
  uint32_t in_memory(uint32_t address) const {
    uint32_t value = 0;
    std::memcpy(&value, &memory.bytes[address], 4);
    return value;
  }

  cache::Settings settings;
  PlainMemory memory{4096, kLatency};
  std::unique_ptr<CacheLevel> level;
  FaultCause cause = FaultCause::kNone;
  uint32_t word = 0;
};

TEST_F(CacheLevelTest, MissTakesALookUpAndTheNextLevelHitALookUp) {
  settings.hit_cycles = 3;
  make();
  EXPECT_EQ(read(0x104, 100), 100 + 3 + kLatency);
  EXPECT_EQ(word, in_memory(0x104));
  EXPECT_THAT(memory.take_asked(), ElementsAre("r256+128@103"));
  EXPECT_EQ(read(0x108, 500), 503u);
  EXPECT_EQ(word, in_memory(0x108));
  EXPECT_THAT(memory.take_asked(), IsEmpty());
}

TEST_F(CacheLevelTest, OneRequestIsTakenACycle) {
  make();
  read(0x100, 0);
  EXPECT_EQ(read(0x100, 100), 101u);
  EXPECT_EQ(read(0x104, 100), 102u);
  EXPECT_EQ(read(0x108, 100), 103u);
}

TEST_F(CacheLevelTest, AsManyRequestsAreTakenACycleAsThereArePorts) {
  settings.ports = 2;
  make();
  read(0x100, 0);
  EXPECT_EQ(read(0x100, 100), 101u);
  EXPECT_EQ(read(0x104, 100), 101u);
  EXPECT_EQ(read(0x108, 100), 102u);
  EXPECT_EQ(read(0x10c, 100), 102u);
  EXPECT_EQ(read(0x110, 101), 103u);
  EXPECT_EQ(read(0x110, 110), 111u);
}

TEST_F(CacheLevelTest, RequestsForALineOnItsWayWaitForItAndAreAnsweredOneACycle) {
  make();
  EXPECT_EQ(read(0x100, 0), 21u);
  EXPECT_EQ(read(0x104, 1), 22u);
  EXPECT_EQ(read(0x108, 2), 23u);
  EXPECT_EQ(level->misses().merged, 2u);
  EXPECT_EQ(memory.reads, 1u);
}

TEST_F(CacheLevelTest, FullRegisterMakesARequestWaitUntilItIsFree) {
  settings.miss_requests = 2;
  make();
  read(0x100, 0);
  EXPECT_EQ(read(0x104, 1), 22u);
  EXPECT_EQ(level->accepted(), 1u);
  EXPECT_EQ(read(0x108, 2), 23u);  // the register is free after its last answer
  EXPECT_EQ(level->accepted(), 23u);
  EXPECT_EQ(level->misses().entry_full, 1u);
}

TEST_F(CacheLevelTest, WithoutAFreeRegisterAMissWaitsForTheFirst) {
  settings.miss_registers = 1;
  make();
  EXPECT_EQ(read(0x100, 0), 21u);
  memory.take_asked();
  EXPECT_EQ(read(0x200, 1), 22u + 1 + kLatency);
  EXPECT_EQ(level->accepted(), 22u);
  EXPECT_THAT(memory.take_asked(), ElementsAre("r512+128@23"));
  EXPECT_EQ(level->misses().no_entry, 1u);
  EXPECT_EQ(level->misses().most_in_use, 1u);
}

TEST_F(CacheLevelTest, WithoutRegistersEachRequestWaitsForTheOneBefore) {
  settings.miss_registers = 0;
  make();
  EXPECT_EQ(read(0x100, 0), 21u);
  EXPECT_EQ(read(0x104, 1), 22u);
  EXPECT_EQ(read(0x300, 1), 22u + 1 + kLatency);
  EXPECT_EQ(level->misses().fetches, 0u);
}

TEST_F(CacheLevelTest, SectorsAreFetchedByThemselves) {
  settings.sector_bytes = 32;
  make();
  read(0x124, 0);
  read(0x100, 100, 128);
  EXPECT_THAT(memory.take_asked(), ElementsAre("r288+32@1", "r256+32@101", "r320+64@121"));
  EXPECT_EQ(word, in_memory(0x100));
}

TEST_F(CacheLevelTest, AccessOverALineIsSeveral) {
  settings.line_bytes = settings.sector_bytes = 32;
  make();
  read(0x100, 0, 128);
  EXPECT_EQ(memory.reads, 4u);
  EXPECT_EQ(level->counters().reads, 4u);
}

TEST_F(CacheLevelTest, WriteEvictGoesToMemoryAndIsReadFromThere) {
  make();
  read(0x100, 0);
  write(0x104, 0x12345678, 100);
  EXPECT_EQ(in_memory(0x104), 0x12345678u);
  read(0x104, 200);
  EXPECT_EQ(word, 0x12345678u);
  EXPECT_EQ(memory.reads, 2u);
}

TEST_F(CacheLevelTest, WriteThroughChangesLineAndMemory) {
  settings.write = "write-through";
  make();
  read(0x100, 0);
  write(0x104, 0x12345678, 100);
  EXPECT_EQ(in_memory(0x104), 0x12345678u);
  read(0x104, 200);
  EXPECT_EQ(word, 0x12345678u);
  EXPECT_EQ(memory.reads, 1u);
}

TEST_F(CacheLevelTest, WriteBackReachesMemoryWhenTheLineGoes) {
  settings.write = "write-back";
  settings.write_allocate = true;
  make();
  const uint32_t before = in_memory(0x104);
  write(0x104, 0x12345678, 0);
  EXPECT_EQ(in_memory(0x104), before);
  memory.take_asked();
  read(0x100 + 0x200, 100);
  read(0x100 + 0x400, 200);
  EXPECT_EQ(in_memory(0x104), 0x12345678u);
  EXPECT_THAT(memory.take_asked(), ElementsAre("r768+128@101", "w260+4@201", "r1280+128@221"));
}

TEST_F(CacheLevelTest, CleaningWritesRunsOfDirtyBytesAndNothingTwice) {
  settings.write = "write-back";
  settings.write_allocate = true;
  make();
  for (uint32_t i = 0; i < 3; ++i) write(0x108 + 4 * i, i, 100 * i);
  uint8_t byte = 0x5a;
  uint64_t cycle = 900;
  level->write(0x121, &byte, 1, cycle);
  memory.take_asked();
  cycle = 1000;
  EXPECT_EQ(level->clean(cycle), FaultCause::kNone);
  EXPECT_THAT(memory.take_asked(), ElementsAre("w264+12@1000", "w289+1@1020"));
  EXPECT_EQ(cycle, 1040u);
  level->clean(cycle);
  EXPECT_THAT(memory.take_asked(), IsEmpty());
}

TEST_F(CacheLevelTest, TwoCachesThatWriteOneLineSpoilNothingOfEachOthers) {
  settings.write = "write-back";
  settings.write_allocate = true;
  make();
  CacheLevel other(settings, "gpgpu.l1", memory);
  write(0x100, 1, 0);
  uint64_t cycle = 0;
  const uint8_t two[4] = {2, 0, 0, 0};
  other.write(0x104, two, 4, cycle);
  level->clean(cycle);
  other.clean(cycle);
  EXPECT_EQ(in_memory(0x100), 1u);
  EXPECT_EQ(in_memory(0x104), 2u);
}

TEST_F(CacheLevelTest, KernelFindsNothingOfTheOneBefore) {
  make();
  read(0x100, 0);
  memory.bytes[0x100] ^= 0xff;
  level->begin();
  read(0x100, 0);
  EXPECT_EQ(word, in_memory(0x100));
  EXPECT_EQ(level->counters().reads, 1u);
}

TEST_F(CacheLevelTest, LineThatIsNotAllMemoryIsAccessedPastTheCache) {
  memory.bytes.resize(0x1c0);  // ends in the middle of a line
  make();
  EXPECT_EQ(read(0x1bc, 0) > 0, true);
  EXPECT_EQ(cause, FaultCause::kNone);
  EXPECT_EQ(word, in_memory(0x1bc));
  read(0x1c0, 100);
  EXPECT_EQ(cause, FaultCause::kBusError);
}

TEST_F(CacheLevelTest, DirtySectorsSurviveThatAnotherOneCannotBeFetched) {
  settings.write = "write-back";
  settings.write_allocate = true;
  settings.sector_bytes = 32;
  memory.bytes.resize(0x1a0);
  make();
  write(0x180, 77, 0);
  read(0x1a0, 100);
  EXPECT_EQ(cause, FaultCause::kBusError);
  EXPECT_EQ(in_memory(0x180), 77u);
}

TEST_F(CacheLevelTest, RefusedWriteBackIsTold) {
  settings.write = "write-back";
  settings.write_allocate = true;
  make();
  write(0x100, 1, 0);
  memory.read_only = true;
  uint64_t cycle = 0;
  EXPECT_EQ(level->clean(cycle), FaultCause::kBusError);
}

}  // namespace
}  // namespace gvp::gpgpu::hierarchy
