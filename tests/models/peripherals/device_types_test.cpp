// SPDX-License-Identifier: Apache-2.0
// The peripherals as boards know them, and what is made of their settings, as models and as RTL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "models/base/error.h"
#include "models/rtl/block_table.h"
#include "tests/models/peripherals/bench.h"
#include "tests/support/device_type_text.h"
#include "tests/support/initiator.h"

namespace gvp::peripherals {

device::DeviceType axi_intc_type();
device::DeviceType axi_timer_type();
device::DeviceType axi_uart16550_type();
device::DeviceType axi_uartlite_type();

namespace {

device::Instance instance_of(const device::DeviceType& type, const std::string& model = "lt") {
  device::Instance instance;
  instance.name = "it";
  instance.model = model;
  instance.settings = type.defaults;
  instance.clock_hz = 50e6;
  instance.pulse_inputs = 0x12;
  return instance;
}
std::string text_of(const device::DeviceType& type) {
  return test::text_of(type, instance_of(type));
}

TEST(PeripheralTypes, TheInterruptControllerIs) {
  EXPECT_EQ(text_of(axi_intc_type()), R"(axi_intc: AXI interrupt controller (PG099)
model lt
model rtl
has reset
inputs = 8, 1 to 32
window '' of 0x10000 bytes, 4 wide, lite: AXI interrupt controller (PG099)
output 'interrupt', level
8 inputs
node interrupt-controller xlnx,xps-intc-1.00.a
interrupt-controller = 
#address-cells = <0>
#interrupt-cells = <2>
xlnx,kind-of-intr = <18>
xlnx,num-intr-inputs = <8>
)");
}

TEST(PeripheralTypes, TheTimerIs) {
  EXPECT_EQ(text_of(axi_timer_type()), R"(axi_timer: AXI timer (PG079), two 32-bit counters
model lt
model rtl
has reset
window '' of 0x10000 bytes, 4 wide, lite: AXI timer (PG079), two 32-bit counters
output 'interrupt', level
node timer xlnx,xps-timer-1.00.a
clock-frequency = <50000000>
xlnx,count-width = <32>
xlnx,one-timer-only = <0>
)");
}

TEST(PeripheralTypes, TheUart16550Is) {
  EXPECT_EQ(text_of(axi_uart16550_type()),
            R"(axi_uart16550: AXI UART 16550 (PG143), registers from +0x1000, 4 bytes apart
model lt
model rtl
has reset
line = "none", none, stdio, tcp:PORT[,wait] or file:PATH
window '' of 0x10000 bytes, 4 wide, lite: AXI UART 16550 (PG143), registers from +0x1000, 4 bytes apart
output 'interrupt', level
node serial xlnx,axi-uart16550-1.01.a xlnx,xps-uart16550-2.00.a ns16550a
clock-frequency = <50000000>
current-speed = <115200>
reg-shift = <2>
reg-offset = <0x1000>
)");
}

TEST(PeripheralTypes, TheUartLiteIs) {
  EXPECT_EQ(text_of(axi_uartlite_type()), R"(axi_uartlite: AXI UART Lite (PG142)
model lt
model rtl
has reset
line = "none", none, stdio, tcp:PORT[,wait] or file:PATH
window '' of 0x10000 bytes, 4 wide, lite: AXI UART Lite (PG142)
output 'interrupt', pulse
node serial xlnx,xps-uartlite-1.00.a
current-speed = <115200>
xlnx,data-bits = <8>
xlnx,use-parity = <0>
)");
}

TEST(PeripheralTypes, LinesAreThese) {
  const auto accepts = axi_uartlite_type().keys.at(0).allowed.accepts;
  for (const char* good : {"none", "stdio", "tcp:0", "tcp:5000", "tcp:65535", "tcp:00001",
                           "tcp:5000,wait", "file:a", "file:/tmp/tcp:1", "file:none"})
    EXPECT_TRUE(accepts(good)) << good;
  for (const char* bad : {"",           "non",       "nonee",       "stdi",
                          "tcp",        "tcp:",      "tcp:65536",   "tcp:99999",
                          "tcp:000001", "tcp:-1",    "tcp:1x",      "tcp:,wait",
                          "tcp:1,",     "tcp:1,wai", "tcp:1,waits", "tcp:1,wait,wait",
                          "xtcp:1",     "file:",     "file",        "xfile:a",
                          "afile:a"})
    EXPECT_FALSE(accepts(bad)) << bad;
}

TEST(PeripheralTypes, RegistersAreListed) {
  for (const auto& [type, count] : {std::pair(axi_intc_type(), 7u), std::pair(axi_timer_type(), 6u),
                                    std::pair(axi_uartlite_type(), 4u)}) {
    const device::RegisterMap map = type.registers(instance_of(type));
    EXPECT_EQ(map.window, "") << type.name;
    EXPECT_GE(map.rows.size(), count) << type.name;
  }
}

class PeripheralsAsParts : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("rtl") && rtl::built_in_blocks().empty())
      GTEST_SKIP() << "built without Verilator";
  }
  device::Parts make(const device::DeviceType& type, device::Instance instance) {
    instance.model = GetParam();
    surroundings.serial_line = [this](const device::Instance& asking, const std::string& line) {
      lines.push_back(asking.name + " " + line);
      return &channel;
    };
    device::Parts parts = type.make(instance, surroundings);
    EXPECT_EQ(parts.targets.size(), 1u);
    EXPECT_EQ(parts.targets[0].window, "");
    initiator.socket.bind(*parts.targets[0].socket);
    EXPECT_EQ(parts.interrupts.size(), 1u);
    EXPECT_EQ(parts.interrupts[0].output, "interrupt");
    (*parts.interrupts[0].line)(interrupt);
    return parts;
  }

  test::LogCapture log;
  device::Surroundings surroundings;
  StringChannel channel;
  std::vector<std::string> lines;
  test::Initiator initiator{"initiator"};
  sc_core::sc_signal<bool> interrupt{"interrupt"};
};
INSTANTIATE_TEST_SUITE_P(Models, PeripheralsAsParts, testing::Values("lt", "rtl"));

