// SPDX-License-Identifier: Apache-2.0
// The rules on calls, phases and times (IEEE 1666-2011, clauses 11 and 15.2).
#include "models/tlm/base_protocol_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/tlm/payload.h"

namespace gvp::kit {
namespace {

const Log log_checker("tlm_checker");

bool in_method_process() {
  return sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_;
}

bool is_phase_of_the_base_protocol(const tlm::tlm_phase& phase) {
  return phase == tlm::BEGIN_REQ || phase == tlm::END_REQ || phase == tlm::BEGIN_RESP ||
         phase == tlm::END_RESP || phase == tlm::UNINITIALIZED_PHASE;
}

// Is [inner, inner + count) within [outer, outer + size)?
bool within(const uint8_t* inner, uint64_t count, const uint8_t* outer, uint64_t size) {
  return inner != nullptr && outer != nullptr && count != 0 && inner >= outer &&
         inner + count <= outer + size;
}

std::string text_of(tlm::tlm_command command, unsigned length) {
  return fmt::format("a {} of {} bytes", command == tlm::TLM_WRITE_COMMAND ? "write" : "read",
                     length);
}

}  // namespace

BaseProtocolChecker::BaseProtocolChecker(const sc_core::sc_module_name& name)
    : Interposer(name), violations_(log_checker) {}

BaseProtocolChecker::Open* BaseProtocolChecker::find(const tlm::tlm_generic_payload& payload) {
  for (Open& each : open_)
    if (each.payload == &payload) return &each;
  return nullptr;
}

BaseProtocolChecker::Open* BaseProtocolChecker::find(uint64_t number) {
  for (Open& each : open_)
    if (each.number == number) return &each;
  return nullptr;
}

// ---- objects and times ----

void BaseProtocolChecker::check_object(const tlm::tlm_generic_payload& payload) {
  if (!payload.has_mm())  // 14.5 i
    report("TLM_MEMORY_MANAGER", &payload, "nb_transport without a memory manager");
  else if (payload.get_ref_count() < 1)  // 14.5 t
    report("TLM_REFERENCE_COUNT", &payload, "nobody holds a reference");
}

void BaseProtocolChecker::check_waits(const tlm::tlm_generic_payload& payload,
                                      uint64_t delta_cycles) {
  if (sc_core::sc_delta_count() != delta_cycles)  // 11.1.2
    report("TLM_NONBLOCKING", &payload, "simulated time went on inside a non-blocking call");
}

void BaseProtocolChecker::check_time(Open& open, const sc_core::sc_time& time) {
  ++open.calls;
  if (time < open.time)  // 15.2.7 c; the object may be gone by now
    report("TLM_TIME_ORDER", nullptr,
           fmt::format("{} goes on at {}, after something at {}",
                       text_of(open.command, open.length), time_text(time), time_text(open.time)));
  open.time = std::max(time, open.time);
}

// 14.7: buffers belong to the initiator again when its transaction has ended.
void BaseProtocolChecker::check_lifetimes(const Open& ended) {
  for (const Open& other : open_)  // another one may lend the same buffers
    if (other.number != ended.number &&
        (other.data == ended.data || (ended.enables != nullptr && other.enables == ended.enables)))
      return;
  for (const BaseProtocolChecker* below : below_)
    for (const Open& burst : below->open_)
      if (burst.number > ended.number && burst.payload != ended.payload &&
          (within(burst.data, burst.length, ended.data, ended.length) ||
           within(burst.enables, burst.enable_length, ended.enables, ended.enable_length)))
        report("TLM_LIFETIME", nullptr,
               fmt::format("{} has ended while {} has a burst of {} bytes of its data under way",
                           text_of(ended.command, ended.length), below->name(), burst.length));
}

void BaseProtocolChecker::close(uint64_t number, const sc_core::sc_time& time) {
  Open* open = find(number);
  if (open == nullptr) return;
  check_time(*open, time);
  check_lifetimes(*open);
  if (!open->blocking) response_free_ = std::max(response_free_, time);
  open_.erase(open_.begin() + (open - open_.data()));
}

// ---- phases ----

bool BaseProtocolChecker::begin_request(tlm::tlm_generic_payload& payload,
                                        const sc_core::sc_time& time) {
  if (const Open* open = find(payload)) {
    if (open->blocking)  // 15.2.10 c
      report("TLM_MIXED", &payload, "BEGIN_REQ of a transaction that b_transport is busy with");
    else if (delivering_ == &payload)  // 14.5 x
      report("TLM_REUSE", &payload, "BEGIN_REQ in an object whose response is being delivered");
    else  // 15.2.4
      report("TLM_PHASE_ORDER", &payload, "BEGIN_REQ of a transaction that is under way");
    return false;
  }
  const bool requesting = std::any_of(open_.begin(), open_.end(), [](const Open& each) {
    return !each.blocking && each.phase == Phase::kRequested;
  });
  if (requesting || time < request_free_)  // 15.2.6 e
    report("TLM_REQUEST_EXCLUSION", &payload, "BEGIN_REQ before the last END_REQ");
  check_request(payload);
  open(payload, time);
  return true;
}

void BaseProtocolChecker::end_request(const tlm::tlm_generic_payload& payload,
                                      const sc_core::sc_time& time) {
  Open* open = find(payload);
  if (open == nullptr || open->phase != Phase::kRequested)  // 15.2.4
    return report("TLM_PHASE_ORDER", &payload, "END_REQ without BEGIN_REQ");
  check_time(*open, time);
  check_stable(*open, payload);
  open->phase = Phase::kRequestEnded;
  request_free_ = std::max(request_free_, time);
}

void BaseProtocolChecker::begin_response(tlm::tlm_generic_payload& payload,
                                         const sc_core::sc_time& time) {
  Open* open = find(payload);
  if (open == nullptr || open->phase == Phase::kResponded)  // 15.2.4
    return report("TLM_PHASE_ORDER", &payload, "a response without a request");
  const bool responding = std::any_of(
      open_.begin(), open_.end(), [](const Open& each) { return each.phase == Phase::kResponded; });
  if (responding || time < response_free_)  // 15.2.6 f
    report("TLM_RESPONSE_EXCLUSION", &payload, "BEGIN_RESP before the last END_RESP");
  check_time(*open, time);
  check_stable(*open, payload);
  check_response(payload);
  note_response(*open, payload);
  if (open->phase == Phase::kRequested) request_free_ = std::max(request_free_, time);
  open->phase = Phase::kResponded;
}

void BaseProtocolChecker::end_response(const tlm::tlm_generic_payload& payload,
                                       const sc_core::sc_time& time) {
  Open* open = find(payload);
  if (open == nullptr || open->phase != Phase::kResponded)  // 15.2.4
    return report("TLM_PHASE_ORDER", &payload, "END_RESP without BEGIN_RESP");
  check_stable(*open, payload);
  check_response_stable(*open, payload);
  close(open->number, time);
}

void BaseProtocolChecker::check_finished() {
  for (const Open& each : open_)
    report("TLM_UNANSWERED", nullptr,
           text_of(each.command, each.length) + " was asked for and never finished");
  open_.clear();
}

// ---- calls ----

void BaseProtocolChecker::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (in_method_process())  // 11.1.1.4 b
    report("TLM_METHOD_PROCESS", &payload, "b_transport is called from a method process");
  if (find(payload) != nullptr)  // 15.2.10 c
    report("TLM_MIXED", &payload, "b_transport of a transaction that is under way");
  if (payload.has_mm() && payload.get_ref_count() < 1)  // 14.5 t
    report("TLM_REFERENCE_COUNT", &payload, "nobody holds a reference");
  check_request(payload);
  Open& begun = open(payload, sc_core::sc_time_stamp() + delay);
  begun.blocking = true;
  const uint64_t number = begun.number;
  Interposer::b_transport(payload, delay);
  const Open& ended = *find(number);
  check_stable(ended, payload);
  check_response(payload);
  check_extensions(ended, payload);
  close(number, sc_core::sc_time_stamp() + delay);
}

