// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::gpgpu::g80 {
namespace {

using simt::Mask;

class MemoryTest : public testing::Test {
 protected:
  MemoryTest() {
    for (uint32_t i = 0; i < OneWarp::kGlobalBytes; ++i)
      warp.global[i] = static_cast<uint8_t>(i * 7 + i / 256);
    std::iota(warp.shared.begin(), warp.shared.end(), uint8_t{0});
    for (uint32_t i = 0; i < OneWarp::kConstantBytes; ++i)
      warp.constants[i] = static_cast<uint8_t>(255 - i);
  }
  uint32_t bytes(const std::vector<uint8_t>& memory, uint32_t at, unsigned count) {
    uint32_t value = 0;
    for (unsigned i = 0; i < count; ++i) value |= uint32_t{memory.at(at + i)} << 8 * i;
    return value;
  }
  void expect_fault(const Step& step, FaultCause cause, unsigned lane, uint32_t address) {
    EXPECT_EQ(step.stop, Stop::kFault);
    EXPECT_EQ(warp.warp.fault.cause, cause) << static_cast<unsigned>(warp.warp.fault.cause);
    EXPECT_EQ(warp.warp.fault.lane, lane);
    EXPECT_EQ(warp.warp.fault.address, address);
  }
  // R2 = first + lane * stride
  void addresses(uint32_t first, uint32_t stride) {
    for (unsigned lane = 0; lane < 32; ++lane) warp.r(2)[lane] = first + lane * stride;
  }

  OneWarp warp;
};

TEST_F(MemoryTest, GlobalLoadsOfEveryPatternFetchTheRightWords) {
  for (const uint32_t stride : {4u, 0u, 8u, 64u, 0u - 4u}) {
    addresses(2048, stride);
    ASSERT_EQ(warp.execute("GLD.U32 R1, global14[R2];").stop, Stop::kNone);
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(warp.r(1)[lane], bytes(warp.global, 2048 + lane * stride, 4)) << stride;
  }
}

TEST_F(MemoryTest, NarrowGlobalLoadsExtend) {
  addresses(0, 2);
  warp.execute("GLD.U8 R1, global14[R2];");
  warp.execute("GLD.S8 R3, global14[R2];");
  warp.execute("GLD.U16 R4, global14[R2];");
  warp.execute("GLD.S16 R5, global14[R2];");
  for (unsigned lane = 0; lane < 32; ++lane) {
    const uint32_t byte = bytes(warp.global, 2 * lane, 1);
    const uint32_t half = bytes(warp.global, 2 * lane, 2);
    EXPECT_EQ(warp.r(1)[lane], byte);
    EXPECT_EQ(warp.r(3)[lane], byte | (byte > 127 ? 0xffffff00u : 0u));
    EXPECT_EQ(warp.r(4)[lane], half);
    EXPECT_EQ(warp.r(5)[lane], half | (half > 32767 ? 0xffff0000u : 0u));
  }
}

TEST_F(MemoryTest, WideGlobalAccessesMoveRegisterGroups) {
  addresses(0, 16);
  ASSERT_EQ(warp.execute("GLD.S128 R4, global14[R2];").stop, Stop::kNone);
  for (unsigned lane = 0; lane < 32; ++lane)
    for (unsigned word = 0; word < 4; ++word)
      EXPECT_EQ(warp.r(4 + word)[lane], bytes(warp.global, 16 * lane + 4 * word, 4));
  addresses(2048, 8);
  ASSERT_EQ(warp.execute("GST.S64 global14[R2], R6;").stop, Stop::kNone);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(warp.global_word(2048 + 8 * lane), warp.r(6)[lane]);
    EXPECT_EQ(warp.global_word(2052 + 8 * lane), warp.r(7)[lane]);
  }
}

TEST_F(MemoryTest, AWideLoadMayOverwriteItsAddress) {
  addresses(0, 8);
  const auto before = warp.r(2);
  ASSERT_EQ(warp.execute("GLD.S64 R2, global14[R2];").stop, Stop::kNone);
  for (unsigned lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(warp.r(2)[lane], bytes(warp.global, before[lane], 4));
    EXPECT_EQ(warp.r(3)[lane], bytes(warp.global, before[lane] + 4, 4));
  }
}

TEST_F(MemoryTest, StoresTouchActiveLanesOnly) {
  const auto before = warp.global;
  warp.start(0x00000005);
  addresses(64, 4);
  warp.fill(1, 0xaabbccdd);
  warp.execute("GST.U32 global14[R2], R1;");
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(warp.global_word(64 + 4 * lane),
              lane == 0 || lane == 2 ? 0xaabbccddu : bytes(before, 64 + 4 * lane, 4));
}

