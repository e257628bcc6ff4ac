// SPDX-License-Identifier: Apache-2.0
// A peripheral that is a block of RTL: its AXI4-Lite port behind a TLM-2.0 socket, a protocol
// checker on the pins, its interrupt.  The blocks are those of rtl/, or a plug-in's with the same
// pins. Registers and what they do are the block's own.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "models/axi/pins/checker.h"
#include "models/axi/pins/tlm_to_lite.h"
#include "models/device/device_type.h"
#include "models/peripherals/interrupt_controller.h"
#include "models/peripherals/serial_pins.h"
#include "models/peripherals/uart16550.h"
#include "models/peripherals/uartlite.h"
#include "models/rtl/block.h"
#include "models/rtl/signals.h"

namespace gvp::peripherals {

class RtlPeripheral : public sc_core::sc_module, public kit::Resettable {
 public:
  sc_core::sc_out<bool> interrupt{"interrupt"};

  // block: by its name (models/rtl/block_table.h).  Throws Error (bad input) where there is none of
  // that name, or where it lacks a pin.
  RtlPeripheral(const sc_core::sc_module_name& name, const std::string& block,
                const rtl::BlockConfiguration& configuration);

  rtl::Block& block() { return block_; }
  const axi::pins::Checker& checker() const { return checker_; }
  tlm::tlm_target_socket<>& socket() { return bus_.socket; }

  // Ties an input to a constant.
  void tie(const std::string& pin, uint64_t value);
  // Inputs of one pin, a bit each.
  void add_inputs(const std::string& pin, unsigned count);
  rtl::SignalInput::Port& input(unsigned line) { return inputs_.at(line)->port; }
  // A serial line at the pins tx and rx; full: see SerialPins.
  void connect_line(const std::string& tx, const std::string& rx, const rtl::Pin& full,
                    SerialPins::FormatNow format, CharacterChannel* channel);
  // At the end of a run: what the line still has goes out.  Statistics stay as they are.
  void flush();

  void reset() override { block_.reset(); }
  nlohmann::ordered_json statistics() const;

 private:
  rtl::Block block_;
  axi::pins::Port port_;
  axi::pins::TlmToLite bus_;
  axi::pins::Checker checker_;
  rtl::SignalOutput interrupt_output_;
  std::vector<std::unique_ptr<rtl::SignalInput>> inputs_;
  std::unique_ptr<SerialPins> line_;
  nlohmann::ordered_json at_end_;  // statistics(), when the run has ended
};

// The inputs that stand for what the data sheets fix when a block is made, and the line's end.
void connect_controller(RtlPeripheral& controller,
                        const InterruptControllerConfiguration& configuration);
void connect_uart16550(RtlPeripheral& uart, const Uart16550Configuration& configuration,
                       CharacterChannel* channel);
void connect_uartlite(RtlPeripheral& uart, const UartLiteConfiguration& configuration,
                      CharacterChannel* channel);

// As device::DeviceType::make returns it.
device::Parts parts_of(std::unique_ptr<RtlPeripheral> peripheral);

}  // namespace gvp::peripherals
