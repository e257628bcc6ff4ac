// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/timer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/peripherals/bench.h"

namespace gvp::peripherals {
namespace {

constexpr uint64_t kTcsr0 = 0x00, kTlr0 = 0x04, kTcr0 = 0x08, kTcsr1 = 0x10, kTlr1 = 0x14,
                   kTcr1 = 0x18;
constexpr uint32_t kCapture = 1, kDown = 2, kGenerate = 4, kTrigger = 8, kReload = 0x10,
                   kLoad = 0x20, kEnit = 0x40, kEnable = 0x80, kInt = 0x100, kPwm = 0x200,
                   kEnableAll = 0x400, kCascade = 0x800;

sc_time clocks(double count) { return count * sc_time(10, SC_NS); }

struct TimerBench : Bench<Timer> {
  TimerBench() : Bench<Timer>(TimerConfiguration{}) {
    device.capture_trigger[0](trigger);
    device.pwm(pwm);
  }
  void start(uint64_t tcsr, uint32_t load, uint32_t mode) {
    write(tcsr + 4, load);
    write(tcsr, mode | kLoad);
    write(tcsr, mode | kEnable);
  }
  sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> trigger{"trigger"};
  sc_core::sc_signal<bool> pwm{"pwm"};
};

TEST(Timer, ResetValues) {
  TimerBench bench;
  bench.run([&] {
    for (uint64_t address : {kTcsr0, kTlr0, kTcr0, kTcsr1, kTlr1, kTcr1})
      EXPECT_EQ(bench.read(address), 0u);
    uint32_t value = 0;
    EXPECT_EQ(bench.initiator.read(0x0c, value), kSlaveError);
    EXPECT_EQ(bench.initiator.write(kTlr0, 1, 1), kSlaveError) << "words only";
  });
}

TEST(Timer, CounterIsReadOnly) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTcr0, 77);
    EXPECT_EQ(bench.read(kTcr0), 0u);
  });
}

TEST(Timer, CountsUpFromTheLoadValue) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 1000, 0);
    bench.pass(clocks(5));
    EXPECT_EQ(bench.read(kTcr0), 1005u);
    bench.pass_locally(clocks(7.5));
    EXPECT_EQ(bench.read(kTcr0), 1012u) << "in the initiator's local time";
  });
}

TEST(Timer, LoadHoldsTheCounter) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTlr0, 5);
    bench.write(kTcsr0, kLoad | kEnable);
    bench.pass(clocks(10));
    EXPECT_EQ(bench.read(kTcr0), 5u);
    bench.write(kTlr0, 6);
    EXPECT_EQ(bench.read(kTcr0), 6u);
  });
}

TEST(Timer, StoppedCounterKeepsItsValue) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr1, 50, kDown);
    bench.pass(clocks(10));
    bench.write(kTcsr1, kDown);
    bench.pass(clocks(10));
    EXPECT_EQ(bench.read(kTcr1), 40u);
    bench.write(kTcsr1, kDown | kEnable);
    bench.pass(clocks(1));
    EXPECT_EQ(bench.read(kTcr1), 39u);
  });
}

TEST(Timer, AutoReloadIntervalIsLoadPlusTwoClocks) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 98, kDown | kReload | kEnit);
    sc_core::wait(bench.interrupt.posedge_event());
    const sc_time first = sc_core::sc_time_stamp();
    EXPECT_EQ(first, clocks(99));
    EXPECT_EQ(bench.read(kTcsr0) & kInt, kInt);
    EXPECT_EQ(bench.read(kTcr0), 0xffffffffu);
    bench.write(kTcsr0, kDown | kReload | kEnit | kEnable | kInt);
    EXPECT_FALSE(bench.interrupt.read());
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp() - first, clocks(100));
  });
}

TEST(Timer, CountingUpTheIntervalIsMaximumMinusLoadPlusTwo) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr1, 0xffffffff - 8, kReload | kEnit);
    sc_core::wait(bench.interrupt.posedge_event());
    const sc_time first = sc_core::sc_time_stamp();
    bench.write(kTcsr1, kReload | kEnit | kEnable | kInt);
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp() - first, clocks(10));
  });
}

