// SPDX-License-Identifier: Apache-2.0
#include "trace/recorded_port.h"

#include <algorithm>
#include <utility>

namespace gvp::trace {
namespace {

Response response_of(tlm::tlm_response_status status) {
  switch (status) {
    case tlm::TLM_OK_RESPONSE:
      return Response::kOkay;
    case tlm::TLM_INCOMPLETE_RESPONSE:
      return Response::kIncomplete;
    case tlm::TLM_ADDRESS_ERROR_RESPONSE:
      return Response::kAddressError;
    case tlm::TLM_COMMAND_ERROR_RESPONSE:
      return Response::kCommandError;
    case tlm::TLM_BURST_ERROR_RESPONSE:
      return Response::kBurstError;
    case tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE:
      return Response::kByteEnableError;
    default:
      return Response::kGenericError;
  }
}

Command command_of(tlm::tlm_command command) {
  if (command == tlm::TLM_READ_COMMAND) return Command::kRead;
  return command == tlm::TLM_WRITE_COMMAND ? Command::kWrite : Command::kIgnore;
}

}  // namespace

RecordedPort::RecordedPort(const sc_core::sc_module_name& name, Recorder& recorder,
                           const std::string& port, const std::vector<PortRegion>& regions,
                           std::vector<Range> wanted, std::function<Origin()> origin,
                           std::vector<Range> times)
    : TransactionNumbering(name, port),
      recorder_(recorder),
      port_(recorder.names().number(port)),
      wanted_(std::move(wanted)),
      origin_(std::move(origin)),
      times_(std::move(times)) {
  for (const PortRegion& region : regions)
    regions_.push_back({recorder.names().number(region.name), region.addresses});
}

bool RecordedPort::is_wanted(const tlm::tlm_generic_payload& payload) const {
  const uint64_t first = payload.get_address();
  const uint64_t last =
      first + (payload.get_data_length() == 0 ? 0 : payload.get_data_length() - 1);
  return std::any_of(wanted_.begin(), wanted_.end(),
                     [&](const Range& r) { return first <= r.last && r.first <= last; });
}

Id RecordedPort::target_of(uint64_t address) {
  if (regions_.empty()) return port_;
  if (regions_[last_region_].addresses.contains(address)) return regions_[last_region_].name;
  for (size_t i = 0; i < regions_.size(); ++i) {
    if (!regions_[i].addresses.contains(address)) continue;
    last_region_ = i;
    return regions_[i].name;
  }
  return kNobody;
}

Id RecordedPort::initiator_of(const char* port) {
  for (const Initiator& each : initiators_)
    if (each.port == port) return each.id;
  initiators_.push_back({port, recorder_.names().number(port)});
  return initiators_.back().id;
}

// begun_here: nobody before had an identity for it.  A target begins nothing: who did is not known
// then, behind pins that carry no identity.
void RecordedPort::open(tlm::tlm_generic_payload& payload, uint64_t time, bool begun_here,
                        Transaction& transaction) {
  auto* identity = payload.get_extension<kit::TransactionIdentity>();
  if (origin_ && identity->origin == kNobody) {
    const Origin origin = origin_();
    identity->origin = origin.name;
    identity->kernel = origin.kernel;
  }
  transaction.number = identity->number;
  transaction.parent = identity->parent;
  transaction.root = identity->root;
  transaction.port = port_;
  transaction.initiator = begun_here && regions_.empty() ? kNobody : initiator_of(identity->port);
  transaction.origin = identity->origin;
  transaction.kernel = identity->kernel;
  transaction.address = payload.get_address();
  transaction.target = target_of(transaction.address);
  transaction.command = command_of(payload.get_command());
  transaction.length = payload.get_data_length();
  transaction.begin = transaction.request_end = time;
  transaction.outstanding = static_cast<uint32_t>(open_.size() + blocking_.size() + 1);
}

void RecordedPort::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (!is_wanted(payload)) {
    TransactionNumbering::b_transport(payload, delay);
    return;
  }
  const bool began = begin(payload);
  Transaction transaction;
  open(payload, at(delay), began, transaction);
  blocking_.push_back(transaction.begin);
  TransactionNumbering::b_transport(payload, delay);
  *std::find(blocking_.begin(), blocking_.end(), transaction.begin) = blocking_.back();
  blocking_.pop_back();
  transaction.end = transaction.response_begin = at(delay);
  transaction.response = response_of(payload.get_response_status());
  if (denied_) payload.set_dmi_allowed(false);
  if (began) end(payload);
  recorder_.transaction(transaction);
}

// The short way of whoever is behind: as b_transport, if it goes it.
bool RecordedPort::run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                             uint64_t limit) {
  if (!is_wanted(payload)) return TransactionNumbering::run_ahead(payload, delay, limit);
  const bool began = begin(payload);
  Transaction transaction;
  open(payload, at(delay), began, transaction);
  // NOLINTNEXTLINE(bugprone-parent-virtual-call): its number is given above and taken back below
  const bool done = Interposer::run_ahead(payload, delay, limit);
  if (done) {
    transaction.end = transaction.response_begin = at(delay);
    transaction.response = response_of(payload.get_response_status());
  }
  if (began) done ? end(payload) : take_back(payload);
  if (done) recorder_.transaction(transaction);
  return done;
}

// ---- when pointers are denied ----

