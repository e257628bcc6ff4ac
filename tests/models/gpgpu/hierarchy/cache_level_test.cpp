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

TEST_F(CacheLevelTest, AnswerOfAHitThatIsNotTakenHoldsTheRequestsBehindIt) {
  settings.hit_cycles = 2;
  make();
  read(0x100, 0);
  EXPECT_EQ(read(0x104, 100), 102u);
  level->answer_taken(102);  // at once
  EXPECT_EQ(read(0x104, 101), 103u);
  level->answer_taken(150);
  EXPECT_EQ(read(0x104, 102), 151u);
  EXPECT_EQ(level->accepted(), 149u);
  write(0x104, 1, 200);
  level->answer_taken(300);
  EXPECT_EQ(read(0x180, 201), 299 + 2 + kLatency);
}

TEST_F(CacheLevelTest, AnswerThatIsTakenAtOnceHoldsNothing) {
  settings.ports = 2;
  make();
  read(0x100, 0);
  level->answer_taken(read(0x104, 100));
  EXPECT_EQ(read(0x104, 100), 101u);
  settings.write = "write-back";
  make();
  read(0x100, 0);
  level->answer_taken(write(0x104, 1, 100));
  EXPECT_EQ(read(0x104, 100), 101u);
}

// Not the requests for what is there.
TEST_F(CacheLevelTest, AnswerOfAMissThatIsNotTakenKeepsItsRegister) {
  settings.miss_registers = 1;
  settings.miss_requests = 2;
  make();
  read(0x100, 0);
  EXPECT_EQ(read(0x180, 100), 121u);
  level->answer_taken(150);
  EXPECT_EQ(read(0x100, 101), 102u);
  EXPECT_EQ(read(0x184, 102), 151u);  // behind it
  level->answer_taken(170);
  EXPECT_EQ(read(0x200, 103), 171 + 1 + kLatency);
}

TEST_F(CacheLevelTest, SoDoesThatOfAWriteThatFetchesItsLine) {
  settings.write = "write-back";
  settings.write_allocate = true;
  make();
  read(0x100, 0);
  EXPECT_EQ(write(0x184, 1, 100), 121u);
  level->answer_taken(150);
  EXPECT_EQ(read(0x100, 101), 102u);
  EXPECT_EQ(read(0x184, 102), 151u);
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
  EXPECT_THAT(memory.take_asked(), ElementsAre("r768+128@101", "r1280+128@201", "w260+4@201"));
}

TEST_F(CacheLevelTest, FetchThatEvictsADirtyLineTakesNoLongerThanAnother) {
  settings.write = "write-back";
  settings.write_allocate = true;
  make();
  write(0x100, 1, 0);
  EXPECT_EQ(read(0x300, 100), 101 + kLatency);
  EXPECT_EQ(read(0x500, 200), 201 + kLatency);
}

TEST_F(CacheLevelTest, WithoutAWriteBufferAFetchWaitsUntilTheLineBeforeItIsWritten) {
  settings.write = "write-back";
  settings.write_allocate = true;
  settings.write_buffer = 0;
  make();
  write(0x104, 1, 0);
  read(0x300, 100);
  memory.take_asked();
  EXPECT_EQ(read(0x500, 200), 221 + kLatency);
  EXPECT_THAT(memory.take_asked(), ElementsAre("w260+4@201", "r1280+128@221"));
}

TEST_F(CacheLevelTest, FullWriteBufferHoldsTheFetchUntilTheNextLevelHasTakenALine) {
  settings.write = "write-back";
  settings.write_allocate = true;
  settings.ways = 1;
  settings.write_buffer = 1;
  make();
  write(0x100, 1, 0);
  write(0x180, 2, 100);
  memory.accepted_at = 250;
  read(0x300, 200);
  memory.take_asked();
  EXPECT_EQ(read(0x380, 201), 251 + kLatency);
  EXPECT_THAT(memory.take_asked(), ElementsAre("r896+128@251", "w384+4@251"));
}

TEST_F(CacheLevelTest, RequestThatFindsTheMissQueueFullWaitsAtTheEntrance) {
  for (const bool reads : {false, true}) {
    settings.miss_queue = 1;
    make();
    const auto ask = [&](uint32_t address, uint64_t cycle) {
      if (reads)
        read(address, cycle);
      else
        write(address, 1, cycle);
    };
    memory.accepted_at = 110;
    ask(0x100, 100);
    EXPECT_EQ(level->accepted(), 100u);
    ask(0x200, 101);
    EXPECT_EQ(level->accepted(), 110u);
    ask(0x300, 102);  // behind it; the next level takes all at once now
    EXPECT_EQ(level->accepted(), 111u);
    const std::string size = reads ? "+128@" : "+4@", kind = reads ? "r" : "w";
    EXPECT_THAT(memory.take_asked(),
                ElementsAre(kind + "256" + size + "101", kind + "512" + size + "111",
                            kind + "768" + size + "112"));
    memory.accepted_at = 0;
    settings.miss_queue = 2;
    make();
    memory.accepted_at = 110;
    ask(0x100, 100);
    ask(0x200, 101);
    EXPECT_EQ(level->accepted(), 101u);
    memory.accepted_at = 0;
    memory.take_asked();
  }
}

