// SPDX-License-Identifier: Apache-2.0
// Hardware exceptions, interrupts and breaks: registers as UG984 "Equivalent Pseudocode" says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/log.h"
#include "tests/models/host/machine.h"

namespace gvp::host::test {
namespace {

constexpr uint32_t kVector = 0x20;

// Runs up to the exception vector, where the program ends.
struct Trapped : Machine {
  explicit Trapped(const Configuration& configuration = everything()) : Machine(configuration) {
    Log::configure("off");
    poke(kVector, assemble("bri 0"));
    engine.state().msr |= msr::kEe;
  }
  bool trapped() { return engine.state().pc == kVector; }
  uint32_t cause() { return engine.state().esr & 31; }
};

TEST(ExceptionTest, IllegalOpcodeIsPreciseAndSetsTheState) {
  Trapped m;
  m.execute("addik r5, r0, 1\n .word 0xffffffff\n addik r5, r0, 2");
  ASSERT_TRUE(m.trapped());
  EXPECT_EQ(m.engine.state().esr, 2u);
  EXPECT_EQ(m.r(17), 0x1008u);
  EXPECT_EQ(m.r(5), 1u);
  EXPECT_EQ(m.engine.state().msr & (msr::kEe | msr::kEip), msr::kEip);
}

TEST(ExceptionTest, ZeroWordIsIllegalUnlessConfiguredOtherwise) {
  Trapped illegal;
  illegal.execute(".word 0");
  EXPECT_TRUE(illegal.trapped());
  Configuration configuration;
  configuration.opcode_0x0_illegal = false;
  Trapped legal(configuration);
  legal.execute(".word 0");
  EXPECT_FALSE(legal.trapped());
}

struct MissingUnit {
  const char* text;
  void (*remove)(Configuration&);
};
const MissingUnit kMissingUnits[] = {
    {"bslli r3, r4, 1", [](Configuration& c) { c.use_barrel = false; }},
    {"bsefi r3, r4, 4, 4", [](Configuration& c) { c.use_barrel = false; }},
    {"mul r3, r4, r5", [](Configuration& c) { c.use_hw_mul = 0; }},
    {"mulhu r3, r4, r5", [](Configuration& c) { c.use_hw_mul = 1; }},
    {"idiv r3, r4, r5", [](Configuration& c) { c.use_div = false; }},
    {"fadd r3, r4, r5", [](Configuration& c) { c.use_fpu = 0; }},
    {"fsqrt r3, r4", [](Configuration& c) { c.use_fpu = 1; }},
    {"pcmpbf r3, r4, r5", [](Configuration& c) { c.use_pcmp_instr = false; }},
    {"clz r3, r4", [](Configuration& c) { c.use_pcmp_instr = false; }},
    {"swapb r3, r4", [](Configuration& c) { c.use_reorder_instr = false; }},
    {"lwr r3, r4, r5", [](Configuration& c) { c.use_reorder_instr = false; }},
    {"msrset r3, 4", [](Configuration& c) { c.use_msr_instr = false; }},
    {"nget r3, rfsl0", [](Configuration& c) { c.fsl_links = 0; }},
    {"tnget r3, rfsl0", [](Configuration& c) { c.use_extended_fsl_instr = false; }},
    {"ngetd r3, r4", [](Configuration& c) { c.use_extended_fsl_instr = false; }},
};

TEST(ExceptionTest, InstructionOfAMissingUnitIsIllegal) {
  for (const MissingUnit& missing : kMissingUnits) {
    Configuration configuration = Machine::everything();
    Trapped with(configuration);
    with.r(4) = 8;
    with.execute(missing.text);
    EXPECT_FALSE(with.trapped()) << missing.text;
    missing.remove(configuration);
    Trapped without(configuration);
    without.execute(missing.text);
    EXPECT_TRUE(without.trapped()) << missing.text;
    EXPECT_EQ(without.cause(), 2u) << missing.text;
  }
}

struct Unaligned {
  const char* text;
  uint32_t address;
  uint32_t esr;
};
constexpr Unaligned kUnaligned[] = {
    {"lwi r5, r4, 0", 0x2002, 0x801 | 5 << 5}, {"lhui r6, r4, 0", 0x2001, 0x001 | 6 << 5},
    {"swi r7, r4, 0", 0x2001, 0xc01 | 7 << 5}, {"shi r8, r4, 0", 0x2003, 0x401 | 8 << 5},
    {"lw r9, r4, r0", 0x2003, 0x801 | 9 << 5}, {"sw r10, r4, r0", 0x2001, 0xc01 | 10 << 5},
    {"lw r0, r4, r0", 0x2003, 0x801},          {"lhur r5, r4, r0", 0x2001, 0x001 | 5 << 5},
};

TEST(ExceptionTest, UnalignedAccessNamesTheRegisterAndTheAddress) {
  for (const Unaligned& c : kUnaligned) {
    Trapped m;
    m.r(4) = c.address;
    m.execute(c.text);
    ASSERT_TRUE(m.trapped()) << c.text;
    EXPECT_EQ(m.engine.state().esr, c.esr) << c.text;
    EXPECT_EQ(m.engine.state().ear, c.address) << c.text;
    EXPECT_EQ(m.r(17), 0x1004u) << c.text;
  }
}

TEST(ExceptionTest, UnalignedAccessIsForcedToAlignmentWhereExceptionsAreOff) {
  Trapped m;
  m.engine.state().msr &= ~msr::kEe;
  m.poke(0x2000, 0x11223344);
  m.r(4) = 0x2003;
  m.execute("lwi r5, r4, 0\n swi r4, r4, 4");
  EXPECT_EQ(m.r(5), 0x11223344u);
  EXPECT_EQ(m.peek(0x2004), 0x2003u);
}

TEST(ExceptionTest, ExclusiveAccessIsNeverUnaligned) {
  Trapped m;
  m.r(4) = 0x2001;
  m.execute("lwx r5, r4, r0\n swx r4, r4, r0");
  EXPECT_FALSE(m.trapped());
  EXPECT_EQ(m.peek(0x2000), 0x2001u);
}

TEST(ExceptionTest, BusErrorsReachTheGuest) {
  for (const char* text : {"lwi r5, r4, 0", "swi r5, r4, 0", "lbui r5, r4, 0"}) {
    for (const uint32_t address : {0xc0000000u, FlatBus::kRefusing}) {
      Trapped m;
      m.r(4) = address;
      m.r(5) = 77;
      m.execute(text);
      ASSERT_TRUE(m.trapped()) << text;
      EXPECT_EQ(m.engine.state().esr, 4u);
      EXPECT_EQ(m.engine.state().ear, address);
      EXPECT_EQ(m.r(5), 77u) << "the destination keeps its value";
    }
  }
}

TEST(ExceptionTest, BusErrorWithoutExceptionsGoesOnWithAMessage) {
  Trapped m;
  m.engine.state().msr &= ~msr::kEe;
  Log::configure("warning:host");
  std::vector<std::string> lines;
  Log::set_sink([&](LogLevel, const std::string& line) { lines.push_back(line); });
  m.r(4) = 0xc0000000;
  m.execute("lwi r5, r4, 0\n addik r6, r0, 1");
  Log::set_sink(nullptr);
  EXPECT_EQ(m.r(6), 1u);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], testing::HasSubstr("load from 0xc0000000 at 0x00001000"));
}

