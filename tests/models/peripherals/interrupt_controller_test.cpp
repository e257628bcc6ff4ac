// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/interrupt_controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/base/error.h"
#include "tests/models/peripherals/bench.h"

namespace gvp::peripherals {
namespace {

constexpr uint64_t kIsr = 0x00, kIpr = 0x04, kIer = 0x08, kIar = 0x0c, kSie = 0x10, kCie = 0x14,
                   kIvr = 0x18, kMer = 0x1c, kImr = 0x20, kIlr = 0x24, kIvar = 0x100;

// Eight inputs: 2 rises, 3 falls, 5 is active low, the others are active high; 7 is unconnected.
InterruptControllerConfiguration mixed() {
  InterruptControllerConfiguration configuration;
  configuration.inputs = 8;
  configuration.kind_of_interrupt = 0x0c;
  configuration.kind_of_edge = ~0x08u;
  configuration.kind_of_level = ~0x20u;
  return configuration;
}

struct IntcBench : Bench<InterruptController> {
  explicit IntcBench(const InterruptControllerConfiguration& configuration = mixed())
      : Bench<InterruptController>(configuration) {
    for (unsigned i = 0; i < 7; ++i) device.inputs[i](lines[i]);
  }
  void set(unsigned line, bool level) {
    lines[line].write(level);
    pass(sc_time(1, SC_NS));
  }
  void enable_all() {
    set(5, true);  // inactive
    write(kIer, 0xff);
    write(kMer, 3);
  }
  sc_core::sc_vector<sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS>> lines{"lines", 7};
};

TEST(InterruptController, ResetValues) {
  IntcBench bench;
  bench.run([&] {
    EXPECT_EQ(bench.read(kIsr), 0u);
    EXPECT_EQ(bench.read(kIpr), 0u);
    EXPECT_EQ(bench.read(kIer), 0u);
    EXPECT_EQ(bench.read(kIvr), 0xffffffffu);
    EXPECT_EQ(bench.read(kMer), 0u);
    for (uint64_t write_only : {kIar, kSie, kCie}) EXPECT_EQ(bench.read(write_only), 0u);
  });
}

TEST(InterruptController, RegistersOfFastModeAndLevelAreAbsent) {
  IntcBench bench;
  bench.run([&] {
    uint32_t value = 0;
    for (uint64_t absent : {kImr, kIlr, kIvar})
      EXPECT_EQ(bench.initiator.read(absent, value), kSlaveError);
    EXPECT_EQ(bench.initiator.write(kIer, 1, 2), kSlaveError);
  });
}

TEST(InterruptController, LevelInputSetsStatusAndOutput) {
  IntcBench bench;
  bench.run([&] {
    bench.enable_all();
    bench.set(6, true);
    EXPECT_EQ(bench.read(kIsr), 0x40u);
    EXPECT_EQ(bench.read(kIpr), 0x40u);
    EXPECT_EQ(bench.read(kIvr), 6u);
    EXPECT_TRUE(bench.interrupt.read());
  });
}

TEST(InterruptController, ActiveLevelComesBackAfterAcknowledge) {
  IntcBench bench;
  bench.run([&] {
    bench.enable_all();
    bench.set(6, true);
    bench.write(kIar, 0x40);
    EXPECT_EQ(bench.read(kIsr), 0x40u);
    bench.set(6, false);
    EXPECT_EQ(bench.read(kIsr), 0x40u) << "captured until acknowledged";
    bench.write(kIar, 0x40);
    EXPECT_EQ(bench.read(kIsr), 0u);
    EXPECT_FALSE(bench.interrupt.read());
  });
}

TEST(InterruptController, EdgeInputIsCapturedOncePerEdge) {
  IntcBench bench;
  bench.run([&] {
    bench.enable_all();
    bench.set(2, true);
    bench.write(kIar, 0x04);
    EXPECT_EQ(bench.read(kIsr), 0u) << "still high, but no new edge";
    bench.set(2, false);
    EXPECT_EQ(bench.read(kIsr), 0u);
    bench.set(2, true);
    EXPECT_EQ(bench.read(kIsr), 0x04u);
  });
}

TEST(InterruptController, FallingEdgesAndActiveLowLevels) {
  IntcBench bench;
  bench.run([&] {
    bench.enable_all();
    bench.set(3, true);
    EXPECT_EQ(bench.read(kIsr), 0u);
    bench.set(3, false);
    EXPECT_EQ(bench.read(kIsr), 0x08u);
    bench.set(5, false);
    EXPECT_EQ(bench.read(kIsr), 0x28u);
  });
}

TEST(InterruptController, LowestNumberHasPriority) {
  IntcBench bench;
  bench.run([&] {
    bench.enable_all();
    bench.set(6, true);
    bench.set(1, true);
    bench.set(2, true);
    EXPECT_EQ(bench.read(kIvr), 1u);
    bench.write(kCie, 0x02);
    EXPECT_EQ(bench.read(kIvr), 2u);
    bench.write(kIar, 0x04);
    EXPECT_EQ(bench.read(kIvr), 6u);
  });
}

TEST(InterruptController, SetAndClearEnableTouchOnlyTheirBits) {
  IntcBench bench;
  bench.run([&] {
    bench.write(kIer, 0x0f);
    bench.write(kSie, 0x30);
    EXPECT_EQ(bench.read(kIer), 0x3fu);
    bench.write(kCie, 0x03);
    EXPECT_EQ(bench.read(kIer), 0x3cu);
    bench.write(kIer, 0xffffffff);
    EXPECT_EQ(bench.read(kIer), 0xffu) << "as many as there are inputs";
  });
}

TEST(InterruptController, DisabledInterruptIsStatusButNotPending) {
  IntcBench bench;
  bench.run([&] {
    bench.enable_all();
    bench.write(kIer, 0);
    bench.set(0, true);
    EXPECT_EQ(bench.read(kIsr), 1u);
    EXPECT_EQ(bench.read(kIpr), 0u);
    EXPECT_EQ(bench.read(kIvr), 0xffffffffu);
    EXPECT_FALSE(bench.interrupt.read());
    bench.write(kSie, 1);
    EXPECT_TRUE(bench.interrupt.read());
  });
}

TEST(InterruptController, MasterEnableGatesTheOutput) {
  IntcBench bench;
  bench.run([&] {
    bench.enable_all();
    bench.set(0, true);
    bench.write(kMer, 0);
    EXPECT_FALSE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kMer), 2u) << "hardware enable stays set";
    bench.write(kMer, 1);
    EXPECT_TRUE(bench.interrupt.read());
  });
}