TEST(Timer, InterruptBitIsWriteOneToClear) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 3, kDown);
    bench.pass(clocks(20));
    EXPECT_EQ(bench.read(kTcsr0), kDown | kEnable | kInt);
    EXPECT_FALSE(bench.interrupt.read()) << "not enabled";
    bench.write(kTcsr0, kDown | kEnable | kEnit);
    EXPECT_TRUE(bench.interrupt.read()) << "enabling shows it";
    bench.write(kTcsr0, kDown | kEnable | kEnit | kInt);
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kTcsr0) & kInt, 0u);
  });
}

TEST(Timer, WithoutReloadItStopsAfterOneRollover) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 3, kDown | kEnit);
    bench.pass(clocks(50));
    EXPECT_EQ(bench.read(kTcr0), 0xffffffffu);
    bench.write(kTcsr0, kDown | kEnable | kEnit | kInt);
    bench.pass(clocks(1000));
    EXPECT_FALSE(bench.interrupt.read());
  });
}

TEST(Timer, AcknowledgingAheadOfSimulatedTimeLowersTheLineBeforeTheNextInstruction) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 98, kDown | kReload | kEnit);
    bench.pass(clocks(110));
    EXPECT_TRUE(bench.interrupt.read());
    bench.pass_locally(clocks(20));
    bench.write(kTcsr0, kDown | kReload | kEnit | kEnable | kInt);
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(bench.initiator.delay, sc_core::SC_ZERO_TIME) << "the initiator was synchronised";
    EXPECT_EQ(sc_core::sc_time_stamp(), clocks(130));
  });
}

TEST(Timer, EnableAllStartsBothAndStopsNeither) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTcsr0, kEnableAll);
    EXPECT_EQ(bench.read(kTcsr1), kEnableAll | kEnable);
    bench.pass(clocks(10));
    EXPECT_EQ(bench.read(kTcr0), bench.read(kTcr1));
    bench.write(kTcsr1, kEnable);
    EXPECT_EQ(bench.read(kTcsr0), kEnable) << "cleared in both, still running";
  });
}

TEST(Timer, CaptureTakesTheCounter) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 0, kCapture | kTrigger | kEnit);
    bench.pass(clocks(25));
    bench.trigger.write(true);
    bench.pass(clocks(5));
    EXPECT_TRUE(bench.interrupt.read());
    bench.trigger.write(false);
    bench.pass(clocks(5));
    bench.trigger.write(true);  // not yet read: the first value is held
    bench.pass(clocks(5));
    EXPECT_EQ(bench.read(kTlr0), 25u);
    bench.trigger.write(false);
    bench.pass(clocks(5));
    bench.trigger.write(true);
    bench.pass(clocks(5));
    EXPECT_EQ(bench.read(kTlr0), 45u);
  });
}

TEST(Timer, CaptureWithReloadOverwrites) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 0, kCapture | kTrigger | kReload);
    for (int i = 0; i < 2; ++i) {
      bench.pass(clocks(10));
      bench.trigger.write(true);
      bench.pass(clocks(10));
      bench.trigger.write(false);
    }
    bench.pass(clocks(1));
    EXPECT_EQ(bench.read(kTlr0), 30u);
  });
}

TEST(Timer, CaptureNeedsItsTriggerARisingEdgeAndARunningCounter) {
  TimerBench bench;
  bench.run([&] {
    const auto pulse = [&] {
      bench.pass(clocks(10));
      bench.trigger.write(true);
      bench.pass(clocks(10));
      bench.trigger.write(false);
      bench.pass(clocks(10));
    };
    bench.start(kTcsr0, 1000, kCapture);
    pulse();
    EXPECT_EQ(bench.read(kTlr0), 1000u) << "the trigger is not enabled";
    bench.start(kTcsr0, 1000, kTrigger);
    pulse();
    EXPECT_EQ(bench.read(kTlr0), 1000u) << "it generates";
    bench.write(kTcsr0, kCapture | kTrigger);
    pulse();
    EXPECT_EQ(bench.read(kTlr0), 1000u) << "it is stopped";
    EXPECT_EQ(bench.read(kTcsr0) & kInt, 0u);
    bench.start(kTcsr0, 1000, kCapture | kTrigger);
    pulse();
    EXPECT_EQ(bench.read(kTlr0), 1010u);
    EXPECT_EQ(bench.read(kTcsr0) & kInt, kInt);
  });
}

