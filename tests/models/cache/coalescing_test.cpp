// SPDX-License-Identifier: Apache-2.0
#include "models/cache/coalescing.h"

#include <gtest/gtest.h>

#include <random>

#include "models/base/error.h"
#include "tests/support/seed.h"

namespace gvp::cache {
namespace {

template <typename Address>
WarpAccess access(unsigned bytes, Address address, uint32_t lanes = ~0u) {
  WarpAccess a;
  a.bytes = bytes;
  a.lanes = lanes;
  for (unsigned i = 0; i < kWarpLanes; ++i) a.addresses[i] = address(i);
  return a;
}

// "address+bytes" of each request.
std::vector<std::pair<uint32_t, uint32_t>> requests(Coalescing rule, const WarpAccess& a,
                                                    uint32_t line = 128) {
  std::vector<Request> all;
  coalesce(rule, a, line, all);
  std::vector<std::pair<uint32_t, uint32_t>> shown;
  shown.reserve(all.size());
  for (const Request& r : all) shown.push_back({r.address, r.bytes});
  return shown;
}
using List = std::vector<std::pair<uint32_t, uint32_t>>;

const auto kWords = [](unsigned i) { return 0x1000 + 4 * i; };

TEST(CoalescingNone, EachLaneIsARequestOfItsOwnBytes) {
  EXPECT_EQ(requests(Coalescing::kNone, access(4, kWords, 0b101)),
            (List{{0x1000, 4}, {0x1008, 4}}));
}

TEST(Coalescing10, SuccessiveWordsOfAHalfWarpAreOneRequest) {
  EXPECT_EQ(requests(Coalescing::kCompute10, access(4, kWords)),
            (List{{0x1000, 64}, {0x1040, 64}}));
  EXPECT_EQ(requests(Coalescing::kCompute10, access(8, [](unsigned i) { return 0x1000 + 8 * i; })),
            (List{{0x1000, 128}, {0x1080, 128}}));
  EXPECT_EQ(
      requests(Coalescing::kCompute10, access(
                                           16, [](unsigned i) { return 0x1000 + 16 * i; }, 0xffff)),
      (List{{0x1000, 128}, {0x1080, 128}}));
}

TEST(Coalescing10, DivergentHalfWarpStillCoalesces) {
  EXPECT_EQ(requests(Coalescing::kCompute10, access(4, kWords, 0xf0f0)), (List{{0x1000, 64}}));
}

TEST(Coalescing10, PermutedWordsAreSixteenRequestsOf32Bytes) {
  const auto all = requests(Coalescing::kCompute10,
                            access(
                                4, [](unsigned i) { return 0x1000 + 4 * (i ^ 1); }, 0xffff));
  EXPECT_EQ(all.size(), 16u);
  EXPECT_EQ(all[15], (std::pair<uint32_t, uint32_t>{0x1020, 32}));
}

TEST(Coalescing10, WordsThatBeginAtAnUnalignedSegmentDoNotCoalesce) {
  const auto shifted = [](unsigned i) { return 0x1004 + 4 * i; };
  EXPECT_EQ(requests(Coalescing::kCompute10, access(4, shifted, 0xffff)).size(), 16u);
}

TEST(Coalescing10, BytesAndHalfWordsNeverCoalesce) {
  EXPECT_EQ(
      requests(Coalescing::kCompute10, access(2, [](unsigned i) { return 0x1000 + 2 * i; })).size(),
      32u);
}

TEST(Coalescing12, AnyOrderWithinASegmentIsOneRequest) {
  EXPECT_EQ(
      requests(Coalescing::kCompute12, access(4, [](unsigned i) { return 0x1000 + 4 * (31 - i); })),
      (List{{0x1040, 64}, {0x1000, 64}}));
}

TEST(Coalescing12, RequestShrinksToTheHalfThatIsUsed) {
  EXPECT_EQ(requests(Coalescing::kCompute12, access(4, kWords, 0x00ff)), (List{{0x1000, 32}}));
  EXPECT_EQ(requests(Coalescing::kCompute12, access(4, kWords, 0xff00)), (List{{0x1020, 32}}));
  EXPECT_EQ(requests(Coalescing::kCompute12, access(4, kWords, 0x0ff0)), (List{{0x1000, 64}}));
  // Both halves of the segment, though no more than 64 bytes.
  const auto middle = [](unsigned i) { return 0x1020 + 4 * i; };
  EXPECT_EQ(requests(Coalescing::kCompute12, access(4, middle, 0xffff)), (List{{0x1000, 128}}));
}

// The Best Practices Guide's figure 2: 64 and 32 bytes.
TEST(Coalescing12, WordsThatCrossASegmentAreTwoRequests) {
  const auto across = [](unsigned i) { return 0x1060 + 4 * i; };
  EXPECT_EQ(requests(Coalescing::kCompute12, access(4, across, 0xffff)),
            (List{{0x1060, 32}, {0x1080, 32}}));
}

TEST(Coalescing12, SegmentsOfBytesAre32AndOfHalfWords64) {
  EXPECT_EQ(requests(Coalescing::kCompute12, access(1, [](unsigned i) { return 0x1000 + i; })),
            (List{{0x1000, 32}, {0x1000, 32}}));
  const auto spread = [](unsigned i) { return 0x1000 + 16 * i; };
  EXPECT_EQ(requests(Coalescing::kCompute12, access(2, spread, 0xffff)).size(), 4u);
}

TEST(Coalescing20, WarpAccessesLines) {
  EXPECT_EQ(requests(Coalescing::kCompute20, access(4, kWords)), (List{{0x1000, 128}}));
  EXPECT_EQ(requests(Coalescing::kCompute20, access(4, [](unsigned i) { return 0x1004 + 4 * i; })),
            (List{{0x1000, 128}, {0x1080, 128}}));
  EXPECT_EQ(requests(Coalescing::kCompute20, access(4, kWords), 32).size(), 4u);
}

TEST(Coalescing20, WideWordsAreSplitIntoHalvesAndQuarters) {
  EXPECT_EQ(requests(Coalescing::kCompute20, access(8, [](unsigned) { return 0x1000u; })),
            (List{{0x1000, 128}, {0x1000, 128}}));
  EXPECT_EQ(requests(Coalescing::kCompute20, access(16, [](unsigned) { return 0x1000u; })).size(),
            4u);
}

TEST(CoalescingRules, AreKnownByName) {
  EXPECT_EQ(coalescing_of("compute-1.2"), Coalescing::kCompute12);
  EXPECT_THROW(coalescing_of("compute-3.0"), Error);
}

TEST(CoalescingRules, EveryLaneIsServedOnceAndWithinItsRequest) {
  const uint32_t seed = test::seed(503);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::minstd_rand random(seed);
  const Coalescing rules[] = {Coalescing::kNone, Coalescing::kCompute10, Coalescing::kCompute12,
                              Coalescing::kCompute20};
  std::vector<Request> all;
  for (unsigned i = 0; i < 100'000; ++i) {
    WarpAccess a;
    a.bytes = 1u << random() % 5;
    a.lanes = static_cast<uint32_t>(random() * 3);
    const uint32_t base = static_cast<uint32_t>(random() % 4096) * 16;
    const uint32_t stride = static_cast<uint32_t>(random() % 4) * a.bytes;
    const unsigned shuffle = static_cast<unsigned>(random() % 3) * 5;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      a.addresses[lane] = base + stride * (lane ^ shuffle);
    const Coalescing rule = rules[i % 4];
    coalesce(rule, a, 128, all);
    uint32_t served = 0;
    for (const Request& r : all) {
      ASSERT_EQ(served & r.lanes, 0u);
      ASSERT_EQ(r.address % r.bytes, 0u);
      served |= r.lanes;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if ((r.lanes >> lane & 1u) == 0) continue;
        ASSERT_GE(a.addresses[lane], r.address);
        ASSERT_LE(a.addresses[lane] + a.bytes, r.address + r.bytes);
      }
    }
    ASSERT_EQ(served, a.lanes);
  }
}

}  // namespace
}  // namespace gvp::cache
