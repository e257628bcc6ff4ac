// SPDX-License-Identifier: Apache-2.0
// Branches, links, delay slots and their corner cases.
#include <gtest/gtest.h>

#include "tests/models/host/machine.h"

namespace gvp::host::test {
namespace {

struct Condition {
  const char* name;
  bool minus_one, zero, one;  // taken for these values of rA
};
constexpr Condition kConditions[] = {
    {"beq", false, true, false}, {"bne", true, false, true},  {"blt", true, false, false},
    {"ble", true, true, false},  {"bgt", false, false, true}, {"bge", false, true, true},
};

bool taken(const std::string& branch, uint32_t value) {
  Machine machine;
  machine.r(3) = value;
  machine.r(4) = 12;
  machine.load(branch + "\n nop\n addik r5, r0, 1\n nop");
  machine.run();
  return machine.r(5) == 0;
}

TEST(BranchTest, ConditionsComparesRaWithZero) {
  for (const Condition& c : kConditions) {
    const std::string name = c.name;
    for (const std::string& text :
         {name + " r3, r4", name + "d r3, r4", name + "i r3, 12", name + "id r3, 12"}) {
      EXPECT_EQ(taken(text, 0xffffffff), c.minus_one) << text;
      EXPECT_EQ(taken(text, 0), c.zero) << text;
      EXPECT_EQ(taken(text, 1), c.one) << text;
    }
  }
}

TEST(BranchTest, UnconditionalBranchesReachTheirTarget) {
  for (const char* text : {"br r4", "brd r4", "bri 12", "brid 12", "bra r6", "brad r6",
                           "brai 0x100c", "braid 0x100c"}) {
    Machine machine;
    machine.r(4) = 12;
    machine.r(6) = 0x100c;
    machine.load(std::string(text) + "\n nop\n addik r5, r0, 1\n nop");
    machine.run();
    EXPECT_EQ(machine.r(5), 0u) << text;
    EXPECT_EQ(machine.engine.state().pc, 0x1010u) << text;
  }
}

TEST(BranchTest, LinkHoldsTheAddressOfTheBranch) {
  for (const char* text :
       {"brlid r15, 12", "brld r15, r4", "bralid r15, 0x100c", "brald r15, r6"}) {
    Machine machine;
    machine.r(4) = 12;
    machine.r(6) = 0x100c;
    machine.load(std::string(text) + "\n addik r7, r0, 9\n addik r5, r0, 1\n nop");
    machine.run();
    EXPECT_EQ(machine.r(15), 0x1000u) << text;
    EXPECT_EQ(machine.r(5), 0u) << text;
    EXPECT_EQ(machine.r(7), 9u) << text;
  }
}

TEST(BranchTest, ReturnAddsItsOffset) {
  Machine machine;
  machine.r(15) = 0x1000;
  machine.load("rtsd r15, 12\n addik r7, r0, 9\n addik r5, r0, 1\n nop");
  machine.run();
  EXPECT_EQ(machine.r(5), 0u);
  EXPECT_EQ(machine.r(7), 9u);
}

TEST(BranchTest, SlotThatChangesTheConditionDoesNotChangeTheBranch) {
  Machine machine;
  machine.r(3) = 1;
  machine.load("bneid r3, 12\n addk r3, r0, r0\n addik r5, r0, 1\n nop");
  machine.run();
  EXPECT_EQ(machine.r(5), 0u);
  EXPECT_EQ(machine.r(3), 0u);
}

TEST(BranchTest, SlotThatChangesTheReturnAddressDoesNotChangeTheReturn) {
  Machine machine;
  machine.r(15) = 0x1000;
  machine.load("rtsd r15, 12\n addk r15, r0, r0\n addik r5, r0, 1\n nop");
  machine.run();
  EXPECT_EQ(machine.r(5), 0u);
  EXPECT_EQ(machine.r(15), 0u);
}

TEST(BranchTest, SlotSeesTheLink) {
  Machine machine;
  machine.load("brlid r15, 8\n addk r5, r15, r0");
  machine.run();
  EXPECT_EQ(machine.r(5), 0x1000u);
}

TEST(BranchTest, SlotMayOverwriteTheLink) {
  Machine machine;
  machine.load("brlid r15, 8\n addik r15, r0, 7");
  machine.run();
  EXPECT_EQ(machine.r(15), 7u);
}

TEST(BranchTest, LinkRegisterMayBeTheTarget) {
  Machine machine;
  machine.r(15) = 12;
  machine.load("brld r15, r15\n nop\n addik r5, r0, 1\n nop");
  machine.run();
  EXPECT_EQ(machine.r(5), 0u);
  EXPECT_EQ(machine.r(15), 0x1000u);
}

TEST(BranchTest, ImmPrefixReachesFar) {
  Machine machine;
  machine.load("imm 1\n brlid r15, 0\n nop");  // relative to the branch, not to its prefix
  machine.load("addik r5, r0, 3", 0x11004);
  machine.run();
  EXPECT_EQ(machine.r(5), 3u);
  EXPECT_EQ(machine.r(15), 0x1004u);
}

TEST(BranchTest, SlotInTheNextRegionExecutes) {
  for (const char* text : {"brlid r15, 12", "beqid r0, 12", "rtsd r16, 12"}) {
    Machine machine;
    machine.r(16) = 0x13fc;
    machine.load(std::string(text) + "\n addik r7, r0, 9\n addik r5, r0, 1\n nop", 0x13fc);
    machine.engine.state().pc = 0x13fc;
    machine.run();
    EXPECT_EQ(machine.r(7), 9u) << text;
    EXPECT_EQ(machine.r(5), 0u) << text;
    EXPECT_EQ(machine.engine.state().pc, 0x140cu) << text;
  }
}

TEST(BranchTest, UntakenDelayedBranchGoesOnAfterItsSlot) {
  for (const uint32_t address : {0x1000u, 0x13fcu}) {
    Machine machine;
    machine.load("bneid r0, 12\n addik r7, r0, 9\n addik r5, r0, 1", address);
    machine.engine.state().pc = address;
    machine.run();
    EXPECT_EQ(machine.r(7), 9u);
    EXPECT_EQ(machine.r(5), 1u);
  }
}

TEST(BranchTest, BranchToItselfEndsTheRun) {
  for (const char* text : {"bri 0", "brai 0x1000"}) {
    Machine machine;
    machine.load(text);
    const Engine::Run run = machine.run();
    EXPECT_EQ(run.exit, Engine::Exit::kSelfBranch) << text;
    EXPECT_EQ(machine.engine.state().pc, 0x1000u) << text;
  }
}

TEST(BranchTest, LoopExecutesAsOftenAsItShould) {
  Machine machine;
  machine.execute("addik r3, r0, 1000\n addik r4, r4, 3\n addik r3, r3, -1\n bneid r3, -8\n nop");
  EXPECT_EQ(machine.r(4), 3000u);
}

TEST(BranchTest, InstructionsAreCountedExactly) {
  Machine machine;
  machine.load("addik r3, r0, 10\n addik r4, r4, 3\n addik r3, r3, -1\n bneid r3, -8\n nop");
  const Engine::Run run = machine.run();
  EXPECT_EQ(run.instructions, 1u + 10 * 4 + 1);
}

TEST(BranchTest, CycleLimitStopsAtABlockBoundaryAndCanBeResumed) {
  Machine machine;
  machine.load("addik r3, r0, 1000\n addik r4, r4, 3\n addik r3, r3, -1\n bneid r3, -8\n nop");
  int runs = 0;
  uint64_t instructions = 0;
  for (Engine::Run run{}; run.exit == Engine::Exit::kLimit; ++runs) {
    run = machine.run(50);
    instructions += run.instructions;
  }
  EXPECT_GT(runs, 50);
  EXPECT_EQ(instructions, 1u + 1000 * 4 + 1);
  EXPECT_EQ(machine.r(4), 3000u);
}

TEST(BranchTest, StepTakesABranchWithItsSlotAndAnImmWithItsInstruction) {
  Machine machine;
  machine.load("imm 1\n addik r3, r0, 2\n brid 12\n addik r4, r0, 3\n nop\n nop");
  machine.engine.step();
  EXPECT_EQ(machine.engine.state().pc, 0x1008u);
  EXPECT_EQ(machine.r(3), 0x10002u);
  machine.engine.step();
  EXPECT_EQ(machine.engine.state().pc, 0x1014u);
  EXPECT_EQ(machine.r(4), 3u);
}

}  // namespace
}  // namespace gvp::host::test
