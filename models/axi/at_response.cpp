// SPDX-License-Identifier: Apache-2.0
// The response half of the approximately timed interconnect: R and B.
#include <algorithm>

#include "models/axi/at_interconnect.h"
#include "models/axi/burst.h"
#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::axi {
namespace {

const Log log_axi("axi");

}  // namespace

// The target's response takes effect at this time.  No sooner than its END_REQ, whatever the target
// says (IEEE 1666-2011, 15.2.7 c).
void AtInterconnect::take_response(Child& child, uint64_t time) {
  child.responded = true;
  at(std::max(time, child.request_end), {Action::kTargetResponse, child.target, child});
}

void AtInterconnect::target_response(Child& child) {
  Record& record = *child.record;
  tlm::tlm_response_status status = child.get_response_status();
  if (status == tlm::TLM_INCOMPLETE_RESPONSE) {
    log_axi.error("{}: {} responds to a {} without a status", name(),
                  configuration_.targets[child.target], kit::describe(child));
    status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  if (status != tlm::TLM_OK_RESPONSE && record.status == tlm::TLM_OK_RESPONSE)
    record.status = status;  // the first error of any burst is the transaction's
  --record.in_flight;
  --target_ports_[child.target].outstanding;
  at_targets_[child.target]
      .of(record.write)
      .count(child.get_data_length(), child.axi.beats, status != tlm::TLM_OK_RESPONSE,
             now() - child.begin);
  Initiator& port = initiator_ports_[record.initiator];
  if (child.held && !has_room_for_responses(port))
    port.held.push_back(&child);
  else
    retire(child);
  if (record.offset == record.bytes && record.in_flight == 0) finish(record);
}

// Ends the response, if the target waits for that.
void AtInterconnect::retire(Child& child) {
  if (child.end_owed || child.held) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    (*targets_[child.target])->nb_transport_fw(child, phase, delay);
  }
  child.record = nullptr;
  child.release();
}

// Before a transaction is answered: its own bursts point into its initiator's buffers and end now
// at the latest (IEEE 1666-2011, 14.7), others as far as there is room.
void AtInterconnect::release_held(Initiator& port, const Record& answered) {
  for (size_t i = 0; i < port.held.size();) {
    Child& child = *port.held[i];
    if (child.record != &answered && !has_room_for_responses(port)) {
      ++i;
      continue;
    }
    port.held.erase(port.held.begin() + static_cast<std::ptrdiff_t>(i));
    retire(child);
  }
}

void AtInterconnect::finish(Record& record) {
  record.finished = now();
  record.complete = true;
  schedule_responses(record);
}

// Lets a complete transaction go if no older one with the same ID holds it back, and with it those
// that waited only for it.
void AtInterconnect::schedule_responses(Record& record) {
  if (!record.chain.oldest) return;
  auto& order = initiator_ports_[record.initiator].order[record.write ? kWrite : kRead];
  for (Record* each = &record; each != nullptr && each->complete;) {
    Record* next = order.remove(*each);
    schedule_delivery(*each);
    each = next;
  }
}

uint64_t AtInterconnect::response_latency(const Initiator& port, const Region& region) const {
  return response_.value() + port.latency + target_ports_[region.target].latency +
         (region.lite ? lite_.value() : 0);
}

void AtInterconnect::schedule_delivery(Record& record) {
  Initiator& port = initiator_ports_[record.initiator];
  uint64_t& channel_free = port.channel_free[record.write ? kWrite : kRead];  // on a clock edge
  const uint64_t ready = std::max(record.finished, now()) + record.response_latency;
  const uint64_t first = ready <= channel_free ? channel_free : edge(ready, port.period);
  const uint64_t last = first + record.response_beats;
  channel_free = last + port.period;
  at(std::max(last, record.accepted), {Action::kDeliver, record.initiator, record});
}

void AtInterconnect::deliver(Record& record) {
  record.payload->set_response_status(record.status);
  if (record.extension != nullptr) {
    Response response = to_response(record.status);
    if (response == Response::kOkay && record.exclusive) response = Response::kExclusiveOkay;
    record.extension->response = response;
  }
  if (record.waiter != nullptr) {
    release_held(initiator_ports_[record.initiator], record);
    record.waiter->notify();
    return close(record);
  }
  initiator_ports_[record.initiator].deliverable.push_back(&record);
  send_responses(record.initiator);
}

void AtInterconnect::send_responses(unsigned index) {
  Initiator& port = initiator_ports_[index];
  while (port.responding == nullptr && !port.deliverable.empty()) {
    Record& record = *port.deliverable.front();
    port.deliverable.pop_front();
    release_held(port, record);
    port.responding = &record;
    if (port.requesting == &record) port.requesting = nullptr;  // the response implies END_REQ
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    const tlm::tlm_sync_enum answer =
        (*initiators_[index])->nb_transport_bw(*record.payload, phase, delay);
    const bool ended =
        answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    if (!ended) return;  // END_RESP comes by the forward path
    if (delay != sc_core::SC_ZERO_TIME) return owe_end_response(index, delay);
    port.responding = nullptr;
    close(record);
  }
}

void AtInterconnect::owe_end_response(unsigned index, const sc_core::sc_time& delay) {
  initiator_ports_[index].end_response_due = true;
  at(now() + delay.value(), {Action::kEndResponse, index});
}

void AtInterconnect::end_response(unsigned index) {
  Initiator& port = initiator_ports_[index];
  Record* record = port.responding;
  port.responding = nullptr;
  port.end_response_due = false;
  close(*record);
  send_responses(index);
}

void AtInterconnect::close(Record& record) {
  Initiator& port = initiator_ports_[record.initiator];
  ports_[record.initiator]
      .of(record.write)
      .count(record.bytes, record.beats, record.status != tlm::TLM_OK_RESPONSE,
             now() - record.arrival);
  if (record.region != AddressMap::kNone) {
    counters_.at(record.initiator, record.region)
        .count(record.write, record.bytes, record.status != tlm::TLM_OK_RESPONSE);
    if (tracing())
      log_answer(record.initiator, record.region, *record.payload,
                 sc_core::sc_time::from_value(record.arrival), sc_core::sc_time_stamp());
  }
  const unsigned initiator = record.initiator;
  --open_;
  --port.outstanding[record.write ? kWrite : kRead];
  if (record.waiter == nullptr && record.payload->has_mm()) record.payload->release();
  records_.release(record);
  admit_stalled(initiator);
}

}  // namespace gvp::axi