// Looked at when it is done: it may not be.  Its request is as it was but for status and hint.
bool BaseProtocolChecker::run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                                    uint64_t limit) {
  const tlm::tlm_response_status before = payload.get_response_status();
  const bool hint = payload.is_dmi_allowed();
  const sc_core::sc_time begin = sc_core::sc_time_stamp() + delay;
  if (!Interposer::run_ahead(payload, delay, limit)) return false;
  const tlm::tlm_response_status after = payload.get_response_status();
  const bool dmi_allowed = payload.is_dmi_allowed();
  payload.set_response_status(before);
  payload.set_dmi_allowed(hint);
  check_request(payload);
  payload.set_response_status(after);
  payload.set_dmi_allowed(dmi_allowed);
  check_response(payload);
  if (sc_core::sc_time_stamp() + delay < begin)
    report("TLM_TIME_ORDER", &payload, "the short way ends before it begins");
  return true;
}

tlm::tlm_sync_enum BaseProtocolChecker::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                        tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay) {
  if (!is_phase_of_the_base_protocol(phase))  // 15.2.5
    return Interposer::nb_transport_fw(payload, phase, delay);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const sc_core::sc_time annotated = delay;
  const tlm::tlm_phase sent = phase;
  check_object(payload);
  bool known = true;
  if (phase == tlm::BEGIN_REQ)
    known = begin_request(payload, now + delay);
  else if (phase == tlm::END_RESP)
    end_response(payload, now + delay);
  else  // 15.2.3 c
    report("TLM_PHASE_PATH", &payload, "a phase that an initiator cannot send");
  const Open* const before = known ? find(payload) : nullptr;
  const uint64_t number = before != nullptr ? before->number : 0;
  const unsigned calls = before != nullptr ? before->calls : 0;
  const tlm::tlm_response_status status = payload.get_response_status();
  const bool dmi_allowed = payload.is_dmi_allowed();
  const uint64_t delta_cycles = sc_core::sc_delta_count();

  const tlm::tlm_sync_enum answer = Interposer::nb_transport_fw(payload, phase, delay);

  check_waits(payload, delta_cycles);
  Open* open = number != 0 ? find(number) : nullptr;
  // The object may be another transaction's by now if the response has come and gone.
  const bool silent = open != nullptr && open->calls == calls;
  if (answer == tlm::TLM_ACCEPTED) {
    if (phase != sent || delay != annotated ||
        (silent && (status != payload.get_response_status() ||
                    dmi_allowed != payload.is_dmi_allowed())))  // 11.1.2
      report("TLM_ACCEPTED", &payload, "TLM_ACCEPTED, but something was changed");
  } else if (sent == tlm::BEGIN_REQ) {
    if (number == 0) return answer;  // reported
    if (open == nullptr)             // 15.2.4
      report("TLM_RETURN", nullptr, "BEGIN_REQ is answered twice, by a call and by the return");
    else if (answer == tlm::TLM_COMPLETED)
      complete(payload, *open, now + delay);
    else if (phase == tlm::END_REQ)
      end_request(payload, now + delay);
    else if (phase == tlm::BEGIN_RESP)
      begin_response(payload, now + delay);
    else if (is_phase_of_the_base_protocol(phase))  // 15.2.3 c
      report("TLM_PHASE_PATH", &payload, "a phase that a target cannot return");
  } else if (answer == tlm::TLM_UPDATED) {  // 15.2.4
    report("TLM_RETURN", nullptr, "nothing can follow END_RESP");
  }
  return answer;
}

