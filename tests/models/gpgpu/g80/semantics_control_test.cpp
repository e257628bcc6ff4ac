// SPDX-License-Identifier: Apache-2.0
// Divergence in whole programs: which threads execute what.  Each program counts in registers
// how often a thread has passed a place.
#include <gtest/gtest.h>

#include <functional>

#include "tests/models/gpgpu/g80/one_warp.h"

namespace gvp::gpgpu::g80 {
namespace {

class ControlTest : public testing::Test {
 protected:
  ControlTest() {
    for (unsigned lane = 0; lane < 32; ++lane) warp.r(0)[lane] = lane;
  }
  void expect_lanes(unsigned number, const std::function<uint32_t(unsigned)>& expected) {
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(warp.r(number)[lane], expected(lane)) << "R" << number << " lane " << lane;
  }

  OneWarp warp;
};

TEST_F(ControlTest, LongInstructionsRunAtAnyWord) {
  EXPECT_EQ(warp.run(R"(
      .noalign
      MOV32 R1, R1;
      MVI R2, 0x5;
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned) { return 5u; });
}

constexpr const char* kIfElse = R"(
      MVI R1, 0x10;
      ISET.S32.C0 o[0x7f], R0, R1, LT;
      SSY join;
      BRA C0.NE, then;
      IADD R2, R2, R1;           // else: threads 16..31
      BRA join;
then: IADD R3, R3, R1;           // threads 0..15
join: NOP.S;
      MVI R4, 0x1;               // all, once
      IADD R5, R5, R4;
      RET;
)";

TEST_F(ControlTest, BothSidesOfAnIfExecuteAndJoin) {
  EXPECT_EQ(warp.run(kIfElse), Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane < 16 ? 0u : 16u; });
  expect_lanes(3, [](unsigned lane) { return lane < 16 ? 16u : 0u; });
  expect_lanes(5, [](unsigned) { return 1u; });
  EXPECT_EQ(warp.warp.flow.max_depth(), 2u);
  EXPECT_EQ(warp.counters.divergent_branches, 1u);
}

TEST_F(ControlTest, WhicheverSideRunsFirst) {
  warp.machine.taken_first = false;
  EXPECT_EQ(warp.run(kIfElse), Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane < 16 ? 0u : 16u; });
  expect_lanes(3, [](unsigned lane) { return lane < 16 ? 16u : 0u; });
  expect_lanes(5, [](unsigned) { return 1u; });
}

TEST_F(ControlTest, TheTakenSideRunsFirstUnlessToldOtherwise) {
  warp.load(kIfElse);
  for (int i = 0; i < 3; ++i) step(warp.machine, warp.program(), warp.warp);
  const Step branch = step(warp.machine, warp.program(), warp.warp);
  EXPECT_EQ(branch.branch, simt::ControlFlow::Branch::kDivergent);
  EXPECT_EQ(branch.active_before, simt::kAllLanes);
  EXPECT_EQ(branch.active_after, 0x0000ffffu);
  EXPECT_EQ(branch.depth_after, 2u);
  EXPECT_EQ(warp.warp.flow.pc, branch.op->target_pc);
}

TEST_F(ControlTest, NestedIfsJoinInside) {
  EXPECT_EQ(warp.run(R"(
      MVI R1, 0x10;
      MVI R6, 0x8;
      MVI R7, 0x1;
      ISET.S32.C0 o[0x7f], R0, R1, LT;
      SSY outer;
      BRA C0.NE, low;
      BRA outer;
low:  ISET.S32.C1 o[0x7f], R0, R6, LT;
      SSY inner;
      BRA C1.NE, lower;
      IADD R2, R2, R7;           // 8..15
      BRA inner;
lower: IADD R3, R3, R7;          // 0..7
inner: NOP.S;
      IADD R4, R4, R7;           // 0..15 together
outer: NOP.S;
      IADD R5, R5, R7;
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane >= 8 && lane < 16 ? 1u : 0u; });
  expect_lanes(3, [](unsigned lane) { return lane < 8 ? 1u : 0u; });
  expect_lanes(4, [](unsigned lane) { return lane < 16 ? 1u : 0u; });
  expect_lanes(5, [](unsigned) { return 1u; });
}

// Thread i goes round i + 1 times: 31 divergent exits, the deepest a loop can get.
constexpr const char* kLoop = R"(
      MVI R1, 0x1;
      SSY done;
loop: IADD R2, R2, R1;
      ISET.C0 o[0x7f], R2, R0, LE;
      BRA C0.NE, loop;
done: NOP.S;
      IADD R3, R3, R1;
      RET;
)";

TEST_F(ControlTest, AThreadLeavesALoopWhenItIsDone) {
  EXPECT_EQ(warp.run(kLoop), Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane + 1; });
  expect_lanes(3, [](unsigned) { return 1u; });
  EXPECT_EQ(warp.warp.flow.max_depth(), 32u) << "31 divergences and the sync entry";
}

