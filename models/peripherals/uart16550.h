// SPDX-License-Identifier: Apache-2.0
// AXI UART 16550 (Xilinx PG143; National Semiconductor PC16550D): registers from +0x1000, one
// every 4 bytes, 16-character FIFOs, divisor latch, interrupt priorities with the character
// timeout, loopback, modem status.  Characters take their time on the line, from the divisor and
// the character format; the baud clock is the bus clock (no external crystal).
// Not modelled: parity and framing errors and received breaks (the line is perfect), sent breaks,
// the DMA signals (FCR bit 3 is stored only), freeze.
#pragma once

#include <vector>

#include "models/peripherals/character_channel.h"
#include "models/peripherals/character_fifo.h"
#include "models/peripherals/transmitter.h"
#include "models/tlm/clock.h"
#include "models/tlm/peripheral.h"

namespace gvp::peripherals {

struct Uart16550Configuration {
  double clock_hz = 100e6;  // baud rate = clock_hz / (16 * divisor)
  // Modem inputs as MSR bits 7..4 (DCD, RI, DSR, CTS).  Assumed: a null-modem cable that
  // asserts DCD, DSR and CTS.
  uint8_t modem_inputs = 0xb0;
  // Input waits while the receiver is full, as with a sender under flow control.  If false,
  // characters are lost and the overrun bit is set, as on the bare line.
  bool input_waits = true;
  sc_core::sc_time access_latency = sc_core::SC_ZERO_TIME;
};

class Uart16550 : public kit::Peripheral {
 public:
  // channel: not owned, must outlive the UART; null: nothing is connected.
  Uart16550(const sc_core::sc_module_name& name, const Uart16550Configuration& configuration,
            CharacterChannel* channel);

  // Sends what is still in the transmitter; done at the end of simulation too.
  void flush() { transmitter_.flush(); }

  static std::vector<device::RegisterRow> register_rows(
      const Uart16550Configuration& configuration);

 private:
  SC_HAS_PROCESS(Uart16550);
  void reset_state() override;
  void declare_registers();
  uint32_t read_rbr();
  void write_thr(uint32_t value);
  void write_ier(uint32_t value);
  uint32_t iir() const;
  uint32_t read_iir();
  void write_fcr(uint32_t value);
  void write_mcr(uint32_t value);
  uint32_t lsr() const;
  uint32_t read_lsr();
  uint32_t read_msr();

  bool divisor_access() const;
  bool fifos_enabled() const;
  bool loopback() const;
  size_t receive_trigger() const;
  bool receive_timed_out() const;
  sc_core::sc_time character_time() const;

  uint8_t on_line(uint8_t character) const;  // the bits that its format has
  void receive(uint8_t character);
  void sent(uint8_t character);
  void update_modem_inputs();
  void advance();  // brings transmitter and interrupts to now()
  void update_interrupt();
  void on_wake();     // shift register done, or character timeout
  void on_receive();  // once per character time
  void start_of_simulation() override;
  void end_of_simulation() override { flush(); }

  Uart16550Configuration configuration_;
  kit::Clock clock_;
  CharacterChannel* channel_;
  Transmitter transmitter_;
  CharacterFifo receive_{1};
  uint8_t ier_ = 0, fcr_ = 0, lcr_ = 0, mcr_ = 0, lsr_errors_ = 0, msr_ = 0, scr_ = 0, dll_ = 0,
          dlm_ = 0;
  bool transmit_interrupt_ = false;         // the holding register ran empty, not yet acknowledged
  sc_core::sc_time last_receive_activity_;  // character received or RBR read
  mutable bool warned_divisor_ = false;
  sc_core::sc_event wake_event_{"wake_event"}, receive_event_{"receive_event"};
};

}  // namespace gvp::peripherals
