// SPDX-License-Identifier: Apache-2.0
// AXI UART Lite (Xilinx PG142): two 16-character FIFOs, a fixed line rate, one interrupt.
// Characters take their time on the line: 1 start bit, 8 data bits, 1 stop bit.  The interrupt
// is a pulse of one bus clock when the receive FIFO becomes non-empty or the transmit FIFO
// becomes empty, so the interrupt controller's input must be edge sensitive.
// Not modelled: parity and framing errors (the line is perfect), other character lengths.
#pragma once

#include <vector>

#include "models/peripherals/character_channel.h"
#include "models/peripherals/character_fifo.h"
#include "models/peripherals/transmitter.h"
#include "models/tlm/clock.h"
#include "models/tlm/peripheral.h"

namespace gvp::peripherals {

struct UartLiteConfiguration {
  double clock_hz = 100e6;  // bus clock: length of the interrupt pulse
  unsigned baud = 115200;   // C_BAUDRATE
  // Input waits while the receive FIFO is full, as with a sender under flow control.  If false,
  // characters are lost and the overrun bit is set, as on the bare line.
  bool input_waits = true;
  sc_core::sc_time access_latency = sc_core::SC_ZERO_TIME;
};

class UartLite : public kit::Peripheral {
 public:
  // channel: not owned, must outlive the UART; null: nothing is connected.
  UartLite(const sc_core::sc_module_name& name, const UartLiteConfiguration& configuration,
           CharacterChannel* channel);

  // Sends what is still in the transmit FIFO; done at the end of simulation too.
  void flush() { transmitter_.flush(); }

  static std::vector<device::RegisterRow> register_rows();

 private:
  SC_HAS_PROCESS(UartLite);
  void reset_state() override;
  void declare_registers();
  uint32_t read_rx();
  void write_tx(uint32_t value);
  uint32_t status() const;
  uint32_t read_status();
  void write_control(uint32_t value);

  void on_transmit();  // the shift register is done
  void on_receive();   // once per character time
  void on_pulse_end();
  void advance();
  void pulse();
  void start_of_simulation() override;
  void end_of_simulation() override { flush(); }

  UartLiteConfiguration configuration_;
  CharacterChannel* channel_;
  kit::Clock clock_;
  sc_core::sc_time character_time_;
  Transmitter transmitter_;
  CharacterFifo receive_{16};
  bool overrun_ = false;
  bool interrupt_enabled_ = false;
  sc_core::sc_event transmit_event_{"transmit_event"}, receive_event_{"receive_event"},
      pulse_end_{"pulse_end"};
};

}  // namespace gvp::peripherals