// TLM_COMPLETED from BEGIN_REQ: all phases in one.
void BaseProtocolChecker::complete(const tlm::tlm_generic_payload& payload, Open& open,
                                   const sc_core::sc_time& time) {
  if (open.phase == Phase::kResponded)  // 15.2.4
    report("TLM_RETURN", &payload, "BEGIN_REQ is answered twice, by a call and by the return");
  check_stable(open, payload);
  check_response(payload);
  request_free_ = std::max(request_free_, time);
  const sc_core::sc_time response_free = response_free_;
  close(open.number, time);
  response_free_ = response_free;  // there was no BEGIN_RESP
}

tlm::tlm_sync_enum BaseProtocolChecker::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                        tlm::tlm_phase& phase,
                                                        sc_core::sc_time& delay) {
  if (!is_phase_of_the_base_protocol(phase))  // 15.2.5
    return Interposer::nb_transport_bw(payload, phase, delay);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const sc_core::sc_time annotated = delay;
  const tlm::tlm_phase sent = phase;
  check_object(payload);
  if (phase == tlm::END_REQ)
    end_request(payload, now + delay);
  else if (phase == tlm::BEGIN_RESP)
    begin_response(payload, now + delay);
  else  // 15.2.3 c
    report("TLM_PHASE_PATH", &payload, "a phase that a target cannot send");
  const Open* const before = find(payload);
  const uint64_t number = before != nullptr ? before->number : 0;
  const tlm::tlm_generic_payload* const outer = delivering_;
  if (sent == tlm::BEGIN_RESP) delivering_ = &payload;
  const uint64_t delta_cycles = sc_core::sc_delta_count();

  const tlm::tlm_sync_enum answer = Interposer::nb_transport_bw(payload, phase, delay);

  // Once the initiator has taken the response, the object may be gone.
  delivering_ = outer;
  if (sc_core::sc_delta_count() != delta_cycles)  // 11.1.2
    report("TLM_NONBLOCKING", nullptr, "simulated time went on inside a non-blocking call");
  if (answer == tlm::TLM_ACCEPTED) {
    if (phase != sent || delay != annotated)  // 11.1.2
      report("TLM_ACCEPTED", nullptr, "TLM_ACCEPTED, but something was changed");
  } else if (sent != tlm::BEGIN_RESP) {  // 15.2.4
    report("TLM_RETURN", nullptr, "an initiator answers END_REQ with TLM_ACCEPTED alone");
  } else if (answer == tlm::TLM_UPDATED && phase != tlm::END_RESP) {  // 15.2.3 c
    if (is_phase_of_the_base_protocol(phase))
      report("TLM_PHASE_PATH", nullptr, "a phase that an initiator cannot return");
  } else {
    close(number, now + delay);
  }
  return answer;
}

