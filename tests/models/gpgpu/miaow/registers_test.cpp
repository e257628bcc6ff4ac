// SPDX-License-Identifier: Apache-2.0
// Every register of miaow_registers.h: value after reset, access rule, what it does.
#include <gmock/gmock.h>

#include "models/gpgpu/miaow/register_rows.h"
#include "tests/models/gpgpu/miaow/driver.h"
#include "tests/support/log_capture.h"

namespace gvp::gpgpu::miaow {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr uint32_t kPlain[] = {MIAOW_WAVE_ID,   MIAOW_BASE_VGPR,        MIAOW_BASE_SGPR,
                               MIAOW_BASE_LDS,  MIAOW_WAVE_COUNT,       MIAOW_PC_START,
                               MIAOW_QUAD_BASE, MIAOW_INSTRUCTION_INDEX};

TEST(Registers, TheRowsFillTheWindow) {
  uint32_t next = 0;
  for (const device::RegisterRow& row : register_rows()) {
    EXPECT_EQ(row.offset, next) << row.name;
    next = row.offset + row.count * row.stride;
  }
  EXPECT_EQ(next, MIAOW_WINDOW_BYTES);
}

TEST(Registers, AllReadZeroAtFirst) {
  Driver driver;
  driver.bus.run([&] {
    for (uint32_t offset = 0; offset < MIAOW_WINDOW_BYTES; offset += 4) {
      EXPECT_EQ(driver.read(offset), 0u) << std::hex << offset;
      EXPECT_EQ(driver.bus.peek32(offset), 0u) << std::hex << offset;
    }
  });
}

TEST(Registers, WhatConfiguresALaunchKeepsWhatIsWritten) {
  Driver driver;
  driver.bus.run([&] {
    for (const uint32_t offset : kPlain) driver.write(offset, 0x5a5a0000 + offset);
    for (const uint32_t offset : kPlain) EXPECT_EQ(driver.read(offset), 0x5a5a0000 + offset);
  });
}

TEST(Registers, WhatHasNoMeaningIsAcknowledged) {
  Driver driver;
  driver.bus.run([&] {
    for (const uint32_t offset : {0x40u, 0x7cu, 0x8cu, 0xa4u, 0xb8u, 0x1e4u, 0x1fcu}) {
      driver.write(offset, 0xffffffff);
      EXPECT_EQ(driver.read(offset), 0u) << std::hex << offset;
    }
    for (const uint32_t offset :
         {MIAOW_MEMORY_STATE, MIAOW_STORE_DATA, MIAOW_MEMORY_ADDRESS, MIAOW_PC}) {
      driver.write(offset, 0xffffffff);
      EXPECT_EQ(driver.read(offset), 0u) << std::hex << offset;
    }
  });
}

TEST(Registers, RepeatThroughTheWindow) {
  Driver driver;
  driver.bus.run([&] {
    driver.write(MIAOW_PC_START + 0x600, 0x44);
    EXPECT_EQ(driver.read(MIAOW_PC_START), 0x44u);
    EXPECT_EQ(driver.read(MIAOW_PC_START + 0xfe00), 0x44u);
    EXPECT_EQ(driver.bus.peek32(MIAOW_PC_START + 0xfe00), 0x44u);
  });
}

TEST(Registers, NarrowReadsWorkAndNarrowWritesAreErrors) {
  Driver driver;
  const test::LogCapture log;
  driver.bus.run([&] {
    uint32_t value = 0;
    driver.write(MIAOW_PC_START, 0x11223344);
    EXPECT_EQ(driver.bus.read(MIAOW_PC_START + 1, value, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(value, 0x33u);
    EXPECT_NE(driver.bus.write(MIAOW_PC_START, 1, 1), tlm::TLM_OK_RESPONSE);
    EXPECT_NE(driver.bus.read(MIAOW_PC_START + 2, value, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(driver.read(MIAOW_PC_START), 0x11223344u);
  });
  EXPECT_THAT(log.text(),
              HasSubstr("write of 1 byte at 0x18: these registers take writes of 4 bytes only"));
}

TEST(Registers, AnAccessTakesThreeClocksOfTheDevice) {
  Driver driver;
  driver.bus.run([&] {
    driver.read(MIAOW_WAVE_ID);
    EXPECT_EQ(driver.bus.delay, sc_core::sc_time(60, sc_core::SC_NS));
  });
}

TEST(Registers, InstructionMemoryIsReachedByIndex) {
  Driver driver;
  driver.bus.run([&] {
    driver.write_code(std::vector<uint32_t>{10, 11, 12});
    driver.write(MIAOW_INSTRUCTION_INDEX, 1024 + 1);  // ten bits
    EXPECT_EQ(driver.read(MIAOW_INSTRUCTION), 11u);
    driver.write(MIAOW_INSTRUCTION_INDEX, 1023);
    driver.write(MIAOW_INSTRUCTION, 99);
    EXPECT_EQ(driver.read(MIAOW_INSTRUCTION), 99u);
  });
}

TEST(Registers, ScalarRegistersAreReachedInFours) {
  Driver driver;
  driver.bus.run([&] {
    driver.write_scalars(8, {1, 2, 3, 4, 5, 6, 7, 8});
    EXPECT_THAT(driver.read_quad(8), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(driver.read_quad(10), ElementsAre(3, 4, 5, 6));
    driver.write(MIAOW_QUAD_DATA(0), 77);
    EXPECT_THAT(driver.read_quad(8), ElementsAre(1, 2, 3, 4)) << "nothing was committed";
    driver.write_scalars(510, {21, 22, 23, 24});
    EXPECT_THAT(driver.read_quad(0), ElementsAre(23, 24, 0, 0));
  });
}

TEST(Registers, VectorRegistersTakeTheLanesThatWereWritten) {
  Driver driver;
  driver.bus.run([&] {
    driver.write_vector(5, std::vector<uint32_t>(64, 9));
    EXPECT_THAT(driver.read_vector(5), Each(9u));
    driver.write(MIAOW_VECTOR_INDEX, 5);
    driver.write(MIAOW_VECTOR_DATA(3), 33);
    driver.write(MIAOW_VECTOR_DATA(63), 36);
    EXPECT_THAT(driver.read(MIAOW_VECTOR_DATA(3)), 9u) << "nothing was committed";
    driver.write(MIAOW_VECTOR_COMMIT, 0);
    const std::vector<uint32_t> lanes = driver.read_vector(5);
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(lanes[lane], lane == 3 ? 33u : lane == 63 ? 36u : 9u) << lane;
    driver.write(MIAOW_VECTOR_COMMIT, 0);  // the index has made it forget the lanes
    EXPECT_EQ(driver.read_vector(5)[3], 33u);
  });
}

TEST(Registers, AVectorRegisterIsCleanedAndMasked) {
  Driver driver;
  driver.bus.run([&] {
    driver.write_vector(6, std::vector<uint32_t>(64, 9));
    driver.write(MIAOW_VECTOR_INDEX, 6);
    driver.write(MIAOW_VECTOR_CLEAN, 0);
    driver.write(MIAOW_VECTOR_MASK_LOW, 0x00000005);
    driver.write(MIAOW_VECTOR_MASK_HIGH, 0x80000000);
    driver.write(MIAOW_VECTOR_COMMIT, 0);
    const std::vector<uint32_t> lanes = driver.read_vector(6);
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(lanes[lane], lane == 0 || lane == 2 || lane == 63 ? 0u : 9u) << lane;
    driver.clear_vectors(7);
    EXPECT_THAT(driver.read_vector(6), Each(0u));
  });
}

TEST(Registers, PrefetchMemoryIsWrittenWhileDoneStands) {
  Driver driver;
  driver.bus.run([&] {
    driver.write_prefetch(0x1000, 41);
    driver.write_prefetch(0xffffc, 42);
    EXPECT_EQ(driver.read_prefetch(0x1000), 41u);
    EXPECT_EQ(driver.read_prefetch(0x1ffffc), 42u);  // 20 bits
    driver.write(MIAOW_PREFETCH_ADDRESS, 0x1000);
    driver.write(MIAOW_LOAD_DATA, 50);
    EXPECT_EQ(driver.read(MIAOW_STORE_DATA), 41u);
    driver.write(MIAOW_DONE, 1);
    EXPECT_EQ(driver.read(MIAOW_STORE_DATA), 50u);
    driver.write(MIAOW_LOAD_DATA, 51);
    EXPECT_EQ(driver.read(MIAOW_STORE_DATA), 51u);
    driver.write(MIAOW_DONE, 0);
    driver.write(MIAOW_LOAD_DATA, 52);
    EXPECT_EQ(driver.read(MIAOW_STORE_DATA), 51u);
  });
}

TEST(Registers, ResetClearsWhatTheSlaveClearsAndNothingElse) {
  Driver driver;
  driver.bus.run([&] {
    for (const uint32_t offset : kPlain) driver.write(offset, 4);
    driver.write_code(std::vector<uint32_t>{1, 2});
    driver.write_scalars(4, {1, 2, 3, 4});
    driver.write_prefetch(0, 8);
    driver.write(MIAOW_RESET, 1);
    driver.write(MIAOW_WAVE_ID, 5);  // in vain
    driver.write(MIAOW_RESET, 0);
    for (const uint32_t offset :
         {MIAOW_WAVE_ID, MIAOW_BASE_VGPR, MIAOW_BASE_SGPR, MIAOW_BASE_LDS, MIAOW_WAVE_COUNT})
      EXPECT_EQ(driver.read(offset), 0u) << std::hex << offset;
    for (const uint32_t offset : {MIAOW_PC_START, MIAOW_QUAD_BASE, MIAOW_INSTRUCTION_INDEX})
      EXPECT_EQ(driver.read(offset), offset == MIAOW_INSTRUCTION_INDEX ? 1u : 4u)
          << std::hex << offset;
    EXPECT_EQ(driver.read(MIAOW_INSTRUCTION), 2u);
    EXPECT_THAT(driver.read_quad(4), ElementsAre(1, 2, 3, 4));
    EXPECT_EQ(driver.read_prefetch(0), 8u);
  });
}

TEST(Registers, TheResetLineClearsAllRegistersAndNoMemory) {
  Driver driver;
  driver.bus.run([&] {
    for (const uint32_t offset : kPlain) driver.write(offset, 4);
    driver.write_prefetch(0x40, 8);
    driver.device->reset();
    for (const uint32_t offset : kPlain) EXPECT_EQ(driver.read(offset), 0u) << std::hex << offset;
    EXPECT_EQ(driver.read_prefetch(0x40), 8u);
  });
}

}  // namespace
}  // namespace gvp::gpgpu::miaow
