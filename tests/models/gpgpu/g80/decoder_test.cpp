// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/decoder.h"

#include <gtest/gtest.h>

#include <array>

namespace gvp::gpgpu::g80 {
namespace {

using Kind = Operand::Kind;

TEST(Decoder, LongAddHasItsSecondSourceInTheThirdField) {
  const Decoded d = decode(Words{0x20000405, 0x0400c780});
  ASSERT_EQ(d.status, DecodeStatus::kOk) << d.reason;
  EXPECT_EQ(d.instruction.operation, Operation::kAdd);
  EXPECT_EQ(d.instruction.type, Type::kB32);
  EXPECT_EQ(d.instruction.combine, Combine::kAdd);
  EXPECT_EQ(d.instruction.destination.index, 1);
  EXPECT_EQ(d.instruction.sources[0].index, 2);
  EXPECT_EQ(d.instruction.sources[1].index, 3);
  EXPECT_EQ(d.instruction.predicate, Condition::kAlways);
}

TEST(Decoder, SharedOperandGivesByteOffsetAndSize) {
  const Decoded d = decode(Words{0x2040c805, 0x0420c780});  // s[0x10] - $r3
  ASSERT_EQ(d.status, DecodeStatus::kOk) << d.reason;
  EXPECT_EQ(d.instruction.combine, Combine::kSubtract);
  EXPECT_EQ(d.instruction.sources[0].kind, Kind::kShared);
  EXPECT_EQ(d.instruction.sources[0].access, Type::kB32);
  EXPECT_EQ(d.instruction.sources[0].value, 0x10);
  EXPECT_FALSE(d.instruction.sources[0].indexed);
}

TEST(Decoder, AddWithCarryReadsTheConditionRegisterOfThePredicateField) {
  const Decoded d = decode(Words{0x30400405, 0x0400e7d0});
  ASSERT_EQ(d.status, DecodeStatus::kOk) << d.reason;
  EXPECT_EQ(d.instruction.combine, Combine::kAddCarry);
  EXPECT_EQ(d.instruction.condition_register, 2);
  EXPECT_TRUE(d.instruction.writes_condition);
  EXPECT_EQ(d.instruction.condition_destination, 1);
}

TEST(Decoder, CompareOnlySetWritesTheBitBucket) {
  const Decoded d = decode(Words{0x307c03fd, 0x6c0147c8});
  ASSERT_EQ(d.status, DecodeStatus::kOk) << d.reason;
  EXPECT_EQ(d.instruction.operation, Operation::kSet);
  EXPECT_EQ(d.instruction.type, Type::kS32);
  EXPECT_EQ(d.instruction.compare, Condition::kNotEqual);
  EXPECT_EQ(d.instruction.destination.kind, Kind::kOutput);
  EXPECT_EQ(d.instruction.destination.index, 0x7f);
  EXPECT_EQ(d.instruction.sources[1].index, 124);
}

TEST(Decoder, ExitAndJoinMarkers) {
  EXPECT_EQ(decode(Words{0xf0000001, 0xe0000001}).instruction.marker, Marker::kExit);
  EXPECT_EQ(decode(Words{0xf0000001, 0xe0000001}).instruction.predicate, Condition::kNever);
  EXPECT_EQ(decode(Words{0xf0000001, 0xe0000002}).instruction.marker, Marker::kJoin);
}

TEST(Decoder, PostIncrementOffsetsAreSigned) {
  // MOV R1, s[$a1] then $a1 -= 4: offset field 0x1f.
  const Decoded d = decode(Words{0x1600fe05, 0x0423c780});
  ASSERT_EQ(d.status, DecodeStatus::kOk) << d.reason;
  EXPECT_EQ(d.instruction.address_register, 1);
  EXPECT_TRUE(d.instruction.post_increment);
  EXPECT_EQ(d.instruction.sources[0].value, -4);
}

TEST(Decoder, BranchTargetIsAByteAddress) {
  const Decoded d = decode(Words{0x10008003, 0x00000280});
  ASSERT_EQ(d.status, DecodeStatus::kOk) << d.reason;
  EXPECT_EQ(d.instruction.operation, Operation::kBranch);
  EXPECT_EQ(d.instruction.target, 0x40u);
  EXPECT_EQ(d.instruction.predicate, Condition::kNotEqual);
}

TEST(Decoder, IgnoredPredicateOfCallIsKeptWithoutComplaint) {
  const Decoded d = decode(Words{0x2001e003, 0x00000780});
  EXPECT_EQ(d.status, DecodeStatus::kOk) << d.reason;
  EXPECT_EQ(d.instruction.target, 0xf0u);
  EXPECT_EQ(d.instruction.extra, (std::array<uint32_t, 2>{0, 0x780}));
}

TEST(Decoder, UnknownBitsAreReportedAndKept) {
  const Decoded d = decode(Words{0x20000405, 0x1400c780});  // bit 28 is always 0
  EXPECT_EQ(d.status, DecodeStatus::kUnknownBits);
  EXPECT_TRUE(d.executable());
  EXPECT_EQ(d.unknown, (Words{0, 0x10000000}));
  EXPECT_NE(d.reason.find("0x10000000"), std::string::npos) << d.reason;
}

TEST(Decoder, IllegalWordsHaveATypedReason) {
  EXPECT_EQ(decode(Words{0x20000001, 0x20000780}).status, DecodeStatus::kIllegalOpcode);
  EXPECT_EQ(decode(Words{0xd00e0405, 0x80e00780}).status, DecodeStatus::kReservedValue);
  EXPECT_EQ(decode(Words{0xb0010405, 0x0000c780}).status, DecodeStatus::kReservedValue);
  EXPECT_EQ(decode(Words{0xd00e0405, 0xe0c00780}).status, DecodeStatus::kLaterArchitecture);
  EXPECT_EQ(decode(Words{0x1000c805, 0x4000c780}).status, DecodeStatus::kLaterArchitecture);
  EXPECT_EQ(decode(Words{0x80000004, 0}).status, DecodeStatus::kGraphics);
  const uint32_t half[] = {0x20000405};
  EXPECT_EQ(decode(half, 1).status, DecodeStatus::kTruncated);
  EXPECT_EQ(decode(half, 0).status, DecodeStatus::kTruncated);
}

TEST(Decoder, SharedAndConstantOperandsTogether) {
  // NVIDIA: IMAD.U16 R4, g [0x6].U16, c[0x1][0x2], R3
  const Decoded d = decode(Words{0x60824c11, 0x0060c780});
  ASSERT_EQ(d.status, DecodeStatus::kOk) << d.reason;
  EXPECT_EQ(d.instruction.sources[0].access, Type::kU16);
  EXPECT_EQ(d.instruction.sources[0].value, 0xc);
  EXPECT_EQ(d.instruction.sources[1].kind, Kind::kConstant);
  EXPECT_EQ(d.instruction.sources[1].index, 1);
  EXPECT_EQ(d.instruction.sources[1].value, 4);
  EXPECT_EQ(d.instruction.sources[2].index, 3);
}

}  // namespace
}  // namespace gvp::gpgpu::g80
