// SPDX-License-Identifier: Apache-2.0
#include "models/axi/lt_interconnect.h"

#include <algorithm>

#include "models/tlm/payload.h"

namespace gvp::axi {

LtInterconnect::LtInterconnect(const sc_core::sc_module_name& name,
                               const InterconnectConfiguration& configuration)
    : DecodingInterconnect(name, configuration),
      beat_shift_(static_cast<unsigned>(__builtin_ctz(configuration.data_bytes))),
      regions_(configuration.regions.size()),
      lite_response_(response_ + lite_),
      runs_(configuration.initiators.size() * configuration.regions.size() * 2) {}

void LtInterconnect::forward(unsigned initiator, int index, tlm::tlm_generic_payload& payload,
                             sc_core::sc_time& delay) {
  const Region& region = map_.region(index);
  const uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  delay += request_;
  payload.set_address(address - region.base + region.offset);
  const uint64_t at_target = now() + delay.value();
  (*targets_[region.target])->b_transport(payload, delay);
  const uint64_t answered = now() + delay.value();
  payload.set_address(address);
  delay += way_back(region, further_beats(length));
  count(initiator, index, payload.is_write(),
        {answered - at_target, shape(length, payload.is_response_error()), 1});
  if (tracing())
    log_answer(initiator, index, payload, sc_core::sc_time::from_value(at_target) - request_,
               sc_core::sc_time_stamp() + delay);
}

void LtInterconnect::settle(unsigned initiator, int index, bool write, Run& run) const {
  if (run.transactions == 0) return;
  const Region& region = map_.region(index);
  const auto length = static_cast<unsigned>(run.shape);
  const bool error = run.shape >> 32 != 0;
  const unsigned further = further_beats(length);
  const uint64_t whole = request_.value() + run.latency + way_back(region, further).value();
  counters_.at(initiator, index).count(write, length, error, run.transactions);
  at_targets_[region.target].of(write).count(length, 1 + further, error, run.latency,
                                             run.transactions);
  at_targets_[region.target].note_outstanding(1);
  ports_[initiator].of(write).count(length, 1 + further, error, whole, run.transactions);
  ports_[initiator].note_outstanding(1);
  run.transactions = 0;
}

void LtInterconnect::settle() const {
  size_t next = 0;
  for (unsigned initiator = 0; initiator < ports_.size(); ++initiator)
    for (size_t region = 0; region < map_.regions().size(); ++region)
      for (const bool write : {false, true})
        settle(initiator, static_cast<int>(region), write, runs_[next++]);
}

void LtInterconnect::forward_wrapping(unsigned initiator, int index,
                                      tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  const auto turned = static_cast<unsigned>(address & (length - 1));  // bytes after the turn
  if (turned == 0) return forward(initiator, index, payload, delay);
  uint8_t* data = payload.get_data_ptr();
  uint8_t* enables = payload.get_byte_enable_ptr();
  sc_core::sc_time first_delay = delay;
  payload.set_data_length(length - turned);
  payload.set_streaming_width(length - turned);
  forward(initiator, index, payload, first_delay);
  const tlm::tlm_response_status first_status = payload.get_response_status();
  const bool first_direct = payload.is_dmi_allowed();
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);  // a request is not answered yet
  payload.set_dmi_allowed(false);
  payload.set_address(address - turned);
  payload.set_data_ptr(data + (length - turned));
  if (enables != nullptr) payload.set_byte_enable_ptr(enables + (length - turned));
  payload.set_data_length(turned);
  payload.set_streaming_width(turned);
  forward(initiator, index, payload, delay);
  if (first_status != tlm::TLM_OK_RESPONSE) payload.set_response_status(first_status);
  payload.set_dmi_allowed(payload.is_dmi_allowed() && first_direct);
  delay = std::max(delay, first_delay);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_byte_enable_ptr(enables);
  payload.set_data_length(length);
  payload.set_streaming_width(length);
}

void LtInterconnect::count_decode_error(unsigned initiator,
                                        const tlm::tlm_generic_payload& payload) {
  const unsigned length = payload.get_data_length();
  ports_[initiator].of(payload.is_write()).count(length, 1 + further_beats(length), true, 0);
  ports_[initiator].note_outstanding(1);
}

void LtInterconnect::b_transport(int tag, tlm::tlm_generic_payload& payload,
                                 sc_core::sc_time& delay) {
  const auto initiator = static_cast<unsigned>(tag);
  Extension* extension = payload.get_extension<Extension>();
  if (extension == nullptr && !reservations()) {
    const int found = find(initiator, payload);
    if (found != AddressMap::kNone)
      return forward(initiator, found, payload, delay);  // the usual case
  }
  const int index = decode(initiator, payload, sc_core::sc_time_stamp() + delay);
  // AXI4-Lite has no exclusive accesses: ordinary ones, answered OKAY (IHI 0022, B1.1.1).
  const bool exclusive = extension != nullptr && extension->exclusive &&
                         index != AddressMap::kNone && !map_.region(index).lite;
  bool performed = false;
  if (index == AddressMap::kNone) {
    count_decode_error(initiator, payload);  // the response is set
  } else if (exclusive_write_fails(initiator, exclusive, extension, payload)) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);  // OKAY instead of EXOKAY: not written
  } else {
    if (extension != nullptr && extension->burst == Burst::kWrapping)
      forward_wrapping(initiator, index, payload, delay);
    else
      forward(initiator, index, payload, delay);
    performed = true;
  }
  if (extension == nullptr) return;
  extension->response = to_response(payload.get_response_status());
  if (exclusive && performed) finish_exclusive(initiator, *extension, payload);
}

}  // namespace gvp::axi
