// SPDX-License-Identifier: Apache-2.0
#include "models/axi/protocol_checker.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/axi/burst.h"
#include "models/base/log.h"
#include "models/tlm/payload.h"

namespace gvp::axi {
namespace {

const Log log_checker("axi_checker");
constexpr size_t kKeptViolations = 100;

bool power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

ProtocolChecker::ProtocolChecker(const sc_core::sc_module_name& name,
                                 const ProtocolCheckerSettings& settings)
    : sc_core::sc_module(name), settings_(settings) {
  target.register_b_transport(this, &ProtocolChecker::b_transport);
  target.register_nb_transport_fw(this, &ProtocolChecker::nb_transport_fw);
  target.register_transport_dbg(this, &ProtocolChecker::transport_dbg);
  target.register_get_direct_mem_ptr(this, &ProtocolChecker::get_direct_mem_ptr);
  initiator.register_nb_transport_bw(this, &ProtocolChecker::nb_transport_bw);
  initiator.register_invalidate_direct_mem_ptr(this, &ProtocolChecker::invalidate_direct_mem_ptr);
}

void ProtocolChecker::report(const char* rule, const tlm::tlm_generic_payload* payload,
                             const std::string& text) {
  ++violation_count_;
  const std::string what = payload != nullptr ? kit::describe(*payload) + ": " + text : text;
  if (violations_.size() < kKeptViolations)
    violations_.push_back({rule, what, sc_core::sc_time_stamp()});
  log_checker.error("{} @ {}: {}: {}", name(), kit::time_text(sc_core::sc_time_stamp()), rule,
                    what);
}

// ---- rules on a request ----

void ProtocolChecker::check_request(const tlm::tlm_generic_payload& payload) {
  ++transactions_;
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND &&
      (payload.get_data_ptr() == nullptr || payload.get_data_length() == 0 ||
       payload.get_streaming_width() == 0))
    report("TLM_ATTRIBUTES", &payload, "no data, no length or no streaming width");
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    report("TLM_ATTRIBUTES", &payload, "the response status is set before the request");
  const auto* axi = payload.get_extension<Extension>();
  if (axi == nullptr) return;
  check_burst(payload, *axi);
  if (axi->exclusive) check_exclusive(payload, *axi);
  if (settings_.lite) check_lite(payload, *axi);
  if (payload.is_read() && payload.get_byte_enable_ptr() != nullptr)
    report("AXI_READ_STROBES", &payload, "reads have no byte strobes");  // A3.4.3
  if ((axi->cache & 0x2) == 0 && (axi->cache & 0xc) != 0)                // A4.4
    report("AXI_CACHE", &payload,
           fmt::format("AxCACHE {:#x} allocates but is not modifiable", axi->cache));
}

void ProtocolChecker::check_burst(const tlm::tlm_generic_payload& payload, const Extension& axi) {
  const unsigned size = 1u << axi.beat_bytes_log2;
  const uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if (size > settings_.data_bytes)  // A3.4.1
    report("AXI_SIZE", &payload,
           fmt::format("beats of {} bytes on a bus of {}", size, settings_.data_bytes));
  if (axi.beats == 0 || axi.beats > kMaximumBeats)  // A3.4.1
    report("AXI_LENGTH", &payload, fmt::format("{} beats", axi.beats));
  switch (axi.burst) {
    case Burst::kIncrementing:
      if (address / kBoundary != (address + length - 1) / kBoundary)  // A3.4.1
        report("AXI_BOUNDARY", &payload, "the burst crosses a 4 KiB boundary");
      if (beats_of(address, length, size) != axi.beats)
        report("AXI_DATA_LENGTH", &payload,
               fmt::format("{} beats of {} bytes do not hold {} bytes", axi.beats, size, length));
      break;
    case Burst::kFixed:
      if (axi.beats > 16) report("AXI_LENGTH", &payload, "a fixed burst has at most 16 beats");
      if (length > axi.beats * size)
        report("AXI_DATA_LENGTH", &payload,
               fmt::format("{} beats of {} bytes do not hold {} bytes", axi.beats, size, length));
      break;
    case Burst::kWrapping:
      if (axi.beats < 2 || axi.beats > 16 || !power_of_two(axi.beats))  // A3.4.1
        report("AXI_LENGTH", &payload, "a wrapping burst has 2, 4, 8 or 16 beats");
      if (address % size != 0)
        report("AXI_WRAP_ALIGNED", &payload, "a wrapping burst starts at an aligned address");
      if (length != axi.beats * size)
        report("AXI_DATA_LENGTH", &payload,
               fmt::format("{} beats of {} bytes are not {} bytes", axi.beats, size, length));
      break;
  }
}

void ProtocolChecker::check_exclusive(const tlm::tlm_generic_payload& payload,
                                      const Extension& axi) {
  const uint64_t bytes = payload.get_data_length();
  if (!power_of_two(bytes) || bytes > 128 || axi.beats > 16)  // A7.2.4
    report("AXI_EXCLUSIVE", &payload,
           "an exclusive access has 1, 2, 4 .. 128 bytes in at most 16 beats");
  else if (payload.get_address() % bytes != 0)
    report("AXI_EXCLUSIVE", &payload, "an exclusive access is aligned to its size");
}

void ProtocolChecker::check_lite(const tlm::tlm_generic_payload& payload, const Extension& axi) {
  if (axi.beats != 1 || (1u << axi.beat_bytes_log2) != settings_.data_bytes)  // B1.1.1
    report("LITE_BURST", &payload, "AXI4-Lite has single beats of the full bus width");
  if (axi.exclusive) report("LITE_EXCLUSIVE", &payload, "AXI4-Lite has no exclusive accesses");
}

// ---- rules on a response ----

void ProtocolChecker::check_response(const tlm::tlm_generic_payload& payload, bool exclusive) {
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
    report("TLM_RESPONSE", &payload, "answered without a response status");
  const auto* axi = payload.get_extension<Extension>();
  if (axi != nullptr && axi->response == Response::kExclusiveOkay && !exclusive)  // A7.2.3
    report("AXI_EXOKAY", &payload, "EXOKAY to an access that is not exclusive");
}

void ProtocolChecker::check_unchanged(const Open& open, const tlm::tlm_generic_payload& payload) {
  if (open.command != payload.get_command() || open.address != payload.get_address() ||
      open.length != payload.get_data_length() || open.data != payload.get_data_ptr())
    report("TLM_STABLE", &payload,
           fmt::format("began as {:#x}, {} bytes, and was changed in flight", open.address,
                       open.length));
}

void ProtocolChecker::check_order(const Open& open) {
  // A5.3: the same ID in the same direction stays in order; AXI4-Lite has no IDs (B1.1.1).
  for (const Open& other : open_)
    if (other.number < open.number && (settings_.lite || other.id == open.id) &&
        other.command == open.command && other.phase != Phase::kResponded)
      return report("AXI_ORDER", open.payload,
                    fmt::format("overtakes {:#x} with the same ID {}", other.address, open.id));
}

void ProtocolChecker::check_outstanding(const Open& accepted) {
  if (settings_.outstanding == 0) return;
  const auto count = std::count_if(open_.begin(), open_.end(), [&](const Open& each) {
    return each.command == accepted.command && each.phase != Phase::kRequested &&
           each.payload != delivering_;
  });
  if (count > static_cast<std::ptrdiff_t>(settings_.outstanding))
    report("AXI_OUTSTANDING", accepted.payload,
           fmt::format("accepted as number {} in flight, at most {} are agreed", count,
                       settings_.outstanding));
}

// ---- the life of a transaction ----

ProtocolChecker::Open ProtocolChecker::open_record(const tlm::tlm_generic_payload& payload,
                                                   Phase phase) {
  const auto* axi = payload.get_extension<Extension>();
  return {&payload,
          phase,
          transactions_,
          payload.get_command(),
          payload.get_address(),
          payload.get_data_length(),
          payload.get_data_ptr(),
          axi != nullptr ? axi->id : 0,
          axi != nullptr && axi->exclusive};
}

ProtocolChecker::Open* ProtocolChecker::find(const tlm::tlm_generic_payload& payload) {
  for (Open& each : open_)
    if (each.payload == &payload) return &each;
  return nullptr;
}

void ProtocolChecker::close(const tlm::tlm_generic_payload& payload) {
  open_.erase(std::remove_if(open_.begin(), open_.end(),
                             [&](const Open& each) { return each.payload == &payload; }),
              open_.end());
}

void ProtocolChecker::begin_request(const tlm::tlm_generic_payload& payload) {
  if (find(payload) != nullptr)
    return report("TLM_PHASE_ORDER", &payload, "BEGIN_REQ of a transaction that is under way");
  if (!payload.has_mm())
    report("TLM_MEMORY_MANAGER", &payload, "nb_transport without a memory manager");
  for (const Open& each : open_)
    if (each.phase == Phase::kRequested) {
      report("TLM_REQUEST_EXCLUSION", &payload, "BEGIN_REQ before the last END_REQ");
      break;
    }
  check_request(payload);
  open_.push_back(open_record(payload, Phase::kRequested));
}

void ProtocolChecker::end_request(const tlm::tlm_generic_payload& payload) {
  Open* open = find(payload);
  if (open == nullptr || open->phase != Phase::kRequested)
    return report("TLM_PHASE_ORDER", &payload, "END_REQ without BEGIN_REQ");
  open->phase = Phase::kRequestEnded;
  check_outstanding(*open);
}

void ProtocolChecker::begin_response(const tlm::tlm_generic_payload& payload) {
  Open* open = find(payload);
  if (open == nullptr || open->phase == Phase::kResponded)
    return report("TLM_PHASE_ORDER", &payload, "a response without a request");
  for (const Open& each : open_)
    if (each.phase == Phase::kResponded) {
      report("TLM_RESPONSE_EXCLUSION", &payload, "BEGIN_RESP before the last END_RESP");
      break;
    }
  check_order(*open);
  check_unchanged(*open, payload);
  check_response(payload, open->exclusive);
  open->phase = Phase::kResponded;
}

void ProtocolChecker::end_response(const tlm::tlm_generic_payload& payload) {
  const Open* open = find(payload);
  if (open == nullptr || open->phase != Phase::kResponded)
    report("TLM_PHASE_ORDER", &payload, "END_RESP without BEGIN_RESP");
  close(payload);
}

void ProtocolChecker::follow(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ)
    begin_request(payload);
  else if (phase == tlm::END_REQ)
    end_request(payload);
  else if (phase == tlm::BEGIN_RESP)
    begin_response(payload);
  else if (phase == tlm::END_RESP)
    end_response(payload);
}