TEST(ExceptionTest, FetchFromNothingIsAnInstructionBusError) {
  Trapped m;
  m.r(4) = 0xc0000000;
  m.execute("bra r4");
  ASSERT_TRUE(m.trapped());
  EXPECT_EQ(m.cause(), 3u);
  EXPECT_EQ(m.engine.state().ear, 0xc0000000u);
}

TEST(ExceptionTest, FetchFaultAtTheExceptionVectorEndsTheProgram) {
  Configuration configuration;
  configuration.base_vectors = 0x40000000;
  Trapped m(configuration);
  m.load(".word 0xffffffff");
  m.engine.state().pc = Machine::kCode;
  EXPECT_EQ(m.run().exit, Engine::Exit::kError);
  EXPECT_THAT(m.engine.error(), testing::HasSubstr("exception vector"));
}

TEST(ExceptionTest, IllegalOpcodeWithExceptionsOffEndsTheProgram) {
  Trapped m;
  m.engine.state().msr &= ~msr::kEe;
  m.load("nop\n .word 0xffffffff");
  EXPECT_EQ(m.run().exit, Engine::Exit::kError);
  EXPECT_EQ(m.engine.state().pc, 0x1004u);
  EXPECT_EQ(m.run().exit, Engine::Exit::kError) << "and it stays ended";
}

TEST(ExceptionTest, DivisionByZeroRaises) {
  Trapped m;
  m.r(5) = 9;
  m.execute("idivu r5, r0, r4");
  ASSERT_TRUE(m.trapped());
  EXPECT_EQ(m.engine.state().esr, 5u);
  EXPECT_EQ(m.r(5), 9u);
  EXPECT_NE(m.engine.state().msr & msr::kDzo, 0u);
}

