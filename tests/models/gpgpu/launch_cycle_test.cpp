// SPDX-License-Identifier: Apache-2.0
#include "models/gpgpu/launch_cycle.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/models/gpgpu/script.h"

namespace gvp::gpgpu {
namespace {

using sc_core::SC_NS;
using sc_core::sc_time;
using sc_core::SC_ZERO_TIME;
using State = LaunchCycle::State;

class Seen : public Observer {
 public:
  unsigned wants() const override { return kKernels | kInterrupts; }
  void kernel_begins(const KernelEvent& e) override { begun.push_back(e); }
  void kernel_ends(const KernelEvent& e) override { ended.push_back(e); }
  void interrupt(const InterruptEvent& e) override { interrupts.push_back(e); }

  std::vector<KernelEvent> begun, ended;
  std::vector<InterruptEvent> interrupts;
};

// A device whose launches take 100 ns and end as the test says.
struct FakeDevice : sc_core::sc_module {
  explicit FakeDevice(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {
    interrupt(line);
    observers.add(seen);
  }

  Ending work() {
    KernelEvent event;
    event.name = "fake";
    event.period_ps = 1000;
    if (next.cause == FaultCause::kNone || !refuses(next.cause)) cycle.tell_begin(event);
    if (!refuses(next.cause))
      stopped = !cycle.stop().wait_until(sc_core::sc_time_stamp() + sc_time(100, SC_NS));
    was_aborted = cycle.aborted();
    Ending ending = next;
    ending.cycles = 42;
    return ending;
  }
  void wait_for_end() {
    while (cycle.running()) sc_core::wait(sc_time(10, SC_NS));
  }

  sc_core::sc_out<bool> interrupt{"interrupt"};
  sc_core::sc_signal<bool> line{"line"};
  Seen seen;
  Observers observers;
  kit::TargetSide side{"side", interrupt};
  LaunchCycle cycle{"cycle", {"ended", &interrupt}, side, observers, [this] { return work(); }};
  Ending next;
  bool stopped = false;
  bool was_aborted = false;
};

class LaunchCycleTest : public testing::Test {
 protected:
  FakeDevice device{"device"};
  LaunchCycle& cycle = device.cycle;
  test::Script script{"script"};
};

TEST_F(LaunchCycleTest, ALaunchRunsForItsTimeAndIsDone) {
  script.run([&] {
    EXPECT_EQ(cycle.state(), State::kIdle);
    sc_core::wait(sc_time(5, SC_NS));
    EXPECT_TRUE(cycle.start());
    EXPECT_EQ(cycle.state(), State::kRunning);
    sc_core::wait(sc_time(99, SC_NS));
    EXPECT_EQ(cycle.state(), State::kRunning);
    sc_core::wait(sc_time(2, SC_NS));
    EXPECT_EQ(cycle.state(), State::kDone);
    EXPECT_EQ(cycle.ending().cycles, 42u);
    EXPECT_EQ(cycle.launches(), 1u);
  });
  ASSERT_EQ(device.seen.ended.size(), 1u);
  EXPECT_EQ(device.seen.begun[0].launch, 1u);
  EXPECT_EQ(device.seen.begun[0].begin_ps, 5000u);
  EXPECT_EQ(device.seen.ended[0].end_ps, 105000u);
  EXPECT_EQ(device.seen.ended[0].cycles, 42u);
  EXPECT_EQ(device.seen.ended[0].cause, 0u);
}

TEST_F(LaunchCycleTest, OneThatRunsIsNotStartedAgain) {
  script.run([&] {
    EXPECT_TRUE(cycle.start());
    EXPECT_FALSE(cycle.start());
    sc_core::wait(sc_time(50, SC_NS));
    EXPECT_FALSE(cycle.start());
    device.wait_for_end();
    EXPECT_EQ(cycle.launches(), 1u);
  });
}

TEST_F(LaunchCycleTest, ARefusalAndAFaultShowUntilTheNextStart) {
  script.run([&] {
    device.next.cause = FaultCause::kTooManyThreads;
    cycle.start();
    device.wait_for_end();
    EXPECT_EQ(cycle.state(), State::kStopped);
    EXPECT_EQ(cycle.ending().cause, FaultCause::kTooManyThreads);
    device.next.cause = FaultCause::kMisaligned;
    device.next.fault.pc = 0x40;
    cycle.start();
    EXPECT_EQ(cycle.ending().cause, FaultCause::kNone);
    device.wait_for_end();
    EXPECT_EQ(cycle.state(), State::kStopped);
    EXPECT_EQ(cycle.ending().cause, FaultCause::kMisaligned);
    EXPECT_EQ(cycle.ending().fault.pc, 0x40u);
  });
  // The device told of the second launch only.
  ASSERT_EQ(device.seen.ended.size(), 1u);
  EXPECT_EQ(device.seen.ended[0].launch, 2u);
  EXPECT_EQ(device.seen.ended[0].cause, static_cast<uint32_t>(FaultCause::kMisaligned));
}

TEST_F(LaunchCycleTest, TheInterruptIsPendingFromTheEndUntilAcknowledgedAndSeenWhereEnabled) {
  script.run([&] {
    cycle.start();
    device.wait_for_end();
    sc_core::wait(SC_ZERO_TIME);
    EXPECT_TRUE(cycle.interrupt_pending());
    EXPECT_FALSE(device.line.read());
    cycle.enable_interrupt(true);
    sc_core::wait(sc_time(1, SC_NS));
    EXPECT_TRUE(device.line.read());
    cycle.acknowledge_interrupt();
    sc_core::wait(sc_time(1, SC_NS));
    EXPECT_FALSE(cycle.interrupt_pending());
    EXPECT_FALSE(device.line.read());
    EXPECT_TRUE(cycle.interrupt_enabled());
  });
  ASSERT_EQ(device.seen.interrupts.size(), 2u);
  EXPECT_EQ(device.seen.interrupts[0].line, "ended");
  EXPECT_TRUE(device.seen.interrupts[0].level);
  EXPECT_FALSE(device.seen.interrupts[1].level);
}

TEST_F(LaunchCycleTest, AResetEndsALaunchAtOnceAndTheNextOneRuns) {
  script.run([&] {
    cycle.enable_interrupt(true);
    cycle.start();
    sc_core::wait(sc_time(30, SC_NS));
    cycle.reset();
    EXPECT_EQ(cycle.state(), State::kStopped);
    EXPECT_EQ(cycle.ending().cause, FaultCause::kAborted);
    EXPECT_FALSE(cycle.interrupt_enabled());
    EXPECT_TRUE(cycle.start());  // while the work of the first has not noticed yet
    sc_core::wait(sc_time(1, SC_NS));
    EXPECT_TRUE(device.stopped);
    EXPECT_TRUE(cycle.running());
    device.wait_for_end();
    EXPECT_EQ(cycle.state(), State::kDone);
    EXPECT_FALSE(device.stopped);
    EXPECT_FALSE(device.was_aborted);
    EXPECT_EQ(cycle.launches(), 2u);
  });
  ASSERT_EQ(device.seen.ended.size(), 2u);
  EXPECT_EQ(device.seen.ended[0].cause, static_cast<uint32_t>(FaultCause::kAborted));
  EXPECT_EQ(device.seen.ended[0].end_ps, 30000u);
  EXPECT_EQ(device.seen.ended[1].cause, 0u);
}

TEST_F(LaunchCycleTest, AResetByTheLineEndsALaunchAndForgetsIt) {
  script.run([&] {
    cycle.start();
    sc_core::wait(sc_time(30, SC_NS));
    cycle.reset_by_line();
    EXPECT_EQ(cycle.state(), State::kIdle);
    EXPECT_EQ(cycle.ending().cause, FaultCause::kNone);
    sc_core::wait(sc_time(200, SC_NS));
    EXPECT_EQ(cycle.state(), State::kIdle);
    EXPECT_EQ(cycle.ending().cause, FaultCause::kNone);
  });
  ASSERT_EQ(device.seen.ended.size(), 1u);
  EXPECT_EQ(device.seen.ended[0].cause, static_cast<uint32_t>(FaultCause::kAborted));
}

TEST_F(LaunchCycleTest, AResetBeforeALaunchHasBegunTakesItBack) {
  script.run([&] {
    cycle.start();
    cycle.reset();
    EXPECT_EQ(cycle.state(), State::kStopped);
    EXPECT_EQ(cycle.ending().cause, FaultCause::kAborted);
    sc_core::wait(sc_time(200, SC_NS));
    EXPECT_EQ(cycle.launches(), 0u);
    cycle.reset();
    EXPECT_EQ(cycle.state(), State::kIdle);
    EXPECT_EQ(cycle.ending().cause, FaultCause::kNone);
  });
}

TEST_F(LaunchCycleTest, ARequestToStopCutsNoWaitShortAndHoldsForWhatFollows) {
  script.run([&] {
    cycle.start();
    sc_core::wait(sc_time(30, SC_NS));
    cycle.request_stop();
    device.wait_for_end();
    EXPECT_TRUE(device.stopped);
    EXPECT_FALSE(device.was_aborted);
    const sc_time begun = sc_core::sc_time_stamp();
    cycle.start();
    device.wait_for_end();
    EXPECT_LE(sc_core::sc_time_stamp() - begun, sc_time(10, SC_NS));
  });
}

}  // namespace
}  // namespace gvp::gpgpu