// An initiator may be ahead of simulated time by a quantum: what is denied from a time on is so for
// it a quantum before.
void RecordedPort::start_of_simulation() {
  const bool always = times_.size() == 1 && times_[0].first == 0 && times_[0].last == ~uint64_t{0};
  if (always) return;
  denied_ = false;
  sc_core::sc_spawn([this] { watch_times(); }, sc_core::sc_gen_unique_name("watch_times"));
}

void RecordedPort::watch_times() {
  const uint64_t ahead = tlm::tlm_global_quantum::instance().get().value();
  const auto wait_until = [](uint64_t time) {
    const uint64_t now = at(sc_core::SC_ZERO_TIME);
    if (time > now) sc_core::wait(sc_core::sc_time::from_value(time - now));
  };
  for (const Range& time : times_) {
    wait_until(time.first - std::min(time.first, ahead));
    deny(true);
    if (time.last == ~uint64_t{0}) return;
    wait_until(time.last + 1);
    deny(false);
  }
}

void RecordedPort::deny(bool denied) {
  denied_ = denied;
  for (const Range& range : wanted_) invalidate_direct_mem_ptr(range.first, range.last);
}

RecordedPort::Open* RecordedPort::find(const tlm::tlm_generic_payload& payload) {
  for (Open& each : open_)
    if (each.payload == &payload) return &each;
  return nullptr;
}

// A payload may be gone by the end of its response: what it says is read at the beginning of that.
void RecordedPort::respond(Open& open, const tlm::tlm_generic_payload& payload, uint64_t time) {
  if (open.requesting) open.transaction.request_end = time;
  open.requesting = false;
  open.responded = true;
  open.transaction.response_begin = time;
  open.transaction.response = response_of(payload.get_response_status());
}

void RecordedPort::end_request(const tlm::tlm_generic_payload& payload, uint64_t time) {
  Open* found = find(payload);
  if (found == nullptr || !found->requesting) return;
  found->requesting = false;
  found->transaction.request_end = time;
}

void RecordedPort::finish(const tlm::tlm_generic_payload& payload, uint64_t time) {
  Open* found = find(payload);
  if (found == nullptr) return;
  found->transaction.end = time;
  const Transaction transaction = found->transaction;
  *found = open_.back();
  open_.pop_back();
  recorder_.transaction(transaction);
}

void RecordedPort::finish_all() {
  const uint64_t now = at(sc_core::SC_ZERO_TIME);
  for (Open& each : open_) {
    each.transaction.end = std::max(now, each.transaction.begin);
    if (each.requesting) each.transaction.request_end = each.transaction.end;
    if (!each.responded) {
      each.transaction.response = Response::kIncomplete;
      each.transaction.response_begin = each.transaction.end;
    }
    recorder_.transaction(each.transaction);
  }
  open_.clear();
}

uint64_t RecordedPort::horizon() const {
  uint64_t earliest = at(sc_core::SC_ZERO_TIME);
  for (const Open& each : open_) earliest = std::min(earliest, each.transaction.begin);
  for (const uint64_t begin : blocking_) earliest = std::min(earliest, begin);
  return earliest;
}

tlm::tlm_sync_enum RecordedPort::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) {
    const bool began = begin(payload);
    if (is_wanted(payload)) {
      Open opened;
      opened.payload = &payload;
      open(payload, at(delay), began, opened.transaction);
      open_.push_back(opened);
    }
  } else if (phase == tlm::END_RESP) {
    finish(payload, at(delay));
  }
  const tlm::tlm_sync_enum answer = TransactionNumbering::nb_transport_fw(payload, phase, delay);
  if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ) end_request(payload, at(delay));
  const bool responds =
      answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP);
  if (!responds) return answer;
  Open* opened = find(payload);
  if (opened == nullptr) return answer;  // the answer to END_RESP, or not wanted
  respond(*opened, payload, at(delay));
  if (answer == tlm::TLM_COMPLETED) finish(payload, at(delay));
  return answer;
}

tlm::tlm_sync_enum RecordedPort::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                 tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) end_request(payload, at(delay));
  if (phase == tlm::BEGIN_RESP)
    if (Open* opened = find(payload)) respond(*opened, payload, at(delay));
  const tlm::tlm_sync_enum answer = TransactionNumbering::nb_transport_bw(payload, phase, delay);
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP))
    finish(payload, at(delay));
  return answer;
}

// What lies between ranges that are recorded may be accessed directly.
bool RecordedPort::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  if (!denied_) return Interposer::get_direct_mem_ptr(payload, dmi);
  const uint64_t address = payload.get_address();
  for (const Range& range : wanted_) {
    if (!range.contains(address)) continue;
    dmi.set_start_address(range.first);
    dmi.set_end_address(range.last);
    dmi.allow_none();
    return false;
  }
  if (!Interposer::get_direct_mem_ptr(payload, dmi)) return false;
  for (const Range& range : wanted_) {
    if (range.last < address && range.last >= dmi.get_start_address()) {
      dmi.set_dmi_ptr(dmi.get_dmi_ptr() + (range.last + 1 - dmi.get_start_address()));
      dmi.set_start_address(range.last + 1);
    }
    if (range.first > address && range.first <= dmi.get_end_address())
      dmi.set_end_address(range.first - 1);
  }
  return true;
}

}  // namespace gvp::trace
