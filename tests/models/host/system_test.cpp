// SPDX-License-Identifier: Apache-2.0
// Special registers, version registers, streams, sleep.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <string>

#include "tests/models/host/machine.h"

namespace gvp::host::test {
namespace {

TEST(SpecialRegisterTest, ProgramCounterIsThatOfTheInstruction) {
  Machine m;
  m.execute("nop\n mfs r3, rpc\n brid 8\n mfs r4, rpc");
  EXPECT_EQ(m.r(3), 0x1004u);
  EXPECT_EQ(m.r(4), 0x100cu);
}

TEST(SpecialRegisterTest, CarryAndItsCopyReadTogether) {
  Machine m;
  m.execute("addik r3, r0, -1\n add r3, r3, r3\n mfs r4, rmsr");
  EXPECT_EQ(m.r(4) & (msr::kC | msr::kCc), msr::kC | msr::kCc);
}

TEST(SpecialRegisterTest, MtsWritesTheWritableBitsOnly) {
  Machine m;
  m.r(3) = ~(msr::kIe | msr::kUm | msr::kVm);
  m.execute("mts rmsr, r3\n mfs r4, rmsr");
  EXPECT_EQ(m.r(4), msr::kBip | msr::kC | msr::kCc | msr::kFsl | msr::kIce | msr::kDzo | msr::kDce |
                        msr::kEe | msr::kEip | msr::kPvr | msr::kUms | msr::kVms);
}

TEST(SpecialRegisterTest, MsrsetAndMsrclrReturnTheOldValue) {
  Machine m;
  m.execute("msrset r3, 0x104\n msrclr r4, 0x100\n mfs r5, rmsr");
  EXPECT_EQ(m.r(3) & 0x104, 0u);
  EXPECT_EQ(m.r(4) & 0x104, 0x104u);
  EXPECT_EQ(m.r(5) & 0x104, 0x004u);
}

TEST(SpecialRegisterTest, FsrEarEsrAndStackLimitsAreWritable) {
  Configuration configuration;
  configuration.use_stack_protection = true;
  Machine m(configuration);
  m.r(3) = 0xffffffff;
  m.execute(
      "mts rfsr, r3\n mfs r4, rfsr\n mts rslr, r3\n mfs r5, rslr\n mts rear, r3\n"
      "mfs r6, rear");
  EXPECT_EQ(m.r(4), 31u);
  EXPECT_EQ(m.r(5), 0xffffffffu);
  EXPECT_EQ(m.r(6), 0xffffffffu);
}

TEST(SpecialRegisterTest, TlbIsReachedByMtsAndMfs) {
  Machine m;
  m.r(3) = 7;
  m.r(4) = 0xc0000040;
  m.r(5) = 0x50000300;
  m.r(6) = 0xc0000123;
  m.execute(
      "mts rtlbx, r3\n mts rtlbhi, r4\n mts rtlblo, r5\n mts rtlbx, r0\n mts rtlbsx, r6\n"
      "mfs r7, rtlbx\n mfs r8, rtlbhi\n mfs r9, rtlblo");
  EXPECT_EQ(m.r(7), 7u);
  EXPECT_EQ(m.r(8), 0xc0000040u);
  EXPECT_EQ(m.r(9), 0x50000300u);
}

TEST(VersionRegisterTest, DescribeTheConfiguration) {
  Machine m;  // everything on
  m.execute("mfs r3, rpvr0\n mfs r5, rpvr11\n mfs r6, rmsr");
  // full, barrel, divider, multiplier, FPU, exceptions, MMU, little-endian, version 8.10.a
  EXPECT_EQ(m.r(3), 0xfc800000u | 0x00200000u | 0x1400u);
  EXPECT_EQ(m.r(5) >> 30, 3u) << "USE_MMU";
  EXPECT_NE(m.r(6) & msr::kPvr, 0u);
}

// UG984 table "Processor Version Register 2", as masks.
struct Feature {
  uint32_t mask;
  void (*remove)(Configuration&);
};
const Feature kFeatures[] = {
    {0x50000000, [](Configuration& c) { c.lmb_size = 0; }},
    {0x00080000, [](Configuration& c) { c.use_extended_fsl_instr = false; }},
    {0x00020000, [](Configuration& c) { c.use_msr_instr = false; }},
    {0x00010000, [](Configuration& c) { c.use_pcmp_instr = false; }},
    {0x00004000, [](Configuration& c) { c.use_barrel = false; }},
    {0x00002000, [](Configuration& c) { c.use_div = false; }},
    {0x00001400, [](Configuration& c) { c.use_hw_mul = 0; }},
    {0x00000400, [](Configuration& c) { c.use_hw_mul = 1; }},
    {0x00000a00, [](Configuration& c) { c.use_fpu = 0; }},
    {0x00000200, [](Configuration& c) { c.use_fpu = 1; }},
    {0x00000040, [](Configuration& c) { c.opcode_0x0_illegal = false; }},
    {0x00000020, [](Configuration& c) { c.unaligned_exceptions = false; }},
    {0x00000010, [](Configuration& c) { c.ill_opcode_exception = false; }},
    {0x00000008, [](Configuration& c) { c.iaxi_bus_exception = false; }},
    {0x00000004, [](Configuration& c) { c.daxi_bus_exception = false; }},
    {0x00000002, [](Configuration& c) { c.div_zero_exception = false; }},
};

TEST(VersionRegisterTest, EachOptionHasItsBit) {
  const auto pvr2 = [](const Configuration& configuration) {
    Machine m(configuration);
    m.execute("mfs r4, rpvr2");
    return m.r(4);
  };
  const uint32_t all = pvr2(Machine::everything());
  for (const Feature& feature : kFeatures) {
    Configuration configuration = Machine::everything();
    feature.remove(configuration);
    EXPECT_EQ(all ^ pvr2(configuration), feature.mask) << std::hex << feature.mask;
  }
}

TEST(VersionRegisterTest, ThoseOfTheMmuAndTheVectorsFollowTheConfiguration) {
  Configuration configuration = Machine::everything();
  configuration.mmu_zones = 5;
  configuration.mmu_privileged_instr = true;
  configuration.reset_msr = msr::kEe;
  configuration.base_vectors = 0x8000;
  Machine m(configuration);
  m.execute("mfs r3, rpvr11\n mfs r4, rpvr12");
  EXPECT_EQ(m.r(3) >> 17 & 31, 5u) << "ZONES";
  EXPECT_EQ(m.r(3) >> 16 & 1, 1u) << "PRIVINS";
  EXPECT_EQ(m.r(3) & 0xffff, uint32_t{msr::kEe}) << "RSTMSR";
  EXPECT_EQ(m.r(4), 0x8000u) << "VECTORS";
}

TEST(VersionRegisterTest, AbsentOnesReadZero) {
  Configuration configuration;
  configuration.pvr = 0;
  Machine m(configuration);
  m.execute("mfs r3, rpvr0\n mfs r6, rmsr");
  EXPECT_EQ(m.r(3), 0u);
  EXPECT_EQ(m.r(6) & msr::kPvr, 0u);
}

TEST(VersionRegisterTest, StackProtectionShowsInPvr0) {
  Configuration configuration;
  configuration.use_stack_protection = true;
  Machine protecting(configuration);
  protecting.execute("mfs r3, rpvr0");
  Machine plain(Configuration{});
  plain.execute("mfs r3, rpvr0");
  EXPECT_EQ(protecting.r(3) ^ plain.r(3), 0x00080000u);  // SPROT
}

TEST(VersionRegisterTest, UserFieldsAreThoseOfTheConfiguration) {
  Configuration configuration;
  configuration.pvr_user1 = 0xa5;
  configuration.pvr_user2 = 0xdeadbeef;
  Machine m(configuration);
  m.execute("mfs r3, rpvr0\n mfs r4, rpvr1");
  EXPECT_EQ(m.r(3) & 0xff, 0xa5u);
  EXPECT_EQ(m.r(4), 0xdeadbeefu);
}

struct Links : StreamLinks {
  std::deque<std::pair<uint32_t, bool>> input;
  std::vector<std::pair<uint32_t, bool>> output;
  bool full = false;
  bool get(unsigned, bool peek, uint32_t& data, bool& control) override {
    if (input.empty()) return false;
    data = input.front().first;
    control = input.front().second;
    if (!peek) input.pop_front();
    return true;
  }
  bool put(unsigned, bool probe, uint32_t data, bool control) override {
    if (!full && !probe) output.emplace_back(data, control);
    return !full;
  }
};

TEST(StreamTest, PutAndGetMoveDataAndControl) {
  Machine m;
  Links links;
  links.input = {{11, false}, {22, true}};
  m.engine.set_stream_links(&links);
  m.r(3) = 5;
  m.execute("put r3, rfsl1\n cput r3, rfsl1\n get r4, rfsl0\n cget r5, rfsl0\n mfs r6, rmsr");
  EXPECT_EQ(m.r(4), 11u);
  EXPECT_EQ(m.r(5), 22u);
  EXPECT_EQ(m.r(6) & msr::kFsl, 0u);
  EXPECT_THAT(links.output,
              testing::ElementsAre(testing::Pair(5u, false), testing::Pair(5u, true)));
}

TEST(StreamTest, ControlMismatchSetsTheFlag) {
  Machine m;
  Links links;
  links.input = {{11, true}};
  m.engine.set_stream_links(&links);
  m.execute("get r4, rfsl0\n mfs r6, rmsr");
  EXPECT_NE(m.r(6) & msr::kFsl, 0u);
}

TEST(StreamTest, NonBlockingAccessReportsInTheCarry) {
  Machine m;
  Links links;
  m.engine.set_stream_links(&links);
  m.r(4) = 9;
  m.execute("nget r4, rfsl0\n addkc r5, r0, r0\n nput r4, rfsl0\n addkc r6, r0, r0");
  EXPECT_EQ(m.r(4), 9u);
  EXPECT_EQ(m.r(5), 1u);
  EXPECT_EQ(m.r(6), 0u);
}

TEST(StreamTest, BlockingAccessStallsAndGoesOnWhenDataArrive) {
  Machine m;
  Links links;
  m.engine.set_stream_links(&links);
  m.load("addik r3, r3, 1\n get r4, rfsl0\n addik r3, r3, 1");
  EXPECT_EQ(m.run().exit, Engine::Exit::kStalled);
  EXPECT_EQ(m.engine.state().pc, 0x1004u);
  EXPECT_EQ(m.run().exit, Engine::Exit::kStalled);
  links.input = {{7, false}};
  EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch);
  EXPECT_EQ(m.r(4), 7u);
  EXPECT_EQ(m.r(3), 2u);
}

// The branch is not executed again: its link would be its own target.
TEST(StreamTest, BlockingAccessInADelaySlotStallsThere) {
  for (const char* branch : {"brald r15, r15", "brald r16, r15", "imm 0\n bralid r15, 0x1800"}) {
    Machine m;
    Links links;
    m.engine.set_stream_links(&links);
    m.r(15) = 0x1800;
    m.load(std::string(branch) + "\n get r4, rfsl0\n addik r5, r0, 1");
    m.load("addk r6, r4, r4", 0x1800);
    const uint32_t slot = Machine::kCode + (branch[0] == 'i' ? 8 : 4);
    m.engine.state().msr |= msr::kIe;
    const Engine::Run first = m.run();
    EXPECT_EQ(first.exit, Engine::Exit::kStalled) << branch;
    EXPECT_EQ(first.instructions, (slot - Machine::kCode) / 4) << "the branch is done";
    EXPECT_EQ(m.engine.state().pc, slot) << branch;
    m.engine.set_interrupt(true);  // waits until the slot is done
    EXPECT_EQ(m.run().exit, Engine::Exit::kStalled) << branch;
    EXPECT_EQ(m.engine.state().pc, slot) << branch;
    m.engine.set_interrupt(false);
    links.input = {{7, false}};
    EXPECT_EQ(m.run().exit, Engine::Exit::kSelfBranch) << branch;
    EXPECT_EQ(m.r(6), 14u) << branch;
    EXPECT_EQ(m.r(5), 0u) << branch;
    EXPECT_EQ(m.r(branch[8] == '6' ? 16 : 15), slot - 4) << branch;
  }
}

TEST(StreamTest, TestVariantLeavesTheDataAndDynamicVariantTakesTheLinkFromARegister) {
  Machine m;
  Links links;
  links.input = {{7, false}};
  m.engine.set_stream_links(&links);
  m.execute("tnget r4, rfsl0\n addkc r5, r0, r0\n getd r6, r0");
  EXPECT_EQ(m.r(5), 0u);
  EXPECT_EQ(m.r(6), 7u);
}

TEST(StreamTest, ExceptionVariantRaisesAndKeepsTheData) {
  Configuration configuration = Machine::everything();
  configuration.fsl_exception = true;
  Machine m(configuration);
  Links links;
  links.input = {{7, true}};
  m.engine.set_stream_links(&links);
  m.poke(0x20, assemble("bri 0"));
  m.engine.state().msr |= msr::kEe;
  m.execute("eget r4, rfsl3");
  EXPECT_EQ(m.engine.state().pc, 0x20u);
  EXPECT_EQ(m.engine.state().esr, 3u << 5);
  EXPECT_EQ(m.engine.state().edr, 7u);
  EXPECT_EQ(m.r(4), 0u);
}

TEST(StreamTest, BlockingAccessToNothingEndsTheProgram) {
  Machine m;
  m.load("get r4, rfsl2");
  EXPECT_EQ(m.run().exit, Engine::Exit::kError);
  EXPECT_THAT(m.engine.error(), testing::HasSubstr("stream link 2"));
}

TEST(SleepTest, LeavesTheRunBehindTheInstruction) {
  Machine m;
  m.load("addik r3, r0, 1\n sleep\n addik r3, r0, 2");
  EXPECT_EQ(m.run().exit, Engine::Exit::kSleep);
  EXPECT_EQ(m.engine.state().pc, 0x1008u);
  EXPECT_EQ(m.r(3), 1u);
}

}  // namespace
}  // namespace gvp::host::test
