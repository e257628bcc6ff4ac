// SPDX-License-Identifier: Apache-2.0
#include "platform/platform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/gpgpu/flexgrip/flexgrip_registers.h"
#include "platform/memory_map.h"
#include "platform/regions.h"
#include "tests/platform/elf/elf_image.h"

namespace gvp::platform {
namespace {

using testing::HasSubstr;

Configuration quiet() {
  Configuration configuration;
  configuration.serial.uart16550 = "none";
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
  configuration.gpgpu.global_memory = "ddr3";
  Platform platform("platform", configuration, 0);
  uint32_t word = 0;
  EXPECT_EQ(platform.host().debug_read(GVP_GPGPU_GLOBAL_BASE, &word, 4), 0u);
  EXPECT_TRUE(is_memory(platform, GVP_GPGPU_CODE_BASE));
}

TEST(Platform, ABoardWithoutGpgpuHasNoneOfItsWindows) {
  Configuration configuration = quiet();
  configuration.models.gpgpu = "none";
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

TEST(Platform, TwoConsolesAtTheTerminalAreRefused) {
  Configuration configuration;
  configuration.serial.uartlite = "stdio";
  EXPECT_THROW(Platform("platform", configuration, 0), Error);
}

TEST(Platform, StatisticsHaveEveryBlock) {
  Platform platform("platform", quiet(), 0);
  const auto json = platform.statistics();
  for (const char* block : {"host", "gpgpu", "axi", "ddr3"}) EXPECT_TRUE(json.contains(block));
  EXPECT_EQ(json["host"]["instructions"], 0);
}

TEST(MemoryMap, AWindowThatDoesNotFitIsRefused) {
  const std::vector<gpgpu::Window> windows = {
      {"global", uint64_t{GVP_GPGPU_GLOBAL_MAX_SIZE} * 2, nullptr}};
  EXPECT_THROW(memory_map({}, {}, GVP_DDR3_SIZE, windows), Error);
  EXPECT_THROW(memory_map({}, {}, GVP_DDR3_SIZE, {{"texture", 16, nullptr}}), Error);
}

TEST(MemoryMap, RegionsDoNotOverlap) {
  const auto map = memory_map({}, {}, GVP_DDR3_SIZE,
                              {{"control", GVP_GPGPU_CONTROL_SIZE, nullptr},
                               {"code", GVP_GPGPU_CODE_SIZE, nullptr},
                               {"global", GVP_GPGPU_GLOBAL_MAX_SIZE, nullptr}});
  EXPECT_EQ(map.regions.size(), 8u);
  for (const axi::Region& a : map.regions)
    for (const axi::Region& b : map.regions)
      EXPECT_TRUE(&a == &b || a.base + a.size <= b.base || b.base + b.size <= a.base)
          << a.name << " and " << b.name;
}

}  // namespace
}  // namespace gvp::platform
