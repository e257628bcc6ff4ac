// SPDX-License-Identifier: Apache-2.0
// The request half of the approximately timed interconnect: AR, AW and W.
#include <algorithm>

#include "models/axi/at_interconnect.h"
#include "models/axi/burst.h"
#include "models/tlm/payload.h"

namespace gvp::axi {
namespace {

constexpr uint64_t kNever = ~uint64_t{0};
constexpr unsigned kLiteBytes = 4;  // of an AXI4-Lite data bus here

// As interconnects do: the port number, from 1, above the ID bits in use, which are the initiator's
// own 16 and, of what comes from another bus, those of the port there.
uint32_t extended_id(uint32_t id, unsigned port) {
  unsigned bits = 16;
  for (const unsigned more : {6u, 5u})
    if (id >> bits != 0) bits += more;
  return (port + 1) << bits | (id & ((1u << bits) - 1));
}

// Byte enables of a piece of the data need a pattern as long as the data.
void expand_enables(Record& record) {
  const tlm::tlm_generic_payload& payload = *record.payload;
  const unsigned length = payload.get_byte_enable_length();
  if (payload.get_byte_enable_ptr() == nullptr || length >= record.bytes) return;
  record.enables.resize(record.bytes);
  for (uint64_t i = 0; i < record.bytes; ++i)
    record.enables[i] = payload.get_byte_enable_ptr()[i % length];
}

}  // namespace

// arrival may be later than now.
Record& AtInterconnect::open(unsigned initiator, tlm::tlm_generic_payload& payload,
                             uint64_t arrival) {
  ++open_;
  Record& record = records_.acquire();
  record.payload = &payload;
  record.extension = payload.get_extension<Extension>();
  record.initiator = initiator;
  record.write = payload.is_write();
  record.bytes = payload.get_data_length();
  const uint64_t touched = kit::touched_bytes(payload);
  record.round = touched != record.bytes ? touched : 0;
  const Initiator& port = initiator_ports_[initiator];
  record.beats =
      beats_of(payload.get_address(), record.bytes, record.round, port.configuration.data_bytes);
  if (!record.write && record.beats > 1) record.response_beats = (record.beats - 1) * port.period;
  record.arrival = arrival;
  if (record.extension != nullptr) {
    record.chain.id = record.extension->id;
    record.qos = record.extension->qos;
    record.exclusive = record.extension->exclusive;
  } else {
    record.qos = static_cast<uint8_t>(initiator_ports_[initiator].configuration.qos);
  }
  return record;
}

int AtInterconnect::decode_record(const Record& record) {
  tlm::tlm_generic_payload& payload = *record.payload;
  const bool wraps = record.extension != nullptr && record.extension->burst == Burst::kWrapping;
  const int region = wraps ? AddressMap::kNone : find(record.initiator, payload);
  if (region != AddressMap::kNone) return region;
  return decode(record.initiator, payload, sc_core::sc_time::from_value(record.arrival));
}

// Decodes.  What cannot be forwarded gets its error response after the bus's own latency.
bool AtInterconnect::usable(Record& record) {
  record.region = decode_record(record);
  Initiator& port = initiator_ports_[record.initiator];
  if (record.region != AddressMap::kNone) {
    record.response_latency = response_latency(port, map_.region(record.region));
    expand_enables(record);
    // AXI4-Lite has no exclusive accesses: ordinary ones, answered OKAY (IHI 0022, B1.1.1).
    if (map_.region(record.region).lite) record.exclusive = false;
    return true;
  }
  record.response_latency = response_.value() + port.latency;
  record.status = record.payload->get_response_status();
  const Direction direction = record.write ? kWrite : kRead;
  ++port.outstanding[direction];
  port.order[direction].add(record);
  record.offset = record.bytes;
  record.accepted = accepted_at(record, record.arrival);
  record.finished = edge(record.arrival, period_) + request_.value();
  record.complete = true;
  schedule_responses(record);
  return false;
}

bool AtInterconnect::has_room(const Initiator& port, const Record& record) const {
  const Direction direction = record.write ? kWrite : kRead;
  return port.outstanding[direction] < port.configuration.outstanding &&
         port.queued[direction] < port.configuration.queue_depth;
}

bool AtInterconnect::arrive(Record& record) {
  if (!usable(record)) return true;
  Initiator& port = initiator_ports_[record.initiator];
  if (!has_room(port, record)) {
    port.stalled = &record;
    return false;
  }
  admit(record, record.arrival);
  return true;
}

// The address takes one cycle of the port, write data one cycle a beat.
uint64_t AtInterconnect::accepted_at(const Record& record, uint64_t time) const {
  const Initiator& port = initiator_ports_[record.initiator];
  return edge(time, port.period) + (record.write ? record.beats : 1) * port.period;
}

void AtInterconnect::admit(Record& record, uint64_t time) {
  Initiator& port = initiator_ports_[record.initiator];
  const Direction direction = record.write ? kWrite : kRead;
  ++port.outstanding[direction];
  ++port.queued[direction];
  ports_[record.initiator].note_outstanding(port.outstanding[kRead] + port.outstanding[kWrite]);
  port.order[direction].add(record);
  const Region& region = map_.region(record.region);
  Target& target = target_ports_[region.target];
  record.accepted = accepted_at(record, time);
  record.ready = ready_at(port, target, record.accepted);
  target.queues[direction][record.initiator].push_back(&record);
  ++target.waiting[direction];
  request_arbitration(region.target, record.ready);
}

void AtInterconnect::admit_stalled(unsigned initiator) {
  Initiator& port = initiator_ports_[initiator];
  Record* record = port.stalled;
  if (record != nullptr && has_room(port, *record)) {
    port.stalled = nullptr;
    if (now() > record->arrival) ++port.stalls;
    admit(*record, now());
    owe_end_request(*record);
  }
  if (port.waiting > 0) port.room.notify(sc_core::SC_ZERO_TIME);
}

void AtInterconnect::owe_end_request(Record& record) {
  record.end_request_due = true;
  at(record.accepted, {Action::kEndRequest, record.initiator, record});
}

void AtInterconnect::end_request(Record& record) {
  Initiator& port = initiator_ports_[record.initiator];
  // The response has ended it, and the record may be another transaction's by now.
  if (port.requesting != &record || !record.end_request_due) return;
  port.requesting = nullptr;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  (*initiators_[record.initiator])->nb_transport_bw(*record.payload, phase, delay);
}

// ---- arbitration in front of a target ----

void AtInterconnect::request_arbitration(unsigned index, uint64_t time) {
  Target& target = target_ports_[index];
  if (time >= target.wake) return;
  target.wake = time;
  at(time, {Action::kArbitrate, index});
}

// One of several that are ready.
int AtInterconnect::choose(Target& target, Direction direction) {
  const int chosen = target.arbiters[direction].choose(requests_);
  for (size_t i = 0; i < requests_.size(); ++i) {
    if (!requests_[i].waiting || static_cast<int>(i) == chosen) continue;
    ++initiator_ports_[i].lost[direction];
    ++target.lost[direction];
  }
  return chosen;
}

Record* AtInterconnect::next_request(Target& target, Direction direction) {
  const uint64_t time = now();
  if (target.waiting[direction] == 0 || target.channel_free[direction] > time) return nullptr;
  const auto& queues = target.queues[direction];
  unsigned ready = 0;
  int chosen = Arbiter::kNobody;
  for (size_t i = 0; i < queues.size(); ++i) {
    requests_[i] = {};
    if (queues[i].empty() || queues[i].front()->ready > time) continue;
    requests_[i] = {true, queues[i].front()->qos};
    ++ready;
    chosen = static_cast<int>(i);
  }
  if (ready == 0) return nullptr;
  if (ready == 1)
    target.arbiters[direction].give(chosen);
  else
    chosen = choose(target, direction);
  return queues[static_cast<size_t>(chosen)].front();
}

// The record, which is the first of its queue, waits for this target no more.
void AtInterconnect::take_off(Target& target, const Record& record) {
  const Direction direction = record.write ? kWrite : kRead;
  target.queues[direction][record.initiator].pop_front();
  --target.waiting[direction];
  --initiator_ports_[record.initiator].queued[direction];
}

uint64_t AtInterconnect::next_ready(const Target& target) const {
  uint64_t next = kNever;
  for (const Direction direction : {kRead, kWrite}) {
    if (target.waiting[direction] == 0) continue;
    for (const auto& queue : target.queues[direction])
      if (!queue.empty())
        next = std::min(next, std::max(queue.front()->ready, target.channel_free[direction]));
  }
  return next;
}

void AtInterconnect::arbitrate(unsigned index) {
  Target& target = target_ports_[index];
  while (target.requesting == nullptr && target.request_free <= now()) {
    // The two directions take turns at the socket; each has its own channel behind it.
    const Direction first = target.last == kRead ? kWrite : kRead;
    Record* record = next_request(target, first);
    if (record == nullptr) record = next_request(target, target.last);
    if (record == nullptr) break;
    grant(index, *record);
  }
  if (target.requesting != nullptr) return;  // END_REQ will arbitrate again
  const uint64_t next = next_ready(target);
  if (next != kNever) request_arbitration(index, std::max({next, target.request_free, now()}));
}

void AtInterconnect::grant(unsigned index, Record& record) {
  Target& target = target_ports_[index];
  const Region& region = map_.region(record.region);
  const Direction direction = record.write ? kWrite : kRead;
  target.last = direction;
  if (record.offset == 0) {
    note_wait(initiator_ports_[record.initiator], direction, now() - record.ready);
    note_wait(target, direction, now() - record.ready);
  }
  if (record.offset == 0 && exclusive_write_fails(record.initiator, record.exclusive,
                                                  record.extension, *record.payload)) {
    take_off(target, record);
    record.offset = record.bytes;
    record.exclusive = false;  // OKAY instead of EXOKAY: not written
    finish(record);
    return admit_stalled(record.initiator);
  }
  if (record.offset == 0 && record.exclusive && !record.write)
    reserve(record.initiator, *record.extension, *record.payload);
  const unsigned beat = region.lite ? kLiteBytes : target.configuration.data_bytes;
  const uint64_t address = record.address_of(record.offset);
  uint64_t bytes = record.bytes - record.offset;
  const unsigned most_beats = region.lite ? 1 : kMaximumBeats;
  if (record.round != 0) {
    bytes = first_streaming_burst(address, bytes, record.round, record.offset % record.round, beat,
                                  most_beats);
  } else {
    if (record.address_of(record.bytes - 1) < address)  // a wrapping burst turns here
      bytes = std::min(bytes, record.bytes - (address & (record.bytes - 1)));
    bytes = first_burst(address, bytes, beat, most_beats);
  }
  Child& child = make_child(index, record, bytes);
  const unsigned beats = record.write ? child.axi.beats : 1;
  target.channel_free[direction] = edge(now(), target.period) + beats * target.period;
  record.offset += bytes;
  ++record.in_flight;
  if (record.offset == record.bytes) {
    take_off(target, record);
    admit_stalled(record.initiator);
  }
  send(index, child);
}

Child& AtInterconnect::make_child(unsigned index, Record& record, uint64_t bytes) {
  const Region& region = map_.region(record.region);
  const tlm::tlm_generic_payload& parent = *record.payload;
  Child& child = children_.acquire();
  child.record = &record;
  child.target = index;
  const uint64_t address = record.address_of(record.offset);
  child.set_command(parent.get_command());
  child.set_address(address - region.base + region.offset);
  child.set_data_ptr(parent.get_data_ptr() + record.offset);
  child.set_data_length(static_cast<unsigned>(bytes));
  const bool fixed = record.round != 0 && bytes > record.round;
  const auto streaming_width = static_cast<unsigned>(fixed ? record.round : bytes);
  child.set_streaming_width(streaming_width);
  unsigned char* enables =
      record.enables.empty() ? parent.get_byte_enable_ptr() : record.enables.data();
  child.set_byte_enable_ptr(enables == nullptr ? nullptr : enables + record.offset);
  child.set_byte_enable_length(enables == nullptr ? 0 : static_cast<unsigned>(bytes));
  const unsigned width = region.lite ? kLiteBytes : target_ports_[index].configuration.data_bytes;
  child.axi = record.extension != nullptr ? *record.extension : Extension{};
  child.axi.id = extended_id(record.chain.id, record.initiator);
  child.axi.qos = record.qos;
  // An exclusive access is one burst (IHI 0022, A7.2.4).
  child.axi.exclusive = record.exclusive && bytes == record.bytes;
  child.axi.burst = fixed ? Burst::kFixed : Burst::kIncrementing;
  child.axi.beat_bytes_log2 = static_cast<uint8_t>(__builtin_ctz(fixed ? streaming_width : width));
  child.axi.beats =
      static_cast<uint16_t>(beats_of(address, bytes, fixed ? record.round : 0, width));
  child.axi.response = Response::kOkay;
  kit::pass_identity(parent, child, child.identity);
  return child;
}

void AtInterconnect::send(unsigned index, Child& child) {
  Target& target = target_ports_[index];
  child.begin = now();
  at_targets_[index].note_outstanding(++target.outstanding);
  if (send_ahead(target, child)) return;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  target.requesting = &child;
  const tlm::tlm_sync_enum answer = (*targets_[index])->nb_transport_fw(child, phase, delay);
  if (answer == tlm::TLM_ACCEPTED) return;
  // END_REQ, explicit or implied by a response
  const uint64_t time = now() + delay.value();
  child.request_ended = true;
  child.request_end = time;
  target.requesting = nullptr;
  target.request_free = time;
  if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ) return;
  if (child.responded || (answer == tlm::TLM_UPDATED && phase != tlm::BEGIN_RESP))
    return complain(index, "returns what it cannot return");
  child.end_owed = answer != tlm::TLM_COMPLETED;
  take_response(child, time);
}

void AtInterconnect::target_end_request(unsigned index, const Child& child) {
  if (target_ports_[index].requesting != &child) return;  // a response has ended it
  target_ports_[index].requesting = nullptr;
  arbitrate(index);
}

}  // namespace gvp::axi