TEST_F(MemoryTest, NarrowStoresLeaveNeighboursAlone) {
  const auto before = warp.global;
  addresses(0, 4);
  warp.fill(1, 0x11223344);
  warp.execute("GST.U8 global14[R2], R1;");
  EXPECT_EQ(warp.global_word(0), (bytes(before, 0, 4) & 0xffffff00u) | 0x44u);
  addresses(128, 4);
  warp.execute("GST.U16 global14[R2], R1;");
  EXPECT_EQ(warp.global_word(128), (bytes(before, 128, 4) & 0xffff0000u) | 0x3344u);
}

TEST_F(MemoryTest, OfTwoLanesThatStoreToOneWordTheHigherWins) {
  addresses(512, 0);
  for (unsigned lane = 0; lane < 32; ++lane) warp.r(1)[lane] = lane;
  warp.execute("GST.U32 global14[R2], R1;");
  EXPECT_EQ(warp.global_word(512), 31u);
}

TEST_F(MemoryTest, GlobalAccessBeyondTheEndNamesFirstLaneAndAddress) {
  addresses(OneWarp::kGlobalBytes - 16, 4);
  const auto before = warp.global;
  expect_fault(warp.execute("GLD.U32 R1, global14[R2];"), FaultCause::kGlobalOutOfRange, 4,
               OneWarp::kGlobalBytes);
  warp.start();
  addresses(OneWarp::kGlobalBytes - 16, 4);
  expect_fault(warp.execute("GST.U32 global14[R2], R1;"), FaultCause::kGlobalOutOfRange, 4,
               OneWarp::kGlobalBytes);
  EXPECT_EQ(warp.global, before) << "a faulting store stores nothing";
}

TEST_F(MemoryTest, AddressesNearFourGigabytesDoNotWrap) {
  addresses(0xfffffffc, 0);
  expect_fault(warp.execute("GLD.U32 R1, global14[R2];"), FaultCause::kGlobalOutOfRange, 0,
               0xfffffffc);
  warp.start();
  addresses(0xfffffff0, 0);
  expect_fault(warp.execute("GLD.S128 R4, global14[R2];"), FaultCause::kGlobalOutOfRange, 0,
               0xfffffff0);
}

// As FlexGrip's block RAM is accessed: any alignment will do, and addresses go round.
TEST_F(MemoryTest, MemoryThatWrapsTakesAnyAddress) {
  warp.machine.wrap_global = true;
  const auto before = warp.global;
  const auto byte_at = [&](uint32_t address) {
    return uint32_t{before[address % OneWarp::kGlobalBytes]};
  };
  addresses(OneWarp::kGlobalBytes - 32, 3);
  ASSERT_EQ(warp.execute("GLD.U32 R1, global14[R2];").stop, Stop::kNone);
  ASSERT_EQ(warp.execute("GLD.S16 R3, global14[R2];").stop, Stop::kNone);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t at = OneWarp::kGlobalBytes - 32 + 3 * lane;
    const uint32_t half = byte_at(at) | byte_at(at + 1) << 8;
    EXPECT_EQ(warp.r(1)[lane], half | byte_at(at + 2) << 16 | byte_at(at + 3) << 24);
    EXPECT_EQ(warp.r(3)[lane], half | (half >> 15) * 0xffff0000u);
  }
  warp.start(1u << 4);
  addresses(OneWarp::kGlobalBytes - 14, 3);
  warp.fill(1, 0x44332211);
  ASSERT_EQ(warp.execute("GST.U32 global14[R2], R1;").stop, Stop::kNone);
  EXPECT_EQ(warp.global[OneWarp::kGlobalBytes - 2], 0x11);
  EXPECT_EQ(warp.global[OneWarp::kGlobalBytes - 1], 0x22);
  EXPECT_EQ(warp.global[0], 0x33);
  EXPECT_EQ(warp.global[1], 0x44);
  EXPECT_EQ(warp.global[2], before[2]);
}

TEST_F(MemoryTest, MisalignedAccessesFault) {
  addresses(0, 4);
  warp.r(2)[9] = 38;
  expect_fault(warp.execute("GLD.U32 R1, global14[R2];"), FaultCause::kMisaligned, 9, 38);
  warp.start();
  addresses(8, 8);
  expect_fault(warp.execute("GLD.S128 R4, global14[R2];"), FaultCause::kMisaligned, 0, 8);
  warp.start();
  addresses(1, 2);
  expect_fault(warp.execute("GST.U16 global14[R2], R1;"), FaultCause::kMisaligned, 0, 1);
}

