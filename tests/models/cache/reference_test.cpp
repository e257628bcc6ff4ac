// SPDX-License-Identifier: Apache-2.0
// The cache against the second simulator: hit for hit, victim for victim, ten million accesses for
// each way of replacement.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "models/cache/cache.h"
#include "tests/models/cache/reference_cache.h"
#include "tests/support/seed.h"

namespace gvp::cache {
namespace {

constexpr unsigned kAccesses = 10'000'000;

struct Geometry {
  uint32_t sets, ways, line;
};
// Direct mapped, the thesis's smallest and largest L1, ways that are no power of two, fully
// associative, one line.
constexpr Geometry kGeometries[] = {{64, 1, 32}, {8, 1, 128},  {128, 4, 128}, {32, 6, 128},
                                    {16, 3, 64}, {1, 24, 256}, {1, 1, 32},    {256, 2, 32}};

// Addresses as programs make them: rows, columns, a hot spot, and anything.
class Addresses {
 public:
  explicit Addresses(uint32_t seed) : random_(seed) {}

  uint32_t next() {
    if (left_-- == 0) {
      left_ = 1 + below(4000);
      pattern_ = below(4);
      at_ = below(1u << 20) * 4;
      stride_ = 4u << below(12);
      span_ = 1u << (8 + below(10));
    }
    switch (pattern_) {
      case 0:
        return at_ += 4;
      case 1:
        return at_ += stride_;
      case 2:
        return at_ + below(span_) * 4;
      default:
        return below(1u << 29) * 4;
    }
  }

 private:
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }

  std::minstd_rand random_;
  unsigned left_ = 0, pattern_ = 0;
  uint32_t at_ = 0, stride_ = 4, span_ = 1;
};

struct Policy {
  const char* write;
  bool allocate;
};
constexpr Policy kPolicies[] = {
    {"write-back", true}, {"write-through", false}, {"write-evict", false}, {"write-back", false}};

class AgainstReference : public testing::TestWithParam<const char*> {};

TEST_P(AgainstReference, AgreesOnEveryHitAndVictimOfTenMillionAccesses) {
  const uint32_t seed = test::seed(501);
  SCOPED_TRACE(test::text_of_seed(seed));
  const std::string replacement = GetParam();
  unsigned run = 0;
  uint64_t hits = 0, evictions = 0, write_backs = 0, dirty_victims = 0;
  for (const Geometry& g : kGeometries) {
    const Policy& policy = kPolicies[run % std::size(kPolicies)];
    Settings settings;
    settings.sets = g.sets;
    settings.ways = g.ways;
    settings.line_bytes = settings.sector_bytes = g.line;
    settings.replacement = replacement;
    settings.seed = 77 + run;
    settings.write = policy.write;
    settings.write_allocate = policy.allocate;
    // With random replacement a dropped line leaves a hole in its own way, which the second
    // simulator's lists cannot show.
    if (settings.write == "write-evict" && replacement == "random")
      settings.write = "write-through";
    const bool evict = settings.write == "write-evict";
    const bool back = settings.write == "write-back";
    SCOPED_TRACE(
        fmt::format("{} sets, {} ways, {} bytes, {}", g.sets, g.ways, g.line, settings.write));
    Cache cache(settings, "cache");
    test::ReferenceCache reference(g.sets, g.ways, g.line, replacement, settings.seed);
    Addresses addresses(seed + run++);
    std::minstd_rand random(seed);
    for (unsigned i = 0; i < kAccesses / std::size(kGeometries); ++i) {
      const uint32_t address = addresses.next();
      const bool write = random() % 4 == 0;
      if (write && evict) {
        const Outcome outcome = cache.write(address, 4);
        ASSERT_EQ(reference.drop(address), outcome.hit) << "access " << i;
        continue;
      }
      const Outcome outcome = write ? cache.write(address, 4) : cache.read(address, 4);
      const auto expected = reference.access(address, !write || policy.allocate, write && back);
      ASSERT_EQ(expected.hit, outcome.hit) << "access " << i;
      ASSERT_EQ(expected.evicted, outcome.victim.valid != 0) << "access " << i;
      if (expected.evicted) {
        ASSERT_EQ(expected.victim * g.line, outcome.victim.address) << "access " << i;
        ASSERT_EQ(expected.victim_dirty, outcome.victim.dirty != 0) << "access " << i;
        dirty_victims += expected.victim_dirty ? 1 : 0;
      }
    }
    hits += cache.counters().hits();
    evictions += cache.counters().evictions;
    write_backs += cache.counters().write_backs;
  }
  EXPECT_EQ(write_backs, dirty_victims);
  // The accesses were neither all hits nor all misses.
  EXPECT_GT(hits, kAccesses / 10);
  EXPECT_GT(evictions, kAccesses / 10);
  EXPECT_GT(write_backs, kAccesses / 100);
}

INSTANTIATE_TEST_SUITE_P(Replacement, AgainstReference, testing::Values("lru", "fifo", "random"));

}  // namespace
}  // namespace gvp::cache
