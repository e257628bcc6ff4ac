// SPDX-License-Identifier: Apache-2.0
// Sections worked out by hand from DWARF 5, section 6.4.
#include "models/host/call_frames.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace gvp::host::test {
namespace {

using Bytes = std::vector<uint8_t>;

void word(Bytes& to, uint32_t value, bool big_endian = false) {
  for (unsigned i = 0; i < 4; ++i)
    to.push_back(static_cast<uint8_t>(value >> 8 * (big_endian ? 3 - i : i)));
}
void entry(Bytes& to, const Bytes& contents, bool big_endian = false) {
  word(to, static_cast<uint32_t>(contents.size()), big_endian);
  to.insert(to.end(), contents.begin(), contents.end());
}

// A CIE as GCC writes it for the MicroBlaze, and one function of 64 bytes at 0x1000.
Bytes debug_frame(const Bytes& instructions, bool big_endian = false, uint8_t version = 1) {
  Bytes section;
  Bytes common = {0xff, 0xff, 0xff, 0xff, version, 0};
  if (version >= 4) common.insert(common.end(), {4, 0});
  common.insert(common.end(), {4, 0x7c, 15, 0x0c, 1, 0});  // units of 4, of -4; r15; CFA r1 + 0
  entry(section, common, big_endian);
  Bytes function;
  word(function, 0, big_endian);
  word(function, 0x1000, big_endian);
  word(function, 64, big_endian);
  function.insert(function.end(), instructions.begin(), instructions.end());
  entry(section, function, big_endian);
  return section;
}

FrameRule at(const Bytes& section, uint32_t pc, bool big_endian = false) {
  return CallFrames({{section, 0, false}}, big_endian).find(pc);
}
std::optional<Recovery> recovery(const FrameRule& rule, unsigned number) {
  for (const Recovery& each : rule.registers)
    if (each.number == number) return each;
  return std::nullopt;
}

// addik r1, r1, -32; swi r15, r1, 0; ...; r19 at CFA - 4
const Bytes kPrologue = {0x41, 0x0e, 32, 0x41, 0x8f, 8, 0x42, 0x93, 1};

TEST(CallFramesTest, RowsHoldFromTheirAddressOn) {
  const Bytes section = debug_frame(kPrologue);
  EXPECT_FALSE(at(section, 0xffc).known);
  EXPECT_FALSE(at(section, 0x1040).known);
  FrameRule rule = at(section, 0x1000);
  ASSERT_TRUE(rule.known);
  EXPECT_EQ(rule.base, 1);
  EXPECT_EQ(rule.offset, 0);
  EXPECT_TRUE(rule.registers.empty());
  EXPECT_EQ(at(section, 0x1003).offset, 0);
  EXPECT_EQ(at(section, 0x1004).offset, 32);
  EXPECT_FALSE(recovery(at(section, 0x1004), 15).has_value());
  rule = at(section, 0x1008);
  ASSERT_TRUE(recovery(rule, 15).has_value());
  EXPECT_EQ(recovery(rule, 15)->kind, Recovery::Kind::kInFrame);
  EXPECT_EQ(recovery(rule, 15)->offset, -32);
  EXPECT_FALSE(recovery(rule, 19).has_value());
  rule = at(section, 0x103f);
  ASSERT_TRUE(recovery(rule, 19).has_value());
  EXPECT_EQ(recovery(rule, 19)->offset, -4);
}

TEST(CallFramesTest, BigEndianAndLaterVersionsAreReadAlike) {
  EXPECT_EQ(at(debug_frame(kPrologue, true), 0x1004, true).offset, 32);
  EXPECT_EQ(at(debug_frame(kPrologue, false, 3), 0x1004).offset, 32);
  EXPECT_EQ(at(debug_frame(kPrologue, false, 4), 0x1004).offset, 32);
  EXPECT_FALSE(at(debug_frame(kPrologue, false, 5), 0x1004).known);
}

TEST(CallFramesTest, EachInstructionSetsItsRule) {
  const auto rule = [](Bytes instructions) { return at(debug_frame(instructions), 0x1000); };
  using Kind = Recovery::Kind;
  const auto kind = [&](const Bytes& instructions) {
    const std::optional<Recovery> found = recovery(rule(instructions), 20);
    return !found ? std::make_pair(Kind::kLost, 9999) : std::make_pair(found->kind, found->offset);
  };
  EXPECT_EQ(kind({0x05, 20, 3}), std::make_pair(Kind::kInFrame, -12));
  EXPECT_EQ(kind({0x11, 20, 0x7e}), std::make_pair(Kind::kInFrame, 8));
  EXPECT_EQ(kind({0x2f, 20, 3}), std::make_pair(Kind::kInFrame, 12));
  EXPECT_EQ(kind({0x14, 20, 3}), std::make_pair(Kind::kFrame, -12));
  EXPECT_EQ(kind({0x15, 20, 0x7f}), std::make_pair(Kind::kFrame, 4));
  EXPECT_EQ(kind({0x07, 20}), std::make_pair(Kind::kLost, 0));
  EXPECT_EQ(kind({0x09, 20, 21}).first, Kind::kInRegister);
  EXPECT_EQ(recovery(rule({0x09, 20, 21}), 20)->from, 21);
  EXPECT_EQ(kind({0x16, 20, 1, 0x30}), std::make_pair(Kind::kLost, 0));
  EXPECT_FALSE(recovery(rule({0x94, 3, 0x08, 20}), 20).has_value());
  EXPECT_FALSE(recovery(rule({0x94, 3, 0xd4}), 20).has_value());
  EXPECT_FALSE(recovery(rule({0x94, 3, 0x06, 20}), 20).has_value());
  EXPECT_EQ(rule({0x0c, 19, 0x80, 1}).offset, 128);
  EXPECT_EQ(rule({0x0c, 19, 8}).base, 19);
  EXPECT_EQ(rule({0x12, 19, 0x7e}).offset, 8);
  EXPECT_EQ(rule({0x0e, 12, 0x0d, 19}).offset, 12);
  EXPECT_EQ(rule({0x13, 0x7d}).offset, 12);
  EXPECT_FALSE(rule({0x0f, 1, 0x30}).known) << "a frame by an expression";
  EXPECT_FALSE(rule({0x3f}).known) << "no such instruction";
  EXPECT_FALSE(rule({0x0b}).known) << "nothing remembered";
  EXPECT_EQ(rule({0x2e, 64, 0x0e, 4}).offset, 4);
  // Remembered rows come back whole.
  const FrameRule restored = rule({0x0e, 8, 0x0a, 0x0e, 16, 0x94, 3, 0x0b});
  EXPECT_EQ(restored.offset, 8);
  EXPECT_FALSE(recovery(restored, 20).has_value());
}

// DWARF 5, 7.6: seven bits a byte, the lowest first; bit 6 of the last is a signed number's sign.
TEST(CallFramesTest, NumbersAreSignedByTheirLastByteAlone) {
  const auto frame = [](Bytes number, bool is_signed) {
    Bytes instructions = {static_cast<uint8_t>(is_signed ? 0x13 : 0x0e)};
    instructions.insert(instructions.end(), number.begin(), number.end());
    const FrameRule rule = at(debug_frame(instructions), 0x1000);
    return rule.known ? std::optional<int>(rule.offset) : std::nullopt;
  };
  struct Case {
    Bytes bytes;
    int value;
  };
  for (const Case& each :
       std::vector<Case>{{{0x02}, 2},
                         {{0x3f}, 63},
                         {{0x40}, -64},
                         {{0x7f}, -1},
                         {{0xc0, 0x00}, 64},
                         {{0x80, 0x01}, 128},
                         {{0xff, 0x3f}, 8191},
                         {{0x80, 0x40}, -8192},
                         {{0x80, 0x7f}, -128},
                         {{0x82, 0x80, 0x00}, 2},
                         {{0xfe, 0xff, 0x7f}, -2},
                         {{0x82, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0}, 2}})
    EXPECT_EQ(frame(each.bytes, true), -4 * each.value);
  EXPECT_EQ(frame({0x40}, false), 64);
  EXPECT_EQ(frame({0xff, 0x7f}, false), 16383);
  EXPECT_EQ(frame(Bytes(10, 0x80), false), std::nullopt) << "it does not end";
  EXPECT_EQ(frame({0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0}, false),
            std::nullopt)
      << "more than 64 bits";
}

TEST(CallFramesTest, LocationsAdvanceByEveryForm) {
  EXPECT_EQ(at(debug_frame({0x02, 2, 0x0e, 4}), 0x1007).offset, 0);
  EXPECT_EQ(at(debug_frame({0x02, 2, 0x0e, 4}), 0x1008).offset, 4);
  EXPECT_EQ(at(debug_frame({0x03, 3, 0, 0x0e, 4}), 0x100b).offset, 0);
  EXPECT_EQ(at(debug_frame({0x03, 3, 0, 0x0e, 4}), 0x100c).offset, 4);
  EXPECT_EQ(at(debug_frame({0x04, 4, 0, 0, 0, 0x0e, 4}), 0x100f).offset, 0);
  EXPECT_EQ(at(debug_frame({0x04, 4, 0, 0, 0, 0x0e, 4}), 0x1010).offset, 4);
  EXPECT_EQ(at(debug_frame({0x01, 0x20, 0x10, 0, 0, 0x0e, 4}), 0x101f).offset, 0);
  EXPECT_EQ(at(debug_frame({0x01, 0x20, 0x10, 0, 0, 0x0e, 4}), 0x1020).offset, 4);
}

// A function's augmentation data (here three bytes that would be instructions) is not run.
TEST(CallFramesTest, ExceptionFramesHaveRelativeAddresses) {
  Bytes section;
  // version 1, "zR", units, r15, one byte of data: pcrel | sdata4; CFA r1 + 0
  entry(section, {0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x7c, 15, 1, 0x1b, 0x0c, 1, 0});
  const auto place = static_cast<uint32_t>(section.size());
  Bytes function;
  word(function, place + 4);
  word(function, 0x1000 - (0x8000 + place + 8));
  word(function, 16);
  function.insert(function.end(), {3, 0x0e, 99, 0x0a, 0x41, 0x0e, 8});
  entry(section, function);
  word(section, 0);
  const CallFrames frames({{section, 0x8000, true}}, false);
  EXPECT_EQ(frames.find(0x1004).offset, 8);
  EXPECT_TRUE(frames.find(0x1000).known);
  EXPECT_EQ(frames.find(0x1000).offset, 0);
  EXPECT_FALSE(frames.find(0x1010).known);
}

TEST(CallFramesTest, FunctionsThatTheLinkerDroppedAreIgnored) {
  Bytes section = debug_frame(kPrologue);
  for (int i = 0; i < 2; ++i) {
    Bytes function;
    word(function, 0);
    word(function, 0);
    word(function, 0x20);
    entry(section, function);
  }
  EXPECT_FALSE(at(section, 0x10).known);
  EXPECT_TRUE(at(section, 0x1000).known);
}

TEST(CallFramesTest, BrokenSectionsAreReadAsFarAsTheyGo) {
  std::mt19937 random(3);
  const Bytes good = debug_frame(kPrologue);
  for (size_t length = 0; length < good.size(); ++length)
    at(Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)), 0x1008);
  for (int i = 0; i < 20000; ++i) {
    Bytes broken = good;
    for (int j = 0; j < 3; ++j) broken[random() % broken.size()] = static_cast<uint8_t>(random());
    const CallFrames frames({{broken, 0x1000, i % 2 == 0}}, i % 3 == 0);
    frames.find(0x1008);
  }
}

}  // namespace
}  // namespace gvp::host::test