TEST_P(PeripheralsAsParts, AnInterruptControllerHasInputsOfBothKindsAndAReset) {
  const device::DeviceType type = axi_intc_type();
  device::Instance instance = instance_of(type);
  device::assign(type.keys[0].field(instance.settings), type.keys[0].allowed, "it.inputs",
                 device::Value(int64_t{5}), {});
  EXPECT_EQ(type.interrupt_inputs(instance), 5u);
  device::Parts parts = make(type, instance);
  sc_core::sc_vector<sc_core::sc_signal<bool>> inputs("inputs", 5);
  for (unsigned i = 0; i < 5; ++i) parts.connect_input(i, inputs[i]);
  const auto drive = [&](unsigned input, bool level) {
    inputs[input].write(level);
    initiator.advance(sc_time(200, SC_NS));
  };
  initiator.run([&] {
    initiator.write32(0x08, 0x1f);  // IER
    initiator.write32(0x1c, 3);     // MER
    for (unsigned i = 0; i < 5; ++i) {
      const bool edge = (0x12 >> i & 1) != 0;
      drive(i, true);
      EXPECT_TRUE(interrupt.read()) << i;
      EXPECT_EQ(initiator.read32(0x00), 1u << i);
      if (edge) initiator.write32(0x0c, 1u << i);  // IAR
      initiator.advance(sc_time(200, SC_NS));
      EXPECT_EQ(interrupt.read(), !edge) << i << ": a level is there as long as it is high";
      drive(i, false);
      initiator.write32(0x0c, 1u << i);
      initiator.advance(sc_time(200, SC_NS));
      EXPECT_FALSE(interrupt.read()) << i;
    }
    drive(1, true);
    EXPECT_TRUE(interrupt.read());
    parts.reset();
    initiator.advance(sc_time(500, SC_NS));
    EXPECT_FALSE(interrupt.read());
    EXPECT_EQ(initiator.read32(0x08), 0u);
    EXPECT_EQ(initiator.read32(0x1c), 0u);
  });
}

