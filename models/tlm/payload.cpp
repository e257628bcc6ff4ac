// SPDX-License-Identifier: Apache-2.0
#include "models/tlm/payload.h"

#include <fmt/format.h>

#include <cstring>

namespace gvp::kit {
namespace {

void transfer_bytewise(tlm::tlm_generic_payload& payload, uint8_t* storage) {
  uint8_t* data = payload.get_data_ptr();
  const uint8_t* enables = payload.get_byte_enable_ptr();
  const unsigned enable_length = payload.get_byte_enable_length();
  const uint64_t width = touched_bytes(payload);
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    if (enables != nullptr && enables[i % enable_length] != TLM_BYTE_ENABLED) continue;
    if (payload.is_write())
      storage[i % width] = data[i];
    else
      data[i] = storage[i % width];
  }
}

}  // namespace

void transfer_any(tlm::tlm_generic_payload& payload, uint8_t* storage) {
  const unsigned length = payload.get_data_length();
  if (payload.get_byte_enable_ptr() != nullptr || touched_bytes(payload) != length)
    return transfer_bytewise(payload, storage);
  if (payload.is_write())
    std::memcpy(storage, payload.get_data_ptr(), length);
  else
    std::memcpy(payload.get_data_ptr(), storage, length);
}

bool check_any_attributes(tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return true;
  if (payload.get_data_length() == 0 || payload.get_data_ptr() == nullptr ||
      payload.get_streaming_width() == 0) {
    payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return false;
  }
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == 0) {
    payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    return false;
  }
  return true;
}

std::string describe(const tlm::tlm_generic_payload& payload) {
  const char* command = payload.is_write() ? "write" : payload.is_read() ? "read" : "ignore";
  const unsigned length = payload.get_data_length();
  return fmt::format("{} of {} byte{} at {:#x}", command, length, length == 1 ? "" : "s",
                     payload.get_address());
}

std::string time_text(const sc_core::sc_time& time) { return time.to_string(); }

}  // namespace gvp::kit
