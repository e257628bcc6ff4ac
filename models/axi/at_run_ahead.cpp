// SPDX-License-Identifier: Apache-2.0
// The approximately timed interconnect's short way: a transaction that is alone, and stays alone
// because nothing happens in the simulation until it is over, needs no events.  The times are those
// of at_request.cpp and at_response.cpp.
#include <algorithm>

#include "models/axi/at_interconnect.h"
#include "models/axi/burst.h"
#include "models/tlm/payload.h"

namespace gvp::axi {

// Asks the target.  response_bound: the most that comes after its answer, ps.
bool AtInterconnect::hand_over(const Target& target, tlm::tlm_generic_payload& payload,
                               uint64_t response_bound, sc_core::sc_time& delay) {
  const uint64_t quiet = kit::quiet_until();
  return quiet > response_bound && target.ahead->run_ahead(payload, delay, quiet - response_bound);
}

// A b_transport call: the answer's time goes into the delay.  False: nothing has been done.
bool AtInterconnect::run_ahead(unsigned initiator, tlm::tlm_generic_payload& payload,
                               sc_core::sc_time& delay) {
  if (open_ != 0 || !queue_.empty()) return false;
  const uint64_t address = payload.get_address();
  const uint64_t bytes = payload.get_data_length();
  const bool write = payload.is_write();
  const auto* extension = payload.get_extension<Extension>();
  if (extension != nullptr || bytes == 0 || kit::touched_bytes(payload) != bytes) return false;
  const int index = find(initiator, payload);
  if (index == AddressMap::kNone || (write && reservations())) return false;
  const Region& region = map_.region(index);
  Target& target = target_ports_[region.target];
  if (target.ahead == nullptr || region.lite ||
      first_burst(address, bytes, target.configuration.data_bytes) != bytes)
    return false;

  Initiator& port = initiator_ports_[initiator];
  const Direction direction = write ? kWrite : kRead;
  const uint64_t arrival = now() + delay.value();
  const unsigned port_beats = beats_of(address, bytes, port.configuration.data_bytes);
  const uint64_t accepted =
      edge(arrival, port.period) + (write ? port_beats : 1) * uint64_t{port.period};
  const uint64_t ready = ready_at(port, target, accepted);
  const uint64_t granted = std::max({ready, target.request_free, target.channel_free[direction]});
  const uint64_t latency = response_latency(port, region);
  sc_core::sc_time answered = sc_core::sc_time::from_value(granted - now());
  const uint64_t target_address = address - region.base + region.offset;
  payload.set_address(target_address);
  const bool done = hand_over(target, payload, latency + (port_beats + 2) * port.period, answered);
  payload.set_address(address);
  if (!done) return false;
  const uint64_t target_time = now() + answered.value() - granted;
  payload.set_dmi_allowed(false);  // direct accesses would bypass the timing

  target.last = direction;
  target.arbiters[direction].give(static_cast<int>(initiator));
  const unsigned beats =
      write ? beats_of(target_address, bytes, target.configuration.data_bytes) : 1;
  target.channel_free[direction] = edge(granted, target.period) + beats * target.period;
  const uint64_t first =
      std::max(edge(now() + answered.value() + latency, port.period), port.channel_free[direction]);
  const uint64_t last = first + (write ? 0 : port_beats - 1) * port.period;
  port.channel_free[direction] = last + port.period;
  const uint64_t end = std::max(last, accepted);
  counters_.at(initiator, index).count(write, bytes, payload.is_response_error());
  ports_[initiator].of(write).count(bytes, port_beats, payload.is_response_error(), end - arrival);
  ports_[initiator].note_outstanding(1);
  note_wait(port, direction, granted - ready);
  note_wait(target, direction, granted - ready);
  at_targets_[region.target].of(write).count(
      bytes, beats_of(target_address, bytes, target.configuration.data_bytes),
      payload.is_response_error(), target_time);
  at_targets_[region.target].note_outstanding(1);
  delay = sc_core::sc_time::from_value(end - now());
  if (tracing())
    log_answer(initiator, index, payload, sc_core::sc_time::from_value(arrival),
               sc_core::sc_time::from_value(end));
  return true;
}

// The target's part of a granted transaction that is alone.  False: nothing has been done.
bool AtInterconnect::send_ahead(Target& target, Child& child) {
  Record& record = *child.record;
  const bool alone = open_ == 1 && queue_.empty() && record.in_flight == 1 &&
                     record.offset == record.bytes && !record.exclusive && record.round == 0;
  if (target.ahead == nullptr || target.ahead->looks_at_phases() || !alone) return false;
  Initiator& port = initiator_ports_[record.initiator];
  const uint64_t bound = record.response_latency + (record.beats + 2) * port.period;
  sc_core::sc_time answered = sc_core::SC_ZERO_TIME;
  if (!hand_over(target, child, bound, answered)) return false;
  record.status = child.get_response_status();
  record.in_flight = 0;
  --target.outstanding;
  at_targets_[child.target]
      .of(record.write)
      .count(child.get_data_length(), child.axi.beats, child.is_response_error(), answered.value());
  retire(child);
  record.finished = now() + answered.value();
  record.complete = true;
  schedule_responses(record);
  return true;
}

}  // namespace gvp::axi
