// SPDX-License-Identifier: Apache-2.0
// AXI Interrupt Controller (Xilinx PG099, without fast interrupt mode): up to 32 inputs, each
// level or edge sensitive, one level-sensitive output.
// Not modelled: fast mode (IMR, IVAR), software interrupts, cascading, edge-type output.
// Their registers answer SLVERR; so does ILR unless configured.
#pragma once

#include <cstdint>
#include <vector>

#include "models/tlm/peripheral.h"

namespace gvp::peripherals {

struct InterruptControllerConfiguration {
  unsigned inputs = 32;             // C_NUM_INTR_INPUTS, 1..32
  uint32_t kind_of_interrupt = 0;   // C_KIND_OF_INTR: bit set: edge, clear: level
  uint32_t kind_of_edge = ~0u;      // C_KIND_OF_EDGE: bit set: rising
  uint32_t kind_of_level = ~0u;     // C_KIND_OF_LVL: bit set: active high
  bool has_level_register = false;  // C_HAS_ILR
  sc_core::sc_time access_latency = sc_core::SC_ZERO_TIME;
};

class InterruptController : public kit::Peripheral {
 public:
  // An input may stay unconnected; it is then never active.
  using Input = sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  sc_core::sc_vector<Input> inputs;

  InterruptController(const sc_core::sc_module_name& name,
                      const InterruptControllerConfiguration& configuration);

  static std::vector<device::RegisterRow> register_rows(
      const InterruptControllerConfiguration& configuration);

 private:
  SC_HAS_PROCESS(InterruptController);
  void reset_state() override;
  void declare_registers();
  void on_input();
  void sample_levels();  // active level inputs enter ISR
  void update();
  uint32_t pending() const { return isr_ & ier_; }
  uint32_t vector() const;
  bool hardware_enabled() const;
  void end_of_elaboration() override;
  void start_of_simulation() override;

  InterruptControllerConfiguration configuration_;
  uint32_t mask_;       // of existing inputs
  uint32_t lines_ = 0;  // inputs as last sampled, raw
  uint32_t isr_ = 0, ier_ = 0, mer_ = 0, ilr_ = ~0u;
};

}  // namespace gvp::peripherals
