// SPDX-License-Identifier: Apache-2.0
// Every computing instruction with operands and results worked out by hand from UG984 chapter 5,
// not by the model.
#include <gtest/gtest.h>

#include "tests/models/host/machine.h"

namespace gvp::host::test {
namespace {

struct Case {
  const char* text;  // operates on r3 = a, r4 = b, writes r5
  uint32_t a;
  uint32_t b;
  int carry_in;
  uint32_t result;
  int carry_out;  // -1: must not change
};

constexpr Case kCases[] = {
    {"add r5, r3, r4", 5, 7, 0, 12, 0},
    {"add r5, r3, r4", 0xffffffff, 1, 0, 0, 1},
    {"addc r5, r3, r4", 5, 7, 1, 13, 0},
    {"addc r5, r3, r4", 0xffffffff, 0, 1, 0, 1},
    {"addk r5, r3, r4", 0xffffffff, 2, 0, 1, -1},
    {"addkc r5, r3, r4", 1, 2, 1, 4, -1},
    {"addi r5, r3, -1", 5, 0, 0, 4, 1},
    {"addic r5, r3, -1", 5, 0, 1, 5, 1},
    {"addik r5, r3, 0x7fff", 1, 0, 0, 0x8000, -1},
    {"addikc r5, r3, 10", 1, 0, 1, 12, -1},
    {"rsub r5, r3, r4", 3, 10, 0, 7, 1},
    {"rsub r5, r3, r4", 10, 3, 0, 0xfffffff9, 0},
    {"rsub r5, r3, r4", 0, 0, 0, 0, 1},
    {"rsubc r5, r3, r4", 3, 10, 0, 6, 1},
    {"rsubc r5, r3, r4", 3, 10, 1, 7, 1},
    {"rsubk r5, r3, r4", 10, 3, 1, 0xfffffff9, -1},
    {"rsubkc r5, r3, r4", 3, 10, 0, 6, -1},
    {"rsubi r5, r3, 0", 1, 0, 0, 0xffffffff, 0},
    {"rsubic r5, r3, 5", 2, 0, 1, 3, 1},
    {"rsubik r5, r3, -1", 1, 0, 0, 0xfffffffe, -1},
    {"rsubikc r5, r3, 5", 2, 0, 0, 2, -1},
    {"cmp r5, r3, r4", 1, 2, 0, 1, -1},
    {"cmp r5, r3, r4", 2, 1, 0, 0xffffffff, -1},
    {"cmp r5, r3, r4", 0x7fffffff, 0x80000000, 0, 0x80000001, -1},
    {"cmp r5, r3, r4", 0x80000000, 0x7fffffff, 0, 0x7fffffff, -1},
    {"cmpu r5, r3, r4", 0x80000000, 1, 0, 0x80000001, -1},
    {"cmpu r5, r3, r4", 1, 0x80000000, 0, 0x7fffffff, -1},
    {"mul r5, r3, r4", 0x10001, 0x10001, 0, 0x20001, -1},
    {"muli r5, r3, -3", 7, 0, 0, 0xffffffeb, -1},
    {"mulh r5, r3, r4", 0xffffffff, 0xffffffff, 0, 0, -1},
    {"mulh r5, r3, r4", 0x80000000, 2, 0, 0xffffffff, -1},
    {"mulhu r5, r3, r4", 0xffffffff, 0xffffffff, 0, 0xfffffffe, -1},
    {"mulhsu r5, r3, r4", 0xffffffff, 0xffffffff, 0, 0xffffffff, -1},
    {"bsrl r5, r3, r4", 0x80000000, 31, 0, 1, -1},
    {"bsrl r5, r3, r4", 0x80000000, 32, 0, 0x80000000, -1},
    {"bsra r5, r3, r4", 0x80000000, 4, 0, 0xf8000000, -1},
    {"bsll r5, r3, r4", 3, 30, 0, 0xc0000000, -1},
    {"bsrli r5, r3, 8", 0x12345678, 0, 0, 0x123456, -1},
    {"bsrai r5, r3, 31", 0x80000000, 0, 0, 0xffffffff, -1},
    {"bslli r5, r3, 4", 0x12345678, 0, 0, 0x23456780, -1},
    {"bsefi r5, r3, 8, 12", 0x12345678, 0, 0, 0x45, -1},
    {"bsifi r5, r3, 8, 12", 0xab, 0, 0, 0xab000, -1},
    {"idiv r5, r3, r4", 3, 0xfffffff6, 0, 0xfffffffd, -1},  // -10 / 3
    {"idivu r5, r3, r4", 3, 0xfffffff6, 0, 0x55555552, -1},
    {"or r5, r3, r4", 0xf0f0, 0x0ff0, 0, 0xfff0, -1},
    {"and r5, r3, r4", 0xf0f0, 0x0ff0, 0, 0x00f0, -1},
    {"xor r5, r3, r4", 0xf0f0, 0x0ff0, 0, 0xff00, -1},
    {"andn r5, r3, r4", 0xf0f0, 0x0ff0, 0, 0xf000, -1},
    {"ori r5, r3, -256", 0x12, 0, 0, 0xffffff12, -1},
    {"andi r5, r3, 0xff", 0x1234, 0, 0, 0x34, -1},
    {"xori r5, r3, -1", 0x1234, 0, 0, 0xffffedcb, -1},
    {"andni r5, r3, 0xff", 0x1234, 0, 0, 0x1200, -1},
    {"pcmpbf r5, r3, r4", 0x11223344, 0x11000000, 0, 1, -1},
    {"pcmpbf r5, r3, r4", 0x11223344, 0x55663355, 0, 3, -1},
    {"pcmpbf r5, r3, r4", 0x11223344, 0x55667788, 0, 0, -1},
    {"pcmpbf r5, r3, r4", 0x11223344, 0x55667744, 0, 4, -1},
    {"pcmpeq r5, r3, r4", 7, 7, 0, 1, -1},
    {"pcmpeq r5, r3, r4", 7, 8, 0, 0, -1},
    {"pcmpne r5, r3, r4", 7, 8, 0, 1, -1},
    {"sra r5, r3", 0x80000001, 0, 0, 0xc0000000, 1},
    {"src r5, r3", 2, 0, 1, 0x80000001, 0},
    {"srl r5, r3", 0x80000001, 0, 0, 0x40000000, 1},
    {"sext8 r5, r3", 0x1280, 0, 0, 0xffffff80, -1},
    {"sext16 r5, r3", 0x18000, 0, 0, 0xffff8000, -1},
    {"clz r5, r3", 0, 0, 0, 32, -1},
    {"clz r5, r3", 0x00010000, 0, 0, 15, -1},
    {"swapb r5, r3", 0x12345678, 0, 0, 0x78563412, -1},
    {"swaph r5, r3", 0x12345678, 0, 0, 0x56781234, -1},
};

TEST(InstructionTest, ResultsAndCarryAreAsTheManualSays) {
  for (const Case& c : kCases) {
    for (const int other : {0, 1}) {
      Machine machine;
      machine.r(3) = c.a;
      machine.r(4) = c.b;
      const std::string name = std::string(c.text).substr(0, std::string(c.text).find(' '));
      const bool uses_carry =
          name == "src" ||
          (name.size() > 3 && name.find('c') != std::string::npos && name[0] != 'p');
      const uint32_t carry =
          uses_carry ? static_cast<uint32_t>(c.carry_in) : static_cast<uint32_t>(other);
      machine.engine.state().carry = carry;
      machine.execute(c.text);
      EXPECT_EQ(machine.r(5), c.result) << c.text << " " << std::hex << c.a << " " << c.b;
      const uint32_t expected = c.carry_out < 0 ? carry : static_cast<uint32_t>(c.carry_out);
      EXPECT_EQ(machine.engine.state().carry, expected) << "carry of " << c.text;
    }
  }
}

TEST(InstructionTest, WritesToRegisterZeroAreLost) {
  for (const Case& c : kCases) {
    std::string text = c.text;
    text.replace(text.find("r5"), 2, "r0");
    Machine machine;
    machine.r(3) = c.a;
    machine.r(4) = c.b;
    machine.engine.state().carry = static_cast<uint32_t>(c.carry_in);
    machine.execute(text + "\n addk r5, r0, r0");
    EXPECT_EQ(machine.r(0), 0u) << text;
    EXPECT_EQ(machine.r(5), 0u) << text;
    if (c.carry_out < 0) continue;
    EXPECT_EQ(machine.engine.state().carry, static_cast<uint32_t>(c.carry_out)) << text;
  }
}

TEST(InstructionTest, ImmPrefixGivesTheUpperHalf) {
  Machine machine;
  machine.execute("imm 0x1234\n addik r3, r0, 0x5678\n addik r4, r0, 0x5678");
  EXPECT_EQ(machine.r(3), 0x12345678u);
  EXPECT_EQ(machine.r(4), 0x5678u);
}

TEST(InstructionTest, OnlyTheLastOfSeveralImmPrefixesCounts) {
  Machine machine;
  machine.execute("imm 0x1111\n imm 0x2222\n addik r3, r0, 0x5678");
  EXPECT_EQ(machine.r(3), 0x22225678u);
}

TEST(InstructionTest, ImmPrefixBeforeTypeAHasNoEffect) {
  Machine machine;
  machine.r(4) = 3;
  machine.execute("imm 0x1234\n addk r3, r4, r4\n addik r5, r0, 1");
  EXPECT_EQ(machine.r(3), 6u);
  EXPECT_EQ(machine.r(5), 1u);
}

TEST(InstructionTest, ImmPrefixAsLastWordOfARegionStillCounts) {
  Machine machine;
  machine.load("imm 0x1234\n addik r3, r0, 0x5678", 0x13fc);
  machine.engine.state().pc = 0x13fc;
  machine.run();
  EXPECT_EQ(machine.r(3), 0x12345678u);
  EXPECT_EQ(machine.engine.state().pc, 0x1404u);
}

TEST(InstructionTest, BitFieldInsertKeepsTheOtherBits) {
  Machine machine;
  machine.r(5) = 0xffffffff;
  machine.execute("bsifi r5, r0, 8, 12");
  EXPECT_EQ(machine.r(5), 0xfff00fffu);
}

TEST(InstructionTest, DivisionByZeroGivesZeroAndSetsTheFlag) {
  Machine machine;
  machine.r(4) = 5;
  machine.execute("idiv r5, r0, r4");
  EXPECT_EQ(machine.r(5), 0u);
  EXPECT_EQ(machine.engine.state().msr & msr::kDzo, msr::kDzo);
}

TEST(InstructionTest, DivisionOverflowGivesTheMostNegativeNumberAndSetsTheFlag) {
  Machine machine;
  machine.r(3) = 0xffffffff;
  machine.r(4) = 0x80000000;
  machine.execute("idiv r5, r3, r4");
  EXPECT_EQ(machine.r(5), 0x80000000u);
  EXPECT_EQ(machine.engine.state().msr & msr::kDzo, msr::kDzo);
}

}  // namespace
}  // namespace gvp::host::test