TEST(InterruptController, SoftwareCanRaiseInterruptsBeforeHardwareIsEnabled) {
  IntcBench bench;
  bench.run([&] {
    bench.set(5, true);
    bench.set(0, true);
    EXPECT_EQ(bench.read(kIsr), 0u) << "inputs are off";
    bench.write(kIsr, 0x10);
    bench.write(kIer, 0xff);
    bench.write(kMer, 1);
    EXPECT_TRUE(bench.interrupt.read());
    EXPECT_EQ(bench.read(kIvr), 4u);
    bench.write(kMer, 3);
    EXPECT_EQ(bench.read(kIsr), 0x11u) << "the active level enters";
    bench.write(kIsr, 0);
    EXPECT_EQ(bench.read(kIsr), 0x11u) << "no more writes";
  });
}

TEST(InterruptController, ReadOnlyRegistersIgnoreWrites) {
  IntcBench bench;
  bench.run([&] {
    bench.write(kIpr, 0xff);
    bench.write(kIvr, 3);
    EXPECT_EQ(bench.read(kIpr), 0u);
    EXPECT_EQ(bench.read(kIvr), 0xffffffffu);
  });
}

TEST(InterruptController, LevelRegisterBlocksLessUrgentInterrupts) {
  InterruptControllerConfiguration configuration = mixed();
  configuration.has_level_register = true;
  IntcBench bench(configuration);
  bench.run([&] {
    EXPECT_EQ(bench.read(kIlr), 0xffffffffu);
    bench.enable_all();
    bench.write(kIlr, 4);
    bench.set(4, true);
    EXPECT_FALSE(bench.interrupt.read());
    bench.set(1, true);
    EXPECT_TRUE(bench.interrupt.read());
  });
}