// ---- without time ----

unsigned BaseProtocolChecker::transport_dbg(tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  const uint64_t delta_cycles = sc_core::sc_delta_count();
  if (length != 0 && payload.get_data_ptr() == nullptr)  // 11.3.4 l
    report("TLM_DEBUG", &payload, "a debug access without data");
  const unsigned moved = Interposer::transport_dbg(payload);
  if (moved > length)  // 11.3.4
    report("TLM_DEBUG", &payload, fmt::format("a debug access that moved {} bytes", moved));
  if (sc_core::sc_delta_count() != delta_cycles)
    report("TLM_DEBUG", &payload, "simulated time went on in a debug access");
  return moved;
}

bool BaseProtocolChecker::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  const uint64_t address = payload.get_address();
  if (dmi.get_dmi_ptr() != nullptr || !dmi.is_none_allowed() || dmi.get_start_address() != 0 ||
      dmi.get_end_address() != ~sc_dt::uint64{0} ||
      dmi.get_read_latency() != sc_core::SC_ZERO_TIME ||
      dmi.get_write_latency() != sc_core::SC_ZERO_TIME)  // 11.2.5
    report("TLM_DMI", &payload, "the descriptor comes down with something in it");
  const bool granted = Interposer::get_direct_mem_ptr(payload, dmi);
  if (!granted) return false;
  if (dmi.is_none_allowed() || dmi.get_dmi_ptr() == nullptr)  // 11.2.5
    report("TLM_DMI", &payload, "direct memory is granted, but neither reads nor writes are");
  if (address < dmi.get_start_address() || address > dmi.get_end_address())
    report("TLM_DMI", &payload, "direct memory is granted elsewhere than asked for");
  return true;
}

}  // namespace gvp::kit