TEST_F(ControlTest, AStackThatIsTooShallowIsAFaultAtTheBranch) {
  warp.warp.flow.configure(8);
  warp.start();
  for (unsigned lane = 0; lane < 32; ++lane) warp.r(0)[lane] = lane;
  EXPECT_EQ(warp.run(kLoop), Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kStackOverflow);
  EXPECT_EQ(warp.warp.fault.pc, 0x20u);
}

TEST_F(ControlTest, ThreadsThatReturnInsideARegionStayAway) {
  EXPECT_EQ(warp.run(R"(
      MVI R1, 0x10;
      MVI R7, 0x1;
      ISET.S32.C0 o[0x7f], R0, R1, LT;
      SSY join;
      RET C0.NE;                 // 0..15 are gone
      IADD R2, R2, R7;
join: NOP.S;
      IADD R3, R3, R7;
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane < 16 ? 0u : 1u; });
  expect_lanes(3, [](unsigned lane) { return lane < 16 ? 0u : 1u; });
}

TEST_F(ControlTest, AWholeSideMayReturnWhileTheOtherWaitsAtTheJoin) {
  EXPECT_EQ(warp.run(R"(
      MVI R1, 0x10;
      MVI R7, 0x1;
      ISET.S32.C0 o[0x7f], R0, R1, LT;
      SSY join;
      BRA C0.NE, join;           // taken side reaches the join first
      RET;                       // 16..31
join: IADD.S R2, R2, R7;
      IADD R3, R3, R7;           // 0..15 go on, once
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane < 16 ? 1u : 0u; });
  expect_lanes(3, [](unsigned lane) { return lane < 16 ? 1u : 0u; });
}

TEST_F(ControlTest, EarlyReturnNeedsNoSync) {
  EXPECT_EQ(warp.run(R"(
      MVI R1, 0x3;
      ISET.S32.C0 o[0x7f], R0, R1, GE;
      RET C0.NE;
      IADD R2, R0, R1;
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane < 3 ? lane + 3 : 0u; });
}

TEST_F(ControlTest, CallsReturnBehindThemselves) {
  EXPECT_EQ(warp.run(R"(
      MVI R1, 0x1;
      CAL.NOINC f;
      CAL.NOINC f;
      IADD R3, R3, R1;
      RET;
f:    IADD R2, R2, R1;
      CAL.NOINC g;
      RET;
g:    IADD R4, R4, R1;
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned) { return 2u; });
  expect_lanes(3, [](unsigned) { return 1u; });
  expect_lanes(4, [](unsigned) { return 2u; });
}

TEST_F(ControlTest, SomeThreadsReturnFromAFunctionBeforeOthers) {
  EXPECT_EQ(warp.run(R"(
      MVI R1, 0x10;
      MVI R7, 0x1;
      ISET.S32.C0 o[0x7f], R0, R1, LT;
      CAL.NOINC f;
      IADD R3, R3, R7;           // all, once, after both kinds have returned
      RET;
f:    RET C0.NE;
      IADD R2, R2, R7;
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane < 16 ? 0u : 1u; });
  expect_lanes(3, [](unsigned) { return 1u; });
}

TEST_F(ControlTest, BreakLeavesALoopForItsTarget) {
  EXPECT_EQ(warp.run(R"(
      MVI R1, 0x1;
      PBK out;
loop: ISET.C0 o[0x7f], R2, R0, GE;
      BRK C0.NE;
      IADD R2, R2, R1;
      BRA loop;
      MVI R5, 0xbad;
out:  IADD R3, R3, R1;
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane; });
  expect_lanes(3, [](unsigned) { return 1u; });
  expect_lanes(5, [](unsigned) { return 0u; });
  EXPECT_EQ(warp.warp.flow.max_depth(), 1u) << "a break needs one entry however many leave";
}

TEST_F(ControlTest, BreakOutOfADivergentIfReachesTheLoopsEnd) {
  EXPECT_EQ(warp.run(R"(
      MVI R1, 0x1;
      MVI R6, 0x10;
      PBK out;
      ISET.C0 o[0x7f], R0, R6, LT;
      SSY join;
      BRA C0.NE, then;
      IADD R2, R2, R1;           // 16..31
      BRA join;
then: BRK;                       // 0..15
join: NOP.S;
      IADD R3, R3, R1;           // 16..31
      BRK;
out:  IADD R4, R4, R1;           // all, once
      RET;
)"),
            Stop::kFinished);
  expect_lanes(2, [](unsigned lane) { return lane < 16 ? 0u : 1u; });
  expect_lanes(3, [](unsigned lane) { return lane < 16 ? 0u : 1u; });
  expect_lanes(4, [](unsigned) { return 1u; });
}

TEST_F(ControlTest, BreakWithoutLoopIsAFault) {
  EXPECT_EQ(warp.run("NOP;\n BRK;\n RET;\n"), Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kStackUnderflow);
  EXPECT_EQ(warp.warp.fault.pc, 8u);
}

