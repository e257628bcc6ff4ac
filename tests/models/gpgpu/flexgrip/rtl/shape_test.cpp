// SPDX-License-Identifier: Apache-2.0
// What FlexGrip's RTL cannot be is refused, with the key that asks for it.
#include "models/gpgpu/flexgrip/rtl/shape.h"

#include <gmock/gmock.h>

#include <string>

#include "models/base/error.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::HasSubstr;

std::string error_of(void (*change)(Configuration&)) {
  Configuration configuration;
  change(configuration);
  try {
    require_shape(configuration);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ShapeTest, TheDefaultsAreNotRefused) {
  EXPECT_EQ(error_of([](Configuration&) {}), "");
}

TEST(ShapeTest, WhatTheRtlDoesNotHaveIsRefusedByKey) {
  EXPECT_THAT(
      error_of([](Configuration& c) { c.fmad = "truncate"; }),
      HasSubstr("gpgpu.fmad = \"truncate\": FlexGrip as RTL has products that are rounded"));
  EXPECT_THAT(
      error_of([](Configuration& c) { c.device_extensions = true; }),
      HasSubstr("gpgpu.device_extensions = true: FlexGrip as RTL has no atomic operations"));
  EXPECT_THAT(error_of([](Configuration& c) { c.timing.poll = 3; }),
              HasSubstr("gpgpu.timing.poll = 3: FlexGrip as RTL has 2"));
  EXPECT_THAT(error_of([](Configuration& c) { c.timing.lane_access = 2; }),
              HasSubstr("gpgpu.timing.lane_access = 2: FlexGrip as RTL has 3 to 255"));
  EXPECT_THAT(error_of([](Configuration& c) { c.timing.write_global = 256; }),
              HasSubstr("gpgpu.timing.write_global = 256"));
  EXPECT_EQ(error_of([](Configuration& c) { c.timing.write_global = 255; }), "");
  EXPECT_THAT(error_of([](Configuration& c) { c.l2.enabled = true; }),
              HasSubstr("gpgpu.l2.enabled = true: FlexGrip as RTL has its bus port alone"));
  EXPECT_THAT(error_of([](Configuration& c) { c.texture_cache.enabled = true; }),
              HasSubstr("gpgpu.texture_cache.enabled = true: FlexGrip as RTL has its bus port"));
  EXPECT_THAT(error_of([](Configuration& c) { c.sm_requests = 8; }),
              HasSubstr("gpgpu.sm_requests = 8: FlexGrip as RTL has its bus port alone"));
  EXPECT_THAT(error_of([](Configuration& c) { c.shared_banks = "compute-1.x"; }),
              HasSubstr("gpgpu.shared_banks = \"compute-1.x\": FlexGrip as RTL has a shared memory "
                        "of one port"));
}

TEST(ShapeTest, ABlockThatThisProgramDoesNotHaveIsNamedWithTheWayToBuildIt) {
  Configuration configuration;
  configuration.sms = 5;
  try {
    block_for(configuration);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gpgpu.sms = 5"));
    EXPECT_THAT(error.what(), HasSubstr("GVP_FLEXGRIP_RTL_SPS=\"8;5x8\""));
  }
}

TEST(ShapeTest, WhatThereIsNoRoomForIsRefusedByKey) {
  EXPECT_THAT(error_of([](Configuration& c) { c.sms = 13; }),
              HasSubstr("gpgpu.sms = 13: FlexGrip as RTL has room for 12"));
  EXPECT_THAT(error_of([](Configuration& c) { c.warps_per_sm = 33; }),
              HasSubstr("gpgpu.warps_per_sm = 33: FlexGrip as RTL has room for 32"));
  EXPECT_THAT(error_of([](Configuration& c) { c.blocks_per_sm = 9; }),
              HasSubstr("gpgpu.blocks_per_sm = 9"));
  EXPECT_THAT(error_of([](Configuration& c) { c.registers_per_sm = 16385; }),
              HasSubstr("gpgpu.registers_per_sm = 16385"));
  EXPECT_THAT(error_of([](Configuration& c) { c.shared_bytes_per_sm = 16640; }),
              HasSubstr("gpgpu.shared_bytes_per_sm = 16640"));
  EXPECT_THAT(error_of([](Configuration& c) { c.stack_depth = 33; }),
              HasSubstr("gpgpu.stack_depth = 33"));
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
