// SPDX-License-Identifier: Apache-2.0
// Random traffic of two SMs through two caches and a shared one: nothing is lost, nothing is made
// up, whatever the settings.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "models/gpgpu/hierarchy/cache_level.h"
#include "tests/models/gpgpu/hierarchy/plain_memory.h"
#include "tests/support/seed.h"

namespace gvp::gpgpu::hierarchy {
namespace {

constexpr uint32_t kBytes = 1 << 14;

cache::Settings random_settings(std::minstd_rand& random, const char* who) {
  const auto one_of = [&](std::initializer_list<uint32_t> values) {
    return *(values.begin() + random() % values.size());
  };
  cache::Settings s;
  s.sets = one_of({1, 2, 8, 32});
  s.ways = one_of({1, 2, 3, 4});
  s.line_bytes = one_of({32, 64, 128, 256});
  s.sector_bytes = std::min(s.line_bytes, one_of({32, 64, 256}));
  const char* const replacements[] = {"lru", "fifo", "random"};
  const char* const writes[] = {"write-through", "write-back", "write-evict"};
  s.replacement = replacements[random() % 3];
  s.write = writes[random() % 3];
  s.write_allocate = s.write != "write-evict" && random() % 2 == 0;
  s.miss_registers = one_of({0, 1, 2, 8});
  s.miss_requests = one_of({1, 2, 8});
  s.hit_cycles = one_of({1, 3});
  s.write_buffer = one_of({0, 1, 4});
  s.miss_queue = one_of({1, 2, 8});
  SCOPED_TRACE(who);
  cache::validate(s, who);
  return s;
}

// What a level was asked for is a hit or a miss; what it asked for is what it misses, passes on and
// writes back.
void expect_conserved(const CacheLevel& level) {
  const cache::Counters& c = level.counters();
  EXPECT_LE(c.read_hits, c.reads);
  EXPECT_LE(c.write_hits, c.writes);
  EXPECT_LE(c.fetches, c.misses());
  EXPECT_GE(c.fetches, c.reads - c.read_hits);
  EXPECT_EQ(level.waiting(), 0u);
  EXPECT_EQ(level.misses().answers, level.misses().fetches + level.misses().merged);
}

TEST(HierarchyConservation, NothingIsLostInRandomTraffic) {
  const uint32_t seed = test::seed(504);
  std::minstd_rand random(seed);
  for (unsigned round = 0; round < 200; ++round) {
    SCOPED_TRACE(fmt::format("{}, round {}", test::text_of_seed(seed), round));
    PlainMemory memory(kBytes, 1 + random() % 30);
    for (uint8_t& byte : memory.bytes) byte = static_cast<uint8_t>(random());
    std::vector<uint8_t> expected = memory.bytes;
    CacheLevel l2(random_settings(random, "gpgpu.l2"), "gpgpu.l2", memory);
    const bool has_l2 = random() % 2 == 0;
    MemoryLevel& below = has_l2 ? static_cast<MemoryLevel&>(l2) : memory;
    const cache::Settings settings = random_settings(random, "gpgpu.l1");
    CacheLevel sm0(settings, "gpgpu.l1", below), sm1(settings, "gpgpu.l1", below);
    CacheLevel* const l1[] = {&sm0, &sm1};
    l2.begin();
    for (CacheLevel* each : l1) each->begin();
    uint64_t cycles[2] = {};
    uint64_t asked[2] = {};
    for (unsigned i = 0; i < 3000; ++i) {
      const unsigned sm = random() % 2;
      const uint32_t bytes = 1u << random() % 5;
      // Each has every other 16 bytes: lines are shared, bytes are not.
      const auto slot = static_cast<uint32_t>(random() % (random() % 2 == 0 ? kBytes / 32 : 24));
      const auto offset = static_cast<uint32_t>(random() % 16) & ~(bytes - 1);
      const uint32_t address = slot * 32 + sm * 16 + offset;
      uint8_t data[16] = {};
      uint64_t answered = cycles[sm];
      if (random() % 3 == 0) {
        for (uint32_t b = 0; b < bytes; ++b)
          expected[address + b] = data[b] = static_cast<uint8_t>(random());
        ASSERT_EQ(l1[sm]->write(address, data, bytes, answered), FaultCause::kNone);
      } else if (random() % 3 == 0) {
        LineBytes strobes;
        for (uint32_t b = 0; b < bytes; ++b)
          if (random() % 2 == 0) {
            strobes.set(b);
            expected[address + b] = data[b] = static_cast<uint8_t>(random());
          }
        ASSERT_EQ(l1[sm]->write_strobed(address, data, bytes, &strobes, answered),
                  FaultCause::kNone);
      } else {
        ASSERT_EQ(l1[sm]->read(address, data, bytes, answered), FaultCause::kNone);
        for (uint32_t b = 0; b < bytes; ++b) ASSERT_EQ(data[b], expected[address + b]) << address;
      }
      ++asked[sm];
      ASSERT_GT(answered, cycles[sm]);
      // The next one comes while this one is under way, or after it.
      cycles[sm] = random() % 4 == 0 ? answered : cycles[sm] + 1;
    }
    uint64_t end = std::max(cycles[0], cycles[1]);
    for (unsigned sm = 0; sm < 2; ++sm) {
      ASSERT_EQ(l1[sm]->clean(end), FaultCause::kNone);
      l1[sm]->settle_all();
      EXPECT_EQ(l1[sm]->counters().reads + l1[sm]->counters().writes, asked[sm]);
      expect_conserved(*l1[sm]);
    }
    ASSERT_EQ(l2.clean(end), FaultCause::kNone);
    l2.settle_all();
    ASSERT_EQ(memory.bytes, expected);
    if (has_l2) {
      expect_conserved(l2);
      EXPECT_EQ(memory.bytes_read, l2.counters().fetched_bytes);
    } else {
      EXPECT_EQ(memory.bytes_read, sm0.counters().fetched_bytes + sm1.counters().fetched_bytes);
      // Of a dirty sector the bytes that were written go, no more.
      const uint64_t passed = sm0.counters().bytes_passed_on + sm1.counters().bytes_passed_on;
      EXPECT_GE(memory.bytes_written, passed);
      EXPECT_LE(memory.bytes_written,
                passed + sm0.counters().write_back_bytes + sm1.counters().write_back_bytes);
    }
  }
}

}  // namespace
}  // namespace gvp::gpgpu::hierarchy
