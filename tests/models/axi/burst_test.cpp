// SPDX-License-Identifier: Apache-2.0
#include "models/axi/burst.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/seed.h"

namespace gvp::axi {
namespace {

TEST(Burst, BeatsCountTouchedWords) {
  EXPECT_EQ(beats_of(0, 4, 4), 1u);
  EXPECT_EQ(beats_of(2, 4, 4), 2u);
  EXPECT_EQ(beats_of(0x1f, 1, 8), 1u);
  EXPECT_EQ(beats_of(0, 64, 8), 8u);
}

TEST(Burst, CutsAreLegalAndCoverEverything) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  for (int trial = 0; trial < 10000; ++trial) {
    uint64_t address = random();
    uint64_t left = 1 + random() % 10000;
    const uint64_t end = address + left;
    const unsigned beat = 1u << (random() % 5);
    const unsigned most = random() % 4 == 0 ? 1 : kMaximumBeats;
    while (left > 0) {
      const uint64_t bytes = first_burst(address, left, beat, most);
      ASSERT_GT(bytes, 0u);
      ASSERT_LE(beats_of(address, bytes, beat), most);
      ASSERT_EQ(address / kBoundary, (address + bytes - 1) / kBoundary);
      address += bytes;
      left -= bytes;
    }
    ASSERT_EQ(address, end);
  }
}

TEST(Burst, StreamingCutsAreFixedBurstsOfWholeRoundsOrStayInOneRound) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  for (int trial = 0; trial < 10000; ++trial) {
    const uint64_t start = random() % 0x10000;
    const uint64_t round = 1 + random() % 40;
    const uint64_t all = round + random() % 2000;
    const unsigned beat = 1u << (random() % 5);
    const unsigned most = random() % 4 == 0 ? 1 : kMaximumBeats;
    for (uint64_t done = 0; done < all;) {
      const uint64_t at = done % round;
      const uint64_t bytes = first_streaming_burst(start + at, all - done, round, at, beat, most);
      ASSERT_GT(bytes, 0u);
      ASSERT_LE(done + bytes, all);
      if (bytes > round) {
        ASSERT_EQ(at, 0u);
        ASSERT_EQ(bytes % round, 0u);
        ASSERT_LE(bytes / round, std::min(most, kMaximumFixedBeats));
        ASSERT_LE(round, beat);
        ASSERT_EQ(start % round, 0u);
      } else {
        ASSERT_LE(at + bytes, round);
        ASSERT_LE(beats_of(start + at, bytes, beat), most);
      }
      done += bytes;
    }
  }
}

TEST(Burst, AStreamingTransferTakesABeatARoundAtLeast) {
  EXPECT_EQ(beats_of(0, 16, 0, 4), 4u);
  EXPECT_EQ(beats_of(0, 16, 1, 4), 16u);
  EXPECT_EQ(beats_of(0, 16, 4, 8), 4u);
  EXPECT_EQ(beats_of(0, 32, 8, 4), 8u) << "two beats a round";
}

}  // namespace
}  // namespace gvp::axi