TEST(Timer, CascadeCapturesBothHalves) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTlr0, 0xfffffffe);
    bench.write(kTlr1, 0x12);
    bench.write(kTcsr0, kCascade | kLoad);
    bench.write(kTcsr0, kCascade | kCapture | kTrigger | kEnable);
    bench.pass(clocks(5));
    bench.trigger.write(true);
    bench.pass(clocks(5));
    EXPECT_EQ(bench.read(kTlr0), 3u);
    EXPECT_EQ(bench.read(kTlr1), 0x13u);
  });
}

TEST(Timer, ControlRegistersKeepTheirBits) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTcsr0, 0xfffffbff);  // all but ENALL
    EXPECT_EQ(bench.read(kTcsr0), 0xaffu) << "and the interrupt bit is written to clear it";
    EXPECT_EQ(bench.read(kTcsr1), 0u);
    bench.write(kTcsr0, 0);
    bench.write(kTcsr1, 0xfffffbff);
    EXPECT_EQ(bench.read(kTcsr1), 0x2ffu) << "there is no cascade bit";
    EXPECT_EQ(bench.read(kTcsr0), 0u);
  });
}

TEST(Timer, ChannelsInterruptAndAreAcknowledgedEachForItself) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 50, kDown | kEnit);
    bench.start(kTcsr1, 20, kDown | kEnit);
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(bench.read(kTcsr0) & kInt, 0u);
    EXPECT_EQ(bench.read(kTcsr1) & kInt, kInt);
    bench.pass(clocks(60));
    EXPECT_EQ(bench.read(kTcsr0) & kInt, kInt);
    bench.write(kTcsr1, kDown | kEnit | kInt);
    EXPECT_EQ(bench.read(kTcsr1) & kInt, 0u);
    EXPECT_TRUE(bench.interrupt.read()) << "the other's";
    bench.write(kTcsr0, kDown | kInt);
    EXPECT_FALSE(bench.interrupt.read());
  });
}

TEST(Timer, WithoutItsEnableBitAnInterruptStaysInside) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 10, kDown);
    bench.pass(clocks(30));
    EXPECT_EQ(bench.read(kTcsr0) & kInt, kInt);
    EXPECT_FALSE(bench.interrupt.read());
    bench.write(kTcsr0, kDown | kEnit | kEnable);
    EXPECT_TRUE(bench.interrupt.read()) << "until it is enabled";
  });
}

TEST(Timer, CascadeMakesOneCounterOf64Bits) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTlr0, 0xfffffffe);
    bench.write(kTlr1, 0x12);
    bench.write(kTcsr0, kCascade | kLoad);
    bench.write(kTcsr0, kCascade | kEnable);
    bench.pass(clocks(3));
    EXPECT_EQ(bench.read(kTcr0), 1u);
    EXPECT_EQ(bench.read(kTcr1), 0x13u);
  });
}

TEST(Timer, CounterThatIsNoLongerCascadedKeepsBothHalves) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTlr0, 0xfffffffe);
    bench.write(kTlr1, 0x12);
    bench.write(kTcsr0, kCascade | kLoad);
    bench.write(kTcsr0, kCascade | kEnable);
    bench.pass(clocks(5));
    bench.write(kTcsr0, 0);
    EXPECT_EQ(bench.read(kTcr0), 3u);
    EXPECT_EQ(bench.read(kTcr1), 0x13u);
    bench.pass(clocks(3));
    EXPECT_EQ(bench.read(kTcr1), 0x13u) << "channel 1 is not enabled";
    bench.write(kTcsr0, kCascade | kEnable);
    bench.pass(clocks(2));
    EXPECT_EQ(bench.read(kTcr0), 5u) << "and together they go on";
    EXPECT_EQ(bench.read(kTcr1), 0x13u);
  });
}

