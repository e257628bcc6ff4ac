// SPDX-License-Identifier: Apache-2.0
#include "models/cache/cache.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/base/error.h"

namespace gvp::cache {
namespace {

// Four sets of two ways, lines of 128 bytes in four sectors.
Settings small() {
  Settings s;
  s.sets = 4;
  s.ways = 2;
  s.sector_bytes = 32;
  return s;
}

// Addresses of one set are so far apart.
constexpr uint64_t kSame = 4 * 128;

TEST(CacheReads, MissFetchesTheSectorAndHitsFromThenOn) {
  Cache cache(small(), "cache");
  const Outcome miss = cache.read(0x104, 4);
  EXPECT_FALSE(miss.hit);
  EXPECT_EQ(miss.fetch, 0b0001u);
  EXPECT_TRUE(miss.in_frame);
  const Outcome hit = cache.read(0x11c, 4);
  EXPECT_TRUE(hit.hit);
  EXPECT_EQ(hit.fetch, 0u);
  EXPECT_EQ(hit.frame, miss.frame);
  EXPECT_EQ(cache.counters().read_hits, 1u);
  EXPECT_EQ(cache.counters().misses(), 1u);
  EXPECT_EQ(cache.counters().fetched_bytes, 32u);
}

TEST(CacheReads, SectorOfALineThatIsThereIsASectorMissAndEvictsNothing) {
  Cache cache(small(), "cache");
  const uint32_t frame = cache.read(0x100, 4).frame;
  const Outcome outcome = cache.read(0x160, 4);
  EXPECT_FALSE(outcome.hit);
  EXPECT_EQ(outcome.frame, frame);
  EXPECT_EQ(outcome.fetch, 0b1000u);
  EXPECT_EQ(cache.counters().sector_misses, 1u);
  EXPECT_EQ(cache.counters().evictions, 0u);
}

TEST(CacheReads, AccessOverSeveralSectorsFetchesThoseThatAreMissing) {
  Cache cache(small(), "cache");
  cache.read(0x120, 4);
  const Outcome outcome = cache.read(0x100, 128);
  EXPECT_EQ(outcome.fetch, 0b1101u);
  EXPECT_EQ(cache.counters().fetched_bytes, 32u + 96u);
}

TEST(CacheReads, AccessBeyondItsLineIsRefused) {
  Cache cache(small(), "cache");
  EXPECT_THROW(cache.read(0x17c, 8), Error);
  EXPECT_THROW(cache.write(0x100, 0), Error);
}

TEST(CacheReplacement, LruEvictsTheLineUsedLongestAgo) {
  Cache cache(small(), "cache");
  cache.read(0 * kSame, 4);
  cache.read(1 * kSame, 4);
  cache.read(0 * kSame, 4);
  EXPECT_EQ(cache.read(2 * kSame, 4).victim.address, 1 * kSame);
  EXPECT_EQ(cache.counters().evictions, 1u);
}

TEST(CacheReplacement, FifoEvictsTheLineThatCameFirstUsedOrNot) {
  Settings s = small();
  s.replacement = "fifo";
  Cache cache(s, "cache");
  cache.read(1 * kSame, 4);
  cache.read(0 * kSame, 4);
  cache.read(1 * kSame, 4);
  EXPECT_EQ(cache.read(2 * kSame, 4).victim.address, 1 * kSame);
}

TEST(CacheReplacement, RandomIsTheSameForTheSameSeedAndDiffersForAnother) {
  const auto victims = [](uint32_t seed) {
    Settings s = small();
    s.replacement = "random";
    s.seed = seed;
    Cache cache(s, "cache");
    std::vector<uint64_t> addresses;
    for (uint64_t i = 0; i < 64; ++i) addresses.push_back(cache.read(i * kSame, 4).victim.address);
    return addresses;
  };
  EXPECT_EQ(victims(3), victims(3));
  EXPECT_NE(victims(3), victims(4));
}

TEST(CacheWrites, WriteEvictDropsTheLineAndGoesOn) {
  Cache cache(small(), "cache");
  cache.read(0x100, 4);
  const Outcome outcome = cache.write(0x104, 4);
  EXPECT_TRUE(outcome.hit);
  EXPECT_TRUE(outcome.pass_on);
  EXPECT_FALSE(outcome.in_frame);
  EXPECT_FALSE(cache.read(0x100, 4).hit);
  EXPECT_EQ(cache.counters().write_evicts, 1u);
}

TEST(CacheWrites, WriteEvictDropsALineOfWhichAnotherSectorIsThere) {
  Cache cache(small(), "cache");
  cache.read(0x100, 4);
  EXPECT_FALSE(cache.write(0x160, 4).hit);
  EXPECT_EQ(cache.counters().write_evicts, 1u);
  EXPECT_FALSE(cache.read(0x100, 4).hit);
}

TEST(CacheWrites, WriteThroughChangesTheLineAndGoesOn) {
  Settings s = small();
  s.write = "write-through";
  Cache cache(s, "cache");
  cache.read(0x100, 4);
  const Outcome outcome = cache.write(0x104, 4);
  EXPECT_TRUE(outcome.hit && outcome.in_frame && outcome.pass_on);
  EXPECT_EQ(cache.tags().line(outcome.frame).dirty, 0u);
  EXPECT_TRUE(cache.read(0x104, 4).hit);
  EXPECT_EQ(cache.counters().bytes_passed_on, 4u);
}

TEST(CacheWrites, WriteBackKeepsTheWriteUntilTheLineIsEvicted) {
  Settings s = small();
  s.write = "write-back";
  Cache cache(s, "cache");
  cache.read(0, 4);
  cache.read(32, 4);
  const Outcome write = cache.write(36, 4);
  EXPECT_TRUE(write.hit && write.in_frame);
  EXPECT_FALSE(write.pass_on);
  cache.read(1 * kSame, 4);
  const Outcome evicting = cache.read(2 * kSame, 4);
  EXPECT_EQ(evicting.victim.address, 0u);
  EXPECT_EQ(evicting.victim.dirty, 0b0010u);
  EXPECT_EQ(cache.counters().write_backs, 1u);
  EXPECT_EQ(cache.counters().write_back_bytes, 32u);
}

TEST(CacheWrites, MissWithoutAllocationGoesOnAndTakesNoLine) {
  for (const char* policy : {"write-through", "write-back", "write-evict"}) {
    Settings s = small();
    s.write = policy;
    Cache cache(s, "cache");
    const Outcome outcome = cache.write(0x100, 4);
    EXPECT_TRUE(!outcome.hit && outcome.pass_on && !outcome.in_frame) << policy;
    EXPECT_EQ(outcome.frame, Tags::kNoFrame) << policy;
    EXPECT_FALSE(cache.read(0x100, 4).hit) << policy;
  }
}

TEST(CacheWrites, MissWithAllocationFetchesWhatItDoesNotFill) {
  Settings s = small();
  s.write = "write-back";
  s.write_allocate = true;
  Cache cache(s, "cache");
  const Outcome part = cache.write(0x104, 4);
  EXPECT_EQ(part.fetch, 0b0001u);
  EXPECT_FALSE(part.pass_on);
  const Outcome whole = cache.write(0x120, 32);
  EXPECT_FALSE(whole.hit);
  EXPECT_EQ(whole.fetch, 0u);
  EXPECT_EQ(cache.tags().line(whole.frame).dirty, 0b0011u);
  EXPECT_TRUE(cache.read(0x120, 32).hit);
  // Begins and ends in the middle of sectors: the one between needs no fetch.
  EXPECT_EQ(cache.write(0x200 + 16, 64).fetch, 0b0101u);
}

TEST(CacheWrites, WriteBackToAMissingSectorWithoutAllocationGoesOn) {
  Settings s = small();
  s.write = "write-back";
  Cache cache(s, "cache");
  cache.read(0x100, 4);
  const Outcome outcome = cache.write(0x120, 4);
  EXPECT_FALSE(outcome.hit);
  EXPECT_TRUE(outcome.pass_on);
  EXPECT_EQ(cache.tags().line(outcome.frame).dirty, 0u);
  EXPECT_EQ(cache.tags().line(outcome.frame).valid, 0b0001u);
}

TEST(CacheCleaning, EachDirtyLineIsWrittenBackOnceAndStays) {
  Settings s = small();
  s.write = "write-back";
  s.write_allocate = true;
  Cache cache(s, "cache");
  cache.write(0x0, 4);
  cache.write(0x80, 4);
  cache.read(0x100, 4);
  std::vector<uint64_t> written;
  const auto write_back = [&](uint32_t, const Line& line) { written.push_back(line.address); };
  cache.clean(write_back);
  EXPECT_EQ(written, (std::vector<uint64_t>{0x0, 0x80}));
  cache.clean(write_back);
  EXPECT_EQ(written.size(), 2u);
  EXPECT_EQ(cache.counters().write_backs, 2u);
  EXPECT_TRUE(cache.read(0x0, 4).hit);
}

TEST(CacheCleaning, InvalidationForgetsEveryLine) {
  Cache cache(small(), "cache");
  cache.read(0x100, 4);
  cache.invalidate();
  EXPECT_FALSE(cache.read(0x100, 4).hit);
}

TEST(CacheCleaning, DroppedLineTellsWhatWasDirty) {
  Settings s = small();
  s.write = "write-back";
  s.write_allocate = true;
  Cache cache(s, "cache");
  cache.write(0x144, 4);
  const Line line = cache.drop(0x100);
  EXPECT_EQ(line.address, 0x100u);
  EXPECT_EQ(line.dirty, 0b0100u);
  EXPECT_EQ(cache.drop(0x100).valid, 0u);
  EXPECT_FALSE(cache.read(0x144, 4).hit);
}

}  // namespace
}  // namespace gvp::cache