TEST(ExceptionTest, FloatingPointExceptionInhibitsTheResult) {
  Configuration configuration = Machine::everything();
  configuration.fpu_exception = true;
  Trapped m(configuration);
  m.r(3) = 0;
  m.r(4) = 0x3f800000;
  m.r(5) = 9;
  m.execute("fdiv r5, r3, r4");
  ASSERT_TRUE(m.trapped());
  EXPECT_EQ(m.engine.state().esr, 6u);
  EXPECT_EQ(m.engine.state().fsr, 8u);
  EXPECT_EQ(m.r(5), 9u);
}

// ---- delay slots

TEST(ExceptionTest, ExceptionInADelaySlotSetsBranchTargetAndFlag) {
  struct Slot {
    const char* branch;
    uint32_t target;
  };
  for (const Slot& slot :
       {Slot{"brid 16", 0x1010}, Slot{"beqid r0, 16", 0x1010}, Slot{"bneid r0, 16", 0x1008},
        Slot{"rtsd r9, 4", 0x3004}, Slot{"beqd r0, r10", 0x1010}, Slot{"brad r9", 0x3000}}) {
    Trapped m;
    m.r(4) = 0x2002;
    m.r(9) = 0x3000;
    m.r(10) = 16;
    m.execute(std::string(slot.branch) + "\n lwi r5, r4, 0");
    ASSERT_TRUE(m.trapped()) << slot.branch;
    EXPECT_EQ(m.engine.state().btr, slot.target) << slot.branch;
    EXPECT_EQ(m.engine.state().esr, esr::kDelaySlot | 0x801u | 5 << 5) << slot.branch;
  }
}

TEST(ExceptionTest, LinkIsWrittenWhenTheSlotFaults) {
  for (const char* branch : {"brlid r15, 16", "brald r15, r9"}) {
    Trapped m;
    m.r(4) = 0x2002;
    m.r(9) = 0x3000;
    m.execute(std::string(branch) + "\n lwi r5, r4, 0");
    ASSERT_TRUE(m.trapped());
    EXPECT_EQ(m.r(15), 0x1000u);
  }
}

TEST(ExceptionTest, BranchInADelaySlotIsIllegal) {
  Trapped m;
  m.execute("brid 16\n brid 16\n nop\n nop\n nop");
  ASSERT_TRUE(m.trapped());
  EXPECT_EQ(m.engine.state().esr, esr::kDelaySlot | 2u);
  EXPECT_EQ(m.engine.state().btr, 0x1010u);
}

TEST(ExceptionTest, HandlerReturnsBehindTheInstruction) {
  Trapped m;
  m.load("rted r17, 0\n nop", kVector);
  m.execute("addik r5, r0, 1\n .word 0xffffffff\n addik r6, r0, 2");
  EXPECT_EQ(m.r(6), 2u);
  EXPECT_EQ(m.engine.state().msr & (msr::kEe | msr::kEip), msr::kEe);
}

// ---- interrupts

TEST(InterruptTest, TakenWhenEnabledAndReturnedFrom) {
  Machine m;
  m.load("addik r20, r20, 1\n rtid r14, 0\n nop", 0x10);
  m.load("addik r3, r0, 1\n bri 0");
  m.engine.state().msr = msr::kIe;
  m.engine.set_interrupt(true);
  EXPECT_EQ(m.run().exit, Engine::Exit::kInterruptible);
  m.engine.set_interrupt(false);
  EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
  EXPECT_EQ(m.r(20), 1u);
  EXPECT_EQ(m.r(3), 1u);
  EXPECT_EQ(m.r(14), 0x1000u);
  EXPECT_EQ(m.engine.state().msr & msr::kIe, msr::kIe);
}

TEST(InterruptTest, NotTakenWhileABreakOrAnExceptionIsInProgressOrWhenDisabled) {
  for (const uint32_t bits : {0u, msr::kIe | msr::kBip, msr::kIe | msr::kEip}) {
    Machine m;
    m.load("nop");
    m.engine.state().msr = bits;
    m.engine.set_interrupt(true);
    m.run();
    EXPECT_EQ(m.engine.state().pc, 0x1004u) << bits;
  }
}

TEST(InterruptTest, ClearsTheReservationAndSavesTheMode) {
  Machine m;
  m.load("bri 0", 0x10);
  m.engine.state().msr = msr::kIe | msr::kUm;
  m.engine.state().reservation = true;
  m.engine.set_interrupt(true);
  m.run();
  EXPECT_FALSE(m.engine.state().reservation);
  EXPECT_EQ(m.engine.state().msr & (msr::kUm | msr::kUms | msr::kIe), msr::kUms);
}

