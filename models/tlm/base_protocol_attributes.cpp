// SPDX-License-Identifier: Apache-2.0
// The rules on the attributes of the generic payload (IEEE 1666-2011, clause 14).
#include <fmt/format.h>

#include "models/tlm/base_protocol_checker.h"

namespace gvp::kit {
namespace {

// FNV-1a: enough to tell that bytes have changed.
uint64_t digest(const uint8_t* bytes, uint64_t count, uint64_t start) {
  uint64_t hash = start;
  for (uint64_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

uint64_t next_number() {
  static uint64_t last = 0;
  return ++last;
}

constexpr uint64_t kEmpty = 0xcbf29ce484222325;

uint64_t digest_sent(const tlm::tlm_generic_payload& payload) {
  uint64_t hash = kEmpty;
  if (payload.is_write() && payload.get_data_ptr() != nullptr)
    hash = digest(payload.get_data_ptr(), payload.get_data_length(), hash);
  if (payload.get_byte_enable_ptr() != nullptr)
    hash = digest(payload.get_byte_enable_ptr(), payload.get_byte_enable_length(), hash);
  return hash;
}

uint64_t digest_answer(const tlm::tlm_generic_payload& payload) {
  if (!payload.is_read() || payload.get_data_ptr() == nullptr) return kEmpty;
  return digest(payload.get_data_ptr(), payload.get_data_length(), kEmpty);
}

uint64_t extensions_of(const tlm::tlm_generic_payload& payload) {
  uint64_t there = 0;
  for (unsigned i = 0; i < tlm::max_num_extensions() && i < 64; ++i)
    if (payload.get_extension(i) != nullptr) there |= uint64_t{1} << i;
  return there;
}

}  // namespace

BaseProtocolChecker::Open& BaseProtocolChecker::open(tlm::tlm_generic_payload& payload,
                                                     const sc_core::sc_time& time) {
  ++begun_;
  Open& open = open_.emplace_back();
  open.payload = &payload;
  open.number = next_number();
  open.time = time;
  open.command = payload.get_command();
  open.data = payload.get_data_ptr();
  open.length = payload.get_data_length();
  open.enables = payload.get_byte_enable_ptr();
  open.enable_length = payload.get_byte_enable_length();
  open.width = payload.get_streaming_width();
  open.option = payload.get_gp_option();
  open.managed = payload.has_mm();
  open.extensions = extensions_of(payload);
  open.sent = digest_sent(payload);
  return open;
}

void BaseProtocolChecker::check_request(const tlm::tlm_generic_payload& payload) {
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) {
    if (payload.get_data_ptr() == nullptr)  // 14.11 e
      report("TLM_DATA_POINTER", &payload, "there are no data");
    if (payload.get_data_length() == 0)  // 14.12 d
      report("TLM_DATA_LENGTH", &payload, "the data have no length");
    if (payload.get_streaming_width() == 0)  // 14.15 f
      report("TLM_STREAMING_WIDTH", &payload, "the streaming width is 0");
  }
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0)  // 14.14 f
    report("TLM_BYTE_ENABLES", &payload, "the byte enables have no length");
  if (payload.is_dmi_allowed())  // 14.16
    report("TLM_DMI_ALLOWED", &payload, "direct memory is allowed before anybody was asked");
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)  // 14.17 e
    report("TLM_RESPONSE_STATUS", &payload, "the response status is set before the request");
  if (payload.get_gp_option() != tlm::TLM_MIN_PAYLOAD)  // 14.8 g
    report("TLM_OPTION", &payload, "the option is not that of the minimum payload");
}

void BaseProtocolChecker::check_stable(const Open& open, const tlm::tlm_generic_payload& payload) {
  const char* changed = nullptr;  // 14.7
  if (open.command != payload.get_command()) changed = "command";
  if (open.data != payload.get_data_ptr()) changed = "data pointer";
  if (open.length != payload.get_data_length()) changed = "data length";
  if (open.enables != payload.get_byte_enable_ptr()) changed = "byte enable pointer";
  if (open.enable_length != payload.get_byte_enable_length()) changed = "byte enable length";
  if (open.width != payload.get_streaming_width()) changed = "streaming width";
  if (changed != nullptr)
    return report("TLM_STABLE", &payload, fmt::format("the {} was changed in flight", changed));
  if (open.option != payload.get_gp_option())  // 14.8 g
    report("TLM_OPTION", &payload, "the option was changed in flight");
  if (open.sent != digest_sent(payload))  // 14.7
    report("TLM_DATA_STABLE", &payload, "data or byte enables sent were changed in flight");
}

void BaseProtocolChecker::check_response(const tlm::tlm_generic_payload& payload) {
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)  // 14.17
    report("TLM_RESPONSE", &payload, "answered without a response status");
}

void BaseProtocolChecker::note_response(Open& open, const tlm::tlm_generic_payload& payload) {
  open.answer = digest_answer(payload);
  open.status = payload.get_response_status();
  open.dmi_allowed = payload.is_dmi_allowed();
}

void BaseProtocolChecker::check_response_stable(const Open& open,
                                                const tlm::tlm_generic_payload& payload) {
  if (open.status != payload.get_response_status())  // 14.17
    report("TLM_RESPONSE_STATUS", &payload, "the response status was changed after BEGIN_RESP");
  if (open.dmi_allowed != payload.is_dmi_allowed())  // 14.16
    report("TLM_DMI_ALLOWED", &payload, "direct memory was allowed or forbidden after BEGIN_RESP");
  if (open.command == payload.get_command() && open.answer != digest_answer(payload))  // 14.7
    report("TLM_DATA_STABLE", &payload, "data read were changed after BEGIN_RESP");
}

// 14.5 aa: who adds an extension, or a memory manager, to an object without one takes it off.
void BaseProtocolChecker::check_extensions(const Open& open,
                                           const tlm::tlm_generic_payload& payload) {
  if (open.managed) return;
  if (payload.has_mm() || (extensions_of(payload) & ~open.extensions) != 0)
    report("TLM_EXTENSION", &payload, "came back with an extension or a memory manager more");
}

}  // namespace gvp::kit
