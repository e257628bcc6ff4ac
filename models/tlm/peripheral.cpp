// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/peripheral.h"

#include <fmt/format.h>

#include "models/tlm/payload.h"

namespace gvp::kit {

Peripheral::Peripheral(const sc_core::sc_module_name& name,
                       RegisterBank::NarrowWrites narrow_writes,
                       const sc_core::sc_time& access_latency)
    : sc_core::sc_module(name),
      registers([this] { return place(); }, narrow_writes),
      access_latency_(access_latency) {
  socket.register_b_transport(this, &Peripheral::b_transport);
  socket.register_transport_dbg(this, &Peripheral::transport_dbg);
}

std::string Peripheral::place() const { return fmt::format("{} @ {}", name(), time_text(now())); }

void Peripheral::notify_at(sc_core::sc_event& event, const sc_core::sc_time& time) {
  const sc_core::sc_time stamp = sc_core::sc_time_stamp();
  event.cancel();
  event.notify(time > stamp ? time - stamp : sc_core::SC_ZERO_TIME);
}

void Peripheral::reset() {
  registers.reset();
  reset_state();
}

void Peripheral::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  side_.begin(delay);
  registers.access(payload);
  side_.end(delay, access_latency_);
}

unsigned Peripheral::transport_dbg(tlm::tlm_generic_payload& payload) {
  return registers.debug_access(payload);
}

}  // namespace gvp::kit
