// SPDX-License-Identifier: Apache-2.0
#include "models/peripherals/rtl_peripheral.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "models/axi/pins/statistics.h"
#include "models/base/error.h"
#include "models/rtl/block_table.h"

namespace gvp::peripherals {
namespace {

constexpr const char* kPort = "s_axi_";

rtl::Pin interrupt_pin(rtl::Block& block) {
  for (const char* usual : {"irq", "interrupt"})
    if (rtl::Pin pin = block.pin(usual); pin.exists()) return block.output_pin(usual, 1);
  return block.output_pin("irq", 1);
}

rtl::Pin full_pin(RtlPeripheral& uart, bool input_waits) {
  return input_waits ? uart.block().pin("rx_full") : rtl::Pin();
}

// From the bits of LCR (PC16550D, 8.1).
LineFormat line_format(uint64_t divisor, unsigned lcr) {
  constexpr unsigned kTwoStops = 1u << 2, kParity = 1u << 3, kEven = 1u << 4, kStick = 1u << 5;
  using Parity = LineFormat::Parity;
  LineFormat format;
  format.cycles_per_bit = 16 * divisor;
  format.data_bits = 5 + (lcr & 3);
  // the second stop bit is half a bit for characters of 5 bits
  format.stop_half_bits = (lcr & kTwoStops) == 0 ? 2 : format.data_bits == 5 ? 3 : 4;
  if ((lcr & kParity) == 0) return format;
  const bool even = (lcr & kEven) != 0;
  format.parity = (lcr & kStick) != 0 ? (even ? Parity::kSpace : Parity::kMark)
                  : even              ? Parity::kEven
                                      : Parity::kOdd;
  return format;
}

}  // namespace

RtlPeripheral::RtlPeripheral(const sc_core::sc_module_name& name, const std::string& block,
                             const rtl::BlockConfiguration& configuration)
    : sc_module(name),
      block_("block", rtl::block_named(block), configuration),
      port_(axi::pins::find_port(block_, kPort, false)),
      bus_("bus", block_, port_),
      checker_(block_, port_),
      interrupt_output_(block_, interrupt_pin(block_), interrupt) {}

void RtlPeripheral::tie(const std::string& pin, uint64_t value) {
  block_.input_pin(pin, 0).set(value);
  block_.settle();
}

void RtlPeripheral::add_inputs(const std::string& pin, unsigned count) {
  const rtl::Pin inputs = block_.input_pin(pin, 0);
  for (unsigned i = 0; i < count; ++i)
    inputs_.push_back(std::make_unique<rtl::SignalInput>(("input_" + std::to_string(i)).c_str(),
                                                         block_, inputs, i));
}

void RtlPeripheral::connect_line(const std::string& tx, const std::string& rx, const rtl::Pin& full,
                                 SerialPins::FormatNow format, CharacterChannel* channel) {
  line_ = std::make_unique<SerialPins>(block_, block_.output_pin(tx, 1), block_.input_pin(rx, 1),
                                       full, std::move(format), channel);
}

void RtlPeripheral::flush() {
  if (!line_) return;
  // What follows is no part of the run that statistics are of.
  at_end_ = statistics();
  line_->flush(block_.pin("tx_busy"));
}

nlohmann::ordered_json RtlPeripheral::statistics() const {
  if (!at_end_.is_null()) return at_end_;
  nlohmann::ordered_json json;
  json["rtl"] = block_.statistics();
  json["rtl"]["protocol_check"] = axi::pins::to_json(checker_);
  return json;
}

void connect_controller(RtlPeripheral& controller,
                        const InterruptControllerConfiguration& configuration) {
  const uint32_t there = configuration.inputs >= 32 ? ~0u : (1u << configuration.inputs) - 1;
  controller.tie("inputs", there);
  controller.tie("kind_of_interrupt", configuration.kind_of_interrupt);
  controller.tie("kind_of_edge", configuration.kind_of_edge);
  controller.tie("kind_of_level", configuration.kind_of_level);
  controller.tie("intr", ~configuration.kind_of_level);  // unconnected: never active
  controller.add_inputs("intr", configuration.inputs);
}

void connect_uartlite(RtlPeripheral& uart, const UartLiteConfiguration& configuration,
                      CharacterChannel* channel) {
  constexpr double kFewestCycles = 4;
  const double cycles = std::round(uart.block().clock().hz() / configuration.baud);
  if (configuration.baud == 0 || cycles < kFewestCycles)
    throw bad_input(
        fmt::format("a UART Lite as RTL needs {} cycles of its clock for a bit", kFewestCycles), {},
        "give it a faster clock or a lower baud rate");
  LineFormat format;
  format.cycles_per_bit = static_cast<uint64_t>(cycles);
  uart.tie("cycles_per_bit", format.cycles_per_bit);
  uart.connect_line(
      "tx", "rx", full_pin(uart, configuration.input_waits), [format] { return format; }, channel);
}

void connect_uart16550(RtlPeripheral& uart, const Uart16550Configuration& configuration,
                       CharacterChannel* channel) {
  unsigned msr_bit = 4;
  for (const char* pin : {"ctsn", "dsrn", "rin", "dcdn"})
    uart.tie(pin, (configuration.modem_inputs >> msr_bit++ & 1) ^ 1);
  rtl::Block& block = uart.block();
  const auto format = [divisor = block.output_pin("line_divisor", 16),
                       bits = block.output_pin("line_format", 6)] {
    return line_format(divisor.get(), static_cast<unsigned>(bits.get()));
  };
  uart.connect_line("sout", "sin", full_pin(uart, configuration.input_waits), format, channel);
}

device::Parts parts_of(std::unique_ptr<RtlPeripheral> peripheral) {
  RtlPeripheral& p = *peripheral;
  device::Parts parts;
  parts.targets = {{"", &p.socket()}};
  parts.interrupts = {{"interrupt", &p.interrupt}};
  parts.reset = [&p] { p.reset(); };
  parts.statistics = [&p] { return p.statistics(); };
  parts.flush = [&p] { p.flush(); };
  parts.protocol_violations = [&p] { return p.checker().violation_count(); };
  parts.open_wave = [&p](const std::string& file) { p.block().open_wave(file); };
  parts.module = std::move(peripheral);
  return parts;
}

}  // namespace gvp::peripherals
