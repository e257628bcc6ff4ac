// SPDX-License-Identifier: Apache-2.0
// Loads and stores, byte orders, exclusive access, self-modifying code, devices.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/models/host/machine.h"

namespace gvp::host::test {
namespace {

TEST(MemoryTest, LoadsOfEveryWidthExtendWithZeros) {
  Machine m;
  m.poke(0x2000, 0x8899aabb);
  m.r(4) = 0x2000;
  m.r(5) = 2;
  m.execute(
      "lbui r10, r4, 0\n lbui r11, r4, 3\n lhui r12, r4, 2\n lwi r13, r4, 0\n"
      "lbu r14, r4, r5\n lhu r15, r4, r5\n lw r16, r4, r0");
  EXPECT_EQ(m.r(10), 0xbbu);
  EXPECT_EQ(m.r(11), 0x88u);
  EXPECT_EQ(m.r(12), 0x8899u);
  EXPECT_EQ(m.r(13), 0x8899aabbu);
  EXPECT_EQ(m.r(14), 0x99u);
  EXPECT_EQ(m.r(15), 0x8899u);
  EXPECT_EQ(m.r(16), 0x8899aabbu);
}

TEST(MemoryTest, StoresOfEveryWidthKeepTheirNeighbours) {
  Machine m;
  m.poke(0x2000, 0xffffffff);
  m.poke(0x2004, 0xffffffff);
  m.r(4) = 0x2000;
  m.r(5) = 5;
  m.r(6) = 0x11223344;
  m.execute("sbi r6, r4, 1\n shi r6, r4, 2\n sb r6, r4, r5\n sw r0, r4, r5\n");
  EXPECT_EQ(m.peek(0x2000), 0x334444ffu);
}

TEST(MemoryTest, StoreOfRegisterZeroStoresZero) {
  Machine m;
  m.poke(0x2000, 7);
  m.r(4) = 0x2000;
  m.execute("addik r0, r0, 5\n addk r0, r4, r4\n swi r0, r4, 0");
  EXPECT_EQ(m.peek(0x2000), 0u);
}

// Reversed accesses see memory as the other byte order does: the word at an address is the same
// four bytes backwards, and the byte at address a is the one that the other order has there.
TEST(MemoryTest, ReversedAccessesSeeTheOtherByteOrder) {
  Machine m;
  m.poke(0x2000, 0x11223344);
  m.r(4) = 0x2000;
  m.r(5) = 0x2002;
  m.execute(
      "lwr r10, r4, r0\n lhur r11, r4, r0\n lhur r12, r5, r0\n lbur r13, r4, r0\n"
      "addik r6, r0, 0xaa\n sbr r6, r4, r0\n");
  EXPECT_EQ(m.r(10), 0x44332211u);
  EXPECT_EQ(m.r(11), 0x2211u);
  EXPECT_EQ(m.r(12), 0x4433u);
  EXPECT_EQ(m.r(13), 0x11u);
  EXPECT_EQ(m.peek(0x2000), 0xaa223344u);
}

TEST(MemoryTest, BigEndianProcessorReadsCodeAndDataBigEndian) {
  Configuration configuration;
  configuration.big_endian = true;
  Machine m(configuration);
  m.bus.ram[0x2000] = 0x11;
  m.bus.ram[0x2001] = 0x22;
  m.bus.ram[0x2002] = 0x33;
  m.bus.ram[0x2003] = 0x44;
  m.r(4) = 0x2000;
  m.execute(
      "lwi r10, r4, 0\n lhui r11, r4, 0\n lbui r12, r4, 0\n lwr r13, r4, r0\n"
      "swi r10, r4, 4\n shi r10, r4, 8");
  EXPECT_EQ(m.r(10), 0x11223344u);
  EXPECT_EQ(m.r(11), 0x1122u);
  EXPECT_EQ(m.r(12), 0x11u);
  EXPECT_EQ(m.r(13), 0x44332211u);
  EXPECT_EQ(m.bus.ram[0x2004], 0x11);
  EXPECT_EQ(m.bus.ram[0x2008], 0x33);
  EXPECT_EQ(m.bus.ram[0x2009], 0x44);
}

TEST(MemoryTest, ExclusiveStoreSucceedsOnlyWithAReservation) {
  Machine m;
  m.poke(0x2000, 5);
  m.r(4) = 0x2000;
  m.r(6) = 99;
  m.execute(
      "lwx r5, r4, r0\n swx r6, r4, r0\n addkc r7, r0, r0\n"
      "swx r0, r4, r0\n addkc r8, r0, r0");
  EXPECT_EQ(m.r(5), 5u);
  EXPECT_EQ(m.r(7), 0u) << "carry is clear: stored";
  EXPECT_EQ(m.r(8), 1u) << "carry is set: not stored";
  EXPECT_EQ(m.peek(0x2000), 99u);
}

// ---- lwx and swx as AXI exclusive accesses (C_M_AXI_DP_EXCLUSIVE_ACCESS, UG984 lwx and swx)

Configuration with_exclusive_access() {
  Configuration configuration = Machine::everything();
  configuration.lmb_size = 0x2000;  // from there the bus
  configuration.m_axi_dp_exclusive_access = true;
  return configuration;
}

TEST(MemoryTest, ExclusivePairGoesToTheBusAndSucceeds) {
  Machine m(with_exclusive_access());
  m.poke(0x2000, 5);
  m.r(4) = 0x2000;
  m.r(6) = 99;
  m.execute(
      "addic r9, r0, -1\n addic r9, r9, 1\n"  // the carry is set
      "lwx r5, r4, r0\n addkc r7, r0, r0\n swx r6, r4, r0\n addkc r8, r0, r0");
  EXPECT_EQ(m.r(5), 5u);
  EXPECT_EQ(m.r(7), 0u) << "EXOKAY clears the carry";
  EXPECT_EQ(m.r(8), 0u) << "stored";
  EXPECT_EQ(m.peek(0x2000), 99u);
  EXPECT_EQ(m.bus.exclusive_reads, 1u);
  EXPECT_EQ(m.bus.exclusive_writes, 1u);
}

TEST(MemoryTest, AReservationThatTheBusHasLostSetsTheCarryAndStoresNothing) {
  Machine m(with_exclusive_access());
  m.poke(0x2000, 5);
  m.r(4) = 0x2000;
  m.r(6) = 99;
  m.load("lwx r5, r4, r0\n nop");
  m.run();
  m.bus.reserved = false;  // another master has written there
  m.load("swx r6, r4, r0\n addkc r7, r0, r0\n swx r6, r4, r0\n addkc r8, r0, r0", 0x1100);
  m.engine.state().pc = 0x1100;
  m.run();
  EXPECT_EQ(m.r(7), 1u);
  EXPECT_EQ(m.r(8), 1u) << "the processor's own reservation is gone, too";
  EXPECT_EQ(m.peek(0x2000), 5u);
  EXPECT_EQ(m.bus.exclusive_writes, 1u) << "without its own reservation it asks nobody";
}

TEST(MemoryTest, ExclusiveLoadFromWhatKnowsNoneIsADataBusError) {
  Machine m(with_exclusive_access());
  m.bus.device_value = 77;
  m.r(4) = FlatBus::kDevice;
  m.poke(0x20, assemble("bri 0"));
  m.execute("lwx r5, r4, r0\n addkc r7, r0, r0");  // exceptions are off
  EXPECT_EQ(m.r(5), 77u);
  EXPECT_EQ(m.r(7), 1u) << "OKAY instead of EXOKAY";
  m.engine.state().msr |= msr::kEe;
  m.engine.state().pc = Machine::kCode;
  m.run();
  EXPECT_EQ(m.engine.state().esr, static_cast<uint32_t>(Cause::kDataBus));
  EXPECT_EQ(m.engine.state().ear, FlatBus::kDevice);
}

TEST(MemoryTest, LocalMemoryHasNoExclusiveAccesses) {
  Machine m(with_exclusive_access());
  m.poke(0x1800, 5);
  m.r(4) = 0x1800;
  m.r(6) = 99;
  m.execute("lwx r5, r4, r0\n swx r6, r4, r0\n addkc r7, r0, r0");
  EXPECT_EQ(m.r(7), 0u);
  EXPECT_EQ(m.peek(0x1800), 99u);
  EXPECT_EQ(m.bus.exclusive_reads + m.bus.exclusive_writes, 0u);
}

TEST(MemoryTest, DeviceAccessesAreTimedToTheCycle) {
  Machine m;
  m.r(4) = FlatBus::kDevice;
  m.load("addk r5, r5, r5\n swi r4, r4, 0\n addk r5, r5, r5\n lwi r6, r4, 0");
  const Engine::Run run = m.run();
  ASSERT_EQ(m.bus.accesses.size(), 2u);
  EXPECT_EQ(m.bus.accesses[0].first, 1u);
  EXPECT_EQ(m.bus.accesses[1].first, 1u + 11 + 1);
  EXPECT_EQ(run.cycles, 4u + 20 + 3);
  EXPECT_EQ(m.r(6), FlatBus::kDevice);
}

TEST(MemoryTest, TheFirstDirectAccessTakesAsLongAsTheNext) {
  Machine m;
  m.bus.latency = 3;  // of a read; twice that of a write
  m.r(4) = 0x2000;
  const auto cycles = [&](const char* text) {
    m.load(text);
    m.engine.state().pc = Machine::kCode;
    return m.run().cycles;
  };
  for (const char* text : {"swi r5, r4, 0\n swi r5, r4, 4\n sbi r5, r4, 8\n nop",
                           "lwi r5, r4, 0\n lhui r5, r4, 4\n lwi r5, r4, 8\n nop"}) {
    m.engine.invalidate_direct(0, 0xffffffff);
    const uint64_t first = cycles(text);
    EXPECT_EQ(first, cycles(text)) << text;
  }
  // Words of code are fetched meanwhile.
  EXPECT_EQ(cycles("swi r5, r4, 0\n swi r5, r4, 4\n nop") - cycles("swi r5, r4, 0\n nop"), 1u + 6);
}

// Each word comes over the bus each time, in ten cycles.
TEST(MemoryTest, CodeWithoutDirectAccessTakesAsLongEachTime) {
  Machine m;
  m.load("addik r3, r3, 1\n imm 1\n addik r5, r5, 2\n addik r3, r3, 1");
  const uint64_t direct = m.run().cycles;
  m.bus.allow_direct = false;
  m.engine.invalidate_direct(0, 0xffffffff);
  for (int round = 0; round < 3; ++round) {
    m.engine.state().pc = Machine::kCode;
    EXPECT_EQ(m.run().cycles, direct + 5 * 10) << round;
  }
}

TEST(MemoryTest, CodeThatIsOverwrittenAheadExecutesAsNew) {
  Machine m;
  m.r(4) = 0x1000;
  m.r(5) = assemble("addik r6, r0, 2");
  m.load("swi r5, r4, 8\n nop\n addik r6, r0, 1");  // the very block that is executing
  m.run();
  EXPECT_EQ(m.r(6), 2u);
}

TEST(MemoryTest, CodeThatIsOverwrittenInADelaySlotExecutesAsNew) {
  Machine m;
  m.r(4) = 0x1000;
  m.r(5) = assemble("addik r6, r0, 2");
  m.load("brid 12\n swi r5, r4, 12\n nop\n addik r6, r0, 1");
  m.run();
  EXPECT_EQ(m.r(6), 2u);
}

TEST(MemoryTest, LoopThatRewritesItsBodyEachTimeExecutesEachVersion) {
  for (const bool direct : {true, false}) {
    Configuration configuration = Machine::everything();
    configuration.lmb_base = 0x70000000;
    Machine m(configuration);
    m.bus.direct_data = direct;
    // r7 counts down; the instruction at 0x1008 gets its immediate from r7.
    m.r(4) = 0x1000;
    m.r(7) = 10;
    m.r(8) = assemble("addik r6, r6, 0");
    m.load(
        "addk r5, r8, r7\n swi r5, r4, 8\n addik r6, r6, 0\n addik r7, r7, -1\n bneid r7, -16\n"
        "nop");
    m.run();
    EXPECT_EQ(m.r(6), 55u) << direct;
  }
}

// The page of the device that was accessed last is known (MemoryPath).
TEST(MemoryTest, EachWayToAccessADeviceIsTheSameWhenItsPageIsKnown) {
  Machine m;
  m.r(4) = FlatBus::kDevice;
  m.r(5) = 0x11223344;
  m.execute("swi r5, r4, 0\n lwi r6, r4, 0\n lbui r7, r4, 0\n lhui r8, r4, 0\n lwr r9, r4, r0");
  EXPECT_EQ(m.r(6), 0x11223344u);
  EXPECT_EQ(m.r(7), 0x44u);
  EXPECT_EQ(m.r(8), 0x3344u);
  EXPECT_EQ(m.r(9), 0x44332211u);
  EXPECT_EQ(m.bus.accesses.size(), 5u);
  // Low bits of an address are ignored where unaligned accesses are no exceptions.
  m.execute("lwi r6, r4, 0\n lwi r10, r4, 2\n shi r0, r4, 1\n lwi r11, r4, 0");
  EXPECT_EQ(m.r(10), 0x11223344u);
  EXPECT_EQ(m.r(11), 0x11220000u);
  // Nothing answers beside the register.
  m.execute("lwi r12, r4, 0\n lwi r12, r4, 8");
  EXPECT_EQ(m.r(12), 0u);
}

// Enough versions that their decoded blocks are freed on the way: nothing may lead there any more.
TEST(MemoryTest, CodeThatChangesThousandsOfTimesExecutesAsNew) {
  Machine m;
  m.load("bri 0x1000", 0x1000);
  for (uint32_t i = 0; i < 5000; ++i) {
    m.poke(0x2000, assemble("addik r3, r0, " + std::to_string(i % 1000)));
    m.poke(0x2004, assemble("bri 0"));
    m.engine.state().pc = Machine::kCode;
    m.run();
    ASSERT_EQ(m.r(3), i % 1000);
  }
}

// Of a block that is left midway only what was executed has been fetched: after an exception (whose
// instruction was), a store into the code behind it, a link that has no data.
TEST(MemoryTest, WordsAreFetchedOnceForEachInstruction) {
  for (const char* program :
       {"addik r6, r0, 9\n imm 0\n addik r6, r6, 1\n addik r6, r6, -1\n bneid r6, -4\n nop",
        "swi r5, r4, 12\n nop\n nop\n addik r6, r0, 1\n nop", "nop\n lwi r5, r6, 2\n nop\n nop",
        "brid 12\n swi r5, r4, 12\n nop\n addik r6, r0, 1"}) {
    Machine m;
    m.bus.source = 3;
    m.load("rted r17, 0\n nop", 0x20);
    m.r(4) = 0x1000;
    m.r(5) = assemble("addik r6, r0, 2");
    m.engine.state().msr |= msr::kEe;
    m.load(program);
    const Engine::Run run = m.run();
    const Engine::DirectUse use = m.engine.take_direct();
    EXPECT_EQ(run.exit, Engine::Exit::kSelfBranch) << program;
    EXPECT_EQ(use.fetched[3], run.instructions + m.engine.exceptions_taken()) << program;
    EXPECT_EQ(m.engine.take_direct().fetched[3], 0u);
  }
}

// Nine calls from the memory that most code is in to a function in another.
TEST(MemoryTest, WordsCountWhereTheyAreFetched) {
  for (const char* function : {"addik r7, r7, 1\n rtsd r15, 8\n nop",
                               "nop\n lwi r5, r0, 2\n rtsd r15, 8\n nop"}) {  // raises
    constexpr uint32_t kSecond = 0x4000;
    Machine m;
    m.bus.source = 3;
    m.bus.second = kSecond;
    m.load("rted r17, 0\n nop", 0x20);
    m.engine.state().msr |= msr::kEe;
    m.load("addik r6, r0, 9\n brlid r15, 12284\n nop\n addik r6, r6, -1\n bneid r6, -12\n nop");
    m.load(function, kSecond);
    const Engine::Run run = m.run();
    EXPECT_EQ(run.exit, Engine::Exit::kSelfBranch);
    const Engine::DirectUse use = m.engine.take_direct();
    EXPECT_EQ(use.fetched[4], 9 * assemble_program(function).size());
    EXPECT_EQ(use.fetched[3] + use.fetched[4], run.instructions + m.engine.exceptions_taken());
  }
}

// More memories than there are lanes to count them in, in several runs.
TEST(MemoryTest, AccessesCountAtTheMemoryTheyGoTo) {
  Machine m;
  m.bus.source = 3;
  m.bus.each = 0x20000;
  m.load(
      "addik r7, r0, 50\n imm 2\n addik r4, r0, 0\n addik r6, r0, 6\n"
      "lwi r5, r4, 0\n sbi r5, r4, 5\n lhui r5, r4, 2\n shi r5, r4, 6\n lwi r5, r4, 8\n"
      "imm 2\n addik r4, r4, 0\n addik r6, r6, -1\n bneid r6, -32\n nop\n"
      "addik r7, r7, -1\n bneid r7, -56\n nop");
  std::array<DirectCounts, 16> sums{};
  const auto take = [&] {
    const Engine::DirectUse use = m.engine.take_direct();
    ASSERT_LE(use.data.size(), sums.size());
    for (size_t source = 0; source < use.data.size(); ++source)
      for (size_t i = 0; i < 3; ++i) {
        sums[source].reads[i] += use.data[source].reads[i];
        sums[source].writes[i] += use.data[source].writes[i];
      }
  };
  unsigned runs = 0;
  for (Engine::Exit exit = Engine::Exit::kLimit; exit == Engine::Exit::kLimit; ++runs) {
    exit = m.run(300).exit;
    if (runs % 3 == 0) take();
  }
  take();
  EXPECT_GT(runs, 10u);
  using Counts = std::array<uint64_t, 3>;
  for (size_t source = 0; source < sums.size(); ++source) {
    const bool used = source >= 4 && source <= 9;
    EXPECT_EQ(sums[source].reads, (used ? Counts{0, 50, 100} : Counts{})) << source;
    EXPECT_EQ(sums[source].writes, (used ? Counts{50, 50, 0} : Counts{})) << source;
  }
}

TEST(MemoryTest, DataBesideCodeDoesNotDisturbIt) {
  Machine m;
  m.r(4) = 0x1800;  // the same 4 KiB page as the code, another line
  m.r(7) = 1000;
  m.load("swi r7, r4, 0\n addik r7, r7, -1\n bneid r7, -8\n nop");
  m.run();
  EXPECT_EQ(m.peek(0x1800), 1u);
}

// UG984, mbar: bit 1 of its operand is about instructions.
TEST(MemoryTest, ForeignWritesToCodeShowAfterABarrierForInstructions) {
  for (const char* barrier : {"mbar 2", "mbar 3"}) {
    Machine m;
    m.load("addik r6, r0, 1\n rtsd r15, 8\n nop", 0x3000);
    m.execute("brlid r15, 0x2000\n nop");  // by whole blocks, which are kept
    EXPECT_EQ(m.r(6), 1u);
    m.load(std::string(barrier) + "\n brlid r15, 0x1efc\n nop", 0x1100);
    const uint32_t changed = assemble("addik r6, r0, 2");
    std::memcpy(&m.bus.ram[0x3000], &changed, 4);  // nobody tells the processor
    m.engine.state().pc = 0x1100;
    m.run();
    EXPECT_EQ(m.r(6), 2u) << barrier;
  }
}

TEST(MemoryTest, ForeignWritesToCodeShowAfterWic) {
  Machine m;
  m.load("addik r6, r0, 1\n rtsd r15, 8\n nop", 0x3000);
  m.load("brlid r15, 0x2000\n nop\n wic r4, r0\n brlid r15, 0x1ff4\n addk r5, r6, r0");
  m.r(4) = 0x3000;
  m.engine.step();
  m.engine.step();
  m.engine.step();  // back from the first call
  const uint32_t changed = assemble("addik r6, r0, 2");
  std::memcpy(&m.bus.ram[0x3000], &changed, 4);  // nobody tells the processor
  m.run();
  EXPECT_EQ(m.r(6), 2u);
}

TEST(MemoryTest, MemoryWithoutDirectAccessWorksTheSame) {
  Machine m;
  m.bus.allow_direct = false;
  m.r(4) = 0x2000;
  m.load(
      "addik r3, r0, 5\n swi r3, r4, 0\n lwi r5, r4, 0\n imm 1\n addik r6, r0, 2\n"
      "addik r3, r3, -1\n bneid r3, -20\n addk r7, r7, r3");
  m.run();
  EXPECT_EQ(m.r(5), 1u);
  EXPECT_EQ(m.r(6), 0x10002u);
  EXPECT_EQ(m.r(7), 4u + 3 + 2 + 1);
}

TEST(MemoryTest, RevokedDirectAccessIsNotUsedAgain) {
  Machine m;
  m.r(4) = 0x2000;
  m.execute("lwi r5, r4, 0");
  m.bus.allow_direct = false;
  m.engine.invalidate_direct(0, 0xffffffff);
  std::vector<uint8_t> moved = m.bus.ram;
  m.bus.ram.swap(moved);
  std::fill(moved.begin(), moved.end(), uint8_t{0xee});
  m.bus.ram[0x2000] = 42;
  m.execute("lwi r5, r4, 0");
  EXPECT_EQ(m.r(5), 42u);
}

// ---- what a debugger needs

TEST(BreakpointTest, StopsBeforeTheInstructionAndGoesOn) {
  Machine m;
  m.load("addik r3, r3, 1\n addik r3, r3, 1\n addik r3, r3, 1");
  m.engine.set_breakpoint(0x1004);
  EXPECT_EQ(m.run().exit, Engine::Exit::kBreakpoint);
  EXPECT_EQ(m.engine.state().pc, 0x1004u);
  EXPECT_EQ(m.r(3), 1u);
  EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
  EXPECT_EQ(m.r(3), 3u);
}

TEST(BreakpointTest, StopsEachTimeRoundALoop) {
  Machine m;
  m.load("addik r3, r0, 3\n addik r4, r4, 1\n addik r3, r3, -1\n bneid r3, -8\n nop");
  m.engine.set_breakpoint(0x1004);
  int stops = 0;
  while (m.run().exit == Engine::Exit::kBreakpoint) ++stops;
  EXPECT_EQ(stops, 3);
  EXPECT_EQ(m.r(4), 3u);
}

// The branch has been executed then, with its link; the slot and the target follow.
TEST(BreakpointTest, InADelaySlotStopsBetweenTheBranchAndTheSlot) {
  for (const bool stepping : {false, true}) {
    Machine m;
    m.load("brlid r15, 16\n addik r3, r3, 1\n nop\n nop\n addik r4, r3, 1");
    m.engine.set_breakpoint(0x1004);
    if (stepping) {
      EXPECT_EQ(m.engine.step().instructions, 1u);
    } else {
      EXPECT_EQ(m.run().exit, Engine::Exit::kBreakpoint);
    }
    EXPECT_EQ(m.engine.state().pc, 0x1004u);
    EXPECT_EQ(m.r(15), 0x1000u);
    EXPECT_EQ(m.r(3), 0u);
    if (stepping) {
      m.engine.step();
      EXPECT_EQ(m.engine.state().pc, 0x1010u);
    }
    EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
    EXPECT_EQ(m.r(3), 1u);
    EXPECT_EQ(m.r(4), 2u);
  }
}

TEST(BreakpointTest, InADelaySlotStopsWhetherTheBranchIsTakenOrNot) {
  Machine m;
  m.load("addik r3, r0, 3\n addik r3, r3, -1\n bneid r3, -4\n addik r4, r4, 1");
  m.engine.set_breakpoint(0x100c);
  int stops = 0;
  while (m.run().exit == Engine::Exit::kBreakpoint) {
    EXPECT_EQ(m.engine.state().pc, 0x100cu);
    ++stops;
  }
  EXPECT_EQ(stops, 3);
  EXPECT_EQ(m.r(4), 3u);
}

TEST(BreakpointTest, ClearedBreakpointDoesNotStop) {
  Machine m;
  m.load("nop\n addik r3, r3, 1");
  m.engine.set_breakpoint(0x1004);
  m.engine.clear_breakpoint(0x1004);
  EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
}

TEST(WatchpointTest, StopsBehindTheAccess) {
  for (const auto kind : {Watchpoint::Kind::kWrite, Watchpoint::Kind::kRead}) {
    Machine m;
    m.r(4) = 0x2000;
    m.engine.memory().watchpoints().push_back({0x2000, 0x2003, kind});
    m.engine.memory().forget_pages();
    m.load("addik r3, r0, 1\n lwi r5, r4, 0\n swi r3, r4, 0\n addik r3, r0, 2");
    EXPECT_EQ(m.run().exit, Engine::Exit::kWatchpoint);
    EXPECT_EQ(m.engine.state().pc, kind == Watchpoint::Kind::kWrite ? 0x100cu : 0x1008u);
    EXPECT_EQ(m.r(3), 1u);
    EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
  }
}

TEST(WatchpointTest, StopsBehindAnAccessToADeviceWhosePageWasKnown) {
  Machine m;
  m.r(4) = FlatBus::kDevice;
  m.execute("swi r4, r4, 0\n lwi r5, r4, 0");
  m.engine.memory().watchpoints().push_back(
      {FlatBus::kDevice, FlatBus::kDevice + 3, Watchpoint::Kind::kRead});
  m.engine.memory().forget_pages();
  m.load("swi r4, r4, 0\n lwi r5, r4, 0\n addik r3, r0, 2");
  m.engine.state().pc = Machine::kCode;
  EXPECT_EQ(m.run().exit, Engine::Exit::kWatchpoint);
  EXPECT_EQ(m.r(3), 0u);
}

TEST(WatchpointTest, AccessInADelaySlotStopsBehindTheBranch) {
  Machine m;
  m.r(4) = 0x2000;
  m.engine.memory().watchpoints().push_back({0x2000, 0x2000, Watchpoint::Kind::kAccess});
  m.load("brid 12\n swi r3, r4, 0\n nop\n addik r3, r0, 2");
  EXPECT_EQ(m.run().exit, Engine::Exit::kWatchpoint);
  EXPECT_EQ(m.engine.state().pc, 0x100cu);
}

// A run that is interrupted behind an access counts what an uninterrupted one counts.
TEST(WatchpointTest, StoppingCostsNothing) {
  for (const char* next :
       {"addik r4, r4, 1", "imm 1\n addik r4, r4, 1", "imm 1\n imm 2\n addik r4, r4, 1",
        "brid 12\n addik r4, r4, 1\n nop", "imm 0\n brid 12\n addik r4, r4, 1\n nop"}) {
    Machine m;
    m.bus.latency = 7;
    m.load(std::string("addik r3, r0, 0x100\n swi r3, r3, 0\n") + next);
    const Engine::Run whole = m.run();
    ASSERT_EQ(whole.exit, Engine::Exit::kSelfBranch);
    m.engine.state().pc = Machine::kCode;
    m.engine.memory().watchpoints().push_back({0x100, 0x103, Watchpoint::Kind::kWrite});
    m.engine.memory().forget_pages();
    const Engine::Run first = m.run();
    ASSERT_EQ(first.exit, Engine::Exit::kWatchpoint);
    const Engine::Run second = m.run();
    ASSERT_EQ(second.exit, Engine::Exit::kSelfBranch);
    EXPECT_EQ(first.instructions + second.instructions, whole.instructions) << next;
    EXPECT_EQ(first.cycles + second.cycles, whole.cycles) << next;
  }
}

}  // namespace
}  // namespace gvp::host::test
