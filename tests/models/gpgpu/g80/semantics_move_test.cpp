// SPDX-License-Identifier: Apache-2.0
// MOV of some lanes of each quad.
#include <gtest/gtest.h>

#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::gpgpu::g80 {
namespace {

TEST(MoveTest, LanesThatAreNotNamedKeepTheirRegister) {
  OneWarp warp;
  warp.fill(1, 0x11112222);
  warp.fill(2, 0x33334444);
  warp.execute("MOV.L5 R1, R2;");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(warp.r(1)[lane], lane % 2 == 0 ? 0x33334444u : 0x11112222u) << lane;
}

TEST(MoveTest, LanesThatAreNotNamedKeepTheirHalf) {
  OneWarp warp;
  warp.fill(1, 0x11112222);
  warp.fill(2, 0x33334444);
  warp.fill(3, 0x55556666);
  warp.execute("MOV.U16 R4L, R3L;");  // leaves a result behind
  warp.execute("MOV.U16.L2 R1H, R2L;");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(warp.r(1)[lane], lane % 4 == 1 ? 0x44442222u : 0x11112222u) << lane;
}

}  // namespace
}  // namespace gvp::gpgpu::g80
