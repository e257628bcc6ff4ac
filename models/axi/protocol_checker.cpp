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

bool power_of_two(uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

ProtocolChecker::ProtocolChecker(const sc_core::sc_module_name& name,
                                 const ProtocolCheckerSettings& settings)
    : Interposer(name), settings_(settings), violations_(log_checker) {}

// ---- rules on a request ----

void ProtocolChecker::check_request(const tlm::tlm_generic_payload& payload) {
  ++transactions_;
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
  const auto* axi = payload.get_extension<Extension>();
  if (axi != nullptr && axi->response == Response::kExclusiveOkay && !exclusive)  // A7.2.3
    report("AXI_EXOKAY", &payload, "EXOKAY to an access that is not exclusive");
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

// What comes in no order that the base protocol knows is kit::BaseProtocolChecker's to report.
void ProtocolChecker::begin_request(const tlm::tlm_generic_payload& payload) {
  if (find(payload) != nullptr) return;
  check_request(payload);
  open_.push_back(open_record(payload, Phase::kRequested));
}

void ProtocolChecker::end_request(const tlm::tlm_generic_payload& payload) {
  Open* open = find(payload);
  if (open == nullptr || open->phase != Phase::kRequested) return;
  open->phase = Phase::kRequestEnded;
  check_outstanding(*open);
}

void ProtocolChecker::begin_response(const tlm::tlm_generic_payload& payload) {
  Open* open = find(payload);
  if (open == nullptr || open->phase == Phase::kResponded) return;
  check_order(*open);
  check_response(payload, open->exclusive);
  open->phase = Phase::kResponded;
}

void ProtocolChecker::follow(const tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_REQ)
    begin_request(payload);
  else if (phase == tlm::END_REQ)
    end_request(payload);
  else if (phase == tlm::BEGIN_RESP)
    begin_response(payload);
  else if (phase == tlm::END_RESP)
    close(payload);
}

// ---- passing through ----

void ProtocolChecker::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  check_request(payload);
  const Open before = open_record(payload, Phase::kRequested);
  Interposer::b_transport(payload, delay);
  check_response(payload, before.exclusive);
}

// Looked at when it is done: it may not be.  Its request is as it was but for the status.
bool ProtocolChecker::run_ahead(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay,
                                uint64_t limit) {
  const tlm::tlm_response_status before = payload.get_response_status();
  if (!Interposer::run_ahead(payload, delay, limit)) return false;
  const tlm::tlm_response_status after = payload.get_response_status();
  payload.set_response_status(before);
  check_request(payload);
  const Open open = open_record(payload, Phase::kRequested);
  payload.set_response_status(after);
  check_response(payload, open.exclusive);
  return true;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  const tlm::tlm_phase sent = phase;
  if (sent == tlm::BEGIN_REQ || sent == tlm::END_RESP) follow(payload, sent);
  const tlm::tlm_sync_enum answer = Interposer::nb_transport_fw(payload, phase, delay);
  if (sent != tlm::BEGIN_REQ) return answer;
  if (answer == tlm::TLM_UPDATED) {
    follow(payload, phase);
  } else if (answer == tlm::TLM_COMPLETED) {
    begin_response(payload);
    close(payload);
  }
  return answer;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                    tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  // An initiator that takes the response at once may begin its next transaction in this very call.
  const bool response = phase == tlm::BEGIN_RESP;
  if (response || phase == tlm::END_REQ) follow(payload, phase);
  const uint64_t begun = transactions_;
  const tlm::tlm_generic_payload* const outer = delivering_;
  if (response) delivering_ = &payload;
  const tlm::tlm_sync_enum answer = Interposer::nb_transport_bw(payload, phase, delay);
  delivering_ = outer;
  if (!response) return answer;
  if (answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
    close(payload);
  } else if (const Open* open = find(payload); open != nullptr && transactions_ != begun) {
    check_outstanding(*open);  // it did begin one, but has not taken the response
  }
  return answer;
}

}  // namespace gvp::axi