TEST(Timer, HalvesOfASplitCounterRollOverEachForItself) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTlr0, 0xfffffff0);
    bench.write(kTlr1, 7);
    bench.write(kTcsr0, kCascade | kLoad);
    bench.write(kTcsr0, kCascade);
    bench.write(kTcsr0, kEnit | kEnable);
    sc_core::wait(bench.interrupt.posedge_event());  // at its own end, whatever the upper half
    EXPECT_EQ(sc_core::sc_time_stamp(), clocks(16));
    EXPECT_EQ(bench.read(kTcr0), 0u);
    EXPECT_EQ(bench.read(kTcr1), 7u);
  });
}

TEST(Timer, CascadeInterruptsAtTheEndOfTheWholeCounter) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTlr0, 0);
    bench.write(kTlr1, 1);
    bench.write(kTcsr0, kCascade | kDown | kEnit | kLoad);
    bench.write(kTcsr0, kCascade | kDown | kEnit | kEnable);
    sc_core::wait(bench.interrupt.posedge_event());
    EXPECT_EQ(sc_core::sc_time_stamp(), sc_time::from_value(10000ull * ((1ull << 32) + 1)));
  });
}

TEST(Timer, PulseWidthModulation) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTlr0, 98);  // period 100 clocks
    bench.write(kTlr1, 28);  // high for 30
    const uint32_t mode = kPwm | kGenerate | kDown | kReload;
    bench.write(kTcsr0, mode | kLoad);
    bench.write(kTcsr1, mode | kLoad);
    bench.write(kTcsr1, mode);
    bench.write(kTcsr0, mode | kEnableAll);
    for (int i = 0; i < 3; ++i) {
      sc_core::wait(bench.pwm.negedge_event());
      sc_core::wait(bench.pwm.posedge_event());
      const sc_time rise = sc_core::sc_time_stamp();
      sc_core::wait(bench.pwm.negedge_event());
      EXPECT_EQ(sc_core::sc_time_stamp() - rise, clocks(30));
      sc_core::wait(bench.pwm.posedge_event());
      EXPECT_EQ(sc_core::sc_time_stamp() - rise, clocks(100));
    }
  });
}

TEST(Timer, PulseWidthModulationBeginsHighAtOnceAndEndsWithItsMode) {
  TimerBench bench;
  bench.run([&] {
    bench.write(kTlr0, 98);
    bench.write(kTlr1, 28);
    const uint32_t mode = kPwm | kGenerate | kDown | kReload;
    bench.write(kTcsr0, mode | kLoad);
    bench.write(kTcsr1, mode | kLoad);
    EXPECT_FALSE(bench.pwm.read());
    bench.write(kTcsr1, mode);
    bench.write(kTcsr0, mode | kEnableAll);
    bench.pass(clocks(1));
    EXPECT_TRUE(bench.pwm.read());
    bench.device.reset();
    bench.pass(clocks(1));
    EXPECT_FALSE(bench.pwm.read()) << "after a reset, not at the end of the pulse";
  });
}

TEST(Timer, AnInitiatorBehindAnotherSeesTheCounterWhereTheOtherLeftIt) {
  TimerBench bench;
  bench.run([&] {
    bench.start(kTcsr0, 1000, kDown);
    bench.start(kTcsr1, 0, 0);
    bench.pass_locally(clocks(100));
    EXPECT_EQ(bench.read(kTcr0), 900u);
    const sc_time ahead = bench.initiator.delay;
    bench.initiator.delay = clocks(20);
    EXPECT_EQ(bench.read(kTcr0), 900u);
    EXPECT_EQ(bench.read(kTcsr0), kEnable | kDown) << "it has not rolled over";
    bench.initiator.delay = ahead;
    bench.pass_locally(clocks(50));
    EXPECT_EQ(bench.read(kTcr0), 850u) << "what was counted once is not counted again";
    EXPECT_EQ(bench.read(kTcr1), 150u);
  });
}

}  // namespace
}  // namespace gvp::peripherals