TEST_F(MemoryTest, BadAddressesOfInactiveLanesDoNoHarm) {
  warp.start(0x1);
  addresses(0, 0x10000000);
  EXPECT_EQ(warp.execute("GLD.U32 R1, global14[R2];").stop, Stop::kNone);
  EXPECT_EQ(warp.r(1)[0], bytes(warp.global, 0, 4));
}

TEST_F(MemoryTest, SharedOperandsAreFetchedInTheirSizes) {
  warp.execute("MOV R1, g [0x4];");
  EXPECT_EQ(warp.r(1)[31], 0x13121110u);
  warp.execute("MOV.U16 R3L, g [0x6].U16;");
  EXPECT_EQ(warp.r(3)[31] & 0xffffu, 0x0d0cu);
  warp.fill(2, 100);
  warp.execute("IADD R1, g [0x1], R2;");
  EXPECT_EQ(warp.r(1)[0], 0x07060504u + 100);
}

TEST_F(MemoryTest, AddressRegistersIndexSharedMemory) {
  for (unsigned lane = 0; lane < 32; ++lane) warp.r(2)[lane] = 31 - lane;
  warp.execute("R2A A1, R2, 0x2;");
  ASSERT_EQ(warp.execute("MOV R1, g [A1+0x2];").stop, Stop::kNone);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(warp.r(1)[lane], bytes(warp.shared, 4 * (31 - lane) + 8, 4));
  warp.execute("A2R R3, A1;");
  EXPECT_EQ(warp.r(3)[0], 124u);
  warp.execute("ADA A2, A1, 0x10;");
  warp.execute("A2R R3, A2;");
  EXPECT_EQ(warp.r(3)[0], 140u);
}

TEST_F(MemoryTest, AddressRegistersHaveSixteenBits) {
  warp.fill(2, 0x12345678);
  warp.execute("R2A A4, R2, 0x4;");
  warp.execute("A2R R3, A4;");
  EXPECT_EQ(warp.r(3)[5], 0x6780u);
}

TEST_F(MemoryTest, SharedStoresReachTheBlocksMemory) {
  for (unsigned lane = 0; lane < 32; ++lane) warp.r(2)[lane] = lane;
  warp.execute("R2A A1, R2, 0x2;");
  warp.fill(1, 0xcafe0001);
  ASSERT_EQ(warp.execute("R2G.U32.U32 g[A1+0x10], R1;").stop, Stop::kNone);
  for (unsigned lane = 0; lane < 32; ++lane)
    EXPECT_EQ(bytes(warp.shared, 4 * lane + 0x40, 4), 0xcafe0001u);
  warp.execute("R2G.U32.U16 g[0x2], R1;");
  EXPECT_EQ(bytes(warp.shared, 4, 2), 0x0001u);
}

TEST_F(MemoryTest, HalvesThatAreStoredAsWordsAreExtendedByZeros) {
  warp.fill(1, 0x89abcdef);
  warp.execute("R2G.U16.U32 g[0x10], R1L;");
  EXPECT_EQ(bytes(warp.shared, 0x40, 4), 0xcdefu);
  warp.execute("R2G.U16.U32 g[0x10], R1H;");
  EXPECT_EQ(bytes(warp.shared, 0x40, 4), 0x89abu);
  warp.fill(2, 0);
  warp.execute("R2A A1, R2, 0x0;");
  warp.execute("R2G.U16.U32 g[A1+0x11], R1L;");
  EXPECT_EQ(bytes(warp.shared, 0x44, 4), 0xcdefu);
}

TEST_F(MemoryTest, PostIncrementUsesTheAddressAndThenMovesIt) {
  warp.fill(2, 16);
  warp.execute("R2A A1, R2, 0x0;");
  Instruction load = assemble_instruction("MOV R1, g [A1+0x2];");
  load.post_increment = true;
  ASSERT_EQ(warp.execute(load).stop, Stop::kNone);
  EXPECT_EQ(warp.r(1)[0], bytes(warp.shared, 16, 4));
  warp.execute("A2R R3, A1;");
  EXPECT_EQ(warp.r(3)[0], 24u);
}

TEST_F(MemoryTest, SharedAccessBeyondTheBlockFaults) {
  warp.fill(2, OneWarp::kSharedBytes);
  warp.execute("R2A A1, R2, 0x0;");
  expect_fault(warp.execute("MOV R1, g [A1+0x0];"), FaultCause::kSharedOutOfRange, 0,
               OneWarp::kSharedBytes);
}

TEST_F(MemoryTest, ConstantsComeFromTheirBank) {
  warp.machine.banks[3] = {0x100, 0x20};
  warp.execute("MVC R1, c[0x3] [0x4];");
  EXPECT_EQ(warp.r(1)[12], bytes(warp.constants, 0x110, 4));
  expect_fault(warp.execute("MVC R1, c[0x3] [0x8];"), FaultCause::kConstantOutOfRange, 0, 0x20);
}

