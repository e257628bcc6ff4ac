// SPDX-License-Identifier: Apache-2.0
// Single-bit pins of a block of RTL and SystemC's signals.
#pragma once

#include <systemc>

#include "models/rtl/agent.h"
#include "models/rtl/block.h"
#include "models/rtl/pin.h"

namespace gvp::rtl {

// A pin that a block drives, on a port: changes at the time of the edge that made them.
class SignalOutput : public Agent {
 public:
  SignalOutput(Block& block, const Pin& pin, sc_core::sc_out<bool>& port)
      : block_(block), pin_(pin), port_(port) {
    block.add(*this);
    block.watch(pin, *this);
  }

 private:
  void pin_changed() override { block_.tell(); }
  void publish() override {
    if (pin_.high() == driven_) return;
    driven_ = pin_.high();
    port_.write(driven_);
  }
  void reset() override { block_.tell(); }

  Block& block_;
  Pin pin_;
  sc_core::sc_out<bool>& port_;
  bool driven_ = false;
};

// A signal that a pin, or a bit of it, follows.  May stay unconnected: the pin then keeps its
// value.
class SignalInput : public sc_core::sc_module {
 public:
  using Port = sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND>;
  Port port{"port"};

  SignalInput(const sc_core::sc_module_name& name, Block& block, const Pin& pin, unsigned bit);

 private:
  void end_of_elaboration() override;
  void follow();

  Block& block_;
  Pin pin_;
  uint64_t mask_;
};

}  // namespace gvp::rtl
