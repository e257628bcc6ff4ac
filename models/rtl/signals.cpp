// SPDX-License-Identifier: Apache-2.0
#include "models/rtl/signals.h"

namespace gvp::rtl {

SignalInput::SignalInput(const sc_core::sc_module_name& name, Block& block, const Pin& pin,
                         unsigned bit)
    : sc_module(name), block_(block), pin_(pin), mask_(uint64_t{1} << bit) {}

void SignalInput::end_of_elaboration() {
  if (port.size() == 0) return;
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.set_sensitivity(&port->value_changed_event());
  sc_core::sc_spawn([this] { follow(); }, "follow", &options);
}

void SignalInput::follow() {
  const bool level = port->read();
  if (((pin_.get() & mask_) != 0) == level) return;
  block_.input();
  pin_.set(level ? pin_.get() | mask_ : pin_.get() & ~mask_);
}

}  // namespace gvp::rtl