TEST(InterruptTest, EnablingThemLeavesTheRunSoThatTheInputIsSampled) {
  Machine m;
  m.load("nop\n msrset r0, 2\n addik r3, r3, 1");
  m.engine.set_interrupt(true);
  EXPECT_EQ(m.run().exit, Engine::Exit::kInterruptible);
  EXPECT_EQ(m.engine.state().pc, 0x1008u);
  EXPECT_EQ(m.r(3), 0u);
}

TEST(InterruptTest, DoesNotSeparateAnImmOrABranchFromWhatFollowsInTheNextRegion) {
  for (const char* text : {"imm 1\n addik r3, r0, 2", "brid 8\n addik r3, r3, 1"}) {
    Machine m;
    m.load(text, 0x13fc);
    m.load("bri 0", 0x10);
    m.engine.state().pc = 0x13fc;
    m.engine.state().msr = msr::kIe;
    m.run(1);
    EXPECT_FALSE(m.engine.state().between_parts());
    EXPECT_NE(m.r(3), 0u);
  }
}

// ---- breaks and modes

TEST(BreakTest, BrkiJumpsLinksAndSetsBreakInProgress) {
  Machine m;
  m.load("bri 0", 0x100);
  m.execute("nop\n brki r16, 0x100");
  EXPECT_EQ(m.engine.state().pc, 0x100u);
  EXPECT_EQ(m.r(16), 0x1004u);
  EXPECT_EQ(m.engine.state().msr & msr::kBip, msr::kBip);
}

TEST(BreakTest, SystemCallFromUserModeIsAllowedAndLeavesIt) {
  Machine m;
  m.load("bri 0", 0x8);
  m.engine.state().msr = msr::kUm;
  m.engine.state_changed();
  m.execute("brki r14, 8");
  EXPECT_EQ(m.engine.state().pc, 0x8u);
  EXPECT_EQ(m.engine.state().msr & (msr::kUm | msr::kUms | msr::kBip), msr::kUms | msr::kBip);
}

TEST(BreakTest, RtbdClearsBreakInProgressAndRestoresTheMode) {
  Machine m;
  m.r(16) = 0x1008;
  m.engine.state().msr = msr::kBip | msr::kUms;
  m.execute("rtbd r16, 0\n nop\n addik r3, r0, 1");
  EXPECT_EQ(m.r(3), 1u);
  EXPECT_EQ(m.engine.state().msr & (msr::kBip | msr::kUm), msr::kUm);
}

TEST(PrivilegeTest, PrivilegedInstructionsTrapInUserModeOnly) {
  for (const char* text :
       {"mts rmsr, r3", "mts rpid, r3", "msrset r3, 2", "msrclr r3, 256", "rtid r3, 0\n nop",
        "rtbd r3, 0\n nop", "rted r3, 0\n nop", "brk r3, r4", "brki r3, 0x40", "wic r3, r0",
        "wdc r3, r0", "sleep", "nget r3, rfsl0", "nput r3, rfsl0"}) {
    Trapped user;
    user.engine.state().msr |= msr::kUm;
    user.engine.state_changed();
    user.execute(text);
    EXPECT_TRUE(user.trapped()) << text;
    EXPECT_EQ(user.cause(), 7u) << text;
    EXPECT_EQ(user.r(17), 0x1004u) << text;
    Trapped kernel;
    kernel.r(3) = 0x1100;
    kernel.r(4) = 0x1100;
    kernel.load("bri 0", 0x1100);
    kernel.load("bri 0", 0x40);
    kernel.execute(text);
    EXPECT_FALSE(kernel.trapped()) << text;
  }
}

// C_MMU_PRIVILEGED_INSTR.
TEST(PrivilegeTest, StreamInstructionsMayBeAllowedInUserMode) {
  Configuration configuration;
  configuration.fsl_links = 1;
  configuration.mmu_privileged_instr = true;
  for (const bool is_stream : {false, true}) {
    Trapped user(configuration);
    user.engine.state().msr |= msr::kUm;
    user.engine.state_changed();
    user.execute(is_stream ? "nget r3, rfsl0" : "wic r3, r0");
    EXPECT_EQ(user.trapped(), !is_stream);
  }
}

