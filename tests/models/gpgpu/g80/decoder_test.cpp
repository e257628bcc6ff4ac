// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/g80/decoder.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>
#include <string>

#include "tests/support/seed.h"

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
  EXPECT_EQ(decode(Words{0x1000c805, 0x4000c780}).status, DecodeStatus::kLaterArchitecture);
  EXPECT_EQ(decode(Words{0x80000004, 0}).status, DecodeStatus::kGraphics);
  const uint32_t half[] = {0x20000405};
  EXPECT_EQ(decode(half, 1).status, DecodeStatus::kTruncated);
  EXPECT_EQ(decode(half, 0).status, DecodeStatus::kTruncated);
}

// The opcodes of a G80 that no kernel for it has, by opcode and subopcode
// (docs/g80_encodings.md).
std::string rejection(const Words& words) {
  const uint32_t opcode = words[0] >> 28, sub = words[1] >> 29;
  const bool short_form = (words[0] & 1) == 0, control = (words[0] & 2) != 0;
  if (control && opcode == 0xb) return "breakpoint needs sm_11";
  if (short_form)
    return control         ? ""
           : opcode == 8   ? "interpolation (graphics)"
           : opcode == 0xf ? "texture instruction"
                           : "";
  if (control)
    return opcode == 0xc   ? "indirect branch needs a later architecture"
           : opcode == 0xd ? "preset return needs a later architecture"
                           : "";
  if ((words[1] & 3) == 3) return "";  // with an immediate
  switch (opcode << 4 | sub) {
    case 0x00:
      return "load of vertex attributes (graphics)";
    case 0x04:
      return "store to o[] (graphics)";
    case 0x12:
      if ((words[1] & 0xe480c040) == 0x4480c040) return "";  // locks the word: an extension
      return "load from s[] (G2R) needs sm_11; use MOV";
    case 0xf5:
    case 0xf7:
      return "";
    case 0xf6:
      return "geometry output (graphics)";
    default:
      break;
  }
  if (opcode == 8) return "interpolation (graphics)";
  if (opcode == 0xa && (words[1] >> 22 & 1) != 0) return "64-bit conversion needs sm_13";
  if (opcode == 0xc && sub >= 4) return "quad operation (graphics)";
  if (opcode == 0xc && sub == 0 && (words[1] >> 20 & 1) != 0)
    return "saturating long FMUL needs sm_12; use FMUL32 or a saturating F2F";
  if (opcode == 0xe && sub >= 2) return "double precision needs sm_13";
  return opcode == 0xf ? "texture instruction" : "";
}

TEST(Decoder, WhatNoKernelOfThisMachineHasIsRejectedWhateverItsOperands) {
  const uint32_t seed = test::seed(5);
  SCOPED_TRACE(test::text_of_seed(seed));
  std::mt19937 random(seed);
  std::set<std::string> seen;
  for (uint32_t opcode = 0; opcode < 16; ++opcode)
    for (uint32_t sub = 0; sub < 8; ++sub)
      for (unsigned n = 0; n < 200; ++n) {
        // all zeros, all ones, and anything between
        const auto rest = [&] {
          return n == 0 ? 0u : n == 1 ? ~0u : static_cast<uint32_t>(random());
        };
        for (uint32_t form = 0; form < 4; ++form) {
          const Words words = {opcode << 28 | (rest() & 0x0ffffffc) | form,
                               sub << 29 | (rest() & 0x1fffffff)};
          const Decoded decoded = decode(words);
          const std::string expected = rejection(words);
          const bool rejected = decoded.status == DecodeStatus::kGraphics ||
                                decoded.status == DecodeStatus::kLaterArchitecture;
          ASSERT_EQ(rejected, !expected.empty())
              << std::hex << words[0] << ' ' << words[1] << ' ' << decoded.reason;
          if (!rejected) continue;
          ASSERT_NE(decoded.reason.find(expected), std::string::npos) << decoded.reason;
          const bool later = expected.find("needs") != std::string::npos;
          EXPECT_EQ(decoded.status == DecodeStatus::kLaterArchitecture, later) << expected;
          seen.insert(expected);
        }
      }
  EXPECT_EQ(seen.size(), 13u);
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
