// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/peripheral.h"

#include <fmt/format.h>

#include "models/tlm/payload.h"

namespace gvp::kit {
namespace {

// Delta cycles from set_interrupt() to what a processor samples: our driving method, its signal,
// the interrupt controller's methods and signal, the processor's method.
constexpr int kInterruptPathDeltas = 6;

}  // namespace

Peripheral::Peripheral(const sc_core::sc_module_name& name,
                       RegisterBank::NarrowWrites narrow_writes,
                       const sc_core::sc_time& access_latency)
    : sc_core::sc_module(name),
      registers([this] { return place(); }, narrow_writes),
      access_latency_(access_latency) {
  socket.register_b_transport(this, &Peripheral::b_transport);
  socket.register_transport_dbg(this, &Peripheral::transport_dbg);
  SC_METHOD(drive);
  sensitive << drive_event_;
  dont_initialize();
}

std::string Peripheral::place() const { return fmt::format("{} @ {}", name(), time_text(now())); }

void Peripheral::notify_at(sc_core::sc_event& event, const sc_core::sc_time& time) {
  const sc_core::sc_time stamp = sc_core::sc_time_stamp();
  event.cancel();
  event.notify(time > stamp ? time - stamp : sc_core::SC_ZERO_TIME);
}

void Peripheral::drive() {
  if (level_ == driven_) return;
  driven_ = level_;
  interrupt.write(level_);
}

void Peripheral::set_interrupt(bool level) {
  level_ = level;
  if (!in_access_ && level_ != driven_) drive_event_.notify(sc_core::SC_ZERO_TIME);
}

void Peripheral::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  in_access_ = true;
  offset_ = delay;
  registers.access(payload);
  offset_ = sc_core::SC_ZERO_TIME;
  in_access_ = false;
  delay += access_latency_;
  if (level_ == driven_) return;
  const sc_core::sc_time elapsed = delay;
  delay = sc_core::SC_ZERO_TIME;
  sc_core::wait(elapsed);
  drive_event_.notify(sc_core::SC_ZERO_TIME);
  for (int i = 0; i < kInterruptPathDeltas; ++i) sc_core::wait(sc_core::SC_ZERO_TIME);
}

unsigned Peripheral::transport_dbg(tlm::tlm_generic_payload& payload) {
  return registers.debug_access(payload);
}

}  // namespace gvp::kit