TEST(PrivilegeTest, UserModeMayReadStatusAndChangeTheCarry) {
  Trapped m;
  m.engine.state().msr |= msr::kUm;
  m.engine.state_changed();
  m.execute("mfs r3, rmsr\n msrset r0, 4\n mfs r4, rmsr\n mbar 2");
  EXPECT_FALSE(m.trapped());
  EXPECT_EQ(m.r(4) & msr::kC, msr::kC);
}

TEST(PrivilegeTest, WithoutAnMmuThereIsNoUserMode) {
  Configuration configuration;
  configuration.use_mmu = 0;
  Trapped m(configuration);
  m.r(3) = msr::kUm | msr::kVm;
  m.execute("mts rmsr, r3\n mfs r4, rmsr");
  EXPECT_EQ(m.r(4) & (msr::kUm | msr::kVm), 0u);
}

TEST(BreakTest, CallOfTheUserVectorLeavesUserModeAfterItsSlot) {
  for (const bool stepped : {false, true}) {
    for (const uint32_t base : {0u, 0x2000u}) {
      Configuration configuration = Machine::everything();
      configuration.base_vectors = base;
      Trapped m(configuration);
      m.poke(base + 8, assemble("bri 0"));
      m.load("bralid r15, " + std::to_string(base + 8) + "\n mfs r5, rmsr");
      m.engine.state().pc = Machine::kCode;
      m.engine.state().msr |= msr::kUm;
      m.engine.state_changed();
      if (stepped) {
        m.engine.step();
      } else {
        m.run();
      }
      EXPECT_EQ(m.engine.state().pc, base + 8);
      EXPECT_EQ(m.r(15), Machine::kCode);
      EXPECT_NE(m.r(5) & msr::kUm, 0u) << "the slot still belongs to the user";
      EXPECT_EQ(m.engine.state().msr & (msr::kUm | msr::kUms), msr::kUms);
    }
  }
}

TEST(BreakTest, CallOfAnotherAddressKeepsTheMode) {
  Trapped m;
  m.poke(0x40, assemble("bri 0"));
  m.engine.state().msr |= msr::kUm;
  m.execute("bralid r15, 0x40\n nop");
  EXPECT_EQ(m.engine.state().pc, 0x40u);
  EXPECT_EQ(m.engine.state().msr & (msr::kUm | msr::kUms), msr::kUm);
}

TEST(StackProtectionTest, DisabledExceptionsDisableIt) {
  Configuration configuration;
  configuration.use_mmu = 0;
  configuration.use_stack_protection = true;
  Trapped m(configuration);
  m.engine.state().msr &= ~msr::kEe;
  m.r(1) = 0x2ffc;
  m.r(3) = 0x3000;
  m.r(5) = 77;
  m.execute("mts rslr, r3\n swi r5, r1, 0");
  EXPECT_FALSE(m.trapped());
  EXPECT_EQ(m.peek(0x2ffc), 77u);
}

// UG984, "Stack Low Register" and "Stack High Register": both limits belong to the stack.
TEST(StackProtectionTest, AccessesOutsideTheLimitsRaiseIfTheyAreByTheStackPointer) {
  struct Case {
    const char* access;
    uint32_t address;
    bool raises;
  };
  Configuration configuration;
  configuration.use_stack_protection = true;
  for (const Case& each : std::vector<Case>{{"swi r5, r1, 0", 0x2ffc, true},
                                            {"swi r5, r1, 0", 0x3000, false},
                                            {"lbui r5, r1, 0", 0x2fff, true},
                                            {"lbui r5, r1, 0", 0x3000, false},
                                            {"swi r5, r1, 0", 0x3ffc, false},
                                            {"swi r5, r1, 4", 0x3ffc, true},
                                            {"lbui r5, r1, 1", 0x3fff, true},
                                            {"lbui r5, r1, 1", 0x3ffe, false},
                                            {"sb r5, r1, r0", 0x4000, true},
                                            {"sb r5, r1, r0", 0x3fff, false},
                                            {"lwi r5, r2, 0", 0x2ffc, false},
                                            {"lwi r5, r2, 0", 0x4000, false},
                                            {"lw r5, r0, r1", 0x4000, false}}) {
    Trapped m(configuration);
    m.r(1) = m.r(2) = each.address;
    m.r(3) = 0x3000;
    m.r(4) = 0x3fff;
    m.execute(std::string("mts rslr, r3\n mts rshr, r4\n ") + each.access);
    EXPECT_EQ(m.trapped(), each.raises) << each.access << " at " << std::hex << each.address;
    EXPECT_EQ(m.cause(), each.raises ? 7u : 0u)
        << each.access << " at " << std::hex << each.address;
  }
}

}  // namespace
}  // namespace gvp::host::test