void ProtocolChecker::check_finished() {
  for (const Open& each : open_)
    report("TLM_UNANSWERED", each.payload,
           fmt::format("was asked for at {:#x} and never finished", each.address));
  open_.clear();
}

// ---- passing through ----

void ProtocolChecker::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  check_request(payload);
  const Open before = open_record(payload, Phase::kRequested);
  initiator->b_transport(payload, delay);
  check_unchanged(before, payload);
  check_response(payload, before.exclusive);
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ || phase == tlm::END_RESP)
    follow(payload, phase);
  else
    report("TLM_PHASE_ORDER", &payload, "a phase that an initiator cannot send");
  const tlm::tlm_phase sent = phase;
  const tlm::tlm_sync_enum answer = initiator->nb_transport_fw(payload, phase, delay);
  if (sent != tlm::BEGIN_REQ) return answer;
  if (answer == tlm::TLM_UPDATED) {
    follow(payload, phase);
  } else if (answer == tlm::TLM_COMPLETED && find(payload) != nullptr) {
    begin_response(payload);
    close(payload);
  }
  return answer;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP)
    follow(payload, phase);
  else
    report("TLM_PHASE_ORDER", &payload, "a phase that a target cannot send");
  // An initiator that takes the response at once may begin its next transaction in this very call.
  const bool response = phase == tlm::BEGIN_RESP;
  const uint64_t begun = transactions_;
  const tlm::tlm_generic_payload* const outer = delivering_;
  if (response) delivering_ = &payload;
  const tlm::tlm_sync_enum answer = target->nb_transport_bw(payload, phase, delay);
  delivering_ = outer;
  if (!response) return answer;
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    close(payload);
  } else if (const Open* open = find(payload); open != nullptr && transactions_ != begun) {
    check_outstanding(*open);  // it did begin one, but has not taken the response
  }
  return answer;
}

unsigned ProtocolChecker::transport_dbg(tlm::tlm_generic_payload& payload) {
  return initiator->transport_dbg(payload);
}

bool ProtocolChecker::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return initiator->get_direct_mem_ptr(payload, dmi);
}

void ProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  target->invalidate_direct_mem_ptr(start, end);
}

}  // namespace gvp::axi