// One input, whose signal is high before anything happens.
struct HighFromTheStart : Bench<InterruptController> {
  explicit HighFromTheStart(const InterruptControllerConfiguration& configuration)
      : Bench<InterruptController>(configuration) {
    device.inputs[0](line);
  }
  sc_core::sc_signal<bool, sc_core::SC_MANY_WRITERS> line{"line", true};
};

TEST(InterruptController, ALevelThatIsActiveFromTheStartCounts) {
  InterruptControllerConfiguration configuration;
  configuration.inputs = 1;
  configuration.kind_of_interrupt = 0;
  HighFromTheStart bench(configuration);
  bench.run([&] {
    bench.write(kMer, 2);
    EXPECT_EQ(bench.read(kIsr), 1u);
    bench.line.write(false);
    bench.pass(sc_time(1, SC_NS));
    bench.write(kIar, 1);
    EXPECT_EQ(bench.read(kIsr), 0u);
  });
}

TEST(InterruptController, ALineThatIsHighFromTheStartIsNoEdge) {
  InterruptControllerConfiguration configuration;
  configuration.inputs = 1;
  configuration.kind_of_interrupt = 1;
  HighFromTheStart bench(configuration);
  bench.run([&] {
    bench.write(kMer, 2);
    EXPECT_EQ(bench.read(kIsr), 0u);
    bench.line.write(false);
    bench.pass(sc_time(1, SC_NS));
    EXPECT_EQ(bench.read(kIsr), 0u);
    bench.line.write(true);
    bench.pass(sc_time(1, SC_NS));
    EXPECT_EQ(bench.read(kIsr), 1u);
  });
}

TEST(InterruptController, ThirtyTwoInputsAreAllBits) {
  InterruptControllerConfiguration configuration;
  configuration.inputs = 32;
  configuration.has_level_register = true;
  Bench<InterruptController> bench(configuration);
  bench.run([&] {
    bench.write(kIer, 0xffffffff);
    EXPECT_EQ(bench.read(kIer), 0xffffffffu);
    bench.write(kMer, 1);
    bench.write(kIsr, 0x80000000);
    EXPECT_EQ(bench.read(kIvr), 31u);
    EXPECT_EQ(bench.read(kIlr), 0xffffffffu);
    EXPECT_TRUE(bench.interrupt.read());
    bench.write(kIlr, 31);
    EXPECT_FALSE(bench.interrupt.read());
    bench.write(kIlr, 32);
    EXPECT_TRUE(bench.interrupt.read());
    bench.write(kIlr, 0);
    EXPECT_FALSE(bench.interrupt.read()) << "0 blocks them all";
  });
}

TEST(InterruptController, MasterEnableKeepsTwoBitsOneOfThemForGood) {
  IntcBench bench;
  bench.run([&] {
    bench.write(kMer, 0xfffffffc);
    EXPECT_EQ(bench.read(kMer), 0u);
    bench.write(kMer, 1);
    EXPECT_EQ(bench.read(kMer), 1u);
    bench.write(kMer, 2);
    EXPECT_EQ(bench.read(kMer), 2u);
    bench.write(kMer, 1);
    EXPECT_EQ(bench.read(kMer), 3u);
    bench.write(kMer, 0);
    EXPECT_EQ(bench.read(kMer), 2u);
  });
}

TEST(InterruptController, NumberOfInputsIsChecked) {
  InterruptControllerConfiguration configuration;
  configuration.inputs = 33;
  EXPECT_THROW(InterruptController("i", configuration), Error);
}

}  // namespace
}  // namespace gvp::peripherals
