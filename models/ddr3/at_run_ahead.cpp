// SPDX-License-Identifier: Apache-2.0
// The approximately timed DDR3's short way: an access of an idle memory, while nothing else happens
// in the simulation, is worked out at once.  The times are those of the long way.
#include <algorithm>

#include "models/base/log.h"
#include "models/ddr3/at_memory.h"
#include "models/tlm/payload.h"

namespace gvp::ddr3 {
namespace {

const Log log_ddr3("ddr3");

}  // namespace

// A write may just have been served, its bank must be closed, and a refresh is under way or comes;
// each of them twice would still be in time.
uint64_t AtMemory::longest_idle_access() const {
  const Timing& t = timing_;
  const uint64_t refresh = t.tras + t.cwl + t.burst + t.twr + t.trp + t.trfc;
  const uint64_t access = t.trc + t.trp + t.trcd + t.cl + t.cwl + t.burst + t.twtr;
  return 2 * (refresh + access + 1) * tck_ + request_latency_ + response_latency_;
}

// What arrive(), the controller and the response take, for a transaction that is alone.
bool AtMemory::run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                         uint64_t limit) {
  const uint64_t arrival = now() + delay.value();
  const uint64_t address = payload.get_address();
  const uint64_t first = address & ~(burst_bytes_ - 1);
  const bool idle = unanswered_ == 0 && queue_.empty() && pushes_.empty() &&
                    controller_.waiting() == 0 && responding_ == nullptr;
  if (!idle || arrival + longest_idle_access_ > limit) return false;
  // One burst only, and nothing to complain about.
  const uint64_t bytes = kit::touched_bytes(payload);
  if (address + bytes > first + burst_bytes_ || !storage_.contains(address, bytes) ||
      !kit::check_attributes(payload))
    return false;
  transfer(payload);
  if (log_ddr3.enabled(LogLevel::kTrace))
    log_ddr3.trace("{} @ {}: {}", name(), kit::time_text(sc_core::sc_time::from_value(arrival)),
                   kit::describe(payload));
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
  const Location location = mapping_.locate(first);
  Controller::Request request;
  request.bank = location.bank;
  request.row = location.row;
  request.write = payload.is_write();
  request.root = root_of(payload);
  controller_.push(request, cycle_at(arrival) + request_latency_ / tck_);
  Controller::Served served;
  while (!served.any) served = controller_.step(controller_.next_cycle());
  const uint64_t end = served.data_end * tck_ + response_latency_;
  count(payload, 1, end - arrival);
  port_.note_outstanding(1);
  last_response_ = std::max(last_response_, end);
  delay = sc_core::sc_time::from_value(end - now());
  return true;
}

}  // namespace gvp::ddr3
