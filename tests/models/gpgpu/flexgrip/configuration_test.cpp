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

TEST(ConfigurationTest, TextureCachesAreOfMemoryOnTheBus) {
  Configuration c;
  c.texture_cache.enabled = true;
  EXPECT_THAT(complaint(c), HasSubstr("gpgpu.texture_cache.enabled = true is not possible"));
  c.global_memory = "ddr3";
  EXPECT_EQ(complaint(c), "none");
}

TEST(ConfigurationTest, BoundsAreTakenAndWhatLiesBeyondIsRefused) {
  struct Bounds {
    const char* key;
    uint32_t Configuration::*field;
    uint32_t least, most;
  };
  for (const Bounds& b :
       {Bounds{"gpgpu.sms", &Configuration::sms, 1, 64},
        {"gpgpu.warps_per_sm", &Configuration::warps_per_sm, 1, 256},
        {"gpgpu.threads_per_sm", &Configuration::threads_per_sm, 32, 8192},
        {"gpgpu.blocks_per_sm", &Configuration::blocks_per_sm, 1, 256},
        {"gpgpu.threads_per_block", &Configuration::threads_per_block, 1, 1024},
        {"gpgpu.registers_per_sm", &Configuration::registers_per_sm, 32, 1048576},
        {"gpgpu.shared_bytes_per_sm", &Configuration::shared_bytes_per_sm, 256, 65536},
        {"gpgpu.stack_depth", &Configuration::stack_depth, 0, 64}}) {
    Configuration c;
    for (const uint32_t taken : {b.least, b.most}) {
      c.*b.field = taken;
      EXPECT_EQ(complaint(c), "none") << b.key << " = " << taken;
    }
    for (const uint32_t refused : {b.least - 1, b.most + 1}) {
      c.*b.field = refused;
      EXPECT_THAT(complaint(c), HasSubstr(b.key)) << refused;
    }
  }
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

TEST(ConfigurationTest, AtomicOperationsAreOfTheDevicesOwnMemory) {
  Configuration c;
  c.device_extensions = true;
  EXPECT_EQ(complaint(c), "none");
  c.global_memory = "ddr3";
  EXPECT_THAT(complaint(c), HasSubstr("gpgpu.device_extensions = true is not possible"));
  EXPECT_THAT(complaint(c), HasSubstr("gpgpu.global_memory = \"bram\""));
  c.global_memory = "bram";
  c.global_addresses = "wrap";
  EXPECT_THAT(complaint(c), HasSubstr("gpgpu.global_addresses = \"checked\""));
}

}  // namespace
}  // namespace gvp::gpgpu::flexgrip
