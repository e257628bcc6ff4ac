// SPDX-License-Identifier: Apache-2.0
#include "models/base/nearest.h"

#include <gtest/gtest.h>

namespace gvp {
namespace {

TEST(Nearest, DistanceCountsEachKindOfSlipOnce) {
  EXPECT_EQ(edit_distance("warps", "warps"), 0u);
  EXPECT_EQ(edit_distance("warp", "warps"), 1u);
  EXPECT_EQ(edit_distance("wraps", "warps"), 1u);
  EXPECT_EQ(edit_distance("marps", "warps"), 1u);
  EXPECT_EQ(edit_distance("", "sps"), 3u);
}

TEST(Nearest, OffersTheClosestCandidate) {
  EXPECT_EQ(nearest("gpgpu.spss", {"gpgpu.sms", "gpgpu.sps", "host.clock_hz"}), "gpgpu.sps");
}

TEST(Nearest, OffersNothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("temperature", {"gpgpu.sms", "gpgpu.sps"}), "");
}

}  // namespace
}  // namespace gvp
