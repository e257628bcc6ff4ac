// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/flexgrip/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"

namespace gvp::gpgpu::flexgrip {
namespace {

using testing::HasSubstr;

std::string complaint(const Configuration& configuration) {
  try {
    validate(configuration);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kBadInput);
    return error.what();
  }
  return "none";
}

TEST(ConfigurationTest, DefaultsAreValid) { EXPECT_EQ(complaint({}), "none"); }

TEST(ConfigurationTest, AllThreeSpCountsAreValid) {
  for (const uint32_t sps : {8u, 16u, 32u}) {
    Configuration c;
    c.sps = sps;
    EXPECT_EQ(complaint(c), "none") << sps;
  }
}

TEST(ConfigurationTest, AnotherSpCountNamesKeyValueAndChoices) {
  Configuration c;
  c.sps = 12;
  EXPECT_THAT(complaint(c),
              testing::AllOf(HasSubstr("gpgpu.sps"), HasSubstr("12"), HasSubstr("8, 16 or 32")));
}

TEST(ConfigurationTest, NoSmIsRefused) {
  Configuration c;
  c.sms = 0;
  EXPECT_THAT(complaint(c), HasSubstr("gpgpu.sms = 0"));
}

TEST(ConfigurationTest, GlobalMemoryBeyondItsWindowIsRefused) {
  Configuration c;
  c.global_bytes = 64u << 20;
  EXPECT_THAT(complaint(c), HasSubstr("33554432"));
}

TEST(ConfigurationTest, UnknownChoicesAreRefused) {
  Configuration c;
  c.first_path = "left";
  EXPECT_THAT(complaint(c), HasSubstr("taken or not-taken"));
  c = {};
  c.global_memory = "sram";
  EXPECT_THAT(complaint(c), HasSubstr("bram or ddr3"));
  c = {};
  c.fmad = "fused";
  EXPECT_THAT(complaint(c), HasSubstr("truncate or ieee"));
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
