// SPDX-License-Identifier: Apache-2.0
// AXI Timer (Xilinx PG079): two 32-bit channels with generate, capture, PWM and 64-bit cascade
// modes, one interrupt.  Counters are computed when somebody looks at them; the only events are
// the interrupts that can really happen, at their exact clock edge.
// Not modelled: the generate-out pins, freeze, counters narrower than 32 bits.
// Where PG079 leaves it open: a counter without auto-reload holds the value after the rollover;
// in PWM mode channel 1 restarts with every period of channel 0 and the output begins high.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/peripherals/timer_counter.h"
#include "models/tlm/clock.h"
#include "models/tlm/peripheral.h"

namespace gvp::peripherals {

struct TimerConfiguration {
  double clock_hz = 100e6;
  sc_core::sc_time access_latency = sc_core::SC_ZERO_TIME;
};

class Timer : public kit::Peripheral {
 public:
  // Pins that may stay unconnected.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
      capture_trigger[2];
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> pwm;

  Timer(const sc_core::sc_module_name& name, const TimerConfiguration& configuration);

  static std::vector<device::RegisterRow> register_rows();

 private:
  SC_HAS_PROCESS(Timer);
  struct Channel {
    uint32_t control = 0;  // TCSR as it reads, bits 10..0 (11)
    uint32_t load = 0;     // TLR
    TimerCounter counter;
    bool capture_held = false;  // captured, not yet read: kept if ARHT is off
  };

  void reset_state() override;
  void declare_registers(unsigned index);
  uint32_t read_control(unsigned index);
  void write_control(unsigned index, uint32_t value);
  uint32_t read_load(unsigned index);
  uint32_t read_counter(unsigned index);

  bool cascaded() const;
  bool pwm_mode() const;
  static bool runs(const Channel& channel);
  TimerCounter::Mode mode_of(unsigned index) const;
  uint64_t load_of(unsigned index) const;

  void advance();  // brings both channels to now()
  void advance_pwm(uint64_t cycles);
  void update();  // interrupt output and next event
  void on_wake();
  void on_capture();
  void end_of_elaboration() override;

  kit::Clock clock_;
  std::array<Channel, 2> channels_;
  uint64_t edge_ = 0;  // the clock edge that the counters stand at
  sc_core::sc_event wake_event_{"wake_event"};
};

}  // namespace gvp::peripherals