TEST_F(MemoryTest, ConstantOperandsWorkInArithmetic) {
  warp.fill(2, 1);
  warp.execute("IADD R1, R2, c[0x1][0x2];");
  EXPECT_EQ(warp.r(1)[0], bytes(warp.constants, 8, 4) + 1);
}

TEST_F(MemoryTest, LocalMemoryBelongsToItsThread) {
  for (unsigned lane = 0; lane < 32; ++lane) warp.r(1)[lane] = 1000 + lane;
  ASSERT_EQ(warp.execute("LST.U32 local[0x10], R1;").stop, Stop::kNone);
  ASSERT_EQ(warp.execute("LLD.U32 R3, local[0x10];").stop, Stop::kNone);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(warp.r(3)[lane], 1000 + lane);
  warp.execute("LLD.U8 R3, local[0x11];");
  EXPECT_EQ(warp.r(3)[0], 3u);
  expect_fault(warp.execute("LLD.U32 R3, local[0x40];"), FaultCause::kLocalOutOfRange, 0, 0x40);
}

TEST_F(MemoryTest, APredicatedLoadChecksOnlyItsOwnLanes) {
  for (unsigned lane = 0; lane < 32; ++lane) warp.set_flags(0, lane, lane < 4 ? 0 : 1);
  addresses(0, 0x00100000);
  warp.r(2)[1] = 4;
  warp.r(2)[2] = 8;
  warp.r(2)[3] = 12;
  Instruction load = assemble_instruction("GLD.U32 R1, global14[R2];");
  load.predicate = Condition::kNotEqual;
  const Step step = warp.execute(load);
  EXPECT_EQ(step.stop, Stop::kNone);
  EXPECT_EQ(step.executed, 0xfu);
  ASSERT_NE(step.addresses, nullptr);
  EXPECT_EQ((*step.addresses)[3], 12u);
}

// Behind a bus: every word through the port but those in the directly accessible range.
class Bus : public GlobalPort {
 public:
  FaultCause read(uint32_t address, void* data, unsigned count) override {
    ++accesses;
    if (address >= 0x90000000) return FaultCause::kBusError;
    std::memcpy(data, &words[address], count);
    return FaultCause::kNone;
  }
  FaultCause write(uint32_t address, const void* data, unsigned count) override {
    ++accesses;
    if (address >= 0x90000000) return FaultCause::kBusError;
    std::memcpy(&words[address], data, count);
    return FaultCause::kNone;
  }
  std::map<uint32_t, std::array<uint32_t, 4>> words;
  unsigned accesses = 0;
};

TEST_F(MemoryTest, BusAccessesGoLaneByLaneInOrder) {
  Bus bus;
  warp.machine.port = &bus;
  warp.machine.global.bytes = 0;
  addresses(0x50000000, 4);
  for (unsigned lane = 0; lane < 32; ++lane) warp.r(1)[lane] = lane;
  ASSERT_EQ(warp.execute("GST.U32 global14[R2], R1;").stop, Stop::kNone);
  ASSERT_EQ(warp.execute("GLD.U32 R3, global14[R2];").stop, Stop::kNone);
  EXPECT_EQ(bus.accesses, 64u);
  for (unsigned lane = 0; lane < 32; ++lane) EXPECT_EQ(warp.r(3)[lane], lane);
}

TEST_F(MemoryTest, TheDirectRangeNeedsNoBusAccess) {
  Bus bus;
  warp.machine.port = &bus;
  warp.machine.global.base = 0x50000000;
  addresses(0x50000100, 4);
  ASSERT_EQ(warp.execute("GLD.U32 R3, global14[R2];").stop, Stop::kNone);
  EXPECT_EQ(bus.accesses, 0u);
  EXPECT_EQ(warp.r(3)[1], bytes(warp.global, 0x104, 4));
  EXPECT_EQ(warp.execute("GLD.U32 R3, global14[R2];").addresses->lane[0], 0x50000100u);
  warp.r(2)[3] = 0x50000102;
  expect_fault(warp.execute("GLD.U32 R3, global14[R2];"), FaultCause::kMisaligned, 3, 0x50000102);
}

TEST_F(MemoryTest, BusErrorsFault) {
  Bus bus;
  warp.machine.port = &bus;
  warp.machine.global.bytes = 0;
  addresses(0x8ffffff8, 4);
  expect_fault(warp.execute("GLD.U32 R3, global14[R2];"), FaultCause::kBusError, 2, 0x90000000);
}

}  // namespace
}  // namespace gvp::gpgpu::g80
