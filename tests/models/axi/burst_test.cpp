// SPDX-License-Identifier: Apache-2.0
#include "models/axi/burst.h"

#include <gtest/gtest.h>

#include <random>

namespace gvp::axi {
namespace {

TEST(Burst, BeatsCountTouchedWords) {
  EXPECT_EQ(beats_of(0, 4, 4), 1u);
  EXPECT_EQ(beats_of(2, 4, 4), 2u);
  EXPECT_EQ(beats_of(0x1f, 1, 8), 1u);
  EXPECT_EQ(beats_of(0, 64, 8), 8u);
}

TEST(Burst, CutsAreLegalAndCoverEverything) {
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
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

}  // namespace
}  // namespace gvp::axi
