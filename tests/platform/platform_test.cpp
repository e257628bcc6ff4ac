// SPDX-License-Identifier: Apache-2.0
#include "platform/platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/configuration.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "platform/configuration/keys.h"
#include "platform/memory_map.h"
#include "tests/platform/elf/elf_image.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;

Configuration quiet() {
  Configuration configuration;
  assign(configuration, "uart16550.line=none");
  return configuration;
}

uint32_t read_word(Platform& platform, uint32_t address) {
  uint32_t word = 0;
  EXPECT_EQ(platform.host().debug_read(address, &word, 4), 4u) << std::hex << address;
  return word;
}

bool is_memory(Platform& platform, uint32_t address) {
  const uint32_t value = 0x12345678;
  return platform.host().debug_write(address, &value, 4) == 4 &&
         read_word(platform, address) == value;
}

TEST(Platform, MemoriesAreWhereTheMemoryMapSays) {
  Platform platform("platform", quiet(), 0);
  for (const uint32_t address : {GVP_LMB_BASE, GVP_LMB_BASE + GVP_LMB_SIZE - 4, GVP_DDR3_BASE,
                                 GVP_DDR3_BASE + GVP_DDR3_SIZE - 4, GVP_GPGPU_CODE_BASE,
                                 GVP_GPGPU_GLOBAL_BASE, GVP_GPGPU_GLOBAL_BASE + (4u << 20) - 4})
    EXPECT_TRUE(is_memory(platform, address)) << std::hex << address;
  EXPECT_EQ(read_word(platform, GVP_GPGPU_CONTROL_BASE + FLEXGRIP_ID), FLEXGRIP_ID_VALUE);
}

TEST(Platform, HolesAnswerNothing) {
  Platform platform("platform", quiet(), 0);
  uint32_t word = 0;
  for (const uint32_t address : {0x00100000u, 0x47000000u, 0x90000000u})
    EXPECT_EQ(platform.host().debug_read(address, &word, 4), 0u) << std::hex << address;
}

TEST(Platform, Ddr3ModeHasNoGlobalWindow) {
  Configuration configuration = quiet();
  configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").global_memory = "ddr3";
  Platform platform("platform", configuration, 0);
  uint32_t word = 0;
  EXPECT_EQ(platform.host().debug_read(GVP_GPGPU_GLOBAL_BASE, &word, 4), 0u);
  EXPECT_TRUE(is_memory(platform, GVP_GPGPU_CODE_BASE));
}

TEST(Platform, ABoardWithoutGpgpuHasNoneOfItsWindows) {
  Configuration configuration = quiet();
  configuration.model("gpgpu") = "none";
  Platform platform("platform", configuration, 0);
  uint32_t word = 0;
  EXPECT_EQ(platform.host().debug_read(GVP_GPGPU_CONTROL_BASE, &word, 4), 0u);
  EXPECT_TRUE(is_memory(platform, GVP_DDR3_BASE));
}

TEST(Platform, LoadsFirmwareIntoLocalMemoryAndDdr3) {
  Platform platform("platform", quiet(), 0);
  platform.load(parse_elf(
      test::elf_image({{0x50, {1, 2, 3, 4}, 4}, {GVP_DDR3_BASE + 0x100, {5, 6, 7, 8}, 64}}, 0x50),
      "f.elf"));
  EXPECT_EQ(read_word(platform, 0x50), 0x04030201u);
  EXPECT_EQ(read_word(platform, GVP_DDR3_BASE + 0x100), 0x08070605u);
}

TEST(Platform, FirmwareForDevicesOrHolesIsRefused) {
  Platform platform("platform", quiet(), 0);
  for (const uint32_t address : {0x90000000u, GVP_LMB_BASE + GVP_LMB_SIZE - 2}) {
    const std::vector<uint8_t> image =
        test::elf_image({{0x50, {1, 2, 3, 4}, 4}, {address, {5, 6, 7, 8}, 4}}, 0x50);
    EXPECT_THROW(platform.load(parse_elf(image, "f.elf")), Error) << std::hex << address;
  }
}

TEST(Platform, FirmwareForRegistersIsRefusedByName) {
  Platform platform("platform", quiet(), 0);
  struct Place {
    uint32_t address;
    const char* device;
  };
  for (const Place& place :
       {Place{GVP_UART16550_BASE + 0x1000, "uart16550"}, Place{GVP_TIMER_BASE - 2, "timer"},
        Place{GVP_GPGPU_CONTROL_BASE + FLEXGRIP_CONSTANT_MEMORY, "gpgpu_control"},
        Place{GVP_INTC_BASE + 0xfffc, "intc"}}) {
    const auto image =
        test::elf_image({{0x50, {1, 2, 3, 4}, 4}, {place.address, {5, 6, 7, 8}, 4}}, 0x50);
    try {
      platform.load(parse_elf(image, "f.elf"));
      ADD_FAILURE() << place.device;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("lies in the registers of ") + place.device));
      EXPECT_THAT(error.what(), HasSubstr("f.elf"));
    }
  }
  EXPECT_EQ(read_word(platform, 0x50), 0u);  // nothing of them has been loaded
}

TEST(Platform, TwoConsolesAtTheTerminalAreRefused) {
  Configuration configuration;
  assign(configuration, "uartlite.line=stdio");
  EXPECT_THROW(Platform("platform", configuration, 0), Error);
}

TEST(Platform, StatisticsHaveEveryBlock) {
  Platform platform("platform", quiet(), 0);
  const auto json = platform.statistics();
  for (const char* block : {"host", "gpgpu", "axi", "ddr3"}) EXPECT_TRUE(json.contains(block));
  EXPECT_EQ(json["host"]["instructions"], 0);
}

TEST(Platform, AWindowThatDoesNotFitItsPlaceIsRefused) {
  Configuration configuration = quiet();
  configuration.settings<gpgpu::flexgrip::Configuration>("gpgpu").global_bytes = 64u << 20;
  try {
    placed_windows(configuration, *configuration.find("gpgpu"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("ml605.toml (built in):29:"));
    EXPECT_THAT(error.what(),
                HasSubstr("gpgpu's global window has 0x4000000 bytes, its place at 0x46000000 has "
                          "room for 0x2000000"));
  }
}

}  // namespace
}  // namespace gvp::platform