TEST_F(ControlTest, ExitActsOnACarrierThatIsNeverExecuted) {
  Instruction exit = assemble_instruction("NOP.END;");
  exit.predicate = Condition::kNever;
  EXPECT_EQ(warp.execute(exit).stop, Stop::kFinished);
}

TEST_F(ControlTest, ExitOnAnInstructionThatDoesSomething) {
  EXPECT_EQ(warp.execute("IADD.END R1, R0, R0;").stop, Stop::kFinished);
  EXPECT_EQ(warp.r(1)[3], 6u);
}

TEST_F(ControlTest, APredicatedExitEndsItsThreadsOnly) {
  for (unsigned lane = 0; lane < 32; ++lane) warp.set_flags(0, lane, lane < 8 ? 0 : 1);
  Instruction exit = assemble_instruction("NOP.END;");
  exit.predicate = Condition::kNotEqual;
  const Step step = warp.execute(exit);
  EXPECT_EQ(step.stop, Stop::kNone);
  EXPECT_EQ(step.active_after, 0xffffff00u);
  EXPECT_EQ(warp.warp.flow.live(), 0xffffff00u);
}

TEST_F(ControlTest, JoinActsOnACarrierThatIsNeverExecuted) {
  warp.execute("SSY 0x8;");
  ASSERT_EQ(warp.warp.flow.depth(), 1u);
  Instruction join = assemble_instruction("NOP.S;");
  join.predicate = Condition::kNever;
  const Step step = warp.execute(join);
  EXPECT_EQ(step.executed, 0u);
  EXPECT_EQ(step.depth_after, 0u);
}

TEST_F(ControlTest, JoinWithAnEmptyStackBringsBackTheLiveThreads) {
  warp.start(0x0fu);
  warp.warp.flow.active = 0x03;  // as after a branch that nobody synchronises
  const Step step = warp.execute("NOP.S;");
  EXPECT_EQ(step.active_after, 0x0fu);
}

TEST_F(ControlTest, BarrierStopsBehindItselfAndSaysWhatItWants) {
  EXPECT_EQ(warp.run("BAR.ARV.WAIT b3, 0xfff;\n MVI R1, 0x7;\n RET;\n"), Stop::kBarrier);
  EXPECT_EQ(warp.warp.barrier.barrier, 3);
  EXPECT_EQ(warp.warp.barrier.threads, kAllThreads);
  EXPECT_TRUE(warp.warp.barrier.arrive && warp.warp.barrier.wait);
  EXPECT_EQ(warp.warp.flow.pc, 8u);
  EXPECT_EQ(warp.go_on(), Stop::kFinished);
  EXPECT_EQ(warp.r(1)[0], 7u);
}

TEST_F(ControlTest, TrapIsAFault) {
  EXPECT_EQ(warp.run("TRAP32;\n"), Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kTrap);
}

TEST_F(ControlTest, RunningOffTheCodeIsAFaultAtItsEnd) {
  EXPECT_EQ(warp.run("NOP;\n"), Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kCodeOutOfRange);
  EXPECT_EQ(warp.warp.fault.pc, 8u);
}

TEST_F(ControlTest, ABranchOutOfTheCodeIsAFaultAtItsTarget) {
  EXPECT_EQ(warp.run("BRA 0x1000;\n"), Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kCodeOutOfRange);
  EXPECT_EQ(warp.warp.fault.pc, 0x1000u);
}

TEST_F(ControlTest, IllegalWordsFaultOnlyWhereTheyAreReached) {
  EXPECT_EQ(warp.run("RET;\n .word 0x00000000;\n .word 0x00000000;\n"), Stop::kFinished);
  warp.start();
  EXPECT_EQ(warp.run("NOP;\n .word 0x00000000;\n .word 0x00000000;\n"), Stop::kFault);
  EXPECT_EQ(warp.warp.fault.cause, FaultCause::kIllegalInstruction);
  EXPECT_EQ(warp.warp.fault.pc, 8u);
}

TEST_F(ControlTest, AnEndlessLoopStopsWithItsTimeSlice) {
  EXPECT_EQ(warp.run("loop: BRA loop;\n", 1000), Stop::kNone);
  EXPECT_EQ(warp.counters.warp_instructions, 1000u);
  EXPECT_EQ(warp.counters.thread_instructions, 32000u);
}

TEST_F(ControlTest, StepAndRunDoTheSame) {
  OneWarp stepped;
  for (unsigned lane = 0; lane < 32; ++lane) stepped.r(0)[lane] = lane;
  stepped.load(kLoop);
  uint64_t steps = 0;
  while (step(stepped.machine, stepped.program(), stepped.warp).stop == Stop::kNone) ++steps;
  EXPECT_EQ(warp.run(kLoop), Stop::kFinished);
  EXPECT_EQ(steps + 1, warp.counters.warp_instructions);
  for (unsigned number = 0; number < 8; ++number)
    for (unsigned lane = 0; lane < 32; ++lane)
      EXPECT_EQ(stepped.r(number)[lane], warp.r(number)[lane]);
}

}  // namespace
}  // namespace gvp::gpgpu::g80
