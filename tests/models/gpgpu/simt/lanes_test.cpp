// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/simt/lanes.h"

#include <gtest/gtest.h>

#include <vector>

namespace gvp::gpgpu::simt {
namespace {

// Each test for the two widths that instruction sets have.
template <typename Width>
class LanesTest : public testing::Test {
 protected:
  static constexpr unsigned kWidth = Width::value;
  using Mask = MaskOf<kWidth>;
  // Every third lane, and the last one.
  static Mask some() {
    Mask mask = Mask{1} << (kWidth - 1);
    for (unsigned i = 0; i < kWidth; i += 3) mask |= Mask{1} << i;
    return mask;
  }
  static LanesOf<kWidth> counted(uint32_t first, uint32_t step) {
    LanesOf<kWidth> lanes;
    for (unsigned i = 0; i < kWidth; ++i) lanes[i] = first + step * i;
    return lanes;
  }
};
using Widths =
    testing::Types<std::integral_constant<unsigned, 32>, std::integral_constant<unsigned, 64>>;
TYPED_TEST_SUITE(LanesTest, Widths);

TYPED_TEST(LanesTest, FirstLanesAreAsManyAsAskedFor) {
  constexpr unsigned kLanes = TestFixture::kWidth;
  EXPECT_EQ(first_lanes_of<kLanes>(0), 0u);
  EXPECT_EQ(count_lanes(first_lanes_of<kLanes>(kLanes - 1)), kLanes - 1);
  EXPECT_EQ(first_lanes_of<kLanes>(kLanes), kAllLanesOf<kLanes>);
  EXPECT_EQ(first_lanes_of<kLanes>(kLanes + 1), kAllLanesOf<kLanes>);
}

TYPED_TEST(LanesTest, TheFirstLaneIsTheLowestOne) {
  using LaneMask = MaskOf<TestFixture::kWidth>;
  for (unsigned i = 0; i < TestFixture::kWidth; ++i)
    EXPECT_EQ(first_lane(static_cast<LaneMask>(kAllLanesOf<TestFixture::kWidth> << i)), i);
}

TYPED_TEST(LanesTest, LoopsWriteTheLanesOfTheMaskOnly) {
  constexpr unsigned kLanes = TestFixture::kWidth;
  const auto some = TestFixture::some();
  auto lanes = TestFixture::counted(100, 1);
  for_lanes(lanes, some, [&](unsigned i) { return lanes.lane[i] * 2; });
  for (unsigned i = 0; i < kLanes; ++i)
    EXPECT_EQ(lanes[i], (some >> i & 1u) != 0 ? 200 + 2 * i : 100 + i);
  for_lanes(lanes, kAllLanesOf<kLanes>, [](unsigned i) { return i; });
  for (unsigned i = 0; i < kLanes; ++i) EXPECT_EQ(lanes[i], i);
}

TYPED_TEST(LanesTest, MasksAreWhereSomethingHolds) {
  constexpr unsigned kLanes = TestFixture::kWidth;
  const auto some = TestFixture::some();
  EXPECT_EQ(lanes_where<kLanes>([&](unsigned i) { return (some >> i & 1u) != 0; }), some);
  EXPECT_EQ(nonzero_lanes(TestFixture::counted(0, 1)), kAllLanesOf<kLanes> - 1);
}

TYPED_TEST(LanesTest, GatheringLeavesOtherLanesAsTheyAre) {
  constexpr unsigned kLanes = TestFixture::kWidth;
  std::vector<uint32_t> memory(4 * kLanes);
  for (uint32_t i = 0; i < memory.size(); ++i) memory[i] = 1000 + i;
  const auto some = TestFixture::some();
  auto words = TestFixture::counted(7, 0);
  gather_words(words, some, reinterpret_cast<const uint8_t*>(memory.data()),
               TestFixture::counted(4, 12));
  for (unsigned i = 0; i < kLanes; ++i)
    EXPECT_EQ(words[i], (some >> i & 1u) != 0 ? 1001 + 3 * i : 7u);
}

TYPED_TEST(LanesTest, PatternsOfAddressesAreTold) {
  EXPECT_EQ(pattern_of(TestFixture::counted(64, 4)), Pattern::kConsecutiveWords);
  EXPECT_EQ(pattern_of(TestFixture::counted(64, 0)), Pattern::kUniform);
  auto scattered = TestFixture::counted(64, 4);
  scattered[TestFixture::kWidth - 1] += 4;
  EXPECT_EQ(pattern_of(scattered), Pattern::kScattered);
}

}  // namespace
}  // namespace gvp::gpgpu::simt