TEST_F(CacheLevelTest, HitsStandBehindARequestThatWaitsForTheMissQueue) {
  settings.miss_queue = 1;
  make();
  read(0x100, 0);
  memory.accepted_at = 110;
  read(0x200, 100);
  read(0x280, 101);
  EXPECT_EQ(read(0x104, 102), 112u);
}

TEST_F(CacheLevelTest, KernelFindsQueueAndWriteBufferEmpty) {
  settings.write = "write-back";
  settings.write_allocate = true;
  settings.ways = 1;
  settings.miss_queue = settings.write_buffer = 1;
  make();
  memory.accepted_at = 5000;
  write(0x100, 1, 0);
  read(0x300, 100);
  level->begin();
  memory.accepted_at = 0;
  write(0x100, 1, 0);
  memory.take_asked();
  read(0x300, 100);
  EXPECT_THAT(memory.take_asked(), ElementsAre("r768+128@101", "w256+4@101"));
}

TEST_F(CacheLevelTest, WriteThatDropsALineOnItsWayGoesOnWhenItHasCome) {
  make();
  read(0x100, 0);
  write(0x104, 7, 1);
  EXPECT_THAT(memory.take_asked(), ElementsAre("r256+128@1", "w260+4@22"));
}

TEST_F(CacheLevelTest, WriteThatFetchesTakesAMissRegister) {
  settings.write = "write-back";
  settings.write_allocate = true;
  settings.miss_registers = 1;
  make();
  EXPECT_EQ(write(0x100, 1, 0), 21u);
  EXPECT_EQ(write(0x200, 2, 1), 22u + 1 + kLatency);
  EXPECT_EQ(level->misses().no_entry, 1u);
}

TEST_F(CacheLevelTest, WritesAndReadsOfALineOnItsWayAreMerged) {
  settings.write = "write-back";
  settings.write_allocate = true;
  make();
  EXPECT_EQ(write(0x100, 1, 0), 21u);
  write(0x104, 2, 1);
  EXPECT_EQ(read(0x104, 2), 23u);
  EXPECT_EQ(word, 2u);
  EXPECT_EQ(level->misses().merged, 2u);
  EXPECT_EQ(memory.reads, 1u);
}

TEST_F(CacheLevelTest, WriteWithStrobesChangesTheirBytesAndFetchesWhatItDoesNotFill) {
  settings.write = "write-back";
  settings.write_allocate = true;
  settings.sector_bytes = 32;
  make();
  const std::vector<uint8_t> before = memory.bytes;
  std::array<uint8_t, 96> data;
  data.fill(0xee);
  LineBytes strobes;  // all of the middle sector, a byte of the first, none of the last
  for (uint32_t i = 28; i < 60; ++i) strobes.set(i);
  strobes.set(5);
  uint64_t cycle = 0;
  EXPECT_EQ(level->write_strobed(0x104, data.data(), 88, &strobes, cycle), FaultCause::kNone);
  EXPECT_THAT(memory.take_asked(), ElementsAre("r256+32@1", "r320+32@21"));
  for (uint32_t i = 0; i < 88; ++i) {
    read(0x104 + i, 100 + i, 1);
    EXPECT_EQ(word & 0xffu, strobes[i] ? 0xeeu : before[0x104 + i]) << i;
  }
  EXPECT_EQ(memory.bytes, before);
  level->clean(cycle);
  for (uint32_t i = 0; i < 88; ++i)
    EXPECT_EQ(memory.bytes[0x104 + i], strobes[i] ? 0xeeu : before[0x104 + i]) << i;
}

TEST_F(CacheLevelTest, StrobesGoOnWithAWriteAndOverLines) {
  settings.line_bytes = settings.sector_bytes = 32;
  make();
  std::array<uint8_t, 40> data = {};
  LineBytes strobes;
  strobes.set(3);
  strobes.set(39);
  uint64_t cycle = 0;
  EXPECT_EQ(level->write_strobed(0x118, data.data(), 40, &strobes, cycle), FaultCause::kNone);
  EXPECT_THAT(memory.take_asked(),
              ElementsAre("w280+8@1 00010000", "w288+32@2 00000000000000000000000000000001"));
  EXPECT_EQ(level->counters().bytes_passed_on, 2u);
}

TEST_F(CacheLevelTest, CleaningWritesDirtyBytesOnceAndNothingTwice) {
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
  EXPECT_THAT(memory.take_asked(), ElementsAre("w264+28@1000 1111111111110000000000000100"));
  EXPECT_EQ(cycle, 1020u);
  level->clean(cycle);
  EXPECT_THAT(memory.take_asked(), IsEmpty());
}

TEST_F(CacheLevelTest, CleaningHasAsManyLinesUnderWayAsTheWriteBuffer) {
  settings.write = "write-back";
  settings.write_allocate = true;
  for (const uint32_t places : {0u, 1u, 8u}) {
    settings.write_buffer = places;
    make();
    for (uint32_t i = 0; i < 4; ++i) write(0x100 + 128 * i, i, 100 * i);
    memory.take_asked();
    uint64_t cycle = 1000;
    memory.accepted_at = 1009;
    level->clean(cycle);
    memory.accepted_at = 0;
    EXPECT_EQ(cycle, places == 0 ? 1080u : places == 1 ? 1030u + 2 : 1023u) << places;
  }
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