TEST_P(PeripheralsAsParts, ATimerCountsAtItsClock) {
  const device::DeviceType type = axi_timer_type();
  device::Parts parts = make(type, instance_of(type));
  initiator.run([&] {
    initiator.write32(0x00, 0x80);  // TCSR0: counts up
    initiator.advance(sc_time(100, SC_US));
    EXPECT_NEAR(initiator.read32(0x08), 5000, 10);
    parts.reset();
    initiator.advance(sc_time(1, SC_US));
    EXPECT_EQ(initiator.read32(0x00), 0u);
    EXPECT_EQ(initiator.read32(0x08), 0u);
  });
}

// What a UART still holds goes out at the end of a run, which has no time left for it.
TEST_P(PeripheralsAsParts, AUartLiteSendsToItsLineWhatItHoldsAtTheEnd) {
  const device::DeviceType type = axi_uartlite_type();
  device::Parts parts = make(type, instance_of(type));
  EXPECT_EQ(lines, std::vector<std::string>{"it none"});
  initiator.run([&] {
    for (const char c : std::string("abc")) initiator.write32(0x4, static_cast<uint32_t>(c));
    initiator.advance(sc_time(1, SC_US));
  });
  if (GetParam() == std::string("rtl")) {  // the model passes on what is still on its way
    EXPECT_EQ(channel.output, "");
  }
  parts.flush();
  EXPECT_EQ(channel.output, "abc");
}

TEST_P(PeripheralsAsParts, AUart16550SendsToItsLineWhatItHoldsAtTheEnd) {
  const device::DeviceType type = axi_uart16550_type();
  device::Parts parts = make(type, instance_of(type));
  EXPECT_EQ(lines, std::vector<std::string>{"it none"});
  initiator.run([&] {
    initiator.write32(0x100c, 0x83);
    initiator.write32(0x1000, 27);
    initiator.write32(0x100c, 0x03);
    initiator.write32(0x1008, 1);  // FIFOs
    for (const char c : std::string("abc")) initiator.write32(0x1000, static_cast<uint32_t>(c));
    initiator.advance(sc_time(1, SC_US));
  });
  if (GetParam() == std::string("rtl")) {  // the model passes on what is still on its way
    EXPECT_EQ(channel.output, "");
  }
  parts.flush();
  EXPECT_EQ(channel.output, "abc");
}

// Reset in the middle of a character: it is gone, the next one is whole.
TEST_P(PeripheralsAsParts, AResetOfAUartLiteDropsTheCharacterUnderWay) {
  const device::DeviceType type = axi_uartlite_type();
  device::Parts parts = make(type, instance_of(type));
  const sc_time bit(1e6 / 115200, SC_US);
  initiator.run([&] {
    for (const double bits : {0.3, 2.5, 8.5}) {
      initiator.write32(0x4, 'x');
      initiator.advance(bits * bit);
      parts.reset();
      initiator.advance(20 * bit);
      initiator.write32(0x4, 'y');
      initiator.advance(20 * bit);
    }
  });
  EXPECT_EQ(std::count(channel.output.begin(), channel.output.end(), 'y'), 3);
  if (GetParam() == std::string("rtl")) {  // its bits are on the line
    EXPECT_EQ(channel.output, "yyy");
  }
  EXPECT_EQ(log.text(), "");
}

TEST(PeripheralTypes, ModelsThatAreNotThereAreRefused) {
  for (const device::DeviceType& type :
       {axi_intc_type(), axi_timer_type(), axi_uart16550_type(), axi_uartlite_type()}) {
    device::Surroundings surroundings;
    try {
      type.make(instance_of(type, "at"), surroundings);
      FAIL() << type.name;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("it has no model \"at\""));
      EXPECT_THAT(error.what(), testing::HasSubstr("it.model is \"lt\" or \"rtl\""));
    }
  }
}

}  // namespace
}  // namespace gvp::peripherals
