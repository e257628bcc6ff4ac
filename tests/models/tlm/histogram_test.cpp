// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "tests/support/seed.h"

namespace gvp::kit {
namespace {

TEST(Histogram, EmptyOneIsZero) {
  Histogram histogram;
  EXPECT_EQ(histogram.count(), 0u);
  EXPECT_EQ(histogram.percentile(0.5), 0u);
  EXPECT_EQ(histogram.mean(), 0.0);
  EXPECT_EQ(histogram.minimum(), 0u);
}

TEST(Histogram, PercentilesAreExactToOnePartInSixteen) {
  const uint32_t seed = test::seed(1);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937_64 random(seed);
  Histogram histogram;
  std::vector<uint64_t> values;
  for (int i = 0; i < 10000; ++i) {
    values.push_back(random() >> (random() % 64));
    histogram.add(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.01, 0.5, 0.95, 0.99, 1.0}) {
    const uint64_t exact = values[static_cast<size_t>(share * 10000) - 1];
    EXPECT_GE(histogram.percentile(share), exact) << share;
    EXPECT_LE(static_cast<double>(histogram.percentile(share)),
              static_cast<double>(exact) * (1 + 1.0 / 16) + 1)
        << share;
  }
  EXPECT_EQ(histogram.maximum(), values.back());
  EXPECT_EQ(histogram.minimum(), values.front());
}

TEST(Histogram, OfTwoPartsIsThatOfTheWhole) {
  Histogram whole;
  Histogram first;
  Histogram second;
  for (uint64_t i = 1; i <= 1000; ++i) {
    whole.add(i * i);
    (i % 3 == 0 ? first : second).add(i * i);
  }
  first += second;
  EXPECT_EQ(first.count(), 1000u);
  EXPECT_EQ(first.sum(), whole.sum());
  EXPECT_EQ(first.minimum(), 1u);
  EXPECT_EQ(first.maximum(), 1000000u);
  for (const double share : {0.1, 0.5, 0.99})
    EXPECT_EQ(first.percentile(share), whole.percentile(share));
}

// Whether they came one after the other, and whoever looked in between.
TEST(Histogram, ValuesThatRepeatCountEachTime) {
  for (const unsigned looks_at_each : {1u, 7u, 1000u}) {
    Histogram histogram;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < 300; ++i) {
      const uint64_t value = i / 100 == 1 ? 40000 : 90 * (i / 50);  // 0, 90, 40000, 360, 450
      histogram.add(value);
      sum += value;
      if (i % looks_at_each != 0) continue;
      EXPECT_EQ(histogram.count(), i + 1);
      EXPECT_EQ(histogram.sum(), sum);
      EXPECT_EQ(histogram.maximum(), i < 50 ? 0u : i < 100 ? 90u : 40000u);
    }
    EXPECT_EQ(histogram.minimum(), 0u);
    EXPECT_EQ(histogram.mean(), static_cast<double>(sum) / 300);
    EXPECT_EQ(histogram.percentile(50.0 / 300), 0u);
    EXPECT_EQ(histogram.percentile(1), 40000u);
    std::vector<uint64_t> counts;
    histogram.for_each([&](uint64_t, uint64_t, uint64_t count) { counts.push_back(count); });
    EXPECT_EQ(counts, (std::vector<uint64_t>{50, 50, 50, 50, 100}));
    Histogram twice = histogram;
    twice += histogram;
    EXPECT_EQ(twice.count(), 600u);
    EXPECT_EQ(twice.sum(), 2 * sum);
  }
}

TEST(Histogram, TakesTheLargestValue) {
  Histogram histogram;
  histogram.add(~uint64_t{0});
  EXPECT_EQ(histogram.percentile(1), ~uint64_t{0});
}

}  // namespace
}  // namespace gvp::kit
